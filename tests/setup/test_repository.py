"""One setting names the repository; the README's links follow it."""

import re
import tomllib

import pytest

from booktools import ROOT
from booktools.setup import repository

CONFIG = "repository:\n  url: https://github.com/ann/book.of-a\n  branch: main\n"
README = (
    "(https://mybinder.org/v2/gh/OWNER/REPO/main?urlpath=lab)\n"
    "(https://colab.research.google.com/github/OWNER/REPO/blob/main/x.ipynb)\n"
    '`pip install "a @ git+https://github.com/OWNER/REPO"` other/words stay\n'
)


@pytest.fixture
def root(tmp_path):
    (tmp_path / "_config.yml").write_text(CONFIG)
    (tmp_path / "README.md").write_text(README)
    return tmp_path


def test_the_setting_is_read_and_its_absence_named():
    assert repository.setting(CONFIG) == "ann/book.of-a"
    with pytest.raises(ValueError, match="no line"):
        repository.setting("title: x\n")


def test_links_follow_and_nothing_else_changes(root, capsys):
    assert repository.main(["--check"], root) == 1
    assert "README.md" in capsys.readouterr().out
    assert repository.main([], root) == 0
    expected = README.replace("OWNER/REPO", "ann/book.of-a")
    assert (root / "README.md").read_text() == expected
    assert repository.main(["--check"], root) == 0


def test_a_new_name_goes_to_the_setting_and_the_links(root):
    assert repository.main(["bob/atlas"], root) == 0
    assert "url: https://github.com/bob/atlas\n" in (root / "_config.yml").read_text()
    assert (root / "README.md").read_text() == README.replace("OWNER/REPO", "bob/atlas")


def test_readme_names_chapters_that_are_there():
    named = re.findall(
        r"chapters/(\d\d_\w+\.ipynb|[a-z_]+\.md)", (ROOT / "README.md").read_text()
    )
    assert len(named) >= 3
    assert [name for name in named if not (ROOT / "chapters" / name).exists()] == []


def test_readme_asks_for_the_python_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (asked,) = re.findall(r"Python (3\.\d+) or newer", (ROOT / "README.md").read_text())
    assert project["requires-python"] == f">={asked}"

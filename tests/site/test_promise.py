"""A book whose text and code differ is not built, and each page is checked once."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from booktools import ROOT
from booktools.content import claims
from booktools.site import promise


@pytest.fixture
def book(tmp_path):
    (tmp_path / "src/attnbook/questions/bank").mkdir(parents=True)
    (tmp_path / "chapters").mkdir()
    for name in ("references.bib", "references.toml"):
        (tmp_path / "chapters" / name).write_text("")
    (tmp_path / "README.md").write_text("# A book\n")
    (tmp_path / "chapters/a.md").write_text("# Nothing here\n")
    (tmp_path / "chapters/b.md").write_text("# Nor here\n")
    return tmp_path


def problems(book):
    return promise.problems(book, book / "_build/memory.json")


def test_a_number_that_no_code_gives_is_named_with_its_place(book):
    assert problems(book) == []
    (book / "chapters/b.md").write_text("# Nor here\n\nIt takes 2.5 s.\n")
    (said,) = problems(book)
    assert said.startswith("chapters/b.md:3: 2.5 (a decimal)")
    assert problems(book) == [said]  # what is wrong is never remembered


def test_only_what_changed_is_read_again(book, monkeypatch):
    read = []
    check = claims.check
    monkeypatch.setattr(
        claims, "check", lambda p, q, **how: read.extend(p) or check(p, q, **how)
    )
    problems(book)
    assert {path.name for path in read} == {"README.md", "a.md", "b.md"}
    read.clear()
    (book / "chapters/a.md").write_text("# Something\n")
    problems(book)
    assert [path.name for path in read] == ["a.md"]
    read.clear()
    (book / "src/attnbook/kernel.py").write_text("")
    problems(book)
    assert len(read) == 3


def test_what_the_book_no_longer_has_is_forgotten(book):
    problems(book)
    before = json.loads((book / "_build/memory.json").read_text())
    (book / "chapters/a.md").unlink()
    problems(book)
    assert len(json.loads((book / "_build/memory.json").read_text())) < len(before)


def test_a_notebook_that_is_not_its_source_is_refused(book):
    header = (ROOT / "chapters/index.md").read_text("utf-8").split("---\n")[1]
    (book / "chapters/c.md").write_text(f"---\n{header}---\n\n# A page\n")
    assert any("c.ipynb is missing" in said for said in problems(book))


def test_the_extension_leaves_other_books_alone(tmp_path):
    app = SimpleNamespace(srcdir=tmp_path, outdir=tmp_path / "_build/html")
    promise.on_config(app, None)
    assert list(tmp_path.iterdir()) == []


def test_sphinx_says_it_in_plain_lines_and_writes_no_page(book):
    (book / "conf.py").write_text('extensions = ["booktools.site.promise"]\n')
    (book / "index.rst").write_text("Title\n=====\n")
    (book / "chapters/b.md").write_text("# Nor here\n\nIt takes 2.5 s.\n")
    command = [sys.executable, "-m", "sphinx", "-q", book, book / "_build/html"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert "Not built: text and code differ" in done.stderr
    assert "chapters/b.md:3: 2.5 (a decimal)" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (book / "_build/html/index.html").exists()

"""One chapter, checked and run while it is written."""

import pytest

from booktools.content import chapter


@pytest.fixture
def root(tmp_path):
    (tmp_path / "chapters").mkdir()
    for name in ("05_why.md", "05_why.ipynb", "06_long.ipynb"):
        (tmp_path / "chapters" / name).write_text("")
    return tmp_path


def test_the_notebook_is_made_checked_and_run(root):
    ran = []

    def run(command):
        ran.append(" ".join(command))
        return int("claims" in ran[-1]), []

    assert chapter.main(["chapters/05_why.md"], root, run) == 1
    assert len(ran) == 4 and all("chapters/05_why" in line for line in ran)
    assert chapter.main(["05_why"], root, lambda command: (0, [])) == 0


@pytest.mark.parametrize("given", [[], ["none"], ["05_other"], ["05_why", "06_long"]])
def test_without_a_known_name_the_names_are_listed(root, given, capsys):
    assert chapter.main(given, root, run=None) == 2
    assert "06_long" in capsys.readouterr().out


def test_a_broken_question_file_is_one_line_and_runs_nothing(root, capsys):
    folder = root / "src" / "attnbook" / "questions" / "bank"
    folder.mkdir(parents=True)
    (folder / "05_why.toml").write_text('chapter = "05"\nquizz = 1\n')
    assert chapter.main(["05_why"], root, run=None) == 1
    said = capsys.readouterr().out
    assert said.count("\n") == 1 and "05_why.toml: keys must be among" in said


def test_a_chapter_that_is_not_there_is_started(root, monkeypatch):
    started = []
    monkeypatch.setattr(
        chapter.drafts, "main", lambda names, at: started.append((*names, at)) or 0
    )
    assert chapter.main(["07_new"], root, lambda command: (0, [])) == 0
    assert started == [("chapter", "07_new", root)]

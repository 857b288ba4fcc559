"""A new chapter has every part, passes the static checks, and runs."""

import contextlib
import io
import tomllib
from pathlib import Path

import matplotlib
import pytest
import yaml

from attnbook.questions import model
from booktools import claims, new_chapter, notebooks, skeleton
from booktools.prose import read_page

TOC = """\
format: jb-book
root: chapters/index
parts:
  - caption: First
    chapters:
      - file: chapters/03_dot
      - file: chapters/08_masks
  - caption: Back matter
    chapters:
      - file: chapters/sources
"""
NAME = "06_long_rows"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "chapters").mkdir()
    (tmp_path / "_toc.yml").write_text(TOC, encoding="utf-8")
    return tmp_path


def test_a_chapter_gets_a_page_a_notebook_questions_and_a_place(root, capsys):
    assert new_chapter.main([NAME], root) == 0
    assert "make chapter NAME=06_long_rows" in capsys.readouterr().out
    assert notebooks.main(["--check", str(root / "chapters")]) == 0
    contents = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))
    files = [one["file"] for one in contents["parts"][0]["chapters"]]
    assert files == [f"chapters/{name}" for name in ("03_dot", NAME, "08_masks")]


@pytest.mark.parametrize(
    "name", [f"{n}_some_title" for n in new_chapter.PLAN] + ["42_x"]
)
def test_the_draft_passes_the_static_checks(name, root, monkeypatch):
    new_chapter.create(name, root)
    page = root / f"chapters/{name}.md"
    text = page.read_text("utf-8")
    assert skeleton.problems(page, text) == []
    asked = claims.load_questions(root / "src/attnbook/questions")
    assert claims.page_problems(page, text, asked) == []
    assert "@" not in text
    assert skeleton.Chapter(page, text).draft


def test_a_finished_chapter_may_hold_no_todo(root):
    new_chapter.create(NAME, root)
    page = root / f"chapters/{NAME}.md"
    text = page.read_text("utf-8").replace("  draft: true\n", "")
    said = skeleton.problems(page, text)
    assert any("TODO" in one for one in said)
    assert any("no exercise" in one for one in said)


def test_the_questions_are_of_the_known_form():
    text = new_chapter.pages(NAME)[f"src/attnbook/questions/{NAME}.toml"]
    chapter = model.read(text, "template")
    assert chapter.number == "06"
    assert [q.name for q in chapter.predict] == ["06-first"]
    assert len(chapter.quiz) == 1
    assert "@" not in text and tomllib.loads(text)


def test_the_cells_run(monkeypatch):
    monkeypatch.setattr("attnbook.questions.predict", lambda name: None)
    monkeypatch.setattr("attnbook.questions.quiz", lambda chapter: None)
    pages = new_chapter.pages(NAME)
    asked = model.read(pages[f"src/attnbook/questions/{NAME}.toml"], "template")
    known = {question.name: question for question in asked.predict + asked.quiz}
    monkeypatch.setattr(model, "question", known.__getitem__)
    _, cells = read_page(pages[f"chapters/{NAME}.md"])
    names = {}
    with matplotlib.rc_context(), contextlib.redirect_stdout(io.StringIO()):
        for cell in cells:
            if cell.kind == "code":
                exec(compile(cell.text, "cell", "exec"), names)
    assert names["weights"].shape == (6, 6)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("6_long", "named like 06_long_rows, got '6_long'"),
        ("06-long", "named like"),
        ("06_Long", "named like"),
        ("../06_x", "named like"),
    ],
)
def test_other_names_are_refused(root, capsys, name, said):
    assert new_chapter.main([name], root) == 2
    assert said in capsys.readouterr().err
    assert list((root / "chapters").iterdir()) == []


def test_a_taken_number_is_refused_and_nothing_is_written(root, capsys):
    new_chapter.create(NAME, root)
    before = (root / "_toc.yml").read_text("utf-8")
    assert new_chapter.main(["06_other"], root) == 2
    assert "chapter 06 is there already: 06_long_rows.md" in capsys.readouterr().err
    assert (root / "_toc.yml").read_text("utf-8") == before
    assert not (root / "chapters/06_other.md").exists()


def test_one_name_is_needed(capsys):
    assert new_chapter.main([], Path()) == 2
    assert "usage" in capsys.readouterr().err


def test_the_first_and_the_last_find_their_place():
    first = new_chapter.with_entry(TOC, "00_ten")
    assert first.index("First") < first.index("00_ten") < first.index("03_dot")
    last = new_chapter.with_entry(TOC, "16_train")
    assert last.index("08_masks") < last.index("16_train") < last.index("Back matter")
    with pytest.raises(ValueError, match="no line"):
        new_chapter.with_entry("parts: []\n", NAME)

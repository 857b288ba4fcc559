"""A new chapter has every part, passes the static checks, and runs."""

import contextlib
import io
import re
import tomllib
from pathlib import Path

import matplotlib
import pytest

from attnbook.questions import model
from booktools.content import claims, drafts, notebooks, skeleton
from booktools.content.prose import read_page

NAME = "06_long_rows"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "chapters").mkdir()
    return tmp_path


def test_a_chapter_gets_a_page_a_notebook_and_questions(root, capsys):
    assert drafts.main(["chapter", NAME], root) == 0
    assert "make chapter NAME=06_long_rows" in capsys.readouterr().out
    assert notebooks.main(["--check", str(root / "chapters")]) == 0
    made = {path.name for path in root.rglob("*.*") if path.is_file()}
    assert made == {f"{NAME}.md", f"{NAME}.ipynb", f"{NAME}.toml"}


@pytest.mark.parametrize("name", [f"{n}_some_title" for n in drafts.PLAN] + ["42_x"])
def test_the_draft_passes_the_static_checks(name, root, monkeypatch):
    drafts.create("chapter", name, root)
    page = root / f"chapters/{name}.md"
    text = page.read_text("utf-8")
    assert skeleton.problems(page, text) == []
    asked = claims.load_questions(root / "src/attnbook/questions/bank")
    assert claims.page_problems(page, text, asked) == []
    assert "@" not in text
    assert skeleton.Chapter(page, text).draft


def test_a_finished_chapter_may_hold_no_todo(root):
    drafts.create("chapter", NAME, root)
    page = root / f"chapters/{NAME}.md"
    text = page.read_text("utf-8").replace("  draft: true\n", "")
    said = skeleton.problems(page, text)
    assert any("TODO" in one for one in said)
    assert any("no exercise" in one for one in said)


def test_the_questions_are_of_the_known_form():
    text = drafts.drafts("chapter", NAME)[f"src/attnbook/questions/bank/{NAME}.toml"]
    chapter = model.read(text, "template")
    assert chapter.number == "06"
    assert [q.name for q in chapter.predict] == ["06-first"]
    assert len(chapter.quiz) == 1
    assert "@" not in text and tomllib.loads(text)


def test_the_cells_run(monkeypatch):
    monkeypatch.setattr("attnbook.questions.predict", lambda name: None)
    monkeypatch.setattr("attnbook.questions.quiz", lambda chapter: None)
    pages = drafts.drafts("chapter", NAME)
    asked = model.read(pages[f"src/attnbook/questions/bank/{NAME}.toml"], "template")
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
    ("kind", "name", "said"),
    [
        ("chapter", "6_long", "name the chapter like 06_long_rows, got '6_long'"),
        ("chapter", "06-long", "name the chapter like"),
        ("chapter", "06_Long", "name the chapter like"),
        ("chapter", "../06_x", "name the chapter like"),
        ("exercise", "06_half", "name the exercise like 06-half-weight"),
        ("exercise", "half", "name the exercise like"),
        ("figure", "LongRows", "name the figure like long_rows, got 'LongRows'"),
        ("page", "x", "kind must be among chapter, exercise, figure, got 'page'"),
    ],
)
def test_other_names_are_refused(root, capsys, kind, name, said):
    assert drafts.main([kind, name], root) == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in root.rglob("*")] == ["chapters"]


@pytest.mark.parametrize(
    ("kind", "name", "other", "met"),
    [
        ("chapter", NAME, "06_other", "06_long_rows.md"),
        ("exercise", "06-lead", "06-lead", "lead"),
        ("figure", "rows", "rows", "rows"),
    ],
)
def test_what_is_there_stays(root, capsys, kind, name, other, met):
    made = drafts.create(kind, name, root)
    (root / made[0]).write_text("work of many hours")
    before = sorted(root.rglob("*"))
    assert drafts.main([kind, other], root) == 2
    said = f"{other} would meet {met}, which is there already"
    assert said in capsys.readouterr().err
    assert sorted(root.rglob("*")) == before
    assert (root / made[0]).read_text() == "work of many hours"


def test_a_kind_and_a_name_are_needed(capsys):
    assert drafts.main(["chapter"], Path()) == 2
    assert "usage" in capsys.readouterr().err


def test_no_place_of_a_template_stays_empty():
    for kind, known in drafts.KINDS.items():
        for target, text in drafts.drafts(kind, known.example).items():
            assert not re.search(r"@\w+@", text) and "{" not in target
            assert "TODO" in text or target.endswith((".json", "test_long_rows.py"))

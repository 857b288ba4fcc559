"""The search for answers that a chapter shows without meaning to."""

import dataclasses

import nbformat
import pytest

from attnbook.exercises.master import load
from booktools.gate import leaks
from mini_site import ROOT


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    """Write a chapter of some cells and a text, and search it."""
    monkeypatch.setenv("ATTNBOOK_SOLUTIONS", "shown")

    def search(*cells, text="", name="08_masks"):
        page = tmp_path / f"{name}.md"
        page.write_text(text, "utf-8")
        cells = [nbformat.v4.new_code_cell(source) for source in cells]
        nbformat.write(
            nbformat.v4.new_notebook(cells=cells), page.with_suffix(".ipynb")
        )
        return {leak.exercise: str(leak) for leak in leaks.leaks([page])}

    return search


SETUP = "import numpy as np\nX = np.ones((2, 3))\nY = np.ones((4, 3))\nd = 3"
SHOWN = {
    "a line": "s = X @ np.swapaxes(Y, -1, -2) / np.sqrt(X.shape[-1])",
    "a part": "print((X @ np.swapaxes(Y, -1, -2) / np.sqrt(X.shape[-1])) * 2)",
    "a function": "def f(a, b):\n    return b @ a.swapaxes(-1, -2) / a.shape[-1]**0.5",
    "a lambda": "f = lambda a, b: a @ np.swapaxes(b, -1, -2) / np.sqrt(a.shape[-1])",
    "a table": "t = {1: lambda a, b: a @ np.swapaxes(b, -1, -2) / a.shape[-1]**0.5}",
    "two lines": "r = np.sqrt(X.shape[-1])\ns = X @ np.swapaxes(Y, -1, -2) / r",
    "with helpers": "def turned(a):\n    return np.swapaxes(a, -1, -2)\n"
    "def root(a):\n    return np.sqrt(a.shape[-1])\ns = X @ turned(Y) / root(X)",
}


@pytest.mark.parametrize("kind", SHOWN)
def test_what_passes_a_check_is_found_however_it_is_written(chapter, kind):
    found = chapter(SETUP, SHOWN[kind])
    assert "08_masks.md, cell 1" in found["05-scaled-scores"]


def test_what_does_not_pass_or_may_not_be_called_is_none(chapter):
    assert "05-scaled-scores" not in chapter(SETUP, "s = X @ Y.T / np.sqrt(d)")
    barred = "from attnbook.scores import ScaledDot\ns = ScaledDot()(X, Y)"
    assert "05-scaled-scores" not in chapter(SETUP, barred)
    assert chapter(SETUP, "shifted = X + 1") == {}


def test_a_line_without_an_end_ends_the_search_of_this_line(chapter):
    assert (
        chapter(SETUP, "n, left = 3, 1\ns = sum(min(i, left) + 1 for i in range(n))")
        == {}
    )


@pytest.mark.parametrize("shown", ["text", "output"])
def test_a_printed_number_is_found(chapter, shown):
    if shown == "text":
        found = chapter("1", text="They do at 312 in `float32`.\n\nThen it is 0/0.")
    else:
        found = chapter("print('at', 300 + 12)")
    assert "312" in found["08-fatal-lead"]


def test_numbers_count_in_their_own_chapter_and_addresses_never(chapter):
    assert chapter("1", text="There are 312 pages.", name="05_why_divide") == {}
    assert chapter("1", text="See [this](figure:mask?n=312).") == {}
    assert chapter("1", text="It has 3 keys.", name="05_why_divide") == {}
    heard = chapter("1", text="It hears 2.95 keys.", name="05_why_divide")
    assert "05-keys-heard" in heard


def test_of_several_numbers_all_must_stand_together(chapter):
    apart = "The first gets 0.622.\n\nThe leak is 0.186, and the row sums to 0.494."
    assert chapter("1", text=apart) == {}
    assert "08-three-ways" in chapter("1", text=apart.replace("\n\n", " "))


def test_the_lead_of_the_chapter_itself_would_be_found():
    text = (ROOT / "chapters/08_masks.md").read_text("utf-8")
    plain = dataclasses.replace(load("08-fatal-lead"), solution=lambda: 104)
    assert leaks.leaking_numbers("08_masks.md", text.split("\n\n"), [plain])


def test_a_number_is_read_as_the_book_writes_it():
    assert leaks.numbers_in("98,304 and −0.5, 51% at 1e-3") == [
        98304,
        -0.5,
        51,
        0.51,
        1e-3,
    ]


def test_the_command_lists_what_passes(chapter, tmp_path, capsys):
    chapter(SETUP, SHOWN["a lambda"])
    assert leaks.main([str(tmp_path / "08_masks.md")]) == 1
    said = capsys.readouterr().out
    passed = [
        line.split(" passes ")[1] for line in said.splitlines() if "passes" in line
    ]
    assert passed == ["01-one-matrix", "05-scaled-scores"]  # both ask for these scores
    assert "2 answers are shown" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", sorted((ROOT / "chapters").glob("*.md")), ids=lambda path: path.stem
)
def test_no_page_of_the_book_shows_an_answer(page, monkeypatch):
    monkeypatch.setenv("ATTNBOOK_SOLUTIONS", "withheld")
    monkeypatch.chdir(ROOT / "chapters")
    assert [str(leak) for leak in leaks.leaks([page])] == []

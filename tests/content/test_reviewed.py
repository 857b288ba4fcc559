"""Numbers that no code computes stand in a list: nothing slips by, nothing is stale."""

from pathlib import Path

import pytest

from booktools.content import reviewed
from booktools.content.regions import files

PAGE = """# A page

Take [two](08_masks.ipynb) keys with mean 0. See [chapter 8](08_masks.ipynb), and key 2
in `axis=-1`. With $\\tau > 0$ a width of 64 gives 3.5, see a/b#12.

## 1. A heading

TODO: three more.
"""
LINES = [
    "Take [[two]](08_masks.ipynb) keys with",
    "with mean [0]. See [chapter",
    "and key [2] in `axis=-1`.",
    "2 in `axis=[-1]`. With $\\tau",
    "`axis=-1`. With [$\\tau > 0$] a width",
]


def lines(text, path="chapters/x.md"):
    """The lines that a text needs in its list."""
    return [item.line for item in reviewed.items(Path(path), text)]


def said(text, listed, path="chapters/x.md"):
    """What is wrong with a text and its list."""
    return [str(one) for one in reviewed.problems(Path(path), text, listed)]


def test_what_nothing_else_holds_is_found_with_two_words_on_each_side():
    assert lines(PAGE) == LINES


def test_a_listed_text_passes_and_a_changed_number_does_not():
    listed = "# A remark\n\n## given\n\n" + "\n".join(LINES) + "\n"
    assert said(PAGE, listed) == []
    (new, stale) = said(PAGE.replace("mean 0", "mean 1"), listed)
    assert "chapters/x.md:3: 'with mean [1]. See [chapter' is held by no code" in new
    assert "no longer says 'with mean [0]. See [chapter' unheld: drop the line" in stale
    assert stale.startswith("chapters/x.reviewed.txt:6:")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("two](", "three]("),
        ("chapter 8]", "chapter 9]"),
        ("key 2", "key 3"),
        ("axis=-1", "axis=-2"),
        ("> 0$", "< 0$"),
        ("a/b#12.", "a/b#12, in pairs of two."),
    ],
)
def test_each_kind_of_change_is_refused(before, after):
    listed = "## given\n" + "\n".join(LINES)
    assert said(PAGE.replace(before, after), listed)


@pytest.mark.parametrize(
    ("listed", "rule"),
    [
        ("## because\n", "not 'because'"),
        ("with mean [0]. See\n", "stands under no reason"),
    ],
)
def test_a_list_that_gives_no_reason_is_refused(listed, rule):
    assert any(rule in one for one in said("A text.", listed))


def test_a_line_stands_in_the_list_as_often_as_in_the_text():
    text = "See refresher 6.\n\nSee refresher 6.\n\nSee refresher 1.\n"
    listed = "## named\n" + "See refresher [6].\n" * 2 + "See refresher [1].\n"
    assert said(text, listed) == []
    (new, stale) = said(text.replace("6", "1", 1), listed)
    assert "'See refresher [1].' is held by no code" in new
    assert "no longer says 'See refresher [6].'" in stale


def test_a_change_that_the_reader_makes_is_read_too():
    assert lines("Double the width, and *doubling* it again.") == [
        "[Double] the width,",
        "width, and *[doubling]* it again.",
    ]


def test_words_of_questions_figures_and_code_are_read_too():
    asked = 'chapter = "99"\n[[quiz]]\nname = "99-x"\nprompt = "Of two keys, key 3?"\n'
    assert len(lines(asked, "src/attnbook/questions/bank/99_x.toml")) == 2
    words = '{"title": "Two keys", "note": "{count} of them, √d"}'
    found = lines(words, "src/attnbook/widgets/figures/none/en.json")
    assert [one.partition("]")[0].partition("[")[2] for one in found] == ["Two", "√d"]


def test_wrong_choices_and_computed_answers_need_no_line():
    asked = (
        'chapter = "99"\n[[quiz]]\nname = "99-x"\nprompt = "How many?"\n'
        '[[quiz.choices]]\ntext = "two"\nreason = "no"\n'
        '[[quiz.choices]]\ntext = "all"\nright = true\nreason = "yes"\n'
    )
    assert lines(asked, "src/attnbook/questions/bank/99_x.toml") == []


@pytest.mark.parametrize("path", files(), ids=str)
def test_each_file_of_the_book_agrees_with_its_list(path):
    assert list(map(str, reviewed.check(path))) == []


def test_the_command_prints_what_a_list_lacks(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    assert reviewed.main([str(page)]) == 1
    assert LINES[0] in capsys.readouterr().out
    listed = "## given\n" + "\n".join(LINES)
    (tmp_path / "page.reviewed.txt").write_text(listed, encoding="utf-8")
    assert reviewed.main([str(page)]) == 0

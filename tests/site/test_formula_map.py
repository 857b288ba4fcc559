"""The formula on top of a chapter: its own piece is lit, the others lead to theirs."""

import pytest

from booktools import ROOT
from booktools.content import skeleton
from booktools.site import formula_map

BOOK = {
    "chapters/03_a": ("scores",),
    "chapters/04_b": ("softmax",),
    "chapters/05_c": ("scale", "softmax"),
    "chapters/12_d": ("whole",),
}


def line(page):
    """The map of a page of the book above."""
    return formula_map.line(page, BOOK, lambda name: f"{name}.html", lambda n: n[9:11])


def test_its_own_piece_is_lit_and_no_link():
    shown = line("chapters/04_b")
    assert '<span class="softmax lit" title="softmax">softmax</span>' in shown
    assert shown.count(" lit") == 1


def test_both_letters_of_the_scores_are_lit():
    shown = line("chapters/03_a")
    assert '<span class="queries lit"' in shown and '<span class="keys lit"' in shown


def test_other_pieces_lead_to_the_first_chapter_that_names_them():
    shown = line("chapters/05_c")
    assert 'href="chapters/04_b.html"' in shown and 'class="softmax lit"' in shown
    assert shown.count('href="chapters/03_a.html"') == 2
    assert "keys: chapter 03" in shown
    assert "12_d" not in line("chapters/04_b"), "the whole line is nobody's piece"


def test_a_piece_that_no_chapter_names_is_no_link():
    assert '<span class="mask dim" title="the mask">' in line("chapters/04_b")


def test_a_chapter_about_the_whole_lights_all_of_it():
    shown = line("chapters/12_d")
    assert " dim" not in shown and 'class="dim"' not in shown
    assert shown.count(" lit") == 6


def test_other_pages_have_no_map():
    assert line("chapters/notation") == ""


def test_every_chapter_of_the_book_names_its_pieces():
    book = formula_map.read(ROOT)
    assert book["chapters/04_softmax"] == ("softmax",)
    assert all(
        pieces and set(pieces) <= set(skeleton.PIECES) for pieces in book.values()
    )


@pytest.mark.parametrize("given", ["", "  formula: [wheel]\n"])
def test_the_skeleton_asks_for_the_pieces(given):
    path = ROOT / "chapters" / "04_softmax.md"
    text = path.read_text("utf-8").replace("  formula: [softmax]\n", given)
    assert any("formula lists pieces" in said for said in skeleton.problems(path, text))

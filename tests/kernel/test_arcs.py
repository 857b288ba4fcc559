"""Arcs over a sentence: as thick as the weights, and alive without a script."""

import re

import numpy as np
import pytest

from attnbook.arcs import arcs

WORDS = ("one", "two", "three")
WEIGHTS = np.array([[0.5, 0.3, 0.2], [0.0, 1.0, 0.0], [0.25, 0.25, 0.5]])


def test_an_arc_is_as_thick_as_its_weight():
    html = arcs(WORDS, WEIGHTS)._repr_html_()
    groups = re.findall(r"<g>(.*?)</g>", html)
    assert len(groups) == 3
    thick = [float(w) for w in re.findall(r'stroke-width="([\d.]+)"', groups[0])]
    assert thick == sorted(thick) == [4.0, 6.0, 10.0]


def test_a_weight_of_zero_leaves_a_hair():
    groups = re.findall(r"<g>(.*?)</g>", arcs(WORDS, WEIGHTS).html)
    thick = [float(w) for w in re.findall(r'stroke-width="([\d.]+)"', groups[1])]
    assert thick == [0.8, 0.8, 20.0]


def test_the_asking_word_is_checked_and_the_shares_stand_below():
    html = arcs(WORDS, WEIGHTS, row=2, shown=("One", "two,", "three.")).html
    assert re.findall(r'id="[^"]*-(\d)" aria-label="(\w+)" checked', html) == [
        ("2", "three")
    ]
    assert re.findall(r"<span>(\d+%)</span>", html)[:3] == ["50%", "0%", "25%"]
    assert "two,<small>" in html


def test_two_sentences_on_a_page_have_names_of_their_own():
    names = [
        set(re.findall(r'name="([^"]+)"', arcs(WORDS, WEIGHTS).html)) for _ in range(2)
    ]
    assert len(names[0]) == len(names[1]) == 1 and names[0] != names[1]


def test_it_is_said_in_words_too():
    drawn = arcs(WORDS, WEIGHTS)
    assert repr(drawn) == "one looks at one 50%, two 30%, three 20%"
    assert f'aria-label="Who asks? {drawn!r}"' in drawn.html


@pytest.mark.parametrize(
    ("weights", "row", "rule"),
    [
        (WEIGHTS[:2], 0, r"3 words need weights \(3, 3\), got \(2, 3\)"),
        (WEIGHTS * 2, 0, "rows of weights sum to 1"),
        (WEIGHTS, 3, "row is one of 0 to 2, got 3"),
    ],
)
def test_bad_input_is_refused(weights, row, rule):
    with pytest.raises(ValueError, match=rule):
        arcs(WORDS, weights, row=row)

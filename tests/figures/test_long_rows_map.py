"""LongRowsMap: both languages, the map against draws, and what it is there to show."""

import itertools

import numpy as np
import pytest

from attnbook.kernel import softmax
from attnbook.stats import effective_keys
from attnbook.widgets import LongRowsMap
from attnbook.widgets.base import load_spec
from attnbook.widgets.figures.long_rows_map.figure import (
    TOP,
    between,
    largest_table,
    measured_largest,
)
from twins import differences, javascript

CONSTANTS = load_spec("long_rows_map")["constants"]
LENGTHS, DEVIATIONS = CONSTANTS["lengths"], CONSTANTS["deviations"]
TABLE = np.array(CONSTANTS["largest"])
GRID = {
    "n_keys": (2, 3, 12, 13, 512, 8191, 8192),
    "deviation": (0, 0.1, 1, 4.2, 8),
    "seed": (0, 9999),
}


def test_both_languages_agree():
    states = [
        dict(zip(GRID, v, strict=True)) for v in itertools.product(*GRID.values())
    ]
    answers = javascript("long_rows_map", states)
    for state, answer in zip(states, answers, strict=True):
        assert differences(LongRowsMap, state, answer, ["ranked", "top"]) == []


def test_a_state_reached_by_steps_is_that_state():
    """Scores are kept from move to move: whatever came before must not show."""
    steps = [(512, 3), (8, 3), (8, 4), (512, 4)]
    made = [{"n_keys": n, "seed": seed, "deviation": 1.0} for n, seed in steps]
    for state, answer in zip(made, javascript("long_rows_map", made), strict=True):
        assert differences(LongRowsMap, state, answer, ["ranked"]) == []


# --- the map --------------------------------------------------------------------------


def test_the_whole_map_is_what_the_draws_give():
    np.testing.assert_allclose(largest_table(), TABLE, atol=1e-4)


def test_the_map_has_a_cell_for_each_length_and_deviation():
    assert TABLE.shape == (len(DEVIATIONS), len(LENGTHS))
    assert load_spec("long_rows_map")["state"]["n_keys"]["stops"] == LENGTHS


@pytest.mark.parametrize("n", [2, 64, 2048])
@pytest.mark.parametrize("deviation", [0.5, 2.0, 5.0])
def test_other_draws_give_the_same_map(n, deviation):
    """NumPy's own normal numbers, one row after another: no matter of the stream."""
    rng = np.random.default_rng(1)
    largest = []
    for _ in range(400):
        powers = np.exp(deviation * rng.standard_normal(n))
        largest.append(powers.max() / powers.sum())
    room = 5 * np.std(largest) * np.sqrt(1 / 200 + 1 / 400)
    assert abs(np.mean(largest) - measured_largest(n, deviation)) < room


def test_two_keys_can_be_integrated():
    """The difference of two scores is normal with deviation s times the root of 2."""
    z = np.linspace(-9, 9, 20001)
    odds = np.exp(-(z**2) / 2)
    exact = (odds / (1 + np.exp(-np.abs(3.0 * np.sqrt(2) * z)))).sum() / odds.sum()
    assert measured_largest(2, 3.0) == pytest.approx(exact, abs=0.05)


def test_between_the_cells_the_map_goes_from_one_to_the_next():
    ends = [LongRowsMap(n_keys=n).mean_largest() for n in (512, 1024)]
    share = np.log(700 / 512) / np.log(2)
    middle = LongRowsMap(n_keys=700).mean_largest()
    assert middle == pytest.approx(ends[0] + share * (ends[1] - ends[0]))
    low, high = (LongRowsMap(deviation=s).mean_largest() for s in (1.0, 1.25))
    part = LongRowsMap(deviation=1.1).mean_largest()
    assert part == pytest.approx(low + 0.4 * (high - low))
    assert between([2, 4, 8], 8) == (2, 2, 0.0)


# --- what it is there to show ---------------------------------------------------------


def test_at_one_deviation_a_longer_row_is_flatter():
    for row in TABLE[DEVIATIONS.index(0.25) : DEVIATIONS.index(4.0) + 1]:
        assert (np.diff(row) < 0).all()
    at_one = TABLE[DEVIATIONS.index(1.0)]
    np.testing.assert_allclose(at_one[[2, 12]], [0.344, 0.0035], atol=5e-4)


def test_more_deviation_is_sharper_at_every_length():
    assert (np.diff(TABLE, axis=0) >= 0).all()


def test_the_line_of_freezing_is_soft_at_these_lengths():
    on_it = LongRowsMap(n_keys=8192, deviation=4.2).values()
    assert 0.3 < on_it["mean_largest"] < 0.45
    assert LongRowsMap(n_keys=8192, deviation=8.0).values()["mean_largest"] < 0.75


def test_the_row_is_one_draw_of_what_the_map_averages():
    """Over many seeds, the largest weights average to the map's."""
    seen = [LongRowsMap(seed=seed).values()["largest"] for seed in range(200)]
    room = 5 * np.std(seen) * np.sqrt(2 / 200)
    assert abs(np.mean(seen) - LongRowsMap().mean_largest()) < room


def test_the_bars_hold_what_the_row_holds():
    figure = LongRowsMap(deviation=2.0)
    values = figure.values()
    assert figure.top.size == TOP
    assert figure.top.sum() + values["rest"] == pytest.approx(1)
    assert (np.diff(figure.ranked) <= 0).all()
    assert values["effective_keys"] == pytest.approx(effective_keys(figure.ranked))
    assert LongRowsMap(n_keys=8).values()["rest"] == 0
    np.testing.assert_allclose(LongRowsMap(deviation=0).ranked, softmax(np.zeros(512)))


@pytest.mark.parametrize("state", [{}, {"n_keys": 2}, {"n_keys": 8192, "deviation": 8}])
def test_the_still_picture_is_small_and_says_its_sentence(state):
    figure = LongRowsMap(id="rows", **state)
    html = figure.html()
    assert len(html) < 5_000
    assert html.count(figure.sentence()) == 2
    assert "nan" not in html

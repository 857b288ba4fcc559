"""VarianceExplorer: both languages, the four kinds of entries, and the histogram."""

import itertools

import numpy as np
import pytest

from attnbook.widgets import VarianceExplorer
from attnbook.widgets.figures.variance_explorer.figure import draw_entries
from attnbook.widgets.histogram import bins_for, density, normal_density
from twins import differences, javascript

ENTRIES = ("normal", "coin", "uniform", "sparse")
DEFAULTS = VarianceExplorer().state


def states():
    """Return all corners, widths between the stops, and other seeds."""
    grid = {
        "d_k": (1, 5, 64, 1024),
        "entries": ENTRIES,
        "divide_by": ("sqrt_d_k", "d_k", "nothing"),
        "n_pairs": (100, 1000),
        "seed": (0,),
    }
    made = [dict(zip(grid, v, strict=True)) for v in itertools.product(*grid.values())]
    made.append({**DEFAULTS, "d_k": 1000, "n_pairs": 333, "seed": 9999})
    return made


@pytest.fixture(scope="module")
def answers():
    made = states()
    return list(zip(made, javascript("variance_explorer", made), strict=True))


def test_javascript_and_python_agree(answers):
    arrays = ("products", "divided")
    for state, answer in answers:
        assert differences(VarianceExplorer, state, answer, arrays) == []


def test_the_histogram_is_the_same_in_both(answers):
    for state, answer in answers:
        figure = VarianceExplorer(**state)
        theirs = answer["after"]
        assert figure.bins == pytest.approx(list(theirs["bins"].values())), state
        heights = density(figure.divided, figure.bins)
        np.testing.assert_allclose(heights, theirs["density"], err_msg=str(state))
        curve = theirs["curve"]
        bell = normal_density(curve["x"], figure.values()["theory"])
        np.testing.assert_allclose(curve["y"], bell, atol=1e-12)


def test_a_width_reached_by_steps_is_that_width():
    """Caches serve many states: whatever came before must not show."""
    widths = [64, 100, 96, 1024, 7, 64]
    asked = [{**DEFAULTS, "d_k": d} for d in widths]
    for state, answer in zip(
        asked, javascript("variance_explorer", asked), strict=True
    ):
        assert differences(VarianceExplorer, state, answer, ["products"]) == []


@pytest.mark.parametrize("entries", ENTRIES)
def test_entries_have_mean_0_and_variance_1(entries):
    x = draw_entries(entries, 1, 0, 1000, 400)
    fourth = {"normal": 3, "coin": 1, "uniform": 9 / 5, "sparse": 9}[entries]
    n = x.size
    assert abs(x.mean()) < 5 / np.sqrt(n)
    assert abs((x**2).mean() - 1) < 5 * np.sqrt((fourth - 1) / n) + 1e-12
    assert abs((x**4).mean() / fourth - 1) < 0.02


@pytest.mark.parametrize("entries", ENTRIES)
@pytest.mark.parametrize("d", [1, 16, 256])
def test_the_theorem_holds_whatever_the_entries(entries, d):
    """Over 40 draws the mean square of q·k is d, within five standard errors."""
    squares = [
        np.mean(VarianceExplorer(d_k=d, entries=entries, seed=s).products ** 2) / d
        for s in range(40)
    ]
    error = np.std(squares, ddof=1) / np.sqrt(len(squares))
    assert abs(np.mean(squares) - 1) < 5 * error + 1e-12
    assert error < 0.08


def test_no_pair_occurs_twice():
    for n in (100, 333, 1000):
        Q, K = VarianceExplorer(d_k=64, n_pairs=n).queries_and_keys
        assert len(np.unique(np.hstack([Q, K]), axis=0)) == n


def test_the_numbers_are_those_of_the_products():
    """At d_k = 16 coins land on both limits, 8 and 4, which are not beyond them."""
    values = VarianceExplorer(d_k=16, divide_by="nothing", entries="coin").values()
    x = VarianceExplorer(d_k=16, entries="coin").products
    assert {4, 8} <= set(x)
    assert values["raw_deviation"] == pytest.approx(x.std())
    assert values["deviation"] == values["raw_deviation"]
    assert values["beyond"] == np.mean(abs(x) > 8)
    assert values["outside"] == np.mean(abs(x) > 4)
    assert values["n_values"] == len(set(x)) <= 17
    assert VarianceExplorer(d_k=16, divide_by="d_k").values()["theory"] == 1 / 4


# --- bins ---------------------------------------------------------------------------


@pytest.mark.parametrize("step", [0, 0.03, 0.07, 0.2, 0.25, 1, 2, 9])
@pytest.mark.parametrize("between", [False, True])
def test_bins_are_symmetric_and_share_the_lattice_evenly(step, between):
    bins = bins_for(4, 0.2, step=step, between=between)
    assert bins.low == pytest.approx(-(bins.low + bins.count * bins.width))
    assert bins.bar <= bins.width + 1e-12 and bins.bar <= 0.2 + 1e-12
    if not step:
        return
    points = step * (np.arange(-400, 401) + between / 2)
    inside = points[np.abs(points) < bins.count * bins.width / 2 - 1e-9]
    counts = density(inside, bins) * inside.size * bins.per
    assert len(set(np.round(counts, 6))) == 1
    assert round(counts[0]) % 2 == 1


def test_heights_are_shares_for_each_unit():
    bins = bins_for(4, 0.2)
    heights = density([0.1, 0.1, -3.9, 5], bins)
    assert heights[20] == pytest.approx(2 / 4 / 0.2)
    assert heights.sum() * 0.2 == pytest.approx(3 / 4)
    apart = bins_for(4, 0.2, step=9)
    assert density([0, 0, 9], apart)[0] == pytest.approx(2 / 3 / 9)


@pytest.mark.parametrize("entries", ENTRIES)
@pytest.mark.parametrize("divide_by", ["sqrt_d_k", "d_k"])
def test_heights_times_widths_are_shares_and_a_needle_has_more_than_one_bar(
    entries, divide_by
):
    figure = VarianceExplorer(d_k=512, entries=entries, divide_by=divide_by)
    heights = density(figure.divided, figure.bins)
    inside = np.mean(np.abs(figure.divided) < 4)
    assert heights.sum() * figure.bins.width == pytest.approx(inside)
    assert np.count_nonzero(heights) > 8


def test_a_coin_on_one_column_makes_two_spikes():
    figure = VarianceExplorer(d_k=1, entries="coin")
    heights = density(figure.divided, figure.bins)
    low, width, _, bar, _ = figure.bins
    middles = low + (np.flatnonzero(heights) + 0.5) * width
    assert sorted(middles) == [-1, 1] and bar < width


# --- the still picture --------------------------------------------------------------


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"entries": "sparse", "d_k": 1, "n_pairs": 100},
        {"divide_by": "d_k", "d_k": 1024},
        {"divide_by": "nothing", "d_k": 1024, "entries": "sparse"},
    ],
)
def test_the_still_picture_is_small_and_says_its_sentence(state):
    figure = VarianceExplorer(id="variance", **state)
    html = figure.html()
    assert html == VarianceExplorer(id="variance", **state).html()
    assert len(html) < 6_000
    assert html.count(figure.sentence()) == 2
    assert "nan" not in html and "inf" not in html.lower()
    assert ">−4<" in html and "currentColor" in html

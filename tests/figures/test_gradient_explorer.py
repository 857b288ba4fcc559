"""GradientExplorer: both languages, the rows against real attention, and its story."""

import itertools

import numpy as np
import pytest

import attnbook as ab
from attnbook.widgets import GradientExplorer
from attnbook.widgets.figures.gradient_explorer.figure import (
    BINS,
    heights,
    query_gradients,
)
from twins import differences, javascript

DEFAULTS = GradientExplorer().state
ARRAYS = ("raw_digits", "scaled_digits")
GRID = {"n_keys": (2, 7, 512), "d_k": (1, 2, 64, 512), "seed": (37, 9999)}


@pytest.fixture(scope="module")
def answers():
    made = [dict(zip(GRID, v, strict=True)) for v in itertools.product(*GRID.values())]
    return list(zip(made, javascript("gradient_explorer", made), strict=True))


def test_javascript_and_python_agree(answers):
    """The lengths are compared as powers of ten, so that small ones count as well."""
    for state, answer in answers:
        assert differences(GradientExplorer, state, answer, ARRAYS) == []


def test_the_histograms_are_the_same_in_both(answers):
    for state, answer in answers:
        figure = GradientExplorer(**state)
        for name in ("raw", "scaled"):
            ours = heights(getattr(figure, f"{name}_digits"))
            np.testing.assert_allclose(answer[name], ours, err_msg=str(state))
            assert ours.sum() == pytest.approx(1)


def test_a_state_reached_by_steps_is_that_state():
    """Numbers are drawn as they are needed: whatever came before must not show."""
    steps = [(8, 64, 1), (512, 64, 1), (8, 512, 1), (4, 8, 2), (512, 512, 2)]
    asked = [dict(zip(GRID, step, strict=True)) for step in steps]
    for state, answer in zip(
        asked, javascript("gradient_explorer", asked), strict=True
    ):
        assert differences(GradientExplorer, state, answer, ARRAYS) == []


# --- the numbers are those of attention ---------------------------------------------


def from_whole_keys(n, d, scale, rows=2000, d_v=8):
    """Return lengths and keys heard with keys, values and the kernel's own gradient."""
    rng = np.random.default_rng(8)
    q, K = rng.standard_normal((rows, 1, d)), rng.standard_normal((rows, n, d))
    V, dO = rng.standard_normal((rows, n, d_v)), rng.standard_normal((rows, 1, d_v))
    got = ab.attention_backward(q, K, V, dO=dO, scale=scale)
    lengths = np.linalg.norm(got.dQ, axis=-1) / np.linalg.norm(dO, axis=-1)
    P = ab.attention_weights(q, K, scale=scale)
    dP = dO @ V.swapaxes(-1, -2)
    dS = np.abs(P * (dP - (P * dP).sum(axis=-1, keepdims=True)))[:, 0]
    return lengths[:, 0], ab.effective_keys(dS / dS.sum(axis=-1, keepdims=True))


@pytest.mark.parametrize("factor", [False, True])
@pytest.mark.parametrize(("n", "d"), [(2, 1), (8, 64), (64, 16)])
def test_rows_without_keys_are_as_rows_with_keys(n, d, factor):
    """Shares of rows below a bound agree, within five standard errors."""
    scale = d**-0.5 if factor else 1.0
    theirs = from_whole_keys(n, d, scale)
    ours = query_gradients(3, n, d, scale, rows=2000)
    for a, b in zip(theirs, ours, strict=True):
        for quantile in (0.1, 0.3, 0.5, 0.7, 0.9):
            bound = np.quantile(a, quantile) * (1 + 1e-6)  # two keys tie at 2 heard
            room = 5 * np.sqrt(2 * quantile * (1 - quantile) / 2000)
            gap = np.mean(b <= bound) - np.mean(a <= bound)
            assert abs(gap) < room, (n, d, quantile)


def test_two_keys_by_hand():
    """One row: dq = scale p (1 - p) (g_1 - g_2) (k_1 - k_2), with keys written out."""
    n, d, scale = 2, 3, 1.0
    found = query_gradients(5, n, d, scale, rows=4)
    draw = [ab.toydata.normals(5, s, 4, c) for s, c in enumerate((d, n, n, d - 1))]
    for row, (q, x, g, rest) in enumerate(zip(*draw, strict=True)):
        p = 1 / (1 + np.exp(-scale * np.linalg.norm(q) * (x[0] - x[1])))
        pull = p * (1 - p) * (g[0] - g[1])
        # Along q the keys differ by x[0] - x[1], across it by sqrt(2) times `rest`.
        apart = np.hypot(x[0] - x[1], np.sqrt(2) * np.linalg.norm(rest))
        assert found.lengths[row] == pytest.approx(scale * abs(pull) * apart)
        assert found.heard[row] == pytest.approx(2)


def test_equal_weights_hear_two_thirds_of_the_keys():
    """With a scale of 0 dS is g - mean g: (E|g|)^2 / E g^2 is 2 / pi of the keys."""
    heard = query_gradients(1, 512, 8, 0.0).heard
    error = heard.std() / np.sqrt(len(heard))
    assert abs(heard.mean() - 512 * 2 / np.pi) < 5 * error


# --- what it is there to show -------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_the_story_is_no_matter_of_the_draw(seed):
    usual = GradientExplorer(seed=seed).values()
    assert usual["ratio"] > 10 and usual["raw_heard"] < 4 < 100 < usual["scaled_heard"]
    few = GradientExplorer(n_keys=8, seed=seed).values()
    assert 0.3 < few["ratio"] < 1.5
    wide = GradientExplorer(n_keys=8, d_k=512, seed=seed).values()
    assert wide["raw_median"] < 0.01 < 0.5 < wide["raw_mean"]


def test_what_is_too_short_is_in_the_first_bin():
    figure = GradientExplorer(n_keys=2, d_k=512)
    values = figure.values()
    first, rest = heights(figure.raw_digits)[0], heights(figure.raw_digits)[1:]
    assert first == pytest.approx(values["below"]) and first > 0.5
    assert figure.raw_digits.min() < BINS.low < BINS.low + BINS.width == -6
    assert rest.sum() == pytest.approx(1 - first)


def test_nothing_leaves_the_axis():
    end = BINS.low + BINS.width * BINS.count
    for n, d in itertools.product((2, 8, 512), (1, 64, 512)):
        figure = GradientExplorer(n_keys=n, d_k=d)
        assert max(figure.raw_digits.max(), figure.scaled_digits.max()) < end
        assert np.isfinite(figure.raw_digits).all()


@pytest.mark.parametrize("state", [{}, {"n_keys": 2, "d_k": 512}, {"d_k": 1}])
def test_the_still_picture_is_small_and_says_its_sentence(state):
    figure = GradientExplorer(id="gradients", **state)
    html = figure.html()
    assert html == GradientExplorer(id="gradients", **state).html()
    assert len(html) < 6_000
    assert html.count(figure.sentence()) == 2
    assert "nan" not in html and "currentColor" in html

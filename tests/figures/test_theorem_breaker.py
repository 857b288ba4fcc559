"""TheoremBreaker: both languages, and its theory against sums and draws."""

import itertools

import numpy as np
import pytest

from attnbook.kernel import attention_weights
from attnbook.widgets import TheoremBreaker
from attnbook.widgets.figures.theorem_breaker.figure import correlated, score_variances
from twins import differences, javascript

DEFAULTS = TheoremBreaker().state
ARRAYS = ("scores", "weights", "from_all", "from_row")


def states():
    """Return the corners of all ranges (a part of them), and a few states between."""
    ends = {
        "d_k": (1, 512),
        "mu_q": (-3, 3),
        "mu_k": (-3, 3),
        "rho": (0, 1),
        "correlated": ("both", "queries", "keys"),
        "variance": (0.25, 4),
        "shared": (False, True),
    }
    grid = [dict(zip(ends, v, strict=True)) for v in itertools.product(*ends.values())]
    chosen = np.random.default_rng(0).permutation(len(grid))[:60]
    made = [{**DEFAULTS, **grid[k], "seed": int(k) % 3} for k in chosen]
    between = {"d_k": 100, "mu_q": 0.7, "mu_k": -1.2, "rho": 0.35, "variance": 0.5}
    for side, shared in itertools.product(ends["correlated"], ends["shared"]):
        made.append({**DEFAULTS, **between, "correlated": side, "shared": shared})
    return made


@pytest.fixture(scope="module")
def answers():
    made = states()
    return list(zip(made, javascript("theorem_breaker", made), strict=True))


def test_javascript_and_python_agree(answers):
    for state, answer in answers:
        assert differences(TheoremBreaker, state, answer, ARRAYS) == []


def test_heights_are_those_of_the_shown_distances(answers):
    for state, answer in answers[::7]:
        for name, of in (("all", "from_all"), ("row", "from_row")):
            bins, part = answer[name]["bins"], answer[name]
            edges = bins["low"] + bins["width"] * np.arange(bins["count"] + 1)
            heights, _ = np.histogram(answer[of], edges)
            heights = heights / 4096 / bins["width"]
            np.testing.assert_allclose(
                part["density"], heights, atol=0.01 * max(heights), err_msg=str(state)
            )
            assert (part["own"] is not None) == state["shared"]
            if state["shared"]:
                diagonal = np.reshape(answer[of], (64, 64)).diagonal()
                inside = np.histogram(diagonal, edges)[0].sum() / 4096
                own = np.array(part["own"]).sum() * bins["width"]
                assert own == pytest.approx(inside, abs=0.0005)
            beyond = np.mean(np.abs(answer[of]) > 12)
            assert part["beyond"] == pytest.approx(beyond, abs=0.001)


# --- theory -------------------------------------------------------------------------


def test_the_variances_of_a_hand_made_case():
    """Two entries, each +-1 around its mean: all cases counted."""
    signs = np.array(list(itertools.product([-1, 1], repeat=2)))
    equal = np.array([[-1, -1], [1, 1]])
    Q, K = signs * 2.0 + np.array([1, 3]), equal + np.array([-1, 2])
    scores = Q @ K.T
    total, in_row = score_variances([1, 3], 4 * np.eye(2), [-1, 2], np.ones((2, 2)))
    assert total == pytest.approx(scores.var())
    assert in_row == pytest.approx(scores.var(axis=1).mean())


CASES = [
    {"mu_q": 1.0, "mu_k": 1.0},
    {"mu_q": 0.0, "mu_k": 2.0},
    {"mu_q": 2.0, "mu_k": 0.0, "rho": 0.3, "correlated": "keys"},
    {"mu_q": -1.0, "mu_k": 1.0, "rho": 0.6, "correlated": "queries", "variance": 0.5},
    {"mu_q": 0.0, "mu_k": 0.0, "rho": 0.5, "variance": 2.0},
    {"mu_q": 0.5, "rho": 0.4, "shared": True},
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_theory_is_what_fresh_draws_give(case):
    """Both variances from 100,000 queries with two keys each, five standard errors."""
    figure = TheoremBreaker(d_k=8, **case)
    (mu_q, rho_q), (mu_k, rho_k) = figure._sides
    rng, n, v = np.random.default_rng(7), 100_000, figure.variance

    def fresh(mu, rho):
        white, common = rng.normal(size=(n, 8)), rng.normal(size=(n, 1))
        return correlated(white, common, mu, rho, v)

    q, k, other = fresh(mu_q, rho_q), fresh(mu_k, rho_k), fresh(mu_k, rho_k)
    first, second = ((q * x).sum(axis=1) / np.sqrt(8) for x in (k, other))
    total, in_row = figure.theory()
    squares = (first - mu_q * mu_k * np.sqrt(8)) ** 2
    assert abs(squares.mean() - total) < 5 * squares.std() / np.sqrt(n)
    halves = (first - second) ** 2 / 2
    assert abs(halves.mean() - in_row) < 5 * halves.std() / np.sqrt(n)
    if figure.shared:
        leads = ((q * q).sum(axis=1) - (q * k).sum(axis=1)) / np.sqrt(8)
        lead = figure.values()["lead_theory"]
        assert abs(leads.mean() - lead) < 5 * leads.std() / np.sqrt(n)


@pytest.mark.parametrize("mu_q", [0.0, 1.5])
@pytest.mark.parametrize("mu_k", [0.0, 1.0])
def test_theory_of_white_entries_is_the_formula_of_the_chapter(mu_q, mu_k):
    theory = TheoremBreaker(mu_q=mu_q, mu_k=mu_k).theory()
    assert theory == pytest.approx((1 + mu_q**2 + mu_k**2, 1 + mu_q**2))


def test_one_white_side_keeps_the_variance():
    for side in ("queries", "keys"):
        one = TheoremBreaker(mu_k=0, rho=0.9, correlated=side, d_k=256)
        assert one.theory() == pytest.approx((1, 1))
    assert TheoremBreaker(mu_k=0, rho=1.0, d_k=256).theory()[0] == pytest.approx(256)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_measured_variances_are_near_theory(case):
    """Over 30 draws; what is measured on 64 vectors has no bias to speak of."""
    drawn = [TheoremBreaker(d_k=16, seed=s, **case).values() for s in range(30)]
    for name in ("total", "row"):
        ratios = [v[f"{name}_variance"] / v[f"{name}_theory"] for v in drawn]
        error = np.std(ratios, ddof=1) / np.sqrt(len(ratios))
        assert abs(np.mean(ratios) - 1) < 5 * error + 0.02


# --- what the figure is there to show ------------------------------------------------


def test_a_mean_of_the_keys_changes_no_weight_and_one_of_the_queries_does():
    base = TheoremBreaker(mu_k=0).weights
    np.testing.assert_allclose(TheoremBreaker(mu_k=3).weights, base, atol=1e-12)
    assert np.abs(TheoremBreaker(mu_k=0, mu_q=3).weights - base).max() > 0.5


def test_arrays_follow_the_state():
    figure = TheoremBreaker(d_k=8, mu_q=1, rho=0.5, seed=3)
    Q, K = figure.queries_and_keys
    np.testing.assert_allclose(figure.scores, Q @ K.T / np.sqrt(8))
    np.testing.assert_allclose(figure.weights, attention_weights(Q, K))
    np.testing.assert_allclose(figure.from_row.mean(axis=1), 0, atol=1e-12)
    assert figure.from_all.mean() == pytest.approx(0, abs=1e-12)
    figure.shared = True
    Q, K = figure.queries_and_keys
    np.testing.assert_array_equal(Q, K)


def test_with_one_projection_the_own_score_is_left_out_of_the_variances():
    figure = TheoremBreaker(mu_k=0, shared=True)
    scores, n = figure.scores, 64
    rest = scores[~np.eye(n, dtype=bool)].reshape(n, n - 1)
    values = figure.values()
    assert values["total_variance"] == pytest.approx(rest.var(ddof=1))
    in_row = rest.var(axis=1, ddof=1).mean()
    assert values["row_variance"] == pytest.approx(in_row)
    lead = np.mean(np.diag(scores) - rest.mean(axis=1))
    assert values["lead"] == pytest.approx(lead)
    assert figure.sentence().startswith("With q = k")


@pytest.mark.parametrize("view", ["from_all", "from_row", "weights"])
def test_the_still_picture_shows_the_view(view):
    figure = TheoremBreaker(id="breaker", view=view)
    html = figure.html()
    assert len(html) < 22_000
    assert html.count(figure.sentence()) == 2
    pictures = {TheoremBreaker(view=v).picture("") for v in ("from_all", view)}
    assert len(pictures) == (1 if view == "from_all" else 2)

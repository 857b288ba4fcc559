"""CostCalculator: both languages, and its numbers against the kernel's own cost."""

import itertools

import numpy as np
import pytest

from attnbook.meter import count_layer
from attnbook.widgets import CostCalculator
from attnbook.widgets.figures.cost_calculator.figure import GROUP, LENGTHS, WINDOW
from twins import differences, javascript

DEFAULTS = CostCalculator().state
ARRAYS = ("product_shares", "projection_shares", "forward_shares")
ARRAYS += ("score_bytes", "cache_bytes", "weight_bytes")
REMEDIES = ("none", "shared", "window", "tiled")
LLAMA = {"n_heads": 32, "d_head": 128, "n_layers": 32}
GPT3 = {"n_heads": 96, "d_head": 128, "n_layers": 96}


def states():
    """Return all corners, with every phase and remedy, and some states between."""
    ends = {
        "n": (128, 2**20),
        "n_heads": (1, 128),
        "d_head": (8, 256),
        "n_layers": (1, 128),
        "batch": (1, 512),
        "phase": ("prefill", "decode"),
        "remedy": REMEDIES,
    }
    grid = [dict(zip(ends, v, strict=True)) for v in itertools.product(*ends.values())]
    between = {**LLAMA, "n": 5000, "n_heads": 25, "d_head": 100, "batch": 3}
    choices = itertools.product(ends["phase"], ends["remedy"])
    grid += [{**between, "phase": p, "remedy": r} for p, r in choices]
    return [{**DEFAULTS, **state} for state in grid]


def test_javascript_and_python_agree():
    made = states()
    answers = javascript("cost_calculator", made)
    for state, answer in zip(made, answers, strict=True):
        assert differences(CostCalculator, state, answer, ARRAYS) == []


# --- the numbers


@pytest.mark.parametrize("shape", [(12, 64, 12), (32, 128, 32), (96, 128, 96)], ids=str)
@pytest.mark.parametrize("n", [512, 2048, 100_000])
def test_the_work_is_that_of_the_formulas(shape, n):
    heads, width, layers = shape
    figure = CostCalculator(n=n, n_heads=heads, d_head=width, n_layers=layers)
    d, layer, values = heads * width, figure.layer, figure.values()
    assert layer.projections == 8 * n * d * d
    assert layer.forward == 16 * n * d * d
    assert layer.products == 4 * n * n * d
    assert values["share"] == pytest.approx(n / (n + 6 * d))
    assert values["block_share"] == pytest.approx(n / (n + 2 * d))
    assert (values["n_half"], values["n_block"]) == (6 * d, 2 * d)
    assert layer.weights == layers * 12 * d * d * 2
    assert layer.cache == layers * 2 * n * d * 2
    assert layer.scores == heads * n * n * 2


def test_the_work_is_what_the_instrumented_kernel_does():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2, 128, 32), dtype=np.float32)
    weights = rng.standard_normal((4, 32, 32), dtype=np.float32)
    _, counted, _ = count_layer(X, *weights, n_heads=4)
    layer = CostCalculator(n=128, n_heads=4, d_head=8, n_layers=1, batch=2).layer
    assert layer.projections == counted.projections.flops
    assert layer.products == counted.products.flops
    assert layer.scores * 2 == counted.scores.bytes  # half precision
    assert layer.cache * 2 == counted.cache.bytes


def test_the_crossings_are_crossings():
    for remedy in ("none", "shared", "tiled"):
        values = CostCalculator(**LLAMA, n=4096, remedy=remedy).values()
        half = CostCalculator(**LLAMA, n=values["n_half"], remedy=remedy)
        block = CostCalculator(**LLAMA, n=values["n_block"], remedy=remedy)
        assert half.values()["share"] == 0.5
        assert block.values()["block_share"] == 0.5
    shared = CostCalculator(**LLAMA, remedy="shared").values()
    assert shared["n_half"] == 5 * 4096 + 512


def test_the_share_of_the_largest_model_of_the_chapter():
    values = CostCalculator(**GPT3, n=2048).values()
    assert round(100 * values["share"], 1) == 2.7
    assert round(100 * values["block_share"], 1) == 7.7


def test_one_new_token_has_the_same_shares_and_waits_for_memory():
    prefill, decode = (
        CostCalculator(**LLAMA, n=4096, phase=p).values() for p in ("prefill", "decode")
    )
    assert decode["share"] == pytest.approx(prefill["share"])
    assert prefill["intensity"] > 2 * prefill["ridge"]
    assert decode["intensity"] < 1.1 < decode["ridge"] / 100
    assert decode["n_q"] == 1 and decode["cache_amount"] == prefill["cache_amount"]


def test_what_is_moved_by_hand():
    """One layer, one head of width 8, one token that asks 128."""
    figure = CostCalculator(n=128, n_heads=1, d_head=8, n_layers=1, phase="decode")
    flops = 24 * 64 + 4 * 128 * 8
    weights, cache, scores, rows = 12 * 64, 2 * 128 * 8, 4 * 128, 18 * 8
    moved = 2 * (weights + cache + scores + rows)
    assert figure.values()["intensity"] == pytest.approx(flops / moved)
    figure.remedy = "tiled"  # no score is moved
    moved = 2 * (weights + cache + rows)
    assert figure.values()["intensity"] == pytest.approx(flops / moved)


# --- the remedies: each lowers its own number


def measured(remedy, **state):
    return CostCalculator(**{**LLAMA, "n": 131072, "remedy": remedy, **state}).values()


def test_tiles_lower_the_scores_and_nothing_else():
    none, tiled = measured("none"), CostCalculator(**LLAMA, n=131072, remedy="tiled")
    assert tiled.layer.scores == 32 * 128 * 128 * 2
    assert tiled.values()["share"] == none["share"]
    assert tiled.values()["cache_amount"] == none["cache_amount"]
    assert tiled.values()["intensity"] > 5 * none["intensity"]


def test_a_window_lowers_the_share():
    window = measured("window")
    assert window["n_seen"] == WINDOW == 1024
    assert window["share"] == measured("none", n=1024)["share"] == window["share_limit"]
    assert measured("window", n=512)["n_seen"] == 512


def test_sharing_lowers_the_cache():
    none, shared = measured("none", phase="decode"), measured("shared", phase="decode")
    assert shared["n_kv_heads"] == 4
    assert none["cache_amount"] == GROUP * shared["cache_amount"]
    assert none["score_amount"] == shared["score_amount"]
    assert measured("shared", n_heads=12)["n_kv_heads"] == 3  # groups of four
    assert measured("shared", n_heads=25)["n_kv_heads"] == 25


def test_doubling_the_width_doubles_the_heads():
    before, after = (
        CostCalculator(n=n, n_heads=h, d_head=128, n_layers=1).layer
        for n, h in ((4096, 32), (8192, 64))
    )
    assert after.scores == 8 * before.scores
    same = CostCalculator(n=8192, n_heads=32, d_head=128, n_layers=1).layer
    assert same.products == 4 * before.products
    assert round(same.work / before.work, 2) == 2.29


# --- the still picture


def test_the_picture_follows_the_state():
    figure = CostCalculator(id="cost")
    html = figure.html()
    assert len(html) < 6000
    assert html.count(figure.sentence()) == 2
    assert figure.picture("") != CostCalculator(n=4096).picture("")
    assert figure.picture("") != CostCalculator(remedy="window").picture("")
    half = 'cy="112"'  # in the middle between 0 at 210 and 1 at 15
    assert half in CostCalculator(n=6 * 768).picture("")
    assert half not in figure.picture("")


def test_curves_are_those_of_single_lengths():
    figure = CostCalculator(**LLAMA, n=16384)
    at = LENGTHS.index(16384)
    assert figure.product_shares[at] == figure.values()["share"]
    assert figure.score_bytes[at] == figure.layer.scores
    total = figure.product_shares + figure.projection_shares + figure.forward_shares
    np.testing.assert_allclose(total, 1)

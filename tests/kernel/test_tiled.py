import itertools
import math
import os
import re
import sys
import threading
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import draws
import oracle
from attnbook import tiled
from attnbook.heads import grouped_attention
from attnbook.kernel import _Call, attention, attention_weights, logsumexp
from attnbook.masks import causal_mask, window_mask
from attnbook.tiled import online_softmax, tiled_attention

STRICT = {"over": "raise", "invalid": "raise", "divide": "raise", "under": "raise"}
NAN, INF = np.nan, np.inf
MIB = 2**20


def normal(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def inputs(n_q, n_k=None, d=8, *, seed=0, dtype=np.float64, batch=()):
    n_k = n_q if n_k is None else n_k
    shapes = (*batch, n_q, d), (*batch, n_k, d), (*batch, n_k, d)
    return [normal(*s, seed=seed + i, dtype=dtype) for i, s in enumerate(shapes)]


@st.composite
def tilings(draw):
    """Draw how to cut the work up: small tiles, since the inputs are small."""
    return {
        "block_q": draw(st.sampled_from([None, 1, 2, 3, 100])),
        "block_k": draw(st.sampled_from([None, 1, 2, 3, 100])),
        "workers": draw(st.integers(1, 4)),
    }


# The plain version.


def in_tiles(scores, V, *cuts):
    edges = itertools.pairwise((0, *cuts, scores.shape[1]))
    return [(scores[:, a:b], V[a:b]) for a, b in edges]


def test_online_softmax_is_the_softmax_of_all_tiles():
    scores = np.log([[1.0, 2, 3, 4], [4, 3, 2, 1]])
    V = np.array([[10.0], [20], [30], [40]])
    for cuts in ((), (1,), (2, 3), (0, 4), (1, 2, 3)):
        output, total = online_softmax(in_tiles(scores, V, *cuts))
        assert_allclose(output, [[30], [20]], rtol=1e-15)
        assert_allclose(total, np.log([10, 10]), rtol=1e-15)


def test_online_softmax_survives_scores_that_overflow():
    with np.errstate(**STRICT):
        tiles = [([[-1e4]], [[1.0]]), ([[1e4]], [[2.0]]), ([[1e4]], [[4.0]])]
        output, total = online_softmax(tiles)
    assert_array_equal(output, [[3.0]])
    assert_allclose(total, [1e4 + math.log(2)])


def test_online_softmax_gives_zeros_to_a_query_with_no_key():
    with np.errstate(**STRICT):
        tiles = [([[-INF], [-INF]], [[1.0]]), ([[-INF], [0.0]], [[2.0]])]
        output, total = online_softmax(tiles)
    assert_array_equal(output, [[0], [2]])
    assert_array_equal(total, [-INF, 0])


@pytest.mark.parametrize("dtype", draws.HALVES)
def test_online_softmax_of_half_precision_is_computed_in_single(dtype):
    scores, V = (8 * normal(3, 500)).astype(dtype), normal(500, 2, seed=1).astype(dtype)

    def output(scores, V):
        return online_softmax(in_tiles(scores, V, 100, 350))[0]

    draws.check_rounded(output(scores, V), output, scores, V)
    assert online_softmax(in_tiles(scores, V, 100))[1].dtype == np.float32


def test_online_softmax_has_the_dtype_of_all_tiles_together():
    def dtype(*kinds):
        tiles = [(np.zeros((1, 1), a), np.ones((1, 1), b)) for a, b in kinds]
        return online_softmax(tiles)[0].dtype

    assert dtype(("f4", "f2")) == dtype(("f4", "f4"), ("f2", "f2")) == np.float32
    assert dtype(("f2", "f2"), ("bfloat16", "bfloat16")) == np.float32
    assert dtype(("i1", "i1")) == dtype(("f8", "f8"), ("f2", "f2")) == np.float64


@pytest.mark.parametrize(
    "shapes",
    [
        [((3, 2), (3, 4))],
        [((2,), (2, 4))],
        [((3, 2), (2,))],
        [((3, 2, 2), (2, 2, 4))],
        [((3, 2), (2, 4)), ((1, 2), (2, 4))],
        [((1, 2), (2, 4)), ((3, 2), (2, 4))],
        [((3, 2), (2, 1)), ((3, 2), (2, 4))],
    ],
)
def test_online_softmax_refuses_tiles_that_do_not_fit_together(shapes):
    tiles = [(np.zeros(a), np.zeros(b)) for a, b in shapes]
    a, b = map(re.escape, map(str, shapes[-1]))
    with pytest.raises(ValueError, match=rf"^a tile is .*; got {a}, {b}$"):
        online_softmax(tiles)


def test_online_softmax_refuses_what_is_no_number():
    with pytest.raises(TypeError, match="scores must hold real numbers, got dtype bo"):
        online_softmax([([[True]], [[1.0]])])
    with pytest.raises(TypeError, match="V must hold real numbers, got dtype complex"):
        online_softmax([([[1.0]], [[1j]])])


def test_online_softmax_takes_a_generator_and_needs_one_tile():
    output, _ = online_softmax((np.zeros((1, 1)), [[k]]) for k in (1.0, 2, 6))
    assert_allclose(output, [[3.0]])
    with pytest.raises(
        ValueError, match=r"^there must be at least one tile, got none$"
    ):
        online_softmax([])


@given(
    st.integers(0, 4),
    st.integers(0, 6),
    st.integers(0, 2),
    st.lists(st.integers(0, 6), max_size=4),
    st.sampled_from([1, 30, 1e4]),
)
def test_online_softmax_agrees_with_the_plain_kernel(n_q, n_k, d_v, cuts, size):
    Q, K, V = normal(n_q, 3) * size, normal(n_k, 3, seed=1), normal(n_k, d_v, seed=2)
    scores = Q @ K.T
    scores[normal(n_q, n_k, seed=3) > 0.5] = -INF
    cuts = sorted(min(cut, n_k) for cut in cuts)
    output, total = online_softmax(in_tiles(scores, V, *cuts))
    expected = attention(Q, K, V, scale=1, mask=scores != -INF)
    assert_allclose(output, expected, rtol=1e-9, atol=1e-12)
    assert_allclose(total, logsumexp(scores), rtol=1e-12, atol=1e-12)


# The fast path against the definition and the plain kernel, every option at once.


@given(draws.cases(), tilings())
def test_output_agrees_with_the_definition(case, tiling):
    _, output = oracle.attention(*case.arrays, **case.options)
    got = tiled_attention(*case.arrays, **case.options, **tiling)
    assert got.shape == output.shape and got.dtype == case.Q.dtype
    tol = draws.tolerance(case)
    assert_allclose(got, output, rtol=tol, atol=4 * tol)


@given(draws.cases(groups=True), tilings())
def test_grouped_heads_agree_with_the_definition(case, tiling):
    _, output = oracle.grouped(oracle.attention, *case.arrays, **case.options)
    got = tiled_attention(*case.arrays, **case.options, **tiling)
    assert got.shape == output.shape
    tol = draws.tolerance(case)
    assert_allclose(got, output, rtol=tol, atol=4 * tol)


@given(draws.cases(dtypes=draws.HALVES), tilings())
def test_half_precision_is_computed_in_single_and_cast_at_the_end(case, tiling):
    output = attention(*(x.astype("f4") for x in case.arrays), **case.options)
    got = tiled_attention(*case.arrays, **case.options, **tiling)
    eps = draws.EPS[case.Q.dtype]
    assert_allclose(got.astype(float), output, eps, eps + draws.tolerance(case, "f4"))
    options = case.options | tiling
    draws.check_rounded(got, tiled_attention, *case.arrays, **options)
    _, total = tiled_attention(*case.arrays, **options, return_logsumexp=True)
    assert total.dtype == np.float32


@pytest.mark.parametrize("blocks", [(2, 1), (16, 1), (16, 4), (32, 16), (5, 7)])
@pytest.mark.parametrize(
    "sides", [(0, 0), (1, 0), (5, 2), (0, 9), (None, 3), (40, None)]
)
def test_a_window_across_many_blocks(sides, blocks):
    (left, right), (block_q, block_k) = sides, blocks
    for n_q, n_k in ((48, 48), (33, 50), (50, 33)):
        Q, K, V = inputs(n_q, n_k)
        V[n_k // 2] = NAN  # so a row too many is seen at once
        mask = window_mask(n_q, n_k, left=left, right=right)
        got = tiled_attention(
            Q, K, V, left=left, right=right, block_q=block_q, block_k=block_k
        )
        assert_allclose(got, attention(Q, K, V, mask=mask), rtol=1e-11, atol=1e-12)


def test_a_side_that_is_not_named_has_no_limit():
    Q, K, V = inputs(9)
    for left, right in ((2, None), (None, 2), (None, None)):
        sides = {"left": left, "right": right}
        named = {side: n for side, n in sides.items() if n is not None}
        expected = attention(Q, K, V, mask=window_mask(9, **sides))
        assert_allclose(tiled_attention(Q, K, V, **named), expected, rtol=1e-12)


@given(draws.cases(), tilings(), st.data())
def test_a_window_agrees_with_a_mask_of_it(case, tiling, data):
    sides = {
        name: data.draw(st.sampled_from([None, 0, 1, 2, 50, 10**30]))
        for name in ("left", "right")
    }
    options = dict(case.options)
    align = options.get("align", "bottom_right")
    n_q, n_k = case.Q.shape[-2], case.K.shape[-2]
    window = window_mask(n_q, n_k, **sides, align=align)
    expected = attention(
        *case.arrays, **(options | {"mask": window & options.get("mask", True)})
    )
    got = tiled_attention(*case.arrays, **options, **sides, **tiling)
    tol = draws.tolerance(case)
    assert_allclose(got, expected, rtol=tol, atol=4 * tol)


@given(draws.cases(), tilings())
def test_hidden_poison_reaches_nothing(case, tiling):
    clean = tiled_attention(*case.arrays, **case.options, **tiling)
    *poisoned, options = draws.poison_hidden(case)
    with np.errstate(**STRICT):
        got = tiled_attention(*poisoned, **options, **tiling)
    tol = draws.tolerance(case)
    assert_allclose(got, clean, rtol=tol, atol=4 * tol)


@given(
    draws.cases(min_keys=1),
    tilings(),
    st.sampled_from([NAN, INF, -INF]),
    st.booleans(),
    st.data(),
)
def test_visible_poison_reaches_the_rows_that_see_it(
    case, tiling, value, in_values, data
):
    if in_values and not case.V.shape[-1]:
        return
    j = data.draw(st.integers(0, case.K.shape[-2] - 1))
    K, V = draws.poison_key(case, j, value, in_values=in_values)
    clean = tiled_attention(*case.arrays, **case.options, **tiling)
    with np.errstate(**STRICT):
        got = tiled_attention(case.Q, K, V, **case.options, **tiling)
    expected = attention(case.Q, K, V, **case.options)
    assert_array_equal(np.isfinite(got), np.isfinite(expected))
    blind = ~draws.rows_that_see(case, j, clean.shape)
    tol = draws.tolerance(case)
    assert_allclose(got[blind], clean[blind], rtol=tol, atol=4 * tol)
    assert_allclose(got, expected, rtol=tol, atol=4 * tol)


@given(draws.cases(), tilings())
def test_inputs_are_never_changed(case, tiling):
    arrays = [*case.arrays, case.options.get("mask"), case.options.get("bias")]
    before = [None if x is None else x.copy() for x in arrays]
    for x in arrays:
        if x is not None:
            x.flags.writeable = False  # and read-only arrays are welcome
    tiled_attention(*case.arrays, **case.options, **tiling)
    for x, copy in zip(arrays, before, strict=True):
        if x is not None:
            assert_array_equal(x, copy)


@given(draws.cases(), tilings())
def test_logsumexp_is_that_of_the_scores_over_the_temperature(case, tiling):
    output, got = tiled_attention(
        *case.arrays, **case.options, **tiling, return_logsumexp=True
    )
    assert got.shape == output.shape[:-1] and got.dtype == case.Q.dtype
    expected = np.broadcast_to(plain_logsumexp(case), got.shape)
    tol = draws.tolerance(case)
    assert_allclose(got, expected, rtol=tol, atol=4 * tol)


def plain_logsumexp(case):
    Q, K, _ = oracle.full(*case.arrays)
    options = case.options
    scale = options.get("scale")
    scores = Q @ K.swapaxes(-1, -2)
    scores *= 1 / math.sqrt(Q.shape[-1]) if scale is None else scale
    if options.get("softcap"):
        scores = options["softcap"] * np.tanh(scores / options["softcap"])
    scores = scores + options.get("bias", 0)
    visible = np.broadcast_to(options.get("mask", True), scores.shape)
    if options.get("causal"):
        align = options.get("align", "bottom_right")
        visible = visible & causal_mask(*scores.shape[-2:], align=align)
    return logsumexp(scores / options.get("temperature", 1.0), mask=visible)


# Closed forms and single cases.


def test_two_keys_by_hand():
    K, V = [[0.0], [math.log(3)]], [[8.0, 0], [0, 4]]
    output, total = tiled_attention([[1.0]], K, V, block_k=1, return_logsumexp=True)
    assert_allclose(output, [[2, 3]], rtol=1e-15)
    assert_allclose(total, [math.log(4)], rtol=1e-15)


@pytest.mark.parametrize("step", [1.0, 40.0, 500.0, -1.0, -40.0, -500.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_sums_shrink_when_a_larger_score_turns_up(step, dtype):
    """Small steps need no reference, middling ones a lazy one, large ones many."""
    K = np.arange(12, dtype=dtype)[:, None] * dtype(step)
    Q, V = np.array([[1], [-1], [0.5], [0]], dtype), np.eye(12, dtype=dtype)
    expected = attention_weights(Q, K)
    for block_k in (1, 2, 5):
        got = tiled_attention(Q, K, V, block_k=block_k)
        assert_allclose(got, expected, rtol=1e-5, atol=1e-7)


def test_a_score_that_rises_in_small_steps_overflows_in_the_end():
    K = np.arange(40, dtype=np.float32)[:, None] * 15
    Q = np.ones((1, 1), np.float32)
    for V in (K, K[:, :0]):
        got, total = tiled_attention(Q, K, V, block_k=1, return_logsumexp=True)
        assert_allclose(got, np.full_like(V[:1], 585), rtol=1e-5)
        assert_allclose(total, [585])


@pytest.mark.parametrize("level", [-3000, -300, -145, -90, 90, 145, 300, 3000])
def test_the_level_of_the_scores_does_not_matter(level):
    K = np.array([[0.0], [1.0], [2.0], [0.5]], np.float32)
    V = normal(4, 3, dtype=np.float32)
    Q = np.array([[1, 1]], np.float32)
    K = np.hstack([K, np.full((4, 1), level, np.float32)])
    expected = attention(Q[:, :1], K[:, :1], V, scale=1)
    for block_k in (1, 4):
        got = tiled_attention(Q, K, V, scale=1, block_k=block_k)
        assert_allclose(got, expected, rtol=1e-3)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
def test_sums_shrink_by_the_temperature_too(temperature):
    """A hidden NaN makes it work with care; rows that start late do so as well."""
    Q, K, V = inputs(6, 12)
    K *= np.linspace(0.5, 3, 12)[:, None]
    V[5] = NAN
    late = np.tri(6, 12, 6, bool)[::-1, ::-1]
    for mask in (np.arange(12) != 5, late & (np.arange(12) != 5)):
        options = {"mask": mask, "temperature": temperature, "bias": np.zeros(12)}
        got = tiled_attention(Q, K, V, **options, block_q=6, block_k=1)
        assert_allclose(got, attention(Q, K, V, **options), rtol=1e-10)


def test_a_row_of_nan_leaves_its_neighbours_alone():
    Q, K, V = inputs(6, 40, dtype=np.float32)
    K *= np.arange(40, dtype=np.float32)[:, None] * 4  # scores that rise and rise
    expected = attention(Q, K, V)
    Q[2, 1] = NAN
    with np.errstate(**STRICT):
        got = tiled_attention(Q, K, V, block_q=6, block_k=4)
    assert np.isnan(got[2]).all()
    others = [0, 1, 3, 4, 5]
    assert_allclose(got[others], expected[others], rtol=1e-4, atol=1e-5)


def test_a_tile_of_nan_that_some_rows_see_leaves_the_others_alone():
    Q, K, V = inputs(8, dtype=np.float32)
    Q *= 30
    expected = attention(Q, K, V, causal=True)
    K[5], V[5] = NAN, INF
    with np.errstate(**STRICT):
        got = tiled_attention(Q, K, V, causal=True, block_q=8, block_k=3)
    assert_allclose(got[:5], expected[:5], rtol=1e-4, atol=1e-5)
    assert np.isnan(got[5:]).all()


def test_infinite_scores_end_as_in_the_plain_kernel():
    K = np.array([[0.0], [INF], [1.0]])
    output, total = tiled_attention([[1.0]], K, K, block_k=1, return_logsumexp=True)
    assert np.isnan(output).all() and total[0] == INF
    K[2] = NAN
    _, total = tiled_attention([[1.0]], K, K, block_k=1, return_logsumexp=True)
    assert np.isnan(total).all()


def test_a_key_of_minus_infinity_is_seen_and_weighs_nothing():
    K = np.array([[-INF], [0.0]])
    V = np.array([[5.0], [7.0]])
    for block_k in (1, 2):
        assert_array_equal(tiled_attention([[1.0]], K, V, block_k=block_k), [[7]])
    both = tiled_attention([[1.0]], K[[0, 0]], V, return_logsumexp=True)
    assert_array_equal(both[0], [[0]])
    assert_array_equal(both[1], [-INF])


@pytest.mark.parametrize("block", [1, 2, None])
def test_dead_rows_are_zero_whatever_killed_them(block):
    Q, K, V = inputs(4, 3)
    V[...] = INF
    dead = (
        {"mask": np.zeros((4, 3), bool)},
        {"bias": np.full((1, 3), -INF)},
        {"bias": np.full(3, NAN), "mask": np.zeros(3, bool)},
        {"left": 0, "right": 0, "mask": ~np.eye(4, 3, -1, bool)},
    )
    for options in dead:
        with np.errstate(**STRICT):
            output, total = tiled_attention(
                Q, K, V, **options, block_q=block, block_k=block, return_logsumexp=True
            )
        assert_array_equal(output, np.zeros((4, 8)))
        assert_array_equal(total, np.full(4, -INF))
    output, total = tiled_attention(
        Q, K, normal(3, 8), causal=True, return_logsumexp=True
    )
    assert_array_equal(output[0], np.zeros(8))
    assert total[0] == -INF and np.isfinite(total[1:]).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_no_overflow(dtype):
    """Scores of 1e4 and more, tiny temperatures, values near the dtype's limit."""
    top = np.finfo(dtype).max
    Q = np.array([[1.0], [-1.0]], dtype)
    K = np.array([[1e4], [1e4], [-1e4]], dtype)
    V = np.array([[1.0, top], [3.0, top], [7.0, -top]], dtype)
    for options in ({}, {"temperature": 1e-300}, {"temperature": 1e-30}):
        for block_k in (1, 3):
            with np.errstate(**STRICT):
                got = tiled_attention(Q, K, V, **options, block_k=block_k, workers=2)
            assert_array_equal(got, np.array([[2.0, top], [7.0, -top]], dtype))


def test_values_near_the_smallest_number_are_averaged_exactly():
    """Every score is the lowest there can be, so that no weight comes near 1."""
    Q, K = np.full((3, 64), -4.0), np.full((50, 64), 4.0)
    V = np.linspace(1, 2, 50)[:, None] * 1e-295
    assert_allclose(tiled_attention(Q, K, V), np.full((3, 1), 1.5e-295), rtol=1e-13)


@pytest.mark.parametrize("scale", [0.5, 3.0])
def test_wide_floats_are_worked_out_as_accurately(scale):
    Q, K, V = inputs(20, 30, dtype=np.longdouble)
    options = {"scale": scale, "return_logsumexp": True}
    output, total = tiled_attention(Q, K, V, **options)
    tol = 100 * np.finfo(np.longdouble).eps
    assert_allclose(output, attention(Q, K, V, scale=scale), rtol=tol, atol=tol)
    assert_allclose(total, logsumexp(Q @ K.T * np.longdouble(scale)), rtol=tol)


def test_care_keeps_the_digits_of_small_values_in_half_precision():
    """The hidden NaN asks for care, which makes values smaller before it adds them."""
    V = np.full((500, 1), 1e-4, np.float16)
    V[7] = NAN
    Q, K, mask = np.ones((2, 1), "f2"), np.ones((500, 1), "f2"), np.arange(500) != 7
    got = tiled_attention(Q, K, V, mask=mask)
    assert_array_equal(got, np.broadcast_to(V[0], (2, 1)))


def test_narrow_integers_do_not_wrap_around():
    Q, K = np.array([[12]], np.int8), np.array([[12], [-12]], np.int8)  # 144 > 127
    assert_allclose(
        tiled_attention(Q, K, [[1], [5]], scale=0.01), [[1.2126]], atol=1e-4
    )


def test_half_precision_products_may_leave_its_range():
    Q = K = np.full((2, 64), 300, np.float16)  # the product is 5 760 000
    V = np.array([[1], [3]], np.float16)
    output, total = tiled_attention(Q, K, V, return_logsumexp=True)
    assert_array_equal(output, [[2], [2]])
    assert output.dtype == np.float16 and total.dtype == np.float32
    assert_allclose(total, 720_000 + math.log(2), rtol=1e-6)


def test_ties_share_the_argmax_limit():
    """3 = 1 + 2 holds for the scores, and must survive whatever scales them."""
    Q, K = [[1.0, 1, 1]], [[1.0, 2, 0], [3, 0, 0], [0, 0, 3], [0, 0, 2]]
    for temperature in (1e-6, 1e-12, 1e-40, 1e-300):
        got = tiled_attention(Q, K, np.eye(4), temperature=temperature, scale=0.1)
        assert_allclose(got, [[1 / 3, 1 / 3, 1 / 3, 0]], rtol=1e-7)


def test_values_of_any_size_average_exactly():
    for size in (1e-38, 1e-30, 1e30, 3e38):
        V = np.full((5, 2), size, np.float32)
        got = tiled_attention(*inputs(3, 5, dtype=np.float32)[:2], V, block_k=2)
        assert_allclose(got, np.full((3, 2), np.float32(size)), rtol=1e-6)


@pytest.mark.parametrize("axis", ["batch", "n_q", "n_k", "d_v"])
def test_axes_of_size_0_work(axis):
    size = {"batch": 2, "n_q": 3, "n_k": 4, "d_v": 5} | {axis: 0}
    Q = np.ones((size["batch"], size["n_q"], 2))
    K = np.ones((size["batch"], size["n_k"], 2))
    V = np.ones((size["batch"], size["n_k"], size["d_v"]))
    output, total = tiled_attention(Q, K, V, causal=True, return_logsumexp=True)
    assert output.shape == (size["batch"], size["n_q"], size["d_v"])
    assert total.shape == (size["batch"], size["n_q"])
    if axis == "n_k":
        assert (output == 0).all() and (total == -INF).all()


def test_dtypes_of_the_result():
    def dtype(*kinds):
        return tiled_attention(*(np.ones((2, 2), kind) for kind in kinds)).dtype

    assert dtype("f4", "f4", "f4") == np.float32
    assert dtype("f4", "f2", "f8") == np.float64
    assert dtype("f2", "f2", "f4") == np.float32
    assert dtype("i4", "i8", "u1") == np.float64
    assert dtype("bfloat16", "bfloat16", "bfloat16") == np.dtype("bfloat16")
    assert dtype("bfloat16", "f2", "bfloat16") == np.float32
    assert dtype(">f4", ">f4", ">f4") == np.dtype("=f4")


@pytest.mark.parametrize("kind", ["f2", "bfloat16", "f4", "f8", "g", "i4", ">f4"])
def test_any_real_dtype_agrees_with_the_plain_kernel(kind):
    rng = np.random.default_rng(3)
    Q, K, V = (rng.integers(-3, 4, (9, 4)).astype(kind) for _ in range(3))
    got = tiled_attention(Q, K, V, causal=True, block_q=4, block_k=3)
    expected = attention(Q, K, V, causal=True)
    tol = {"f2": 1e-3, "bfloat16": 1e-2}.get(kind, 1e-6)
    assert_allclose(got.astype("g"), expected.astype("g"), rtol=tol, atol=1e-6)


def test_views_with_odd_strides_are_read_right():
    Q, K, V = (x[::-2, ::3].T[::-1].swapaxes(0, 1) for x in inputs(20, d=12))
    assert_allclose(tiled_attention(Q, K, V), attention(Q, K, V), rtol=1e-12)


def test_a_bias_of_another_dtype_does_not_widen_the_result():
    Q, K, V = inputs(5, dtype=np.float32)
    for bias in (np.full((5, 5), 1e300), np.arange(5), np.ones(5, np.float16)):
        got = tiled_attention(Q, K, V, bias=bias)
        assert got.dtype == np.float32
        assert_allclose(got, attention(Q, K, V, bias=bias), rtol=1e-5, atol=1e-6)


# Grouped heads.


def test_query_head_h_uses_group_h_over_the_group_size():
    Q, K = np.zeros((6, 1, 1)), np.zeros((3, 1, 1))
    V = np.arange(3.0)[:, None, None]
    assert_array_equal(tiled_attention(Q, K, V).ravel(), [0, 0, 1, 1, 2, 2])


def test_grouped_heads_with_masks_agree_with_the_plain_kernel():
    Q, K, V = normal(2, 6, 7, 4), normal(2, 3, 9, 4, seed=1), normal(2, 3, 9, 5, seed=2)
    rng = np.random.default_rng(0)
    for shape in ((2, 6, 7, 9), (6, 1, 9), (1, 7, 1), (9,), (2, 1, 7, 9)):
        options = {"mask": rng.random(shape) < 0.6, "bias": rng.standard_normal(shape)}
        got = tiled_attention(Q, K, V, **options, block_q=3, block_k=4)
        assert_allclose(got, grouped_attention(Q, K, V, **options), rtol=1e-12)


def test_one_shared_head_and_broadcast_batches():
    Q, K, V = normal(4, 5, 3), normal(1, 6, 3, seed=1), normal(2, 1, 6, 3, seed=2)
    assert_allclose(tiled_attention(Q, K, V), attention(Q, K, V), rtol=1e-12)


# Threads.


def big(seed=0, n=700, **more):
    return inputs(n, d=16, seed=seed, dtype=np.float32, **more)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"causal": True},
        {"left": 90, "right": 5},
        {"scale": 5.0},
        {"softcap": 3.0, "temperature": 0.5},
        {"bias": normal(700, seed=9)},
        {"mask": normal(700, 700, seed=9) > 0},
    ],
    ids=lambda options: "-".join(options) or "plain",
)
def test_any_number_of_workers_gives_the_same_bits(options):
    Q, K, V = big(batch=(2,))
    one, *others = (
        tiled_attention(Q, K, V, workers=w, **options, return_logsumexp=True)
        for w in (1, 2, 3, 4, 2, None)
    )
    for other in others:
        assert one[0].tobytes() == other[0].tobytes()
        assert one[1].tobytes() == other[1].tobytes()


def test_blocks_are_shared_out_over_threads(monkeypatch):
    seen, meet = set(), threading.Barrier(3)
    attend = tiled._Block.attend

    def watched(block):
        if threading.get_ident() not in seen:
            seen.add(threading.get_ident())
            meet.wait(timeout=60)  # breaks unless three threads get here
        attend(block)

    monkeypatch.setattr(tiled._Block, "attend", watched)
    tiled_attention(*big(), block_q=100, workers=3)
    assert len(seen) == 3


def test_threads_do_not_complain_either(monkeypatch):
    Q, K, V = big()
    K[3], V[4], Q[5] = INF, NAN, 1e38
    with np.errstate(**STRICT):
        tiled_attention(Q, K, V, causal=True, workers=3, block_q=50)


def test_an_error_in_a_thread_reaches_the_caller(monkeypatch):
    caller, attend = threading.get_ident(), tiled._Block.attend
    late = threading.Event()

    def fails_elsewhere(block):
        if threading.get_ident() != caller:
            late.set()
            raise MemoryError("no room")
        late.wait(timeout=60)
        attend(block)

    monkeypatch.setattr(tiled._Block, "attend", fails_elsewhere)
    with pytest.raises(MemoryError, match="no room"):
        tiled_attention(*big(), block_q=100, workers=2)
    assert tiled._one_blas_thread.depth == 0


def test_an_error_stops_the_other_threads(monkeypatch):
    attended, attend = [], tiled._Block.attend

    def fails_at_first(block):
        attended.append(block.start)
        if len(attended) == 1:
            raise KeyboardInterrupt
        attend(block)

    monkeypatch.setattr(tiled._Block, "attend", fails_at_first)
    with pytest.raises(KeyboardInterrupt):
        tiled_attention(*big(), block_q=1, workers=2)
    assert len(attended) < 100  # of 700


def blas_threads():
    return [library.num_threads for library in tiled._blas_threads().lib_controllers]


def test_blas_has_one_thread_during_a_call_and_gets_the_others_back(monkeypatch):
    before, during = blas_threads(), []
    attend = tiled._Block.attend

    def watched(block):
        during.append(blas_threads())
        attend(block)

    with tiled._blas_threads().limit(limits=2):
        monkeypatch.setattr(tiled._Block, "attend", watched)
        tiled_attention(*big(), workers=2)
        assert during and all(threads == [1] for threads in during)
        assert blas_threads() == [2]
    assert blas_threads() == before


def test_calls_that_overlap_give_blas_its_threads_back():
    with tiled._blas_threads().limit(limits=2):
        with tiled._one_blas_thread:
            tiled_attention(*big())
            assert blas_threads() == [1]
        assert blas_threads() == [2]
        with tiled._OneBlasThread():
            assert blas_threads() == [1]
        assert blas_threads() == [2]


def test_there_is_a_thread_for_each_processor_that_the_process_may_use(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    assert tiled._processors() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    for count, processors in ((6, 6), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        assert tiled._processors() == processors


def test_without_threadpoolctl_there_is_one_worker(monkeypatch):
    expected = tiled_attention(*big(), workers=1)
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    monkeypatch.setattr(tiled, "_blas_threads", tiled._blas_threads.__wrapped__)
    threads, attend = set(), tiled._Block.attend

    def watched(block):
        threads.add(threading.get_ident())
        attend(block)

    monkeypatch.setattr(tiled._Block, "attend", watched)
    got = tiled_attention(*big(), workers=4)
    assert threads == {threading.get_ident()}
    assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


# What is skipped, and how much memory is used.


def test_care_and_a_maximum_are_for_those_who_need_them(monkeypatch):
    swept, sweep = [], tiled._Block._sweep

    def watched(block, careful):
        sweep(block, careful)
        swept.append((block.careful, block.top is None, block.exp))

    monkeypatch.setattr(tiled._Block, "_sweep", watched)
    Q, K, V = inputs(4)
    tiled_attention(Q, K, V)
    tiled_attention(Q, K, V, temperature=0.01)
    tiled_attention(Q, K, V, bias=np.zeros(4))
    tiled_attention(Q, K, V, softcap=5)
    bare, kept = (False, True, np.exp2), (False, False, np.exp)
    assert swept == [bare, kept, kept, kept]
    swept.clear()
    V[2] = NAN
    tiled_attention(Q, K, V)
    assert swept == [bare, (True, False, np.exp)]


def visited(monkeypatch, *arrays, **options):
    """Return which (queries, keys) pairs the kernel computed."""
    n_q, n_k = arrays[0].shape[-2], arrays[1].shape[-2]
    pairs, take_in = np.zeros((n_q, n_k), int), tiled._Block._take_in

    def watched(block, tile):
        pairs[tile.queries, tile.keys] += 1
        take_in(block, tile)

    with monkeypatch.context() as patch:
        patch.setattr(tiled._Block, "_take_in", watched)
        tiled_attention(*arrays, **options)
    assert pairs.max(initial=0) <= 1
    return pairs.astype(bool)


def test_pairs_beyond_the_window_are_not_computed(monkeypatch):
    arrays = inputs(600)
    for options in (
        {"causal": True},
        {"left": 40, "right": 0},
        {"left": 0, "right": 0},
        {"right": 0, "align": "top_left"},
        {"left": 100, "right": 70},
    ):
        sides = {"left": None, "right": None} | options
        if sides.pop("causal", False):
            sides["right"] = 0
        needed = window_mask(600, **sides)
        blocks = {"block_q": 120, "block_k": 30}
        computed = visited(monkeypatch, *arrays, **options, **blocks)
        assert computed[needed].all()
        # Beside what is needed: for each query at most a tile's width at either edge.
        assert (computed & ~needed).sum(axis=1).max() < 2 * 30
    assert visited(monkeypatch, *arrays).all()


@pytest.mark.parametrize(
    ("start", "block_q", "edges"),
    [
        # All rows see the keys 278 to 436: one coarse run of them, fine ones beside it.
        (386, 193, [86, 278, 437, 629]),
        # All rows see the keys 282 to 438, but the second run begins at 280.
        (388, 194, [88, 280, 472, 632]),
        # All rows see the keys 300 to 1349, which are shared out evenly.
        (500, 101, [200, 392, 872, 1350, 1450]),
    ],
)
def test_a_window_is_cut_fine_at_its_edges(start, block_q, edges):
    right = 849 if block_q == 101 else 50
    call = _Call(inputs(1500, d=1), cast=False)
    job = tiled._Job(call, 300, right, block_q, None)
    block = tiled._Block(job, np.empty(0), (), start)
    assert list(block._runs()) == list(itertools.pairwise(edges))


def test_blocks_are_tall_but_enough_to_share_out():
    for n, block_q in ((129, 80), (2048, 512), (2050, 513), (5000, 1008)):
        call = _Call(inputs(n, 1, d=1), cast=False)
        assert tiled._Job(call, None, None, None, None).block_q == block_q


def test_tiles_that_a_mask_empties_are_not_computed(monkeypatch):
    mask = np.zeros((8, 12), bool)
    mask[:4, :3] = mask[5, 11] = True
    blocks = {"block_q": 4, "block_k": 3}
    computed = visited(monkeypatch, *inputs(8, 12), mask=mask, **blocks)
    expected = np.zeros((8, 12), bool)
    expected[:4, :3] = expected[4:, 9:] = True
    assert_array_equal(computed, expected)
    bias = np.where(mask, 0.0, -INF)
    computed = visited(monkeypatch, *inputs(8, 12), bias=bias, **blocks)
    assert_array_equal(computed, expected)
    padded = np.arange(12) < 5
    computed = visited(monkeypatch, *inputs(8, 12), mask=padded, **blocks)
    assert_array_equal(computed, np.broadcast_to(np.arange(12) < 6, (8, 12)))


def peak(*arrays, **options):
    """Return the bytes that a call takes beyond its inputs, result included.

    tracemalloc counts what every thread of the process does, such as a collector of
    garbage or of Hypothesis' constants. What the call itself takes, it takes each time.
    """
    return min(traced_peak(*arrays, **options) for _ in range(3))


def traced_peak(*arrays, **options):
    tiled_attention(*(x[..., :2, :] for x in arrays))
    tracemalloc.start()
    try:
        tiled_attention(*arrays, **options)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def room(workers, block_q, block_k, d_k, d_v, itemsize=4):
    return workers * block_q * (block_k + d_k + 4 * d_v) * itemsize


@pytest.mark.parametrize("options", [{}, {"causal": True}, {"left": 50, "right": 3}])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_memory_is_that_of_the_result_and_one_tile_for_each_worker(options, dtype):
    arrays = inputs(4096, d=16, dtype=dtype)
    for workers in (1, 3):
        used = peak(*arrays, workers=workers, block_q=256, block_k=256, **options)
        result = 4096 * (16 * np.dtype(dtype).itemsize + 4)
        assert used < 1.2 * (result + room(workers, 256, 256, 16, 16)) + 100_000


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_memory_does_not_grow_with_the_number_of_keys(dtype):
    Q, K, V = (normal(n, 32).astype(dtype) for n in (4, 40_000, 40_000))
    assert peak(Q, K, V, workers=1, block_k=256) < 400_000 < K.nbytes


def test_memory_with_masks_and_poison_is_that_of_a_few_tiles():
    Q, K, V = inputs(2048, d=16, dtype=np.float32)
    V[7], K[9] = NAN, INF
    mask = np.ones((2048, 2048), bool)
    mask[:, [7, 9]] = False
    mask[::3, ::5] = False
    for options in ({"mask": mask}, {"bias": np.where(mask, 0, -INF)}):
        assert peak(Q, K, V, **options, workers=1, block_q=256, block_k=256) < 2.5 * MIB


def test_the_longest_sequence_of_the_benchmark_fits_in_24_mib():
    """One query block is enough to see the tiles; the result is 8 MiB of the 24."""
    n, d = 32_768, 64
    K = np.zeros((n, d), np.float32)
    Q = K[: 2 * tiled.BLOCK_Q]
    assert tiled._even(n, tiled.BLOCK_Q) == tiled.BLOCK_Q
    used = peak(Q, K, K, workers=2, block_q=tiled.BLOCK_Q)
    assert used - Q.nbytes + n * (d + 1) * 4 < 24 * MIB


def test_it_is_about_as_accurate_as_the_plain_kernel():
    for scale in (None, 1.0, 8.0):  # no reference, a lazy one, a lazy one at its work
        Q, K, V = inputs(512, d=64, dtype=np.float32)
        exact = attention(*(x.astype(float) for x in (Q, K, V)), scale=scale)
        errors = [
            np.sqrt(np.mean((kernel(Q, K, V, scale=scale) - exact) ** 2))
            for kernel in (tiled_attention, attention)
        ]
        assert errors[0] < 1.2 * errors[1]


# What is refused.


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"block_q": 0}, ValueError, "block_q must be at least 1, got 0"),
        ({"block_k": -1}, ValueError, "block_k must be at least 1, got -1"),
        ({"workers": 0}, ValueError, "workers must be at least 1, got 0"),
        ({"left": -1}, ValueError, "left must be at least 0, got -1"),
        ({"right": -2}, ValueError, "right must be at least 0, got -2"),
        ({"block_q": 1.0}, TypeError, "block_q must be an integer, got 1.0"),
        ({"workers": True}, TypeError, "workers must be an integer, got True"),
        ({"left": 0.5}, TypeError, "left must be an integer, got 0.5"),
        ({"temperature": 0}, ValueError, "temperature must be above 0, got 0"),
        ({"softcap": -1}, ValueError, "softcap must be above 0, got -1"),
        ({"scale": INF}, ValueError, "scale must be finite, got inf"),
        ({"align": "left"}, ValueError, "align must be one of .* got 'left'"),
        ({"causal": 1}, TypeError, "causal must be True or False, got 1"),
        ({"mask": np.ones((3, 3))}, TypeError, "mask must be boolean.*float64"),
        ({"mask": np.ones((2, 3, 3), bool)}, ValueError, "mask must broadcast to"),
        ({"bias": np.ones((3, 3), bool)}, TypeError, "bias must hold real numbers"),
    ],
)
def test_options_out_of_range_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        tiled_attention(*inputs(3), **options)


def test_arrays_that_do_not_fit_are_refused():
    Q, K, V = inputs(3)
    with pytest.raises(ValueError, match=r"Q and K must share d_k, got \(3, 8\)"):
        tiled_attention(Q, K[:, :4], V)
    with pytest.raises(ValueError, match="K and V must share n_k"):
        tiled_attention(Q, K, V[:2])
    with pytest.raises(ValueError, match="Q must be at least 2-D"):
        tiled_attention(Q[0], K, V)
    for place, name in enumerate("QKV"):
        arrays = [Q, K, V]
        arrays[place] = arrays[place] > 0
        with pytest.raises(TypeError, match=f"^{name} must hold real numbers, got"):
            tiled_attention(*arrays)
    with pytest.raises(ValueError, match="n_heads must be divisible by n_kv_heads"):
        tiled_attention(normal(6, 3, 2), normal(4, 3, 2), normal(4, 3, 2))
    with pytest.raises(ValueError, match="K and V must share n_kv_heads"):
        tiled_attention(normal(6, 3, 2), normal(3, 3, 2), normal(2, 3, 2))

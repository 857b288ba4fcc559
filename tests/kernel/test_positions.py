"""Positions against their definitions, one entry at a time."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import attnbook as ab
import draws  # noqa: F401  loads the profile

LAYOUTS = ("interleaved", "half_split")
layouts = st.sampled_from(LAYOUTS)
counts = st.integers(0, 9)
halves = st.integers(1, 5)
seeds = st.integers(0, 2**16)


def drawn(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


def pair(i, d, layout):
    """The two entries of pair i, by the definition of the layouts."""
    return (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + d // 2)


def turned_by_hand(x, position, layout, base=10000.0):
    """Turn one vector, pair by pair, as complex numbers."""
    d, out = len(x), np.zeros(len(x))
    for i in range(d // 2):
        a, b = pair(i, d, layout)
        angle = position * base ** (-2 * i / d)
        turned = complex(x[a], x[b]) * complex(math.cos(angle), math.sin(angle))
        out[a], out[b] = turned.real, turned.imag
    return out


# --- the fixed table ----------------------------------------------------------------


@given(counts, halves, st.integers(0, 10**6), st.sampled_from([2.0, 10000.0]))
def test_the_table_agrees_with_its_definition(n, half, start, base):
    table = ab.sinusoidal_positions(n, 2 * half, start=start, base=base)
    assert table.shape == (n, 2 * half) and table.dtype == np.float64
    for p in range(n):
        for i in range(half):
            angle = (start + p) * base ** (-2 * i / (2 * half))
            wanted = [math.sin(angle), math.cos(angle)]
            assert_allclose(table[p, 2 * i : 2 * i + 2], wanted, atol=1e-8)


@given(st.integers(0, 50), st.integers(0, 50), halves)
def test_a_shift_of_the_table_is_one_rotation(start, shift, half):
    """A sine and a cosine turn into those of a later position by one matrix."""
    here, later = (
        ab.sinusoidal_positions(6, 2 * half, start=p) for p in (start, start + shift)
    )
    # In (cos, sin) order a pair is a point of the circle, which rotary turns.
    points, wanted = (x.reshape(6, half, 2)[..., ::-1] for x in (here, later))
    flat = points.reshape(6, 2 * half)
    turned = ab.rotary(flat, np.full(6, shift), layout="interleaved")
    assert_allclose(turned, wanted.reshape(6, 2 * half), atol=1e-9)


# --- the learned table --------------------------------------------------------------


def test_rows_are_looked_up_at_any_shape():
    table = drawn(0, 4, 3)
    assert_array_equal(
        ab.learned_positions(table, [[3, 0], [1, 1]]), table[[[3, 0], [1, 1]]]
    )
    assert_array_equal(ab.learned_positions(table, 2), table[2])
    assert ab.learned_positions(table, []).shape == (0, 3)
    looked = ab.learned_positions(table, [0, 1, 2, 3])
    looked += 1
    assert_array_equal(table, drawn(0, 4, 3))


@pytest.mark.parametrize("bad", [-1, 4, [0, 4], np.array([2, -4]), np.uint64(2**63)])
def test_what_the_table_does_not_hold_is_refused(bad):
    with pytest.raises(IndexError, match=r"in 0..3, as the table has 4 rows, got"):
        ab.learned_positions(drawn(0, 4, 3), bad)


def test_a_table_is_a_matrix_and_positions_are_whole():
    with pytest.raises(ValueError, match=r"shape \(n_max, d\), got \(4,\)"):
        ab.learned_positions(np.ones(4), [0])
    for bad in (0.0, [True], [1.5]):
        with pytest.raises(TypeError, match="positions must be integers"):
            ab.learned_positions(np.ones((4, 2)), bad)
    with pytest.raises(TypeError, match="table must hold real numbers"):
        ab.learned_positions(np.ones((4, 2), complex), [0])


# --- rotary -------------------------------------------------------------------------


@given(seeds, st.integers(0, 5), halves, layouts, st.sampled_from([3.0, 10000.0]))
def test_rotary_agrees_with_its_definition(seed, n, half, layout, base):
    X = drawn(seed, 2, n, 2 * half)
    positions = np.random.default_rng(seed).integers(0, 99, (2, n))
    turned = ab.rotary(X, positions, layout=layout, base=base)
    for b in range(2):
        for i in range(n):
            wanted = turned_by_hand(X[b, i], positions[b, i], layout, base)
            assert_allclose(turned[b, i], wanted, atol=1e-12)
    plain = ab.rotary(X, layout=layout, base=base)
    assert_array_equal(plain, ab.rotary(X, np.arange(n), layout=layout, base=base))


@given(
    seeds, halves, layouts, st.integers(0, 40), st.integers(0, 40), st.integers(0, 500)
)
def test_a_score_depends_on_the_difference_alone(seed, half, layout, p, r, shift):
    q, k = drawn(seed, 2, 1, 2 * half)
    at = lambda x, place: ab.rotary(x, [place], layout=layout)  # noqa: E731
    here = (at(q, p) @ at(k, r).T).item()
    later = (at(q, p + shift) @ at(k, r + shift).T).item()
    relative = (q @ at(k, r - p).T).item() if r >= p else (at(q, p - r) @ k.T).item()
    assert_allclose([later, relative], here, atol=1e-10)
    assert_allclose(np.linalg.norm(at(q, p)), np.linalg.norm(q))


def test_a_negative_position_turns_back():
    X = drawn(1, 3, 4)
    there = ab.rotary(X, [5, 6, 7], layout="half_split")
    assert_allclose(ab.rotary(there, [-5, -6, -7], layout="half_split"), X)


@given(seeds, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), layouts)
def test_a_converted_projection_gives_the_same_scores(seed, n_heads, half, n, to):
    """Both axes, heads apart, against the other layout before the conversion."""
    d, source = 2 * half, LAYOUTS[1 - LAYOUTS.index(to)]
    X, W_Q, W_K = drawn(seed, n, 5), *drawn(seed + 1, 2, 5, n_heads * d)
    made = {}
    for layout, change in ((source, False), (to, True)):
        options = {"n_heads": n_heads, "to": to, "axis": -1}
        used = [ab.convert_rotary(W, **options) if change else W for W in (W_Q, W_K)]
        Q, K = (ab.split_heads(X @ W, n_heads) for W in used)
        made[layout] = ab.rotary(Q, layout=layout) @ np.swapaxes(
            ab.rotary(K, layout=layout), -1, -2
        )
    assert_allclose(made[to], made[source], atol=1e-9)
    rows = ab.convert_rotary(W_Q.T, n_heads=n_heads, to=to, axis=0)
    assert_array_equal(rows, ab.convert_rotary(W_Q, n_heads=n_heads, to=to, axis=1).T)
    back = ab.convert_rotary(rows, n_heads=n_heads, to=source, axis=0)
    assert_array_equal(back, W_Q.T)


def test_the_order_of_a_conversion_by_hand():
    order = ab.convert_rotary(np.arange(12), n_heads=2, to="half_split", axis=0)
    assert order.tolist() == [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]
    order = ab.convert_rotary(np.arange(12), n_heads=2, to="interleaved", axis=0)
    assert order.tolist() == [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]


def test_dtypes_of_what_is_turned():
    for dtype in (np.float16, np.float32, np.float64):
        X = drawn(2, 3, 4).astype(dtype)
        turned = ab.rotary(X, [0, 70000, 2**20], layout="interleaved")
        assert turned.dtype == dtype
        wanted = ab.rotary(X.astype(float), [0, 70000, 2**20], layout="interleaved")
        assert_allclose(turned, wanted, rtol=0, atol=4 * np.finfo(dtype).eps)
    assert ab.rotary([[1, 0]], layout="half_split").dtype == np.float64


def test_one_set_of_positions_serves_all_heads_and_nothing_is_changed():
    X = drawn(3, 2, 4, 3, 6)
    before = X.copy()
    turned = ab.rotary(X, [7, 8, 9], layout="half_split")
    assert_array_equal(turned[1, 2], ab.rotary(X[1, 2], [7, 8, 9], layout="half_split"))
    assert_array_equal(X, before)


def test_rotary_says_what_it_cannot_take():
    X = np.ones((3, 4))
    with pytest.raises(TypeError, match="layout"):
        ab.rotary(X)
    with pytest.raises(ValueError, match="layout must be one of"):
        ab.rotary(X, layout="neox")
    with pytest.raises(
        ValueError, match=r"X must have shape \(..., n, d\), got \(4,\)"
    ):
        ab.rotary(X[0], layout="interleaved")
    with pytest.raises(
        ValueError, match="d must be even, as entries come in pairs, got 3"
    ):
        ab.rotary(X[:, :3], layout="interleaved")
    with pytest.raises(ValueError, match=r"broadcast to \(3,\), got \(2,\)"):
        ab.rotary(X, [0, 1], layout="interleaved")
    with pytest.raises(
        TypeError, match="positions must be integers, got dtype float64"
    ):
        ab.rotary(X, [0.0, 1.0, 2.0], layout="interleaved")
    with pytest.raises(ValueError, match="base must be above 0"):
        ab.rotary(X, layout="interleaved", base=0)
    with pytest.raises(TypeError, match="X must hold real numbers"):
        ab.rotary(X.astype(complex), layout="interleaved")


def test_a_conversion_says_what_it_cannot_take():
    W, options = np.ones((6, 8)), {"to": "half_split", "axis": -1}
    with pytest.raises(ValueError, match="3 heads of even width along axis 1, got 8"):
        ab.convert_rotary(W, n_heads=3, **options)
    with pytest.raises(ValueError, match="2 heads of even width along axis 0, got 6"):
        ab.convert_rotary(W, n_heads=2, to="half_split", axis=0)
    with pytest.raises(ValueError, match="to must be one of"):
        ab.convert_rotary(W, n_heads=2, to="llama", axis=-1)
    with pytest.raises(ValueError, match="axis must be one of the 2 axes of W, got 2"):
        ab.convert_rotary(W, n_heads=2, to="half_split", axis=2)
    with pytest.raises(ValueError, match="axis must be one of the 2 axes of W, got -3"):
        ab.convert_rotary(W, n_heads=2, to="half_split", axis=-3)
    with pytest.raises(TypeError, match="axis must be an integer, got True"):
        ab.convert_rotary(W, n_heads=2, to="half_split", axis=True)
    with pytest.raises(ValueError, match="n_heads must be at least 1"):
        ab.convert_rotary(W, n_heads=0, **options)


# --- a bias for each distance -------------------------------------------------------


@pytest.mark.parametrize(
    ("n_heads", "exponents"),
    [
        (1, [8]),
        (2, [4, 8]),
        (8, [1, 2, 3, 4, 5, 6, 7, 8]),
        (3, [4, 8, 2]),
        (12, [1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5]),
    ],
)
def test_slopes_by_hand(n_heads, exponents):
    assert_allclose(ab.alibi_slopes(n_heads), [2.0**-e for e in exponents], rtol=1e-15)


@given(counts, st.one_of(st.none(), counts), st.integers(1, 9), st.booleans())
def test_the_bias_agrees_with_its_definition(n_q, n_k, n_heads, bottom):
    align = "bottom_right" if bottom else "top_left"
    bias = ab.alibi_bias(n_q, n_k, n_heads=n_heads, align=align)
    n_k = n_q if n_k is None else n_k
    assert bias.shape == (n_heads, n_q, n_k)
    slopes, first = ab.alibi_slopes(n_heads), n_k - n_q if bottom else 0
    for h, i, j in np.ndindex(bias.shape):
        assert bias[h, i, j] == -slopes[h] * abs(i + first - j)
    assert not np.signbit(bias[bias == 0]).any()


@given(seeds, st.integers(1, 6), st.integers(1, 5))
def test_decoding_with_a_cache_gives_the_rows_of_the_whole(seed, n, n_heads):
    Q, K, V = drawn(seed, 3, n_heads, n, 4)
    whole = ab.attention(Q, K, V, bias=ab.alibi_bias(n, n_heads=n_heads), causal=True)
    last = ab.attention(Q[:, -1:], K, V, bias=ab.alibi_bias(1, n, n_heads=n_heads))
    assert_allclose(last, whole[:, -1:])
    table = drawn(seed, n_heads, 8)
    options = {"causal": True, "n_buckets": 8, "max_distance": 12}
    learned = [table[:, ab.relative_buckets(m, n, **options)] for m in (n, 1)]
    whole = ab.attention(Q, K, V, bias=learned[0], causal=True)
    assert_allclose(ab.attention(Q[:, -1:], K, V, bias=learned[1]), whole[:, -1:])


def bucket_by_hand(step, causal, n_buckets, far):
    """The bucket of one distance, in whole numbers alone: no logarithm, no rounding."""
    half = 0 if causal or step <= 0 else n_buckets // 2
    size = n_buckets if causal else n_buckets // 2
    distance = max(-step, 0) if causal else abs(step)
    single = size // 2
    if distance < single:
        return half + distance
    # The largest k with distance >= single * (far / single) ** (k / single).
    fits = [
        k
        for k in range(single)
        if distance**single * single**k >= far**k * single**single
    ]
    return half + single + max(fits)


@given(
    st.integers(0, 40),
    st.integers(0, 40),
    st.booleans(),
    st.integers(1, 8),
    st.integers(1, 60),
)
def test_buckets_agree_with_whole_numbers(n_q, n_k, causal, quarters, more):
    n_buckets = 4 * quarters
    far = (2 if causal else 1) * quarters + more
    made = ab.relative_buckets(
        n_q, n_k, causal=causal, n_buckets=n_buckets, max_distance=far
    )
    assert made.shape == (n_q, n_k) and made.dtype.kind == "i"
    for i, j in np.ndindex(made.shape):
        step = j - (i + n_k - n_q)
        assert made[i, j] == bucket_by_hand(step, causal, n_buckets, far)


def test_the_usual_buckets_begin_where_their_powers_do():
    row = ab.relative_buckets(1, 300, causal=True)[0, ::-1]  # by distance
    first = [int(np.flatnonzero(row == b)[0]) for b in range(32)]
    assert first[:17] == list(range(17)) and first[-1] == 113 and row[-1] == 31
    both = ab.relative_buckets(201, causal=False)[100]
    assert both.min() == 0 and both.max() == 31
    assert [both[100 - d] for d in (0, 7, 8, 11, 12, 16, 32, 64, 91, 100)] == (
        [0, 7, 8, 8, 9, 10, 12, 14, 15, 15]
    )
    assert_array_equal(both[101:], both[:100][::-1] + 16)


@pytest.mark.parametrize(
    ("n_buckets", "far", "bucket", "edge"), [(10, 160, 9, 80), (12, 384, 11, 192)]
)
def test_an_edge_that_is_whole_stays_where_it_is(n_buckets, far, bucket, edge):
    """In floating point these edges come out a little above a whole number."""
    options = {"causal": True, "n_buckets": n_buckets, "max_distance": far}
    row = ab.relative_buckets(1, edge + 1, **options)[0, ::-1]
    assert row[edge] == bucket and row[edge - 1] == bucket - 1


def test_buckets_say_what_they_cannot_take():
    with pytest.raises(TypeError, match="causal must be True or False, got 1"):
        ab.relative_buckets(3, causal=1)
    with pytest.raises(ValueError, match="n_buckets must divide by 4, got 6"):
        ab.relative_buckets(3, causal=False, n_buckets=6)
    with pytest.raises(ValueError, match="n_buckets must divide by 2, got 7"):
        ab.relative_buckets(3, causal=True, n_buckets=7)
    with pytest.raises(ValueError, match="max_distance must be above 8, got 8"):
        ab.relative_buckets(3, causal=False, max_distance=8)
    with pytest.raises(ValueError, match="align must be one of"):
        ab.relative_buckets(3, causal=True, align="left")
    with pytest.raises(ValueError, match="n_heads must be at least 1, got 0"):
        ab.alibi_slopes(0)
    for bad in (0, 3):
        with pytest.raises(ValueError, match="d must be"):
            ab.sinusoidal_positions(3, bad)
    with pytest.raises(ValueError, match="start must be at least 0"):
        ab.sinusoidal_positions(3, 4, start=-1)
    with pytest.raises(TypeError, match="n_q must be an integer"):
        ab.alibi_bias(2.0, n_heads=1)


# --- what order is to attention -----------------------------------------------------


@given(seeds, st.integers(1, 7))
def test_without_positions_reordering_reorders_and_nothing_else(seed, n):
    Q, K, V = drawn(seed, 3, n, 4)
    order = np.random.default_rng(seed).permutation(n)
    weights = ab.attention_weights(Q, K)
    moved = ab.attention_weights(Q[order], K[order])
    assert_allclose(moved, weights[order][:, order])
    assert_allclose(
        ab.attention(Q[order], K[order], V[order]), ab.attention(Q, K, V)[order]
    )


@given(seeds, st.integers(2, 7))
def test_a_distance_without_a_side_cannot_tell_a_row_from_its_mirror_image(seed, n):
    Q, K, V = drawn(seed, 3, n, 4)
    bias = ab.alibi_bias(n, n_heads=1)[0]
    there = ab.attention(Q, K, V, bias=bias)
    assert_allclose(ab.attention(Q[::-1], K[::-1], V[::-1], bias=bias), there[::-1])

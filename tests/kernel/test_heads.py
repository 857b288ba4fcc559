import copy
import math
import pickle

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

import draws
import oracle
from attnbook.heads import KVCache, grouped_attention, merge_heads, split_heads
from attnbook.kernel import attention

DTYPES = (np.float32, np.float64)
BFLOAT16 = (ml_dtypes.bfloat16,)


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


def test_each_head_gets_neighbouring_columns():
    heads = split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], 2)
    assert_array_equal(heads, [[[1, 2], [5, 6]], [[3, 4], [7, 8]]])
    assert_array_equal(merge_heads(heads), [[1, 2, 3, 4], [5, 6, 7, 8]])


@pytest.mark.parametrize("shape", [(3, 6), (2, 3, 6), (0, 3, 6), (2, 5, 0, 6), (3, 0)])
@pytest.mark.parametrize("n_heads", [1, 2, 3, np.int64(6)])
def test_merging_undoes_splitting(shape, n_heads):
    X = normal(*shape)
    heads = split_heads(X, n_heads)
    assert heads.shape == (*shape[:-2], n_heads, shape[-2], shape[-1] // n_heads)
    assert_array_equal(merge_heads(heads), X)


def test_splitting_copies_nothing():
    X = normal(3, 6)
    assert np.shares_memory(split_heads(X, 2), X)


def test_what_heads_check():
    with pytest.raises(
        ValueError, match="width must be divisible by n_heads, got 6 and 4"
    ):
        split_heads(normal(3, 6), 4)
    with pytest.raises(ValueError, match="n_heads must be at least 1, got 0"):
        split_heads(normal(3, 6), 0)
    with pytest.raises(TypeError, match=r"n_heads must be an integer, got 2\.0"):
        split_heads(normal(3, 6), 2.0)
    with pytest.raises(ValueError, match=r"X must be at least 2-D, got shape \(6,\)"):
        split_heads(normal(6), 2)
    with pytest.raises(ValueError, match=r"X must be at least 3-D, got shape \(3, 6\)"):
        merge_heads(normal(3, 6))


@pytest.mark.parametrize("function", [lambda X: split_heads(X, 2), merge_heads])
def test_a_masked_array_is_refused_for_its_mask_would_be_lost(function):
    X = np.ma.masked_array(np.ones((1, 3, 4)), mask=True)
    with pytest.raises(TypeError, match="X must be a plain array, got a masked one"):
        function(X)


def test_head_h_uses_group_h_over_the_heads_of_a_group():
    V = np.array([[[0.0]], [[1]]])  # one key a group, so the output names the group
    got = grouped_attention(normal(6, 2, 3), normal(2, 1, 3), V)
    assert_array_equal(got[:, 0, 0], [0, 0, 0, 1, 1, 1])


@given(draws.cases(dtypes=DTYPES, groups=True))
def test_groups_agree_with_repeated_heads(case):
    _, output = oracle.grouped(oracle.attention, *case.arrays, **case.options)
    got = grouped_attention(*case.arrays, **case.options)
    assert got.shape == output.shape and got.dtype == case.Q.dtype
    tol = draws.tolerance(case)
    assert_allclose(got, output, rtol=tol, atol=4 * tol)


@given(draws.cases(dtypes=BFLOAT16, groups=True))
def test_groups_of_bfloat16_are_computed_in_single_and_rounded_once(case):
    got = grouped_attention(*case.arrays, **case.options)
    draws.check_rounded(got, grouped_attention, *case.arrays, **case.options)


def test_heads_of_bfloat16_are_split_and_merged_as_they_are():
    X = normal(2, 3, 6).astype(ml_dtypes.bfloat16)
    heads = split_heads(X, 3)
    assert heads.dtype == merge_heads(heads).dtype == ml_dtypes.bfloat16
    assert_array_equal(merge_heads(heads), X)


def test_as_many_groups_as_heads_is_plain_attention():
    Q, K, V = normal(2, 3, 4, 5), normal(2, 3, 6, 5, seed=1), normal(2, 3, 6, 7, seed=2)
    assert_array_equal(grouped_attention(Q, K, V), attention(Q, K, V))


def test_a_mask_of_each_head_and_one_of_all_heads():
    Q, K, V = normal(4, 3, 5), normal(2, 6, 5, seed=1), normal(2, 6, 7, seed=2)
    mask = np.random.default_rng(3).random((4, 3, 6)) < 0.6
    got = grouped_attention(Q, K, V, mask=mask)
    for head in range(4):
        one = attention(Q[head], K[head // 2], V[head // 2], mask=mask[head])
        assert_allclose(got[head], one, rtol=1e-13)
    same = grouped_attention(Q, K, V, mask=mask[0])
    assert_array_equal(same, grouped_attention(Q, K, V, mask=mask[:1].repeat(4, 0)))


@pytest.mark.parametrize(
    ("shapes", "says"),
    [
        (((4, 3, 5), (3, 6, 5), (3, 6, 7)), "divisible by n_kv_heads, got 4 and 3"),
        (((2, 3, 5), (4, 6, 5), (4, 6, 7)), "divisible by n_kv_heads, got 2 and 4"),
        (((0, 3, 5), (2, 6, 5), (2, 6, 7)), "n_heads must be at least 1, got 0"),
        (((4, 3, 5), (0, 6, 5), (0, 6, 7)), "n_kv_heads must be at least 1, got 0"),
        (((4, 3, 5), (2, 6, 5), (1, 6, 7)), "K and V must share n_kv_heads"),
        (((3, 5), (2, 6, 5), (2, 6, 7)), r"Q needs a head axis, got shape \(3, 5\)"),
        (((2, 3, 5), (6, 5), (2, 6, 7)), r"K needs a head axis, got shape \(6, 5\)"),
        (((2, 3, 5), (2, 6, 5), (6, 7)), r"V needs a head axis, got shape \(6, 7\)"),
        (((4, 3, 5), (2, 6, 4), (2, 6, 7)), "Q and K must share d_k"),
        (((4, 3, 5), (2, 6, 5), (2, 5, 7)), "K and V must share n_k"),
        (((2, 4, 3, 5), (3, 2, 6, 5), (2, 6, 7)), "leading axes of Q, K, V must"),
    ],
)
def test_what_groups_check(shapes, says):
    with pytest.raises(ValueError, match=says):
        grouped_attention(*map(np.ones, shapes))


def test_groups_check_masks_against_the_query_heads():
    inputs = normal(4, 3, 5), normal(2, 6, 5), normal(2, 6, 7)
    for name, kind in (("mask", bool), ("bias", float)):
        says = (
            rf"{name} must broadcast to the scores' shape \(4, 3, 6\), got \(2, 3, 6\)"
        )
        with pytest.raises(ValueError, match=says):
            grouped_attention(*inputs, **{name: np.ones((2, 3, 6), kind)})
    with pytest.raises(TypeError, match="mask must be boolean"):
        grouped_attention(*inputs, mask=np.ones((4, 3, 6)))
    with pytest.raises(TypeError, match="unexpected keyword argument 'dropout'"):
        grouped_attention(*inputs, dropout=0.1)


def test_groups_take_lists_and_keep_the_dtype():
    Q, K, V = normal(2, 3, 5), normal(1, 6, 5), normal(1, 6, 7)
    expected = grouped_attention(Q, K, V, mask=[True] * 5 + [False], bias=[0.5] * 6)
    got = grouped_attention(
        Q.tolist(), K.tolist(), V.tolist(), mask=[True] * 5 + [False], bias=[0.5] * 6
    )
    assert_array_equal(got, expected)
    half = grouped_attention(*(x.astype("f2") for x in (Q, K, V)))
    assert half.dtype == np.float16


# The cache.


def test_the_cache_shows_all_that_was_appended():
    cache = KVCache(2, 3, 4, batch=(5,), capacity=2)
    K, V = normal(5, 2, 7, 3), normal(5, 2, 7, 4, seed=1)
    for start, end in ((0, 1), (1, 2), (2, 2), (2, 6), (6, 7)):
        keys, values = cache.append(K[:, :, start:end], V[:, :, start:end])
        assert len(cache) == end
        assert_array_equal(keys, K[:, :, :end])
        assert_array_equal(values, V[:, :, :end])
        assert cache.nbytes == keys.nbytes + values.nbytes == 5 * 2 * end * (3 + 4) * 8


def test_an_empty_cache_has_no_bytes():
    cache = KVCache(1, 2, 2)
    assert len(cache) == 0 and cache.nbytes == 0


def test_decoding_with_a_cache_gives_the_rows_of_the_whole():
    Q, K, V = normal(2, 6, 3), normal(1, 6, 3, seed=1), normal(1, 6, 4, seed=2)
    whole = grouped_attention(Q, K, V, causal=True)
    cache = KVCache(1, 3, 4, capacity=1)
    for t in range(6):
        now = slice(t, t + 1)
        keys, values = cache.append(K[:, now], V[:, now])
        row = grouped_attention(Q[:, now], keys, values, causal=True)
        assert_allclose(row, whole[:, now], rtol=1e-13)


def test_views_share_memory_stay_valid_and_cannot_be_written():
    cache = KVCache(1, 2, 2, capacity=3)
    first, _ = cache.append(np.ones((1, 1, 2)), np.ones((1, 1, 2)))
    second, _ = cache.append(np.zeros((1, 1, 2)), np.zeros((1, 1, 2)))
    assert np.shares_memory(first, second)
    cache.append(np.zeros((1, 9, 2)), np.zeros((1, 9, 2)))
    assert_array_equal(first, np.ones((1, 1, 2)))
    with pytest.raises(ValueError, match="read-only"):
        second[:] = 5


def test_room_doubles_so_that_appending_stays_cheap():
    cache, moves, last = KVCache(1, 1, 1, capacity=1), 0, None
    for _ in range(100):
        keys, _ = cache.append(np.ones((1, 1, 1)), np.ones((1, 1, 1)))
        moves += last is not None and not np.shares_memory(last, keys)
        last = keys
    assert moves == math.ceil(math.log2(100))


def test_room_for_the_capacity_is_reserved_at_once():
    cache, one = KVCache(1, 1, 1, capacity=100), np.ones((1, 1, 1))
    first, _ = cache.append(one, one)
    last, _ = cache.append(np.ones((1, 99, 1)), np.ones((1, 99, 1)))
    assert np.shares_memory(first, last)


@pytest.mark.parametrize("dtype", [np.float16, "f4", np.float64, ml_dtypes.bfloat16])
def test_the_cache_has_one_dtype(dtype):
    cache = KVCache(1, 2, 2, dtype=dtype)
    keys, values = cache.append(np.ones((1, 3, 2), int), np.ones((1, 3, 2)))
    assert keys.dtype == values.dtype == dtype
    assert cache.nbytes == 3 * 4 * np.dtype(dtype).itemsize
    assert KVCache(1, 2, 2).dtype == np.float64


def test_what_leaves_the_range_of_the_cache_is_infinite_and_goes_unflagged():
    cache, far = KVCache(1, 3, 1, dtype=np.float16), [[[1e300, -1e300, 1e-300]]]
    with np.errstate(all="raise"):
        keys, values = cache.append(far, [[[2.0]]])
    assert_array_equal(keys, [[[np.inf, -np.inf, 0]]])
    assert_array_equal(values, [[[2]]])


def test_what_the_cache_checks_leaves_it_as_it_was():
    cache = KVCache(2, 3, 4)
    cache.append(np.ones((2, 1, 3)), np.ones((2, 1, 4)))
    bad = [
        ((2, 1, 4), (2, 1, 4), r"K must be \(2, 1, 3\), got \(2, 1, 4\)"),
        ((2, 1, 3), (2, 2, 4), r"V must be \(2, 1, 4\), got \(2, 2, 4\)"),
        ((1, 1, 3), (1, 1, 4), r"K must be \(2, 1, 3\), got \(1, 1, 3\)"),
        ((3,), (2, 1, 4), r"K must be \(2, 'n_new', 3\), got \(3,\)"),
    ]
    for K, V, says in bad:
        with pytest.raises(ValueError, match=says):
            cache.append(np.ones(K), np.ones(V))
    with pytest.raises(TypeError, match="V must hold real numbers"):
        cache.append(np.ones((2, 1, 3)), np.ones((2, 1, 4)) * 1j)
    with pytest.raises(TypeError, match="K must hold real numbers"):
        cache.append(np.ones((2, 1, 3)) > 0, np.ones((2, 1, 4)))
    assert len(cache) == 1


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"n_kv_heads": 0}, ValueError, "n_kv_heads must be at least 1, got 0"),
        ({"d_k": 0}, ValueError, "d_k must be at least 1, got 0"),
        ({"d_v": -1}, ValueError, "d_v must be at least 0, got -1"),
        ({"batch": (-1,)}, ValueError, "batch must be at least 0, got -1"),
        ({"batch": -1}, ValueError, "batch must be at least 0, got -1"),
        ({"batch": None}, TypeError, "batch must be an integer, got None"),
        ({"batch": 2.0}, TypeError, "batch must be an integer, got 2.0"),
        ({"capacity": 0}, ValueError, "capacity must be at least 1, got 0"),
        ({"d_k": 1.0}, TypeError, "d_k must be an integer, got 1.0"),
        ({"dtype": int}, TypeError, "dtype must be a float type, got int64"),
        ({"dtype": complex}, TypeError, "dtype must be a float type, got complex"),
        ({"dtype": ml_dtypes.int4}, TypeError, "dtype must be a float type, got int4"),
    ],
)
def test_what_a_new_cache_checks(arguments, error, says):
    with pytest.raises(error, match=says):
        KVCache(**({"n_kv_heads": 1, "d_k": 1, "d_v": 1} | arguments))


def test_a_cache_without_sequences_and_with_empty_values():
    cache = KVCache(1, 2, 0, batch=(0,))
    keys, values = cache.append(np.ones((0, 1, 3, 2)), np.ones((0, 1, 3, 0)))
    assert keys.shape == (0, 1, 3, 2) and values.shape == (0, 1, 3, 0)


def test_one_number_is_one_leading_axis():
    cache = KVCache(1, 2, 2, batch=np.int64(3))
    keys, _ = cache.append(np.ones((3, 1, 4, 2)), np.ones((3, 1, 4, 2)))
    assert keys.shape == (3, 1, 4, 2)


@pytest.mark.parametrize(
    "twin_of",
    [copy.copy, copy.deepcopy, lambda cache: pickle.loads(pickle.dumps(cache))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_two_continuations_of_one_text_do_not_touch_each_other(twin_of):
    start, yes, no = (np.full((1, 1, 2), x) for x in (1.0, 2, 3))
    cache = KVCache(1, 2, 2, dtype=ml_dtypes.bfloat16)
    before, _ = cache.append(start, start)
    twin = twin_of(cache)
    ours, theirs = cache.append(yes, yes), twin.append(no, no)
    for array in ours:
        assert_array_equal(array[0, :, 0], [1, 2])
    for array in theirs:
        assert_array_equal(array[0, :, 0], [1, 3])
        assert array.dtype == ml_dtypes.bfloat16 and not array.flags.writeable
    assert_array_equal(before, start)
    assert len(cache) == len(twin) == 2


def test_a_copy_keeps_what_a_subclass_adds():
    class Named(KVCache):
        name = ""

    cache = Named(1, 2, 2)
    cache.name = "a"
    twin = copy.copy(cache)
    assert type(twin) is Named and twin.name == "a"

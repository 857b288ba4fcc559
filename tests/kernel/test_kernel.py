import inspect
import math
import subprocess
import sys
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ml_dtypes import bfloat16
from numpy.testing import assert_allclose, assert_array_equal

import draws
import oracle
from attnbook.kernel import (
    _factor,
    attention,
    attention_weights,
    log_softmax,
    logsumexp,
    softmax,
)

STRICT = {"over": "raise", "invalid": "raise", "divide": "raise", "under": "raise"}
NAN, INF = np.nan, np.inf


def normal(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


# Closed forms: a reader can check each with pencil and paper.


def test_weights_are_exponentials_over_their_sum():
    weights = attention_weights([[1.0]], [[0.0], [math.log(3)]])
    assert_allclose(weights, [[1 / 4, 3 / 4]], rtol=1e-15)


def test_the_default_scale_is_one_over_the_root_of_the_width_of_a_query():
    Q, K = [[1.0, 1, 1, 1]], [[0.0] * 4, [2 * math.log(3)] + [0.0] * 3]
    assert_allclose(attention_weights(Q, K), [[1 / 4, 3 / 4]], rtol=1e-15)


def test_the_scale_is_that_of_one_head_where_width_is_split():
    K = np.zeros((1, 4, 2, 16))
    K[..., 1, 0] = 4 * math.log(3)
    weights = attention_weights(np.eye(1, 16)[None, None].repeat(4, 1), K)
    assert_allclose(weights[0, 3], [[1 / 4, 3 / 4]], rtol=1e-15)


def test_output_is_the_average_of_the_values():
    output = attention([[1.0]], [[0.0], [math.log(3)]], [[8.0, 0], [0, 4]])
    assert_allclose(output, [[2, 3]], rtol=1e-15)


def test_a_given_scale_replaces_the_default():
    weights = attention_weights([[1.0, 0]], [[0.0, 0], [1, 0]], scale=math.log(3))
    assert_allclose(weights, [[1 / 4, 3 / 4]], rtol=1e-15)


def test_a_scale_of_zero_is_not_taken_for_none():
    assert_array_equal(attention_weights([[1.0]], [[0.0], [5]], scale=0), [[0.5, 0.5]])


def test_temperature_divides_scores_and_bias():
    weights = attention_weights(
        [[1.0]], [[0.0], [math.log(3)]], bias=[0.0, math.log(3)], temperature=2
    )
    assert_allclose(weights, [[1 / 4, 3 / 4]], rtol=1e-15)


def test_bias_is_added_once_and_not_scaled():
    weights = attention_weights(
        np.zeros((1, 64)), np.zeros((2, 64)), bias=[0, math.log(3)]
    )
    assert_allclose(weights, [[1 / 4, 3 / 4]], rtol=1e-15)


def test_softcap_bends_the_scores_before_the_bias_is_added():
    cap = 2 * math.log(3)
    weights = attention_weights([[1e30]], [[0.0], [1]], softcap=cap, bias=[0, -cap / 2])
    assert_allclose(weights, [[1 / 4, 3 / 4]], rtol=1e-15)


def test_softcap_leaves_small_scores_alone_and_bends_middling_ones():
    weights = attention_weights([[1.0]], [[0.0], [3]], softcap=2.0)
    assert_allclose(weights[0, 1], 1 / (1 + math.exp(-2 * math.tanh(1.5))), rtol=1e-15)


def test_values_may_be_wider_or_narrower_than_keys():
    for d_v in (0, 1, 9):
        assert attention(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, d_v))).shape == (
            2,
            d_v,
        )


def test_options_may_only_be_named():
    for function, inputs in ((attention, 3), (attention_weights, 2), (softmax, 1)):
        kinds = [p.kind for p in inspect.signature(function).parameters.values()]
        assert kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD) == inputs
        assert kinds.count(inspect.Parameter.KEYWORD_ONLY) == len(kinds) - inputs


# Every option at once, against the definition.


@given(draws.cases())
def test_weights_agree_with_the_definition(case):
    weights, _ = oracle.attention(case.Q, case.K, case.K, **case.options)
    got = attention_weights(case.Q, case.K, **case.options)
    assert got.shape == weights.shape and got.dtype == case.Q.dtype
    tol = draws.tolerance(case)
    assert_allclose(got, weights, rtol=tol, atol=tol)
    assert_array_equal(got[weights == 0], 0)


@given(draws.cases())
def test_output_agrees_with_the_definition(case):
    _, output = oracle.attention(*case.arrays, **case.options)
    got = attention(*case.arrays, **case.options)
    assert got.shape == output.shape and got.dtype == case.Q.dtype
    tol = draws.tolerance(case)
    assert_allclose(got, output, rtol=tol, atol=4 * tol)


@given(draws.cases(dtypes=draws.HALVES))
def test_half_precision_is_computed_in_single_and_rounded_once(case):
    _, output = oracle.attention(*case.arrays, **case.options)
    got = attention(*case.arrays, **case.options)
    eps = draws.EPS[case.Q.dtype]
    assert_allclose(got.astype(float), output, eps, eps + draws.tolerance(case, "f4"))
    draws.check_rounded(got, attention, *case.arrays, **case.options)
    got = attention_weights(case.Q, case.K, **case.options)
    draws.check_rounded(got, attention_weights, case.Q, case.K, **case.options)


@pytest.mark.parametrize("dtype", draws.HALVES)
@pytest.mark.parametrize("function", [softmax, log_softmax, logsumexp])
def test_softmax_in_half_precision_is_computed_in_single(function, dtype):
    x = 20 * normal(4, 300)
    mask = normal(4, 300, seed=1) > 0
    for axis in (0, 1):
        got = function(x.astype(dtype), mask=mask, axis=axis)
        draws.check_rounded(got, function, x.astype(dtype), mask=mask, axis=axis)


@given(draws.cases())
def test_inputs_are_never_changed(case):
    arrays = [*case.arrays, case.options.get("mask"), case.options.get("bias")]
    before = [None if x is None else x.copy() for x in arrays]
    for x in arrays:
        if x is not None:
            x.flags.writeable = False  # and read-only arrays are welcome
    attention(*case.arrays, **case.options)
    for x, copy in zip(arrays, before, strict=True):
        if x is not None:
            assert_array_equal(x, copy)


def test_softmax_never_changes_its_input():
    for function in (softmax, log_softmax, logsumexp):
        x = normal(3, 4)
        function(x, mask=[True, False, True, True])
        assert_array_equal(x, normal(3, 4))


# Promise 1: masking is removal, for each query separately.


@given(draws.cases(dtypes=(np.float32, np.float64, *draws.HALVES)))
def test_what_no_query_sees_has_no_influence(case):
    Q, K, V, options = draws.poison_hidden(case)
    clean = attention(*case.arrays, **case.options)
    assert_array_equal(attention(Q, K, V, **options), clean)
    weights = attention_weights(Q, K, **options)
    assert_array_equal(weights, attention_weights(case.Q, case.K, **case.options))


@given(draws.cases(min_keys=1), st.data())
def test_poison_in_a_key_reaches_the_queries_that_see_it_and_no_other(case, data):
    j = data.draw(st.integers(0, case.K.shape[-2] - 1))
    K, V = draws.poison_key(case, j, NAN, in_values=False)
    clean, got = (attention(case.Q, k, V, **case.options) for k in (case.K, K))
    sees = draws.rows_that_see(case, j, got.shape)
    assert_array_equal(got[~sees], clean[~sees])
    assert np.isnan(got[sees]).all()
    weights = attention_weights(case.Q, K, **case.options)
    for row, keys in case.pairs.items():
        hidden = np.delete(weights[row], keys)
        assert_array_equal(hidden, 0)


@given(draws.cases(min_keys=1), st.sampled_from(draws.POISON), st.data())
def test_poison_in_a_value_reaches_the_queries_that_see_it_and_no_other(
    case, value, data
):
    if case.V.shape[-1] == 0:
        return
    j = data.draw(st.integers(0, case.K.shape[-2] - 1))
    K, V = draws.poison_key(case, j, value, in_values=True)
    clean, got = (attention(case.Q, K, v, **case.options) for v in (case.V, V))
    sees = draws.rows_that_see(case, j, got.shape)
    tol = draws.tolerance(case)
    assert_array_equal(got[~sees], clean[~sees])
    weight = attention_weights(case.Q, K, **case.options)[..., j]
    weight = np.broadcast_to(weight, sees.shape)[sees]
    assert_array_equal(got[sees][:, 0], np.where(weight == 0, NAN, value))
    assert_allclose(got[sees][:, 1:], clean[sees][:, 1:], rtol=tol, atol=4 * tol)


@given(draws.cases(min_keys=1), st.sampled_from(draws.POISON), st.data())
def test_poison_in_a_query_or_bias_stays_in_its_row(case, value, data):
    if case.Q.shape[-2] == 0:
        return
    i = data.draw(st.integers(0, case.Q.shape[-2] - 1))
    clean = attention(*case.arrays, **case.options)
    Q = case.Q.copy()
    Q[..., i, :] = value
    got = attention(Q, case.K, case.V, **case.options)
    others = np.arange(Q.shape[-2]) != i
    assert_array_equal(got[..., others, :], clean[..., others, :])
    shape = draws.score_shape(case.Q, case.K)
    bias = np.broadcast_to(case.options.get("bias", 0.0), shape).copy()
    bias[..., i, :] = NAN
    got = attention(*case.arrays, **(case.options | {"bias": bias}))
    assert_array_equal(got[..., others, :], clean[..., others, :])


def test_a_causal_mask_keeps_the_future_out_even_if_it_is_not_a_number():
    Q, K, V = normal(4, 3), normal(4, 3, seed=1), normal(4, 2, seed=2)
    clean = attention(Q, K, V, causal=True)
    for poison in draws.POISON:
        for array in (K, V):
            kept = array[2].copy()
            array[2] = poison
            got = attention(Q, K, V, causal=True)
            array[2] = kept
            assert_array_equal(got[:2], clean[:2])
            assert not np.isfinite(got[2:]).any()


def test_infinite_values_of_both_signs_give_nan_to_those_who_see_both():
    V = np.array([[1.0], [INF], [-INF]])
    got = attention(np.ones((3, 1)), np.ones((3, 1)), V, causal=True)
    assert_array_equal(got, [[1], [INF], [NAN]])


def test_a_visible_infinite_value_with_weight_zero_is_still_seen():
    V, K = [[1.0], [INF], [NAN]], [[1000.0], [-1000], [0]]
    got = attention([[1.0]], K, V, mask=[True, True, False], scale=1)
    assert_array_equal(got, [[NAN]])


def test_a_key_that_scores_minus_infinity_weighs_nothing():
    weights = attention_weights([[1.0], [-1]], [[-INF], [2], [2]], scale=1)
    assert_array_equal(weights, [[0, 0.5, 0.5], [NAN, NAN, NAN]])


def test_a_row_that_sees_nan_still_gives_hidden_keys_exactly_zero():
    mask = [[True, True, False], [True, False, True]]
    weights = attention_weights([[1.0], [1]], [[1.0], [NAN], [1]], mask=mask)
    assert_array_equal(weights, [[NAN, NAN, 0], [0.5, 0, 0.5]])
    assert_array_equal(
        softmax([INF, 1.0, NAN], mask=[True, True, False]), [NAN, NAN, 0]
    )


def test_hidden_poison_in_one_sequence_of_a_batch():
    Q, K, V = normal(2, 3, 4), normal(2, 5, 4, seed=1), normal(2, 5, 2, seed=2)
    mask = np.arange(5) < np.array([2, 5])[:, None, None]
    clean = attention(Q, K, V, mask=mask)
    K[0, 2:] = NAN
    V[0, 2:] = INF
    assert_array_equal(attention(Q, K, V, mask=mask), clean)
    assert_allclose(clean[0], attention(Q[0], K[0, :2], V[0, :2]), rtol=1e-14)
    V[1, 4] = NAN
    assert_array_equal(attention(Q, K, V, mask=mask)[0], clean[0])


def test_poisoned_values_that_broadcast_over_a_batch_of_masks():
    mask = np.array([[[True, False]], [[False, True]]])
    Q, K = np.ones((2, 1, 1)), np.ones((2, 1))
    got = attention(Q, K, [[5.0, 6], [INF, 7]], mask=mask)
    assert_array_equal(got, [[[5, 6]], [[INF, 7]]])
    V = np.array([[[5.0], [INF]]] * 3)
    got = attention(Q[0], K, V, mask=[True, False])
    assert_array_equal(got, np.full((3, 1, 1), 5))


# Promise 2: a query with no key.


@pytest.mark.parametrize(
    "options",
    [
        {"mask": np.zeros((3, 4), bool)},
        {"mask": False},
        {"bias": np.full((3, 4), -INF)},
        {"mask": [True, False] * 2, "bias": [-INF, 0.0, -INF, NAN]},
        {"mask": [[False]] * 3, "temperature": 1e-300, "softcap": 2.0},
    ],
)
def test_a_query_with_no_key_gets_zeros(options):
    Q, K, V = normal(3, 2), normal(4, 2), normal(4, 5)
    with np.errstate(all="raise"):
        assert_array_equal(attention_weights(Q, K, **options), np.zeros((3, 4)))
        assert_array_equal(attention(Q, K, V, **options), np.zeros((3, 5)))
        K[:], V[:] = NAN, INF
        assert_array_equal(attention(Q, K, V, **options), np.zeros((3, 5)))


def test_a_dead_query_holds_nan_and_gives_zeros():
    mask = [[False, False], [True, True]]
    got = attention([[NAN], [0.0]], np.ones((2, 1)), np.ones((2, 1)), mask=mask)
    assert_array_equal(got, [[0], [1]])


def test_no_keys_at_all_gives_zeros():
    got = attention(normal(3, 2), normal(0, 2), normal(0, 5))
    assert_array_equal(got, np.zeros((3, 5)))
    assert attention_weights(normal(3, 2), normal(0, 2)).shape == (3, 0)


def test_no_queries_and_no_batch_work():
    assert attention(normal(0, 2), normal(3, 2), normal(3, 5)).shape == (0, 5)
    shape = attention(normal(0, 4, 2), normal(3, 2), normal(0, 3, 5)).shape
    assert shape == (0, 4, 5)
    assert attention(normal(1, 4, 2), normal(0, 3, 2), normal(3, 0)).shape == (0, 4, 0)


def test_bottom_right_leaves_the_first_rows_of_a_tall_matrix_empty():
    weights = attention_weights(np.zeros((3, 1)), np.zeros((2, 1)), causal=True)
    assert_array_equal(weights, [[0, 0], [1, 0], [0.5, 0.5]])


@pytest.mark.parametrize("mask", [None, False])
def test_softmax_of_nothing(mask):
    x = [-INF, -INF] if mask is None else [NAN, INF]
    with np.errstate(all="raise"):
        assert_array_equal(softmax(x, mask=mask), [0, 0])
        assert_array_equal(log_softmax(x, mask=mask), [-INF, -INF])
        assert logsumexp(x, mask=mask) == -INF


def test_softmax_along_an_empty_axis():
    empty = np.zeros((2, 0))
    assert softmax(empty).shape == log_softmax(empty).shape == (2, 0)
    assert_array_equal(logsumexp(empty), [-INF, -INF])


# Promise 3: masks are boolean, and combine before anything becomes minus infinity.


@pytest.mark.parametrize("mask", [[[1, 0]], [[1.0, 0.0]], [[0.0, -INF]], [["a", "b"]]])
@pytest.mark.parametrize("function", [softmax, log_softmax, logsumexp])
def test_a_mask_of_numbers_is_refused(function, mask):
    says = (
        r"^mask must be boolean, True = may attend, got dtype .*; "
        r"convert 0/1 with mask\.astype\(bool\), or pass terms to be added as bias$"
    )
    with pytest.raises(TypeError, match=says):
        attention_weights(np.ones((1, 2)), np.ones((2, 2)), mask=mask)
    with pytest.raises(TypeError, match=says):
        function(np.ones((1, 2)), mask=mask)


def test_a_boolean_bias_is_refused():
    with pytest.raises(
        TypeError, match=r"^bias must hold real numbers: pass booleans as mask$"
    ):
        attention_weights(np.ones((1, 2)), np.ones((2, 2)), bias=[True, False])


def test_true_means_may_attend():
    weights = attention_weights([[1.0]], [[1.0], [1], [1]], mask=[True, False, True])
    assert_array_equal(weights, [[0.5, 0, 0.5]])


def test_masks_combine_before_anything_is_minus_infinity():
    lowest = np.finfo(np.float32).min
    Q, K = np.zeros((3, 1), np.float32), np.zeros((3, 1), np.float32)
    options = {"mask": [True, True, False], "bias": [-INF, lowest, lowest]}
    weights = attention_weights(Q, K, causal=True, **options)
    assert_array_equal(weights, [[0, 0, 0], [0, 1, 0], [0, 1, 0]])


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_finite_bias_hides_nothing_even_if_the_dtype_cannot_hold_it(dtype):
    Q = np.zeros((1, 1), dtype)
    bias = np.full(2, np.finfo(np.float64).min)
    K = np.zeros((2, 1), dtype)
    assert_array_equal(attention_weights(Q, K, bias=bias), [[0.5, 0.5]])
    weights = attention_weights(Q, K, bias=np.array([np.inf, 0]))
    assert_array_equal(weights, [[NAN, NAN]])
    K = np.zeros((3, 1), dtype)
    weights = attention_weights(Q, K, bias=[-1e300, -INF, 0.0])
    assert_array_equal(weights, [[0, 0, 1]])
    weights = attention_weights(Q, K, bias=[1e300, 1e301, 0.0])
    assert_array_equal(weights, [[0.5, 0.5, 0]])


def test_a_bias_keeps_the_precision_of_the_work():
    Q, K = np.zeros((1, 1), np.float16), np.zeros((2, 1), np.float16)
    weights = attention_weights(Q, K, bias=[0.0, 3000.5 - 3000], temperature=0.25)
    assert weights.dtype == np.float16
    assert_allclose(weights[0, 1], 1 / (1 + math.exp(-2)), rtol=1e-3)


@pytest.mark.parametrize("name", ["mask", "bias"])
@pytest.mark.parametrize("shape", [(4, 3, 2), (2, 1, 3, 2), (4,), (3, 4), (2, 3, 2, 1)])
def test_mask_and_bias_may_not_enlarge_the_scores(name, shape):
    array = np.ones(shape, bool if name == "mask" else float)
    says = rf"{name} must broadcast to the scores' shape \(2, 3, 2\), got "
    with pytest.raises(ValueError, match=says):
        attention(normal(2, 3, 4), normal(2, 4), normal(2, 2, 4), **{name: array})


def test_a_mask_may_not_enlarge_the_input_of_softmax():
    for function in (softmax, log_softmax, logsumexp):
        with pytest.raises(ValueError, match=r"scores' shape \(1, 2\), got \(3, 2\)"):
            function(np.ones((1, 2)), mask=np.ones((3, 2), bool))


# Promise 4: alignment is explicit.


def test_causal_lines_up_the_last_query_with_the_last_key():
    Q, K = np.zeros((2, 1)), np.zeros((3, 1))
    expected = [[1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]
    assert_allclose(attention_weights(Q, K, causal=True), expected)
    weights = attention_weights(Q, K, causal=True, align="top_left")
    assert_allclose(weights, [[1, 0, 0], [1 / 2, 1 / 2, 0]])


def test_a_single_query_with_cached_keys_sees_them_all():
    Q, K, V = normal(1, 4), normal(6, 4, seed=1), normal(6, 2, seed=2)
    assert_array_equal(attention(Q, K, V, causal=True), attention(Q, K, V))


def test_align_does_nothing_without_causal():
    Q, K = normal(2, 3), normal(4, 3)
    weights = attention_weights(Q, K, align="top_left")
    assert_array_equal(weights, attention_weights(Q, K))


# Promise 5: no overflow.


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_large_scores_overflow_nowhere(dtype):
    Q, K = np.array([[200.0], [-200]], dtype), np.array([[200.0], [199], [0]], dtype)
    with np.errstate(**STRICT):
        weights = attention_weights(Q, K, scale=1)
    assert_allclose(weights, [[1, 0, 0], [0, 0, 1]], atol=1e-80)


def test_the_maximum_of_each_row_is_its_own():
    x = np.array([[0.0, 0.0], [1e4, 1e4]])
    assert_array_equal(softmax(x), np.full((2, 2), 0.5))
    assert_allclose(logsumexp(x), [math.log(2), 1e4 + math.log(2)], rtol=1e-15)


def test_a_huge_hidden_score_does_not_drown_the_visible_ones():
    mask = [True, True, False]
    for dtype in (np.float16, np.float32, np.float64):
        x = np.array([0.0, math.log(3), np.finfo(dtype).max], dtype)
        tol = 4 * np.finfo(dtype).eps
        assert_allclose(softmax(x, mask=mask), [1 / 4, 3 / 4, 0], rtol=tol)
        assert_allclose(logsumexp(x, mask=mask), math.log(4), rtol=tol)


@pytest.mark.parametrize("temperature", [1e-3, 1e-39, 1e-300, 5e-324])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_tiny_temperature_is_the_argmax_with_ties_shared(temperature, dtype):
    K = np.array([[1.0], [3], [2], [3]], dtype)
    with np.errstate(**STRICT):
        weights = attention_weights(
            np.ones((1, 1), dtype),
            K,
            temperature=temperature,
            mask=[[True, True, True, True]],
        )
    assert_array_equal(weights, [[0, 0.5, 0, 0.5]])


@pytest.mark.parametrize("temperature", [1e30, 1e39, 1e300])
def test_a_huge_temperature_evens_out_what_is_visible(temperature):
    mask = [True, False, True]
    for dtype in (np.float32, np.float64):
        Q, K = np.ones((1, 1), dtype), np.array([[1.0], [9], [5]], dtype)
        weights = attention_weights(Q, K, mask=mask, temperature=temperature)
        assert_allclose(weights, [[0.5, 0, 0.5]], rtol=1e-6)
        assert weights.dtype == dtype


def test_half_precision_products_do_not_overflow():
    Q = np.full((1, 64), 100, np.float16)  # the product is 640000, ten times the range
    K = np.stack([np.full(64, 100), np.full(64, 99.9)]).astype(np.float16)
    with np.errstate(**STRICT):
        weights = attention_weights(Q, K, scale=1e-4)
    exact = 1e-4 * Q.astype(float) @ K.T.astype(float)
    assert_allclose(weights, softmax(exact), rtol=1e-3)


@pytest.mark.parametrize("scale", [1e-45, 1e-300, 1e39, 1e300])
def test_a_scale_beyond_the_range_of_the_dtype(scale):
    size = np.float32(1e18 if scale < 1 else 1e-18)
    Q, K = np.full((1, 1), size), np.array([[0], [size]])
    with np.errstate(**STRICT):
        weights = attention_weights(Q, K, scale=scale)
    x = float(size) ** 2 * scale
    assert_allclose(weights[0, 1], 1 / (1 + math.exp(-min(x, 700))), rtol=1e-5)


def test_a_large_scale_does_not_overflow_before_the_product():
    Q, K = np.full((1, 1), 1e20, "f4"), np.array([[0], [1e-20], [-1e-20]], "f4")
    for sign in (1, -1):
        weights = attention_weights(Q, K, scale=sign * 1e20, temperature=1e20)
        assert_allclose(weights, softmax([[0.0, sign, -sign]]), rtol=1e-5)


def test_a_small_scale_is_applied_before_the_product_overflows():
    Q, K = np.full((1, 4), 1e20, "f4"), np.outer([1, 0.5], np.full(4, 1e20))
    weights = attention_weights(Q, K.astype("f4"), scale=1e-40)
    assert_allclose(weights, softmax([[4.0, 2]]), rtol=1e-5)


def test_subnormal_numbers_are_numbers():
    for dtype in (np.float16, np.float32, np.float64):
        least = np.finfo(dtype).smallest_subnormal
        Q, K = np.full((1, 1), least, dtype), np.array([[1], [2]], dtype)
        with np.errstate(all="raise"):
            weights = attention_weights(Q, K, scale=1, temperature=float(least))
            assert_allclose(weights, softmax([[1.0, 2]]), rtol=1e-3)
            got = attention(np.zeros((1, 1), dtype), K[:1], Q)
        assert_array_equal(got, Q)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_only_numbers_that_do_not_fit_are_wider_than_the_work(dtype):
    info = np.finfo(dtype)
    for number in (0.0, 1.0, -0.3, float(info.tiny), float(info.max), -float(info.max)):
        assert type(_factor(number, dtype)) is float
    for number in (float(info.smallest_subnormal), float(info.tiny) / 2):
        assert type(_factor(number, dtype)) is np.float64
        assert type(_factor(-number, dtype)) is np.float64
    assert type(_factor(1e39, np.float32)) is np.float64


@pytest.mark.parametrize("softcap", [1e-300, 1e-40, 1e39, 1e300])
def test_a_softcap_beyond_the_range_of_the_dtype(softcap):
    Q, K = np.ones((1, 1), np.float32), np.array([[0], [1]], np.float32)
    with np.errstate(**STRICT):
        weights = attention_weights(Q, K, softcap=softcap)
    expected = 0.5 if softcap < 1 else 1 / (1 + math.exp(-1))
    assert_allclose(weights[0, 1], expected, rtol=1e-6)
    assert weights.dtype == np.float32


def test_nothing_is_flagged_when_infinities_meet():
    with np.errstate(**STRICT):
        got = attention([[1.0, 1]], [[INF, -INF], [0, 0]], [[1.0], [2]])
        assert_array_equal(got, [[NAN]])
        got = attention([[1.0]], [[INF], [0]], [[INF], [2.0]], mask=[False, True])
        assert_array_equal(got, [[2]])
        assert_array_equal(softmax([INF, INF, 0]), [NAN, NAN, NAN])
        assert_array_equal(log_softmax([INF, 0]), [NAN, NAN])
        assert logsumexp([INF, 0]) == INF
        assert np.isnan(logsumexp([NAN, 0]))
        assert_array_equal(log_softmax([NAN, 0, -INF]), [NAN, NAN, NAN])
        assert_array_equal(log_softmax([NAN, 0], mask=[True, False]), [NAN, -INF])


def test_large_values_are_averaged_without_overflow():
    V = np.full((4, 1), np.finfo(np.float32).max)
    got = attention(np.zeros((1, 1), np.float32), np.zeros((4, 1), np.float32), V)
    assert_allclose(got, V[:1], rtol=1e-6)
    V = np.full((4, 1), np.finfo(np.float16).max)
    assert attention(np.zeros((1, 1), "f2"), np.zeros((4, 1), "f2"), V) == V[0]


# Promise 6: rows of weights.


@pytest.mark.parametrize("dtype", [*draws.HALVES, np.float32, np.float64])
@pytest.mark.parametrize("n_k", [1, 7, 1024, 65536])
def test_rows_sum_to_one_within_four_units_in_the_last_place(dtype, n_k):
    Q, K = normal(8, 4, dtype=dtype), normal(n_k, 4, seed=1, dtype=dtype)
    for temperature in (0.1, 1.0, 10.0):
        weights = attention_weights(Q, K, temperature=temperature)
        sums = weights.astype(np.longdouble).sum(axis=-1)
        assert np.abs(sums - 1).max() <= 4 * draws.EPS[np.dtype(dtype)]
        assert (weights >= 0).all()


@given(st.integers(0, 2**32 - 1), st.sampled_from([np.float32, np.float64]))
def test_an_exact_constant_added_to_a_row_changes_nothing(seed, dtype):
    rng = np.random.default_rng(seed)
    x = draws.values(rng, (3, 5), dtype, 4.0)
    constant = draws.values(rng, (3, 1), dtype, 4096.0)
    assert_array_equal(softmax(x + constant), softmax(x))
    assert_array_equal(log_softmax(x + constant), log_softmax(x))
    Q, K = np.zeros((3, 1), dtype), np.zeros((5, 1), dtype)
    weights = attention_weights(Q, K, bias=x + constant)
    assert_array_equal(weights, attention_weights(Q, K, bias=x))


@given(draws.cases())
def test_the_order_of_keys_and_queries_does_not_matter(case):
    n_q, n_k = case.Q.shape[-2], case.K.shape[-2]
    rows, columns = case.rng.permutation(n_q), case.rng.permutation(n_k)
    options = {k: v for k, v in case.options.items() if k not in ("causal", "align")}
    expected = attention(*case.arrays, **options)
    for name in {"mask", "bias"} & options.keys():
        wide = np.broadcast_to(options[name], draws.score_shape(case.Q, case.K))
        options[name] = wide[..., rows, :][..., columns]
    Q, K, V = case.Q[..., rows, :], case.K[..., columns, :], case.V[..., columns, :]
    tol = draws.tolerance(case)
    got = attention(Q, K, V, **options)
    assert_allclose(got, expected[..., rows, :], rtol=tol, atol=4 * tol)


# Promise 7: what is checked.

ONES = np.ones((2, 3))


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ((ONES, np.ones((2, 4)), ONES), r"share d_k, got \(2, 3\) and \(2, 4\)"),
        ((ONES, ONES, np.ones((3, 3))), r"share n_k, got \(2, 3\) and \(3, 3\)"),
        ((np.ones(3), ONES, ONES), r"Q must be at least 2-D, got shape \(3,\)"),
        ((ONES, np.ones(3), ONES), r"K must be at least 2-D, got shape \(3,\)"),
        ((ONES, ONES, np.ones(2)), r"V must be at least 2-D, got shape \(2,\)"),
        ((ONES, ONES, 1.0), r"V must be at least 2-D, got shape \(\)"),
        (
            (np.ones((2, 0)), np.ones((2, 0)), ONES),
            r"d_k must be at least 1, got Q of \(2, 0\)",
        ),
        (
            (np.ones((2, 2, 3)), np.ones((3, 2, 3)), ONES),
            r"leading axes of Q, K, V must broadcast, got \(2, 2, 3\), \(3, 2, 3\)",
        ),
        (
            (np.ones((2, 2, 3)), ONES, np.ones((3, 2, 3))),
            r"leading axes of Q, K, V must broadcast.*\(3, 2, 3\)",
        ),
    ],
)
def test_shapes_that_do_not_match_are_refused(inputs, says):
    with pytest.raises(ValueError, match=says):
        attention(*inputs)


def test_heads_that_could_be_grouped_are_told_so():
    with pytest.raises(ValueError, match=r"\(heads .*: grouped_attention\)$"):
        attention(np.ones((4, 2, 3)), np.ones((2, 2, 3)), np.ones((2, 2, 3)))


def test_weights_refuse_shapes_too():
    with pytest.raises(ValueError, match=r"Q, K must broadcast, got \(2, 2, 3\)"):
        attention_weights(np.ones((2, 2, 3)), np.ones((3, 2, 3)))
    with pytest.raises(ValueError, match=r"share d_k, got \(2, 3\) and \(1, 2\)"):
        attention_weights(ONES, np.ones((1, 2)))


@pytest.mark.parametrize("name", ["temperature", "scale", "softcap"])
@pytest.mark.parametrize("value", [NAN, INF, -INF, 10**400])
def test_numbers_must_be_finite(name, value):
    with pytest.raises(ValueError, match=f"{name} must be finite, got"):
        attention(ONES, ONES, ONES, **{name: value})


@pytest.mark.parametrize("name", ["temperature", "softcap"])
@pytest.mark.parametrize("value", [0, -1.5, -0.0, Fraction(1, 10**400)])
def test_temperature_and_softcap_must_be_above_zero(name, value):
    with pytest.raises(ValueError, match=rf"{name} must be above 0, got {value}"):
        attention(ONES, ONES, ONES, **{name: value})


@pytest.mark.parametrize("name", ["temperature", "scale", "softcap"])
@pytest.mark.parametrize("value", ["1", True, 1j, [1.0], np.ones(1), np.bool_(True)])
def test_numbers_must_be_real_numbers(name, value):
    with pytest.raises(TypeError, match=f"{name} must be a real number, got"):
        attention(ONES, ONES, ONES, **{name: value})


@pytest.mark.parametrize(
    "one",
    [
        *(1, np.float32(1), np.int8(1), np.array(1.0), Fraction(1)),
        *(bfloat16(1), np.array(1, bfloat16), np.longdouble(1)),
    ],
)
def test_any_kind_of_real_number_will_do(one):
    Q, K = normal(2, 3, dtype="f4"), normal(4, 3, seed=1, dtype="f4")
    got = attention_weights(Q, K, temperature=one, scale=one, softcap=one)
    assert got.dtype == np.float32
    assert_array_equal(
        got, attention_weights(Q, K, temperature=1.0, scale=1.0, softcap=1.0)
    )


@pytest.mark.parametrize("align", ["lower_right", None, "BOTTOM_RIGHT", "", ONES])
def test_align_is_one_of_two(align):
    with pytest.raises(ValueError, match=r"align must be one of .*got "):
        attention(ONES, ONES, ONES, align=align)


@pytest.mark.parametrize("causal", ["top_left", 1, None])
def test_causal_is_true_or_false(causal):
    with pytest.raises(TypeError, match="causal must be True or False, got"):
        attention(ONES, ONES, ONES, causal=causal)


def test_causal_may_be_a_numpy_boolean():
    weights = attention_weights(ONES, ONES, causal=np.bool_(True))
    assert_allclose(weights, [[1, 0], [0.5, 0.5]])


# Dtypes and kinds of array.


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize(
    "bad",
    [
        *(ONES > 0, ONES * 1j, ONES.astype(object), np.full((2, 3), "a")),
        *(ONES.astype(kind) for kind in (ml_dtypes.float8_e5m2, ml_dtypes.int4)),
    ],
)
def test_what_is_no_real_number_is_refused(place, bad):
    inputs = [ONES, ONES, ONES]
    inputs[place] = bad
    with pytest.raises(TypeError, match=f"{'QKV'[place]} must hold real numbers, got"):
        attention(*inputs)


class Tensor:
    """What PyTorch does where its memory cannot be shown to NumPy as it is."""

    def __init__(self, error):
        self.error = error

    def __array__(self, dtype=None, copy=None):
        raise self.error


NEEDS_GRAD = RuntimeError("Can't call numpy() on Tensor that requires grad.")
NO_SCALAR_TYPE = TypeError("Got unsupported ScalarType BFloat16")


@pytest.mark.parametrize("error", [NEEDS_GRAD, NO_SCALAR_TYPE])
def test_a_tensor_that_numpy_cannot_read_is_named_with_what_to_do(error):
    says = r"^{} must be readable by NumPy \(tensors as x\.detach\(\)"
    for place, name in enumerate("QKV"):
        inputs = [ONES, ONES, ONES]
        inputs[place] = Tensor(error)
        with pytest.raises(
            TypeError, match=says.format(name) + f".*: {error.args[0][:9]}"
        ):
            attention(*inputs)
    for name in ("mask", "bias"):
        with pytest.raises(TypeError, match=says.format(name)):
            attention(ONES, ONES, ONES, **{name: Tensor(error)})
    with pytest.raises(TypeError, match=says.format("x")):
        softmax(Tensor(error))


def test_rows_of_unequal_length_are_named():
    with pytest.raises(
        ValueError, match=r"K must be readable by NumPy .*inhomogeneous"
    ):
        attention(ONES, [[1.0, 2, 3], [1.0]], ONES)


def test_values_must_be_given():
    with pytest.raises(TypeError, match="V must hold real numbers, got dtype object"):
        attention(ONES, ONES, None)


def test_softmax_and_bias_must_hold_real_numbers():
    with pytest.raises(TypeError, match="x must hold real numbers, got dtype complex"):
        softmax([1j])
    with pytest.raises(
        TypeError, match="bias must hold real numbers, got dtype complex"
    ):
        attention(ONES, ONES, ONES, bias=1j)


def test_a_masked_array_is_refused_for_its_mask_would_be_lost():
    with pytest.raises(TypeError, match="K must be a plain array, got a masked one"):
        attention(ONES, np.ma.masked_less(ONES, 2), ONES)
    for name, kind in (("mask", bool), ("bias", float)):
        array = np.ma.masked_all((2, 2), kind)
        with pytest.raises(TypeError, match=f"{name} must be a plain array"):
            attention(ONES, ONES, ONES, **{name: array})


@pytest.mark.parametrize(
    ("dtypes", "result"),
    [
        ("f2 f2 f2", "f2"),
        ("f4 f4 f4", "f4"),
        ("f8 f8 f8", "f8"),
        ("f4 f4 f8", "f8"),
        ("f2 f4 f2", "f4"),
        ("i4 i4 i4", "f8"),
        ("i1 u1 i1", "f8"),
        ("i1 f2 f2", "f2"),
        ("i8 f4 f4", "f8"),
        (">f4 >f4 >f4", "=f4"),
        ("g g g", "g"),
        ("bfloat16 bfloat16 bfloat16", "bfloat16"),
        ("bfloat16 i1 u1", "bfloat16"),
        ("f4 bfloat16 bfloat16", "f4"),
        ("bfloat16 f8 bfloat16", "f8"),
        ("bfloat16 bfloat16 f2", "f4"),
        ("f2 bfloat16 i1", "f4"),
        ("bfloat16 i2 bfloat16", "f4"),
        ("i8 i8 bfloat16", "f8"),
        ("bfloat16 >f2 >f2", "=f4"),
        ("bfloat16 g bfloat16", "g"),
    ],
)
def test_the_result_has_the_common_dtype(dtypes, result):
    Q, K, V = (np.ones((2, 3), dtype) for dtype in dtypes.split())
    got = attention(Q, K, V, bias=np.ones((2, 2)), temperature=np.float64(2))
    assert got.dtype == np.dtype(result) and got.dtype.isnative
    assert_array_equal(got, 1)
    pair = attention_weights(Q, Q).dtype
    assert pair == (np.float64 if dtypes[0] in "iu" else Q.dtype.newbyteorder("="))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_softmax_keeps_the_dtype(dtype):
    x = np.array([1, 2, 3], dtype)
    for function in (softmax, log_softmax, logsumexp):
        assert function(x).dtype == dtype
        assert function([1, 2, 3]).dtype == np.float64


def test_integers_do_not_wrap_around():
    Q, K = np.full((1, 2), 100, np.int8), np.array([[100, 100], [99, 100]], np.int8)
    weights = attention_weights(Q, K, scale=0.01)
    assert_allclose(weights, [[1 / (1 + math.exp(-1)), 1 / (1 + math.e)]])


def test_any_layout_of_memory_gives_the_same():
    Q, K, V = normal(4, 6), normal(10, 6, seed=1), normal(10, 6, seed=2)
    expected = attention(Q[:, ::2], K[::2, ::-2], V[::-2])
    copies = (np.ascontiguousarray(x) for x in (Q[:, ::2], K[::2, ::-2], V[::-2]))
    assert_allclose(expected, attention(*copies), rtol=1e-14)
    assert_array_equal(
        attention(*map(np.asfortranarray, (Q, K, V))), attention(Q, K, V)
    )
    lists = attention(Q.tolist(), K.tolist(), V.tolist())
    assert type(lists) is np.ndarray
    assert_array_equal(lists, attention(Q, K, V))


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_a_matrix_is_taken_as_an_array():
    got = attention(*(np.matrix(normal(3, 2)) for _ in range(3)))
    assert type(got) is np.ndarray
    assert_array_equal(got, attention(*[normal(3, 2)] * 3))


def test_leading_axes_broadcast_as_in_matmul():
    Q, K, V = normal(5, 1, 3, 2), normal(4, 6, 2, seed=1), normal(6, 7, seed=2)
    got = attention(Q, K, V)
    assert got.shape == (5, 4, 3, 7)
    assert_allclose(got[2, 3], attention(Q[2, 0], K[3], V), rtol=1e-13)
    V = normal(2, 1, 4, 6, 7)
    assert attention(Q, K, V).shape == (2, 5, 4, 3, 7)


PEAK = """
import tracemalloc
import numpy as np
from attnbook.kernel import attention
Q, K, V = np.random.default_rng(0).standard_normal((3, 1024, 64), dtype=np.float32)
attention(Q[:1], K, V)  # whatever the first call sets up
tracemalloc.start()
attention(Q, K, V)
print(tracemalloc.get_traced_memory()[1])
"""


def test_the_score_matrix_is_the_only_large_array():
    # In a process of its own: tracemalloc counts what all threads of a process do.
    run = [sys.executable, "-c", PEAK]
    options = {"capture_output": True, "text": True, "check": True}
    done = subprocess.run(run, timeout=120, **options)
    assert 4 * 1024**2 <= int(done.stdout) < 1.3 * 4 * 1024**2


# softmax, log_softmax and logsumexp as functions of their own.


@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 2, -1, -2, -3]))
def test_softmax_along_any_axis(seed, axis):
    rng = np.random.default_rng(seed)
    x = draws.values(rng, (3, 4, 5), np.float64, 4.0)
    mask = rng.random((4, 1)) < 0.7
    wide = np.moveaxis(np.broadcast_to(mask, x.shape), axis, -1)
    weights = np.moveaxis(softmax(x, mask=mask, axis=axis), axis, -1)
    logs = np.moveaxis(log_softmax(x, mask=mask, axis=axis), axis, -1)
    total = logsumexp(x, mask=mask, axis=axis)
    rows = np.moveaxis(x, axis, -1)
    assert total.shape == rows.shape[:-1]
    for i in np.ndindex(*total.shape):
        seen, hidden = wide[i], ~wide[i]
        expected = oracle.softmax_of(list(rows[i][seen]))
        assert_allclose(weights[i][seen], expected, rtol=1e-14)
        assert_allclose(logs[i][seen], np.log(expected), rtol=1e-13, atol=1e-13)
        assert_array_equal(weights[i][hidden], 0)
        assert_array_equal(logs[i][hidden], -INF)
        if seen.any():
            exact = math.log(math.fsum(np.exp(rows[i][seen])))
            assert_allclose(total[i], exact, rtol=1e-14, atol=1e-14)
        else:
            assert total[i] == -INF


def test_softmax_has_a_closed_form():
    x = np.log([[1, 2, 5]])
    assert_allclose(softmax(x), [[1 / 8, 2 / 8, 5 / 8]], rtol=1e-15)
    assert_allclose(log_softmax(x), np.log([[1 / 8, 2 / 8, 5 / 8]]), rtol=1e-15)
    assert_allclose(logsumexp(x), [math.log(8)], rtol=1e-15)
    assert_allclose(softmax(np.log([[1], [3]]), axis=0), [[1 / 4], [3 / 4]], rtol=1e-15)


def test_log_softmax_is_exact_where_the_weight_underflows():
    assert_array_equal(log_softmax([0.0, -1e4]), [0, -1e4])
    assert_array_equal(log_softmax([1e308, -1e308]), [0, -INF])


def test_an_axis_that_does_not_exist_is_refused():
    for function in (softmax, log_softmax, logsumexp):
        with pytest.raises(ValueError, match="axis 2 is out of bounds"):
            function(ONES, axis=2)
        with pytest.raises(ValueError, match="axis -1 is out of bounds"):
            function(1.0)
        with pytest.raises(ValueError, match=f"axis {10**30} is out of bounds"):
            function(ONES, axis=10**30)
        for axis in (None, (0, 1), 1.0, True):
            with pytest.raises(TypeError, match="axis must be an integer, got"):
                function(ONES, axis=axis)

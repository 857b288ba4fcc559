import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import draws
from attnbook.kernel import softmax
from attnbook.stats import effective_keys, entropy, expected_max, softmax_jacobian

STRICT = {"over": "raise", "invalid": "raise", "divide": "raise", "under": "raise"}


def test_entropy_has_closed_forms():
    with np.errstate(**STRICT):
        got = entropy([[0.25] * 4, [0, 1, 0, 0], [0.5, 0.5, 0, 0], [0] * 4])
    assert_allclose(got, [math.log(4), 0, math.log(2), 0], rtol=1e-15)
    assert not np.signbit(got).any()  # a row without keys has entropy 0, not -0


def test_effective_keys_has_closed_forms():
    with np.errstate(**STRICT):
        got = effective_keys([[0.25] * 4, [0, 1, 0, 0], [0.5, 0.5, 0, 0], [0] * 4])
    assert_allclose(got, [4, 1, 2, 0], rtol=1e-15)
    assert_allclose(effective_keys([0.5, 0.25, 0.25]), 8 / 3, rtol=1e-15)


@pytest.mark.parametrize("measure", [entropy, effective_keys])
def test_measures_take_any_axis_and_keep_the_dtype(measure):
    weights = softmax(np.random.default_rng(0).standard_normal((3, 4, 5)), axis=1)
    got = measure(weights, axis=1)
    assert got.shape == (3, 5)
    assert_allclose(got[2, 3], measure(weights[2, :, 3]), rtol=1e-14)
    for dtype in (np.float16, np.float32):
        half = measure(weights.astype(dtype), axis=1)
        assert half.dtype == dtype
        assert_allclose(half, got, rtol=5 * np.finfo(dtype).eps)
    assert measure([0, 1]).dtype == np.float64
    assert_array_equal(measure(np.zeros((2, 0))), [0, 0])


@pytest.mark.parametrize("measure", [entropy, effective_keys, softmax_jacobian])
def test_what_measures_check(measure):
    with pytest.raises(ValueError, match=r"must not be negative, got -0\.25"):
        measure([1.25, -0.25])
    name = "p" if measure is softmax_jacobian else "weights"
    with pytest.raises(TypeError, match=f"^{name} must hold real numbers"):
        measure([True])
    assert np.isnan(measure([np.nan, 1.0])).any()


@pytest.mark.parametrize("measure", [entropy, effective_keys])
def test_a_measure_runs_along_one_axis(measure):
    for axis in (None, (0, 1), 1.0):
        with pytest.raises(TypeError, match="axis must be an integer, got"):
            measure(np.eye(3), axis=axis)
    for axis in (2, -3):
        with pytest.raises(ValueError, match=f"axis {axis} is out of bounds"):
            measure(np.eye(3), axis=axis)


def test_weights_that_nearly_vanish_raise_nothing():
    with np.errstate(**STRICT):
        assert entropy([1, 5e-324]) > 0
        assert effective_keys([1, 5e-324]) == 1
        assert_array_equal(softmax_jacobian([1, 5e-324])[1], [-5e-324, 5e-324])


@pytest.mark.parametrize("dtype", draws.HALVES)
@pytest.mark.parametrize("measure", [entropy, effective_keys, softmax_jacobian])
def test_half_precision_is_computed_in_single_and_rounded_once(measure, dtype):
    scores = np.random.default_rng(0).standard_normal((3, 200))
    weights = softmax(scores).astype(dtype)
    draws.check_rounded(measure(weights), measure, weights)
    with pytest.raises(ValueError, match=r"must not be negative, got -0\.25"):
        measure(np.array([1.25, -0.25], dtype))


def test_half_precision_entropy_of_many_keys():
    weights = np.full(4096, 1 / 4096, np.float16)
    assert_allclose(entropy(weights), math.log(4096), rtol=1e-3)
    assert_allclose(effective_keys(weights), 4096, rtol=1e-3)


@given(st.integers(0, 2**32 - 1))
def test_the_jacobian_is_the_derivative_of_softmax(seed):
    rng = np.random.default_rng(seed)
    x, step = rng.standard_normal((2, 4)), 1e-6
    jacobian = softmax_jacobian(softmax(x))
    assert jacobian.shape == (2, 4, 4)
    for j in range(4):
        moved = np.eye(4)[j] * step
        slope = (softmax(x + moved) - softmax(x - moved)) / (2 * step)
        assert_allclose(jacobian[..., j], slope, atol=1e-9)


def test_the_jacobian_has_a_closed_form():
    expected = [[3 / 16, -3 / 16], [-3 / 16, 3 / 16]]
    assert_array_equal(softmax_jacobian([1 / 4, 3 / 4]), expected)
    assert_array_equal(softmax_jacobian([0, 1, 0]), np.zeros((3, 3)))
    assert softmax_jacobian(np.ones((2, 0))).shape == (2, 0, 0)
    assert softmax_jacobian(np.ones(1, np.float16)).dtype == np.float16
    with pytest.raises(ValueError, match=r"p must be at least 1-D, got shape \(\)"):
        softmax_jacobian(1.0)


def test_the_expected_maximum_has_closed_forms_for_few_scores():
    root = math.sqrt(math.pi)
    third = 3 / (2 * root) * (1 + 2 / math.pi * math.asin(1 / 3))
    got = expected_max([1, 2, 3, 4])
    assert_allclose(got, [0, 1 / root, 1.5 / root, third], rtol=1e-14, atol=1e-15)
    assert isinstance(expected_max(2), float)
    assert expected_max(np.array([[2], [3]])).shape == (2, 1)


def test_the_expected_maximum_of_many_scores():
    rng = np.random.default_rng(0)
    for n in (10, 500):
        drawn = rng.standard_normal((20000, n)).max(axis=1)
        error = drawn.std() / math.sqrt(len(drawn))
        assert abs(expected_max(n) - drawn.mean()) < 5 * error
    n = np.array([10, 10**3, 10**6, 10**12, 2**64 - 1], np.uint64)
    got = expected_max(n)
    assert (np.diff(got) > 0).all() and (got < np.sqrt(2 * np.log(n))).all()
    gumbel = math.sqrt(2 * math.log(1e12))
    gumbel -= (math.log(math.log(1e12)) + math.log(4 * math.pi)) / (2 * gumbel)
    gumbel += 0.5772156649 / math.sqrt(2 * math.log(1e12))
    assert_allclose(expected_max(10**12), gumbel, rtol=2e-3)


def test_the_expected_maximum_is_exact_to_rounding():
    # the integral of x * n * phi(x) * Phi(x)^(n - 1), by a fine trapezoid rule
    x = np.linspace(-12, 12, 20001)
    below = np.array([math.erfc(-value / math.sqrt(2)) / 2 for value in x])
    for n in (2, 7, 100, 10000):
        density = n * np.exp(-x * x / 2) / math.sqrt(2 * math.pi) * below ** (n - 1)
        assert_allclose(expected_max(n), np.trapezoid(x * density, x), rtol=1e-12)


def test_the_expected_maximum_of_very_many_goes_unflagged():
    with np.errstate(all="raise"):
        assert 8 < expected_max(10**18) < math.sqrt(2 * math.log(1e18))


def test_what_the_expected_maximum_checks():
    for n in (0, -3, [2, 0]):
        with pytest.raises(ValueError, match="n must be at least 1, got"):
            expected_max(n)
    for n in (2.0, True, "2"):
        with pytest.raises(TypeError, match="n must be an integer, got dtype"):
            expected_max(n)

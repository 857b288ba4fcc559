import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import draws
from attnbook.kernel import attention_weights, softmax
from attnbook.scores import Additive, Concat, Dot, General, ScaledDot


def normal(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def parameters(d_q, d_k, d_a=5, dtype=np.float64):
    rng = np.random.default_rng(9)
    W_q, W_k, v, W = (
        rng.standard_normal(s).astype(dtype)
        for s in ((d_q, d_a), (d_k, d_a), d_a, (d_q, d_k))
    )
    return W_q, W_k, v, W


def every_score(d_q, d_k, dtype=np.float64):
    W_q, W_k, v, W = parameters(d_q, d_k, dtype=dtype)
    scores = [General(W), Additive(W_q, W_k, v), Concat(np.concatenate([W_q, W_k]), v)]
    return scores + ([Dot(), ScaledDot(), ScaledDot(scale=0.3)] if d_q == d_k else [])


def one_pair(score, q, k):
    """Score one pair by the source's formula, with plain loops."""
    d_q, d_k = len(q), len(k)
    W_q, W_k, v, W = parameters(d_q, d_k)
    dot = sum(a * b for a, b in zip(q, k, strict=False))
    if isinstance(score, Dot):
        return dot
    if isinstance(score, ScaledDot):
        return dot / math.sqrt(d_k) if score.scale is None else dot * score.scale
    if isinstance(score, General):
        return sum(q[i] * W[i, j] * k[j] for i in range(d_q) for j in range(d_k))
    stacked, both = np.concatenate([W_q, W_k]), [*q, *k]
    return sum(
        v[a] * math.tanh(sum(both[i] * stacked[i, a] for i in range(d_q + d_k)))
        for a in range(len(v))
    )


@pytest.mark.parametrize("widths", [(4, 4), (3, 4), (1, 1)])
def test_each_score_agrees_with_its_formula(widths):
    queries, keys = normal(3, widths[0]), normal(5, widths[1], seed=1)
    for score in every_score(*widths):
        got = score(queries, keys)
        expected = [[one_pair(score, q, k) for k in keys] for q in queries]
        assert_allclose(got, expected, rtol=1e-12, atol=1e-13)


def test_leading_axes_broadcast():
    queries, keys = normal(2, 1, 3, 4), normal(6, 5, 4, seed=1)
    for score in every_score(4, 4):
        got = score(queries, keys)
        assert got.shape == (2, 6, 3, 5)
        assert_allclose(got[1, 4], score(queries[1, 0], keys[4]), rtol=1e-12)


def test_scaled_dot_is_what_the_kernel_uses():
    Q, K = normal(3, 4), normal(5, 4, seed=1)
    assert_allclose(softmax(ScaledDot()(Q, K)), attention_weights(Q, K), rtol=1e-14)
    scores = ScaledDot(scale=0.0)(Q, K)
    assert_array_equal(scores, np.zeros((3, 5)))


def test_an_additive_score_is_bounded_where_a_dot_product_is_not():
    W_q, W_k, v, _ = parameters(4, 4)
    far = Additive(W_q, W_k, v)(1e6 * normal(3, 4), 1e6 * normal(5, 4))
    assert np.abs(far).max() <= np.abs(v).sum() * (1 + 1e-15)
    assert np.abs(Dot()(1e6 * normal(3, 4), 1e6 * normal(5, 4))).max() > 1e12


def test_general_with_the_identity_is_the_dot_product():
    Q, K = normal(3, 4), normal(5, 4, seed=1)
    assert_array_equal(General(np.eye(4))(Q, K), Dot()(Q, K))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_dtypes(dtype):
    queries, keys = normal(3, 4, dtype=dtype), normal(5, 4, seed=1, dtype=dtype)
    for score in every_score(4, 4, dtype):
        got = score(queries, keys)
        assert got.dtype == dtype
        expected = score(queries.astype(float), keys.astype(float))
        tol = 30 * np.finfo(dtype).eps
        assert_allclose(got, expected, rtol=tol, atol=tol)
        wide = score(queries.astype(float), keys)
        assert wide.dtype == np.float64
        assert score(queries.tolist(), keys.tolist()).dtype == np.float64


@pytest.mark.parametrize("dtype", draws.HALVES)
def test_half_precision_is_computed_in_single_and_rounded_once(dtype):
    pair = normal(3, 4).astype(dtype), normal(5, 4, seed=1).astype(dtype)
    halves = every_score(4, 4, dtype)
    singles = [
        type(score)(**{name: widened(x) for name, x in vars(score).items()})
        for score in halves
    ]
    for score, single in zip(halves, singles, strict=True):

        def either(queries, keys, score=score, single=single):
            return (score if queries.dtype == dtype else single)(queries, keys)

        draws.check_rounded(either(*pair), either, *pair)


def widened(parameter):
    return parameter.astype("f4") if isinstance(parameter, np.ndarray) else parameter


def test_half_precision_overflows_only_at_the_end():
    big = np.full((1, 4), 300, np.float16)
    with np.errstate(all="raise"):
        assert_array_equal(Dot()(big, big), [[np.inf]])
        assert_array_equal(ScaledDot(scale=0.1)(big, big), [[36000]])


def test_any_array_like_will_do_and_stays_as_it_was():
    W_q, W_k, v, W = parameters(2, 2)
    queries, keys = [[1.0, 2]], [[3, 4]]
    stacked = [*W_q.tolist(), *W_k.tolist()]
    for score, lists in (
        (General(W), General(W.tolist())),
        (Additive(W_q, W_k, v), Additive(W_q.tolist(), W_k.tolist(), v.tolist())),
        (Concat(np.array(stacked), v), Concat(stacked, v.tolist())),
    ):
        assert_array_equal(score(queries, keys), lists(queries, keys))
    assert queries == [[1.0, 2]] and keys == [[3, 4]]


def test_no_queries_or_keys():
    for score in every_score(4, 4):
        assert score(normal(0, 4), normal(5, 4)).shape == (0, 5)
        assert score(normal(3, 4), normal(0, 4)).shape == (3, 0)


W_Q, W_K, V, W = parameters(4, 3)


@pytest.mark.parametrize(
    ("score", "queries", "keys", "says"),
    [
        (Dot(), (2, 3), (2, 4), r"share d_k, got \(2, 3\) and \(2, 4\)"),
        (ScaledDot(), (2, 3), (2, 4), r"share d_k, got \(2, 3\) and \(2, 4\)"),
        (Dot(), (3,), (2, 3), r"queries must be at least 2-D, got shape \(3,\)"),
        (ScaledDot(), (2, 3), (3,), r"keys must be at least 2-D, got shape \(3,\)"),
        (Dot(), (2, 0), (2, 0), r"d_k must be at least 1, got queries of \(2, 0\)"),
        (ScaledDot(), (2, 0), (2, 0), "d_k must be at least 1"),
        (Dot(), (2, 1, 3), (3, 1, 3), "leading axes of queries, keys must broadcast"),
        (General(W), (2, 4), (2, 4), r"W must have shape \(4, 4\), got \(4, 3\)"),
        (General(W[0]), (2, 4), (2, 3), r"W must have shape \(4, 3\), got \(3,\)"),
        (Additive(W_Q, W_K, V), (2, 3), (2, 3), r"W_q must have shape \(3, 5\)"),
        (Additive(W_Q, W_K, V), (2, 4), (2, 4), r"W_k must have shape \(4, 5\)"),
        (Additive(W_Q, W_K, V[:4]), (2, 4), (2, 3), r"W_q must have shape \(4, 4\)"),
        (Additive(W_Q, W_K, V[None]), (2, 4), (2, 3), r"v must have shape \(5,\)"),
        (Additive(W_Q, W_K, V), (2, 1, 4), (3, 1, 3), "leading axes of queries, keys"),
        (Concat(W_Q, V), (2, 4), (2, 3), r"W must have shape \(7, 5\), got \(4, 5\)"),
        (Concat(W_Q, V[None]), (2, 2), (2, 2), r"v must have shape \(5,\)"),
    ],
)
def test_shapes_that_do_not_match_are_refused(score, queries, keys, says):
    with pytest.raises(ValueError, match=says):
        score(np.ones(queries), np.ones(keys))


def test_kinds_that_are_no_real_numbers_are_refused():
    for score in every_score(4, 4):
        with pytest.raises(TypeError, match="queries must hold real numbers"):
            score(np.ones((2, 4)) > 0, np.ones((2, 4)))
        with pytest.raises(TypeError, match="keys must hold real numbers"):
            score(np.ones((2, 4)), np.ones((2, 4)) * 1j)
    with pytest.raises(TypeError, match="W must hold real numbers"):
        General(np.eye(2) > 0)(np.ones((2, 2)), np.ones((2, 2)))
    for scale, error in ((np.nan, ValueError), ("1", TypeError)):
        with pytest.raises(error, match="scale must be"):
            ScaledDot(scale)(np.ones((2, 2)), np.ones((2, 2)))


def test_calling_a_score_is_its_method():
    queries, keys = np.eye(4)[:3], np.arange(8.0).reshape(2, 4)
    for score in every_score(4, 4):
        assert np.array_equal(score(queries, keys), score.score(queries, keys))
        assert score.score(queries, keys).shape == (3, 2)


def test_two_projections_are_one_general_score():
    # q . k = x W_Q W_K^T y^T = x M y^T for rows x and y
    W_Q, W_K = normal(5, 3, seed=1), normal(4, 3, seed=2)
    X, Y = normal(6, 5, seed=3), normal(7, 4, seed=4)
    projected = Dot().score(X @ W_Q, Y @ W_K)
    assert_allclose(General(W_Q @ W_K.T).score(X, Y), projected, rtol=1e-12)
    by_hand = [[(x @ W_Q) @ (y @ W_K) for y in Y] for x in X]
    assert_allclose(projected, by_hand, rtol=1e-12)

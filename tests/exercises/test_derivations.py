"""What the explanations of exercises derive on paper holds for numbers too."""

from itertools import product

import numpy as np

import attnbook as ab
from attnbook.exercises import master


def test_other_matrices_keep_every_score():
    rng = np.random.default_rng(4)
    W_Q, W_K, X, Y = rng.normal(size=(4, 6, 3))
    X, Y, A = rng.normal(size=(5, 6)), rng.normal(size=(4, 6)), rng.normal(size=(3, 3))
    B = np.linalg.inv(A).T
    scores = (X @ W_Q) @ (Y @ W_K).T
    left, right = W_Q @ A @ (W_K @ B).T, W_Q @ A @ B.T @ W_K.T
    np.testing.assert_allclose(left, right)
    np.testing.assert_allclose(X @ left @ Y.T, scores)
    np.testing.assert_allclose(A @ B.T, np.eye(3), atol=1e-12)
    other = master.load("03-other-matrices").solution(W_K, A)
    np.testing.assert_allclose(other, W_K @ B)


def test_the_variance_is_a_trace():
    # q = A a and k = B b, where a and b are all outcomes of three coins
    A, B = np.random.default_rng(5).normal(size=(2, 3, 3))
    tosses = np.array(list(product([-1.0, 1.0], repeat=3)))
    q, k = tosses @ A.T, tosses @ B.T
    variance = (q @ k.T).var()
    by_entries = sum(
        (q[:, i] * q[:, j]).mean() * (k[:, i] * k[:, j]).mean()
        for i, j in product(range(3), repeat=2)
    )
    np.testing.assert_allclose(variance, by_entries)
    np.testing.assert_allclose(variance, ((A @ A.T) * (B @ B.T)).sum())
    np.testing.assert_allclose(variance, np.trace(A @ A.T @ B @ B.T))
    solution = master.load("05-general-variance").solution
    np.testing.assert_allclose(variance, solution(A @ A.T, B @ B.T))


def test_one_matrix_gives_the_scaled_scores():
    rng = np.random.default_rng(6)
    W_Q, W_K = rng.normal(size=(3, 5)), rng.normal(size=(4, 5))
    s, h = rng.normal(size=(2, 3)), rng.normal(size=(6, 4))
    scaled = np.array([[(a @ W_Q) @ (b @ W_K) for b in h] for a in s]) / np.sqrt(5)
    W = master.load("01-one-matrix").solution(W_Q, W_K)
    np.testing.assert_allclose(s @ W @ h.T, scaled)
    np.testing.assert_allclose(ab.General(W).score(s, h), scaled)
    np.testing.assert_allclose(ab.ScaledDot().score(s @ W_Q, h @ W_K), scaled)


def test_outputs_follow_their_values():
    rng = np.random.default_rng(6)
    weights, V, M, b = (
        rng.random((5, 4)),
        *rng.normal(size=(2, 4, 4)),
        rng.normal(size=4),
    )
    weights /= weights.sum(axis=1, keepdims=True)
    each = weights @ (V @ M + b)
    summed = (weights @ V) @ M + b * weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(each, summed)
    solution = master.load("02-moved-values").solution
    np.testing.assert_allclose(solution(weights @ V, M, b), each)


def test_the_gradient_of_a_log_temperature_is_the_sum_of_gradient_times_score():
    rng = np.random.default_rng(7)
    X, V, G = rng.normal(size=(3, 5)), rng.normal(size=(5, 2)), rng.normal(size=(3, 2))

    def loss(log_beta):
        return (G * (ab.softmax(np.exp(log_beta) * X) @ V)).sum()

    slope = master.load("06-temperature-gradient").solution
    for log_beta in (-1.0, 0.4, 1.3):
        P, S = ab.softmax(np.exp(log_beta) * X), np.exp(log_beta) * X
        dP = G @ V.T
        dS = P * (dP - (P * dP).sum(axis=-1, keepdims=True))
        by_steps = (loss(log_beta + 1e-5) - loss(log_beta - 1e-5)) / 2e-5
        np.testing.assert_allclose((dS * S).sum(), by_steps, rtol=1e-6)
        tau = np.exp(-log_beta)
        np.testing.assert_allclose(-tau * slope(X, V, G, tau), by_steps, rtol=1e-6)


def test_a_temperature_is_folded_into_the_queries_matrix():
    rng = np.random.default_rng(8)
    x, W_Q, K = (
        rng.normal(size=(4, 6)),
        rng.normal(size=(6, 6)),
        rng.normal(size=(5, 6)),
    )
    factors = np.array([0.5, 3.0])
    folded = master.load("06-folded").solution(W_Q, factors)
    for head, factor in enumerate(factors):
        own = slice(3 * head, 3 * head + 3)
        np.testing.assert_allclose(factor * (x @ W_Q), x @ (factor * W_Q))
        np.testing.assert_allclose(
            ab.ScaledDot().score(x @ folded[:, own], K[:, own]),
            factor * (x @ W_Q[:, own]) @ K[:, own].T,
        )

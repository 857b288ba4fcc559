"""Implement cosine scores, for any batch, with zeros among the vectors."""

import numpy as np

from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise


def cosine_scores(Q, K):
    """Return the cosine of every query with every key."""
    q_lengths = np.linalg.norm(Q, axis=-1, keepdims=True)
    k_lengths = np.linalg.norm(K, axis=-1, keepdims=True)
    Q = Q / np.where(q_lengths > 0, q_lengths, 1)
    K = K / np.where(k_lengths > 0, k_lengths, 1)
    return Q @ np.swapaxes(K, -1, -2)


def plain_products(Q, K):
    """Forget the lengths."""
    return Q @ np.swapaxes(K, -1, -2)


def queries_alone(Q, K):
    """Normalise one side."""
    lengths = np.linalg.norm(Q, axis=-1, keepdims=True)
    return plain_products(Q / np.where(lengths > 0, lengths, 1), K)


def keys_alone(Q, K):
    """Normalise the other side."""
    lengths = np.linalg.norm(K, axis=-1, keepdims=True)
    return plain_products(Q, K / np.where(lengths > 0, lengths, 1))


def one_length_for_all(Q, K):
    """Take the norm of the whole array."""
    return plain_products(Q, K) / (np.linalg.norm(Q) * np.linalg.norm(K))


def down_the_columns(Q, K):
    """Take the lengths of the columns."""
    q_lengths = np.linalg.norm(Q, axis=-2, keepdims=True)
    k_lengths = np.linalg.norm(K, axis=-2, keepdims=True)
    Q = Q / np.where(q_lengths > 0, q_lengths, 1)
    return plain_products(Q, K / np.where(k_lengths > 0, k_lengths, 1))


def squared_lengths(Q, K):
    """Forget the roots."""
    q, k = ((X**2).sum(axis=-1) for X in (Q, K))
    product = q[..., :, None] * k[..., None, :]
    return plain_products(Q, K) / np.where(product > 0, product, 1)


def zeros_not_seen(Q, K):
    """Divide by zero."""
    with np.errstate(invalid="ignore"):
        Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
        K = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return plain_products(Q, K)


def small_number_added(Q, K):
    """Keep the lengths from 0 with a small number."""
    Q = Q / (np.linalg.norm(Q, axis=-1, keepdims=True) + 1e-8)
    K = K / (np.linalg.norm(K, axis=-1, keepdims=True) + 1e-8)
    return plain_products(Q, K)


def floor_under_lengths(Q, K):
    """Let no length fall below a small number."""
    Q = Q / np.maximum(np.linalg.norm(Q, axis=-1, keepdims=True), 1e-8)
    K = K / np.maximum(np.linalg.norm(K, axis=-1, keepdims=True), 1e-8)
    return plain_products(Q, K)


def all_axes_reversed(Q, K):
    """Transpose with .T, which reverses batch axes too."""
    return cosine_scores(Q, np.swapaxes(K.T, -1, -2))


def probes(rng):
    """One pair first, then batches and a cube, zeros, short and long vectors."""
    zeros = pattern(3, 4, step=3)
    zeros[1] = 0
    some = pattern(2, 4) + 0.5
    fresh = [(drawn(rng, 3, 3), drawn(rng, 3, 3)), (drawn(rng, 2, 5), drawn(rng, 1, 5))]
    return [
        (np.array([[3.0, 4.0]]), np.array([[0.0, 2.0]])),
        (some, pattern(3, 4, step=3) + 0.25),
        (pattern(2, 3, 4) + 0.5, pattern(2, 5, 4, step=3) + 0.25),
        (pattern(3, 3, 3) + 0.5, pattern(3, 3, 3, step=3) + 0.25),
        (pattern(2, 2, 3, 4) + 0.5, pattern(2, 2, 5, 4, step=3) + 0.25),
        (some, zeros),
        (zeros, some),
        (1e-9 * some, 1e9 * zeros),
        *fresh,
    ]


EXERCISE = Exercise(
    type="implement",
    difficulty=2,
    minutes=15,
    stub='''
def cosine_scores(Q, K):
    """Return the cosine of every query with every key."""
    return ...
''',
    answer="cosine_scores",
    solution=cosine_scores,
    wrong=(
        plain_products,
        queries_alone,
        keys_alone,
        one_length_for_all,
        down_the_columns,
        squared_lengths,
        zeros_not_seen,
        small_number_added,
        floor_under_lengths,
        all_axes_reversed,
    ),
    probes=probes,
    may_use=(),
    numbers=lambda: {
        "a length is 0": np.linalg.norm(np.zeros(2)),
        "gives 0/0": [np.zeros(2) @ np.ones(2), np.linalg.norm(np.zeros(2))],
        "its length is 0": np.linalg.norm(np.zeros(2)),
    },
)

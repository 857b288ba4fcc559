"""Find the bug: three projections in one matrix, taken apart in the wrong order."""

import numpy as np

from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise
from attnbook.kernel import attention


def self_attention(X, W):
    """Return the outputs; W has W_Q, W_K and W_V side by side, equally wide."""
    Q, K, V = np.split(X @ W, 3, axis=-1)
    return attention(Q, K, V)


def as_given(X, W):
    """Take keys for values and values for keys."""
    Q, V, K = np.split(X @ W, 3, axis=-1)
    return attention(Q, K, V)


def keys_first(X, W):
    """Take keys for queries and queries for keys."""
    K, Q, V = np.split(X @ W, 3, axis=-1)
    return attention(Q, K, V)


def from_the_end(X, W):
    """Take the order backwards."""
    V, K, Q = np.split(X @ W, 3, axis=-1)
    return attention(Q, K, V)


def keys_summed(X, W):
    """Sum the keys."""
    Q, K, _ = np.split(X @ W, 3, axis=-1)
    return attention(Q, K, K)


def every_third(X, W):
    """Take every third column."""
    made = X @ W
    return attention(made[:, 0::3], made[:, 1::3], made[:, 2::3])


def scaled_by_all(X, W):
    """Divide by the root of the width of all three."""
    Q, K, V = np.split(X @ W, 3, axis=-1)
    return attention(Q, K, V, scale=1 / np.sqrt(W.shape[1]))


def probes(rng):
    """Two tokens of width 2 first, then more tokens and wider ones."""
    shapes = [(2, 2, 2), (3, 4, 2), (5, 3, 4)]
    whole = [(pattern(n, d), pattern(d, 3 * w, step=3)) for n, d, w in shapes]
    fresh = [
        (drawn(rng, n, d), 0.5 * drawn(rng, d, 3 * w)) for n, d, w in [(4, 4, 3)] * 2
    ]
    return whole + fresh


EXERCISE = Exercise(
    type="bug",
    difficulty=1,
    minutes=8,
    stub='''
from attnbook import attention

def self_attention(X, W):
    """Return the outputs; W has W_Q, W_K and W_V side by side, equally wide."""
    Q, V, K = np.split(X @ W, 3, axis=-1)
    return attention(Q, K, V)
''',
    answer="self_attention",
    solution=self_attention,
    given=as_given,
    wrong=(
        keys_first,
        from_the_end,
        keys_summed,
        every_third,
        scaled_by_all,
    ),
    probes=probes,
)

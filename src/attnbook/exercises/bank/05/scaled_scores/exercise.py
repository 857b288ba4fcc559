"""Implement the scaled scores for any number of leading axes."""

import numpy as np

from attnbook.claims import definition
from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise


def scaled_scores(Q, K):
    """Return the scaled score of every query with every key."""
    d_k = Q.shape[-1]
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)


def unscaled(Q, K):
    """Leave the factor out."""
    return Q @ np.swapaxes(K, -1, -2)


def divided_by_width(Q, K):
    """Forget the root."""
    return unscaled(Q, K) / Q.shape[-1]


def multiplied(Q, K):
    """Multiply by the root."""
    return unscaled(Q, K) * np.sqrt(Q.shape[-1])


def divided_by_queries(Q, K):
    """Take the number of queries for the width."""
    return unscaled(Q, K) / np.sqrt(Q.shape[-2])


def divided_by_keys(Q, K):
    """Take the number of keys for the width."""
    return unscaled(Q, K) / np.sqrt(K.shape[-2])


def all_axes_reversed(Q, K):
    """Transpose with .T, which reverses batch axes too."""
    return Q @ K.T / np.sqrt(Q.shape[-1])


def keys_in_rows(Q, K):
    """Swap the parts of queries and keys."""
    return K @ np.swapaxes(Q, -1, -2) / np.sqrt(Q.shape[-1])


def scaled_in_place(Q, K):
    """Write into the caller's array."""
    Q /= np.sqrt(Q.shape[-1])
    return Q @ np.swapaxes(K, -1, -2)


def weights(Q, K):
    """Go one step too far."""
    scores = scaled_scores(Q, K)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)


def probes(rng):
    """One query and one key first, then more of all, a batch, a cube, fractions."""
    return [
        (pattern(1, 1, step=1), pattern(1, 1, step=4)),
        (pattern(1, 4), pattern(1, 4, step=3)),
        (pattern(2, 4), pattern(3, 4, step=3)),
        (pattern(3, 2), pattern(2, 2, step=3)),
        (pattern(2, 3, 4), pattern(2, 5, 4, step=3)),
        (pattern(3, 3, 3), pattern(3, 3, 3, step=3)),
        (drawn(rng, 3, 5), drawn(rng, 3, 5)),
        (drawn(rng, 2, 2, 4, 3), drawn(rng, 2, 2, 1, 3)),
        (1e6 * drawn(rng, 2, 3), 1e-3 * drawn(rng, 4, 3)),
    ]


EXERCISE = Exercise(
    type="implement",
    difficulty=1,
    minutes=10,
    stub='''
def scaled_scores(Q, K):
    """Return the scaled score of every query with every key."""
    return ...
''',
    answer="scaled_scores",
    solution=scaled_scores,
    wrong=(
        unscaled,
        divided_by_width,
        multiplied,
        divided_by_queries,
        divided_by_keys,
        all_axes_reversed,
        keys_in_rows,
        scaled_in_place,
        weights,
    ),
    probes=probes,
    may_use=(),
    numbers=lambda: {
        "row sums to 1": weights(pattern(1, 4), pattern(3, 4)).sum(),
        r"$QK^\top/\sqrt{d_k}$": definition,
    },
)

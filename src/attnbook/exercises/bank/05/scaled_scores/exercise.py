"""Implement the scaled scores for any number of leading axes."""

import numpy as np

from attnbook.exercises.inputs import pattern
from attnbook.exercises.master import Exercise, Wrong


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


def probes():
    """One query and one key first, then more of all, a batch, and a cube."""
    return [
        (pattern(1, 1, step=1), pattern(1, 1, step=4)),
        (pattern(1, 4), pattern(1, 4, step=3)),
        (pattern(2, 4), pattern(3, 4, step=3)),
        (pattern(3, 2), pattern(2, 2, step=3)),
        (pattern(2, 3, 4), pattern(2, 5, 4, step=3)),
        (pattern(3, 3, 3), pattern(3, 3, 3, step=3)),
    ]


EXERCISE = Exercise(
    name="05-scaled-scores",
    title="the scaled scores, in any batch",
    type="implement",
    difficulty=1,
    minutes=10,
    objective="turning the formula into code that also holds for a batch of sequences.",
    statement=r"""
Write a function that returns $QK^\top/\sqrt{d_k}$. `Q` has the shape `(..., n_q,
d_k)` and `K` has `(..., n_k, d_k)`, with the same leading axes; the result has `(...,
n_q, n_k)`. Use NumPy alone, and leave `Q` and `K` as they are.
""",
    stub='''
def scaled_scores(Q, K):
    """Return the scaled score of every query with every key."""
    return ...
''',
    answer="scaled_scores",
    solution=scaled_scores,
    explanation=r"""
`np.swapaxes(K, -1, -2)` exchanges the last two axes only, so leading axes stay where
they are. The width is `Q.shape[-1]`: the number of terms in each dot product.
""",
    wrong=(
        Wrong(unscaled, "These are the raw products. Which factor is missing?"),
        Wrong(
            divided_by_width,
            "You divide by the width itself. Deviations grow as its *root*.",
        ),
        Wrong(
            divided_by_keys,
            "You divide by the root of the number of *keys*. The factor depends on the "
            "number of terms in one dot product: the last axis of `Q`.",
        ),
        Wrong(
            all_axes_reversed,
            "`K.T` reverses *all* axes. That fails for most batches, and for a cube it "
            "is silently wrong. Exchange the last two axes only.",
        ),
        Wrong(
            keys_in_rows,
            "Queries are rows and keys are columns. Yours are the other way round.",
        ),
        Wrong(
            scaled_in_place,
            "`/=` writes into the array that the caller passed. Make a new array.",
        ),
        Wrong(
            weights, "These are weights: each row sums to 1. Stop before the softmax."
        ),
    ),
    probes=probes,
)

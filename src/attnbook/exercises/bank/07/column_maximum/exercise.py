"""Find the bug: the largest score of the wrong axis is subtracted."""

import numpy as np

from attnbook.exercises.inputs import drawn
from attnbook.exercises.master import Exercise


def weights(scores):
    """Return the weights of each query, scores of shape (n_q, n_k)."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def as_given(scores):
    """Subtract the largest score of each column."""
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=-1, keepdims=True)


def whole_matrix(scores):
    """Subtract the largest score of all."""
    powers = np.exp(scores - scores.max())
    return powers / powers.sum(axis=-1, keepdims=True)


def nothing_subtracted(scores):
    """Subtract nothing."""
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)


def both_columns(scores):
    """Let softmax run over the queries."""
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=0)


def mean_subtracted(scores):
    """Subtract the mean of the row, which does not keep powers in range."""
    powers = np.exp(scores - scores.mean(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def sum_of_all(scores):
    """Divide by the sum of the whole matrix."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum()


def not_divided(scores):
    """Forget the sum."""
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


def probes(rng):
    """One key first, then two, one query, rows far apart, large scores."""
    small = np.array([[2.0, 0.0], [0.0, 1.0]])
    apart = np.array([[900.0, 899.0, 0.0], [-900.0, -902.0, -901.0]])
    loud = np.array([[5000.0, 0.0, -5000.0], [1.0, 2.0, 3.0], [0.0, 0.0, 800.0]])
    return [
        (np.array([[3.0], [-7.0]]),),
        (small,),
        (np.array([[1.0, 2.0, 4.0]]),),
        (apart,),
        (loud,),
        (drawn(rng, 4, 3),),
        (100 * drawn(rng, 3, 5),),
    ]


_SCORES = np.array([[2.0, 0.0], [0.0, 1.0]])


EXERCISE = Exercise(
    type="bug",
    difficulty=2,
    minutes=8,
    stub='''
def weights(scores):
    """Return the weights of each query, scores of shape (n_q, n_k)."""
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=-1, keepdims=True)
''',
    answer="weights",
    solution=weights,
    given=as_given,
    wrong=(
        whole_matrix,
        nothing_subtracted,
        both_columns,
        mean_subtracted,
        sum_of_all,
        not_divided,
    ),
    probes=probes,
    may_use=(),
    numbers=lambda: {
        "Every row sums to 1": as_given(_SCORES).sum(axis=1).mean(),
        "rows still sum to 1": as_given(_SCORES).sum(axis=1).mean(),
        "Each row must sum to 1": weights(_SCORES).sum(axis=1).mean(),
    },
)

"""Find the bug: the largest score of the wrong axis is subtracted."""

import numpy as np

from attnbook.exercises.inputs import drawn
from attnbook.exercises.master import Exercise


def mixed(scores, V):
    """Return the output of each query, scores of shape (n_q, n_k)."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers @ V / powers.sum(axis=-1, keepdims=True)


def as_given(scores, V):
    """Subtract the largest score of each column."""
    powers = np.exp(scores - scores.max(axis=0))
    return powers @ V / powers.sum(axis=-1, keepdims=True)


def whole_matrix(scores, V):
    """Subtract the largest score of all."""
    powers = np.exp(scores - scores.max())
    return powers @ V / powers.sum(axis=-1, keepdims=True)


def nothing_subtracted(scores, V):
    """Subtract nothing."""
    powers = np.exp(scores)
    return powers @ V / powers.sum(axis=-1, keepdims=True)


def over_the_queries(scores, V):
    """Let softmax run over the queries."""
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=0) @ V


def mean_subtracted(scores, V):
    """Subtract the mean of the row, which does not keep powers in range."""
    powers = np.exp(scores - scores.mean(axis=-1, keepdims=True))
    return powers @ V / powers.sum(axis=-1, keepdims=True)


def sum_of_all(scores, V):
    """Divide by the sum of the whole matrix."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers @ V / powers.sum()


def not_divided(scores, V):
    """Forget the sum."""
    return np.exp(scores - scores.max(axis=-1, keepdims=True)) @ V


def probes(rng):
    """One key first, then two, one query, rows far apart, large scores."""
    V = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 4.0]])
    small = np.array([[2.0, 0.0], [0.0, 1.0]])
    apart = np.array([[900.0, 899.0, 0.0], [-900.0, -902.0, -901.0]])
    loud = np.array([[5000.0, 0.0, -5000.0], [1.0, 2.0, 3.0], [0.0, 0.0, 800.0]])
    return [
        (np.array([[3.0], [-7.0]]), V[:1]),
        (small, V[:2]),
        (np.array([[1.0, 2.0, 4.0]]), V),
        (apart, V),
        (loud, V),
        (drawn(rng, 4, 3), drawn(rng, 3, 4)),
        (100 * drawn(rng, 3, 5), drawn(rng, 5, 2)),
    ]


_SCORES, _ONES = np.array([[2.0, 0.0], [0.0, 1.0]]), np.ones((2, 1))


EXERCISE = Exercise(
    type="bug",
    difficulty=2,
    minutes=8,
    stub='''
def mixed(scores, V):
    """Return the output of each query, scores of shape (n_q, n_k)."""
    powers = np.exp(scores - scores.max(axis=0))
    return powers @ V / powers.sum(axis=-1, keepdims=True)
''',
    answer="mixed",
    solution=mixed,
    given=as_given,
    wrong=(
        whole_matrix,
        nothing_subtracted,
        over_the_queries,
        mean_subtracted,
        sum_of_all,
        not_divided,
    ),
    probes=probes,
    may_use=(),
    numbers=lambda: {
        "every row sums to 1": as_given(_SCORES, _ONES).mean(),
        "rows still sum to 1": as_given(_SCORES, _ONES).mean(),
        "Each row must sum to 1": mixed(_SCORES, _ONES).mean(),
    },
)

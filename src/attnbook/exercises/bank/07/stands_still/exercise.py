"""Implement: find the entries of the output that no temperature moves."""

import numpy as np

from attnbook.exercises.master import Exercise


def stands_still(Q, K, V):
    """Return which entries of the output never move, booleans (n_q, d_v)."""
    still = np.ones((len(Q), V.shape[1]), dtype=bool)
    for i, scores in enumerate(Q @ K.T):
        for score in np.unique(scores):
            tied = V[scores == score]
            still[i] &= np.isclose(tied.mean(axis=0), V.mean(axis=0))
    return still


def _output(Q, K, V, temperature):
    scores = Q @ K.T / temperature
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers @ V / powers.sum(axis=1, keepdims=True)


def _like(rows, V):
    """Repeat one answer for each row over the columns of V."""
    return np.repeat(np.asarray(rows)[:, None], V.shape[1], axis=1)


def equal_scores(Q, K, V):
    """Ask whether the weights stand still."""
    return _like(np.ptp(Q @ K.T, axis=1) == 0, V)


def equal_values(Q, K, V):
    """Ask whether all values are the same."""
    return np.tile(np.ptp(V, axis=0) == 0, (len(Q), 1))


def both_ends(Q, K, V):
    """Compare the coldest with the hottest."""
    scores = Q @ K.T
    winners = [V[row == row.max()].mean(axis=0) for row in scores]
    return np.isclose(winners, V.mean(axis=0))


def two_temperatures(Q, K, V):
    """Compare two temperatures."""
    return np.isclose(_output(Q, K, V, 1.0), _output(Q, K, V, 2.0))


def whole_rows(Q, K, V):
    """Ask of whole rows what is asked of each entry."""
    return _like(stands_still(Q, K, V).all(axis=1), V)


def halfway(Q, K, V):
    """Ask whether the middle value is the mean of the outer ones."""
    balanced = np.isclose(V[len(V) // 2], (V[0] + V[-1]) / 2)
    return np.tile(balanced, (len(Q), 1))


def moves(Q, K, V):
    """Mark what moves."""
    return ~stands_still(Q, K, V)


_EYE = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
_VALUES = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def _crossing():
    """Return values whose outputs at temperatures 1 and 2 meet, and at no other two."""
    Q, K, rows = np.array([[1.0]]), np.array([[0.0], [1.0], [3.0]]), np.eye(3)
    change = (_output(Q, K, rows, 1.0) - _output(Q, K, rows, 2.0))[0]
    return Q, K, np.array([[0.0], [change[2]], [-change[1]]])


def probes(rng):
    """Return one key, the chapter's rows, ties, meetings at single temperatures."""
    ties = np.array([[2.0], [2.0], [1.0], [1.0], [1.0]])
    balanced = np.array([[1.0, 0], [3, 4], [2, 5], [4, 0], [0, 1]])
    ends = np.array([[3.0], [2.0], [1.0]]), np.array([[3.0], [5.0], [1.0]])
    lopsided = np.array([[1.0, 2.0], [3.0, 9.0], [5.0, 6.0]])
    alike = np.array([[2.0, 7.0, 1.0], [2.0, 3.0, 1.0], [2.0, 5.0, 1.0]])
    queries = np.vstack([_EYE, np.zeros((1, 2))])
    order, one = rng.permutation(5), np.array([[1.0], [0.0]])
    return [
        (_EYE[:1], _EYE[:1], _VALUES[:1]),
        (_EYE[:1], _EYE, _VALUES),
        (_EYE, _EYE, _VALUES),
        (queries, _EYE, lopsided),
        (queries, _EYE, alike),
        (one, *ends),
        _crossing(),
        (one, ties, balanced),
        (one, ties[order], balanced[order]),
        (-one, ties, balanced + np.eye(5, 2)),
    ]


EXERCISE = Exercise(
    type="implement",
    difficulty=3,
    minutes=20,
    stub='''
def stands_still(Q, K, V):
    """Return which entries of the output never move, booleans (n_q, d_v)."""
    return ...
''',
    answer="stands_still",
    solution=stands_still,
    wrong=(
        equal_scores,
        equal_values,
        both_ends,
        two_temperatures,
        whole_rows,
        halfway,
        moves,
    ),
    probes=probes,
    may_use=(),
)

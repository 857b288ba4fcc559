"""Implement: attention in five lines."""

import numpy as np

from attnbook.exercises.inputs import pattern
from attnbook.exercises.master import Exercise


def attention(Q, K, V):
    """Return one output for each query."""
    scores = Q @ K.T
    scores = scores / np.sqrt(K.shape[1])
    powers = np.exp(scores)
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ V


def _mixed(scores, V):
    """Softmax along the keys, then the mean of the values."""
    powers = np.exp(scores)
    return powers / powers.sum(axis=1, keepdims=True) @ V


def unscaled(Q, K, V):
    """Leave the root out."""
    return _mixed(Q @ K.T, V)


def width_without_root(Q, K, V):
    """Divide by the width itself."""
    return _mixed(Q @ K.T / K.shape[1], V)


def root_of_count(Q, K, V):
    """Divide by the root of the number of keys."""
    return _mixed(Q @ K.T / np.sqrt(len(K)), V)


def one_sum(Q, K, V):
    """Share one whole out among all queries."""
    powers = np.exp(Q @ K.T / np.sqrt(K.shape[1]))
    return powers / powers.sum() @ V


def over_queries(Q, K, V):
    """Sum along the queries."""
    powers = np.exp(Q @ K.T / np.sqrt(K.shape[1]))
    return powers / powers.sum(axis=0) @ V


def lost_axis(Q, K, V):
    """Let the sum lose the axis along which it ran."""
    powers = np.exp(Q @ K.T / np.sqrt(K.shape[1]))
    return powers / powers.sum(axis=1) @ V


def never_shared(Q, K, V):
    """Forget to divide by the sum."""
    return np.exp(Q @ K.T / np.sqrt(K.shape[1])) @ V


def no_exponential(Q, K, V):
    """Take the scores for the weights."""
    return Q @ K.T / np.sqrt(K.shape[1]) @ V


def keys_averaged(Q, K, V):
    """Average the keys."""
    return attention(Q, K, K)


def best_alone(Q, K, V):
    """Return the value of the best match."""
    return V[(Q @ K.T).argmax(axis=1)]


def probes(rng):
    """Two keys for one query, then all counts and widths apart, then squares."""
    one = np.array([[2.0]]), np.array([[1.0], [0.0]]), np.array([[1.0], [4.0]])
    made = [one, (pattern(2, 4), pattern(3, 4, step=4), pattern(3, 2, step=3))]
    fixed = np.random.default_rng(7)
    shapes = [(3, 3, 2, 2), (2, 5, 3, 4), (4, 4, 4, 4), (5, 2, 6, 6)]
    for source in (fixed, rng):
        made += [
            tuple(source.normal(size=s) for s in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))
            for n_q, n_k, d_k, d_v in shapes
        ]
    return made


EXERCISE = Exercise(
    type="implement",
    difficulty=1,
    minutes=10,
    stub='''
def attention(Q, K, V):
    """Return one output for each query."""
    scores = ...  # every query with every key
    scores = ...  # divided by the root of a key's width
    powers = ...  # the exponential of every score
    weights = ...  # the shares of each query
    return ...  # the values, averaged
''',
    answer="attention",
    solution=attention,
    wrong=(
        unscaled,
        width_without_root,
        root_of_count,
        one_sum,
        over_queries,
        lost_axis,
        never_shared,
        no_exponential,
        keys_averaged,
        best_alone,
    ),
    probes=probes,
    may_use=(),
    numbers=lambda: {"add up to 1": _mixed(np.zeros((1, 3)), np.ones((3, 1))).item()},
)

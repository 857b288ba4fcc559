"""Find the bug: the wrong side is normalised."""

import numpy as np

from attnbook.exercises.master import Exercise


def best_aligned(Q, K):
    """Return for each query the number of the key at the smallest angle."""
    K = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return (Q @ K.T).argmax(axis=-1)


def as_given(Q, K):
    """Normalise the query only."""
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    return (Q @ K.T).argmax(axis=-1)


def squared(Q, K):
    """Divide by squared lengths, which favours short keys."""
    K = K / (K**2).sum(axis=-1, keepdims=True)
    return (Q @ K.T).argmax(axis=-1)


def entries_normalised(Q, K):
    """Normalise along the keys instead of the entries."""
    K = K / np.linalg.norm(K, axis=0, keepdims=True)
    return (Q @ K.T).argmax(axis=-1)


def small_number_added(Q, K):
    """Guard against a length of 0 that no key has."""
    K = K / (np.linalg.norm(K, axis=-1, keepdims=True) + 1e-8)
    return (Q @ K.T).argmax(axis=-1)


def best_query(Q, K):
    """Search along the queries."""
    K = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return (Q @ K.T).argmax(axis=0)


def largest_size(Q, K):
    """Ignore the sign."""
    K = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return np.abs(Q @ K.T).argmax(axis=-1)


def smallest_angle_by_distance(Q, K):
    """Look for the nearest key, lengths and all."""
    return np.linalg.norm(Q[:, None] - K, axis=-1).argmin(axis=-1)


def probes(rng):
    """Return one key, a quiet one, a loud one, then random ones of many lengths."""
    small = (np.array([[2.0, 1.0]]), np.array([[1.0, 0.5], [4.0, -3.0], [-9.0, -4.0]]))
    quiet = np.array([[2.0, 0.0]]), np.array([[3e-9, 0.0], [1.0, 1.0]])
    made = [(np.array([[-1.0, 2.0]]), np.array([[1e-7, -2e-7]])), quiet, small]
    fixed = np.random.default_rng(3)
    shapes = [(3, 4, 2), (4, 6, 3), (8, 20, 4)]
    draws = [(fixed, *s) for s in shapes] + [(rng, 4, 4, 4), (rng, 9, 15, 3)]
    for source, n_q, n_k, d in draws:
        lengths = np.exp(source.normal(0, 1.5, (n_k, 1)))
        keys = source.normal(size=(n_k, d)) * lengths
        made.append((source.normal(size=(n_q, d)), keys))
    queries, keys = made[-1]
    return [*made, (queries, 1e-8 * keys)]


_KEY = np.array([3.0, 4.0])


EXERCISE = Exercise(
    type="bug",
    difficulty=1,
    minutes=10,
    stub='''
def best_aligned(Q, K):
    """Return for each query the number of the key at the smallest angle."""
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    return (Q @ K.T).argmax(axis=-1)
''',
    answer="best_aligned",
    solution=best_aligned,
    given=as_given,
    wrong=(
        squared,
        entries_normalised,
        small_number_added,
        best_query,
        largest_size,
        smallest_angle_by_distance,
    ),
    probes=probes,
    numbers=lambda: {
        "length out twice": np.log(_KEY @ _KEY) / np.log(np.linalg.norm(_KEY)),
    },
)

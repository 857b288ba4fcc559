"""Find the bug: the wrong side is normalised."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong


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


def probes():
    """Return one query with a loud key first, then random ones of many lengths."""
    small = (np.array([[2.0, 1.0]]), np.array([[1.0, 0.5], [4.0, -3.0], [-9.0, -4.0]]))
    rng = np.random.default_rng(3)
    made = [small]
    for n_q, n_k, d in ((3, 4, 2), (4, 6, 3), (8, 20, 4)):
        lengths = np.exp(rng.normal(0, 1.5, (n_k, 1)))
        made.append((rng.normal(size=(n_q, d)), rng.normal(size=(n_k, d)) * lengths))
    return made


EXERCISE = Exercise(
    name="03-nearest-bug",
    title="a search that loves loud keys",
    type="bug",
    difficulty=1,
    minutes=10,
    objective="knowing which length can change an order.",
    statement=r"""
This search is meant to find, for each query, the key at the smallest angle. Its author
has taken the lengths out, or so it seems. Yet the same few keys are found again and
again, whatever is asked. Mend it.
""",
    stub='''
def best_aligned(Q, K):
    """Return for each query the number of the key at the smallest angle."""
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    return (Q @ K.T).argmax(axis=-1)
''',
    answer="best_aligned",
    solution=best_aligned,
    explanation=r"""
The length of the query is one factor for its whole row, so it never changes which score
is largest: that line did nothing. The lengths of the *keys* differ within a row. The
keys that were found again and again are the long ones.
""",
    wrong=(
        Wrong(as_given, "Which lengths differ within a row?", given=True),
        Wrong(
            squared,
            "Now *short* keys win: dividing by the squared length takes the length out "
            "twice.",
        ),
        Wrong(
            entries_normalised,
            "You have normalised the columns of `K`. A key is a row: its length is "
            "taken along the last axis.",
        ),
        Wrong(
            best_query,
            "The scores are right. But each query looks for its best *key*: search "
            "along the last axis.",
        ),
        Wrong(
            largest_size,
            "A key that points the opposite way has a large product too, with a minus. "
            "Keep the sign.",
        ),
        Wrong(
            smallest_angle_by_distance,
            "The nearest key need not be at the smallest angle, unless all lengths are "
            "equal. Compare directions.",
        ),
    ),
    probes=probes,
)

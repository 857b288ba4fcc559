"""Implement a learned bias for distances that stops at the last one learned."""

import numpy as np

from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise


def learned_bias(table, n_q, n_k):
    """Return the bias (n_heads, n_q, n_k) of the last n_q of n_k tokens."""
    query = np.arange(n_q)[:, None] + n_k - n_q
    distance = np.abs(query - np.arange(n_k))
    return table[:, np.minimum(distance, table.shape[1] - 1)]


def _bias(table, n_q, n_k, offset, limit=np.minimum):
    distance = np.abs(np.arange(n_q)[:, None] + offset - np.arange(n_k))
    return table[:, limit(distance, table.shape[1] - 1)]


def from_the_top(table, n_q, n_k):
    """Let the first query stand at the first key."""
    return _bias(table, n_q, n_k, 0)


def one_off(table, n_q, n_k):
    """Let the last query stand after the last key."""
    return _bias(table, n_q, n_k, n_k - n_q + 1)


def round_again(table, n_q, n_k):
    """Begin the table again where it ends."""
    return _bias(table, n_q, n_k, n_k - n_q, lambda x, last: x % (last + 1))


def to_one_side(table, n_q, n_k):
    """Count keys after the query as distance 0."""
    distance = np.arange(n_q)[:, None] + n_k - n_q - np.arange(n_k)
    return table[:, np.clip(distance, 0, table.shape[1] - 1)]


def heads_last(table, n_q, n_k):
    """Put the heads at the end."""
    return np.moveaxis(learned_bias(table, n_q, n_k), 0, -1)


def key_places(table, n_q, n_k):
    """Take the place of the key for its distance."""
    places = np.minimum(np.arange(n_k), table.shape[1] - 1)
    return np.repeat(table[:, None, places], n_q, axis=1)


def negative(table, n_q, n_k):
    """Subtract what was learned."""
    return -learned_bias(table, n_q, n_k)


def probes(rng):
    """Square, then decoding, then rows longer than the table."""
    cases = [(1, 2, 1, 2), (1, 3, 2, 2), (1, 2, 2, 5), (2, 3, 1, 3), (2, 4, 7, 7)]
    small = [(pattern(h, m), n_q, n_k) for h, m, n_q, n_k in cases]
    fresh = [(drawn(rng, 2, 4), int(rng.integers(1, 4)), n) for n in (6, 9)]
    return small + fresh


EXERCISE = Exercise(
    type="implement",
    difficulty=2,
    minutes=12,
    stub='''
def learned_bias(table, n_q, n_k):
    """Return the bias (n_heads, n_q, n_k) of the last n_q of n_k tokens."""
    return ...
''',
    answer="learned_bias",
    solution=learned_bias,
    wrong=(
        from_the_top,
        one_off,
        round_again,
        to_one_side,
        heads_last,
        key_places,
        negative,
    ),
    probes=probes,
)

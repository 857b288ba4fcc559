"""Derive which change of the keys no softmax can see."""

import numpy as np

from attnbook.exercises.inputs import drawn
from attnbook.exercises.judge import same
from attnbook.exercises.master import Exercise


def same_weights(K):
    """Return other keys that give every query the same weights as K."""
    bias = np.ones(K.shape[-1])
    return K + bias


def unchanged(K):
    """Return the keys themselves."""
    return K.copy()


def reordered(K):
    """Turn the order of the keys around."""
    return K[::-1]


def stretched(K):
    """Make all keys longer."""
    return 2 * K


def mirrored(K):
    """Turn all keys around."""
    return -K


def shifted_each(K):
    """Shift every key by an amount of its own."""
    return K + np.arange(1, len(K) + 1)[:, None]


def centred_rows(K):
    """Take the mean of each key out of its own entries."""
    return K - K.mean(axis=-1, keepdims=True)


def complaint(K, value):
    """Say which difference a query would notice."""
    if value.shape != K.shape:
        return f"the answer has shape {value.shape}, expected {K.shape}"
    if same(value, K):
        return "the answer is `K` itself, and *other* keys are asked for"
    moves = value - K
    if not np.isfinite(moves).all():
        return "the answer holds infinity or NaN"
    seen = np.abs((value - value[0]) - (K - K[0])).max(axis=0)
    # What a narrow type rounds, but not what tells the keys apart, nor the move itself.
    size, spread = np.abs(moves).max(), np.ptp(K, axis=0).max()
    if seen.max() <= min(1e-6 * (np.abs(K).max() + size), 1e-3 * spread, 1e-3 * size):
        return None
    return f"a query that is 0 except in entry {seen.argmax()} gets other weights"


def probes(rng):
    """Two keys of width 1, then more; no entry, mean or extreme of a column is 0."""
    small = np.array([[0.75], [-2.5]])  # nobody adds its mean or an entry of it
    more = np.array([[1.0, 4.0], [3.0, 2.0], [-2.0, 5.0], [7.0, -1.0]])
    fresh = [drawn(rng, 3, 3), drawn(rng, 2, 5), 1e4 * drawn(rng, 5, 2)]
    return [(K,) for K in (small, more[:2], more, *fresh)]


EXERCISE = Exercise(
    type="derive",
    difficulty=3,
    minutes=15,
    stub='''
def same_weights(K):
    """Return other keys that give every query the same weights as K."""
    return ...
''',
    answer="same_weights",
    solution=same_weights,
    wrong=(
        unchanged,
        reordered,
        stretched,
        mirrored,
        shifted_each,
        centred_rows,
    ),
    probes=probes,
    complaint=complaint,
)

"""Derive the rotary score of one pair as a function of the distance."""

import numpy as np

from attnbook.exercises.inputs import drawn
from attnbook.exercises.master import Exercise


def pair_score(q, k, gap):
    """Return the raw score; q and k have width 2, k stands gap places later."""
    along = q[0] * k[0] + q[1] * k[1]
    aside = q[1] * k[0] - q[0] * k[1]
    return along * np.cos(gap) + aside * np.sin(gap)


def cosine_alone(q, k, gap):
    """Forget that entries mix."""
    return (q[0] * k[0] + q[1] * k[1]) * np.cos(gap)


def other_sign(q, k, gap):
    """Put the key before the query."""
    return pair_score(q, k, -gap)


def both_turned_on(q, k, gap):
    """Turn by the sum of angles."""
    along = q[0] * k[0] - q[1] * k[1]
    aside = q[1] * k[0] + q[0] * k[1]
    return along * np.cos(gap) + aside * np.sin(gap)


def crossed(q, k, gap):
    """Swap the parts of sine and cosine."""
    along = q[0] * k[0] + q[1] * k[1]
    aside = q[1] * k[0] - q[0] * k[1]
    return along * np.sin(gap) + aside * np.cos(gap)


def unturned(q, k, gap):
    """Leave the distance out."""
    return q[0] * k[0] + q[1] * k[1]


def doubled(q, k, gap):
    """Turn both by the distance."""
    return pair_score(q, k, 2 * gap)


def probes(rng):
    """Axes first, then any vectors, gaps to both sides."""
    axes = [(np.array([1.0, 0.0]), np.array([1.0, 0.0]), gap) for gap in (0, 1)]
    mixed = [(np.array([1.0, 0.0]), np.array([0.0, 1.0]), gap) for gap in (1, -1)]
    fresh = [
        (drawn(rng, 2), drawn(rng, 2), int(rng.integers(-9, 10))) for _ in range(5)
    ]
    return axes + mixed + fresh


EXERCISE = Exercise(
    type="derive",
    difficulty=3,
    minutes=15,
    stub='''
def pair_score(q, k, gap):
    """Return the raw score; q and k have width 2, k stands gap places later."""
    return ...
''',
    answer="pair_score",
    solution=pair_score,
    wrong=(cosine_alone, other_sign, both_turned_on, crossed, unturned, doubled),
    probes=probes,
)

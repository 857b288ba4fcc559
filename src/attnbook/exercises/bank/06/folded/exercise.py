"""Implement: fold a factor for each head into the queries' matrix."""

import numpy as np

from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise


def folded(W_Q, factors):
    """Return the matrix with which plain attention computes the same."""
    width = W_Q.shape[1] // len(factors)
    return W_Q * np.repeat(factors, width) * np.sqrt(width)


def _width(W_Q, factors):
    return W_Q.shape[1] // len(factors)


def root_forgotten(W_Q, factors):
    """Forget that plain attention divides by the root."""
    return W_Q * np.repeat(factors, _width(W_Q, factors))


def root_twice(W_Q, factors):
    """Divide by the root once more."""
    width = _width(W_Q, factors)
    return W_Q * np.repeat(factors, width) / np.sqrt(width)


def root_of_all(W_Q, factors):
    """Take the width of all heads together."""
    width = _width(W_Q, factors)
    return W_Q * np.repeat(factors, width) * np.sqrt(W_Q.shape[1])


def heads_interleaved(W_Q, factors):
    """Deal the columns out to the heads in turn."""
    width = _width(W_Q, factors)
    return W_Q * np.tile(factors, width) * np.sqrt(width)


def divided(W_Q, factors):
    """Divide by the factors, as by temperatures."""
    width = _width(W_Q, factors)
    return W_Q / np.repeat(factors, width) * np.sqrt(width)


def one_for_all(W_Q, factors):
    """Give the mean factor to all heads."""
    return W_Q * np.mean(factors) * np.sqrt(_width(W_Q, factors))


def root_of_factors(W_Q, factors):
    """Keep half for the keys' matrix."""
    width = _width(W_Q, factors)
    return W_Q * np.sqrt(np.repeat(factors, width)) * np.sqrt(width)


def width_for_root(W_Q, factors):
    """Multiply by the width."""
    width = _width(W_Q, factors)
    return W_Q * np.repeat(factors, width) * width


def probes(rng):
    """One head first, then more; no width is 1 beside others."""
    return [
        (pattern(2, 4) + 0.5, np.array([3.0])),
        (pattern(3, 6) + 0.5, np.array([2.0, 0.5])),
        (pattern(4, 12) + 0.5, np.array([0.5, 3.0, 5.0])),
        (drawn(rng, 3, 8), np.abs(drawn(rng, 2)) + 1.5),
    ]


EXERCISE = Exercise(
    type="implement",
    difficulty=2,
    minutes=12,
    stub='''
def folded(W_Q, factors):
    """Return the matrix with which plain attention computes the same."""
    return ...
''',
    answer="folded",
    solution=folded,
    wrong=(
        root_forgotten,
        root_twice,
        root_of_all,
        heads_interleaved,
        divided,
        one_for_all,
        root_of_factors,
        width_for_root,
    ),
    probes=probes,
)

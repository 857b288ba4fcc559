"""Implement the matrix that shifts every row of the sinusoidal table."""

import numpy as np

from attnbook.exercises.master import Exercise


def _blocks(k, d, frequency, sign=1):
    """Put a rotation by k times the frequency on the diagonal for each pair."""
    M = np.zeros((d, d))
    for i in range(0, d, 2):
        c, s = np.cos(k * frequency(i)), sign * np.sin(k * frequency(i))
        M[i : i + 2, i : i + 2] = [[c, -s], [s, c]]
    return M


def shift_matrix(k, d):
    """Return M with table[p] @ M = table[p + k] for every p."""
    M = np.zeros((d, d))
    for i in range(0, d, 2):
        angle = k * 10000.0 ** (-i / d)
        c, s = np.cos(angle), np.sin(angle)
        M[i : i + 2, i : i + 2] = [[c, -s], [s, c]]
    return M


def other_way(k, d):
    """Shift back."""
    return _blocks(k, d, lambda i: 10000.0 ** (-i / d), sign=-1)


def one_frequency(k, d):
    """Turn all pairs alike."""
    return _blocks(k, d, lambda i: 1.0)


def too_slow(k, d):
    """Count the exponent twice."""
    return _blocks(k, d, lambda i: 10000.0 ** (-2 * i / d))


def by_pair(k, d):
    """Count the exponent in pairs."""
    return _blocks(k, d, lambda i: 10000.0 ** (-i / 2 / d))


def growing(k, d):
    """Let the later pairs turn faster."""
    return _blocks(k, d, lambda i: 10000.0 ** (i / d))


def halves(k, d):
    """Take the pairs from the two halves of a row."""
    order = np.r_[0:d:2, 1:d:2]
    M = shift_matrix(k, d)
    return M[np.ix_(order, order)]


def moved_rows(k, d):
    """Shift the columns instead of turning them."""
    return np.roll(np.eye(d), k, axis=1)


def probes(rng):
    """No shift, then small and large ones, widths from 2 on."""
    small = [(0, 2), (1, 2), (1, 4), (3, 6)]
    return [*small, (int(rng.integers(5, 90)), 8), (int(rng.integers(5, 90)), 4)]


EXERCISE = Exercise(
    type="implement",
    difficulty=3,
    minutes=20,
    stub='''
def shift_matrix(k, d):
    """Return M with table[p] @ M = table[p + k] for every p."""
    return ...
''',
    answer="shift_matrix",
    solution=shift_matrix,
    wrong=(
        other_way,
        one_frequency,
        too_slow,
        by_pair,
        growing,
        halves,
        moved_rows,
    ),
    probes=probes,
)

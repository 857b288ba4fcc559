"""Derive how many pairs a causal window leaves."""

import numpy as np

from attnbook.claims import definition, over
from attnbook.exercises.master import Exercise


def visible_pairs(n, left):
    """Return how many pairs a causal window of n tokens leaves visible."""
    seen = min(left + 1, n)
    return n * seen - seen * (seen - 1) // 2


def no_edge(n, left):
    """Forget that the first queries have fewer keys before them."""
    return n * (left + 1)


def without_itself(n, left):
    """Count only the keys before the query."""
    return visible_pairs(n, left) - n


def whole_triangle(n, left):
    """Forget the window."""
    return n * (n + 1) // 2


def both_sides(n, left):
    """Look forward as well."""
    return 2 * visible_pairs(n, left) - n


def window_not_cut(n, left):
    """Use the formula where the window is longer than the text."""
    return n * (left + 1) - left * (left + 1) // 2


def edge_off_by_one(n, left):
    """Take one pair too few from the first queries."""
    seen = min(left + 1, n)
    return n * seen - (seen - 1) * (seen - 2) // 2


def counted(n, left):
    """Count row by row, or draw the mask: neither comes to an end."""
    if n > 1e6:
        raise TimeoutError  # instead of waiting
    return sum(min(i + 1, left + 1) for i in range(n))


def hidden_pairs(n, left):
    """Count what is hidden."""
    return n * n - visible_pairs(n, left)


def probes(rng):
    """One token, no window, windows, one longer than the text, a text without end."""
    small = [(1, 0), (4, 1), (5, 0), (10, 3), (3, 7), (np.int64(100), np.int64(9))]
    n = int(rng.integers(20, 90))
    fresh = [(n, int(rng.integers(2, n - 2))), (n, n - 1), (n, 3 * n)]
    return [*small, *fresh, (10**15, 7)]


def _causal(n):
    return np.tril(np.ones((n, n), dtype=bool))


def _window(n, left):
    return _causal(n) & ~np.tril(np.ones((n, n), dtype=bool), k=-left - 1)


EXERCISE = Exercise(
    type="derive",
    difficulty=2,
    minutes=10,
    stub='''
def visible_pairs(n, left):
    """Return how many pairs a causal window of n tokens leaves visible."""
    return ...
''',
    answer="visible_pairs",
    solution=visible_pairs,
    wrong=(
        no_edge,
        without_itself,
        whole_triangle,
        both_sides,
        window_not_cut,
        edge_off_by_one,
        counted,
        hidden_pairs,
    ),
    probes=probes,
    seconds=2,
    numbers=lambda: {
        "the $n^2$ pairs": lambda n: _causal(n).size,
        r"$w = \min(\text{left} + 1, n)$": over(
            lambda left, n: _window(n, left).sum(axis=1).max(), left=(0, 60)
        ),
        "first $w - 1$ rows": over(
            lambda w: (_window(w + 9, w - 1).sum(axis=1) < w).sum(), w=(2, 20)
        ),
        r"$1 + 2 + \dots + (w - 1) = w(w-1)/2$": over(
            lambda w: (~_causal(w)).sum(), w=(2, 20)
        ),
        "as $n^2/2$": definition,
        "has $n^2$ cells": lambda n: _causal(n).size,
        r"$1 + 2 + \dots + m = m(m+1)/2$": lambda m: _causal(m).sum(),
    },
)

"""Derive how many pairs a causal window leaves."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong


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


def hidden_pairs(n, left):
    """Count what is hidden."""
    return n * n - visible_pairs(n, left)


def probes():
    """One token, no window, a window, and one that is longer than the text."""
    return [(1, 0), (4, 1), (5, 0), (10, 3), (3, 7), (np.int64(100), np.int64(9))]


EXERCISE = Exercise(
    name="08-visible-pairs",
    title="how much a window saves",
    type="derive",
    difficulty=2,
    minutes=10,
    objective="counting the cells of a mask, edges included.",
    statement=r"""
`n` tokens attend causally, each to itself and to at most `left` tokens before it. How
many of the $n^2$ pairs are visible? Derive a formula without a loop. It must hold for
`left = 0` and for a window that is longer than the text, and a count for `n = 100000`
must not need an array of that size squared.
""",
    stub='''
def visible_pairs(n, left):
    """Return how many pairs a causal window of n tokens leaves visible."""
    return ...
''',
    answer="visible_pairs",
    solution=visible_pairs,
    explanation=r"""
Let $w = \min(\text{left} + 1, n)$ be the longest row. All $n$ rows would have $wn$
pairs, but the first $w - 1$ rows lack $1 + 2 + \dots + (w - 1) = w(w-1)/2$ of them. For
a fixed window the count grows as $n$; without one, as $n^2/2$.
""",
    wrong=(
        Wrong(
            no_edge,
            "The first queries have fewer keys before them. How many pairs lack?",
        ),
        Wrong(without_itself, "Each token sees itself, too."),
        Wrong(whole_triangle, "This is the causal mask without a window."),
        Wrong(both_sides, "Nobody looks forward here: the mask is causal."),
        Wrong(
            window_not_cut,
            "Right while the window fits into the text. What if `left` is larger than "
            "`n`?",
        ),
        Wrong(hidden_pairs, "You counted the hidden pairs."),
    ),
    probes=probes,
)

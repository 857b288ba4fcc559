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


def probes():
    """One token, no window, windows, one longer than the text, a text without end."""
    small = [(1, 0), (4, 1), (5, 0), (10, 3), (3, 7), (np.int64(100), np.int64(9))]
    return [*small, (10**15, 7)]


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
`left = 0` and for a window that is longer than the text. The last input that is tried
has so many tokens that neither a loop nor an array comes to an end.
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
        Wrong(
            edge_off_by_one,
            "The second query lacks `left - 1` keys, the first one `left`: add these "
            "up again.",
        ),
        Wrong(
            counted,
            "Right for short texts, but not a formula: a loop takes for ever, and the "
            "mask itself has $n^2$ cells. Use $1 + 2 + \\dots + m = m(m+1)/2$.",
        ),
        Wrong(hidden_pairs, "You counted the hidden pairs."),
    ),
    probes=probes,
    seconds=2,  # enough for a formula, and too short to fill the memory
)

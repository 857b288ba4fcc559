"""Implement the length that still fits."""

import math

from attnbook.exercises.master import Exercise, Wrong


def longest(memory, n_heads, itemsize):
    """Return the largest n whose scores of one layer fit."""
    return math.isqrt(memory // (n_heads * itemsize))


def one_head(memory, n_heads, itemsize):
    """Forget the heads."""
    return math.isqrt(memory // itemsize)


def linear(memory, n_heads, itemsize):
    """Take the memory to be linear in n."""
    return memory // (n_heads * itemsize)


def heads_outside(memory, n_heads, itemsize):
    """Take the root first, and divide by the heads afterwards."""
    return math.isqrt(memory // itemsize) // n_heads


def no_itemsize(memory, n_heads, itemsize):
    """Take a number for a byte."""
    return math.isqrt(memory // n_heads)


def too_long(memory, n_heads, itemsize):
    """Round up."""
    return math.ceil(math.sqrt(memory / (n_heads * itemsize)))


def fraction(memory, n_heads, itemsize):
    """Do not round."""
    return math.sqrt(memory / (n_heads * itemsize))


def probes():
    """Try a memory that is exactly filled, and others that are not."""
    return [(50, 2, 1), (16, 1, 1), (24 * 10**9, 32, 2), (80 * 2**30, 96, 2), (7, 2, 4)]


EXERCISE = Exercise(
    name="12-longest",
    title="what still fits",
    type="implement",
    difficulty=1,
    minutes=6,
    objective="turning a cost around: from a budget to a length.",
    statement=r"""
A plain kernel stores the $n \times n$ scores of all heads of one layer at once. Given
the free memory in bytes, return the largest whole $n$ that fits. `math` is imported.
""",
    stub='''
import math

def longest(memory, n_heads, itemsize):
    """Return the largest n whose scores of one layer fit."""
    return ...
''',
    answer="longest",
    solution=longest,
    explanation=r"""
$h n^2 b \le M$, so $n \le \sqrt{M / (hb)}$. Four times the memory buys twice the
length: this is why larger machines were never the way to long texts.
""",
    wrong=(
        Wrong(one_head, "All heads are there at once."),
        Wrong(linear, "The matrix has n times n entries: take a root."),
        Wrong(heads_outside, "Divide by the heads before you take the root."),
        Wrong(no_itemsize, "How many bytes does one score take?"),
        Wrong(too_long, "Rounded up it no longer fits."),
        Wrong(fraction, "Half a token does not exist: round down."),
    ),
    probes=probes,
    numbers=lambda: {
        "Four times": (longest(4 * 10**9, 8, 2) / longest(10**9, 8, 2)) ** 2,
        "buys twice": longest(4 * 10**9, 8, 2) / longest(10**9, 8, 2),
        "Half a token": fraction(25, 4, 1) - longest(25, 4, 1),
    },
)

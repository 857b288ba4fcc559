"""Implement the length that still fits."""

import math

from attnbook.claims import over
from attnbook.cost import attention_cost
from attnbook.exercises.master import Exercise


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


def nearest(memory, n_heads, itemsize):
    """Round to the nearest whole number."""
    return round(math.sqrt(memory / (n_heads * itemsize)))


def fraction(memory, n_heads, itemsize):
    """Do not round."""
    return math.sqrt(memory / (n_heads * itemsize))


def probes(rng):
    """Try a memory that is exactly filled, and others that are not."""
    n, heads = int(rng.integers(50, 5000)), int(rng.choice([3, 5, 12]))
    one = heads * 4  # bytes of one score in each head
    around = [(n * n * one + more, heads, 4) for more in (0, -1, one)]
    large = [(24 * 10**9, 32, 2), (80 * 2**30, 96, 2), (7, 2, 4)]
    return [(50, 2, 1), (16, 1, 1), *large, *around]


def _all_scores(n, h, b):
    return attention_cost(n, n, 4, 4, n_heads=h, itemsize=b).scores.bytes


EXERCISE = Exercise(
    type="implement",
    difficulty=1,
    minutes=6,
    stub='''
import math

def longest(memory, n_heads, itemsize):
    """Return the largest n whose scores of one layer fit."""
    return ...
''',
    answer="longest",
    solution=longest,
    wrong=(
        one_head,
        linear,
        heads_outside,
        no_itemsize,
        too_long,
        nearest,
        fraction,
    ),
    probes=probes,
    numbers=lambda: {
        "Four times": (longest(4 * 10**9, 8, 2) / longest(10**9, 8, 2)) ** 2,
        "buys twice": longest(4 * 10**9, 8, 2) / longest(10**9, 8, 2),
        "Half a token": fraction(25, 4, 1) - longest(25, 4, 1),
        r"$h n^2 b \le M$": over(
            _all_scores,
            b=[2, 4],
            M=lambda n, h, b: h * n * n * b,
        ),
        r"$n \le \sqrt{M / (hb)}$": over(
            lambda M, h, b: fraction(M, h, b), b=[2, 4], M=(100, 10**6)
        ),
    },
)

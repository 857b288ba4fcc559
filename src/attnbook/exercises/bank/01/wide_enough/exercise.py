"""Predict: how wide a memory must be, and how large it is beside keys and values."""

import numpy as np

from attnbook.claims import definition
from attnbook.exercises.master import Exercise, by_part


def wide_enough(n_tokens, share, width):
    """Return the width, and the memory's numbers over those of keys and values."""
    d = (n_tokens - 1) / share**2
    return d, d**2 / (2 * n_tokens * width)


@by_part
def length_for_square(n_tokens, share, width):
    """Take the length of the cross-talk for its mean square."""
    d = (n_tokens - 1) / share
    return d, d**2 / (2 * n_tokens * width)


@by_part
def with_itself(n_tokens, share, width):
    """Count the token itself among the others."""
    d = n_tokens / share**2
    return d, d**2 / (2 * n_tokens * width)


@by_part
def root_taken(n_tokens, share, width):
    """Let the length of the cross-talk grow with the number of tokens."""
    d = (n_tokens - 1) ** 2 / share**2
    return d, d**2 / (2 * n_tokens * width)


def turned_over(n_tokens, share, width):
    """Turn the ratio over."""
    d, ratio = wide_enough(n_tokens, share, width)
    return d, 1 / ratio


def keys_alone(n_tokens, share, width):
    """Forget the values."""
    d, ratio = wide_enough(n_tokens, share, width)
    return d, 2 * ratio


def one_row(n_tokens, share, width):
    """Take the memory for a vector."""
    d = wide_enough(n_tokens, share, width)[0]
    return d, d / (2 * n_tokens * width)


def as_wide(n_tokens, share, width):
    """Keep keys and values as wide as the memory."""
    d = wide_enough(n_tokens, share, width)[0]
    return d, d / (2 * n_tokens)


def variant(rng):
    """Draw another text, another bound and another width."""
    return {
        "n_tokens": int(rng.choice([401, 501, 801, 1001, 2001])),
        "share": float(rng.choice([0.1, 0.2, 0.05])),
        "width": int(rng.choice([16, 32])),
    }


def said(n_tokens, share, width):
    """Print the numbers, the mean square and both results."""
    d, ratio = wide_enough(n_tokens, share, width)
    return {
        "tokens": f"{n_tokens:,d}",
        "others": f"{n_tokens - 1:,d}",
        "square": f"{share**2:g}",
        "d": f"{d:,.0f}",
        "ratio": f"{ratio:,.0f}",
    }


EXERCISE = Exercise(
    type="predict",
    difficulty=2,
    minutes=10,
    stub="""
needed = ...  # the width of keys and values
ratio = ...  # numbers in the memory over numbers that attention keeps
""",
    answer="(needed, ratio)",
    solution=wide_enough,
    wrong=(
        length_for_square,
        with_itself,
        root_taken,
        turned_over,
        keys_alone,
        one_row,
        as_wide,
    ),
    standard={"n_tokens": 1001, "share": 0.1, "width": 16},
    variant=variant,
    said=said,
    tolerance=1e-4,
    numbers=lambda: {
        "the length 1": np.linalg.norm([1.0, 0.0]),
        "$(n-1)/d$": definition,
        "$d^2$": definition,
        "$2nw$": definition,
    },
)

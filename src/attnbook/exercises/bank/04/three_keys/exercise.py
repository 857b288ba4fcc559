"""Measure the temperature at which the row has three effective keys."""

import numpy as np

from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax
from attnbook.stats import effective_keys, entropy

SCORES = np.array([2, 1, 0.1, -0.5, -1])


def _halve(is_too_cold):
    """Find where a condition on the temperature ends, by halving."""
    cold, hot = 0.05, 20.0
    for _ in range(60):
        middle = (cold + hot) / 2
        cold, hot = (middle, hot) if is_too_cold(middle) else (cold, middle)
    return middle


def temperature():
    """Return the temperature at which the five scores have three effective keys."""
    scores = np.array([2, 1, 0.1, -0.5, -1])
    cold, hot = 0.05, 20
    for _ in range(60):
        middle = (cold + hot) / 2
        powers = np.exp(scores / middle)
        weights = powers / powers.sum()
        if 1 / (weights**2).sum() < 3:
            cold = middle
        else:
            hot = middle
    return middle


def inverse():
    """Multiply the scores by the answer instead of dividing."""
    return 1 / temperature()


def by_entropy():
    """Use e to the entropy."""
    return _halve(lambda t: np.exp(entropy(softmax(SCORES / t))) < 3)


def squares_alone():
    """Look for a sum of squares of three fifths."""
    return _halve(lambda t: (softmax(SCORES / t) ** 2).sum() > 3 / 5)


def straight_line():
    """Draw a line from the count at temperature 1 to the one at temperature 2."""
    one, two = (effective_keys(softmax(SCORES / t)) for t in (1, 2))
    return float(1 + (3 - one) / (two - one))


EXERCISE = Exercise(
    type="measure",
    difficulty=2,
    minutes=15,
    stub="""
scores = np.array([2, 1, 0.1, -0.5, -1])
temperature = ...
""",
    answer="temperature",
    solution=temperature,
    wrong=(
        inverse,
        by_entropy,
        squares_alone,
        straight_line,
    ),
    tolerance=0.005,
)

"""Predict, then run: which ratios move, and to what."""

import numpy as np

from attnbook.exercises.master import Exercise


def ratios():
    """Return w1/w2 and w2/w3, both at temperature 1/2, after z1 is raised to 3."""
    return np.exp((3 - 1) / 0.5), np.exp((1 - 0.1) / 0.5)


def at_temperature_one():
    """Forget the temperature."""
    return np.exp(3 - 1), np.exp(1 - 0.1)


def temperature_multiplied():
    """Multiply the difference by the temperature."""
    return np.exp((3 - 1) * 0.5), np.exp((1 - 0.1) * 0.5)


def factor_outside():
    """Take the temperature for a factor on the ratio."""
    return np.exp(3 - 1) / 0.5, np.exp(1 - 0.1) / 0.5


def score_not_raised():
    """Leave z1 where it was."""
    return np.exp((2 - 1) / 0.5), np.exp((1 - 0.1) / 0.5)


def logarithms():
    """Stop at the exponents."""
    return (3 - 1) / 0.5, (1 - 0.1) / 0.5


def upside_down():
    """Divide the weaker weight by the stronger."""
    return np.exp(-(3 - 1) / 0.5), np.exp(-(1 - 0.1) / 0.5)


def weights():
    """Give weights, not ratios."""
    powers = np.exp(np.array([3, 1, 0.1, -0.5, -1]) / 0.5)
    return tuple(powers[:2] / powers.sum())


def quotients():
    """Divide the scores by each other."""
    return 3 / 1, 1 / 0.1


EXERCISE = Exercise(
    type="predict",
    difficulty=1,
    minutes=5,
    stub="""
first_over_second = ...
second_over_third = ...
""",
    answer="(first_over_second, second_over_third)",
    solution=ratios,
    wrong=(
        at_temperature_one,
        temperature_multiplied,
        factor_outside,
        score_not_raised,
        logarithms,
        upside_down,
        weights,
        quotients,
    ),
    tolerance=0.004,
)

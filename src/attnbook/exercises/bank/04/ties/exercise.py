"""Predict, then run: entropy at both ends of the temperature, with a tie."""

import numpy as np

from attnbook.exercises.master import Exercise


def limits():
    """Return the limits of the entropy for scores 3, 3, 3, 1, -1: cold, then hot."""
    return np.log(3), np.log(5)


def winner_takes_all():
    """Let one of the tied scores win."""
    return 0, np.log(5)


def two_tied():
    """Count the rivals of the first."""
    return np.log(2), np.log(5)


def counts():
    """Give the numbers of keys."""
    return 3, 5


def bits():
    """Take logarithms to base 2."""
    return np.log2(3), np.log2(5)


def other_way_round():
    """Confuse cold and hot."""
    return np.log(5), np.log(3)


def weights():
    """Give the weights of the leaders."""
    return 1 / 3, 1 / 5


def endless():
    """Let entropy grow as the temperature does."""
    return np.log(3), np.inf


def losers_left_out():
    """Forget one of the losers when it is hot."""
    return np.log(3), np.log(4)


def never_even():
    """Let the row freeze when it is hot, too."""
    return np.log(3), 0


def no_end():
    """Think that heat removes the losers."""
    return np.log(3), np.log(2)


EXERCISE = Exercise(
    type="predict",
    difficulty=1,
    minutes=5,
    stub="""
cold = ...  # the temperature tends to 0
hot = ...  # the temperature grows without end
""",
    answer="(cold, hot)",
    solution=limits,
    wrong=(
        winner_takes_all,
        two_tied,
        counts,
        bits,
        other_way_round,
        weights,
        endless,
        losers_left_out,
        never_even,
        no_end,
    ),
    tolerance=0.003,
)

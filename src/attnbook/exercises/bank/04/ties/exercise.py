"""Predict, then run: entropy at both ends of the temperature, with a tie."""

import numpy as np

from attnbook.exercises.inputs import listed
from attnbook.exercises.master import Exercise, by_part

COUNTS = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


def limits(leaders, losers):
    """Return the limits of the entropy, cold and hot, with several tied in front."""
    return np.log(leaders), np.log(leaders + losers)


def winner_takes_all(leaders, losers):
    """Let one of the tied scores win."""
    return 0, np.log(leaders + losers)


def two_tied(leaders, losers):
    """Count the rivals of the first."""
    return np.log(leaders - 1), np.log(leaders + losers)


@by_part
def counts(leaders, losers):
    """Give the numbers of keys."""
    return leaders, leaders + losers


@by_part
def bits(leaders, losers):
    """Take logarithms to base 2."""
    return np.log2(leaders), np.log2(leaders + losers)


def other_way_round(leaders, losers):
    """Confuse cold and hot."""
    return limits(leaders, losers)[::-1]


def tie_for_ever(leaders):
    """Think that heat changes nothing among those in front."""
    return np.log(leaders), np.log(leaders)


@by_part
def weights(leaders, losers):
    """Give the weights of the leaders."""
    return 1 / leaders, 1 / (leaders + losers)


def endless(leaders):
    """Let entropy grow as the temperature does."""
    return np.log(leaders), np.inf


def losers_left_out(leaders, losers):
    """Forget one of the losers when it is hot."""
    return np.log(leaders), np.log(leaders + losers - 1)


def never_even(leaders):
    """Let the row freeze when it is hot, too."""
    return np.log(leaders), 0


def no_end(leaders, losers):
    """Think that heat removes the leaders."""
    return np.log(leaders), np.log(losers)


def variant(rng):
    """Draw how many lead and how many do not."""
    leaders = int(rng.integers(3, 6))
    return {"leaders": leaders, "losers": int(rng.integers(2, min(leaders, 4)))}


def said(leaders, losers):
    """Print the row, and the counts in words."""
    row = [3] * leaders + [1, -1, -2][:losers]
    total = leaders + losers
    return {"row": listed(row), "in_front": COUNTS[leaders], "in_all": COUNTS[total]}


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
        tie_for_ever,
        weights,
        endless,
        losers_left_out,
        never_even,
        no_end,
    ),
    standard={"leaders": 3, "losers": 2},
    variant=variant,
    said=said,
    tolerance=0.003,
)

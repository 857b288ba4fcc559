"""Predict: a weight and an output from two scores and two values."""

import numpy as np

from attnbook.exercises.master import Exercise, by_part


def share(first, second, low, high):
    """Return the weight of the first word and the output."""
    weight = 1 / (1 + np.exp(second - first))
    return weight, weight * low + (1 - weight) * high


def _with(weight, low, high):
    return weight, weight * low + (1 - weight) * high


@by_part
def shares_of_scores(first, second, low, high):
    """Share the scores out, without the exponential."""
    return _with(first / (first + second), low, high)


@by_part
def all_to_the_winner(first, second, low, high):
    """Give the better match everything."""
    return _with(1.0, low, high)


@by_part
def alike(first, second, low, high):
    """Take the plain mean."""
    return _with(0.5, low, high)


def other_way(first, second, low, high):
    """Give the better match's share to the other word."""
    return _with(1 / (1 + np.exp(first - second)), low, high)


@by_part
def divided_again(first, second, low, high):
    """Divide the scores by a root once more."""
    return _with(1 / (1 + np.exp((second - first) / np.sqrt(2))), low, high)


def right_weight_wrong_values(first, second, low, high):
    """Mix the values the other way round."""
    weight = share(first, second, low, high)[0]
    return weight, weight * high + (1 - weight) * low


def variant(rng):
    """Draw a lead, and two round values; shares of scores must be far off."""
    low, high = (int(x) for x in rng.choice([10, 20, 40, 50, 80], 2, replace=False))
    while True:
        second = float(rng.choice([0.5, 1.0, 1.5]))
        first = second + float(rng.choice([0.75, 1.25, 1.5, 2.0]))
        numbers = {"first": first, "second": second, "low": low, "high": high}
        if abs(shares_of_scores(**numbers)[0] - share(**numbers)[0]) > 0.03:
            return numbers


def said(first, second, low, high):
    """Print the scores, the lead, and both results."""
    weight, output = share(first, second, low, high)
    numbers = {"first": first, "second": second, "low": low, "high": high}
    return {name: f"{value:g}" for name, value in numbers.items()} | {
        "lead": f"{first - second:g}",
        "weight": f"{weight:.3f}",
        "output": f"{output:.2f}",
    }


EXERCISE = Exercise(
    type="predict",
    difficulty=1,
    minutes=5,
    stub="""
weight = ...  # of the first word
output = ...  # one number
""",
    answer="(weight, output)",
    solution=share,
    wrong=(
        shares_of_scores,
        all_to_the_winner,
        alike,
        other_way,
        divided_again,
        right_weight_wrong_values,
    ),
    standard={"first": 2.0, "second": 0.5, "low": 10, "high": 20},
    variant=variant,
    said=said,
    tolerance=0.005,
)

"""Predict, then run: one hidden key, three ways to hide it."""

import numpy as np

from attnbook.exercises.master import Exercise

SCORES = np.array([1.0, 0.5, 1.5])


def softmax(scores):
    """Return shares."""
    e = np.exp(scores)
    return e / e.sum()


def three_ways():
    """Return the weight of key 1, the leak, and the sum of the row."""
    e = np.exp([1.0, 0.5, 1.5])
    seen = e[0] + e[1]
    return e[0] / seen, 1 / (seen + 1), seen / e.sum()


def zero_hides():
    """Take a score of 0 for no weight, and a weight of 0 for no influence."""
    return three_ways()[0], 0, 1


def nothing_hidden():
    """Leave all three scores as they are."""
    weights = softmax(SCORES)
    return weights[0], weights[2], 1


def equal_shares():
    """Think that a score of 0 gets the share of an equal among three."""
    return 1 / 2, 1 / 3, 2 / 3


def ratios_of_scores():
    """Take shares of the scores themselves, without the exponential."""
    return 1 / 1.5, 0, 0.5


def shares_not_divided():
    """Give the leaking key its power, without the sum."""
    return three_ways()[0], 1, three_ways()[2]


def in_percent():
    """Give percent."""
    return tuple(100 * share for share in three_ways())


def hidden_score_kept():
    """Take the hidden score for the sum as well."""
    e = np.exp(SCORES)
    return e[0] / e.sum(), 1 / e.sum(), e[2] / e.sum()


def the_hidden_part():
    """Give what is missing from the row, and what is not leaked."""
    seen = three_ways()
    return 1 - seen[0], 1 - seen[1], 1 - seen[2]


EXERCISE = Exercise(
    type="predict",
    difficulty=1,
    minutes=8,
    stub="""
hidden_weight = ...  # of the first key, with the third hidden by minus infinity
leak = ...  # weight of the third key, with its score set to 0
row_sum = ...  # sum of the row, with the third weight set to 0 after softmax
""",
    answer="(hidden_weight, leak, row_sum)",
    solution=three_ways,
    wrong=(
        zero_hides,
        nothing_hidden,
        equal_shares,
        ratios_of_scores,
        shares_not_divided,
        in_percent,
        hidden_score_kept,
        the_hidden_part,
    ),
    tolerance=0.01,
)

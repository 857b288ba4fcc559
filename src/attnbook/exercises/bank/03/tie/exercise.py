"""Predict: how long an aligned key must be, and what twice that length buys."""

import numpy as np

from attnbook.exercises.master import Exercise


def tie():
    """Return the factor for a tie, and the ratio of weights at twice that length."""
    q = np.array([2, 1])
    first, second = np.array([1, 0.5]), np.array([4, -1.5])
    factor = (second @ q) / (first @ q)
    lead = (2 * factor * first - second) @ q
    return factor, np.exp(lead)


def as_long():
    """Make both keys equally long."""
    return np.sqrt(18.25) / np.sqrt(1.25), np.exp(6.5)


def by_cosine():
    """Divide the cosines."""
    return np.sqrt(5 * 18.25) / 6.5, np.exp(6.5)


def other_way():
    """Turn the quotient over."""
    return 2.5 / 6.5, np.exp(6.5)


def scores_divided():
    """Take the ratio of the scores for that of the weights."""
    return 2.6, 2


def score_for_lead():
    """Take the first score for the lead."""
    return 2.6, np.exp(13)


def still_tied():
    """Think that a tie stays one."""
    return 2.6, 1


EXERCISE = Exercise(
    type="predict",
    difficulty=1,
    minutes=10,
    stub="""
factor = ...  # how many times longer the first key must be for a tie
ratio = ...  # first weight over second, when it is twice that long
""",
    answer="(factor, ratio)",
    solution=tie,
    wrong=(
        as_long,
        by_cosine,
        other_way,
        scores_divided,
        score_for_lead,
        still_tied,
    ),
    tolerance=0.005,
)

"""Predict, then run: what a mean in the queries or in the keys does within a row."""

import numpy as np

from attnbook.exercises.master import Exercise


def deviations():
    """Return the deviation within a row for shifted queries, then for shifted keys."""
    shift = 2
    return np.sqrt(1 + shift**2), np.sqrt(1)


def treated_alike():
    """Take the variance over all scores for the one within a row."""
    return np.sqrt(5), np.sqrt(5)


def nothing_changes():
    """Think that softmax ignores any shift."""
    return 1, 1


def other_way_round():
    """Confuse rows and columns."""
    return 1, np.sqrt(5)


def variances():
    """Forget the root at the end."""
    return 5, 1


def added_plainly():
    """Add the mean, not its square."""
    return 3, 1


def own_spread_forgotten():
    """Let the keys' own spread drop out together with their mean."""
    return np.sqrt(5), 0


def mean_alone():
    """Count the mean of the queries and forget their own spread."""
    return 2, 1


def raw_deviations():
    """Forget the scaling."""
    return np.sqrt(64 * 5), np.sqrt(64)


EXERCISE = Exercise(
    type="predict",
    difficulty=2,
    minutes=10,
    stub="""
shifted_queries = ...  # the queries have mean 2
shifted_keys = ...  # the keys have mean 2
""",
    answer="(shifted_queries, shifted_keys)",
    solution=deviations,
    wrong=(
        other_way_round,
        treated_alike,
        nothing_changes,
        variances,
        added_plainly,
        own_spread_forgotten,
        mean_alone,
        raw_deviations,
    ),
    tolerance=0.03,
)

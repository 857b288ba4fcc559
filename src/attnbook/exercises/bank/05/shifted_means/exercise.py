"""Predict, then run: what a mean in the queries or in the keys does within a row."""

from itertools import product

import numpy as np

from attnbook.claims import over
from attnbook.exercises.master import Exercise, by_part


def deviations(shift):
    """Return the deviation within a row for shifted queries, then for shifted keys."""
    return np.sqrt(1 + shift**2), np.sqrt(1)


def recipe(rng, shift):
    """Draw as the statement says, 300 queries and 5000 keys of width 64."""
    Q, K = rng.standard_normal((300, 64)), rng.standard_normal((5000, 64))
    pairs = (Q + shift, K), (Q, K + shift)
    return tuple((a @ b.T / 8).std(axis=1).mean() for a, b in pairs)


def treated_alike(shift):
    """Take the variance over all scores for the one within a row."""
    return np.sqrt(1 + shift**2), np.sqrt(1 + shift**2)


def nothing_changes():
    """Think that softmax ignores any shift."""
    return 1, 1


def other_way_round(shift):
    """Confuse rows and columns."""
    return 1, np.sqrt(1 + shift**2)


def variances(shift):
    """Forget the root at the end."""
    return 1 + shift**2, 1


def added_plainly(shift):
    """Add the mean, not its square."""
    return 1 + shift, 1


def own_spread_forgotten(shift):
    """Let the keys' own spread drop out together with their mean."""
    return np.sqrt(1 + shift**2), 0


def mean_alone(shift):
    """Count the mean of the queries and forget their own spread."""
    return shift, 1


@by_part
def raw_deviations(shift):
    """Forget the scaling."""
    return np.sqrt(64 * (1 + shift**2)), np.sqrt(64)


def variant(rng):
    """Draw another mean."""
    return {"shift": float(rng.choice([0.8, 1.2, 1.5, 2.0]))}


_COINS = np.array([-1.0, 1.0])  # an entry with mean 0 and variance 1


def _within_row(q):
    return np.var([q @ k for k in product(_COINS, repeat=q.size)])


EXERCISE = Exercise(
    type="predict",
    difficulty=2,
    minutes=10,
    stub="""
shifted_queries = ...  # the queries have mean {shift}
shifted_keys = ...  # the keys have mean {shift}
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
    standard={"shift": 2},
    variant=variant,
    recipe=recipe,
    tolerance=0.05,
    numbers=lambda: {
        "part in twenty": 1 / EXERCISE.tolerance,
        "entry, which is 1 in": _COINS.var(),
        r"$\lVert q\rVert^2$": _within_row,
        r"$1 + \mu_q^2$": over(lambda mu_q: np.mean((_COINS + mu_q) ** 2)),
        r"$1 + \mu^2$": lambda mu: np.mean((_COINS + mu) ** 2),
    },
)

"""Predict, then run: what a mean in the queries or in the keys does within a row."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong


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
    name="05-shifted-means",
    title="a mean on one side",
    type="predict",
    difficulty=2,
    minutes=10,
    objective="telling the spread within a row from the spread over everything.",
    statement=r"""
All entries of queries and keys are independent with variance 1, and scores are
scaled. How far do the scores of *one row* spread (their standard deviation: one
query, very many keys),

1. if the entries of the queries have mean 2 and those of the keys have mean 0;
2. if the entries of the keys have mean 2 and those of the queries have mean 0?

First write your two numbers down. Then measure: draw a few hundred queries and keys
with `np.random.default_rng(0)`, add the mean, and take `scores.std(axis=1).mean()`.
""",
    stub="""
shifted_queries = ...  # the queries have mean 2
shifted_keys = ...  # the keys have mean 2
""",
    answer="(shifted_queries, shifted_keys)",
    solution=deviations,
    explanation=r"""
Within a row the query is fixed, so the variance of $q\cdot k$ is $\lVert q\rVert^2$
times the variance of a key's entry, which is 1 in both cases. A squared entry of $q$
is $1 + \mu_q^2$ on average. The mean of the keys adds the same $q\cdot\mu$ to each
score of the row, and a common amount has no spread.
""",
    wrong=(
        Wrong(
            other_way_round,
            "You have rows and columns the wrong way round: in a row, the query is "
            "fixed and the keys vary.",
        ),
        Wrong(
            treated_alike,
            "Over *all* scores both cases spread alike. Within a row, a mean of the "
            "keys adds the same amount to every score.",
        ),
        Wrong(
            nothing_changes,
            "A mean of the *keys* drops out of a row. A mean of the queries does not: "
            "it makes the query longer, and each key is multiplied by that query.",
        ),
        Wrong(variances, "That is the variance. The standard deviation is its root."),
        Wrong(
            added_plainly,
            "A mean enters squared: the average of a squared entry is $1 + \\mu^2$.",
        ),
        Wrong(
            own_spread_forgotten,
            "Only the *mean* of the keys drops out. The keys still differ from each "
            "other, so the scores of a row do too.",
        ),
        Wrong(
            mean_alone,
            "The mean alone gives 2. The entries of a query also vary about their "
            "mean: what counts is the average of a squared entry.",
        ),
        Wrong(
            raw_deviations,
            "These are raw scores. Divide them by the root of the width.",
        ),
    ),
    tolerance=0.03,
)

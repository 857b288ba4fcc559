"""Predict: how long an aligned key must be, and what twice that length buys."""

import numpy as np

from attnbook.claims import defined
from attnbook.exercises.inputs import point
from attnbook.exercises.master import Exercise


def tie(q, first, second):
    """Return the factor for a tie, and the ratio of weights at twice that length."""
    q, first, second = np.array(q), np.array(first), np.array(second)
    factor = (second @ q) / (first @ q)
    lead = (2 * factor * first - second) @ q
    return factor, np.exp(lead)


def as_long(q, first, second):
    """Make both keys equally long."""
    lengths = np.linalg.norm(first), np.linalg.norm(second)
    return lengths[1] / lengths[0], tie(q, first, second)[1]


def by_cosine(q, first, second):
    """Divide the cosines."""
    factor, ratio = tie(q, first, second)
    return as_long(q, first, second)[0] / factor, ratio


def other_way(q, first, second):
    """Turn the quotient over."""
    factor, ratio = tie(q, first, second)
    return 1 / factor, ratio


def scores_divided(q, first, second):
    """Take the ratio of the scores for that of the weights."""
    return tie(q, first, second)[0], 2


def doubled_from_the_start(q, first, second):
    """Double the first key as it was, not as it is at the tie."""
    lead = (2 * np.array(first) - np.array(second)) @ q
    return tie(q, first, second)[0], np.exp(lead)


def second_over_first(q, first, second):
    """Turn the ratio over."""
    factor, ratio = tie(q, first, second)
    return factor, 1 / ratio


def lead_alone(q, first, second):
    """Stop at the difference of the scores."""
    factor, ratio = tie(q, first, second)
    return factor, np.log(ratio)


def score_for_lead(q, first, second):
    """Take the first score for the lead."""
    factor, ratio = tie(q, first, second)
    return factor, ratio**2


def still_tied(q, first, second):
    """Think that a tie stays one."""
    return tie(q, first, second)[0], 1


def variant(rng):
    """Draw an aligned key, and a longer one at a worse angle with a larger score."""
    while True:
        q = rng.permutation([2, 1]) * rng.choice([1, -1], 2)
        second = rng.integers(-10, 11, 2) / 2
        lead, length = second @ q, np.linalg.norm(second)
        aligned = 0.5 * q
        factor = lead / (aligned @ q)
        if 4 <= lead <= 8 and factor != 2 and lead / length < 1.8:
            numbers = (q, aligned, second)
            return dict(
                zip(("q", "first", "second"), map(_plain, numbers), strict=True)
            )


def _plain(values):
    return tuple(int(v) if v == int(v) else float(v) for v in values)


def said(q, first, second):
    """Print the vectors, their scores, and both results."""
    factor, ratio = tie(q, first, second)
    low, high = np.dot(q, first), np.dot(q, second)
    return {"query": point(q), "one": point(first), "two": point(second)} | {
        "low": f"{low:g}",
        "high": f"{high:g}",
        "doubled": f"{2 * high:g}",
        "factor": f"{factor:.3g}",
        "ratio": f"{ratio:,.0f}",
    }


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
        doubled_from_the_start,
        second_over_first,
        lead_alone,
        score_for_lead,
        still_tied,
    ),
    standard={"q": (2, 1), "first": (1, 0.5), "second": (4, -1.5)},
    variant=variant,
    said=said,
    tolerance=0.005,
    numbers=lambda: {
        "twice": defined(2),
    },
)

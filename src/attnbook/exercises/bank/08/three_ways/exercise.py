"""Predict, then run: one hidden key, three ways to hide it."""

import numpy as np

from attnbook.exercises.inputs import point
from attnbook.exercises.master import Exercise, by_part


def three_ways(scores):
    """Return the weight of key 1, the leak, and the sum of the row."""
    e = np.exp(scores)
    seen = e[0] + e[1]
    return e[0] / seen, 1 / (seen + 1), seen / e.sum()


def zero_hides(scores):
    """Take a score of 0 for no weight."""
    hidden, _, row = three_ways(scores)
    return hidden, 0, row


def row_stays_whole(scores):
    """Think that a row sums to 1 whatever is done to it."""
    return *three_ways(scores)[:2], 1


@by_part
def nothing_hidden(scores):
    """Leave all three scores as they are."""
    weights = np.exp(scores) / np.exp(scores).sum()
    return weights[0], weights[2], 1


def equal_shares():
    """Think that a score of 0 gets the share of an equal among three."""
    return 1 / 2, 1 / 3, 2 / 3


def ratios_of_scores(scores):
    """Take shares of the scores themselves, without the exponential."""
    seen = scores[0] + scores[1]
    return scores[0] / seen, 0, seen / sum(scores)


def shares_not_divided(scores):
    """Give the leaking key its power, without the sum."""
    return three_ways(scores)[0], 1, three_ways(scores)[2]


@by_part
def in_percent(scores):
    """Give percent."""
    return tuple(100 * share for share in three_ways(scores))


@by_part
def hidden_score_kept(scores):
    """Take the hidden score for the sum as well."""
    e = np.exp(scores)
    return e[0] / e.sum(), 1 / e.sum(), e[2] / e.sum()


@by_part
def the_hidden_part(scores):
    """Give what is missing from the row, and what is not leaked."""
    return tuple(1 - share for share in three_ways(scores))


def variant(rng):
    """Draw three scores; the loudest is hidden, and no two answers are alike."""
    one, two = rng.choice([(1, 0.5), (1.2, 0.4), (0.8, 0.3), (1.3, 0.6), (0.9, 0.2)])
    hidden = rng.choice([1.5, 1.7, 2, 2.2])
    return {"scores": (float(one), float(two), float(hidden))}


def said(scores):
    """Print the scores, the leak and what is missing in percent."""
    _, leak, row = three_ways(scores)
    first, second, third = (f"{z:g}" for z in scores)
    return {"row": point(scores, ",\\ "), "first": first, "second": second} | {
        "third": third,
        "leaked": f"{100 * leak:.0f}%",
        "missing": f"{100 * (1 - row):.0f}%",
    }


_SCORES = 1, 0.5, 1.5


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
        row_stays_whole,
        nothing_hidden,
        equal_shares,
        ratios_of_scores,
        shares_not_divided,
        in_percent,
        the_hidden_part,
        hidden_score_kept,
    ),
    standard={"scores": (1, 0.5, 1.5)},
    variant=variant,
    said=said,
    tolerance=0.01,
    numbers=lambda: {
        "give 1 minus": three_ways(_SCORES)[2] + the_hidden_part(_SCORES)[2],
    },
)

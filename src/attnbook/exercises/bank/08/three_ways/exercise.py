"""Predict, then run: one hidden key, three ways to hide it."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong

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
    name="08-three-ways",
    title="three ways to hide one key",
    type="predict",
    difficulty=1,
    minutes=8,
    objective="telling a score of 0, a weight of 0 and a deleted key apart.",
    statement=r"""
A query has the scaled scores $(1,\ 0.5,\ 1.5)$. The third key must not be seen. Find

1. the weight of the *first* key if the third score is set to $-\infty$;
2. the weight of the *third* key if its score is set to 0;
3. the sum of the row if the third *weight* is set to 0 after softmax.

Guess first: is each of them large or small? Then compute with `np.exp`, to three digits
after the point.
""",
    stub="""
hidden_weight = ...  # of the first key, with the third hidden by minus infinity
leak = ...  # weight of the third key, with its score set to 0
row_sum = ...  # sum of the row, with the third weight set to 0 after softmax
""",
    answer="(hidden_weight, leak, row_sum)",
    solution=three_ways,
    explanation=r"""
With $-\infty$ the third key is deleted, and the first has $e^1/(e^1 + e^{0.5})$, as if
there had never been a third. A score of 0 has the share $e^0 = 1$ in the sum: it leaks
about a fifth. And a weight that is set to 0 after softmax was the largest one: its half
of the row is simply missing.
""",
    wrong=(
        Wrong(
            zero_hides,
            "A score of 0 goes through the exponential: it has a full share of 1. And "
            "a weight that is set to 0 afterwards is still in the denominator.",
        ),
        Wrong(
            nothing_hidden,
            "This is the row without any mask. Replace the third score, or the third "
            "weight, first.",
        ),
        Wrong(
            equal_shares,
            "The visible scores are not equal. Use $e^1$ and $e^{0.5}$.",
        ),
        Wrong(
            ratios_of_scores,
            "Softmax shares out the *exponentials* of the scores, not the scores.",
        ),
        Wrong(
            shares_not_divided,
            "$e^0 = 1$ is the key's power. Divide it by the sum of all three powers.",
        ),
        Wrong(in_percent, "Give shares between 0 and 1, not percent."),
        Wrong(
            hidden_score_kept,
            "The sum still holds $e^{1.5}$, the power of the score that was replaced; "
            "or you give the weight that was removed, and not what is left.",
        ),
        Wrong(
            the_hidden_part,
            "You give the complement. Look again at which key each line asks for.",
        ),
    ),
    tolerance=0.01,
)

"""Predict: how long an aligned key must be, and what twice that length buys."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong


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
    name="03-tie",
    title="how long must it be?",
    type="predict",
    difficulty=1,
    minutes=10,
    objective="telling the part of a length in a score from that of an angle.",
    statement=r"""
The query is $(2, 1)$, and there are two keys, $(1, 0.5)$ and $(4, -1.5)$. Scores are
plain dot products, at temperature 1.

1. By which factor must the *first* key be lengthened, its direction kept, so that both
   keys have the same score?
2. Now make it twice as long as that. How many times the second key's weight does the
   first one get?

Work it out on paper first; then check with two lines of code, or in the figure.
""",
    stub="""
factor = ...  # how many times longer the first key must be for a tie
ratio = ...  # first weight over second, when it is twice that long
""",
    answer="(factor, ratio)",
    solution=tie,
    explanation=r"""
The scores are 2.5 and 6.5, so the factor is 2.6. (The key is then still the shorter
one: its angle is better.) At twice *that* length the scores are 13 and 6.5. Weights
compare by their lead, 6.5, so the ratio is $e^{6.5}$, about 665.
""",
    wrong=(
        Wrong(
            as_long,
            "Then both keys are equally long, and the first one, at the better angle, "
            "has the larger score. What must be equal is the *product*.",
        ),
        Wrong(
            by_cosine,
            "That is how many times better the first key's cosine is. The lengths of "
            "the keys count too: compare their scores.",
        ),
        Wrong(other_way, "The other way round: the first key's score is the smaller."),
        Wrong(
            scores_divided,
            "You divided the scores. Weights compare by the *difference* of scores: "
            "their ratio is $e$ to the lead.",
        ),
        Wrong(score_for_lead, "That is $e$ to the score. It takes the *lead*."),
        Wrong(
            still_tied,
            "Doubling *all* keys would leave a tie a tie. Here only one is doubled.",
        ),
    ),
    tolerance=0.005,
)

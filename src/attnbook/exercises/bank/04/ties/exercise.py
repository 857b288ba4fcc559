"""Predict, then run: entropy at both ends of the temperature, with a tie."""

import numpy as np

from attnbook.claims import defined
from attnbook.exercises.inputs import listed
from attnbook.exercises.master import Exercise, by_part
from attnbook.kernel import softmax
from attnbook.stats import entropy

COLD, HOT = 0.01, 1000
COUNTS = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


def limits(leaders, losers):
    """Return the limits of the entropy, cold and hot, with several tied in front."""
    return np.log(leaders), np.log(leaders + losers)


def recipe(rng, leaders, losers):
    """Measure as the statement says; nothing is drawn."""
    row = np.array(_row(leaders, losers))
    return tuple(entropy(softmax(row / heat)) for heat in (COLD, HOT))


def _row(leaders, losers):
    return [3] * leaders + [1, -1, -2][:losers]


def winner_takes_all(leaders, losers):
    """Let one of the tied scores win."""
    return 0, np.log(leaders + losers)


def two_tied(leaders, losers):
    """Count the rivals of the first."""
    return np.log(leaders - 1), np.log(leaders + losers)


@by_part
def counts(leaders, losers):
    """Give the numbers of keys."""
    return leaders, leaders + losers


@by_part
def bits(leaders, losers):
    """Take logarithms to base 2."""
    return np.log2(leaders), np.log2(leaders + losers)


def other_way_round(leaders, losers):
    """Confuse cold and hot."""
    return limits(leaders, losers)[::-1]


def tie_for_ever(leaders):
    """Think that heat changes nothing among those in front."""
    return np.log(leaders), np.log(leaders)


@by_part
def weights(leaders, losers):
    """Give the weights of the leaders."""
    return 1 / leaders, 1 / (leaders + losers)


def endless(leaders):
    """Let entropy grow as the temperature does."""
    return np.log(leaders), np.inf


def losers_left_out(leaders, losers):
    """Forget one of the losers when it is hot."""
    return np.log(leaders), np.log(leaders + losers - 1)


def never_even(leaders):
    """Let the row freeze when it is hot, too."""
    return np.log(leaders), 0


def no_end(leaders, losers):
    """Think that heat removes the leaders."""
    return np.log(leaders), np.log(losers)


def variant(rng):
    """Draw how many lead and how many do not."""
    leaders = int(rng.integers(3, 6))
    return {"leaders": leaders, "losers": int(rng.integers(2, min(leaders, 4)))}


def said(leaders, losers):
    """Print the row, and the counts in words."""
    row, total = _row(leaders, losers), leaders + losers
    return {"row": listed(row), "in_front": COUNTS[leaders], "in_all": COUNTS[total]}


EXERCISE = Exercise(
    type="predict",
    difficulty=1,
    minutes=5,
    stub="""
cold = ...  # the temperature tends to 0
hot = ...  # the temperature grows without end
""",
    answer="(cold, hot)",
    solution=limits,
    wrong=(
        winner_takes_all,
        two_tied,
        counts,
        bits,
        other_way_round,
        tie_for_ever,
        weights,
        endless,
        losers_left_out,
        never_even,
        no_end,
    ),
    standard={"leaders": 3, "losers": 2},
    variant=variant,
    said=said,
    recipe=recipe,
    tolerance=0.003,
    numbers=lambda: {
        "tends to 0": defined(0),
        "the temperatures 0.01 and 1,000": [defined(COLD), defined(HOT)],
        "all ratios tend to 1": np.divide(*softmax(np.array([3, -2]) / 1e9)),
        "scores is 1 at": np.divide(*softmax(np.array([3, 3]) / HOT)),
        "any* two weights tends to 1": np.divide(*softmax(np.array([3, -2]) / 1e9)),
        "Entropy is 0 when": entropy(np.array([1.0, 0.0])),
        r"$\ln n$": lambda n: entropy(np.full(n, 1 / n)),
    },
)

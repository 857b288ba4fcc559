"""Measure the temperature at which the row has three effective keys."""

import numpy as np

from attnbook.claims import over
from attnbook.exercises.inputs import listed
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax
from attnbook.stats import effective_keys, entropy


def _halve(is_too_cold):
    """Find where a condition on the temperature ends, by halving."""
    cold, hot = 0.05, 20.0
    for _ in range(60):
        middle = (cold + hot) / 2
        cold, hot = (middle, hot) if is_too_cold(middle) else (cold, middle)
    return middle


def temperature(scores):
    """Return the temperature at which the scores have three effective keys."""
    scores = np.array(scores)
    cold, hot = 0.05, 20
    for _ in range(60):
        middle = (cold + hot) / 2
        powers = np.exp(scores / middle)
        weights = powers / powers.sum()
        if 1 / (weights**2).sum() < 3:
            cold = middle
        else:
            hot = middle
    return middle


def inverse(scores):
    """Multiply the scores by the answer instead of dividing."""
    return 1 / temperature(scores)


def by_entropy(scores):
    """Use e to the entropy."""
    scores = np.array(scores)
    return _halve(lambda t: np.exp(entropy(softmax(scores / t))) < 3)


def squares_alone(scores):
    """Look for a sum of squares of three fifths."""
    scores = np.array(scores)
    return _halve(lambda t: (softmax(scores / t) ** 2).sum() > 3 / 5)


def _keys_at(scores, temperature):
    return effective_keys(softmax(np.array(scores) / temperature))


def straight_line(scores):
    """Draw a line from the count at temperature 1 to the one at temperature 2."""
    one, two = (_keys_at(scores, temperature=tau) for tau in (1, 2))
    return float(1 + (3 - one) / (two - one))


MISTAKES = (inverse, by_entropy, squares_alone, straight_line)


def variant(rng):
    """Draw five scores that need more heat than 1, and on which no mistakes agree."""
    while True:
        scores = np.sort(np.round(rng.normal(0, 1.3, 5), 1))[::-1]
        answers = sorted(f(scores) for f in (temperature, *MISTAKES))
        if 1.15 < temperature(scores) < 3 and min(np.diff(np.log(answers))) > 0.02:
            return {"scores": tuple(scores.tolist())}


def said(scores):
    """Print the scores, the count at temperature 1, and the result."""
    return {
        "row": listed(scores),
        "code": ", ".join(f"{z:g}" for z in scores),
        "now": f"{_keys_at(scores, 1):.2f}",
        "then": f"{temperature(scores):.2f}",
    }


EXERCISE = Exercise(
    type="measure",
    difficulty=2,
    minutes=15,
    stub="""
scores = np.array([{code}])
temperature = ...
""",
    answer="temperature",
    solution=temperature,
    wrong=MISTAKES,
    standard={"scores": (2, 1, 0.1, -0.5, -1)},
    variant=variant,
    said=said,
    tolerance=0.005,
    numbers=lambda scores: {
        r"$1/\sum_i w_i^2$": lambda w: effective_keys(w),
        r"$\sum_i w_i^2 = 3/5$": over(
            lambda: 1 / _keys_at(scores, squares_alone(scores)),
            w=lambda: softmax(np.array(scores) / squares_alone(scores)),
        ),
    },
)

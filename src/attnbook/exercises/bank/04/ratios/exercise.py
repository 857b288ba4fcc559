"""Predict, then run: which ratios move, and to what."""

import numpy as np

from attnbook.claims import definition, over
from attnbook.exercises.inputs import listed
from attnbook.exercises.master import Exercise, by_part
from attnbook.kernel import softmax


def ratios(scores, raised, temperature):
    """Return w1/w2 and w2/w3 after the first score is raised, at that temperature."""
    second, third = scores[1], scores[2]
    return (
        np.exp((raised - second) / temperature),
        np.exp((second - third) / temperature),
    )


@by_part
def at_temperature_one(scores, raised):
    """Forget the temperature."""
    return ratios(scores, raised, 1)


@by_part
def temperature_multiplied(scores, raised, temperature):
    """Multiply the difference by the temperature."""
    return ratios(scores, raised, 1 / temperature)


@by_part
def factor_outside(scores, raised, temperature):
    """Take the temperature for a factor on the ratio."""
    first, second = ratios(scores, raised, 1)
    return first / temperature, second / temperature


def score_not_raised(scores, temperature):
    """Leave z1 where it was."""
    return ratios(scores, scores[0], temperature)


@by_part
def logarithms(scores, raised, temperature):
    """Stop at the exponents."""
    first, second = ratios(scores, raised, temperature)
    return np.log(first), np.log(second)


@by_part
def upside_down(scores, raised, temperature):
    """Divide the weaker weight by the stronger."""
    return ratios(scores, raised, -temperature)


def weights(scores, raised, temperature):
    """Give weights, not ratios."""
    powers = np.exp(np.array([raised, *scores[1:]]) / temperature)
    return tuple(powers[:2] / powers.sum())


@by_part
def quotients(scores, raised):
    """Divide the scores by each other."""
    return raised / scores[1], scores[1] / scores[2]


def variant(rng):
    """Draw other scores in falling order, and another temperature."""
    gap = rng.choice([0.4, 0.6, 0.7, 0.9])
    second = rng.choice([0.8, 1.0, 1.2, 1.5])
    scores = [second + 1, second, round(second - gap, 1), -0.5, -1]
    return {
        "scores": tuple(float(z) for z in scores),
        "raised": float(second + rng.choice([1.6, 2.0, 2.2])),
        "temperature": float(rng.choice([0.25, 0.5, 0.4])),
    }


def said(scores, raised, temperature):
    """Print the scores, both differences and both exponents."""
    one, two = raised - scores[1], scores[1] - scores[2]
    return {"row": listed(scores), "cold": f"{temperature:g}"} | {
        "one": f"{one:g}",
        "two": f"{two:g}",
        "power_one": f"{one / temperature:g}",
        "power_two": f"{two / temperature:g}",
    }


EXERCISE = Exercise(
    type="predict",
    difficulty=1,
    minutes=5,
    stub="""
first_over_second = ...
second_over_third = ...
""",
    answer="(first_over_second, second_over_third)",
    solution=ratios,
    wrong=(
        at_temperature_one,
        temperature_multiplied,
        factor_outside,
        score_not_raised,
        logarithms,
        upside_down,
        weights,
        quotients,
    ),
    standard={"scores": (2, 1, 0.1, -0.5, -1), "raised": 3, "temperature": 0.5},
    variant=variant,
    said=said,
    tolerance=0.004,
    numbers=lambda: {
        "$w_1/w_2$ and": definition,
        "and $w_2/w_3$": definition,
        r"$w_i/w_j = e^{(z_i - z_j)/\tau}$": over(
            lambda z, i, j, tau: np.divide(*softmax(z / tau)[[i, j]]),
            w=lambda z, tau: softmax(z / tau),
        ),
        "is $w_2/w_1$, or $w_3/w_2$": [definition, definition],
    },
)

"""Measure: what is left of the score of a copy that stands far away."""

import numpy as np

from attnbook.exercises.master import Exercise
from attnbook.positions import rotary


def echo(gap, d):
    """Return the mean score of a copy at this distance, as a share of that at none."""
    waves = 10000.0 ** (-np.arange(0, d, 2) / d)
    return np.cos(gap * waves).mean()


def recipe(rng, gap, d):
    """Draw 4,000 vectors and take the ratio of the mean scores."""
    x = rng.standard_normal((4000, 1, d))
    far = rotary(x, [gap], layout="half_split")
    return (x * far).sum() / (x * x).sum()


def no_loss():
    """Take a rotation to keep scores."""
    return 1.0


def fastest_pair(gap):
    """Take the first pair for all."""
    return np.cos(gap)


def signs_dropped(gap, d):
    """Average the sizes of the parts."""
    return np.abs(np.cos(gap * 10000.0 ** (-np.arange(0, d, 2) / d))).mean()


def too_fast(gap, d):
    """Leave a 2 out of the exponent."""
    return np.cos(gap * 10000.0 ** (-np.arange(d // 2) / d)).mean()


def one_over_gap(gap):
    """Let it fall like one over the distance."""
    return 1 / gap


def variant(rng):
    """Draw a distance and a width."""
    return {
        "gap": int(rng.choice([20, 40, 60])),
        "d": int(rng.choice([64, 80, 96, 128])),
    }


def said(gap, d):
    """Print the numbers and the result."""
    return {"gap": gap, "width": d, "result": f"{echo(gap, d):.2f}"}


EXERCISE = Exercise(
    type="measure",
    difficulty=2,
    minutes=12,
    stub="""
import attnbook as ab

rng = np.random.default_rng(0)
share = ...  # mean score of a far copy, over that of one at distance zero
""",
    answer="share",
    solution=echo,
    wrong=(no_loss, fastest_pair, signs_dropped, too_fast, one_over_gap),
    standard={"gap": 20, "d": 96},
    variant=variant,
    said=said,
    recipe=recipe,
    tolerance=0.04,
    numbers=lambda: {"four parts in a hundred": [100 * EXERCISE.tolerance, 100]},
)

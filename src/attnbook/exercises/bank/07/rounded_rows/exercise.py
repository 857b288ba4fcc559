"""Measure what is left of a row of weights that is rounded to two digits."""

import numpy as np

from attnbook.claims import defined
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax


def left(n_keys):
    """Draw rows of scores, round their weights, and take the mean of the row sums."""
    rng = np.random.default_rng(0)
    powers = np.exp(rng.standard_normal((2000, n_keys)))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights.round(2).sum(axis=1).mean()


def _weights(n_keys, rng=None):
    rng = rng or np.random.default_rng(0)
    return softmax(rng.standard_normal((2000, n_keys)))


def recipe(rng, n_keys):
    """Draw as the statement says."""
    return _weights(n_keys, rng).round(2).sum(axis=1).mean()


def what_is_lost(n_keys):
    """Return what the rounding took away."""
    return 1 - left(n_keys)


def three_digits(n_keys):
    """Round to three digits."""
    return _weights(n_keys).round(3).sum(axis=1).mean()


def cut_off(n_keys):
    """Cut the digits off instead of rounding."""
    return (np.floor(100 * _weights(n_keys)) / 100).sum(axis=1).mean()


def share_of_keys(n_keys):
    """Count the keys that keep a weight."""
    return (_weights(n_keys).round(2) > 0).mean()


def small_ones_dropped(n_keys):
    """Add up the weights that survive, before they are rounded."""
    weights = _weights(n_keys)
    return (weights * (weights.round(2) > 0)).sum(axis=1).mean()


def variant(rng):
    """Draw another number of keys."""
    return {"n_keys": int(rng.choice([300, 400, 500, 600, 800]))}


def said(n_keys):
    """Print the number of keys and the results."""
    kept = (_weights(n_keys).round(2) > 0).sum(axis=1).mean()
    return {
        "keys": f"{n_keys}",
        "left": f"{left(n_keys):.2f}",
        "kept": f"{kept:.0f}",
        "even": f"{1 / n_keys:.4f}",
    }


EXERCISE = Exercise(
    type="measure",
    difficulty=2,
    minutes=10,
    stub="""
rng = np.random.default_rng(0)
left = ...  # the mean sum of a row of {keys} rounded weights
""",
    answer="left",
    solution=left,
    wrong=(
        what_is_lost,
        three_digits,
        cut_off,
        share_of_keys,
        small_ones_dropped,
    ),
    standard={"n_keys": 400},
    variant=variant,
    said=said,
    recipe=recipe,
    tolerance=0.02,
    numbers=lambda: {
        "mean 0 and deviation 1": defined([0, 1]),
        "Draw 2,000 rows": len(_weights(4)),
        "below 0.005": (lambda w: w[w.round(2) == 0].max())(_weights(400)),
        "sum to 1, or": _weights(4).sum(axis=1).mean(),
    },
)

"""Measure how many keys the gradient of a raw query hears."""

import numpy as np

from attnbook.claims import definition
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax
from attnbook.stats import effective_keys

SEED = 80  # of 120 draws, 2.83 to 3.04, the one nearest their mean


def keys_heard(n_keys, width):
    """Follow the gradient back to the scores, and count who pulls."""
    rng = np.random.default_rng(80)
    Q, K = rng.standard_normal((400, width)), rng.standard_normal((n_keys, width))
    V, dO = rng.standard_normal((n_keys, 16)), rng.standard_normal((400, 16))
    scores = Q @ K.T
    P = np.exp(scores - scores.max(axis=-1, keepdims=True))
    P /= P.sum(axis=-1, keepdims=True)
    dP = dO @ V.T
    dS = P * (dP - (P * dP).sum(axis=-1, keepdims=True))
    share = np.abs(dS) / np.abs(dS).sum(axis=-1, keepdims=True)
    return np.median(1 / (share**2).sum(axis=-1))


def drawn(n_keys, width, scale=1.0, rng=None):
    """Return the weights and the gradients of weights and of scores."""
    rng = rng or np.random.default_rng(SEED)
    Q, K = rng.standard_normal((400, width)), rng.standard_normal((n_keys, width))
    V, dO = rng.standard_normal((n_keys, 16)), rng.standard_normal((400, 16))
    P, dP = softmax(scale * Q @ K.T), dO @ V.T
    return P, dP, P * (dP - (P * dP).sum(axis=-1, keepdims=True))


def heard(pull):
    """Count the keys that each row hears."""
    return effective_keys(np.abs(pull) / np.abs(pull).sum(axis=-1, keepdims=True))


def of_weights(n_keys, width):
    """Count who has weight, not who moves the query."""
    return np.median(effective_keys(drawn(n_keys, width)[0]))


def scaled(n_keys, width):
    """Keep the factor."""
    return np.median(heard(drawn(n_keys, width, width**-0.5)[2]))


def squared_twice(n_keys, width):
    """Take shares of the squares."""
    return np.median(heard(drawn(n_keys, width)[2] ** 2))


def without_softmax(n_keys, width):
    """Take dP for dS."""
    return np.median(heard(drawn(n_keys, width)[1]))


def all_of_them(n_keys, width):
    """Count the keys whose pull is not 0."""
    return np.median((drawn(n_keys, width)[2] != 0).sum(axis=-1))


def mean_of_rows(n_keys, width):
    """Take the mean for the median."""
    return np.mean(heard(drawn(n_keys, width)[2]))


STANDARD = {"n_keys": 256, "width": 64}


def variant(rng):
    """Draw another number of keys and another width; raw rows hear few all the same."""
    n_keys, width = rng.choice([(128, 64), (256, 48), (256, 96), (512, 64), (512, 96)])
    return {"n_keys": int(n_keys), "width": int(width)}


def recipe(rng, n_keys, width):
    """Draw as the statement says."""
    return np.median(heard(drawn(n_keys, width, rng=rng)[2]))


def said(n_keys, width):
    """Print the counts raw, scaled, and raw with many more keys."""
    return {
        "keys": f"{n_keys}",
        "few": f"{keys_heard(n_keys, width):.0f}",
        "many": f"{scaled(n_keys, width):.0f}",
        "more": f"{np.median(heard(drawn(1024, width)[2])):.2g}",
    }


def numbers(n_keys, width):
    """Bind what the texts say of every variant."""
    pulls = drawn(n_keys, width)[2]
    return {
        r"$|dS_j|/\sum_i |dS_i|$": definition,
        "add up to 0": np.abs(pulls.sum(axis=-1)).max().round(9),
        "adds up to 0": np.abs(pulls.sum(axis=-1)).max().round(9),
        "least two keys": heard(pulls).min(),
    }


EXERCISE = Exercise(
    type="measure",
    difficulty=2,
    minutes=15,
    stub="""
rng = np.random.default_rng(0)
keys_heard = ...
""",
    answer="keys_heard",
    solution=keys_heard,
    wrong=(
        of_weights,
        scaled,
        squared_twice,
        without_softmax,
        all_of_them,
        mean_of_rows,
    ),
    tolerance=0.05,
    standard=STANDARD,
    variant=variant,
    said=said,
    recipe=recipe,
    numbers=numbers,
)

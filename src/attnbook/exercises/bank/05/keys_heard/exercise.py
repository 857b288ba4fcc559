"""Measure how many keys the gradient of a raw query hears."""

import numpy as np

from attnbook.claims import defined, definition
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax
from attnbook.stats import effective_keys

SEED = 80  # of 120 draws, 2.83 to 3.04, the one nearest their mean


def keys_heard():
    """Follow the gradient back to the scores, and count who pulls."""
    rng = np.random.default_rng(80)
    Q, K = rng.standard_normal((400, 64)), rng.standard_normal((256, 64))
    V, dO = rng.standard_normal((256, 16)), rng.standard_normal((400, 16))
    scores = Q @ K.T
    P = np.exp(scores - scores.max(axis=-1, keepdims=True))
    P /= P.sum(axis=-1, keepdims=True)
    dP = dO @ V.T
    dS = P * (dP - (P * dP).sum(axis=-1, keepdims=True))
    share = np.abs(dS) / np.abs(dS).sum(axis=-1, keepdims=True)
    return np.median(1 / (share**2).sum(axis=-1))


def drawn(scale=1.0, n=256):
    """Return the weights and the gradients of weights and of scores."""
    rng = np.random.default_rng(SEED)
    Q, K = rng.standard_normal((400, 64)), rng.standard_normal((n, 64))
    V, dO = rng.standard_normal((n, 16)), rng.standard_normal((400, 16))
    P, dP = softmax(scale * Q @ K.T), dO @ V.T
    return P, dP, P * (dP - (P * dP).sum(axis=-1, keepdims=True))


def heard(pull):
    """Count the keys that each row hears."""
    return effective_keys(np.abs(pull) / np.abs(pull).sum(axis=-1, keepdims=True))


def of_weights():
    """Count who has weight, not who moves the query."""
    return np.median(effective_keys(drawn()[0]))


def scaled():
    """Keep the factor."""
    return np.median(heard(drawn(scale=1 / 8)[2]))


def squared_twice():
    """Take shares of the squares."""
    return np.median(heard(drawn()[2] ** 2))


def without_softmax():
    """Take dP for dS."""
    return np.median(heard(drawn()[1]))


def all_of_them():
    """Count the keys whose pull is not 0."""
    return np.median((drawn()[2] != 0).sum(axis=-1))


def mean_of_rows():
    """Take the mean for the median."""
    return np.mean(heard(drawn()[2]))


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
    numbers=lambda: {
        "Draw 400 queries": defined(400),
        r"$|dS_j|/\sum_i |dS_i|$": definition,
        "About 3 of 256": ([keys_heard(), all_of_them()], 0.05),
        "about 72": (scaled(), 0.05),
        "1,024 keys raw": defined(1024),
        "hardly more: 3.2": np.median(heard(drawn(n=1024)[2])),
        "add up to 0": np.abs(drawn()[2].sum(axis=-1)).max().round(9),
        "adds up to 0": np.abs(drawn()[2].sum(axis=-1)).max().round(9),
        "least two keys": heard(drawn()[2]).min(),
    },
)

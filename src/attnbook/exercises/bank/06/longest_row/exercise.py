"""Derive: the longest row in which some temperature still finds a key."""

import numpy as np

from attnbook.claims import definition, over
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax


def longest(cosine, d):
    """Return how many strangers there may be."""
    return np.exp(cosine**2 * d / 2)


def crowd_without_scatter(cosine, d):
    """Forget that a large factor makes the crowd louder too."""
    return np.exp(cosine * d)


def factor_alone(cosine, d):
    """Give the best factor."""
    return cosine * d


def logarithm(cosine, d):
    """Give the logarithm of the number."""
    return cosine**2 * d / 2


def whole_square(cosine, d):
    """Forget what the crowd takes at the best factor."""
    return np.exp(cosine**2 * d)


def square_forgotten(cosine, d):
    """Forget the square of the cosine."""
    return np.exp(cosine * d / 2)


def root_of_width(cosine, d):
    """Let the deviation be the root of the width upside down, but once."""
    return np.exp(cosine**2 * np.sqrt(d) / 2)


def factor_one(cosine, d):
    """Take the factor 1."""
    return np.exp(cosine - 1 / (2 * d))


def root_factor(cosine, d):
    """Take the root of the width for the factor."""
    return np.exp(cosine * np.sqrt(d) - 1 / 2)


def probes(rng):
    """Cosines of 1 first, then smaller ones."""
    fresh = [(float(rng.uniform(0.3, 0.95)), int(rng.integers(8, 64)))]
    return [(1.0, 2), (1.0, 16), (0.5, 16), (0.8, 64), (0.1, 1), *fresh]


def _best(c, d):
    """Return the best of many factors, and the number of strangers there."""
    betas = np.linspace(0, 3 * c * d, 300_001)
    logs = betas * c - betas**2 / (2 * d)
    return betas[logs.argmax()], np.exp(logs.max())


EXERCISE = Exercise(
    type="derive",
    difficulty=3,
    minutes=20,
    stub='''
def longest(cosine, d):
    """Return how many strangers there may be."""
    return ...
''',
    answer="longest",
    solution=longest,
    wrong=(
        crowd_without_scatter,
        factor_alone,
        logarithm,
        whole_square,
        square_forgotten,
        root_of_width,
        factor_one,
        root_factor,
    ),
    probes=probes,
    numbers=lambda: {
        r"deviation $1/\sqrt d$": definition,
        r"$e^{\beta c}$": definition,
        r"$n\,e^{\beta^2/2d}$": definition,
        r"$n = e^{\beta c - \beta^2/2d}$": definition,
        r"at $\beta = cd$": (
            over(lambda c, d: _best(c, d)[0], c=[0.5, 1], d=[8, 32]),
            1e-3,
            "many factors",
        ),
        r"$n = e^{c^2d/2}$": (
            over(lambda c, d: _best(c, d)[1], c=[0.5, 1], d=[8, 32]),
            1e-3,
            "many factors",
        ),
        r"$\beta/\sqrt d = c\sqrt d = \sqrt{2\ln n}$": definition,
        "half of the\nweight": softmax([0.0, 0.0])[0],
    },
)

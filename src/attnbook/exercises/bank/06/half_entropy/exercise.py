"""Measure: where a row has lost half of its entropy."""

import numpy as np

from attnbook.claims import defined, definition
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax
from attnbook.stats import entropy

ROWS = 400


def _crossing(rows, measure, wanted):
    """Return the deviation at which a measure that falls has come down to a value."""
    low, high = 0.0, 12.0
    for _ in range(16):
        middle = (low + high) / 2
        falls_short = measure(softmax(middle * rows)) > wanted
        low, high = (middle, high) if falls_short else (low, middle)
    return low


def _rows(n, seed=0):
    return np.random.default_rng(seed).standard_normal((ROWS, n))


def _entropy(weights):
    return entropy(weights).mean()


def half_entropy(n):
    """Return the deviation at which the mean entropy is half of ln n."""
    rows = np.random.default_rng(0).standard_normal((400, n))
    low, high = 1.0, 5.0
    for _ in range(12):  # halve the bracket
        deviation = (low + high) / 2
        powers = np.exp(deviation * (rows - rows.max(axis=-1, keepdims=True)))
        weights = powers / powers.sum(axis=-1, keepdims=True)
        entropy = -(weights * np.log(weights + 1e-300)).sum(axis=-1).mean()
        if entropy > np.log(n) / 2:
            low = deviation
        else:
            high = deviation
    return low


def recipe(rng, n):
    """Measure as the statement says, on a grid of deviations."""
    rows, grid = rng.standard_normal((ROWS, n)), np.linspace(2.2, 3.6, 15)
    found = np.array([entropy(softmax(s * rows)).mean() for s in grid])
    return np.interp(-np.log(n) / 2, -found, grid)


def theory(n):
    """Trust the formula of the limit."""
    return np.sqrt(np.log(n))


def border(n):
    """Give the border at which a row freezes in the limit."""
    return np.sqrt(2 * np.log(n))


def half_of_the_keys(n):
    """Look for the entropy of half as many keys."""
    return _crossing(_rows(n), _entropy, np.log(n / 2))


def half_the_weight(n):
    """Look for a largest weight of one half."""
    return _crossing(_rows(n), lambda w: -w.max(axis=-1).mean(), -0.5)


def variance(n):
    """Give the variance of the scores."""
    return half_entropy(n) ** 2


def temperature(n):
    """Give the temperature of scores with deviation 1."""
    return 1 / half_entropy(n)


def variant(rng):
    """Draw another length."""
    return {"n": int(rng.choice([150, 200, 250, 300, 400, 600]))}


def said(n):
    """Print the length, the result and what the limit says."""
    return {
        "keys": f"{n:,d}",
        "found": f"{half_entropy(n):.2f}",
        "limit": f"{theory(n):.2f}",
    }


EXERCISE = Exercise(
    type="measure",
    difficulty=2,
    minutes=12,
    stub="""
rng = np.random.default_rng(0)
deviation = ...  # the one asked for
""",
    answer="deviation",
    solution=half_entropy,
    wrong=(theory, border, half_of_the_keys, half_the_weight, variance, temperature),
    standard={"n": 500},
    variant=variant,
    said=said,
    recipe=recipe,
    tolerance=0.06,
    numbers=lambda: {
        "where half of the entropy": softmax([0.0, 0.0])[0],
        "rows, half of": softmax([0.0, 0.0])[0],
        r"$\ln n$": lambda n: entropy(np.full(int(n), 1 / int(n))),
        r"formula $\ln n - \frac{s^2}{2}$": definition,
        "where half of the entropy is left": softmax([0.0, 0.0])[0],
        "Half of the *logarithm*": softmax([0.0, 0.0])[0],
        "logarithm of half": softmax([0.0, 0.0])[0],
        "is one half": softmax([0.0, 0.0])[0],
        "six parts in a hundred": [100 * EXERCISE.tolerance, 100],
        "400 rows": defined(ROWS),
    },
)

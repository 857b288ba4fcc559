"""Find the bug: a temperature that turns nothing."""

import numpy as np

from attnbook.claims import definition, over
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax


def cooled(weights, temperature):
    """Return the weights that the same scores have at another temperature."""
    powers = weights ** (1 / temperature)
    return powers / powers.sum(axis=-1, keepdims=True)


def as_given(weights, temperature):
    """Divide the weights and normalise again."""
    powers = weights / temperature
    return powers / powers.sum(axis=-1, keepdims=True)


def not_normalised(weights, temperature):
    """Divide the weights and leave the sum alone."""
    return weights / temperature


def softmax_again(weights, temperature):
    """Take the weights for scores."""
    powers = np.exp(weights / temperature)
    return powers / powers.sum(axis=-1, keepdims=True)


def inverse(weights, temperature):
    """Raise to the temperature, not to its inverse."""
    return cooled(weights, 1 / temperature)


def sum_forgotten(weights, temperature):
    """Find the power, forget to normalise."""
    return weights ** (1 / temperature)


def small_number_added(weights, temperature):
    """Keep the logarithm finite with a small number."""
    powers = np.exp(np.log(weights + 1e-12) / temperature)
    return powers / powers.sum(axis=-1, keepdims=True)


def largest_is_one(weights, temperature):
    """Divide by the largest power, not by their sum."""
    powers = weights ** (1 / temperature)
    return powers / powers.max(axis=-1, keepdims=True)


def logarithms_shared(weights, temperature):
    """Take shares of the scores."""
    powers = np.log(weights) / temperature
    return powers / powers.sum(axis=-1, keepdims=True)


def one_sum(weights, temperature):
    """Normalise all rows together."""
    powers = weights ** (1 / temperature)
    return powers / powers.sum()


def probes(rng):
    """One key first, two, then a zero, rows, a batch, and both extremes."""
    row = np.array([0.5, 0.25, 0.125, 0.0625, 0.0625])
    batch = rng.dirichlet(np.ones(3), (3, 3))
    return [
        (np.array([1.0]), 0.5),
        (np.array([0.75, 0.25]), 0.5),
        (np.array([0.75, 0.25, 0.0]), 2.0),
        (row, 0.25),
        (np.array([row, row[::-1]]), 3.0),
        (batch, 0.7),
        (batch[0], 1e6),
        (np.array([0.6, 0.3, 0.1]), 0.01),
    ]


_ROW = np.array([0.75, 0.25])


def _ratio(weights):
    return np.log(weights[0] / weights[1])


EXERCISE = Exercise(
    type="bug",
    difficulty=2,
    minutes=10,
    stub='''
def cooled(weights, temperature):
    """Return the weights that the same scores have at another temperature."""
    powers = weights / temperature
    return powers / powers.sum(axis=-1, keepdims=True)
''',
    answer="cooled",
    solution=cooled,
    given=as_given,
    wrong=(
        not_normalised,
        softmax_again,
        inverse,
        sum_forgotten,
        small_number_added,
        largest_is_one,
        logarithms_shared,
        one_sum,
    ),
    probes=probes,
    numbers=lambda: {
        "rows sum to 1. But": as_given(_ROW, 2.0).sum(),
        "no longer sum to 1": _ROW.sum(),
        "row sum to 1 again": cooled(_ROW, 2.0).sum(),
        "make them sum to 1": cooled(_ROW, 2.0).sum(),
        "must sum to 1, not": cooled(_ROW, 2.0).sum(),
        "stays 0.": cooled(np.array([1.0, 0.0]), 9.0)[1],
        "$w_i/w_j$ is": definition,
        r"$e^{(z_i - z_j)/\tau} = (w_i/w_j)^{1/\tau}$": over(
            lambda z, i, j, tau: np.divide(*softmax(z / tau)[[i, j]]),
            w=lambda z: softmax(z),
        ),
        r"power $1/\tau$": lambda tau: _ratio(cooled(_ROW, tau)) / _ratio(_ROW),
    },
)

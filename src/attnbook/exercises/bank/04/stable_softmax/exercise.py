"""Implement softmax with a temperature, along any axis, without overflow."""

import numpy as np

from attnbook.exercises.inputs import pattern
from attnbook.exercises.master import Exercise


def softmax(scores, temperature, axis):
    """Return the weights along an axis, at a temperature above 0."""
    gaps = scores - scores.max(axis=axis, keepdims=True)
    powers = np.exp(gaps / temperature)
    return powers / powers.sum(axis=axis, keepdims=True)


def as_it_stands(scores, temperature, axis):
    """Compute the formula as it is printed."""
    powers = np.exp(scores / temperature)
    return powers / powers.sum(axis=axis, keepdims=True)


def whole_maximum(scores, temperature, axis):
    """Subtract the maximum of the whole array."""
    powers = np.exp((scores - scores.max()) / temperature)
    return powers / powers.sum(axis=axis, keepdims=True)


def last_axis(scores, temperature, axis):
    """Ignore the axis."""
    return softmax(scores, temperature, -1)


def whole_sum(scores, temperature, axis):
    """Divide by the sum of the whole array."""
    powers = np.exp((scores - scores.max(axis=axis, keepdims=True)) / temperature)
    return powers / powers.sum()


def multiplied(scores, temperature, axis):
    """Multiply by the temperature."""
    powers = np.exp((scores - scores.max(axis=axis, keepdims=True)) * temperature)
    return powers / powers.sum(axis=axis, keepdims=True)


def divided_first(scores, temperature, axis):
    """Divide by the temperature before the maximum is gone."""
    scaled = scores / temperature
    return softmax(scaled, 1, axis)


def clipped(scores, temperature, axis):
    """Cut off what would overflow."""
    powers = np.exp(np.clip(scores / temperature, -700, 700))
    return powers / powers.sum(axis=axis, keepdims=True)


def nan_made_zero(scores, temperature, axis):
    """Sweep NaN under the carpet."""
    return np.nan_to_num(as_it_stands(scores, temperature, axis))


def minimum_subtracted(scores, temperature, axis):
    """Subtract the wrong end."""
    gaps = scores - scores.min(axis=axis, keepdims=True)
    return as_it_stands(gaps, temperature, axis)


def mean_subtracted(scores, temperature, axis):
    """Subtract the middle."""
    gaps = scores - scores.mean(axis=axis, keepdims=True)
    return as_it_stands(gaps, temperature, axis)


def hardest(scores, temperature, axis):
    """Give everything to the leader."""
    one = scores == scores.max(axis=axis, keepdims=True)
    return one / one.sum(axis=axis, keepdims=True)


def sum_without_its_axis(scores, temperature, axis):
    """Let the sum lose the axis along which it ran."""
    powers = np.exp((scores - scores.max(axis=axis, keepdims=True)) / temperature)
    return powers / powers.sum(axis=axis)


def never_below(scores, temperature, axis):
    """Refuse to get colder than some number."""
    return softmax(scores, max(temperature, 1e-3), axis)


def after_the_exponential(scores, temperature, axis):
    """Divide the exponentials, not the scores."""
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True)) / temperature
    return powers / powers.sum(axis=axis, keepdims=True)


def rows_alone(scores, temperature, axis):
    """Subtract the maximum of each row, whatever the axis."""
    powers = np.exp((scores - scores.max(axis=-1, keepdims=True)) / temperature)
    return powers / powers.sum(axis=axis, keepdims=True)


def power_afterwards(scores, temperature, axis):
    """Raise the exponentials to the inverse temperature."""
    gaps = scores - scores.max(axis=axis, keepdims=True)
    powers = np.exp(gaps) ** (1 / temperature)
    return powers / powers.sum(axis=axis, keepdims=True)


def in_place(scores, temperature, axis):
    """Write into the caller's array."""
    scores -= scores.max(axis=axis, keepdims=True)
    return softmax(scores, temperature, axis)


def probes(rng):
    """One score first, then rows, columns, a cube; far apart, close, hot and cold."""
    far = np.array([[0.0, 1.0, 2.0], [900.0, 901.0, 902.0]])
    near = np.array([0.0, 1e-9, 2e-9])
    sharp, axis = rng.normal(0, 30, (3, 3, 3)), int(rng.integers(-3, 3))
    return [
        (pattern(1), 1.0, -1),
        (pattern(3, step=4), 1.0, -1),
        (pattern(4, step=4), 2.0, 0),
        (pattern(2, 3), 0.5, -1),
        (pattern(3, 2), 2.0, 0),
        (pattern(2, 3, 4), 3.0, 1),
        (far, 1.0, -1),
        (far, 1e-307, -1),
        (near, 1e-9, -1),
        (far.T, 1.0, 0),
        (np.array([[0.0, 5e3], [9e2, 5001.0]]), 1.0, -2),
        (np.array([[0.0, -1500.0], [-1e308, 1e308]]), 1000.0, -1),
        (-far[:, :1], 2.0, 1),
        (sharp, 1.5, axis),
    ]


_ROW = np.array([3.0, 1.0, 0.5])


EXERCISE = Exercise(
    type="implement",
    difficulty=1,
    minutes=15,
    stub='''
def softmax(scores, temperature, axis):
    """Return the weights along an axis, at a temperature above 0."""
    return ...
''',
    answer="softmax",
    solution=softmax,
    wrong=(
        as_it_stands,
        whole_maximum,
        last_axis,
        whole_sum,
        multiplied,
        divided_first,
        after_the_exponential,
        clipped,
        nan_made_zero,
        minimum_subtracted,
        mean_subtracted,
        hardest,
        sum_without_its_axis,
        never_below,
        rows_alone,
        power_afterwards,
        in_place,
    ),
    probes=probes,
    may_use=(),
    numbers=lambda: {
        "is exactly 0": (_ROW - _ROW.max()).max(),
        "least 1.": np.exp(_ROW - _ROW.max()).sum(),
        "must sum to 1": softmax(_ROW, 1.0, 0).sum(),
        "underflowed to 0 stays 0": [np.exp(-1e4), np.exp(-1e4) ** (1 / 1e4)],
    },
)

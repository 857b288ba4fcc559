"""Implement softmax with a temperature, along any axis, without overflow."""

import numpy as np

from attnbook.exercises.inputs import pattern
from attnbook.exercises.master import Exercise, Wrong


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
    return softmax(scores * temperature**2, temperature, axis)


def divided_first(scores, temperature, axis):
    """Divide by the temperature before the maximum is gone."""
    scaled = scores / temperature
    return softmax(scaled, 1, axis)


def after_the_exponential(scores, temperature, axis):
    """Divide the exponentials, not the scores."""
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True)) / temperature
    return powers / powers.sum(axis=axis, keepdims=True)


def in_place(scores, temperature, axis):
    """Write into the caller's array."""
    scores -= scores.max(axis=axis, keepdims=True)
    return softmax(scores, temperature, axis)


def probes():
    """One score first, then rows, columns, a cube, large scores, a cold row."""
    far = np.array([[0.0, 1.0, 2.0], [900.0, 901.0, 902.0]])
    return [
        (pattern(1), 1.0, -1),
        (pattern(3, step=4), 1.0, -1),
        (pattern(4, step=4), 2.0, 0),
        (pattern(2, 3), 0.5, -1),
        (pattern(3, 2), 2.0, 0),
        (pattern(2, 3, 4), 3.0, 1),
        (far, 1.0, -1),
        (far, 1e-307, -1),
    ]


EXERCISE = Exercise(
    name="04-stable-softmax",
    title="a softmax that never overflows",
    type="implement",
    difficulty=1,
    minutes=15,
    objective="turning shift invariance into code that holds for any scores.",
    statement=r"""
Write a softmax with a temperature $\tau > 0$ that runs along any axis of an array. It
must be right for scores of any finite size and for tiny temperatures. Use NumPy alone
(`attnbook.softmax` would be cheating) and leave `scores` as it is.
""",
    stub='''
def softmax(scores, temperature, axis):
    """Return the weights along an axis, at a temperature above 0."""
    return ...
''',
    answer="softmax",
    solution=softmax,
    explanation=r"""
Each slice along the axis loses its own maximum: then no exponent is above 0, and one
is exactly 0, so the sum is at least 1. `keepdims=True` keeps the axis, so that maximum
and sum line up with the slices. The maximum goes first and the division second: a
score over a tiny temperature may be infinite, and infinity minus infinity is not a
number.
""",
    wrong=(
        Wrong(as_it_stands, "The formula as printed overflows. Which shift is free?"),
        Wrong(
            whole_maximum,
            "You subtract one maximum from the whole array. A row far below it "
            "underflows as a whole. Each slice along the axis needs its own maximum.",
        ),
        Wrong(last_axis, "You ignore `axis` and always use the last one."),
        Wrong(
            whole_sum,
            "You divide by the sum over the whole array. Each slice along the axis "
            "must sum to 1: `sum(axis=axis, keepdims=True)`.",
        ),
        Wrong(multiplied, "You multiply by the temperature. Hot means *even* weights."),
        Wrong(
            divided_first,
            "Subtract the maximum before you divide: a score over a tiny temperature "
            "may be infinite, and infinity minus infinity is not a number.",
        ),
        Wrong(
            after_the_exponential,
            "You divide the exponentials by the temperature, and the sum cancels it. "
            "A temperature divides the *scores*.",
        ),
        Wrong(
            in_place,
            "`-=` writes into the array that the caller passed. Make a new one.",
        ),
    ),
    probes=probes,
)

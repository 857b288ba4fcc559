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


def in_place(scores, temperature, axis):
    """Write into the caller's array."""
    scores -= scores.max(axis=axis, keepdims=True)
    return softmax(scores, temperature, axis)


def probes():
    """One score first, then rows, columns, a cube, large scores, cold rows."""
    far = np.array([[0.0, 1.0, 2.0], [900.0, 901.0, 902.0]])
    near = np.array([0.0, 1e-9, 2e-9])
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
        Wrong(clipped, "You cut scores off: two that are cut become equal."),
        Wrong(
            nan_made_zero,
            "A row of zeros is no row of weights. Do not let the exponentials overflow "
            "in the first place.",
        ),
        Wrong(
            minimum_subtracted,
            "With the *minimum* gone, all exponents are above 0 and may overflow. "
            "Which end must go?",
        ),
        Wrong(
            mean_subtracted,
            "With the *mean* gone, the leader's exponent is still above 0: divided by "
            "a tiny temperature, it overflows.",
        ),
        Wrong(hardest, "This is the limit of temperature 0. The others get a share."),
        Wrong(
            sum_without_its_axis,
            "The sum has lost the axis along which it ran. `keepdims=True` keeps it.",
        ),
        Wrong(
            never_below,
            "You do not let the temperature go below some number. Scores may be as "
            "close to each other as the temperature is to 0.",
        ),
        Wrong(
            in_place,
            "`-=` writes into the array that the caller passed. Make a new one.",
        ),
    ),
    probes=probes,
)

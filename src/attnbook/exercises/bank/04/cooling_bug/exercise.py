"""Find the bug: a temperature that turns nothing."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong


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


def probes():
    """Two weights first, then a zero, a row of five, two rows."""
    row = np.array([0.5, 0.25, 0.125, 0.0625, 0.0625])
    return [
        (np.array([0.75, 0.25]), 0.5),
        (np.array([0.75, 0.25, 0.0]), 2.0),
        (row, 0.25),
        (np.array([row, row[::-1]]), 3.0),
    ]


EXERCISE = Exercise(
    name="04-cooling-bug",
    title="a knob that turns nothing",
    type="bug",
    difficulty=2,
    minutes=10,
    objective="knowing what a temperature does to ratios.",
    statement=r"""
A service returns weights at temperature 1, and no scores. A colleague wants the weights
of the same scores at another temperature $\tau$. This function runs, and its rows sum
to 1. But its temperature has no effect at all. Mend it. (Which function of the ratio
$w_i/w_j$ is the new ratio?)
""",
    stub='''
def cooled(weights, temperature):
    """Return the weights that the same scores have at another temperature."""
    powers = weights / temperature
    return powers / powers.sum(axis=-1, keepdims=True)
''',
    answer="cooled",
    solution=cooled,
    explanation=r"""
At temperature $\tau$ a ratio is $e^{(z_i - z_j)/\tau} = (w_i/w_j)^{1/\tau}$. So each
weight is raised to the power $1/\tau$, and the row is normalised again. A factor on the
weights cancels in every ratio. (With the scores at hand, use them: a weight that has
underflowed to 0 stays 0.)
""",
    wrong=(
        Wrong(as_given, "A common factor cancels in each ratio.", given=True),
        Wrong(
            not_normalised,
            "Now the rows no longer sum to 1, and they are as sharp as they were.",
        ),
        Wrong(
            softmax_again,
            "You treat the weights as scores. Scores are their *logarithms*, up to a "
            "common number.",
        ),
        Wrong(inverse, "The other way round: a low temperature must sharpen the row."),
        Wrong(sum_forgotten, "The powers are right. Make each row sum to 1 again."),
        Wrong(
            small_number_added,
            "A weight of 0 should stay 0. The small number under the logarithm becomes "
            "a visible weight when it is hot.",
        ),
        Wrong(largest_is_one, "Divide by the *sum* of the powers, not by the largest."),
        Wrong(
            logarithms_shared,
            "These are the scores over the temperature. Take exponentials before you "
            "make them sum to 1.",
        ),
        Wrong(one_sum, "Each *row* must sum to 1, not all of them together."),
    ),
    probes=probes,
)

"""Predict, then run: which ratios move, and to what."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong


def ratios():
    """Return w1/w2 and w2/w3, both at temperature 1/2, after z1 is raised to 3."""
    return np.exp((3 - 1) / 0.5), np.exp((1 - 0.1) / 0.5)


def at_temperature_one():
    """Forget the temperature."""
    return np.exp(3 - 1), np.exp(1 - 0.1)


def temperature_multiplied():
    """Multiply the difference by the temperature."""
    return np.exp((3 - 1) * 0.5), np.exp((1 - 0.1) * 0.5)


def factor_outside():
    """Take the temperature for a factor on the ratio."""
    return np.exp(3 - 1) / 0.5, np.exp(1 - 0.1) / 0.5


def score_not_raised():
    """Leave z1 where it was."""
    return np.exp((2 - 1) / 0.5), np.exp((1 - 0.1) / 0.5)


def logarithms():
    """Stop at the exponents."""
    return (3 - 1) / 0.5, (1 - 0.1) / 0.5


def upside_down():
    """Divide the weaker weight by the stronger."""
    return np.exp(-(3 - 1) / 0.5), np.exp(-(1 - 0.1) / 0.5)


def weights():
    """Give weights, not ratios."""
    powers = np.exp(np.array([3, 1, 0.1, -0.5, -1]) / 0.5)
    return tuple(powers[:2] / powers.sum())


def quotients():
    """Divide the scores by each other."""
    return 3 / 1, 1 / 0.1


EXERCISE = Exercise(
    name="04-ratios",
    title="two ratios without a sum",
    type="predict",
    difficulty=1,
    minutes=5,
    objective="reading ratios of weights off differences of scores.",
    statement=r"""
The scores are 2, 1, 0.1, −0.5, −1. The first is raised to 3, and the temperature is set
to one half. What are $w_1/w_2$ and $w_2/w_3$ now? You need no sum. Write your numbers
down first (`np.exp` may help; three digits will do), then check them with
`ab.softmax`.
""",
    stub="""
first_over_second = ...
second_over_third = ...
""",
    answer="(first_over_second, second_over_third)",
    solution=ratios,
    explanation=r"""
$w_i/w_j = e^{(z_i - z_j)/\tau}$. The first ratio is $e^{2/0.5} = e^4$, the second
$e^{0.9/0.5} = e^{1.8}$. Halving the temperature squares every ratio. Raising $z_1$
moves the first ratio only.
""",
    wrong=(
        Wrong(
            at_temperature_one,
            "These are the ratios at temperature 1. A half squares each of them.",
        ),
        Wrong(
            temperature_multiplied,
            "A temperature *divides* the scores: at one half, differences double.",
        ),
        Wrong(
            factor_outside,
            "The temperature divides the difference *inside* the exponential. Outside "
            "it would cancel.",
        ),
        Wrong(score_not_raised, "You left the first score at its old value."),
        Wrong(logarithms, "These are the exponents. The ratios are $e$ to them."),
        Wrong(upside_down, "Upside down: this is $w_2/w_1$, or $w_3/w_2$."),
        Wrong(weights, "You give weights. Asked for are ratios of neighbours."),
        Wrong(
            quotients,
            "You divided the scores. Softmax compares scores by their *difference*: "
            "they may be negative or 0.",
        ),
    ),
    tolerance=0.004,
)

"""Measure how loud a hidden key must be to break mask-then-renormalise."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong


def fatal_lead():
    """Return the smallest whole lead that leaves nothing, in float32."""
    for lead in range(1, 1000):
        visible = np.exp(np.float32(0) - np.float32(lead))
        if visible == 0:
            return lead
    return None


def overflow():
    """Count up until the exponential overflows."""
    return int(np.ceil(np.log(np.finfo(np.float32).max)))


def smallest_normal():
    """Stop where numbers lose digits, but are not yet 0."""
    return int(np.ceil(-np.log(np.finfo(np.float32).tiny)))


def rounding():
    """Stop where 1 plus the number is 1."""
    return int(np.ceil(-np.log(np.finfo(np.float32).eps / 2)))


def not_rounded():
    """Give the formula's value, no whole number."""
    return 150 * np.log(2)


def one_too_early():
    """Give the last lead that leaves something."""
    return fatal_lead() - 1


def one_too_late():
    """Count one step more."""
    return fatal_lead() + 1


def double():
    """Measure in float64."""
    return 746


def half():
    """Measure in float16."""
    return 18


EXERCISE = Exercise(
    name="08-fatal-lead",
    title="how loud must a hidden key be?",
    type="measure",
    difficulty=2,
    minutes=10,
    objective="finding where an identity of paper ends in a floating-point type.",
    statement=r"""
A row has one visible key with score 0 and one hidden key with score $L$. Somebody takes
softmax of both (subtracting the maximum, $L$), sets the hidden weight to 0 and divides
by the sum of what is left. On paper the visible key gets weight 1. In `float32` it is
0/0 once $L$ is large. Measure the smallest whole $L$ for which that happens: make your
numbers `np.float32`, and count up.
""",
    stub="""
lead = ...
""",
    answer="lead",
    solution=fatal_lead,
    explanation=r"""
The visible weight is about $e^{-L}$, and `float32` rounds what is below half of its
smallest positive number, $2^{-150}$, to 0: that is a lead of $150 \ln 2$, rounded up.
A kernel that hides *before* softmax never meets this number.
""",
    wrong=(
        Wrong(
            overflow,
            "That is where $e^x$ overflows. Here the maximum is subtracted, so nothing "
            "overflows; the visible weight *under*flows.",
        ),
        Wrong(
            smallest_normal,
            "Below the smallest *normal* number there are still smaller ones, with "
            "fewer digits. Go on until the weight is 0.",
        ),
        Wrong(
            rounding,
            "There $1 + e^{-L}$ rounds to 1, but $e^{-L}$ itself is far from 0.",
        ),
        Wrong(not_rounded, "Where it breaks. Asked for is the smallest *whole* lead."),
        Wrong(one_too_early, "Here a last speck is left: the visible weight is not 0."),
        Wrong(one_too_late, "There it is broken already. Is it one step earlier, too?"),
        Wrong(double, "That is `float64`. Make both scores `np.float32`."),
        Wrong(half, "That is `float16`. Make both scores `np.float32`."),
    ),
    tolerance=1e-6,
)

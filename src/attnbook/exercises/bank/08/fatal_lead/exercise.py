"""Measure how loud a hidden key must be to break mask-then-renormalise."""

import numpy as np

from attnbook.exercises.master import Exercise


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
    type="measure",
    difficulty=2,
    minutes=10,
    stub="""
lead = ...
""",
    answer="lead",
    solution=fatal_lead,
    wrong=(
        overflow,
        smallest_normal,
        rounding,
        not_rounded,
        one_too_early,
        one_too_late,
        double,
        half,
    ),
    tolerance=1e-6,
)

"""Measure how loud a hidden key must be to break mask-then-renormalise."""

import numpy as np

from attnbook.claims import definition
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax


def fatal_lead(temperature):
    """Return the smallest whole lead that leaves nothing, in float32."""
    for lead in range(1, 10_000):
        visible = np.exp((np.float32(0) - np.float32(lead)) / np.float32(temperature))
        if visible == 0:
            return lead
    return None


def _first_whole(lead, temperature):
    return int(np.ceil(lead * temperature))


def overflow(temperature):
    """Count up until the exponential overflows."""
    return _first_whole(np.log(np.finfo(np.float32).max), temperature)


def smallest_normal(temperature):
    """Stop where numbers lose digits, but are not yet 0."""
    return _first_whole(-np.log(np.finfo(np.float32).tiny), temperature)


def rounding(temperature):
    """Stop where 1 plus the number is 1."""
    return _first_whole(-np.log(np.finfo(np.float32).eps / 2), temperature)


def not_rounded(temperature):
    """Give the formula's value, no whole number."""
    return 150 * np.log(2) * temperature


def one_too_early(temperature):
    """Give the last lead that leaves something."""
    return fatal_lead(temperature) - 1


def one_too_late(temperature):
    """Count one step more."""
    return fatal_lead(temperature) + 1


def at_temperature_one():
    """Forget the temperature."""
    return fatal_lead(1)


def temperature_multiplied(temperature):
    """Multiply by the temperature instead of dividing."""
    return fatal_lead(1 / temperature)


def double(temperature):
    """Measure in float64."""
    return _first_whole(1075 * np.log(2), temperature)


def half(temperature):
    """Measure in float16."""
    return _first_whole(25 * np.log(2), temperature)


def variant(rng):
    """Draw another temperature; none of the mistakes meets another."""
    return {"temperature": float(rng.choice([1.5, 1.7, 2.0, 3.0, 3.5, 4.0]))}


_SMALLEST = float(np.nextafter(np.float32(0), np.float32(1)))


def _visible_over_hidden(L, tau):
    return np.divide(*softmax(np.array([0, L]) / tau))


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
        at_temperature_one,
        temperature_multiplied,
        double,
        half,
    ),
    standard={"temperature": 3},
    variant=variant,
    tolerance=1e-6,
    numbers=lambda: {
        "it is 0/0 once": [np.exp(np.float32(-fatal_lead(1)))] * 2,
        "below half of": np.exp(-float(fatal_lead(1))) / _SMALLEST,
        "weight is 0.": np.exp(np.float32(-fatal_lead(1))),
        r"about $e^{-L/\tau}$": _visible_over_hidden,
        "$2^{-150}$": lambda: _SMALLEST / 2,
        r"$150\,\tau \ln 2$": lambda tau: -tau * np.log(_SMALLEST / 2),
        "where $e^x$": definition,
        r"$1 + e^{-L/\tau}$": lambda L, tau: 1 / softmax(np.array([0, L]) / tau)[1],
        r"but $e^{-L/\tau}$": _visible_over_hidden,
    },
)

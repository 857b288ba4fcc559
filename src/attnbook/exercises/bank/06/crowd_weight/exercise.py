"""Predict: what a key gets in a long row whose other scores scatter."""

import numpy as np

from attnbook.claims import over
from attnbook.exercises.master import Exercise, by_part
from attnbook.kernel import softmax
from attnbook.stats import expected_max


def _share(lead, crowd):
    """Return the weight at a lead, and the lead for half, against a crowd's power."""
    return np.exp(lead) / (np.exp(lead) + crowd), np.log(crowd)


def crowd_weight(lead, strangers, deviation):
    """Return the weight, and the lead that would give one half."""
    crowd = strangers * np.exp(deviation**2 / 2)
    return np.exp(lead) / (np.exp(lead) + crowd), np.log(crowd)


@by_part
def scatter_forgotten(lead, strangers, deviation):
    """Take all strangers for the mean stranger."""
    return _share(lead, strangers)


@by_part
def variance_not_halved(lead, strangers, deviation):
    """Take the whole variance."""
    return _share(lead, strangers * np.exp(deviation**2))


@by_part
def deviation_for_variance(lead, strangers, deviation):
    """Forget the square."""
    return _share(lead, strangers * np.exp(deviation / 2))


@by_part
def best_stranger_alone(lead, strangers, deviation):
    """Compare with the best stranger, and with nobody else."""
    return _share(lead, np.exp(deviation * expected_max(strangers)))


def odds(lead, strangers, deviation):
    """Give the odds for the weight."""
    weight, half = crowd_weight(lead, strangers, deviation)
    return weight / (1 - weight), half


def power_for_lead(lead, strangers, deviation):
    """Give the power that is needed, not the lead."""
    weight, half = crowd_weight(lead, strangers, deviation)
    return weight, np.exp(half)


def variant(rng):
    """Draw another crowd and another lead."""
    return {
        "lead": int(rng.choice([8, 9, 10])),
        "strangers": int(rng.choice([2000, 5000, 20_000, 50_000])),
        "deviation": float(rng.choice([1.4, 1.6, 1.8])),
    }


def said(lead, strangers, deviation):
    """Print the numbers, the crowd's power and both results."""
    weight, half = crowd_weight(lead, strangers, deviation)
    return {
        "many": f"{strangers:,d}",
        "each": f"{np.exp(deviation**2 / 2):.2f}",
        "weight": f"{weight:.3f}",
        "half": f"{half:.2f}",
    }


def _mean_power(s):
    """Return the mean power of a normal score, by adding up a fine grid."""
    grid = np.linspace(-12, 12, 48001)
    return softmax(-(grid**2) / 2) @ np.exp(s * grid)


EXERCISE = Exercise(
    type="predict",
    difficulty=2,
    minutes=8,
    stub="""
weight = ...  # of the key that leads
needed = ...  # the second answer
""",
    answer="(weight, needed)",
    solution=crowd_weight,
    wrong=(
        scatter_forgotten,
        variance_not_halved,
        deviation_for_variance,
        best_stranger_alone,
        odds,
        power_for_lead,
    ),
    standard={"lead": 9, "strangers": 4000, "deviation": 1.5},
    variant=variant,
    said=said,
    tolerance=0.005,
    numbers=lambda: {
        "need for half of": softmax([0.0, 0.0])[0],
        "For half of the": softmax([0.0, 0.0])[0],
        "$e^{s^2/2}$": over(_mean_power, s=(0.2, 2.0)),
    },
)

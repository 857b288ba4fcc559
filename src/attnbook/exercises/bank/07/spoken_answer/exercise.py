"""Predict: which four sentences of a spoken answer are false."""

import numpy as np

from attnbook.exercises.master import Exercise

FALSE = (2, 3, 5, 8)  # places of the false sentences, from 0


def _at(stamps, places):
    return tuple(stamps[place] for place in sorted(places))


def false_ones(stamps):
    """Return the seconds at which a false sentence begins."""
    return stamps[2], stamps[3], stamps[5], stamps[8]


def _instead(stamps, blamed, forgiven):
    return _at(stamps, {*FALSE, blamed} - {forgiven})


def root_forgiven(stamps):
    """Blame the mask, and forgive the lost root."""
    return _instead(stamps, 4, 2)


def normalising_forgiven(stamps):
    """Blame the maximum, and forgive the claim that scores are normalised."""
    return _instead(stamps, 6, 3)


def columns_forgiven(stamps):
    """Blame the average of values, and forgive softmax over the queries."""
    return _instead(stamps, 7, 5)


def proof_forgiven(stamps):
    """Blame the count of scores, and forgive the weights as a proof."""
    return _instead(stamps, 1, 8)


def projections_blamed(stamps):
    """Blame the projections, and forgive the lost root."""
    return _instead(stamps, 0, 2)


def maximum_blamed(stamps):
    """Blame the maximum, and forgive the weights as a proof."""
    return _instead(stamps, 6, 8)


def numbered(stamps):
    """Count the sentences instead of naming their seconds."""
    return tuple(place + 1 for place in FALSE)


def variant(rng):
    """Draw other seconds at which the sentences begin."""
    gaps = rng.integers(18, 38, 9)
    gaps[0] = rng.integers(12, 16)
    return {"stamps": tuple(np.cumsum(gaps).tolist())}


def said(stamps):
    """Print the second at which each sentence begins."""
    names = "one two three four five six seven eight nine".split()
    return {name: f"{stamp}" for name, stamp in zip(names, stamps, strict=True)}


EXERCISE = Exercise(
    type="predict",
    difficulty=2,
    minutes=10,
    stub="""
seconds = (..., ..., ..., ...)  # of the four that are false, in order
""",
    answer="seconds",
    solution=false_ones,
    wrong=(
        root_forgiven,
        normalising_forgiven,
        columns_forgiven,
        proof_forgiven,
        projections_blamed,
        maximum_blamed,
        numbered,
    ),
    standard={"stamps": (14, 38, 63, 92, 121, 149, 180, 207, 236)},
    variant=variant,
    said=said,
    tolerance=1e-6,
)

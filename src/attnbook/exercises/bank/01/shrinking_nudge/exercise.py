"""Measure: how much of a nudge one update of an encoder keeps."""

import numpy as np

from attnbook.claims import defined
from attnbook.exercises.master import Exercise

D, UPDATES, FIRST = 64, 20, 20


def kept(size):
    """Nudge ten encoders, and take the mean of the 20th roots."""
    rng = np.random.default_rng(0)
    W = size * rng.standard_normal((10, 64, 64)) / np.sqrt(64)
    h, nudge = np.zeros((10, 1, 64)), rng.standard_normal((10, 1, 64))
    for update in range(40):
        if update == 20:
            other = h + 1e-6 * nudge / np.linalg.norm(nudge, axis=-1, keepdims=True)
            h = np.concatenate([h, other], axis=1)
        h = np.tanh(rng.standard_normal((10, 1, 64)) + h @ W)
    ratios = np.linalg.norm(h[:, 1] - h[:, 0], axis=-1) / 1e-6
    return np.mean(ratios ** (1 / 20))


def recipe(rng, size):
    """Measure as the statement says, with ten encoders, one after another."""
    shares = []
    for _ in range(10):
        W = size * rng.standard_normal((D, D)) / np.sqrt(D)
        h, inputs = np.zeros(D), rng.standard_normal((FIRST + UPDATES, D))
        for x in inputs[:FIRST]:
            h = np.tanh(x + h @ W)
        nudge = rng.standard_normal(D)
        other = h + 1e-6 * nudge / np.linalg.norm(nudge)
        for x in inputs[FIRST:]:
            h, other = np.tanh(x + h @ W), np.tanh(x + other @ W)
        shares.append((np.linalg.norm(other - h) / 1e-6) ** (1 / UPDATES))
    return np.mean(shares)


def tanh_forgotten(size):
    """Take what W alone keeps."""
    return size


def no_root(size):
    """Take the ratio after all updates."""
    return kept(size) ** UPDATES


def squared(size):
    """Take the squared length."""
    return kept(size) ** 2


def largest_stretch(size):
    """Take the largest factor that W has for any direction."""
    return 2 * size


def first_inputs_counted(size):
    """Take the root for all inputs, those before the nudge too."""
    return np.sqrt(kept(size))


def variant(rng):
    """Draw another size of the weights."""
    return {"size": float(rng.choice([0.9, 1.1, 1.2, 1.3]))}


def said(size):
    """Print the result, and what is left after 20 updates."""
    share = kept(size)
    return {"share": f"{share:.2f}", "left": f"{share**UPDATES:.5f}"}


EXERCISE = Exercise(
    type="measure",
    difficulty=2,
    minutes=15,
    stub="""
rng = np.random.default_rng(0)
share = ...  # of a nudge's length that one update keeps
""",
    answer="share",
    solution=kept,
    wrong=(
        tanh_forgotten,
        no_root,
        squared,
        largest_stretch,
        first_inputs_counted,
    ),
    standard={"size": 1.0},
    variant=variant,
    said=said,
    recipe=recipe,
    tolerance=0.05,
    numbers=lambda: {
        "five parts in a hundred": [100 * EXERCISE.tolerance, 100],
        "of width 64": defined(D),
        "the same 20 updates": defined(UPDATES),
        "After 20 updates": defined(UPDATES),
        "at most 1": np.max(1 - np.tanh(np.linspace(-1, 1, 3)) ** 2),
        "some 20": defined(FIRST),
    },
)

"""Measure the deviation of scaled scores at a real initialisation."""

import numpy as np

from attnbook.exercises.master import Exercise


def deviation():
    """Draw inputs and weights, and measure."""
    rng = np.random.default_rng(0)
    d_model, d_k = 768, 64
    X, Y = rng.standard_normal((2, 500, d_model))
    W_Q, W_K = rng.uniform(-1, 1, (2, d_model, d_k)) / np.sqrt(d_model)
    scores = (X @ W_Q) @ (Y @ W_K).T / np.sqrt(d_k)
    return scores.std()


def assumed():
    """Trust the theorem's assumption."""
    return 1.0


def variance():
    """Forget the root."""
    return 1 / 9


def raw():
    """Forget to scale."""
    return np.sqrt(64) / 3


def one_entry():
    """Measure an entry of q."""
    return np.sqrt(1 / 3)


def packed():
    """Draw the weights as Xavier does for the packed matrix."""
    return 768 * 2 / (768 + 3 * 768)


def normal_weights():
    """Draw the weights as GPT-2 does."""
    return 768 * 0.02**2


EXERCISE = Exercise(
    type="measure",
    difficulty=2,
    minutes=15,
    stub="""
rng = np.random.default_rng(0)
deviation = ...
""",
    answer="deviation",
    solution=deviation,
    wrong=(
        assumed,
        variance,
        raw,
        one_entry,
        packed,
        normal_weights,
    ),
    tolerance=0.05,
)

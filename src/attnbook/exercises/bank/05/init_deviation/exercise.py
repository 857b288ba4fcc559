"""Measure the deviation of scaled scores at a real initialisation."""

import numpy as np

from attnbook.claims import defined, proved
from attnbook.exercises.master import Exercise


def deviation(d_model, d_k, spread):
    """Draw inputs and weights, and measure."""
    rng = np.random.default_rng(0)
    X, Y = spread * rng.standard_normal((2, 500, d_model))
    W_Q, W_K = rng.uniform(-1, 1, (2, d_model, d_k)) / np.sqrt(d_model)
    scores = (X @ W_Q) @ (Y @ W_K).T / np.sqrt(d_k)
    return scores.std()


def recipe(rng, d_model, d_k, spread):
    """Draw as the statement says, from another seed."""
    X, Y = rng.normal(0, spread, (2, 500, d_model))
    W_Q, W_K = rng.uniform(-1, 1, (2, d_model, d_k)) / np.sqrt(d_model)
    return ((X @ W_Q) @ (Y @ W_K).T / np.sqrt(d_k)).std()


def assumed():
    """Trust the theorem's assumption."""
    return 1.0


def variance(spread):
    """Forget the root."""
    return spread**4 / 9


def raw(d_k, spread):
    """Forget to scale."""
    return np.sqrt(d_k) * spread**2 / 3


def one_entry(spread):
    """Measure an entry of q."""
    return spread * np.sqrt(1 / 3)


def packed(spread):
    """Draw the weights as Xavier does for the packed matrix."""
    return spread**2 / 2


def normal_weights(d_model, spread):
    """Draw the weights as GPT-2 does."""
    return spread**2 * d_model * 0.02**2


def variant(rng):
    """Draw widths, and how far the inputs spread; no two mistakes agree."""
    spread, d_model = rng.choice(
        [(1, 512), (1, 640), (1, 768), (1, 1024), (1.5, 512), (1.5, 768), (0.7, 768)]
    )
    d_k = int(rng.choice([32, 48, 64, 96]))
    return {"d_model": int(d_model), "d_k": d_k, "spread": float(spread)}


def said(d_model, d_k, spread):
    """Print the width without a comma, the inputs' variance, and the result."""
    return {
        "wide": f"{d_model}",
        "squared": f"{spread**2:g}",
        "result": f"{spread**2 / 3:.3g}",
    }


_TEST = "tests/kernel/test_kernel_torch.py::test_initialisations_are_those_of_the_book"


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
    standard={"d_model": 768, "d_k": 64, "spread": 1.5},
    variant=variant,
    said=said,
    recipe=recipe,
    tolerance=0.05,
    numbers=lambda: {
        "part in twenty": 1 / EXERCISE.tolerance,
        "The deviation is 1": assumed(),
        "be one third": np.sqrt(variance(1)),
        "deviation 0.02": defined(0.02),
        r"between $-1/\sqrt{d_{\text{model}}}$": proved(_TEST),
        r"and $1/\sqrt{d_{\text{model}}}$": proved(_TEST),
        "variance $a^2/3$": lambda a: np.polyval(np.polyint([1, 0, 0]), a) / a,
        r"$1/(3 d_{\text{model}})$": lambda d_model: one_entry(1) ** 2 / d_model,
        r"$\pm 1/\sqrt{d_{\text{model}}}$": proved(_TEST),
    },
)

"""Measure the deviation of scaled scores at a real initialisation."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong


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
    name="05-init-deviation",
    title="how far scores really spread at the start",
    type="measure",
    difficulty=2,
    minutes=15,
    objective="checking an assumption by an experiment of your own.",
    statement=r"""
Let 500 inputs for the queries and 500 others for the keys have independent standard
normal entries, with $d_{\text{model}} = 768$. Two weight matrices of shape `(768,
64)` are drawn as `nn.Linear` does it: uniformly between $-1/\sqrt{d_{\text{model}}}$
and $1/\sqrt{d_{\text{model}}}$. Measure the standard deviation of all *scaled*
scores. Your value may be off by one part in twenty.
""",
    stub="""
rng = np.random.default_rng(0)
deviation = ...
""",
    answer="deviation",
    solution=deviation,
    explanation=r"""
A number drawn uniformly from $\pm a$ has variance $a^2/3$, so a weight has $1/(3
d_{\text{model}})$ and an entry of $q$, a sum of $d_{\text{model}}$ terms, has one
third. The scaled score has deviation $\sqrt{1/3}\cdot\sqrt{1/3}$. A model starts
softer than the theorem's assumption says.
""",
    wrong=(
        Wrong(
            assumed,
            "The deviation is 1 *if* entries of $q$ and $k$ have variance 1. Do they? "
            "Print `(X @ W_Q).var()`.",
        ),
        Wrong(variance, "That is the variance. The standard deviation is its root."),
        Wrong(raw, "These are the raw scores. Divide them by the root of 64."),
        Wrong(one_entry, "That is the deviation of one entry of $q$, not of a score."),
        Wrong(
            packed,
            "That is the value for Xavier's weights over the packed matrix of "
            "`nn.MultiheadAttention`. The limits here are those of `nn.Linear`: "
            "$\\pm 1/\\sqrt{d_{\\text{model}}}$.",
        ),
        Wrong(
            normal_weights,
            "That is the value for normal weights with deviation 0.02. Draw them "
            "uniformly: `rng.uniform(-1, 1, shape) / np.sqrt(768)`.",
        ),
    ),
    tolerance=0.05,
)

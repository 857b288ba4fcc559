"""Predict: how many parameters three scoring functions have."""

from attnbook.claims import definition
from attnbook.exercises.master import Exercise


def parameters(d_model, d_k):
    """Count what stands between two tokens and their score."""
    dot_product = 2 * d_model * d_k  # W_Q and W_K
    additive = 2 * d_model * d_k + d_k  # W_q, W_k and v
    free_bilinear = d_model * d_model  # M
    return dot_product, additive, free_bilinear


def none_at_all(d_model, d_k):
    """Count what stands in the product itself."""
    return 0, *parameters(d_model, d_k)[1:]


def one_matrix(d_model, d_k):
    """Forget the second projection."""
    return d_model * d_k, d_model * d_k + d_k, d_model**2


def vector_forgotten(d_model, d_k):
    """Forget v."""
    return 2 * d_model * d_k, 2 * d_model * d_k, d_model**2


def with_biases(d_model, d_k):
    """Count a bias for each projection, as nn.Linear has it by default."""
    both = 2 * (d_model + 1) * d_k
    return both, both + d_k, d_model**2


def projected_twice(d_model, d_k):
    """Let the additive score act on queries and keys that are projected already."""
    once = 2 * d_model * d_k
    return once, once + 2 * d_k * d_k + d_k, d_model**2


def rank_taken(d_model, d_k):
    """Take M to be a product of thin matrices."""
    return *parameters(d_model, d_k)[:2], 2 * d_model * d_k


def small_square(d_model, d_k):
    """Give M the width of the keys."""
    return *parameters(d_model, d_k)[:2], d_k**2


def variant(rng):
    """Draw other widths."""
    return {
        "d_model": int(rng.choice([512, 640, 768, 1024, 1280])),
        "d_k": int(rng.choice([32, 48, 64, 96, 128])),
    }


def said(d_model, d_k):
    """Print widths without commas, and the three counts."""
    two, _, free = parameters(d_model, d_k)
    times = f"{free / two:.3g}"
    return {"entries": f"{d_model}", "narrow": f"{d_k}", "two": two} | {
        "free": free,
        "times": "six" if times == "6" else times,
    }


EXERCISE = Exercise(
    type="predict",
    difficulty=1,
    minutes=10,
    stub="""
dot_product = ...
additive = ...
free_bilinear = ...
""",
    answer="(dot_product, additive, free_bilinear)",
    solution=parameters,
    wrong=(
        none_at_all,
        one_matrix,
        vector_forgotten,
        with_biases,
        projected_twice,
        rank_taken,
        small_square,
    ),
    standard={"d_model": 768, "d_k": 64},
    variant=variant,
    said=said,
    numbers=lambda: {
        r"$v\cdot\tanh(xW_q + yW_k)$": definition,
    },
)

"""Predict: how many parameters three scoring functions have."""

from attnbook.exercises.master import Exercise


def parameters():
    """Count for d_model = 768 and d_k = d_a = 64."""
    d_model, d_k = 768, 64
    dot_product = 2 * d_model * d_k  # W_Q and W_K
    additive = 2 * d_model * d_k + d_k  # W_q, W_k and v
    free_bilinear = d_model * d_model  # M
    return dot_product, additive, free_bilinear


def none_at_all():
    """Count what stands in the product itself."""
    return 0, 98_368, 589_824


def one_matrix():
    """Forget the second projection."""
    return 49_152, 49_216, 589_824


def vector_forgotten():
    """Forget v."""
    return 98_304, 98_304, 589_824


def projected_twice():
    """Let the additive score act on queries and keys that are projected already."""
    return 98_304, 98_304 + 2 * 64 * 64 + 64, 589_824


def rank_taken():
    """Take M to be a product of thin matrices."""
    return 98_304, 98_368, 98_304


def small_square():
    """Give M the width of the keys."""
    return 98_304, 98_368, 4096


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
        projected_twice,
        rank_taken,
        small_square,
    ),
)

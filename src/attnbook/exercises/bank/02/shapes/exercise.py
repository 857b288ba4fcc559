"""Predict: how many numbers each step of a cross-attention holds."""

from attnbook.exercises.master import Exercise


def counts(n_q, n_k, d_model, d_k, d_v):
    """Return the learned numbers, the weights, and the entries of the output."""
    return d_model * (2 * d_k + d_v), n_q * n_k, n_q * d_v


def one_matrix_short(n_q, n_k, d_model, d_k, d_v):
    """Count one matrix for queries and keys."""
    return d_model * (d_k + d_v), n_q * n_k, n_q * d_v


def values_like_keys(n_q, n_k, d_model, d_k, d_v):
    """Make values as wide as keys."""
    return 3 * d_model * d_k, n_q * n_k, n_q * d_k


def among_those_who_ask(n_q, n_k, d_model, d_k, d_v):
    """Let those who ask look at each other."""
    return d_model * (2 * d_k + d_v), n_q * n_q, n_q * d_v


def everybody_with_everybody(n_q, n_k, d_model, d_k, d_v):
    """Let both sides look at both."""
    return d_model * (2 * d_k + d_v), (n_q + n_k) ** 2, n_q * d_v


def output_for_each_key(n_q, n_k, d_model, d_k, d_v):
    """Give an output to those who are asked."""
    return d_model * (2 * d_k + d_v), n_q * n_k, n_k * d_v


def output_as_wide_as_the_model(n_q, n_k, d_model, d_k, d_v):
    """Make the output as wide as what came in."""
    return d_model * (2 * d_k + d_v), n_q * n_k, n_q * d_model


def matrices_for_each_token(n_q, n_k, d_model, d_k, d_v):
    """Give each token matrices of its own."""
    learned = d_model * (n_q * d_k + n_k * (d_k + d_v))
    return learned, n_q * n_k, n_q * d_v


def variant(rng):
    """Draw sizes that all differ."""
    n_q, n_k = (int(n) for n in rng.choice([3, 4, 5, 7, 9, 11], 2, replace=False))
    d_k, d_v = (int(d) for d in rng.choice([6, 8, 10, 14], 2, replace=False))
    d_model = int(rng.choice([20, 24, 32, 40]))
    return {"n_q": n_q, "n_k": n_k, "d_model": d_model, "d_k": d_k, "d_v": d_v}


def said(n_q, n_k, d_model, d_k, d_v):
    """Print the sizes and the results."""
    learned, weights, entries = counts(n_q, n_k, d_model, d_k, d_v)
    return {"asking": n_q, "asked": n_k, "wide": d_model, "key": d_k, "value": d_v} | {
        "learned": learned,
        "weights": weights,
        "entries": entries,
    }


EXERCISE = Exercise(
    type="predict",
    difficulty=1,
    minutes=8,
    stub="""
in_matrices = ...  # numbers in the three matrices together
in_weights = ...  # numbers in the matrix of weights
in_output = ...  # numbers in the output
""",
    answer="(in_matrices, in_weights, in_output)",
    solution=counts,
    wrong=(
        one_matrix_short,
        values_like_keys,
        among_those_who_ask,
        everybody_with_everybody,
        output_for_each_key,
        output_as_wide_as_the_model,
        matrices_for_each_token,
    ),
    standard={"n_q": 9, "n_k": 11, "d_model": 24, "d_k": 8, "d_v": 14},
    variant=variant,
    said=said,
    tolerance=0.0001,
)

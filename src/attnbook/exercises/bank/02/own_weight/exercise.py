"""Measure: the weight on oneself when queries and keys share a matrix."""

import numpy as np

from attnbook.claims import defined
from attnbook.exercises.master import Exercise
from attnbook.kernel import attention_weights

_D_MODEL = 128


def _median(rng, n, d_k, *, shared=True, scale=None, draws=20):
    """Return the mean, over draws, of the median weight on oneself."""
    medians = []
    for _ in range(draws):
        X = rng.standard_normal((n, _D_MODEL))
        W_Q, W_K = rng.standard_normal((2, _D_MODEL, d_k)) / np.sqrt(_D_MODEL)
        weights = attention_weights(X @ W_Q, X @ (W_Q if shared else W_K), scale=scale)
        medians.append(np.median(np.diagonal(weights)))
    return np.mean(medians)


def own(n, d_k):
    """Draw tokens and one matrix many times, and take the median weight on oneself."""
    rng, medians = np.random.default_rng(0), []
    for _ in range(200):
        X = rng.standard_normal((n, 128))
        K = X @ rng.standard_normal((128, d_k)) / np.sqrt(128)
        medians.append(np.median(np.diagonal(attention_weights(K, K))))
    return np.mean(medians)


def recipe(rng, n, d_k):
    """Measure as the statement says, with fifty draws."""
    return _median(rng, n, d_k, draws=50)


def two_matrices(n, d_k):
    """Draw a matrix for the keys, too."""
    return _median(np.random.default_rng(0), n, d_k, shared=False)


def one_share(n):
    """Take one share of n."""
    return 1 / n


def not_scaled(n, d_k):
    """Leave the scores as they are."""
    return _median(np.random.default_rng(0), n, d_k, scale=1.0)


def root_forgotten(n, d_k):
    """Divide by the width itself."""
    return _median(np.random.default_rng(0), n, d_k, scale=1 / d_k)


def crowd_without_spread(n, d_k):
    """Let all others score 0."""
    return np.exp(np.sqrt(d_k)) / (np.exp(np.sqrt(d_k)) + n - 1)


def variant(rng):
    """Draw another number of tokens and another width."""
    return {"n": int(rng.choice([64, 80, 96])), "d_k": int(rng.choice([20, 24, 28]))}


def said(n, d_k):
    """Print the sizes and the result."""
    return {
        "tokens": n,
        "width": d_k,
        "result": f"{own(n, d_k):.2f}",
        "lead": f"{np.sqrt(d_k):.1f}",
        "naive": f"{crowd_without_spread(n, d_k):.2f}",
    }


EXERCISE = Exercise(
    type="measure",
    difficulty=2,
    minutes=15,
    stub="""
from attnbook import attention_weights

rng = np.random.default_rng(0)
own = ...  # the median weight on oneself, averaged over draws
""",
    answer="own",
    solution=own,
    wrong=(
        two_matrices,
        one_share,
        not_scaled,
        root_forgotten,
        crowd_without_spread,
    ),
    standard={"n": 64, "d_k": 20},
    variant=variant,
    said=said,
    recipe=recipe,
    tolerance=0.08,
    numbers=lambda d_k: {
        "eight parts in a hundred": [100 * EXERCISE.tolerance, 100],
        "of 128 standard": defined(_D_MODEL),
        r"variance $1/128$": lambda: np.var([1, -1]) / _D_MODEL,
        r"score $\sqrt{d_k}$": lambda d_k: d_k / np.sqrt(d_k),
    },
)

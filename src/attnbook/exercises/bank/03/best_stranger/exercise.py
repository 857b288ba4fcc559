"""Measure: the best cosine among a thousand random keys."""

import numpy as np

from attnbook.claims import defined
from attnbook.exercises.master import Exercise
from attnbook.stats import expected_max


def largest(n_keys, width):
    """Draw queries and keys, and take the mean of the largest cosine in each row."""
    rng = np.random.default_rng(0)
    Q, K = rng.standard_normal((400, width)), rng.standard_normal((n_keys, width))
    Q /= np.linalg.norm(Q, axis=1, keepdims=True)
    K /= np.linalg.norm(K, axis=1, keepdims=True)
    return (Q @ K.T).max(axis=1).mean()


def recipe(rng, n_keys, width):
    """Draw as the statement says, with three hundred queries."""
    Q, K = rng.standard_normal((300, width)), rng.standard_normal((n_keys, width))
    lengths = np.linalg.norm(Q, axis=1)[:, None] * np.linalg.norm(K, axis=1)
    return (Q @ K.T / lengths).max(axis=1).mean()


def one_key(width):
    """Take the deviation of one cosine."""
    return 1 / np.sqrt(width)


def bound(n_keys, width):
    """Take the bound for the expected value."""
    return np.sqrt(2 * np.log(n_keys)) / np.sqrt(width)


def product(n_keys, width):
    """Forget to divide by the lengths."""
    return np.sqrt(width) * expected_max(n_keys)


def queries_normalised(n_keys):
    """Cut the queries to length 1 and leave the keys."""
    return expected_max(n_keys)


def usual_size(width):
    """Take the mean size of a cosine."""
    return np.sqrt(2 / np.pi) / np.sqrt(width)


def of_all_pairs(n_keys, width):
    """Take the largest of the cosines of all 400 queries."""
    rng = np.random.default_rng(0)
    Q, K = rng.standard_normal((400, width)), rng.standard_normal((n_keys, width))
    lengths = np.linalg.norm(Q, axis=1)[:, None] * np.linalg.norm(K, axis=1)
    return (Q @ K.T / lengths).max()


def variant(rng):
    """Draw another number of keys and another width."""
    return {
        "n_keys": int(rng.choice([500, 1000, 2000])),
        "width": int(rng.choice([32, 48, 64, 96, 128])),
    }


def said(n_keys, width):
    """Print the result, and how many deviations that is."""
    best = largest(n_keys, width)
    deviations = f"{best * np.sqrt(width):.1f}"
    return {
        "keys": f"{n_keys}",
        "best": f"{best:.2f}",
        "deviations": deviations,
        "one": f"{1 / np.sqrt(width):.3g}",
    }


EXERCISE = Exercise(
    type="measure",
    difficulty=2,
    minutes=15,
    stub="""
rng = np.random.default_rng(0)
largest = ...  # the mean, over many queries, of the largest of {keys} cosines
""",
    answer="largest",
    solution=largest,
    wrong=(
        one_key,
        bound,
        product,
        queries_normalised,
        usual_size,
        of_all_pairs,
    ),
    standard={"n_keys": 1000, "width": 64},
    variant=variant,
    said=said,
    recipe=recipe,
    tolerance=0.03,
    numbers=lambda n_keys: {
        "three parts in a hundred": [100 * EXERCISE.tolerance, 100],
        "in 1024 dimensions": defined(1024),
        "0.1 is the best": expected_max(n_keys) / np.sqrt(1024),
        r"$\sqrt{2\ln n}$": lambda n: bound(n, 1),
    },
)

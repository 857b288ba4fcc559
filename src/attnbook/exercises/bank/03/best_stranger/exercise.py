"""Measure: the best cosine among a thousand random keys."""

import numpy as np

from attnbook.exercises.master import Exercise


def largest():
    """Draw queries and keys, and take the mean of the largest cosine in each row."""
    rng = np.random.default_rng(0)
    Q, K = rng.standard_normal((400, 64)), rng.standard_normal((1000, 64))
    Q /= np.linalg.norm(Q, axis=1, keepdims=True)
    K /= np.linalg.norm(K, axis=1, keepdims=True)
    return (Q @ K.T).max(axis=1).mean()


def one_key():
    """Take the deviation of one cosine."""
    return 1 / np.sqrt(64)


def bound():
    """Take the bound for the expected value."""
    return np.sqrt(2 * np.log(1000)) / np.sqrt(64)


def product():
    """Forget to divide by the lengths."""
    return 8.0 * 3.24


def queries_normalised():
    """Cut the queries to length 1 and leave the keys."""
    return 3.24


def usual_size():
    """Take the mean size of a cosine."""
    return np.sqrt(2 / np.pi) / np.sqrt(64)


def of_all_pairs():
    """Take the largest of all 400,000 cosines."""
    return 0.56


EXERCISE = Exercise(
    type="measure",
    difficulty=2,
    minutes=15,
    stub="""
rng = np.random.default_rng(0)
largest = ...  # the mean, over many queries, of the largest of 1000 cosines
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
    tolerance=0.03,
)

"""Derive the variance of a dot product for any two covariances."""

import numpy as np

from attnbook.claims import definition, proved
from attnbook.exercises.inputs import drawn
from attnbook.exercises.master import Exercise


def score_variance(Sigma_q, Sigma_k):
    """Return Var(q . k) for independent q and k with mean 0."""
    return np.trace(Sigma_q @ Sigma_k)


def width(Sigma_q, Sigma_k):
    """Use the theorem where it does not hold."""
    return len(Sigma_q)


def diagonals(Sigma_q, Sigma_k):
    """Leave the correlations out."""
    return np.sum(np.diag(Sigma_q) * np.diag(Sigma_k))


def product_of_traces(Sigma_q, Sigma_k):
    """Multiply the total variances."""
    return np.trace(Sigma_q) * np.trace(Sigma_k)


def mean_of_traces(Sigma_q, Sigma_k):
    """Share the product of traces among the entries."""
    return product_of_traces(Sigma_q, Sigma_k) / len(Sigma_q)


def root_taken(Sigma_q, Sigma_k):
    """Return the deviation."""
    return np.sqrt(np.trace(Sigma_q @ Sigma_k))


def sum_of_all(Sigma_q, Sigma_k):
    """Add up the whole product."""
    return np.sum(Sigma_q @ Sigma_k)


def probes(rng):
    """Width 1, then independent entries, then correlated ones on one and both sides."""
    one, white = np.eye(1), np.eye(2)
    uneven, alike = np.diag([1.0, 3.0]), np.array([[1, 0.5], [0.5, 1]])
    opposed = np.array([[2, -1, 0], [-1, 2, 0], [0, 0, 1.0]])
    ones = np.ones((3, 3))
    A, B = drawn(rng, 2, 4, 4)
    return [
        (2 * one, 3 * one),
        (white, white),
        (uneven, white),
        (uneven, uneven),
        (alike, white),
        (alike, alike),
        (opposed, ones),
        (ones, ones),
        (A @ A.T, B @ B.T),
        (1e-6 * A @ A.T, 1e4 * B @ B.T),
    ]


_TEST = "tests/exercises/test_derivations.py::test_the_variance_is_a_trace"


EXERCISE = Exercise(
    type="derive",
    difficulty=3,
    minutes=20,
    stub='''
def score_variance(Sigma_q, Sigma_k):
    """Return Var(q . k) for independent q and k with mean 0."""
    return ...
''',
    answer="score_variance",
    solution=score_variance,
    wrong=(
        width,
        diagonals,
        product_of_traces,
        mean_of_traces,
        root_taken,
        sum_of_all,
    ),
    probes=probes,
    numbers=lambda: {
        r"$\mathrm{Var}(q\cdot k)$ on": definition,
        r"$\mathrm{Var}(q\cdot k) = \sum_{ij}\mathrm{E}[q_i q_j]\,\mathrm{E}[k_i k_j] ="
        r" \sum_{ij} (\Sigma_q)_{ij}(\Sigma_k)_{ij}"
        r" = \mathrm{tr}(\Sigma_q\Sigma_k)$": proved(_TEST),
        "it is $d_k^2$": lambda d_k: score_variance(*np.ones((2, d_k, d_k))),
        r"over $(\Sigma_q)_{ij}(\Sigma_k)_{ij}$": definition,
    },
)

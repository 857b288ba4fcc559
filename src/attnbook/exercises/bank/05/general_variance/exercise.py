"""Derive the variance of a dot product for any two covariances."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong


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


def probes():
    """Width 1, then independent entries, then correlated ones on one and both sides."""
    one, white = np.eye(1), np.eye(2)
    uneven, alike = np.diag([1.0, 3.0]), np.array([[1, 0.5], [0.5, 1]])
    opposed = np.array([[2, -1, 0], [-1, 2, 0], [0, 0, 1.0]])
    ones = np.ones((3, 3))
    return [
        (2 * one, 3 * one),
        (white, white),
        (uneven, white),
        (uneven, uneven),
        (alike, white),
        (alike, alike),
        (opposed, ones),
        (ones, ones),
    ]


EXERCISE = Exercise(
    name="05-general-variance",
    title="the theorem without white entries",
    type="derive",
    difficulty=3,
    minutes=20,
    objective="deriving what the theorem becomes when entries are correlated.",
    statement=r"""
Let $q$ and $k$ be independent of each other with mean 0, but let their own entries be
correlated: the covariances are $\Sigma_q$ and $\Sigma_k$. Derive $\mathrm{Var}(q\cdot
k)$ on paper, then write it as a function of the two matrices.
""",
    stub='''
def score_variance(Sigma_q, Sigma_k):
    """Return Var(q . k) for independent q and k with mean 0."""
    return ...
''',
    answer="score_variance",
    solution=score_variance,
    explanation=r"""
$\mathrm{Var}(q\cdot k) = \sum_{ij}\mathbb{E}[q_i q_j]\,\mathbb{E}[k_i k_j] =
\sum_{ij} (\Sigma_q)_{ij}(\Sigma_k)_{ij} = \mathrm{tr}(\Sigma_q\Sigma_k)$. If one side
is white, only the other side's variances count: $d_k$ for unit variances, whatever
its correlations. If all entries of a vector are equal, on both sides, it is $d_k^2$.
""",
    wrong=(
        Wrong(width, "That is the theorem for independent entries of variance 1."),
        Wrong(
            diagonals,
            "You left out the terms $q_i k_i q_j k_j$ with different $i$ and $j$. They "
            "count when *both* sides are correlated.",
        ),
        Wrong(
            product_of_traces,
            "Entry $i$ of $q$ meets entry $i$ of $k$ only. Multiplying the traces lets "
            "every entry meet every other.",
        ),
        Wrong(
            mean_of_traces,
            "This holds if all variances on one side are equal and there are no "
            "correlations. Write the double sum and take expectations.",
        ),
        Wrong(root_taken, "That is the standard deviation. The variance is asked for."),
        Wrong(
            sum_of_all,
            "Sum over $(\\Sigma_q)_{ij}(\\Sigma_k)_{ij}$. That is the *trace* of the "
            "matrix product, not the sum of all its entries.",
        ),
    ),
    probes=probes,
)

"""Derive: other matrices that give the same scores."""

import numpy as np

from attnbook.claims import proved
from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise


def other_keys(W_K, A):
    """Return the matrix for the keys that goes with W_Q @ A."""
    return W_K @ np.linalg.inv(A).T


def inverse_alone(W_K, A):
    """Forget the transpose."""
    return W_K @ np.linalg.inv(A)


def same_factor(W_K, A):
    """Multiply both by the same matrix."""
    return W_K @ A


def transpose_alone(W_K, A):
    """Take the transpose for the inverse."""
    return W_K @ A.T


def nothing_to_do(W_K, A):
    """Leave the keys alone."""
    return 1 * W_K


def from_the_left(W_K, A):
    """Multiply on the other side, by the inverse of a large matrix."""
    left = np.eye(W_K.shape[0])
    left[: A.shape[0], : A.shape[0]] = np.linalg.inv(A).T
    return left @ W_K


def probes(rng):
    """Return a single number first, then a stretch, a shear, wider and square ones."""
    shear = np.array([[1.0, 2.0], [0.0, 1.0]])
    wide = np.eye(3) + np.triu(pattern(3, 3), 1)
    return [
        (np.array([[3.0]]), np.array([[2.0]])),
        (pattern(3, 2), np.diag([2.0, 0.5])),
        (pattern(4, 2), shear),
        (pattern(5, 3, step=3), wide),
        (drawn(rng, 3, 3), 4 * np.eye(3) + np.clip(drawn(rng, 3, 3), -1, 1)),
        (drawn(rng, 6, 2), np.array([[0.0, -3.0], [0.5, 0.0]])),
    ]


_TEST = "tests/exercises/test_derivations.py::test_other_matrices_keep_every_score"


EXERCISE = Exercise(
    type="derive",
    difficulty=3,
    minutes=20,
    stub='''
def other_keys(W_K, A):
    """Return the matrix for the keys that goes with W_Q @ A."""
    return ...
''',
    answer="other_keys",
    solution=other_keys,
    wrong=(
        inverse_alone,
        same_factor,
        transpose_alone,
        nothing_to_do,
        from_the_left,
    ),
    probes=probes,
    numbers=lambda: {
        r"$W_QA\,(W_KB)^\top = W_Q\,AB^\top\,W_K^\top$": proved(_TEST),
        r"$B = (A^{-1})^\top$": proved(_TEST),
    },
)

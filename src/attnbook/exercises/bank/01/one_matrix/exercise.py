"""Derive: one matrix for two projections and the scaling."""

import numpy as np

from attnbook.claims import proved
from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise


def one_matrix(W_Q, W_K):
    """Return W for General: the scores of ScaledDot after both projections."""
    return W_Q @ W_K.T / np.sqrt(W_Q.shape[1])


def scaling_forgotten(W_Q, W_K):
    """Join the projections and nothing else."""
    return W_Q @ W_K.T


def by_the_width_of_the_state(W_Q, W_K):
    """Take the width of the decoder's state."""
    return W_Q @ W_K.T / np.sqrt(W_Q.shape[0])


def root_forgotten(W_Q, W_K):
    """Divide by the width."""
    return W_Q @ W_K.T / W_Q.shape[1]


def multiplied(W_Q, W_K):
    """Multiply by the root."""
    return W_Q @ W_K.T * np.sqrt(W_Q.shape[1])


def inner_product(W_Q, W_K):
    """Sum over the states instead of the projections."""
    rows = min(len(W_Q), len(W_K))
    return W_Q[:rows].T @ W_K[:rows] / np.sqrt(W_Q.shape[1])


def other_side_first(W_Q, W_K):
    """Let the key ask the query."""
    return W_K @ W_Q.T / np.sqrt(W_Q.shape[1])


def probes(rng):
    """Return states of one entry first, then states of unequal width, then squares."""
    return [
        (np.array([[2.0, 1.0]]), np.array([[3.0, 1.0]])),
        (pattern(3, 4) + 0.5, pattern(2, 4, step=3)),
        (pattern(2, 9) + 0.5, pattern(5, 9, step=3)),
        (pattern(4, 4) + 0.5, pattern(4, 4, step=3)),
        (pattern(3, 2) + 0.5, pattern(3, 2, step=4)),
        (drawn(rng, 3, 5), drawn(rng, 3, 5)),
        (drawn(rng, 4, 1), drawn(rng, 2, 1)),
    ]


_TEST = "tests/exercises/test_derivations.py::test_one_matrix_gives_the_scaled_scores"


EXERCISE = Exercise(
    type="derive",
    difficulty=2,
    minutes=10,
    stub='''
def one_matrix(W_Q, W_K):
    """Return W for General: the scores of ScaledDot after both projections."""
    return ...
''',
    answer="one_matrix",
    solution=one_matrix,
    wrong=(
        scaling_forgotten,
        by_the_width_of_the_state,
        root_forgotten,
        multiplied,
        inner_product,
        other_side_first,
    ),
    probes=probes,
    numbers=lambda: {
        r"$(sW_Q)(hW_K)^\top/\sqrt{d_k} = s\,W\,h^\top$": proved(_TEST),
        r"$W = W_QW_K^\top/\sqrt{d_k}$": proved(_TEST),
    },
)

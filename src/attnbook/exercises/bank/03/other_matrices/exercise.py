"""Derive: other matrices that give the same scores."""

import numpy as np

from attnbook.exercises.inputs import pattern
from attnbook.exercises.master import Exercise, Wrong


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


def probes():
    """Return a single number first, then a stretch, a shear, and wider ones."""
    shear = np.array([[1.0, 2.0], [0.0, 1.0]])
    wide = np.eye(3) + np.triu(pattern(3, 3), 1)
    return [
        (np.array([[3.0]]), np.array([[2.0]])),
        (pattern(3, 2), np.diag([2.0, 0.5])),
        (pattern(4, 2), shear),
        (pattern(5, 3, step=3), wide),
    ]


EXERCISE = Exercise(
    name="03-other-matrices",
    title="other queries, other keys, the same scores",
    type="derive",
    difficulty=3,
    minutes=20,
    objective="seeing that only the product of both matrices counts.",
    statement=r"""
Somebody replaces $W_Q$ by $W_QA$, with an invertible matrix $A$ of shape $d_k \times
d_k$. Every query changes, in length and in direction. By what must $W_K$ be replaced so
that *no* score changes, whatever the tokens? Derive it from $M = W_QW_K^\top$, then
write the function.
""",
    stub='''
def other_keys(W_K, A):
    """Return the matrix for the keys that goes with W_Q @ A."""
    return ...
''',
    answer="other_keys",
    solution=other_keys,
    explanation=r"""
Replace $W_K$ by $W_KB$. The scores stay if $W_QA\,(W_KB)^\top = W_Q\,AB^\top\,W_K^\top$
equals $W_QW_K^\top$, so if $AB^\top = I$: $B = (A^{-1})^\top$. A rotation has $B = A$.
So a query alone has neither a length nor a direction that means anything: only scores
do.
""",
    wrong=(
        Wrong(
            inverse_alone,
            "Nearly. In $M = W_QW_K^\\top$ the second matrix is *transposed*: what is "
            "the transpose of $W_KB$?",
        ),
        Wrong(
            same_factor,
            "The same factor on both sides keeps the scores only if $A$ is a rotation. "
            "A stretch, for instance, has to be undone.",
        ),
        Wrong(
            transpose_alone,
            "The transpose undoes a rotation only. In general it takes the inverse.",
        ),
        Wrong(
            nothing_to_do,
            "If the keys stay, the scores become $xW_QAW_K^\\top y^\\top$. What undoes "
            "the $A$ in the middle?",
        ),
        Wrong(
            from_the_left,
            "$A$ stands between the two matrices, so it must be met from the *right* "
            "of $W_K$, where the width is $d_k$.",
        ),
    ),
    probes=probes,
)

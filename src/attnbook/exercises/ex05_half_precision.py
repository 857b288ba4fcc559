"""Find the bug: a product that overflows before it is divided."""

import numpy as np

from attnbook.exercises.inputs import pattern
from attnbook.exercises.master import Exercise, Wrong


def half_scores(Q, K):
    """Return scaled scores of float16 queries and keys, finite where they fit."""
    return (Q / np.float16(np.sqrt(Q.shape[-1]))) @ K.T


def as_given(Q, K):
    """Divide after the product."""
    return (Q @ K.T) / np.float16(np.sqrt(Q.shape[-1]))


def cast_afterwards(Q, K):
    """Widen what is already infinite."""
    return (Q @ K.T).astype(np.float32) / np.sqrt(Q.shape[-1])


def clipped(Q, K):
    """Replace infinities by the largest number."""
    largest = np.finfo(np.float16).max
    product = np.clip(Q @ K.T, -largest, largest)
    return product / np.float16(np.sqrt(Q.shape[-1]))


def divided_twice(Q, K):
    """Put the whole factor on both sides."""
    root = np.float16(np.sqrt(Q.shape[-1]))
    return (Q / root) @ (K / root).T


def fourth_root_once(Q, K):
    """Put the fourth root on one side only."""
    return (Q / np.float16(Q.shape[-1] ** 0.25)) @ K.T


def maximum_subtracted(Q, K):
    """Do what a safe softmax does."""
    product = Q @ K.T
    product = product - product.max(axis=-1, keepdims=True)
    return product / np.float16(np.sqrt(Q.shape[-1]))


def probes():
    """Small entries first, then entries whose product leaves float16."""
    half = np.float16
    large = np.array([[1], [-1], [0.5]], half) * np.full((3, 128), 24, half)
    return [
        (pattern(1, 4, dtype=half), pattern(2, 4, step=3, dtype=half)),
        (np.full((1, 128), 24, half), large),
        (large, np.full((2, 128), 30, half)),
    ]


EXERCISE = Exercise(
    name="05-half-precision",
    title="infinite, though it would fit",
    type="bug",
    difficulty=2,
    minutes=10,
    objective="seeing what is equal in mathematics and not in a narrow type.",
    statement=r"""
`Q` and `K` are matrices in `float16`, which ends at 65504. For large entries this
function returns infinity, although the scaled score would fit. Mend it: every score
that fits shall come out right to one part in a hundred. You may return a wider type,
but `attnbook` shall not do the work.
""",
    stub='''
def half_scores(Q, K):
    """Return scaled scores of float16 queries and keys, finite where they fit."""
    return (Q @ K.T) / np.float16(np.sqrt(Q.shape[-1]))
''',
    answer="half_scores",
    solution=half_scores,
    explanation=r"""
Divided first, every partial sum of the product fits. Multiplying in `float32` is
right as well, and so is $d_k^{-1/4}$ on *each* side. All three are the same
mathematics. What differs is the largest number on the way.
""",
    wrong=(
        Wrong(as_given, "Where does the first infinity arise?", given=True),
        Wrong(
            cast_afterwards,
            "Infinity in a wider type is still infinity. Widen `Q` and `K` instead.",
        ),
        Wrong(
            clipped,
            "Every score that overflowed becomes the same number, whatever its true "
            "size. Keep the product from overflowing.",
        ),
        Wrong(divided_twice, "The factor is in twice. Its root belongs on each side."),
        Wrong(
            fourth_root_once,
            "The fourth root must be on *each* side: two of them make one root.",
        ),
        Wrong(
            maximum_subtracted,
            "Subtracting the maximum guards the exponential. Here the product is too "
            "large already, and scores are asked, not shifted ones.",
        ),
    ),
    probes=probes,
    tolerance=0.01,
)

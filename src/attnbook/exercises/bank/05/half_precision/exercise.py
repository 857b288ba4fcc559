"""Find the bug: a product that overflows before it is divided."""

import numpy as np

from attnbook.exercises.inputs import pattern
from attnbook.exercises.master import Exercise


def half_scores(Q, K):
    """Return scaled scores of float16 Q and K, finite where they fit."""
    product = Q.astype(np.float32) @ K.T.astype(np.float32)
    return (product / np.sqrt(Q.shape[-1])).astype(Q.dtype)


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


def clipped_at_the_end(Q, K):
    """Replace infinite scores by the largest number."""
    return np.nan_to_num((Q @ K.T) / np.float16(np.sqrt(Q.shape[-1])))


def divided_by_width(Q, K):
    """Forget the root; the whole factor on both sides does the same."""
    return (Q / np.float16(Q.shape[-1])) @ K.T


def fourth_root_once(Q, K):
    """Put the fourth root on one side only."""
    return (Q / np.float16(Q.shape[-1] ** 0.25)) @ K.T


def maximum_subtracted(Q, K):
    """Do what a safe softmax does."""
    product = Q @ K.T
    product = product - product.max(axis=-1, keepdims=True)
    return product / np.float16(np.sqrt(Q.shape[-1]))


def probes():
    """Small entries first, then entries whose product leaves float16.

    The terms of each score have one sign. Where they cancel, dividing first is not
    right to one part in a hundred, and it is accepted here.
    """
    half = np.float16
    large = np.array([[1], [-1], [0.5]], half) * np.full((3, 128), 24, half)
    return [
        (3 + pattern(1, 4, dtype=half), 3 + pattern(2, 4, step=3, dtype=half)),
        (np.full((1, 128), 24, half), large),
        (large, np.full((2, 128), 30, half)),
    ]


EXERCISE = Exercise(
    type="bug",
    difficulty=2,
    minutes=10,
    stub='''
def half_scores(Q, K):
    """Return scaled scores of float16 Q and K, finite where they fit."""
    return (Q @ K.T) / np.float16(np.sqrt(Q.shape[-1]))
''',
    answer="half_scores",
    solution=half_scores,
    given=as_given,
    wrong=(
        cast_afterwards,
        clipped,
        clipped_at_the_end,
        divided_by_width,
        fourth_root_once,
        maximum_subtracted,
    ),
    probes=probes,
    tolerance=0.01,
)

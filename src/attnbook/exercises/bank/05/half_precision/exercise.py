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


def whole_numbers(Q, K):
    """Compute with integers, which lose what is behind the point."""
    product = Q.astype(int) @ K.T.astype(int)
    return product / np.sqrt(Q.shape[-1])


def terms_in_half(Q, K):
    """Multiply in float16, and widen for the sum alone."""
    terms = Q[:, None] * K[None]
    return terms.sum(axis=-1, dtype=np.float32) / np.sqrt(Q.shape[-1])


def maximum_subtracted(Q, K):
    """Do what a safe softmax does."""
    product = Q @ K.T
    product = product - product.max(axis=-1, keepdims=True)
    return product / np.float16(np.sqrt(Q.shape[-1]))


def probes(rng):
    """Small entries first, then entries whose product leaves float16, then fractions.

    The terms of each score have one sign. Where they cancel, dividing first is not
    right to one part in a hundred, and it is accepted here.
    """
    half = np.float16
    large = np.array([[1], [-1], [0.5]], half) * np.full((3, 128), 24, half)
    signs = np.array([[1.0], [-1.0], [1.0]])
    Q, K = (np.exp(rng.uniform(-2, 3, (n, 3))) for n in (3, 4))
    wide = np.exp(rng.uniform(2.5, 3.5, (3, 100)))
    return [
        (np.array([[-300.5]], half), np.array([[200.25], [0.3]], half)),
        (3 + pattern(1, 4, dtype=half), 3 + pattern(2, 4, step=3, dtype=half)),
        (np.array([[300, 1, 1, 2]], half), np.array([[400, 1, 2, 1]], half)),
        (np.full((1, 128), 24, half), large),
        (large, np.full((2, 128), 30, half)),
        ((signs * Q).astype(half), K.astype(half)),
        ((signs * wide).astype(half), wide[:2].astype(half)),
    ]


_CANCEL = np.array([[2048, 2046]], np.float16), np.array([[1, -1]], np.float16)


def _divided_first(Q, K):
    return float(((Q / np.float16(np.sqrt(Q.shape[-1]))) @ K.T).item())


def _divisor(d_k):
    ones = np.ones((1, d_k), np.float32)
    return d_k / half_scores(ones, ones).item()


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
        whole_numbers,
        terms_in_half,
        maximum_subtracted,
    ),
    probes=probes,
    may_use=("scipy", "torch"),
    tolerance=0.01,
    numbers=lambda: {
        "ends at 65504": float(np.finfo(np.float16).max),
        "one part in a hundred": [100 * EXERCISE.tolerance, 100],
        "dividing first gives 1.0": _divided_first(*_CANCEL),
        "score is 1.414": np.subtract(*_CANCEL[0][0].astype(float)) / np.sqrt(2),
        "the factor in twice": np.log(4) / np.log(_divisor(4)),
        "$d_k^{1/4}$": (lambda d_k: np.sqrt(_divisor(d_k)), 1e-6, "single precision"),
    },
)

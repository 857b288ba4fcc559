"""Find the bug: a product that overflows before it is divided."""

import numpy as np

from attnbook.exercises.inputs import pattern
from attnbook.exercises.master import Exercise, Wrong


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
    name="05-half-precision",
    title="infinite, though it would fit",
    type="bug",
    difficulty=2,
    minutes=10,
    objective="seeing what is equal in mathematics and not in a narrow type.",
    statement=r"""
`Q` and `K` are matrices in `float16`, which ends at 65504. For large entries this
function returns infinity, although the scaled score would fit. Mend it: a score that
fits shall come out finite and right to one part in a hundred, if its terms all have
one sign and no entry is tiny. (Where terms cancel, digits may be lost.) You may
return a wider type, but `attnbook` shall not do the work.
""",
    stub='''
def half_scores(Q, K):
    """Return scaled scores of float16 Q and K, finite where they fit."""
    return (Q @ K.T) / np.float16(np.sqrt(Q.shape[-1]))
''',
    answer="half_scores",
    solution=half_scores,
    explanation=r"""
`float32` holds each product of two `float16` numbers exactly, and it reaches so far
that their sum does not overflow. Dividing `Q` first, or both sides by $d_k^{1/4}$, is
the same mathematics and passes as well, but it rounds in `float16` *before* the
product. Where terms cancel, this rounding is all that remains: for `Q = [[2048,
2046]]` and `K = [[1, -1]]` dividing first gives 1.0, and the score is 1.414.
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
        Wrong(
            clipped_at_the_end,
            "The largest number of the type now stands for every score that was lost. "
            "Mend the product, so that no score is lost.",
        ),
        Wrong(
            divided_by_width,
            "In all, you divided by the width itself, not by its root. Is the root "
            "missing, or is the factor in twice, on `Q` and on `K`?",
        ),
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

"""Find the bug: a row with no key that averages what it must not see."""

import numpy as np

from attnbook.exercises.inputs import pattern
from attnbook.exercises.master import Exercise, Wrong


def masked_softmax(scores, mask):
    """Return weights over the visible keys; zeros where there is none."""
    hidden = np.where(mask, scores, -np.inf)
    top = hidden.max(axis=-1, keepdims=True)
    e = np.exp(hidden - np.where(top == -np.inf, 0, top))
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


def as_given(scores, mask):
    """Use a large negative number."""
    hidden = np.where(mask, scores, -1e9)
    e = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def infinity_alone(scores, mask):
    """Replace the number, and forget the rule."""
    hidden = np.where(mask, scores, -np.inf)
    e = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def lowest_number(scores, mask):
    """Use the smallest number of the type."""
    hidden = np.where(mask, scores, np.finfo(float).min)
    e = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return np.where(mask.any(), e, 0) / e.sum(axis=-1, keepdims=True)


def score_of_zero(scores, mask):
    """Set hidden scores to 0."""
    e = np.exp(np.where(mask, scores, 0))
    return e / e.sum(axis=-1, keepdims=True) * mask.any(axis=-1, keepdims=True)


def weights_multiplied(scores, mask):
    """Hide after softmax."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) * mask


def no_maximum(scores, mask):
    """Leave the subtraction out."""
    e = np.exp(scores) * mask
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


def renormalised(scores, mask):
    """Hide after softmax, then divide again."""
    weights = weights_multiplied(scores, mask)
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)


def probes():
    """Try a row with one key and one with none first; then loud scores."""
    half = np.array([[True, False, True], [False, False, False]])
    loud = np.array([[0.0, 2000.0, 1.0], [1000.0, 999.0, 0.0]])
    return [
        (pattern(1, 2), np.array([[True, False]])),
        (pattern(1, 2), np.array([[False, False]])),
        (pattern(2, 3), half),
        (loud, np.array([[True, False, True], [True, True, False]])),
        (pattern(2, 2, 3), np.stack([half, ~half])),
    ]


EXERCISE = Exercise(
    name="08-empty-rows",
    title="an average of padding",
    type="bug",
    difficulty=3,
    minutes=15,
    objective="masking so that a hidden score has no influence, in any row.",
    statement=r"""
This softmax hides keys with −1e9. It is right for most rows. For a row whose mask is
`False` everywhere, it returns equal weights over keys that are all hidden. Mend it:
such a row gets zeros, no row gets NaN, and a hidden score has no influence, however
large it is. `scores` and `mask` have the shape `(..., n_q, n_k)`. Use NumPy alone.
""",
    stub='''
def masked_softmax(scores, mask):
    """Return weights over the visible keys; zeros where there is none."""
    hidden = np.where(mask, scores, -1e9)
    e = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
''',
    answer="masked_softmax",
    solution=masked_softmax,
    explanation=r"""
Two places need a rule. The maximum of an empty row is $-\infty$, and subtracting it
would give NaN: subtract 0 instead. Its sum is 0, and dividing by it would give NaN:
divide by 1 instead. What remains is a row of zeros. Multiplying the old result by
`mask.any(axis=-1, keepdims=True)` is right as well.
""",
    wrong=(
        Wrong(as_given, "What are the differences in a row of equal scores?", True),
        Wrong(
            infinity_alone,
            "Minus infinity minus itself is NaN. An empty row needs a rule of its own.",
        ),
        Wrong(
            lowest_number,
            "A finite number makes an empty row uniform, however low it is. Look at "
            "each row by itself.",
        ),
        Wrong(score_of_zero, "A score of 0 has a full share: $e^0 = 1$."),
        Wrong(
            weights_multiplied,
            "The rows no longer sum to 1: hidden scores are still in the denominator.",
        ),
        Wrong(
            no_maximum,
            "Large scores overflow now. Subtract the maximum of the *visible* ones.",
        ),
        Wrong(
            renormalised,
            "Right on paper. If a hidden score leads by hundreds, all visible weights "
            "round to 0 before you divide. Hide first.",
        ),
    ),
    probes=probes,
)

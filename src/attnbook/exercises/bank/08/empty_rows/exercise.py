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


def ruled(scores, mask):
    """Take softmax, and give zeros to rows that have no key."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) * mask.any(axis=-1, keepdims=True)


def score_of_zero(scores, mask):
    """Set hidden scores to 0."""
    return ruled(np.where(mask, scores, 0), mask)


def not_low_enough(scores, mask):
    """Hide with a number that real scores can reach."""
    return ruled(np.where(mask, scores, -1e4), mask)


def added(scores, mask):
    """Add the large number, so that the hidden score still counts."""
    return ruled(scores + np.where(mask, 0, -1e9), mask)


def other_way_round(scores, mask):
    """Take True for hidden."""
    return masked_softmax(scores, ~mask)


def all_rows_or_none(scores, mask):
    """Ask whether anything is visible in the whole array."""
    return as_given(scores, mask) * mask.any()


def maximum_of_zero(scores, mask):
    """Let the maximum be 0 where visible scores are all lower."""
    top = np.where(mask, scores, 0).max(axis=-1, keepdims=True)
    e = np.exp(np.where(mask, scores, -np.inf) - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


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
    """Try a row with one key and one with none first; then loud and low scores."""
    half = np.array([[True, False, True], [False, False, False]])
    loud = np.array([[0.0, 1e12, 1.0], [1000.0, 999.0, 0.0]])
    return [
        (pattern(1, 2), np.array([[True, False]])),
        (pattern(1, 2), np.array([[False, False]])),
        (pattern(2, 3), half),
        (loud, np.array([[True, False, True], [True, True, False]])),
        (np.array([[-2e5, 0.0, 1 - 2e5]]), np.array([[True, False, True]])),
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
            "An empty row is NaN now: minus infinity minus itself. NaN times 0 is NaN, "
            "too, so its rule must come earlier, or choose with `np.where`.",
        ),
        Wrong(
            not_low_enough,
            "Your number is not low enough: real scores can lie below it, and then "
            "hidden keys win. Minus infinity is below every score.",
        ),
        Wrong(
            added,
            "You *add* the large number, so a hidden score still counts. Put it in "
            "place of the score.",
        ),
        Wrong(other_way_round, "`True` means may attend here: yours is turned over."),
        Wrong(
            all_rows_or_none,
            "`mask.any()` asks about the whole array. Ask each row: `axis=-1, "
            "keepdims=True`.",
        ),
        Wrong(
            maximum_of_zero,
            "Where all visible scores lie far below 0, subtracting 0 lets them "
            "underflow. Subtract the largest *visible* score.",
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

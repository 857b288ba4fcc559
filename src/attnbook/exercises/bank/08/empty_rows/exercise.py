"""Find the bug: a row with no key that averages what it must not see."""

import numpy as np

from attnbook.exercises.inputs import pattern
from attnbook.exercises.master import Exercise


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


def rows_emptied(scores, mask):
    """Keep the number, and give zeros to rows that have no key."""
    return as_given(scores, mask) * mask.any(axis=-1, keepdims=True)


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


def probes(rng):
    """Try a row with one key and one with none first; then loud and low scores."""
    half = np.array([[True, False, True], [False, False, False]])
    loud = np.array([[0.0, 1e12, 1.0], [1000.0, 999.0, 0.0]])
    seen = rng.random((3, 3, 3)) < 0.5
    return [
        (pattern(1, 2), np.array([[True, False]])),
        (pattern(1, 2), np.array([[False, False]])),
        (pattern(2, 3), half),
        (loud, np.array([[True, False, True], [True, True, False]])),
        (np.array([[-2e5, 0.0, 1 - 2e5]]), np.array([[True, False, True]])),
        (pattern(2, 2, 3), np.stack([half, ~half])),
        (np.array([[-2e9, 5.0]]), np.array([[True, False]])),
        (np.array([[1e308, -1e308, 3.0]]), np.array([[True, True, True]])),
        (np.array([[-1e12], [2.5]]), np.array([[True], [False]])),
        (rng.normal(0, 40, (3, 3, 3)), seen),
    ]


EXERCISE = Exercise(
    type="bug",
    difficulty=3,
    minutes=15,
    stub='''
def masked_softmax(scores, mask):
    """Return weights over the visible keys; zeros where there is none."""
    hidden = np.where(mask, scores, -1e9)
    e = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
''',
    answer="masked_softmax",
    solution=masked_softmax,
    given=as_given,
    wrong=(
        infinity_alone,
        not_low_enough,
        rows_emptied,
        added,
        other_way_round,
        all_rows_or_none,
        maximum_of_zero,
        score_of_zero,
        weights_multiplied,
        no_maximum,
        renormalised,
    ),
    probes=probes,
    may_use=(),
)

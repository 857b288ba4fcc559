"""Find the bug: a row with no key that averages what it must not see."""

import numpy as np

from attnbook.claims import defined
from attnbook.exercises.inputs import pattern
from attnbook.exercises.master import Exercise


def masked_softmax(scores, mask, axis):
    """Return weights over the visible keys; zeros where there is none."""
    hidden = np.where(mask, scores, -np.inf)
    top = hidden.max(axis=axis, keepdims=True)
    e = np.exp(hidden - np.where(top == -np.inf, 0, top))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total == 0, 1, total)


def as_given(scores, mask, axis):
    """Use a large negative number."""
    hidden = np.where(mask, scores, -1e9)
    e = np.exp(hidden - hidden.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def infinity_alone(scores, mask, axis):
    """Replace the number, and forget the rule."""
    hidden = np.where(mask, scores, -np.inf)
    e = np.exp(hidden - hidden.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def last_axis(scores, mask, axis):
    """Ignore the axis."""
    return masked_softmax(scores, mask, -1)


def ruled(scores, mask, axis):
    """Take softmax, and give zeros to rows that have no key."""
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True) * mask.any(axis=axis, keepdims=True)


def score_of_zero(scores, mask, axis):
    """Set hidden scores to 0."""
    return ruled(np.where(mask, scores, 0), mask, axis)


def not_low_enough(scores, mask, axis):
    """Hide with a number that real scores can reach."""
    return ruled(np.where(mask, scores, -1e4), mask, axis)


def rows_emptied(scores, mask, axis):
    """Keep the number, and give zeros to rows that have no key."""
    return as_given(scores, mask, axis) * mask.any(axis=axis, keepdims=True)


def hidden_weights_removed(scores, mask, axis):
    """Keep the number that is not low enough, and multiply by the mask."""
    hidden = np.where(mask, scores, -1e9)
    e = np.exp(hidden - hidden.max(axis=axis, keepdims=True)) * mask
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)


def added(scores, mask, axis):
    """Add the large number, so that the hidden score still counts."""
    return ruled(scores + np.where(mask, 0, -1e9), mask, axis)


def other_way_round(scores, mask, axis):
    """Take True for hidden."""
    return masked_softmax(scores, ~mask, axis)


def all_rows_or_none(scores, mask, axis):
    """Ask whether anything is visible in the whole array."""
    return as_given(scores, mask, axis) * mask.any()


def maximum_of_zero(scores, mask, axis):
    """Let the maximum be 0 where visible scores are all lower."""
    top = np.where(mask, scores, 0).max(axis=axis, keepdims=True)
    e = np.exp(np.where(mask, scores, -np.inf) - top)
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total == 0, 1, total)


def weights_multiplied(scores, mask, axis):
    """Hide after softmax."""
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True) * mask


def no_maximum(scores, mask, axis):
    """Leave the subtraction out."""
    e = np.exp(scores) * mask
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total == 0, 1, total)


def renormalised(scores, mask, axis):
    """Hide after softmax, then divide again."""
    weights = weights_multiplied(scores, mask, axis)
    total = weights.sum(axis=axis, keepdims=True)
    return weights / np.where(total == 0, 1, total)


def probes(rng):
    """Try a row with one key and one with none first; then loud and low scores."""
    half = np.array([[True, False, True], [False, False, False]])
    loud = np.array([[0.0, 1e12, 1.0], [1000.0, 999.0, 0.0]])
    seen = rng.random((3, 3, 3)) < 0.5
    return [
        (pattern(1, 2), np.array([[True, False]]), -1),
        (pattern(1, 2), np.array([[False, False]]), -1),
        (pattern(2, 3), half, -1),
        (loud, np.array([[True, False, True], [True, True, False]]), 1),
        (np.array([[-2e5, 0.0, 1 - 2e5]]), np.array([[True, False, True]]), -1),
        (pattern(2, 2, 3), np.stack([half, ~half]), -1),
        (np.array([[-2e30, 5.0]]), np.array([[True, False]]), -1),
        (np.array([[1e308, -1e308, 3.0]]), np.array([[True, True, True]]), -1),
        (np.array([[-1e30], [2.5]]), np.array([[True], [False]]), -1),
        (loud.T, half.T, 0),
        (rng.normal(0, 40, (3, 3, 3)), seen, int(rng.integers(-3, 2))),
    ]


_ROW = np.array([3.0, 1.0, 0.5])


EXERCISE = Exercise(
    type="bug",
    difficulty=3,
    minutes=15,
    stub='''
def masked_softmax(scores, mask, axis):
    """Return weights over the visible keys; zeros where there is none."""
    hidden = np.where(mask, scores, -1e9)
    e = np.exp(hidden - hidden.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
''',
    answer="masked_softmax",
    solution=masked_softmax,
    given=as_given,
    wrong=(
        infinity_alone,
        last_axis,
        not_low_enough,
        rows_emptied,
        hidden_weights_removed,
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
    numbers=lambda: {
        "−1e9": defined(-1e9),
        "zeros where there is none": masked_softmax(_ROW, np.zeros(3, bool), -1).sum(),
        "sum is 0": np.exp(np.full(3, -np.inf)).sum(),
        "no longer sum to 1": as_given(_ROW, np.ones(3, bool), -1).sum(),
        "leads by hundreds": -np.log(np.nextafter(0.0, 1.0)),
    },
)

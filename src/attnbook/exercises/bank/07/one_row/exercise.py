"""Predict one row of the output with a pencil, then run it."""

import numpy as np

from attnbook.claims import defined
from attnbook.exercises.inputs import point
from attnbook.exercises.master import Exercise


def output(q, K, V):
    """Return the two entries of the output."""
    scores = np.array(K) @ np.array(q) / np.sqrt(len(q))
    grown = np.exp(scores - scores.max())
    weights = grown / grown.sum()
    return tuple(weights @ np.array(V))


def _mixed(weights, V):
    return tuple(np.array(weights) @ np.array(V))


def _shares(scores):
    grown = np.exp(scores - np.max(scores))
    return grown / grown.sum()


def no_scale(q, K, V):
    """Leave the scale out."""
    return _mixed(_shares(np.array(K) @ np.array(q)), V)


def divided_by_width(q, K, V):
    """Forget the root."""
    return _mixed(_shares(np.array(K) @ np.array(q) / len(q)), V)


def shares_of_scores(q, K, V):
    """Forget the powers."""
    scores = np.array(K) @ np.array(q)
    return _mixed(scores / scores.sum(), V)


def winner_alone(q, K, V):
    """Return the value of the key with the largest score."""
    return tuple(np.array(V)[np.argmax(np.array(K) @ np.array(q))])


def plain_mean(V):
    """Forget the weights."""
    return tuple(np.mean(V, axis=0))


def powers_alone(q, K, V):
    """Mix with powers that do not sum to 1."""
    scores = np.array(K) @ np.array(q) / np.sqrt(len(q))
    return _mixed(np.exp(scores - scores.max()), V)


def rounded(q, K, V):
    """Round the weights to one digit."""
    scores = np.array(K) @ np.array(q) / np.sqrt(len(q))
    return _mixed(_shares(scores).round(1), V)


def exchanged(q, K, V):
    """Exchange the two entries."""
    return output(q, K, V)[::-1]


MISTAKES = (
    no_scale,
    divided_by_width,
    shares_of_scores,
    winner_alone,
    powers_alone,
    rounded,
    exchanged,
)


def variant(rng):
    """Draw small whole numbers on which no two answers are alike."""
    while True:
        q, K = rng.integers(0, 3, 4), rng.integers(-1, 3, (3, 4))
        V = rng.integers(0, 6, (3, 2))
        scores = K @ q
        if len(set(scores.tolist())) < 3 or np.ptp(scores) > 7 or scores.sum() <= 0:
            continue
        given = (q, K, V)
        made = [output(*given), plain_mean(V), *(wrong(*given) for wrong in MISTAKES)]
        table = np.array(made)
        gaps = np.abs(table[:, None] - table).max(axis=-1)[
            np.triu_indices(len(made), 1)
        ]
        if gaps.min() > 0.05 and np.abs(table).min() > 0.1:
            rows = tuple(tuple(row) for row in K.tolist())
            values = tuple(tuple(row) for row in V.tolist())
            return {"q": tuple(q.tolist()), "K": rows, "V": values}


def said(q, K, V):
    """Print what is given, the scores and the weights."""
    scores = np.array(K) @ np.array(q) / np.sqrt(len(q))
    return {
        "query": point(q),
        "keys": ", ".join(point(row) for row in K),
        "values": ", ".join(point(row) for row in V),
        "scaled": ", ".join(f"{score:g}".replace("-", "−") for score in scores),
        "weights": ", ".join(f"{weight:.3f}" for weight in _shares(scores)),
        "first": f"{output(q, K, V)[0]:.3f}",
        "second": f"{output(q, K, V)[1]:.3f}",
    }


EXERCISE = Exercise(
    type="predict",
    difficulty=1,
    minutes=12,
    stub="""
first, second = ..., ...  # the two entries of the output
""",
    answer="(first, second)",
    solution=output,
    wrong=(*MISTAKES, plain_mean),
    standard={
        "q": (2, 0, 1, 1),
        "K": ((1, 1, 0, 0), (0, 2, -1, 1), (2, 0, 1, 1)),
        "V": ((4, 0), (0, 4), (1, 2)),
    },
    variant=variant,
    said=said,
    tolerance=0.003,
    numbers=lambda: {
        "Three digits": defined(3),
        "sum to 1": _shares(np.array([1.0, 0, 3])).sum(),
    },
)

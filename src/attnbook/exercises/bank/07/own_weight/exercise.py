"""Derive the weight of a token on itself, where each key is its own query."""

import numpy as np

from attnbook.claims import over
from attnbook.exercises.master import Exercise
from attnbook.kernel import attention_weights


def own_weight(n):
    """Return the weight of a token on itself, with Q = K = np.eye(n)."""
    return 1 / (1 + (n - 1) * np.exp(-1 / np.sqrt(n)))


def no_scale(n):
    """Leave the scale out."""
    return 1 / (1 + (n - 1) * np.exp(-1))


def divided_by_width(n):
    """Forget the root."""
    return 1 / (1 + (n - 1) * np.exp(-1 / n))


def itself_twice(n):
    """Count the token among its rivals."""
    return 1 / (1 + n * np.exp(-1 / np.sqrt(n)))


def one_rival(n):
    """Forget that there are several rivals."""
    return 1 / (1 + np.exp(-1 / np.sqrt(n)))


def rivals_score_nothing(n):
    """Take a score of 0 for no weight."""
    return 1.0 + 0 * n


def uniform(n):
    """Give all tokens the same."""
    return 1 / n


def of_a_rival(n):
    """Return the weight of another token."""
    return (1 - own_weight(n)) / (n - 1)


def power_alone(n):
    """Forget the sum."""
    return np.exp(1 / np.sqrt(n))


def probes(rng):
    """Try two tokens first, then more, up to many."""
    return [(2,), (3,), (4,), (16,), (1000,), (10**6,), (int(rng.integers(5, 90)),)]


def _weights(n):
    return attention_weights(np.eye(n), np.eye(n))[0]


EXERCISE = Exercise(
    type="derive",
    difficulty=2,
    minutes=10,
    stub='''
def own_weight(n):
    """Return the weight of a token on itself, with Q = K = np.eye(n)."""
    return ...
''',
    answer="own_weight",
    solution=own_weight,
    wrong=(
        no_scale,
        divided_by_width,
        itself_twice,
        one_rival,
        rivals_score_nothing,
        uniform,
        of_a_rival,
        power_alone,
    ),
    probes=probes,
    may_use=(),
    numbers=lambda: {
        "score of 1 ": np.eye(3)[0] @ np.eye(3)[0],
        "score of 0,": np.eye(3)[0] @ np.eye(3)[1],
        "0 is a score": np.eye(3)[0] @ np.eye(3)[1],
        "other $n - 1$ have": lambda n: _weights(n)[1:].size,
        r"weight is $1/(1 + (n - 1)\,e^{-1/\sqrt n})$": lambda n: _weights(n)[0],
        "0.67 at two": _weights(2)[0],
        "at 100 only 0.011": [len(_weights(100)), _weights(100)[0]],
        "0.01 of an even": uniform(100),
        r"Take $\sqrt n$": over(lambda n: 1 / np.log(np.divide(*_weights(n)[:2]))),
        "there are $n - 1$": lambda n: _weights(n)[1:].size,
    },
)

"""Find the bug: shares of scores, without the exponential."""

import numpy as np

from attnbook.exercises.inputs import pattern
from attnbook.exercises.master import Exercise


def look_up(query, K, V, temperature):
    """Return a mean of the values, better matches counting more."""
    powers = np.exp(K @ query / temperature)
    return powers / powers.sum() @ V


def _shared(amounts, V):
    """Mix the values by shares of these amounts."""
    with np.errstate(all="ignore"):
        return amounts / amounts.sum() @ V


def as_given(query, K, V, temperature):
    """Share the scores themselves."""
    return _shared(K @ query / temperature, V)


def sizes(query, K, V, temperature):
    """Drop the signs."""
    return _shared(np.abs(K @ query / temperature), V)


def cut_off(query, K, V, temperature):
    """Set what is negative to 0."""
    return _shared(np.maximum(K @ query / temperature, 0), V)


def lifted(query, K, V, temperature):
    """Lift all scores until none is negative."""
    scores = K @ query / temperature
    return _shared(scores - scores.min(), V)


def divided_late(query, K, V, temperature):
    """Divide after the exponential, where the sum takes it back."""
    return _shared(np.exp(K @ query) / temperature, V)


def multiplied(query, K, V, temperature):
    """Multiply by the temperature."""
    return _shared(np.exp(K @ query * temperature), V)


def rooted_too(query, K, V, temperature):
    """Divide by the root of the width as well."""
    return _shared(np.exp(K @ query / temperature / np.sqrt(K.shape[1])), V)


def best_alone(query, K, V, temperature):
    """Return the value of the best match."""
    return V[(K @ query).argmax()]


def probes(rng):
    """Two keys first, then signs of all kinds, hot and cold."""
    two = np.array([[1.0, 0.0], [0.0, 1.0]])
    mixed = np.array([[1.0, 1.0], [-2.0, 0.5], [0.5, -1.0]])
    made = [
        (np.array([1.0, 2.0]), two, np.array([[1.0], [4.0]]), 2.0),
        (np.array([2.0, 1.0]), mixed, pattern(3, 2), 0.5),
    ]
    fixed = np.random.default_rng(11)
    for source in (fixed, rng):
        for n_k, d_k, temperature in ((3, 2, 3.0), (5, 4, 0.7), (4, 3, 1.5)):
            query, K = source.normal(size=d_k), source.normal(size=(n_k, d_k))
            made.append((query, K, source.normal(size=(n_k, 2)), temperature))
    return made


EXERCISE = Exercise(
    type="bug",
    difficulty=2,
    minutes=10,
    stub='''
def look_up(query, K, V, temperature):
    """Return a mean of the values, better matches counting more."""
    scores = K @ query
    shares = scores / temperature
    shares = shares / shares.sum()
    return shares @ V
''',
    answer="look_up",
    solution=look_up,
    given=as_given,
    wrong=(
        sizes,
        cut_off,
        lifted,
        divided_late,
        multiplied,
        rooted_too,
        best_alone,
    ),
    probes=probes,
    may_use=(),
)

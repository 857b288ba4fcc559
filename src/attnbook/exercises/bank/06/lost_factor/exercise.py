"""Find the bug: a learned factor that changes nothing."""

import numpy as np

from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise


def _unit(x, axis=-1):
    """Divide by the length along an axis."""
    return x / np.linalg.norm(x, axis=axis, keepdims=True)


def qk_norm(Q, K, g):
    """Return g times the cosine of each query with each key."""
    lengths_q = np.linalg.norm(Q, axis=-1, keepdims=True)
    lengths_k = np.linalg.norm(K, axis=-1, keepdims=True)
    return g * (Q / lengths_q) @ (K / lengths_k).T


def as_given(Q, K, g):
    """Multiply before the length is taken out."""
    return _unit(g * Q) @ _unit(K).T


def on_both(Q, K, g):
    """Multiply queries and keys."""
    return (g * _unit(Q)) @ (g * _unit(K)).T


def queries_alone(Q, K, g):
    """Take the length out of the queries only."""
    return g * _unit(Q) @ K.T


def keys_alone(Q, K, g):
    """Take the length out of the keys only."""
    return g * Q @ _unit(K).T


def lengths_of_columns(Q, K, g):
    """Normalise each dimension over the tokens."""
    return g * _unit(Q, 0) @ _unit(K, 0).T


def root_as_well(Q, K, g):
    """Divide by the root of the width too."""
    return g * _unit(Q) @ _unit(K).T / np.sqrt(Q.shape[1])


def one_length_for_all(Q, K, g):
    """Divide all queries by the length of all their entries, and keys too."""
    return g * (Q / np.linalg.norm(Q)) @ (K / np.linalg.norm(K)).T


def divided(Q, K, g):
    """Divide by the factor, as by a temperature."""
    return _unit(Q) @ _unit(K).T / g


def probes(rng):
    """One query and two keys first, then more; the factor is never 1."""
    shapes = [(1, 2, 2, 3.0), (2, 3, 4, 0.5), (3, 5, 3, 10.0)]
    whole = [
        (pattern(m, d) + 0.5, pattern(n, d, step=3) + 0.5, g) for m, n, d, g in shapes
    ]
    return [*whole, (drawn(rng, 3, 4), drawn(rng, 4, 4), 7.0)]


EXERCISE = Exercise(
    type="bug",
    difficulty=1,
    minutes=8,
    stub='''
def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)

def qk_norm(Q, K, g):
    """Return the scores of QK-norm, with the learned factor g."""
    return unit(g * Q) @ unit(K).T
''',
    answer="qk_norm",
    solution=qk_norm,
    given=as_given,
    wrong=(
        on_both,
        queries_alone,
        keys_alone,
        lengths_of_columns,
        root_as_well,
        one_length_for_all,
        divided,
    ),
    probes=probes,
)

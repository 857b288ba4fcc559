"""Implement queries that make every token look at the one before it."""

import numpy as np

from attnbook.claims import defined
from attnbook.exercises.master import Exercise
from attnbook.kernel import attention_weights
from attnbook.scores import ScaledDot

_ENOUGH = 0.99


def look_back(K):
    """Return queries that look at the key before their own."""
    before = np.maximum(np.arange(len(K)) - 1, 0)
    return 100 * np.sqrt(len(K)) * K[before]


def own_key(K):
    """Look at oneself."""
    return 100 * np.sqrt(len(K)) * K


def next_key(K):
    """Look at the one after."""
    after = np.minimum(np.arange(len(K)) + 1, len(K) - 1)
    return 100 * np.sqrt(len(K)) * K[after]


def round_the_corner(K):
    """Let the first token look at the last."""
    return 100 * np.sqrt(len(K)) * np.roll(K, 1, axis=0)


def too_quiet(K):
    """Take the keys as they are."""
    return K[np.maximum(np.arange(len(K)) - 1, 0)]


def turned_away(K):
    """Point away from the wanted key."""
    return -look_back(K)


def entries_rolled(K):
    """Move entries, not rows."""
    return 100 * np.sqrt(len(K)) * np.roll(K, 1, axis=1)


def complaint(K, value):
    """Say which query misses its key, and by how much."""
    if value.shape != K.shape:
        return f"the queries have shape {value.shape}, expected {K.shape}"
    if not np.isfinite(value).all():
        return "the queries hold infinity or NaN"
    weights = attention_weights(value, K)
    for i, row in enumerate(weights):
        wanted = max(i - 1, 0)
        if not row[wanted] >= _ENOUGH:
            return f"query {i} gives key {wanted} a weight of {row[wanted]:.3g}"
    return None


def probes(rng):
    """Return two keys, three of them turned, then more in any direction."""
    turned = [np.linalg.qr(rng.normal(size=(n, n)))[0] for n in (4, 9, 30)]
    slanted = np.array([[0.6, 0.8, 0], [-0.8, 0.6, 0], [0, 0, -1]])
    return [(K,) for K in (np.eye(2), slanted, *turned)]


EXERCISE = Exercise(
    type="implement",
    difficulty=2,
    minutes=12,
    stub='''
def look_back(K):
    """Return queries that look at the key before their own."""
    return ...
''',
    answer="look_back",
    solution=look_back,
    wrong=(
        own_key,
        next_key,
        round_the_corner,
        too_quiet,
        turned_away,
        entries_rolled,
    ),
    probes=probes,
    complaint=complaint,
    numbers=lambda: {
        "0.99 of its weight": defined(_ENOUGH),
        "length 1": np.linalg.norm(np.eye(2)[0]),
        r"divided by $\sqrt{d_k}$": lambda d_k: (
            d_k / ScaledDot().score(np.ones((1, d_k)), np.ones((1, d_k))).item()
        ),
    },
)

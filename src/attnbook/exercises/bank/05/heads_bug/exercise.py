"""Find the bug: the width of the model where heads split it."""

import numpy as np

from attnbook.claims import definition, over
from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax


def head_weights(X, W_Q, W_K, n_heads):
    """Return the weights of every head, shape (n_heads, n, n)."""
    n, d_model = X.shape
    Q = (X @ W_Q).reshape(n, n_heads, -1).swapaxes(0, 1)
    K = (X @ W_K).reshape(n, n_heads, -1).swapaxes(0, 1)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_model // n_heads)
    return softmax(scores)


def _raw(X, W_Q, W_K, n_heads):
    Q, K = ((X @ W).reshape(len(X), n_heads, -1).swapaxes(0, 1) for W in (W_Q, W_K))
    return Q @ K.swapaxes(-1, -2)


def as_given(X, W_Q, W_K, n_heads):
    """Divide by the root of the model's width."""
    return softmax(_raw(X, W_Q, W_K, n_heads) / np.sqrt(X.shape[1]))


def without_factor(X, W_Q, W_K, n_heads):
    """Take the wrong factor out and put none in."""
    return softmax(_raw(X, W_Q, W_K, n_heads))


def root_forgotten(X, W_Q, W_K, n_heads):
    """Divide by the width of a head."""
    return softmax(_raw(X, W_Q, W_K, n_heads) / (X.shape[1] // n_heads))


def root_of_heads(X, W_Q, W_K, n_heads):
    """Divide by the root of the number of heads."""
    return softmax(_raw(X, W_Q, W_K, n_heads) / np.sqrt(n_heads))


def heads_outside_the_root(X, W_Q, W_K, n_heads):
    """Take the root of the model's width and divide that by the number of heads."""
    root = np.sqrt(X.shape[1]) / n_heads
    return softmax(_raw(X, W_Q, W_K, n_heads) / root)


def after_softmax(X, W_Q, W_K, n_heads):
    """Move the factor behind the softmax."""
    weights = softmax(_raw(X, W_Q, W_K, n_heads))
    return weights / np.sqrt(X.shape[1] // n_heads)


def over_queries(X, W_Q, W_K, n_heads):
    """Mend the factor and break the axis."""
    scores = _raw(X, W_Q, W_K, n_heads) / np.sqrt(X.shape[1] // n_heads)
    return softmax(scores, axis=-2)


def probes(rng):
    """Two tokens first, then more tokens, wider models, more heads, small entries."""
    shapes = [(2, 2, 2), (2, 4, 2), (3, 4, 1), (3, 8, 2), (4, 12, 3)]
    whole = [
        (pattern(n, d), pattern(d, d, step=3), pattern(d, d, step=4), heads)
        for n, d, heads in shapes
    ]
    shapes = [(2, 4, 2), (3, 9, 3), (5, 6, 6), (1, 4, 2)]
    fresh = [
        (0.5 * drawn(rng, n, d), *(0.5 * drawn(rng, 2, d, d)), heads)
        for n, d, heads in shapes
    ]
    return whole + fresh


_INPUT = pattern(2, 4), pattern(4, 4), pattern(4, 4), 2


EXERCISE = Exercise(
    type="bug",
    difficulty=2,
    minutes=10,
    stub='''
from attnbook.kernel import softmax

def head_weights(X, W_Q, W_K, n_heads):
    """Return the weights of every head, shape (n_heads, n, n)."""
    n, d_model = X.shape
    Q = (X @ W_Q).reshape(n, n_heads, -1).swapaxes(0, 1)
    K = (X @ W_K).reshape(n, n_heads, -1).swapaxes(0, 1)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_model)
    return softmax(scores)
''',
    answer="head_weights",
    solution=head_weights,
    given=as_given,
    wrong=(
        without_factor,
        root_forgotten,
        root_of_heads,
        heads_outside_the_root,
        after_softmax,
        over_queries,
    ),
    probes=probes,
    numbers=lambda: {
        "rows sum to 1. Yet": as_given(*_INPUT).sum(axis=-1).mean(),
        "no longer sum to 1": head_weights(*_INPUT).sum(axis=-1).mean(),
        r"over $d_{\text{model}}/n_{\text{heads}}$": over(
            lambda d_model, n_heads: np.ones(d_model).reshape(n_heads, -1).shape[1],
            d_model=[8, 16, 24],
            n_heads=[1, 2, 4],
        ),
        r"by $\sqrt{d_{\text{model}}}$": definition,
    },
)

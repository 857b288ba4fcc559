"""Implement cross-attention from the tokens on."""

import numpy as np

from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise
from attnbook.kernel import attention, softmax


def cross_attention(X, Y, W_Q, W_K, W_V):
    """Return the outputs of the tokens X, which ask the tokens Y."""
    return attention(X @ W_Q, Y @ W_K, Y @ W_V)


def the_other_way(X, Y, W_Q, W_K, W_V):
    """Let Y ask X."""
    return attention(Y @ W_Q, X @ W_K, X @ W_V)


def among_themselves(X, Y, W_Q, W_K, W_V):
    """Let X ask X."""
    return attention(X @ W_Q, X @ W_K, X @ W_V)


def asked_among_themselves(X, Y, W_Q, W_K, W_V):
    """Let Y ask Y."""
    return attention(Y @ W_Q, Y @ W_K, Y @ W_V)


def values_of_those_who_ask(X, Y, W_Q, W_K, W_V):
    """Average what X has to hand over."""
    return attention(X @ W_Q, Y @ W_K, X @ W_V)


def matrices_swapped(X, Y, W_Q, W_K, W_V):
    """Ask with the matrix of the keys."""
    return attention(X @ W_K, Y @ W_Q, Y @ W_V)


def keys_averaged(X, Y, W_Q, W_K, W_V):
    """Average keys."""
    return attention(X @ W_Q, Y @ W_K, Y @ W_K)


def inputs_averaged(X, Y, W_Q, W_K, W_V):
    """Average the tokens as they came in."""
    return attention(X @ W_Q, Y @ W_K, Y)


def not_divided(X, Y, W_Q, W_K, W_V):
    """Leave the scores as they are."""
    return attention(X @ W_Q, Y @ W_K, Y @ W_V, scale=1.0)


def width_of_the_model(X, Y, W_Q, W_K, W_V):
    """Divide by the root of the model's width."""
    return attention(X @ W_Q, Y @ W_K, Y @ W_V, scale=1 / np.sqrt(X.shape[-1]))


def shared_among_queries(X, Y, W_Q, W_K, W_V):
    """Share out each key among the queries."""
    scores = X @ W_Q @ (Y @ W_K).T / np.sqrt(W_K.shape[-1])
    return softmax(scores, axis=0) @ (Y @ W_V)


def weights_alone(X, Y, W_Q, W_K, W_V):
    """Stop at the weights."""
    return softmax(X @ W_Q @ (Y @ W_K).T / np.sqrt(W_K.shape[-1]))


def probes(rng):
    """Return two tokens asking two, then other numbers, one that asks, widths."""
    shapes = [(2, 2, 2, 3, 1), (4, 2, 3, 2, 3), (1, 5, 4, 3, 2), (3, 3, 5, 4, 3)]
    made = []
    for n_q, n_k, d_model, d_k, d_v in [*shapes, (5, 4, 6, 3, 4)]:
        fixed = len(made) < 3
        make = pattern if fixed else lambda *shape, **_: drawn(rng, *shape)
        matrices = (
            0.5 * make(d_model, d, step=step)
            for d, step in ((d_k, 3), (d_k, 4), (d_v, 6))
        )
        made.append((make(n_q, d_model), make(n_k, d_model, step=9), *matrices))
    return made


EXERCISE = Exercise(
    type="implement",
    difficulty=2,
    minutes=12,
    stub='''
from attnbook import attention

def cross_attention(X, Y, W_Q, W_K, W_V):
    """Return the outputs of the tokens X, which ask the tokens Y."""
    return ...
''',
    answer="cross_attention",
    solution=cross_attention,
    wrong=(
        the_other_way,
        among_themselves,
        asked_among_themselves,
        values_of_those_who_ask,
        matrices_swapped,
        keys_averaged,
        inputs_averaged,
        not_divided,
        width_of_the_model,
        shared_among_queries,
        weights_alone,
    ),
    probes=probes,
)

"""Find the bug: the state that asks has seen the answer already."""

import numpy as np

from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax


def blends(S, H):
    """Return, for each word, the blend that goes into its state."""
    weights = softmax(S[:-1] @ H.T)
    return weights @ H


def as_given(S, H):
    """Ask with the state that is yet to be made."""
    return softmax(S[1:] @ H.T) @ H


def all_states(S, H):
    """Let each state ask, the last one too."""
    return softmax(S @ H.T) @ H


def start_alone(S, H):
    """Ask with the first state for all words, one blend once and for all."""
    return softmax(np.repeat(S[:1], len(S) - 1, axis=0) @ H.T) @ H


def last_alone(S, H):
    """Ask with the last state but one for all words."""
    return softmax(np.repeat(S[-2:-1], len(S) - 1, axis=0) @ H.T) @ H


def over_words(S, H):
    """Mend the state and share out among the words."""
    return softmax(S[:-1] @ H.T, axis=0) @ H


def scores_for_weights(S, H):
    """Mend the state and leave out the softmax."""
    return S[:-1] @ H.T @ H


def own_states_blended(S, H):
    """Blend the decoder's states instead of the encoder's."""
    return softmax(S[:-1] @ S[:-1].T) @ S[:-1]


def divided(S, H):
    """Mend the state and divide by the root of the width."""
    return softmax(S[:-1] @ H.T / np.sqrt(H.shape[1])) @ H


def probes(rng):
    """One word first, then more, shorter and longer texts."""
    shapes = [(2, 2, 1), (3, 3, 2), (4, 2, 3), (5, 6, 4)]
    whole = [(pattern(m, d), pattern(n, d, step=3) + 0.5) for m, n, d in shapes]
    fresh = [(drawn(rng, 4, 3), drawn(rng, 5, 3)), (drawn(rng, 6, 4), drawn(rng, 2, 4))]
    return [*whole, *fresh]


EXERCISE = Exercise(
    type="bug",
    difficulty=2,
    minutes=10,
    stub='''
from attnbook.kernel import softmax

def blends(S, H):
    """Return, for each word, the blend that goes into its state."""
    weights = softmax(S[1:] @ H.T)
    return weights @ H
''',
    answer="blends",
    solution=blends,
    given=as_given,
    wrong=(
        all_states,
        start_alone,
        last_alone,
        over_words,
        scores_for_weights,
        own_states_blended,
        divided,
    ),
    probes=probes,
)

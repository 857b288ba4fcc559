"""Predict: what a memory of two tokens gives back to one of them."""

import numpy as np

from attnbook.exercises.inputs import point
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax


def comes_back(second, v1, v2):
    """Return the memory's answer to the first key, which is (1, 0)."""
    K, V = np.array([[1, 0], second]), np.array([v1, v2])
    C = K.T @ V
    return tuple(K[0] @ C)


def own_value(v1):
    """Think that a key gets its own value."""
    return v1


def both_added(v1, v2):
    """Take the plain sum of the values."""
    return tuple(np.add(v1, v2))


def softened(second, v1, v2):
    """Put softmax between the scores and the values."""
    return tuple(softmax([1.0, second[0]]) @ np.array([v1, v2]))


def shared_out(second, v1, v2):
    """Divide by the sum of the scores."""
    return tuple(np.add(v1, np.multiply(second[0], v2)) / (1 + second[0]))


def asked_the_other(second, v1, v2):
    """Ask with the second key."""
    return tuple(np.multiply(second[0], v1) + np.array(v2))


def wrong_entry(second, v1, v2):
    """Take the second entry of the second key for the product."""
    return tuple(np.add(v1, np.multiply(second[1], v2)))


def key_and_value_exchanged(second, v1, v2):
    """Multiply the memory from its other side."""
    K, V = np.array([[1, 0], second]), np.array([v1, v2])
    return tuple((K.T @ V) @ K[0])


def variant(rng):
    """Draw a second key of length 1, and two values of whole numbers."""
    legs = [(0.6, 0.8), (0.8, 0.6), (-0.6, 0.8), (-0.8, 0.6)]
    second = legs[rng.integers(len(legs))]
    small, large = rng.choice([1, 2, 3, 4], 2, replace=False), rng.choice([1, 2, 3], 2)
    signs = rng.choice([-1, 1], 4)
    v1 = tuple(int(x) for x in small * signs[:2])
    v2 = tuple(int(x) for x in 5 * large * signs[2:])
    return {"second": second, "v1": v1, "v2": v2}


def said(second, v1, v2):
    """Print the vectors, the product of the keys, and the answer."""
    answer = comes_back(second, v1, v2)
    names = {"key": second, "one": v1, "two": v2, "answer": answer}
    return {name: point(v) for name, v in names.items()} | {"score": f"{second[0]:g}"}


EXERCISE = Exercise(
    type="predict",
    difficulty=1,
    minutes=6,
    stub="""
first = ...  # first entry of what comes back
second = ...  # second entry
""",
    answer="(first, second)",
    solution=comes_back,
    wrong=(
        own_value,
        both_added,
        softened,
        shared_out,
        asked_the_other,
        wrong_entry,
        key_and_value_exchanged,
    ),
    standard={"second": (0.6, 0.8), "v1": (2, 1), "v2": (-5, 10)},
    variant=variant,
    said=said,
    numbers=lambda: {"itself with 1": np.dot([1, 0], [1, 0])},
)

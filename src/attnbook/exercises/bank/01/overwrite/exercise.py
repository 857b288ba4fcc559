"""Implement: write into a memory so that a key gets exactly its value."""

import numpy as np

from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise


def overwrite(C, k, v):
    """Return a memory that gives v to k, and the old answers across k."""
    return C + np.outer(k, v - k @ C) / (k @ k)


def added(C, k, v):
    """Add key times value, as the chapter does."""
    return C + np.outer(k, v)


def added_to_scale(C, k, v):
    """Add, with the length of the key taken out."""
    return C + np.outer(k, v) / (k @ k)


def length_left_in(C, k, v):
    """Correct by what is missing, and forget the length of the key."""
    return C + np.outer(k, v - k @ C)


def length_once(C, k, v):
    """Divide by the length, not by its square."""
    return C + np.outer(k, v - k @ C) / np.linalg.norm(k)


def all_forgotten(C, k, v):
    """Throw the old memory away."""
    return 0 * C + np.outer(k, v) / (k @ k)


def old_answer_left(C, k, v):
    """Erase along the key and write nothing."""
    return C - np.outer(k, k @ C) / (k @ k)


def erased_by_the_other_side(C, k, v):
    """Take the difference the wrong way round."""
    return C + np.outer(k, k @ C - v) / (k @ k)


def best_of_all(C, k, v):
    """Give v to k, but spread the change over all rows alike."""
    return C + (v - k @ C) / k.sum()


def probes(rng):
    """Return an empty memory first, then full ones, short and long keys."""
    half = np.array([0.5, 0.0, -0.5])
    return [
        (np.zeros((2, 2)), np.array([2.0, 0.0]), np.array([1.0, 3.0])),
        (pattern(2, 2) + 0.5, np.array([1.0, 0.0]), np.array([1.0, 3.0])),
        (pattern(2, 3) + 0.5, np.array([2.0, 1.0]), np.array([1.0, 0.0, -1.0])),
        (pattern(3, 2, step=3), half, np.array([4.0, -1.0])),
        (pattern(4, 4), 1e-6 * (pattern(4, step=3) + 0.5), pattern(4) + 1.0),
        (drawn(rng, 3, 5), drawn(rng, 3) + 5.0, drawn(rng, 5)),
        (drawn(rng, 6, 1), drawn(rng, 6) - 5.0, drawn(rng, 1)),
    ]


_KEY = np.array([3.0, 4.0])


EXERCISE = Exercise(
    type="implement",
    difficulty=2,
    minutes=15,
    stub='''
def overwrite(C, k, v):
    """Return a memory that gives v to k, and the old answers across k."""
    return ...
''',
    answer="overwrite",
    solution=overwrite,
    wrong=(
        added,
        added_to_scale,
        length_left_in,
        length_once,
        all_forgotten,
        old_answer_left,
        erased_by_the_other_side,
        best_of_all,
    ),
    probes=probes,
    numbers=lambda: {
        "length comes in twice": np.log(_KEY @ _KEY) / np.log(np.linalg.norm(_KEY)),
    },
)

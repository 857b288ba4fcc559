"""Derive what a change of all values does to the outputs."""

import numpy as np

from attnbook.claims import definition, proved
from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise
from attnbook.kernel import attention_weights


def new_outputs(O, M, b):  # noqa: E741
    """Return the outputs after every value v has become v @ M + b."""
    return O @ M + b


def vector_forgotten(O, M, b):  # noqa: E741
    """Leave the vector out."""
    return O @ M


def vector_first(O, M, b):  # noqa: E741
    """Add the vector before the matrix."""
    return O @ M + b @ M


def matrix_forgotten(O, M, b):  # noqa: E741
    """Leave the matrix out."""
    return O + b


def nothing_changes(O, M, b):  # noqa: E741
    """Think that the weights are all that counts."""
    return 1 * O


def vector_for_each_output(O, M, b):  # noqa: E741
    """Add the vector as often as there are outputs."""
    return O @ M + len(O) * b


def vector_shared_out(O, M, b):  # noqa: E741
    """Share the vector out among the outputs."""
    return O @ M + b / len(O)


def turned(O, M, b):  # noqa: E741
    """Turn the matrix over."""
    return O @ M.T + b


def probes(rng):
    """Return two outputs first, then more, and rotations, shears, small matrices."""
    shear = np.array([[1.0, 2.0], [0.0, 3.0]])
    return [
        (pattern(2, 2), shear, np.array([10.0, -4.0])),
        (pattern(3, 2, step=3), np.array([[0.0, 1.0], [-1.0, 0.5]]), pattern(2) + 0.5),
        (drawn(rng, 4, 3), drawn(rng, 3, 3), drawn(rng, 3)),
        (drawn(rng, 2, 4), 0.01 * drawn(rng, 4, 4), drawn(rng, 4)),
    ]


_Q = pattern(3, 2)
_TEST = "tests/exercises/test_derivations.py::test_outputs_follow_their_values"


EXERCISE = Exercise(
    type="derive",
    difficulty=2,
    minutes=10,
    stub='''
def new_outputs(O, M, b):
    """Return the outputs after every value v has become v @ M + b."""
    return ...
''',
    answer="new_outputs",
    solution=new_outputs,
    wrong=(
        vector_forgotten,
        vector_first,
        matrix_forgotten,
        nothing_changes,
        vector_for_each_output,
        vector_shared_out,
        turned,
    ),
    probes=probes,
    numbers=lambda: {
        "$vM + b$": definition,
        "weights sum to one": attention_weights(_Q, _Q).sum(axis=1).mean(),
        "with a sum of one": attention_weights(_Q, _Q).sum(axis=1).mean(),
        r"$\sum_j w_j(v_jM + b) = (\sum_j w_jv_j)M + b\sum_j w_j$": proved(_TEST),
    },
)

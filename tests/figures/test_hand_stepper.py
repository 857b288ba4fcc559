"""HandStepper: both languages, the worked examples, typing and editing in a browser."""

import itertools

import numpy as np
import pytest
import traitlets

import figure_page
from attnbook.kernel import attention
from attnbook.toydata import running_example
from attnbook.widgets import HandStepper
from attnbook.widgets.base import load_spec
from figure_page import opened
from twins import differences, javascript

FIELDS = load_spec("hand_stepper")["state"]
ARRAYS = ("raw", "mask", "scaled", "powers", "weights", "output")


def states():
    """Return every example at every step, and corners of the other settings."""
    ends = {
        "example": FIELDS["example"]["options"],
        "step": FIELDS["step"]["options"],
        "causal": (False, True),
        "temperature": (0.05, 1.0, 20.0),
        "row": (1, 4),
        "column": (1, 4),
        "typing": (False, True),
        "edits": ["", *FIELDS["edits"]["samples"]],
    }
    grid = [dict(zip(ends, v, strict=True)) for v in itertools.product(*ends.values())]
    chosen = np.random.default_rng(0).permutation(len(grid))[:400]
    return [{**HandStepper().state, **grid[k]} for k in chosen]


def test_javascript_and_python_agree():
    made = states()
    answers = javascript("hand_stepper", made)
    found = [
        differences(HandStepper, state, answer, ARRAYS)
        for state, answer in zip(made, answers, strict=True)
    ]
    assert list(itertools.chain(*found)) == []


def test_every_setting_is_among_the_states():
    for name in set(FIELDS) - {"guide"}:
        assert len({state[name] for state in states()}) > 1, name

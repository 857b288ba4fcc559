"""Five hundred answers that were written from the statements alone."""

import math

import numpy as np
import pytest
from answers import RIGHT, SAID, WRONG

import attnbook as ab
from attnbook import exercises
from attnbook.exercises import check

EACH = 6  # the gate tries every sixth of the wrong ones


def handed_in(code):
    space = {"np": np, "ab": ab, "math": math, "__name__": "__main__"}
    exec(code, space)
    return space["answer"]


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_in_another_style_is_right(name):
    for code in RIGHT[name]:
        if "torch" not in code or pytest.importorskip("torch"):
            report = check(name, handed_in(code))
            assert report.status == "right", f"{code}\n{report}"


@pytest.mark.parametrize("step", [EACH, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_is_wrong_and_gets_the_hint_that_fits(name, step):
    for code, hint in WRONG[name][::step]:
        report = check(name, handed_in(code))
        assert report.status == "wrong", f"{code}\n{report}"
        assert (hint or "") in report.hint, f"{code}\n{report}"
        assert "could not be checked" not in report.message, f"{code}\n{report}"


@pytest.mark.parametrize(("name", "seed", "code", "true", "false"), SAID)
def test_what_is_said_is_true_of_the_answer(name, seed, code, true, false):
    if "torch" not in code or pytest.importorskip("torch"):
        said = repr(check(name, handed_in(code), seed=seed))
        assert true.lower() in said.lower() and false not in said, said


def test_many_exercises_were_answered_by_many():
    assert RIGHT.keys() == WRONG.keys() <= set(exercises.names())
    assert sum(map(len, RIGHT.values())) > 150 and sum(map(len, WRONG.values())) > 380

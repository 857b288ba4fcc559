"""The verdict on an answer: not attempted, right, or what is wrong."""

import inspect
from dataclasses import dataclass
from types import FunctionType

import numpy as np

from attnbook.exercises import judge, process
from attnbook.exercises.hints import recognise
from attnbook.exercises.judge import COARSE, Outcome
from attnbook.exercises.master import load
from attnbook.exercises.show import block, show, told_apart
from attnbook.exercises.untouched import is_untouched

NOT_ATTEMPTED, RIGHT, WRONG = "not attempted", "right", "wrong"


@dataclass(frozen=True)
class Report:
    """What `check` says; true if the answer is right."""

    name: str
    status: str
    message: str
    hint: str = ""

    def __bool__(self):
        """Whether the answer is right."""
        return self.status == RIGHT

    @property
    def markdown(self):
        """The report with its status and hint in bold."""
        titles = {NOT_ATTEMPTED: "Not attempted yet.", RIGHT: "Right."}
        text = f"**{titles.get(self.status, 'Not right yet.')}** {self.message}"
        return f"{text}\n\n**Hint.** {self.hint}" if self.hint else text

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/markdown": self.markdown, "text/plain": repr(self)}

    def __repr__(self):
        """Return the report as plain text."""
        return self.markdown.replace("**", "").replace("```\n", "").replace("```", "")


@dataclass(frozen=True)
class Trial:
    """One input, what the answer did with it, and what is wrong with that.

    For a value there are no inputs, and each of its numbers is a trial.
    """

    inputs: tuple
    outcome: Outcome
    right: Outcome
    complaint: str | None


def verdict(name, answer, seed=None):
    """Judge an answer.

    Parameters
    ----------
    name : str
        The name of an exercise.
    answer : object
        Whatever the student has.
    seed : int, optional
        Of the variant that the student was given.

    Returns
    -------
    Report
    """
    exercise = load(name, seed)
    if _is_open(answer) or is_untouched(answer, exercise.stub):
        return _not_attempted(exercise)
    if exercise.probes and not callable(answer):
        kind = type(answer).__name__
        said = f"A function is expected here, not a `{kind}`. Give its name, uncalled."
        return Report(name, WRONG, said)
    if not exercise.probes and type(answer) is FunctionType:
        said = "A number is expected here, not a function. Call it: `name()`."
        return Report(name, WRONG, said)
    trials = try_answer(exercise, answer)
    if all(trial.outcome.kind == "stub" for trial in trials):
        return _not_attempted(exercise)
    failed = [trial for trial in trials if trial.complaint]
    if not failed:
        return Report(name, RIGHT, _praise(exercise, len(trials)))
    return Report(
        name, WRONG, _message(exercise, failed[0]), recognise(exercise, trials)
    )


def _is_open(answer):
    if answer is ...:
        return True
    return type(answer) in (tuple, list) and any(part is ... for part in answer)


def _not_attempted(exercise):
    said = "Put your answer in place of each `...` and run this again."
    if "..." not in exercise.stub:
        said = "The code is as it was given. Change it and run this again."
    return Report(exercise.name, NOT_ATTEMPTED, said)


def _praise(exercise, count):
    if exercise.probes:
        return f"The function passes all {count} inputs that were tried."
    return "You may read the solution now." if count > 1 else "That is the value."


def try_answer(exercise, answer):
    """Try an answer on all inputs, smallest first.

    Parameters
    ----------
    exercise : Exercise
    answer : object

    Returns
    -------
    list of Trial
        Up to the first input that finds no end.
    """
    if not exercise.probes:
        return _try_value(exercise, answer)
    inputs = exercise.inputs()
    outcomes = process.run_all(answer, inputs, exercise.seconds, exercise.may_use)
    return [
        _trial(exercise, tried, outcome, judge.run(exercise.solution, tried))
        for tried, outcome in zip(inputs, outcomes, strict=False)
    ]


def _trial(exercise, inputs, outcome, right):
    outcome = _as_scalar(outcome, right)
    return Trial(inputs, outcome, right, _complaint(exercise, inputs, outcome, right))


def _as_scalar(outcome, right):
    """Read an array of one number as a number, where a number is asked for."""
    both = outcome.kind == right.kind == "value"
    if both and right.value.ndim == 0 and outcome.value.size == 1:
        return Outcome("value", outcome.value.reshape(()), "", outcome.dtype)
    return outcome


def _try_value(exercise, answer):
    """Judge each number of the answer by itself, so that hints fit the wrong one."""
    right = judge.run(exercise.solution, ())
    outcome = Outcome("nothing") if answer is None else judge.read(answer)
    if outcome.kind == "value" and outcome.value.size == right.value.size:
        pairs = zip(outcome.value.ravel(), right.value.ravel(), strict=True)
        return _numbers(exercise, list(pairs), outcome.dtype)
    return [Trial((), outcome, right, _complaint(exercise, (), outcome, right))]


def _numbers(exercise, pairs, dtype):
    trials = []
    for place, pair in enumerate(pairs, start=1):
        got, wanted = (Outcome("value", np.array(x), "", dtype) for x in pair)
        complaint = _complaint(exercise, (), got, wanted)
        if complaint and len(pairs) > 1:
            which = f"number {place} of {len(pairs)} is"
            complaint = complaint.replace("the answer is", which, 1)
        trials.append(Trial((), got, wanted, complaint))
    return trials


# What is wrong with an outcome that is no value.
COMPLAINTS = {
    "raised": "your function stops with `{text}`",
    "endless": "your function finds {text}",
    "ended": "your function ends the process in which it runs",
    "barred": "your function calls `{text}`, which would do the work of this exercise",
    "changed": "your function changes its input, which the caller still needs",
    "odd": "the answer is a {text} that cannot be read as numbers{quotes}",
    "stub": "your function still returns `...`",
    "unsent": "your answer cannot be sent to the process in which answers run "
    "(`{text}`); write it as a plain function",
    "unsent name": "your function uses a variable that cannot be sent to the process "
    "in which answers run (`{text}`); make it inside of the function",
}


def _complaint(exercise, inputs, outcome, right):
    if outcome.kind == "nothing":
        nothing = "your function returns nothing: is a `return` missing?"
        return nothing if exercise.probes else "the answer is `None`"
    if outcome.kind != "value":
        quotes = ": write them without quotes" if "`str`" in outcome.text else ""
        return COMPLAINTS[outcome.kind].format(text=outcome.text, quotes=quotes)
    if exercise.complaint:
        said = exercise.complaint(*inputs, outcome.value)
        return said or _no_truths(outcome, right)
    tolerance = max(exercise.tolerance, COARSE.get(outcome.dtype, 0))
    return _difference(outcome.value, right.value, tolerance)


def _no_truths(got, wanted):
    """Refuse a mask of numbers: PyTorch, for one, adds such a mask to the scores."""
    if wanted.dtype != "bool" or got.dtype == "bool" or not got.value.size:
        return None
    return f"the pattern is right, but the mask holds `{got.dtype}`: make it `bool`"


def _difference(got, wanted, tolerance):
    if got.shape != wanted.shape:
        return f"the answer has shape {got.shape}, expected {wanted.shape}"
    if judge.same(got, wanted, tolerance):
        return None
    if np.isnan(got).any():
        return f"the answer holds NaN:\n\n{block(got)}"
    if wanted.ndim == 0:
        return f"the answer is {show(got)}, which is not right"
    got, wanted = told_apart(got, wanted)
    return f"the answer is\n\n{got}\n\nexpected\n\n{wanted}"


def _message(exercise, trial):
    end = "" if trial.complaint.endswith(("```", "?")) else "."
    if not trial.inputs or trial.outcome.kind.startswith("unsent"):
        return trial.complaint[0].upper() + trial.complaint[1:] + end
    names = list(inspect.signature(exercise.solution).parameters)
    lines = [f"{n} = {show(v)}" for n, v in zip(names, trial.inputs, strict=True)]
    inputs = "```\n" + "\n".join(lines) + "\n```"
    return f"For\n\n{inputs}\n\n{trial.complaint}{end}"

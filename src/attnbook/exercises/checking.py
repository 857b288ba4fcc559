"""The verdict on an answer: not attempted, right, or what is wrong."""

import inspect
from dataclasses import dataclass

import numpy as np

from attnbook.exercises import judge
from attnbook.exercises.judge import Outcome
from attnbook.exercises.master import load

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
    """One input, what the answer did with it, and what is wrong with that."""

    inputs: tuple
    outcome: Outcome
    right: Outcome
    complaint: str | None


def verdict(name, answer):
    """Judge an answer.

    Parameters
    ----------
    name : str
        The name of an exercise.
    answer : object
        Whatever the student has.

    Returns
    -------
    Report
    """
    exercise = load(name)
    if _untouched(answer):
        return _not_attempted(name)
    if exercise.probes and not callable(answer):
        kind = type(answer).__name__
        return Report(name, WRONG, f"A function is expected here, not a `{kind}`.")
    trials = try_answer(exercise, answer)
    if any(trial.outcome.kind == "stub" for trial in trials):
        return _not_attempted(name)
    failed = [trial for trial in trials if trial.complaint]
    if not failed:
        return Report(name, RIGHT, _praise(exercise, len(trials)))
    wrong = _recognise(exercise, trials)
    if wrong and wrong.given:
        return _not_attempted(name, "The code still behaves as it was given.")
    message = _message(exercise, failed[0])
    return Report(name, WRONG, message, wrong.hint if wrong else "")


def _untouched(answer):
    if answer is ...:
        return True
    return type(answer) in (tuple, list) and any(part is ... for part in answer)


def _not_attempted(
    name, why="Put your answer in place of each `...` and run this again."
):
    return Report(name, NOT_ATTEMPTED, why)


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
    """
    if not exercise.probes:
        return _try_value(exercise, answer)
    trials = []
    for inputs in exercise.probes():
        right = judge.run(exercise.solution, inputs)
        outcome = judge.run(answer, inputs, exercise.seconds)
        complaint = _complaint(exercise, inputs, outcome, right)
        trials.append(Trial(inputs, outcome, right, complaint))
        if outcome.kind == "raised" and "seconds" in outcome.text:
            break  # do not wait for every further input
    return trials


def _try_value(exercise, answer):
    """Judge each number of the answer by itself, so that hints fit the wrong one."""
    right = judge.run(exercise.solution, ())
    outcome = judge.read(answer)
    shapes = [o.value.shape for o in (outcome, right) if o.kind == "value"]
    if len(shapes) < 2 or shapes[0] != shapes[1]:
        complaint = _complaint(exercise, (), outcome, right)
        return [Trial((), outcome, right, complaint)]
    trials, count = [], right.value.size
    pairs = zip(outcome.value.ravel(), right.value.ravel(), strict=True)
    for place, pair in enumerate(pairs, start=1):
        got, wanted = (Outcome("value", np.array(x)) for x in pair)
        complaint = _complaint(exercise, (), got, wanted)
        if complaint and count > 1:
            which = f"number {place} of {count} is"
            complaint = complaint.replace("the answer is", which, 1)
        trials.append(Trial((), got, wanted, complaint))
    return trials


def _complaint(exercise, inputs, outcome, right):
    if outcome.kind == "raised":
        return f"your function stops with `{outcome.text}`"
    if outcome.kind == "changed":
        return "your function changes its input, which the caller still needs"
    if outcome.kind == "odd":
        return f"the answer is a `{outcome.text}` that cannot be read as numbers"
    if outcome.kind == "stub":
        return "not attempted"
    if exercise.complaint:
        return exercise.complaint(*inputs, outcome.value)
    return _difference(outcome.value, right.value, exercise.tolerance)


def _difference(got, wanted, tolerance):
    if got.shape != wanted.shape:
        return f"the answer has shape {got.shape}, expected {wanted.shape}"
    if judge.same(got, wanted, tolerance):
        return None
    if np.isnan(got).any():
        return f"the answer holds NaN:\n\n{_block(got)}"
    if wanted.ndim == 0:
        return f"the answer is {show(got)}, which is not right"
    got, wanted = _told_apart(got, wanted)
    return f"the answer is\n\n{got}\n\nexpected\n\n{wanted}"


def _told_apart(got, wanted):
    # As many digits as it takes to see a difference: saturated weights need more.
    for digits in (4, 8, 12, 17):
        pair = _block(got, digits), _block(wanted, digits)
        if pair[0] != pair[1]:
            break
    return pair


def _recognise(exercise, trials):
    """Find the typical wrong answer that does the same where the answer fails."""
    likeness = {}
    for wrong in exercise.wrong:
        others = _outcomes(exercise, wrong.answer, len(trials))
        pairs = list(zip(trials, others, strict=False))
        alike = [_alike(trial.outcome, other, exercise) for trial, other in pairs]
        where_it_counts = [
            same
            for (trial, _), same in zip(pairs, alike, strict=True)
            if trial.complaint or wrong.given  # mended in part is not as given
        ]
        if all(where_it_counts):
            # Infinity is infinity in any type: then the type tells two bugs apart.
            types = sum(t.outcome.dtype == other.dtype for t, other in pairs)
            likeness[wrong] = (sum(alike), types)
    return max(likeness, key=likeness.get, default=None)


def _outcomes(exercise, answer, count):
    if exercise.probes:
        return [judge.run(answer, inputs) for inputs in exercise.probes()][:count]
    outcome = judge.run(answer, ())
    if outcome.kind != "value" or outcome.value.size != count:
        return [outcome]
    return [Outcome("value", np.array(x)) for x in outcome.value.ravel()]


def _alike(a, b, exercise):
    if a.kind != b.kind:
        return False
    return a.kind != "value" or judge.same(a.value, b.value, exercise.tolerance)


def _message(exercise, trial):
    if not trial.inputs:
        text = trial.complaint
        return text[0].upper() + text[1:] + ("." if not text.endswith("```") else "")
    names = list(inspect.signature(exercise.solution).parameters)
    lines = [f"{n} = {show(v)}" for n, v in zip(names, trial.inputs, strict=True)]
    inputs = "```\n" + "\n".join(lines) + "\n```"
    end = "" if trial.complaint.endswith("```") else "."
    return f"For\n\n{inputs}\n\n{trial.complaint}{end}"


def _block(value, digits=4):
    return f"```\n{show(value, digits)}\n```"


def show(value, digits=4):
    """Return an input or result as short text.

    Parameters
    ----------
    value : object
    digits : int
        Of a number's fraction, in an array.

    Returns
    -------
    str
    """
    if not isinstance(value, np.ndarray):
        return repr(value)
    if value.ndim == 0:
        number = float(value)
        return f"{number:,.0f}" if number.is_integer() else f"{number:.6g}"
    text = np.array2string(value, precision=digits, threshold=40, suppress_small=True)
    half = ", float16" if value.dtype == np.float16 else ""
    large = f"  (shape {value.shape}{half})" if value.size > 40 or half else ""
    return text + large

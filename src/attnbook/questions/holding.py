"""Hold the answers of questions: compare a question file with what the page computes.

A claims cell says what the answers must be::

    answers({
        "five-growth": [np.sqrt, lambda x: x / 4, lambda x: 4, lambda x: 16 / x**0.5],
        "twelve-share": [100 * share(n, d), 50, 95, share(n, d)],
        "twelve-double": wider[3],
        "twelve-token": ("How fast weights", intensity < ridge),
    })

- A *number*: its answer, then each wrong value, in the order of the file.
- A *sketch*: the functions of its curve and of each wrong curve, in that order.
- A *choice*: a number, which the right choice says and no other does; or the start of
  the right choice's text with the condition that makes it right. Where no code can
  decide, the condition is ``judged("why")``.

Numbers and curves agree to a millionth, or to a share given as ``(value, 0.05)``.
"""

from typing import NamedTuple

import numpy as np

from attnbook.claims import find_numbers, holds
from attnbook.questions import model

CLOSE = 1e-6


class Judged(NamedTuple):
    """Why no code decides: see `judged`."""

    reason: str


def judged(reason):
    """Say why no code can decide which choice is right.

    Parameters
    ----------
    reason : str

    Returns
    -------
    Judged

    Raises
    ------
    TypeError
        If the reason is no text.
    """
    if not isinstance(reason, str) or not reason.strip():
        raise TypeError(f"judged needs a reason, got {reason!r}")
    return Judged(reason)


def answers(given):
    """Check that the answers of questions are what the code computes.

    Parameters
    ----------
    given : dict of str to object
        For each question its answer; the module's text has the forms.

    Raises
    ------
    AssertionError
        If an answer differs; the message names all that do.
    ValueError
        If there is no such question, or the form does not fit its kind.
    """
    wrong = [
        f"{name!r}: {said}"
        for name, value in given.items()
        for said in differences(model.question(name), value)
    ]
    if wrong:
        raise AssertionError(
            "the questions and the code differ:\n  " + "\n  ".join(wrong)
        )


def differences(question, given):
    """List where a question and what the code computes differ, a sentence each.

    Parameters
    ----------
    question : attnbook.questions.model.Question
    given : object
        Its answer; the module's text has the forms.

    Returns
    -------
    iterator of str
    """
    compare = {"choice": _choice, "number": _numbers, "sketch": _curves}[question.kind]
    return compare(question, given)


def _numbers(question, given):
    stated = [question.answer, *(wrong.value for wrong in question.wrong)]
    for what, value, ours in _paired(question, given, stated):
        ours, tolerance = ours if isinstance(ours, tuple) else (ours, CLOSE)
        if not abs(value - ours) <= tolerance * abs(ours) + 1e-12:
            yield f"the file gives {what} {value:.6g}, the code computes {ours:.6g}"


def _curves(question, given):
    stated = [question.heights, *(wrong.heights for wrong in question.wrong)]
    for what, heights, ours in _paired(question, given, stated):
        ours, tolerance = ours if isinstance(ours, tuple) else (ours, CLOSE)
        for x, height in zip(question.x.at, heights, strict=True):
            y = float(ours(x))
            if not abs(height - y) <= tolerance * max(abs(y), CLOSE):
                yield f"at {x:g} the file draws {what} {height:.6g}, the code {y:.6g}"
                break


def _paired(question, given, stated):
    # (what it is, what the file says, what the code says) for answer and wrong answers
    listed = given if isinstance(given, list) else [given]
    if len(listed) != len(stated):
        raise ValueError(
            f"{question.name!r} needs its answer and {len(stated) - 1} wrong ones in a "
            f"list, got {len(listed)} in all"
        )
    names = ["the answer", *(f"{wrong.says!r}" for wrong in question.wrong)]
    return zip(names, stated, listed, strict=True)


def _choice(question, given):
    (right,) = [choice.text for choice in question.choices if choice.right]
    if isinstance(given, tuple) and isinstance(given[0], str):
        yield from _by_condition(right, *given)
        return
    value, tolerance = given if isinstance(given, tuple) else (given, 0.0)
    said = [c.text for c in question.choices if _says(c.text, value, tolerance)]
    if said != [right]:
        yield f"the code computes {value:.6g}; right is {right!r}, it is said by {said}"


def _by_condition(right, start, condition):
    if not right.startswith(start):
        yield f"the code holds {start!r}, the file marks {right!r} as right"
    if isinstance(condition, Judged):
        return
    if not isinstance(condition, bool | np.bool_):
        raise TypeError(
            f"{start!r}: a condition must be true or false, got {condition!r}"
        )
    if not condition:
        yield f"{start!r} does not hold"


def _says(text, value, tolerance):
    # whether the first number of a choice is the value
    numbers = find_numbers(text)
    return bool(numbers) and holds(text, numbers[0], value, tolerance)

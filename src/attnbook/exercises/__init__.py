"""Exercises that check themselves: `exercise` shows one, `check` judges an answer."""

import os

from attnbook.exercises.checking import WRONG, Report, verdict
from attnbook.exercises.judge import describe
from attnbook.exercises.master import load, names
from attnbook.questions.render import MIME as _MIME
from attnbook.questions.render import WORDS, Displayed, fold

__all__ = ["MIME", "check", "exercise", "names", "solutions_shown", "stub_cell"]
MIME = _MIME
SWITCH = "ATTNBOOK_SOLUTIONS"


def check(name, answer, seed=None):
    """Say whether an answer is not attempted, right, or what is wrong with it.

    Parameters
    ----------
    name : str
        The name of the exercise, for instance ``"05-scaled-scores"``.
    answer : object
        Your function or value. It may be wrong in any way: nothing is raised.
    seed : int, optional
        Of your own variant, if you were given one.

    Returns
    -------
    Report
        Shown by a notebook; true if the answer is right.
    """
    try:
        return verdict(name, answer, seed)
    except KeyboardInterrupt:
        return Report(str(name), WRONG, "The check was interrupted: run it again.")
    except BaseException as why:  # a check that raises would stop the notebook
        return Report(str(name), WRONG, f"This could not be checked: {describe(why)}.")


def exercise(name, seed=None):
    """Show an exercise: its statement and, unless withheld, its solution in a fold.

    Parameters
    ----------
    name : str
        The name of the exercise.
    seed : int, optional
        Draws other numbers than those in the book.

    Returns
    -------
    Displayed
        An object for the end of a cell.

    Raises
    ------
    ValueError
        If there is no such exercise, or the switch has another value than its two.
    """
    master = load(name, seed)
    keys = ("name", "title", "type", "difficulty", "minutes", "objective")
    data = {"kind": "exercise", **{key: getattr(master, key) for key in keys}}
    data["statement"] = f"{master.statement.strip()}\n\n{_objective(master)}"
    if solutions_shown():
        code = f"```python\n{master.solution_code}\n```"
        data["solution"] = f"{code}\n\n{master.explanation.strip()}"
    return Displayed(_markdown(data), data)


def _objective(master):
    return f"*{WORDS['objective']} {master.objective}*"


def _markdown(data):
    facts = [
        WORDS[f"kind_{data['type']}"],
        f"{WORDS['difficulty']} {data['difficulty']}/3",
        WORDS["minutes"].format(minutes=data["minutes"]),
        f"`{data['name']}`",
    ]
    parts = [f"**{WORDS['exercise']}: {data['title']}**", " · ".join(facts)]
    parts.append(data["statement"])
    if "solution" in data:
        parts.append(fold(WORDS["solution"], [data["solution"]]))
    return "\n\n".join(parts)


def solutions_shown():
    """Whether solutions may be shown: the environment variable ATTNBOOK_SOLUTIONS.

    Returns
    -------
    bool
        False if the variable is ``withheld``; True if it is ``shown`` or not set.

    Raises
    ------
    ValueError
        For any other value, so that a slip of the pen withholds nothing in silence.
    """
    value = os.environ.get(SWITCH, "shown")
    if value not in ("shown", "withheld"):
        raise ValueError(f"{SWITCH} must be 'shown' or 'withheld', got {value!r}")
    return value == "shown"


def stub_cell(name, seed=None):
    """Return the code of the cell in which a student answers an exercise.

    Parameters
    ----------
    name : str
        The name of the exercise.
    seed : int, optional
        Of the variant that `exercise` showed.

    Returns
    -------
    str
    """
    return load(name, seed).stub_cell

"""What an exercise consists of; each is a module ``exNN_name.py`` beside this."""

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from attnbook.exercises import judge

TYPES = ("predict", "implement", "bug", "measure", "derive")


@dataclass(frozen=True)
class Wrong:
    """A typical wrong answer, as a function to run, and the hint that it earns.

    `given` marks the faulty code that an exercise hands out to be mended: whoever
    returns it has not attempted the exercise yet.
    """

    answer: Callable
    hint: str
    given: bool = False

    @property
    def name(self):
        """What the wrong answer is called."""
        return self.answer.__name__


@dataclass(frozen=True)
class Exercise:
    """The master of one exercise.

    Attributes
    ----------
    name : str
        For instance ``"05-scaled-scores"``, for a module ``ex05_scaled_scores``.
    title, statement, explanation, objective : str
        Markdown. The explanation is shown with the solution; the objective ends the
        sentence "You practise:".
    type : str
        One of `TYPES`.
    difficulty, minutes : int
        Difficulty is 1, 2 or 3.
    stub : str
        The code that the student starts from, with ``...`` in it.
    answer : str
        What the stub's last line passes to `check`: a name or a tuple of names.
    solution : callable
        The answer itself, or for a value a function without arguments returning it.
    wrong : tuple of Wrong
        Three or more.
    probes : callable, optional
        Returns the inputs to try, smallest first, each a tuple of arguments. Left
        out, the answer is a value: a number, or several.
    tolerance : float
        How far a number may lie from the right one, as a share of it.
    complaint : callable, optional
        Where several answers are right: called with the inputs and the answer, it
        returns what is wrong, or None.
    numbers : callable, optional
        Binds the numbers of all these texts: without arguments, returns a dictionary
        as `attnbook.claims.claims` takes it.
    seconds : float
        The time that the answer may take on one input.
    """

    name: str
    title: str
    type: str
    difficulty: int
    minutes: int
    objective: str
    statement: str
    stub: str
    answer: str
    solution: Callable
    explanation: str
    wrong: tuple
    probes: Callable | None = None
    tolerance: float = 1e-6
    complaint: Callable | None = None
    numbers: Callable | None = None
    seconds: float = judge.SECONDS

    @property
    def stub_cell(self):
        """The student's cell: the stub and the line that checks it."""
        return f'{self.stub.strip()}\n\ncheck("{self.name}", {self.answer})'

    @property
    def solution_code(self):
        """The source of the solution."""
        return textwrap.dedent(inspect.getsource(self.solution)).strip()


def names():
    """Names of all exercises.

    Returns
    -------
    list of str
    """
    modules = sorted(path.stem for path in Path(__file__).parent.glob("ex[0-9]*.py"))
    return [module[2:].replace("_", "-") for module in modules]


@cache
def load(name):
    """Look up an exercise.

    Parameters
    ----------
    name : str

    Returns
    -------
    Exercise

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    if name not in names():
        raise ValueError(f"name must be among {', '.join(names())}, got {name!r}")
    module = import_module(f"{__package__}.ex{name.replace('-', '_')}")
    return module.EXERCISE

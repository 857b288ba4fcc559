"""What an exercise consists of; each is a folder ``bank/NN/name`` found by itself.

``exercise.py`` holds the code and assigns ``EXERCISE``; ``en.md`` holds the texts (see
`attnbook.exercises.texts`). The chapter and the name come from the folder.
"""

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path

from attnbook.exercises import judge, texts

TYPES = ("predict", "implement", "bug", "measure", "derive")
BANK = Path(__file__).parent / "bank"


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

    An author gives what is code; `load` adds the name and the texts.

    Attributes
    ----------
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
    wrong : tuple of callable
        Three or more typical wrong answers; loaded, each is a `Wrong` with its hint.
    given : callable, optional
        The faulty code that the stub hands out to be mended.
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
    name : str
        For instance ``"05-scaled-scores"``, for the folder ``05/scaled_scores``.
    title, statement, explanation, objective : str
        Markdown. The explanation is shown with the solution; the objective ends the
        sentence "You practise:".
    """

    type: str
    difficulty: int
    minutes: int
    stub: str
    answer: str
    solution: Callable
    wrong: tuple
    given: Callable | None = None
    probes: Callable | None = None
    tolerance: float = 1e-6
    complaint: Callable | None = None
    numbers: Callable | None = None
    seconds: float = judge.SECONDS
    name: str = ""
    title: str = ""
    statement: str = ""
    explanation: str = ""
    objective: str = ""

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
    folders = sorted(path.parent for path in BANK.glob("[0-9][0-9]/*/exercise.py"))
    return [f"{f.parent.name}-{f.name.replace('_', '-')}" for f in folders]


def folder(name):
    """Return the folder of an exercise.

    Parameters
    ----------
    name : str

    Returns
    -------
    pathlib.Path
    """
    chapter, _, rest = name.partition("-")
    return BANK / chapter / rest.replace("-", "_")


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
        If there is none of that name, or its texts break a rule.
    """
    if name not in names():
        raise ValueError(f"name must be among {', '.join(names())}, got {name!r}")
    home = folder(name)
    code = f"{__package__}.bank.{home.parent.name}.{home.name}.exercise"
    exercise = import_module(code).EXERCISE
    given = () if exercise.given is None else (exercise.given,)
    said = texts.read(home, [f.__name__ for f in (*given, *exercise.wrong)])
    wrong = tuple(
        Wrong(answer, said.hints[answer.__name__], answer is exercise.given)
        for answer in (*given, *exercise.wrong)
    )
    parts = {key: getattr(said, key) for key in texts.PARTS}
    return replace(exercise, name=name, wrong=wrong, **parts)

"""What an exercise consists of; each is a folder ``bank/NN/name`` found by itself.

``exercise.py`` holds the code and assigns ``EXERCISE``; ``en.md`` holds the texts (see
`attnbook.exercises.texts`). The chapter and the name come from the folder.

One master serves a notebook, the page's own Python and a class whose students each get
their own numbers: `load` binds it to one variant.
"""

import functools
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np

from attnbook.exercises import texts
from attnbook.exercises.process import SECONDS

TYPES = ("predict", "implement", "bug", "measure", "derive")
BANK = Path(__file__).parent / "bank"


@dataclass(frozen=True)
class Wrong:
    """A typical wrong answer, as a function to run, and the hint that it earns.

    `given` marks the faulty code that an exercise hands out to be mended.
    """

    answer: Callable
    hint: str
    given: bool = False

    @property
    def name(self):
        """What the wrong answer is called."""
        return self.answer.__name__

    @property
    def by_part(self):
        """Whether each of its numbers shows the mistake by itself."""
        return getattr(self.answer, "by_part", False)


def by_part(answer):
    """Mark a wrong answer of several numbers: each of them shows the mistake.

    Without the mark, the hint is for those who have all of its wrong numbers. A swap,
    for instance, is no swap if only one of two numbers is out of place.

    Parameters
    ----------
    answer : callable

    Returns
    -------
    callable
    """
    answer.by_part = True
    return answer


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
        The answer itself, or for a value a function that returns it from the numbers
        of a variant.
    wrong : tuple of callable
        Three or more typical wrong answers, called like the solution; for a value, each
        takes those numbers that it needs. Loaded, each is a `Wrong` with its hint.
    given : callable, optional
        The faulty code that the stub hands out to be mended.
    probes : callable, optional
        Called with a random generator, returns the inputs to try, each a tuple of
        arguments: always the same ones first, smallest first, then fresh ones. Left
        out, the answer is a value: a number, or several.
    standard : dict
        The numbers of a value exercise that the book prints.
    variant : callable, optional
        Called with a random generator, returns other numbers for `standard`.
    said : callable, optional
        Called with those numbers, returns how the texts and the stub print them, and
        what else stands there in ``{braces}``.
    recipe : callable, optional
        Called with a random generator and the numbers: the value as the statement tells
        the student to measure it. The tolerance must be wide enough for it.
    tolerance : float
        How far a number may lie from the right one, as a share of it.
    complaint : callable, optional
        Where several answers are right: called with the inputs and the answer, it
        returns what is wrong, or None.
    numbers : callable, optional
        Binds the numbers of all these texts: without arguments, returns a dictionary
        as `attnbook.claims.claims` takes it.
    may_use : tuple of str, optional
        Those of the packages in `attnbook.exercises.barred` that a function may call.
        Left out, it may call anything.
    self_test : bool
        Whether the exercise is for the student alone and never counts for a class.
    seconds : float
        The time that the answer may take on one input.
    name : str
        For instance ``"05-scaled-scores"``, for the folder ``05/scaled_scores``.
    title, statement, explanation, objective : str
        Markdown. The explanation is shown with the solution; the objective ends the
        sentence "You practise:".
    seed : int or None
        Of the variant that the exercise is bound to, None for the one in the book.
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
    standard: Mapping = field(default_factory=dict)
    variant: Callable | None = None
    said: Callable | None = None
    recipe: Callable | None = None
    tolerance: float = 1e-6
    complaint: Callable | None = None
    numbers: Callable | None = None
    may_use: tuple | None = None
    self_test: bool = False
    seconds: float = SECONDS
    name: str = ""
    title: str = ""
    statement: str = ""
    explanation: str = ""
    objective: str = ""
    seed: int | None = None

    @property
    def stub_cell(self):
        """The student's cell: the stub and the line that checks it."""
        seed = "" if self.seed is None or self.probes else f", seed={self.seed}"
        check = f'check("{self.name}", {self.answer}{seed})'
        return f"{self.stub.strip()}\n\n{check}"

    @property
    def solution_code(self):
        """The source of the solution; for a value, with the line that calls it."""
        code = textwrap.dedent(inspect.getsource(self.solution)).strip()
        if self.probes:
            return code
        numbers = ", ".join(f"{k}={_printed(v)}" for k, v in self.standard.items())
        return f"{code}\n\n\n{self.solution.__name__}({numbers})"

    def inputs(self):
        """Return the inputs to try a function on.

        Returns
        -------
        list of tuple
            The same each time, for one seed.
        """
        return self.probes(np.random.default_rng(self.seed or 0))


def _printed(value):
    if isinstance(value, np.ndarray):
        return f"np.array({value.tolist()})"
    return f"{value:_}" if type(value) is int and abs(value) > 9999 else repr(value)


def names():
    """Names of all exercises.

    Returns
    -------
    list of str
    """
    folders = sorted(path.parent for path in BANK.glob("[0-9][0-9]/*/exercise.py"))
    return [name_of(one) for one in folders]


def name_of(home):
    """Return the name of the exercise in a folder: what `folder` undoes.

    Parameters
    ----------
    home : pathlib.Path

    Returns
    -------
    str
    """
    return f"{home.parent.name}-{home.name.replace('_', '-')}"


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
def master(name):
    """Return an exercise as its author wrote it, without texts and bound to nothing.

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
    home = folder(name)
    code = f"{__package__}.bank.{home.parent.name}.{home.name}.exercise"
    return import_module(code).EXERCISE


@cache
def load(name, seed=None):
    """Look up an exercise, bound to one variant.

    Parameters
    ----------
    name : str
    seed : int, optional
        Draws the numbers of a value, and the fresh inputs of a function. Left out, the
        numbers are those in the book.

    Returns
    -------
    Exercise

    Raises
    ------
    ValueError
        If there is none of that name, or its texts break a rule.
    """
    bare = master(name)
    wrong = [f for f in (bare.given, *bare.wrong) if f is not None]
    said = texts.read(folder(name), [f.__name__ for f in wrong])
    numbers = _numbers(bare, seed)
    words = {**numbers, **(bare.said(**numbers) if bare.said else {})}
    fill = functools.partial(texts.fill, words=words, where=name)
    bind = functools.partial(_bound, numbers=numbers) if not bare.probes else _as_it_is
    parts = {key: fill(getattr(said, key)) for key in texts.PARTS}
    return replace(
        bare,
        name=name,
        seed=seed,
        standard=numbers,
        stub=bare.stub if bare.probes else fill(bare.stub),
        solution=bind(bare.solution),
        wrong=tuple(
            Wrong(bind(f), fill(said.hints[f.__name__]), f is bare.given) for f in wrong
        ),
        **parts,
    )


def _numbers(bare, seed):
    if seed is None or bare.variant is None:
        return dict(bare.standard)
    return {**bare.standard, **bare.variant(np.random.default_rng(seed))}


def _bound(function, numbers):
    """Give a function those of the numbers that it asks for."""
    wanted = {key: numbers[key] for key in inspect.signature(function).parameters}

    @functools.wraps(function)
    def bound():
        return function(**wanted)

    return bound


def _as_it_is(function):
    return function

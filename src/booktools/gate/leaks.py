"""Try all that chapters show as an answer to every exercise.

`booktools.gate.withheld` looks for the lines of a solution. But other lines may pass as
well: this runs every function, lambda, expression and cell of a chapter against the
check of every exercise, with its variables in place of the arguments, and every number
that stands in the text or is printed. ``python -m booktools.gate.leaks [PATH ...]``
lists what passes.
"""

import ast
import builtins
import contextlib
import io
import itertools
import os
import re
import signal
import sys
import types
import warnings
from dataclasses import dataclass
from pathlib import Path

import nbformat
import numpy as np

from attnbook.exercises import SWITCH, judge
from attnbook.exercises.checking import _trial
from attnbook.exercises.master import load, names
from booktools import ROOT

# Short lines of another meaning that happen to pass: what an exercise asks for can be
# as simple as a sum.
HARMLESS = {
    "05-idle-bias": "any sum of an array and a number passes",
    "05-general-variance": "the sum of the products of two arrays passes",
}
MOST_NAMES = 5  # variables of a line that are tried as arguments
SHORT = 40  # nodes of a syntax tree
SECONDS = 1  # for a line on all inputs of one exercise
_NUMBER = re.compile(r"(?<![\w.,])[-−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?!\w|\.\d)%?")
_ALREADY = {"exercise", "check", "claims"}  # a cell of these shows nothing of its own


@dataclass(frozen=True)
class Leak:
    """Where the answer to an exercise stands."""

    where: str
    exercise: str
    shown: str

    def __str__(self):
        """Return one line."""
        text = re.sub(r"\s+", " ", self.shown)
        return f"{self.where}: {text[:90]} passes {self.exercise}"


class TooSlow(BaseException):
    """Raised in a line that finds no end."""


# --- a chapter, run


def code_cells(path):
    """Return the numbers and sources of the code cells of a notebook."""
    cells = nbformat.read(path, as_version=4).cells
    return [(i, c.source) for i, c in enumerate(cells) if c.cell_type == "code"]


def run_cells(cells):
    """Run code cells.

    Parameters
    ----------
    cells : list of (int, str)

    Returns
    -------
    space : dict
        The variables at the end.
    printed : list of (int, str)
        What each cell printed or showed.
    """
    space, printed = {"__name__": "chapter"}, []
    for number, source in cells:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            shown = _run(source, space)
        printed.append((number, out.getvalue() + shown))
    return space, printed


def _run(source, space):
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        exec(compile(tree, "cell", "exec"), space)
        return ""
    exec(compile(ast.Module(tree.body[:-1], []), "cell", "exec"), space)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), space)
    called = getattr(last.value, "func", None)
    if value is None or getattr(called, "id", "") in _ALREADY:
        return ""
    if hasattr(value, "_repr_mimebundle_") and not hasattr(value, "_model_id"):
        texts = value._repr_mimebundle_()
        return str(texts.get("text/markdown", texts.get("text/plain", "")))
    return repr(value) if isinstance(value, str | int | float | np.ndarray) else ""


# --- functions and lines


def lines(cells):
    """Find what could be an answer: functions, expressions, and cells up to a line.

    Parameters
    ----------
    cells : list of (int, str)

    Yields
    ------
    tuple
        The number of the cell, the node, and the statements that go before it.
    """
    for number, source in cells:
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.Lambda | ast.FunctionDef):
                yield number, node, []
            elif isinstance(node, ast.BinOp | ast.Call | ast.Subscript | ast.Compare):
                yield number, node, []
        plain = itertools.takewhile(_is_plain, tree.body)
        for count, statement in enumerate(list(plain)):
            if count and isinstance(statement, ast.Assign):
                yield number, statement.value, tree.body[:count]


def _is_plain(statement):
    return isinstance(statement, ast.Assign | ast.FunctionDef | ast.Import)


def answers(node, before, space, count):
    """Make functions of so many arguments of a node.

    Parameters
    ----------
    node : ast.AST
    before : list of ast.stmt
    space : dict
        The variables of the chapter.
    count : int

    Yields
    ------
    callable
    """
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        arguments = node.args
        if len(arguments.args) == count and not arguments.kwonlyargs:
            for order in itertools.permutations(range(count)):
                yield _reordered(_function(node, space), order)
        return
    free = sorted(_data_names([*before, node], space))
    if not count <= len(free) <= MOST_NAMES:
        return
    for chosen in itertools.permutations(free, count):
        yield _of_names(node, before, space, chosen)


def _data_names(nodes, space):
    """Return the names that are read before they are set and hold no function."""
    found, known = set(), set()
    for part in nodes:
        inner = list(ast.walk(part))
        known |= {node.arg for node in inner if isinstance(node, ast.arg)}
        # The variables of a comprehension are its own.
        loops = [node.target for node in inner if isinstance(node, ast.comprehension)]
        known |= {name.id for loop in loops for name in _names(loop)}
        found |= {n.id for n in _names(part) if _is_read(n) and n.id not in known}
        known |= {name.id for name in _names(part) if not _is_read(name)}
        known |= {node.name for node in inner if isinstance(node, ast.FunctionDef)}
    free = (name for name in found if not hasattr(builtins, name))
    return {name for name in free if not _is_tool(space.get(name))}


def _names(node):
    return [inner for inner in ast.walk(node) if isinstance(inner, ast.Name)]


def _is_read(name):
    return isinstance(name.ctx, ast.Load)


def _is_tool(value):
    return callable(value) or isinstance(value, types.ModuleType)


def _function(node, space):
    if isinstance(node, ast.Lambda):
        return eval(compile(ast.Expression(node), "line", "eval"), space)
    inner = dict(space)
    exec(compile(ast.Module([node], []), "line", "exec"), inner)
    return inner[node.name]


def _reordered(function, order):
    return lambda *inputs: function(*(inputs[i] for i in order))


def _of_names(node, before, space, chosen):
    head = compile(ast.Module(before, []), "line", "exec") if before else None
    code = compile(ast.Expression(node), "line", "eval")

    def answer(*inputs):
        inner = space | dict(zip(chosen, inputs, strict=True))
        if head:
            exec(head, inner)
        return eval(code, inner)

    return answer


def passes(exercise, answer, inputs):
    """Say whether an answer passes all inputs of an exercise.

    Parameters
    ----------
    exercise : Exercise
    answer : callable
    inputs : list of tuple
        The exercise's own, drawn once.

    Returns
    -------
    bool
    """
    for tried in inputs:
        outcome = judge.run(answer, tried, exercise.may_use)
        right = judge.run(exercise.solution, tried)
        if _trial(exercise, tried, outcome, right).complaint:
            return False
    return True


@contextlib.contextmanager
def _limited():
    def stop(*_):
        raise TooSlow

    former = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    except TooSlow:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def leaking_lines(where, cells, space, functions):
    """Find functions and lines that pass the check of an exercise.

    Parameters
    ----------
    where : str
        The page, for the report.
    cells : list of (int, str)
    space : dict
        The variables of the chapter.
    functions : list of (Exercise, list of tuple, int)
        Exercises that ask for a function, their inputs, and how many arguments.

    Returns
    -------
    list of Leak
    """
    found = {}
    for number, node, before in lines(cells):
        short = len(list(ast.walk(node))) < SHORT
        for exercise, inputs, count in functions:
            if short and exercise.name in HARMLESS:
                continue
            for answer in _made(answers(node, before, space, count)):
                with _limited():
                    if passes(exercise, answer, inputs):
                        text = ast.unparse(node)
                        place = f"{where}, cell {number}"
                        found[place, exercise.name] = Leak(place, exercise.name, text)
    return list(found.values())


def _made(candidates):
    """Leave out what cannot even be made, such as a part of a pattern."""
    while True:
        try:
            yield next(candidates)
        except StopIteration:
            return
        except Exception:
            return


# --- numbers


def numbers_in(text):
    """Return the numbers that a text prints.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of float
    """
    found = []
    for written in _NUMBER.findall(text):
        number = float(written.strip("%").replace(",", "").replace("−", "-"))
        found += [number, number / 100] if written.endswith("%") else [number]
    return found


def leaking_numbers(where, blocks, values):
    """Find paragraphs and outputs that print the whole answer to an exercise.

    Parameters
    ----------
    where : str
    blocks : list of str
    values : list of Exercise
        Exercises that ask for numbers.

    Returns
    -------
    list of Leak
    """
    found = {}
    for text in blocks:
        here = numbers_in(text)
        for exercise in values:
            wanted = np.atleast_1d(np.array(exercise.solution(), float))
            if all(any(_near(x, w, exercise) for x in here) for w in wanted):
                found[exercise.name] = Leak(where, exercise.name, text.strip())
    return list(found.values())


def _near(x, wanted, exercise):
    # A digit is a count of something, unless it is the very answer. And what lies at
    # the edge of a tolerance is another number of the text.
    if abs(x) < 10 and x == int(x) and x != wanted:
        return False
    return judge.same(np.array(x), np.array(wanted), exercise.tolerance / 3)


# --- the book


def leaks(paths):
    """Find all that passes, in chapters and in pages without code.

    Parameters
    ----------
    paths : list of pathlib.Path
        Markdown files; the notebook beside one is run.

    Returns
    -------
    list of Leak
    """
    os.environ[SWITCH] = "withheld"
    masters = [load(name) for name in names()]
    functions = [(m, m.inputs(), len(m.inputs()[0])) for m in masters if m.probes]
    values = [m for m in masters if not m.probes]
    found = []
    for path in paths:
        blocks = re.split(r"\n\s*\n", _prose(path.read_text(encoding="utf-8")))
        notebook = path.with_suffix(".ipynb")
        if notebook.is_file():
            cells = code_cells(notebook)
            space, printed = run_cells(cells)
            blocks += [text for _, text in printed]
            found += leaking_lines(path.name, cells, space, functions)
        found += leaking_numbers(path.name, blocks, _of_chapter(path, values))
    return found


def _of_chapter(path, exercises):
    """Keep those whose numbers mean something here: elsewhere 0.33 is any third."""
    return [one for one in exercises if path.name[:2] == one.name[:2]]


def _prose(text):
    """Return a page without its code cells and addresses: no result stands there."""
    words = re.sub(r"^```\{code-cell\}.*?^```$", "", text, flags=re.M | re.S)
    return re.sub(r"\]\([^)]*\)", "]", words)


def main(arguments=None):
    """Print what passes; return 1 if anything does."""
    given = sys.argv[1:] if arguments is None else arguments
    pages = [Path(one) for one in given] or sorted((ROOT / "chapters").glob("*.md"))
    found = leaks(pages)
    print("\n".join([*map(str, found), f"{len(found)} answers are shown"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

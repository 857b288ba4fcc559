"""One name, one thing: figures, questions and exercises of the book are not mixed up.

A link sets the figure that it names, and an answer is kept under the name of its
question. So a figure's ``id`` stands once on a page, and a prediction, a quiz or an
exercise is shown once in the whole book.
"""

import ast
from collections import defaultdict

from attnbook.widgets import every_figure
from booktools.content.problem import Problem
from booktools.content.prose import parse, read_page

SHOWN = ("predict", "quiz", "exercise")  # once in the book, by their first argument


def places(path, text, figures=None):
    """List the names that a page uses.

    Parameters
    ----------
    path : pathlib.Path
        Named in places; nothing is read from it.
    text : str
        The page.
    figures : set of str, optional
        The names of figures' classes; those of the package by default.

    Returns
    -------
    list of (tuple of str, str, int)
        Kind and name, file, line. A figure's name counts for its page.
    """
    figures = figures or {figure.__name__ for figure in every_figure()}
    found = []
    for cell in read_page(text)[1]:
        if cell.kind == "code":
            for kind, name, line in _named(cell.text, figures):
                where = f"figure of {path}" if kind == "figure" else kind
                found.append(((where, name), str(path), cell.line + line - 1))
    return found


def _named(code, figures):
    # (kind, name, line) of a cell's figures, questions and exercises
    for node in parse(code).body:
        call = getattr(node, "value", None)  # what a cell shows stands by itself
        if not isinstance(node, ast.Expr) or not isinstance(call, ast.Call):
            continue
        called = getattr(call.func, "id", getattr(call.func, "attr", ""))
        first = getattr(call.args[0], "value", None) if call.args else None
        if called in SHOWN and isinstance(first, str) and not call.keywords:
            yield called, first, call.lineno
        for keyword in call.keywords if called in figures else ():
            if keyword.arg == "id":
                yield "figure", getattr(keyword.value, "value", ""), call.lineno


def problems(paths):
    """Find names that stand for two things, with both places.

    Parameters
    ----------
    paths : list of pathlib.Path
        Pages.

    Returns
    -------
    list of Problem
        One for each further place of a name.
    """
    seen, found = defaultdict(list), []
    for path in paths:
        for key, file, line in places(path, path.read_text("utf-8")):
            if seen[key]:
                kind = key[0].partition(" ")[0]
                rule = f"the {kind} {key[1]!r} stands at {seen[key][0]} already: "
                rule += "a name is used once"
                found.append(Problem(path, line, rule, "number"))
            seen[key].append(f"{file}:{line}")
    return found

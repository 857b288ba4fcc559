"""Check that links which set a figure show what the text says.

A link such as ``[a quarter of its length](figure:dot?k2_x=1&k2_y=-0.75)`` needs a line
in the claims cell of its section::

    links({"a quarter of its length": "length_2 == start.length_2 / 4"})

The figure is set as the link sets it, and the condition must hold of what it measures
(`attnbook.widgets.conditions`). And everything that the link changes must matter: put
one entry back to what the page first shows, and the condition must fail. So no entry
can be changed by mistake. Links that only drag or show a value need none.
"""

import argparse
import ast
import re
import sys
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl

from booktools.content.problem import Problem
from booktools.content.prose import parse, read_page

_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\(figure:(?P<id>[\w-]+)\?(?P<query>[^)\s]*)\)")
_ON, _OFF = {"on", "true", "True", "1", "yes"}, {"off", "false", "False", "0", "no"}
FORM = 'write links({"text of the link": "condition", ...}) out, in a claims cell'


class Link(NamedTuple):
    """A link that sets a figure: where it stands, its text, the figure, the state."""

    line: int
    text: str
    id: str
    state: tuple  # pairs of name and text, as in the address


class Case(NamedTuple):
    """What a link of the book says: the class of its figure, states, the condition."""

    figure: type
    state: dict  # what the link makes of it
    start: dict  # what the page first shows
    condition: str


def in_text(text, line):
    """Find the links that set a figure.

    Parameters
    ----------
    text : str
        Prose.
    line : int
        The line on which it starts.

    Returns
    -------
    list of Link
    """
    found = []
    for match in _LINK.finditer(text):
        state = tuple(parse_qsl(match["query"], keep_blank_values=True))
        if not {"drag", "show"} & {name for name, _ in state}:
            at = line + text.count("\n", 0, match.start())
            found.append(Link(at, " ".join(match["text"].split()), match["id"], state))
    return found


def read(call, line):
    """Read one call of ``links``: text to (line, condition); None in another form."""
    if len(call.args) != 1 or not isinstance(call.args[0], ast.Dict):
        return None
    pairs = list(zip(call.args[0].keys, call.args[0].values, strict=True))
    parts = [part for pair in pairs for part in pair]
    if not all(isinstance(getattr(part, "value", None), str) for part in parts):
        return None
    return {key.value: (line + key.lineno - 1, text.value) for key, text in pairs}


def says(number, text, given):
    """Whether a number in words is held by the condition of the link that says it.

    Parameters
    ----------
    number : Found
        A number of the text, such as *a quarter*.
    text : str
        The text that it was found in.
    given : dict of str to (int, str)
        From `read`.

    Returns
    -------
    bool
        True if it stands in the text of a link, and the condition has it or what it is
        a part of: 0.25 or 4.
    """
    for match in _LINK.finditer(text):
        label = " ".join(match["text"].split())
        a, b = match.span("text")
        if label in given and a <= number.start and number.end <= b:
            constants = {
                node.value
                for node in ast.walk(ast.parse(given[label][1]))
                if isinstance(node, ast.Constant)
            }
            return bool({number.value, 1 / (number.value or 1)} & constants)
    return False


def figures_of(cells):
    """Find the figures that the code cells of a page make, each with its first state.

    Parameters
    ----------
    cells : list of Cell
        From `booktools.content.prose.read_page`.

    Returns
    -------
    dict of str to (str, tuple)
        The name of the class and the pairs of the state, by the figure's id.
    """
    found = {}
    for cell in cells:
        for node in ast.walk(parse(cell.text)) if cell.kind == "code" else ():
            given = _keywords(node)
            if "id" in given:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                found[given.pop("id")] = name, tuple(sorted(given.items()))
    return found


def _keywords(node):
    if not isinstance(node, ast.Call):
        return {}
    return {
        word.arg: word.value.value
        for word in node.keywords
        if isinstance(word.value, ast.Constant)
    }


def problems(path, shown, given, figures):
    """Find the links without a condition, and those that do not show what they say.

    Parameters
    ----------
    path : pathlib.Path
        The page.
    shown : list of Link
        The links of a section.
    given : dict of str to (int, str)
        From `read`.
    figures : dict
        From `figures_of`.

    Returns
    -------
    list of Problem
    """
    found, texts = [], {link.text for link in shown}
    for link in shown:
        said = _said(link, given, figures)
        if said:
            found.append(Problem(path, link.line, f"[{link.text}]: {said}", "link"))
    for text in given.keys() - texts:
        said = f"links, {text!r}: no link of this section has this text"
        found.append(Problem(path, given[text][0], said, "link"))
    return found


def _said(link, given, figures):
    if link.text not in given:
        return (
            "this link sets a figure and nothing says what it shows; write "
            f'links({{"{link.text}": "condition"}}) in the claims cell below'
        )
    if link.id not in figures:
        return f"this page makes no figure with the id {link.id!r}"
    return wrong(*figures[link.id], link.state, given[link.text][1])


@lru_cache(maxsize=1024)
def wrong(name, start, state, condition):
    """Say why a condition does not hold of a link, or does not notice it; else None.

    Parameters
    ----------
    name : str
        The class of the figure.
    start, state : tuple
        Pairs of the first state and of the link's.
    condition : str

    Returns
    -------
    str or None
    """
    try:
        case = _case(name, start, state, condition)
        if not _holds(case):
            return f"the figure does not show {condition!r}{_seen(case)}"
        return _unnoticed(case)
    except ValueError as error:
        return str(error)


def _case(name, start, state, condition):
    from attnbook import widgets  # not needed by a page without links

    figure = getattr(widgets, name, None)
    if figure is None:
        raise ValueError(f"attnbook.widgets has no figure {name}")
    first = {**figure().state, **dict(start)}
    spec = widgets.base.load_spec(figure.figure)["state"]
    unknown = [key for key, _ in state if key not in spec]
    if unknown:
        raise ValueError(f"the figure has no setting {unknown[0]!r}")
    set_to = {key: _read(spec[key], text) for key, text in state}
    return Case(figure, {**first, **set_to}, first, condition)


def _read(field, text):
    if field.get("nullable") and text == "none":
        return None
    if field["type"] == "boolean" and text in _ON | _OFF:
        return text in _ON
    if field["type"] in ("choice", "text"):
        return text
    return (int if field["type"] == "integer" else float)(text)


@cache
def _values(figure, state):
    import traitlets

    try:
        return figure(**dict(state)).values()
    except traitlets.TraitError as error:
        raise ValueError(str(error)) from error


def _holds(case):
    from attnbook.widgets import conditions

    now, first = (_values(case.figure, tuple(s.items())) for s in case[1:3])
    return conditions.holds(case.condition, now, first)


def _seen(case):
    # the values that the condition names, so that an author need not look them up
    names = {
        n.id for n in ast.walk(ast.parse(case.condition)) if isinstance(n, ast.Name)
    }
    values = _values(case.figure, tuple(case.state.items()))
    shown = [f"{name} = {values[name]}" for name in sorted(names & values.keys())]
    return f": {', '.join(shown)}" if shown else ""


def _unnoticed(case):
    for key, value in case.state.items():
        if value == case.start[key]:
            continue
        back = case._replace(state={**case.state, key: case.start[key]})
        if _holds(back):
            return (
                f"the link sets {key} = {value} where the figure starts with "
                f"{case.start[key]}, and {case.condition!r} holds either way; name it"
            )
    return None


def cases(paths):
    """List what the links of some pages say, to be held against the JavaScript as well.

    Parameters
    ----------
    paths : list of pathlib.Path

    Returns
    -------
    list of Case
        One for each link that has a condition.
    """
    found = []
    for path in paths:
        _, cells = read_page(path.read_text(encoding="utf-8"))
        figures, given = figures_of(cells), {}
        for cell in reversed(cells):
            if "claims" in cell.tags:
                given = _given(cell)
            for link in in_text(cell.text, 0) if cell.kind != "code" else ():
                if link.text in given and link.id in figures:
                    about = (*figures[link.id], link.state, given[link.text][1])
                    found.append(_case(*about))
    return found


def _given(cell):
    found = {}
    for node in ast.walk(parse(cell.text)):
        name = getattr(getattr(node, "func", None), "id", None)
        if isinstance(node, ast.Call) and name == "links":
            found |= read(node, 0) or {}
    return found


def main(argv=None):
    """Print what each link of some pages shows, for authors who look for a condition.

    Parameters
    ----------
    argv : list of str, optional
        Pages.

    Returns
    -------
    int
    """
    parser = argparse.ArgumentParser(description=main.__doc__.split("\n")[0])
    parser.add_argument("pages", nargs="+", type=Path)
    for path in parser.parse_args(argv).pages:
        _, cells = read_page(path.read_text(encoding="utf-8"))
        figures = figures_of(cells)
        for cell in (one for one in cells if one.kind != "code"):
            for link in in_text(cell.text, cell.line):
                case = _case(*figures[link.id], link.state, "")
                print(f"{path}:{link.line}: [{link.text}]")
                print("   ", _values(case.figure, tuple(case.state.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())

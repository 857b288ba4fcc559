"""Check the numbers in the words of the live figures, ``figures/NAME/en.json``.

A number of a figure is a ``{placeholder}``. What is said in words (*twice as long*) is
bound by ``numbers.toml`` in the same folder: an expression for each phrase, at the top
for all texts of the figure, in a table for one text or for those below it::

    "three keys" = "count('length_')"

    ["guides.dot.break"]
    "twice as long" = "q_length / start.q_length"

`attnbook.widgets.conditions` has the rules. For a step or a preset the names are values
of the figure in that state; ``start`` is the step before (for a preset: the figure at
first), ``next`` the step after. A number that only names a task or a choice of ours
says so: ``"defined: why"``.
"""

import json
import re
import tomllib

from attnbook.claims import differences
from attnbook.widgets import conditions, every_figure
from attnbook.widgets.base import load_spec
from booktools.content.claims import kind_of, what
from booktools.content.problem import Problem
from booktools.content.prose import blanked
from booktools.content.scope import in_scope

BINDINGS = "numbers.toml"


def texts_of(table, path=""):
    """List the texts of a nested table with their dotted paths.

    Parameters
    ----------
    table : dict
    path : str
        Where the table stands itself.

    Returns
    -------
    dict of str to str
    """
    found = {}
    for name, value in table.items():
        here = f"{path}.{name}" if path else name
        found |= texts_of(value, here) if isinstance(value, dict) else {here: value}
    return found


def problems(path, text, bindings=""):
    """Find the numbers in a table of words that are bound to nothing, or false.

    Parameters
    ----------
    path : pathlib.Path
        Names the figure by its folder; nothing is read from it.
    text : str
        JSON.
    bindings : str
        TOML, as the module's text shows it.

    Returns
    -------
    list of Problem
        Unbound numbers in the order of the table; then what is stale or false.
    """
    table, bound = texts_of(json.loads(text)), bound_in(tomllib.loads(bindings))
    found = []
    for where, words in table.items():
        keys = [key for at in bound if _under(where, at) for key in bound[at]]
        spans = [match.span() for key in keys for match in _places(key, words)]
        for one in in_scope(re.sub(r"\{[^{}]*\}", blanked, words)):
            if not any(a <= one.start and one.end <= b for a, b in spans):
                said = f"{what(one)}: words hold no number; write a {{placeholder}}"
                said += f', or bind it in {BINDINGS} under ["{where}"]'
                found.append(Problem(path, _line(text, words), said, kind_of(one)))
    return found + [
        Problem(path.with_name(BINDINGS), 1, f'["{at}"], "{key}": {said}', "word")
        for at in bound
        for key, expression in bound[at].items()
        for said in _wrong(path.parent.name, at, key, expression, table)
    ]


def bound_in(bindings):
    """Return the tables of bindings by their paths; ``""`` is what stands above all."""
    tables = {at: table for at, table in bindings.items() if isinstance(table, dict)}
    rest = {key: said for key, said in bindings.items() if key not in tables}
    return {"": rest, **tables}


def _under(where, at):
    return at in ("", where) or where.startswith(f"{at}.")


def _places(key, words):
    return re.finditer(rf"(?<!\w){re.escape(key)}(?!\w)", words)


def _line(text, words):
    at = text.find(json.dumps(words, ensure_ascii=False)[1:-1])
    return text.count("\n", 0, max(at, 0)) + 1


def _wrong(figure, at, key, expression, table):
    if not any(_under(w, at) and list(_places(key, table[w])) for w in table):
        yield "no text there says so; take the words of the text, or drop the line"
    elif not expression.startswith("defined: "):
        try:
            value = conditions.value(expression, **_scopes(figure, at))
            yield from differences({key: value})
        except ValueError as why:
            yield str(why)


def _scopes(figure, at):
    # the values that an expression under a path may name
    kind, guide, name, *_ = *at.split("."), "", ""
    if kind not in ("guides", "presets"):
        return {"values": _values(figure, {}), "start": {}, "next": {}}
    listed = {"guides": "steps", "presets": "presets"}[kind]
    items = load_spec(figure)["guides"][guide][listed]
    here = next((i for i, item in enumerate(items) if item["name"] == name), None)
    if here is None:
        raise ValueError(f"there is no {name!r} among the {listed} of {figure}")
    own = {"guide": guide} if "guide" in load_spec(figure)["state"] else {}
    states = [{**own, **item.get("state", {})} for item in items]
    before = states[here - 1] if kind == "guides" and here else own
    after = states[here + 1] if here + 1 < len(states) else states[here]
    found = zip(("values", "start", "next"), (states[here], before, after), strict=True)
    return {scope: _values(figure, state) for scope, state in found}


def _values(figure, state):
    constants = load_spec(figure).get("constants", {})
    (made,) = [one for one in every_figure() if one.figure == figure]
    return {**constants, **made(**state).values()}


def read(path):
    """Check a table of words that is in the repository, with its bindings.

    Parameters
    ----------
    path : pathlib.Path
        Such as ``figures/dot_explorer/en.json``.

    Returns
    -------
    list of Problem
    """
    bindings = path.with_name(BINDINGS)
    bound = bindings.read_text(encoding="utf-8") if bindings.is_file() else ""
    return problems(path, path.read_text(encoding="utf-8"), bound)

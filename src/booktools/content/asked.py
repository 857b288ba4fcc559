"""Check that the answers of all questions of a section are bound to code.

A claims cell binds them by ``answers({"name": value})``; `attnbook.questions.holding`
has the forms and compares the values when the page runs. Here the names count, the
form, and that the text given for a choice is that of the right one.
"""

import ast

from booktools.content.problem import Problem

FORM = 'write answers({"name": value, ...}) out, in a claims cell'


def read(call, line):
    """Read one call of ``answers``.

    Parameters
    ----------
    call : ast.Call
    line : int
        The line of the page on which its cell starts.

    Returns
    -------
    dict of str to (int, ast.expr)
        For each question the line and what is given; None for a call in another form.
    """
    if len(call.args) != 1 or not isinstance(call.args[0], ast.Dict):
        return None
    pairs = zip(call.args[0].keys, call.args[0].values, strict=True)
    return {
        getattr(key, "value", None): (line + key.lineno - 1, value)
        for key, value in pairs
        if key is not None
    }


def problems(path, asked, given, values):
    """Find the questions without an answer, and the answers that prove nothing.

    Parameters
    ----------
    path : pathlib.Path
        The page.
    asked : dict of str to (int, dict)
        The questions that the section shows: the line, and the question's table.
    given : dict of str to (int, ast.expr)
        From `read`.
    values : booktools.content.literals.Values
        What the section's code gives to names.

    Returns
    -------
    list of Problem
    """
    found = [
        Problem(path, line, _missing(name, table), "answer")
        for name, (line, table) in asked.items()
        if name not in given
    ]
    for name, (line, node) in given.items():
        said = _unknown(name, asked) or _form(node, asked[name][1], values)
        if said:
            found.append(Problem(path, line, f"answers, {name!r}: {said}", "answer"))
    return found


def _missing(name, table):
    kind = table.get("kind", "choice")
    value = {"choice": '("start of the right choice", condition)'}.get(
        kind, "[value, ...]"
    )
    return (
        f"the answer of {name!r} is bound to no code; write "
        f'answers({{"{name}": {value}}}) in the claims cell below'
    )


def _unknown(name, asked):
    return None if name in asked else "this section asks no such question"


def _form(node, table, values):
    if table.get("kind", "choice") != "choice":
        first = node.elts[0] if isinstance(node, ast.List) and node.elts else node
        return values.problem(first)
    if not isinstance(node, ast.Tuple) or len(node.elts) != 2:
        return values.problem(node)
    text, condition = node.elts
    if not isinstance(getattr(text, "value", ""), str):
        return values.problem(node)  # (number, tolerance)
    if isinstance(condition, ast.Constant):
        return f'{condition.value!r} is no condition; say why by judged("why")'
    return _starts(text, table)


def _starts(text, table):
    start = getattr(text, "value", None)  # None where an f-string computes it
    right = [c["text"].strip() for c in table.get("choices", []) if c.get("right")]
    if start is None or any(choice.startswith(start) for choice in right):
        return None
    return f"the right choice does not start with {start!r}"

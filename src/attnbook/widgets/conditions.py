"""Conditions on what a figure shows, such as ``"length_2 == start.length_2 / 4"``.

A name is a state or a measured value of the figure, ``start.name`` the same as the page
first shows the figure. There are numbers, texts in quotes, ``+ - * / **``, comparisons
(also chained), ``and``, ``or``, ``not``, ``abs``, ``round``; ``count("w")`` counts the
values w1, w2 and so on. Two numbers are equal if they differ by a billionth at most.
"""

import ast
import operator
import re

CLOSE = 1e-9
_ARITHMETIC = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_ORDER = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_CALLS = {"abs": abs, "round": round}


def links(conditions):
    """Say of each link that sets a figure what the figure then shows.

    The build sets the figure as the link does, and looks. Here only the form counts: a
    notebook does not know its own text.

    Parameters
    ----------
    conditions : dict of str to str
        For the text of each link a condition; the module's text has the rules.

    Raises
    ------
    ValueError
        If a condition is none.
    """
    for condition in conditions.values():
        parse(condition)


def parse(condition):
    """Read a condition.

    Parameters
    ----------
    condition : str

    Returns
    -------
    ast.expr

    Raises
    ------
    ValueError
        If it is no comparison of values.
    """
    try:
        tree = ast.parse(condition.strip(), mode="eval").body
    except SyntaxError as why:
        raise ValueError(
            f"a condition must be an expression, got {condition!r}"
        ) from why
    if isinstance(tree, ast.Constant):
        raise ValueError(f"a condition must look at a value, got {condition!r}")
    return tree


def holds(condition, values, start):
    """Whether a condition holds for a figure.

    Parameters
    ----------
    condition : str
    values, start : dict
        State and measured values now, and as the page first shows the figure.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        If the condition is none, or names what the figure does not have.
    """
    return bool(value(condition, values, start))


def value(expression, values, start, next=None):
    """Work out an expression of a figure's values, such as ``"n / start.n"``.

    Parameters
    ----------
    expression : str
    values, start : dict
        As for `holds`.
    next : dict, optional
        State and values of the step after, for names such as ``next.n``.

    Returns
    -------
    object

    Raises
    ------
    ValueError
        If it is not allowed, or names what the figure does not have.
    """
    scopes = {"": values, "start": start, "next": next or {}}
    try:
        return _value(parse(expression), scopes)
    except (KeyError, TypeError, ArithmeticError) as why:
        raise ValueError(f"the condition {expression!r} has no value: {why}") from why


def _value(node, scopes):
    def value(part):
        return _value(part, scopes)

    match node:
        case ast.Constant(value=constant):
            return constant
        case ast.Name(id=name):
            return scopes[""][name]
        case ast.Attribute(value=ast.Name(id=scope), attr=name) if scope in scopes:
            return scopes[scope][name]
        case ast.Call(func=ast.Name(id="count"), args=[ast.Constant(value=start)]):
            return sum(bool(re.fullmatch(rf"{start}\d+", key)) for key in scopes[""])
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(map(value, parts))
        case ast.BoolOp(values=parts):
            return any(map(value, parts))
        case ast.Compare(left=left, ops=relations, comparators=others):
            return _compared(list(map(value, [left, *others])), relations)
    return _worked_out(node, value)


def _worked_out(node, value):
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return not value(inner)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -value(inner)
        case ast.BinOp(op=op) if type(op) in _ARITHMETIC:
            return _ARITHMETIC[type(op)](value(node.left), value(node.right))
        case ast.Call(func=ast.Name(id=name), args=given) if name in _CALLS:
            return _CALLS[name](*map(value, given))
    raise ValueError(f"{ast.unparse(node)!r} is not allowed in a condition")


def _compared(values, relations):
    pairs = zip(relations, values[:-1], values[1:], strict=True)
    return all(_related(type(relation), a, b) for relation, a, b in pairs)


def _related(relation, a, b):
    if relation in _ORDER:
        return _ORDER[relation](a, b)
    numbers = all(isinstance(x, int | float) for x in (a, b))
    equal = abs(a - b) <= CLOSE * max(1, abs(a), abs(b)) if numbers else a == b
    if relation not in (ast.Eq, ast.NotEq):
        raise ValueError(f"{relation.__name__} is not allowed in a condition")
    return equal == (relation is ast.Eq)

"""Small formulas in question files, such as ``sqrt(x)``, worked out at load time.

A stored number can go stale. A formula names where the number comes from.
"""

import ast
import math
import operator

from attnbook.questions import truths

_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS = {"sqrt": math.sqrt, "ln": math.log, "exp": math.exp, **truths.TRUTHS}


def evaluate(text, **names):
    """Work out a formula.

    Parameters
    ----------
    text : str
        Numbers, ``+ - * / **``, ``pi``, the given names, and calls of ``sqrt``,
        ``ln``, ``exp`` and the functions of `attnbook.questions.truths`.
    **names : float
        The values of the names, for instance ``x=2.0``.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the formula holds anything else, or has no finite real value.
    """
    try:
        tree = ast.parse(str(text), mode="eval").body
        value = float(_value(tree, {"pi": math.pi, **names}))
    except (ValueError, SyntaxError, ArithmeticError, TypeError, RecursionError) as why:
        raise ValueError(f"a formula must have a value, got {text!r}: {why}") from why
    if not math.isfinite(value):
        raise ValueError(f"a formula must have a finite value, got {text!r} = {value}")
    return value


def _value(node, names):
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, names)
        case ast.BinOp(op=op) if type(op) in _OPERATORS:
            left, right = _value(node.left, names), _value(node.right, names)
            return _OPERATORS[type(op)](left, right)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            return _call(name, args, keywords, names)
    raise ValueError(f"{ast.unparse(node)!r} is not allowed")


def _call(name, args, keywords, names):
    if name not in _FUNCTIONS:
        raise ValueError(f"no function {name!r}; there are {', '.join(_FUNCTIONS)}")
    values = [_value(argument, names) for argument in args]
    options = {word.arg: _value(word.value, names) for word in keywords}
    return _FUNCTIONS[name](*values, **options)

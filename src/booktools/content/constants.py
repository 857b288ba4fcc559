"""Find the numbers that code holds, and the names that it gives them."""

import ast
from collections import defaultdict

from booktools.content.prose import parse


class Constants:
    """The numbers of some code cells.

    ``loose`` is the set of all; ``named`` maps a name to those that the code gives it:
    by assignment, as a default, as an argument of a call, or in a loop.

    Parameters
    ----------
    sources : list of str
        Code cells, in order.
    """

    def __init__(self, sources):
        self.loose, self.named, self._parameters = set(), defaultdict(set), {}
        for tree in map(parse, sources):
            for node in ast.walk(tree):
                self._read(node)

    def _read(self, node):
        value = _number(node)
        if value is not None:
            self.loose.add(value)
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, value)
            case ast.AnnAssign(target=target, value=ast.AST() as value):
                self._assign(target, value)
            case (
                ast.For(target=target, iter=values)
                | ast.comprehension(target=target, iter=values)
            ):
                self._name(target, values)
            case ast.keyword(arg=str() as name, value=value):
                self.named[name] |= _numbers(value)
            case ast.FunctionDef(name=name, args=args):
                self._define(name, args)
            case ast.Call(func=ast.Name(id=name), args=given):
                for parameter, value in zip(
                    self._parameters.get(name, ()), given, strict=False
                ):
                    self.named[parameter] |= _numbers(value)

    def _define(self, name, args):
        self._parameters[name] = [arg.arg for arg in args.args]
        given = args.args[len(args.args) - len(args.defaults) :]
        for arg, default in zip(given, args.defaults, strict=True):
            self.named[arg.arg] |= _numbers(default)
        for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            self.named[arg.arg] |= _numbers(default) if default else set()

    def _assign(self, target, value):
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            if len(target.elts) == len(value.elts):
                pairs = zip(target.elts, value.elts, strict=True)
        for one, its in pairs:
            self._name(one, its)

    def _name(self, target, value):
        for node in ast.walk(target):
            name = getattr(node, "id", getattr(node, "attr", None))
            if name:
                self.named[name] |= _numbers(value)


def _number(node):
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(
            value, bool
        ):
            return float(value)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            inner = _number(inner)
            return None if inner is None else -inner
        case ast.BinOp(
            left=left, op=ast.Pow() | ast.Div() | ast.Mult() as op, right=right
        ):
            return _arithmetic(_number(left), op, _number(right))
    return None


def _arithmetic(left, op, right):
    if left is None or right is None:
        return None
    try:
        if isinstance(op, ast.Pow):
            return float(left**right)
        return left / right if isinstance(op, ast.Div) else left * right
    except (ArithmeticError, TypeError):
        return None


def _numbers(tree):
    return {v for node in ast.walk(tree) if (v := _number(node)) is not None}

"""A literal is no computation: what may stand as a value in a claims cell.

A value that only repeats its phrase proves nothing: the same hand typed both. So a
number, a list of numbers, arithmetic of numbers, or a name for one of these is
refused. Somebody else's number is ``quoted("source")``; a choice of ours is
``defined(n)``, and then the code must hold it.
"""

import ast
import re
from collections import defaultdict

from booktools.content.constants import Constants
from booktools.content.prose import parse

_PLAIN = {"array", "asarray", "float", "int", "float64", "float32"}
_CITATION = re.compile(r"[a-z]+\d{4}[a-z0-9]*")
RULE = "a literal is no computation"
NO_SOURCE = 'quoted needs its source: quoted("a key of the bibliography, or a name")'


class Values:
    """What the code of a section gives to names, to judge the values of its claims.

    Parameters
    ----------
    code : sequence of str
        The section's code cells, without the claims.
    bound : sequence of str
        The values of the claims: what they compute counts as code too.
    before : sequence of str
        Code of the sections before.
    cited : set of str or None
        The keys of the bibliography; None where it is not at hand.
    """

    def __init__(self, code, bound=(), before=(), cited=None):
        code = [*code, *(part for value in bound for part in _computed(value))]
        self.own = Constants(code)
        self.assigned, self.cited = _assigned([*before, *code]), cited
        trees = [parse(source) for source in [*before, *code]]
        self.used = {
            node.id
            for tree in trees
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }

    def problem(self, node):
        """Say what is wrong with the value of a claim, or return None."""
        if isinstance(node, ast.Tuple) and node.elts:
            node = node.elts[0]  # (value, tolerance)
        if isinstance(node, ast.Name) and node.id == "quoted":
            return NO_SOURCE
        if _called(node) == "quoted":
            return self._quoted(node)
        if _called(node) == "defined":
            return self._defined(node)
        if isinstance(node, ast.List):
            return self._list(node)
        return self._literal(node)

    def _list(self, node):
        # an input may stand beside what is computed from it: [2, slope(2)]
        computed = [part for part in node.elts if not self.is_literal(part)]
        given = {ast.dump(part) for whole in computed for part in ast.walk(whole)}
        parts = (part for part in node.elts if ast.dump(part) not in given)
        return next(filter(None, map(self.problem, parts)), None)

    def _literal(self, node):
        if not self.is_literal(node):
            return None
        value = ast.unparse(node)
        return (
            f"{RULE}: {value} only repeats the text. Compute it, or write "
            f'quoted("source") for a number that is cited, defined({value}) for a '
            "choice that the code uses"
        )

    def is_literal(self, node):
        """Whether a value is a number or numbers, or a name for no more than that."""
        if isinstance(node, ast.Name):
            values = self.assigned.get(node.id)
            return bool(values) and all(map(_is_number, values))
        return _is_number(node)

    def _quoted(self, node):
        source = getattr(node.args[0], "value", None) if node.args else None
        if not isinstance(source, str):
            return NO_SOURCE
        if self.cited is not None and _CITATION.fullmatch(source):
            if source not in self.cited:
                return f"quoted({source!r}): the bibliography has no such key"
        return None

    def _defined(self, node):
        inner = node.args[0] if len(node.args) == 1 else None
        if isinstance(inner, ast.Name):
            there = inner.id in self.assigned and inner.id in self.used
            return None if there else f"defined({inner.id}): the code uses no such name"
        values = {abs(v) for v in _numbers(inner)} if inner is not None else set()
        if not values:
            return "defined takes a number or a name of the code: defined(n_samples)"
        missing = values - {abs(value) for value in self.own.loose}
        if missing:
            shown = ", ".join(f"{value:g}" for value in sorted(missing))
            return f"defined({ast.unparse(inner)}): the section's code has no {shown}"
        return None


def _computed(value):
    # the parts of a value that compute something: calls, and arithmetic with names
    todo = [ast.parse(value, mode="eval").body]
    while todo:
        node = todo.pop()
        plain = _called(node) in {"defined", "quoted", *_PLAIN} or _is_number(node)
        if isinstance(node, ast.Call | ast.BinOp | ast.Subscript) and not plain:
            yield ast.unparse(node)
        elif isinstance(node, ast.List | ast.Tuple):
            todo += node.elts


def _called(node):
    if not isinstance(node, ast.Call):
        return None
    return getattr(node.func, "id", getattr(node.func, "attr", None))


def _is_number(node):
    # a number, numbers in brackets, or arithmetic of numbers
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int | float) and not isinstance(value, bool)
        case ast.UnaryOp(operand=inner):
            return _is_number(inner)
        case ast.Lambda(body=body):  # a formula of numbers alone, typed again
            return _is_number(body)
        case ast.BinOp(left=left, right=right):
            return _is_number(left) and _is_number(right)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return bool(parts) and all(map(_is_number, parts))
        case ast.Call(args=[inner]) if _called(node) in _PLAIN:
            return _is_number(inner)
    return False


def _numbers(node):
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, int | float):
            yield float(part.value)


def _assigned(sources):
    # name -> all values that it is given; None for those that cannot be followed
    found = defaultdict(list)
    for node in (node for s in sources for node in ast.walk(parse(s))):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    _pair(found, target, value)
            case ast.AugAssign(target=target) | ast.For(target=target):
                _pair(found, target, None)
    return found


def _pair(found, target, value):
    if isinstance(target, ast.Tuple):
        values = value.elts if isinstance(value, ast.Tuple) else [None] * 99
        for one, its in zip(target.elts, values, strict=False):
            _pair(found, one, its)
    elif isinstance(target, ast.Name):
        found[target.id].append(value)

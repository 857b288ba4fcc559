r"""Try formulas at random points: against each other, and against code.

A formula of the text is bound to a function whose parameters are its symbols, by the
names that code has for them (``d_{\text{model}}`` is ``d_model``)::

    "$8nd^2$": lambda n, d: ab.attention_cost(n, n, d, d, d_model=d).projections.flops

Both are worked out at a handful of points, drawn anew for each symbol from what such a
symbol may be: counts (``n d h m k l B T`` and the like, from 2 on), positive numbers
(``tau sigma``), probabilities (``p``), any numbers, vectors where the formula counts
entries (``w`` sums to 1), places in them (``i j``). `over` says otherwise.

A symbol that stands alone on a side and is no parameter, such as ``n`` in ``n = 6d``,
is a name for what the function returns. So is a side that cannot be worked out.
"""

import inspect
from typing import NamedTuple

import numpy as np

from attnbook.formulas import FormulaError, evaluate, parse, symbols
from attnbook.statements import Statement

POINTS = 5
EXACT = 1e-9  # the relative tolerance between a formula and its code
ROUGH = 0.05  # of \approx between two sides of which none is a printed number
LENGTH = 5  # entries of a random vector
_COUNTS = "n d h m k l L B T N rows columns"
_COMPARED = {
    "<": np.less,
    "<=": lambda left, right: left <= right + EXACT * np.abs(right),
    ">": np.greater,
    ">=": lambda left, right: left >= right - EXACT * np.abs(right),
    "!=": np.not_equal,
}
_KINDS = {
    **dict.fromkeys(_COUNTS.split(), (2, 48)),
    **dict.fromkeys("tau sigma beta alpha".split(), (0.2, 4.0)),
    **dict.fromkeys("p w".split(), (0.02, 0.98)),
    **dict.fromkeys("a b c s t x y z mu Delta".split(), (-3.0, 3.0)),
    "rho": (-0.95, 0.95),
    "theta": (0.0, float(np.pi)),
}


class Over(NamedTuple):
    """A function with the domains of its symbols: see `over`."""

    function: object
    domains: dict


class Proved(NamedTuple):
    """The test that proves a formula: see `proved`."""

    test: str


# Marks a formula that defines what it names, so that there is nothing to compute.
definition = type("Definition", (), {"__repr__": lambda self: "definition"})()


def over(function, **domains):
    """Bind a formula to a function, and say where to try them.

    Parameters
    ----------
    function : callable
        Its parameters are symbols of the formula, or names among `domains`.
    **domains : tuple, list or callable
        For a symbol: ``(low, high)``, whole numbers if both are, both included; a list
        to choose from; or a function of other symbols, by their names, that works the
        value out (without parameters, for a constant or for a function ``f`` of the
        text).

    Returns
    -------
    Over
    """
    return Over(function, domains)


def proved(test):
    """Bind a formula that cannot be worked out to the test that proves it.

    Parameters
    ----------
    test : str
        ``"tests/kernel/test_kernel.py::test_name"``; the static check looks for it.

    Returns
    -------
    Proved

    Raises
    ------
    ValueError
        If the text does not name a file and a test.
    """
    path, _, name = str(test).partition("::")
    if not (path.startswith("tests/") and name.startswith("test_")):
        raise ValueError(f"proved needs 'tests/ROOM/FILE.py::test_NAME', got {test!r}")
    return Proved(test)


def equal(tex_a, tex_b):
    """Tell whether two expressions have the same value wherever they are tried.

    Parameters
    ----------
    tex_a, tex_b : str
        Two expressions.

    Returns
    -------
    bool

    Raises
    ------
    attnbook.formulas.FormulaError
        If one is outside of the grammar, or a symbol has no domain.
    """
    pair = Statement((tex_a, tex_b), ("=",))
    return all(_holds_at(pair, worked) for _, worked in _points(pair.sides, {}))


# --- points


def _points(sides, domains, more=()):
    # (values, what each side is there), where all sides are finite
    kinds = {}
    for side in sides:
        kinds |= {n: k for n, k in symbols(side).items() if kinds.get(n) != "vector"}
    names = list(dict.fromkeys([*kinds, *more, *domains]))
    rng, kept = np.random.default_rng(0), []
    for _ in range(20 * POINTS):
        values = _draw(names, kinds, domains, rng)
        worked = [evaluate(side, **values) for side in sides]
        if not kinds or all(np.isfinite(one).all() for one in worked):
            kept.append((values, worked))
        if len(kept) == POINTS or not names:
            return kept
    raise FormulaError(f"{' and '.join(sides)!r}: no value at nearly all points")


def _draw(names, kinds, domains, rng):
    values = {}
    for name in names:
        domain = domains.get(name)
        if not callable(domain):
            values[name] = _drawn(name, kinds.get(name), domain, rng)
    for name, domain in domains.items():
        if callable(domain):
            values[name] = _call(domain, values)
    return values


def _drawn(name, kind, domain, rng):
    if isinstance(domain, list):
        return domain[rng.integers(len(domain))]
    base = name.partition("_")[0]
    if domain is None and (kind == "index" or name in ("i", "j")):
        return int(rng.integers(LENGTH))
    if domain is None and kind == "vector":
        drawn = rng.normal(size=LENGTH)
        return np.exp(drawn) / np.exp(drawn).sum() if base == "w" else drawn
    if domain is None and (kind == "quantity" or base not in _KINDS):
        raise FormulaError(
            f"no domain is known for {name}: write over(..., {name}=...)"
        )
    low, high = domain or _KINDS[base]
    if isinstance(low, int) and isinstance(high, int):
        return int(rng.integers(low, high + 1))
    return float(rng.uniform(low, high))


def _call(function, values):
    given = inspect.signature(function).parameters
    return function(**{name: values[name] for name in given if name in values})


def _taken(function):
    # the parameters that need a value; others keep their default
    given = inspect.signature(function).parameters.values()
    return [one.name for one in given if one.default is one.empty]


# --- comparing


def _holds_at(statement, worked, tolerance=EXACT):
    steps = enumerate(statement.relations)
    return all(
        _related(relation, worked[at : at + 2], statement.sides[at : at + 2], tolerance)
        for at, relation in steps
    )


def _related(relation, values, texts, tolerance):
    left, right = (np.asarray(value, dtype=float) for value in values)
    if relation in ("=", "~"):
        loose = max(tolerance, ROUGH) if relation == "~" else tolerance
        half_step = max(_step(text, relation) for text in texts) / 2
        return _close(left, right, half_step, loose)
    return relation == "in" or bool(_COMPARED[relation](left, right).all())


def _close(left, right, half_step, tolerance):
    if left.shape != right.shape:
        return False
    if half_step:
        return bool((np.abs(left - right) <= half_step * (1 + 1e-9)).all())
    return np.allclose(left, right, rtol=tolerance, atol=1e-12, equal_nan=True)


def _step(text, relation):
    # one unit of the last digit that a side prints; 0 where it is no rounded number
    digits = text.replace("{,}", "").replace(",", "").lstrip("-+ ")
    whole, point, places = digits.partition(".")
    if not (whole + places).isdigit() or not (point or relation == "~"):
        return 0.0
    return 10.0 ** -len(places)


def _side(text, known):
    # the side itself, or None for a side that is a name or cannot be worked out
    try:
        node, found = parse(text), symbols(text)
    except FormulaError:
        return None
    unknown = {name: kind for name, kind in found.items() if name not in known}
    if unknown and (node.kind in ("symbol", "entry") or "quantity" in unknown.values()):
        return None
    if unknown:
        names = ", ".join(unknown)
        raise FormulaError(f"{text!r} has {names}, which the function does not take")
    return text


def mismatch(statement, bound, *, relation="=", tolerance=EXACT):
    """Compare what a text states with what code computes.

    Parameters
    ----------
    statement : attnbook.formulas.Statement
        From `attnbook.formulas.statements`.
    bound : callable or Over
        The code.
    relation : str
        How the code's value stands to a formula without a relation of its own: ``"="``,
        ``"~"``, ``"<"``, ``"<="``, ``">"`` or ``">="``.
    tolerance : float
        Relative.

    Returns
    -------
    str
        The point, what the text gives and what the code computes; ``""`` if they agree.

    Raises
    ------
    attnbook.formulas.FormulaError
        If no side can be worked out, or symbols and parameters do not fit.
    """
    function, domains = bound if isinstance(bound, Over) else (bound, {})
    taken = _taken(function)
    known = {*inspect.signature(function).parameters, *domains}
    sides = [_side(side, known) for side in statement.sides]
    written = [side for side in sides if side is not None]
    _check_parameters(statement, written, taken, domains)
    for values, worked in _points(written, domains, taken):
        computed = _call(function, values)
        chain, numbers = _with_code(statement, sides, worked, computed, relation)
        if not _holds_at(chain, numbers, tolerance):
            return _said(values, written, worked, computed)
    return ""


def _check_parameters(statement, written, taken, domains):
    whole = " ".join(statement.sides)
    if not written:
        raise FormulaError(f"no side of {whole!r} can be worked out: name its test")
    found = {name for side in written for name in symbols(side)}
    stray = [name for name in taken if name not in {*found, *domains}]
    stray += _idle(domains, found.union(taken))
    if stray:
        raise FormulaError(f"{whole!r} has no symbol {', '.join(stray)}")


def _idle(domains, used):
    # what is worked out for nothing: E_x of a text that says E[y]
    made = {name: one for name, one in domains.items() if callable(one)}
    used = used.union(*map(_taken, made.values()))
    return [name for name in made if name not in used]


def _with_code(statement, sides, worked, computed, relation):
    # the chain in which the code's value stands for each side that is a name
    left = iter(worked)
    numbers = [computed if side is None else next(left) for side in sides]
    if None in sides:
        return statement, numbers
    at = next((i for i, side in enumerate(sides) if symbols(side)), 0)
    own = Statement(
        (*statement.sides, "", sides[at]), (*statement.relations, "in", relation)
    )
    return own, [*numbers, computed, numbers[at]]


def _said(values, written, worked, computed):
    point = ", ".join(f"{name} = {_short(value)}" for name, value in values.items())
    given = " and ".join(dict.fromkeys(map(_short, worked)))
    where = f"at {point} " if point else ""
    return f"{where}the text gives {given}, the code computes {_short(computed)}"


def _short(value):
    if isinstance(value, str) or callable(value):
        return getattr(value, "__name__", value)
    return np.array2string(np.asarray(value), precision=6, separator=", ")


def counterexample(statement):
    """Try the relations of a statement that can be tried without any code.

    Parameters
    ----------
    statement : attnbook.formulas.Statement
        From `attnbook.formulas.statements`.

    Returns
    -------
    tried : bool
        True if every relation of the statement was tried. A side is not if it is a
        symbol that the other side does not have, if each side has symbols that the
        other lacks, or if it is outside of the grammar.
    said : str
        A point where the statement is false; ``""`` if there is none.
    """
    pairs = [
        Statement(statement.sides[at : at + 2], (relation,))
        for at, relation in enumerate(statement.relations)
    ]
    triable = [pair for pair in pairs if _triable(pair)]
    for pair in triable:
        for values, worked in _points(pair.sides, {}):
            if not _holds_at(pair, worked):
                return True, _false(pair, values, worked)
    return bool(pairs) and len(triable) == len(pairs), ""


def _triable(pair):
    try:
        left, right = map(symbols, pair.sides)
        _points(pair.sides, {})
    except FormulaError:
        return False
    nested = left.keys() <= right.keys() or right.keys() <= left.keys()
    if pair.relations == ("in",) or not nested:
        return False
    alone = [parse(side).kind == "symbol" for side in pair.sides]
    return not any(alone) or left.keys() == right.keys() or not any((left, right))


def _false(pair, values, worked):
    point = ", ".join(f"{name} = {_short(value)}" for name, value in values.items())
    sides = " and ".join(map(_short, worked))
    return f"at {point} its sides are {sides}" if point else f"its sides are {sides}"

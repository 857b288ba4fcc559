r"""Find the formulas of the prose that state results, and what binds them.

A formula states a result if it says more than a name, a number or a setting
(`attnbook.statements.states_result` has the rule): an operation, an exponent, a
coefficient, a function, a product of counts. ``$d_k$``, ``$QK^\top$``, ``$(n, d)$`` and
``$d_k = 512$`` do not; ``$8nd^2$``, ``$n = 6d$``, ``$1/\sqrt{d_k}$`` and ``$(d, 4d)$``
do. Such a formula needs one of these:

- *code*: a key of its section's claims whose value is a function of its symbols
  (`attnbook.trials`), which is compared with the formula when the page runs;
- *tried*: an equation or a chain that can be tried at random points by itself, such as
  ``$\sqrt{4096} = 64$`` or ``$2n^2d + 2n^2d = 4n^2d$``; that is done here;
- *definition*: a key with this value, for what only gives a thing its name;
- *proved*: a key with ``proved("tests/ROOM/FILE.py::test_NAME")``, for what no grammar
  can work out. The test must exist.

A page without code names such keys in its header, as ``attnbook: {formulas: {...}}``,
with the word ``definition`` or the name of the test.
"""

import ast
import re
from functools import lru_cache
from typing import NamedTuple

from attnbook.claims import key_statements
from attnbook.formulas import FormulaError, symbols
from attnbook.statements import find_formulas, results
from attnbook.trials import counterexample
from booktools import ROOT
from booktools.content.prose import BLANK, parse, without_code

KINDS = ("code", "tried", "proved", "definition", "open")


class Mark(NamedTuple):
    """What binds a formula: its kind, and the test if there is one."""

    kind: str  # "code", "proved" or "definition"
    test: str = ""


# --- keys


def functions_of(sources):
    """Name the functions that code cells define.

    Parameters
    ----------
    sources : iterable of str
        Code cells.

    Returns
    -------
    set of str
    """
    return set().union(*map(_functions_in, sources))


@lru_cache(maxsize=1024)
def _functions_in(source):
    nodes = list(ast.walk(parse(source)))
    made = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            made |= {target.id for target in node.targets if hasattr(target, "id")}
    return made


def marks(given, functions):
    """List the keys of a table of claims that bind formulas.

    Parameters
    ----------
    given : ast.expr or None
        The table, as it stands in ``claims({...})``.
    functions : set of str
        From `functions_of`.

    Returns
    -------
    dict of str to list of Mark
        One mark for each value of the key.
    """
    if not isinstance(given, ast.Dict):
        return {}
    found = {}
    for key, value in zip(given.keys, given.values, strict=True):
        listed = value.elts if isinstance(value, ast.List) else [value]
        bound = [_mark(one, functions) for one in listed]
        if isinstance(key, ast.Constant) and bound and all(bound):
            found[key.value] = bound
    return found


def _mark(value, functions):
    if isinstance(value, ast.Tuple) and value.elts:
        return _mark(value.elts[0], functions)
    name = getattr(value, "func", value)
    name = getattr(name, "id", getattr(name, "attr", None))
    if isinstance(value, ast.Call):
        if name == "proved" and value.args:
            return Mark("proved", getattr(value.args[0], "value", "") or "")
        return Mark("code") if name == "over" else None
    if name == "definition":
        return Mark("definition")
    return Mark("code") if isinstance(value, ast.Lambda) or name in functions else None


def header_marks(header):
    """List the formulas for which the header of a page without code vouches.

    Parameters
    ----------
    header : dict
        The page's YAML header.

    Returns
    -------
    dict of str to list of Mark
    """
    given = (header.get("attnbook") or {}).get("formulas") or {}
    return {
        key: [Mark(value) if value == "definition" else Mark("proved", str(value))]
        for key, value in given.items()
    }


def key_problem(key, bound):
    """Say what is wrong with a key that binds formulas.

    Parameters
    ----------
    key : str
        The phrase.
    bound : list of Mark
        From `marks` or `header_marks`.

    Returns
    -------
    str or None
    """
    try:
        stated = key_statements(key)
    except ValueError as error:
        return str(error)
    if len(stated) != len(bound):
        return f"the key {key!r} states {len(stated)} results, its value {len(bound)}"
    lost = [
        mark.test for mark in bound if mark.kind == "proved" and not is_test(mark.test)
    ]
    return f"{key!r}: there is no test {lost[0]!r}" if lost else None


@lru_cache(maxsize=256)
def is_test(test):
    """Whether a name is that of a test: ``tests/ROOM/FILE.py::test_NAME``."""
    path, _, name = test.partition("::")
    if not path.startswith("tests/") or not (ROOT / path).is_file():
        return False
    tree = parse((ROOT / path).read_text(encoding="utf-8"))
    return name in {node.name for node in tree.body if hasattr(node, "name")}


def places(key, text):
    """Find where a text says a key that binds formulas.

    Parameters
    ----------
    key : str
        The phrase. Its formulas may be displayed in the text.
    text : str
        Markdown.

    Returns
    -------
    list of (int, int)
        Start and end of each place.
    """
    pattern, at = "", 0
    for one in find_formulas(key):
        pattern += _words(key[at : one.start]) + r"\$\$?\s*" + _words(one.tex.strip())
        pattern, at = pattern + r"\s*[.,;]?\s*\$\$?", one.end
    pattern += _words(key[at:])
    left = r"(?<!\w)" if re.match(r"\w", key) else ""
    right = r"(?!\w)" if re.match(r"\w", key[-1]) else ""
    found = re.finditer(f"{left}{pattern}{right}", without_code(text))
    return [match.span() for match in found]


def _words(text):
    parts = re.split(r"(\s+)", text)
    return "".join(r"\s+(?:>\s*)*" if p.isspace() else re.escape(p) for p in parts)


@lru_cache(maxsize=8192)
def formula_places(key, text):
    """Find the formulas of a text that stand where it says a key.

    Parameters
    ----------
    key : str
        The phrase.
    text : str
        Markdown.

    Returns
    -------
    list of (int, int)
        Start and end of each formula.
    """
    spans = places(key, text)
    return [one[:2] for one in formulas(text) if _within(one, spans)]


def _within(one, spans):
    return any(a <= one.start and one.end <= b for a, b in spans)


# --- formulas


@lru_cache(maxsize=4096)
def formulas(text):
    """Find all formulas of a stretch of prose.

    Parameters
    ----------
    text : str
        Markdown.

    Returns
    -------
    list of attnbook.statements.Formula
    """
    return find_formulas(without_code(text))


results_of = lru_cache(maxsize=4096)(results)


@lru_cache(maxsize=4096)
def _trial(tex):
    # (were all results of a formula tried?, what was found to be false)
    outcomes = [counterexample(statement) for statement in results(tex)]
    false = [said for _, said in outcomes if said]
    return all(tried for tried, _ in outcomes), false[0] if false else ""


def kinds(text, bound):
    """Say of each formula that states a result what binds it.

    Parameters
    ----------
    text : str
        Markdown.
    bound : dict of str to list of Mark
        The keys of the section that bind formulas.

    Returns
    -------
    list of (attnbook.statements.Formula, str)
        The second is one of `KINDS`, or ``"false"``.
    """
    covered = {}
    for key, marked in bound.items():
        kept = _kind_of_each(key, marked)
        for span in places(key, text):
            inside = [one for one in formulas(text) if _within(one, [span])]
            covered |= zip((one[:2] for one in inside), kept, strict=False)
    stated = [one for one in formulas(text) if results_of(one.tex)]
    return [(one, covered.get(one[:2]) or _by_itself(one.tex)) for one in stated]


def _kind_of_each(key, marked):
    # what binds each formula of a key; "" for names, which nothing needs to bind
    left, kept = list(marked), []
    for one in find_formulas(key):
        own = left[: len(results_of(one.tex))]
        left = left[len(own) :]
        kept.append(own[0].kind if own else "")
    return kept


def _by_itself(tex):
    tried, false = _trial(tex)
    return "false" if false else "tried" if tried else "open"


def tried(text):
    """Find the equations of a text that are true by themselves.

    Parameters
    ----------
    text : str
        Markdown.

    Returns
    -------
    list of (int, int)
        Start and end of each; their numbers need no other key.
    """
    return [one[:2] for one, kind in kinds(text, {}) if kind == "tried"]


def problems(text, bound, line):
    """Find the formulas of a stretch of prose that are false or bound to nothing.

    Parameters
    ----------
    text : str
        Markdown.
    bound : dict of str to list of Mark
        The keys of the section that bind formulas.
    line : int
        Of the section's claims cell; 0 where there is none.

    Returns
    -------
    list of (int, str)
        Where in the text, and what to say.
    """
    found = []
    for one, kind in kinds(text, bound):
        if BLANK in one.tex:
            continue  # a text that code fills
        if kind == "false":
            said = f"${one.tex}$ is false: {_trial(one.tex)[1]}"
            found.append((one.start, f"{said}; if it holds elsewhere, bind it to code"))
        elif kind == "open":
            found.append((one.start, _open(one.tex, line)))
    return found


def _open(tex, line):
    tex = " ".join(tex.split())
    where = f"in the claims cell on line {line}" if line else "in a claims cell below"
    try:
        names = [name for side in results(tex)[0].sides[-1:] for name in symbols(side)]
        advice = f'claims({{"${tex}$": lambda {", ".join(names)}: ...}}) {where}'
    except FormulaError as error:
        advice = f'a key with proved("tests/...::test_...") {where} ({error})'
    return (
        f"${tex}$ states a result and is bound to no code; write {advice}, or mark it "
        "as a definition"
    )


def look_alikes(bound, texts):
    """Find keys of a formula alone that a changed digit would turn another into.

    Parameters
    ----------
    bound : dict of str to list of Mark
        The keys of a section that bind formulas.
    texts : list of str
        The prose of the section.

    Returns
    -------
    list of (str, str)
        The key, and what to say.
    """
    present = {" ".join(one.tex.split()) for text in texts for one in formulas(text)}
    found = []
    for key in bound:
        alone = [one.tex for one in find_formulas(key) if one[:2] == (0, len(key))]
        own = " ".join(alone[0].split()) if alone else ""
        twins = [tex for tex in sorted(present) if own in present and _alike(own, tex)]
        if twins:
            said = f"{key!r} and ${twins[0]}$ differ by a digit: give the key words"
            found.append((key, said))
    return found


def _alike(one, other):
    if len(one) != len(other):
        return False
    differ = [a + b for a, b in zip(one, other, strict=True) if a != b]
    return len(differ) == 1 and differ[0].isdigit()

r"""Find the formulas of a text, and what they state.

A formula is split into statements, a statement into sides with relations between them:
``a = b \le c`` has three sides. `states_result` tells a result from a name.
"""

import re
from typing import NamedTuple

from attnbook.formulas import FUNCTIONS, plain, tokens

_RELATIONS = {
    "=": "=",
    "\\equiv": "=",
    "\\approx": "~",
    "\\simeq": "~",
    "<": "<",
    "\\lt": "<",
    ">": ">",
    "\\gt": ">",
    "\\le": "<=",
    "\\leq": "<=",
    "\\ge": ">=",
    "\\geq": ">=",
    "\\ne": "!=",
    "\\neq": "!=",
    "\\in": "in",
    "\\sim": "in",  # has the distribution
    "\\propto": "in",
    "\\to": "in",
}
_STATEMENTS = re.compile(r",?\s*\\q?quad(?![A-Za-z])(?:\\text\{\w+\}\\q?quad)?")
_OPENING, _CLOSING = ("(", "[", "{", "\\{"), (")", "]", "}", "\\}")


class Formula(NamedTuple):
    """A formula of a text, without its dollar signs, and where it stands with them."""

    start: int
    end: int
    tex: str


_FORMULA = re.compile(
    r"\$\$(.+?)\$\$|(?<![\\$])\$(?!\s)((?:[^$\n\\]|\\.|\n(?!\s*\n))+?)(?<!\s)\$(?!\d)",
    re.S,
)


def find_formulas(text):
    """Find the formulas of a text.

    Parameters
    ----------
    text : str
        Markdown. Code with dollar signs must have been blanked.

    Returns
    -------
    list of Formula
        Inline and displayed ones, in order.
    """
    return [
        Formula(*match.span(), (match[1] or match[2]).strip())
        for match in _FORMULA.finditer(text)
    ]


class Statement(NamedTuple):
    r"""A chain such as ``a = b \le c``: its sides, and what stands between them."""

    sides: tuple  # of TeX
    relations: tuple  # "=", "~", "<", "<=", ">", ">=", "!=" or "in"


def statements(tex):
    r"""Split a formula into what it states.

    Parameters
    ----------
    tex : str
        With or without dollar signs. ``\quad`` parts two statements.

    Returns
    -------
    list of Statement
    """
    tex = tex.strip().strip("$").strip()
    return [_chain(part) for part in _STATEMENTS.split(tex) if part.strip(" .,;\n")]


def _chain(tex):
    tex = plain(tex).strip().rstrip(".,; \n")
    sides, relations, start = [], [], 0
    for token in _at_top(tex):
        if token.text in _RELATIONS:
            sides.append(tex[start : token.start].strip())
            relations.append(_RELATIONS[token.text])
            start = token.start + len(token.text)
    return Statement((*sides, tex[start:].strip()), tuple(relations))


def _at_top(tex):
    # the tokens outside of all brackets and scripts
    depth = 0
    for token in tokens(tex):
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if depth == 0:
            yield token


_COUNTS = r"[ndhmlBTLN](?:_(?:\{[^{}]*\}|\w))?"
_ACCENTS = re.compile(
    r"\\(?:tilde|bar|hat|mathbf|partial)(?![A-Za-z])|\^\{?\\top\}?|'|\\[,;:! ]|\\cdot\b"
    r"|\\times\b|\\lVert|\\rVert"
)
_ONE = (
    r"(?:\\(?:text|mathrm|mathit|mathbb|operatorname)\{[^{}]*\}|\\[A-Za-z]+|[A-Za-z])"
    r"(?:_(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\?[A-Za-z]+|\d))?"
)
_TEN = r"10\^(?:\{-?\d+\}|\d)"
_NUMBER = re.compile(
    rf"(?:[-+]|\\pm)?\s*(?:{_TEN}|\d+/\d+|\\[dt]?frac(?:\{{\d+\}}\{{\d+\}}|\s?\d\d)|\\infty"
    rf"|\d(?:[\d.,]|\{{,\}})*(?:\s*(?:\\times|\\cdot)\s*{_TEN})?)"
    r"(?:\\,|\s|~)*(?:\\%|\\(?:text|mathrm)\{[^{}]*\}|\\times|\\cdot)?"  # a unit
)
_SQUARE = re.compile(rf"(?:{_COUNTS}|\d+)\s*\\times\s*(?:{_COUNTS}|\d+)")


def states_result(statement):
    r"""Tell whether a statement says more than a name, a number or a setting.

    No results are:

    - names: a symbol; a product of vectors and matrices without a number
      (``QK^\top``, ``q\cdot k``, ``dX``); a derivative by its symbols alone;
    - numbers, with a sign or a unit; shapes and lists of names and numbers;
    - settings: names and numbers with a relation between them (``d_k = 512``,
      ``n = d``, ``S = QK^\top``), unless two of the sides are products.

    All else is a result: an operation, an exponent, a coefficient, a function, a
    product of counts (``nd``).

    Parameters
    ----------
    statement : Statement
        From `statements`.

    Returns
    -------
    bool
    """
    if not all(map(_is_plain, statement.sides)):
        return True
    return sum(map(_is_product, statement.sides)) > 1


def _is_plain(side):
    side = re.sub(r"\\(?:left|right|[bB]igg?[lr]?)(?![A-Za-z])", "", side).strip()
    if _NUMBER.fullmatch(side) or _is_name(side) or _SQUARE.fullmatch(side):
        return True
    inner = re.fullmatch(r"[(\[](.*)[)\]]|\\\{(.*)\\\}|(.*,.*)", side, re.S)
    if not inner:
        return False
    items = re.sub(r"\\[,;:! ]", " ", next(filter(None, inner.groups()), "")).split(",")
    return all(not item.strip() or _is_plain(item) for item in items)


def _is_name(side):
    if side.strip() in ("\\dots", "\\ldots", "\\cdots", ""):
        return True
    halves = side.split("/") if "\\partial" in side else [side]
    bare = [_ACCENTS.sub(" ", half).strip() for half in halves]
    if not all(re.fullmatch(rf"(?:{_ONE}\s*)+", half) for half in bare):
        return False
    if any(re.search(rf"\\(?:{_WORKING})(?![A-Za-z])", half) for half in bare):
        return len(bare[0]) < 6 and re.fullmatch(r"\\[a-z]+", bare[0]) is not None
    counts = re.fullmatch(rf"(?:{_COUNTS}\s*){{2,}}", bare[0])
    return counts is None


_WORKING = "|".join([*FUNCTIONS, "sum", "sqrt", "frac", "tfrac", "dfrac", "prod"])


def _is_product(side):
    parts = re.findall(_ONE, _ACCENTS.sub(" ", side))
    return len(parts) > 1


def results(tex):
    """List the statements of a formula that state results.

    Parameters
    ----------
    tex : str
        With or without dollar signs.

    Returns
    -------
    list of Statement
    """
    return [one for one in statements(tex) if states_result(one)]

r"""Which numbers of the prose must be bound to code.

In scope are, in text, mathematics, tables, captions and alternative texts:

- *claims*: decimals, percentages, powers of ten, quantities with a unit (KiB, FLOPs,
  nats, seconds, times, fold ...) or after a comparison (about, at most, more than,
  ``<``, ``\approx`` ...), and what an equals sign gives a formula
  (``\sqrt{4096} = 64``);
- *settings*: what an equals sign, a comparison or a list gives a symbol (``d_k = 512``,
  ``n = 8, 64``), a size by its name (of width 64, temperature 0.5), a count of things
  that the code counts (64 keys), an integer of 1,000 or more, one alone in a cell of a
  table or of a matrix.

Numbers in words count. *Half*, *twice*, *doubles*, *one in four* and their like always
do; *doubled*, *doubling* and *Double the width* are settings. Counts (*three keys*) are
judged as their digits would be. 0 and 1, *zero*, *one* and *none* count where they are
results: after *is*, *gives*, *becomes* ..., after an equals sign in a formula, alone in
a cell of a table.

Out of scope are other integers, other 0 and 1 without a unit, coefficients of a formula
(``2d``, ``4n``), and all that `booktools.content.prose.visible` hides: code spans,
addresses, versions, years, references, chapter and section numbers.
"""

import re
from typing import NamedTuple

from attnbook.claims import comparison, find_numbers
from booktools.content.prose import visible

CHANGE = "a change"  # what the reader or the author does: "double the width"
LARGE = 1000  # integers from here on are hardly ever just a way to count
_GAP = r"(?:\s|~|\\,|\\;|\\ |-|\*)*\$?(?:\s|~|\*)*(?:\\(?:text|mathrm)\{\s*)?"
_UNITS = (
    r"bytes?|bits?|B|seconds?|s|ms|µs|us|ns|minutes?|min|hours?|h|[kMGTP]?(?:FLOPs?|FLOP/s)"
    r"|nats?|times|fold|orders?|standard (?:errors?|deviations?)|sigmas?|σ|px|pixels?"
    r"|degrees?|°|multiply-adds?|operations?|thousand|million|billion|trillion"
)
_UNIT = re.compile(rf"(?!-bits?\b){_GAP}(?:{_UNITS})(?![\w-])")
_TIMES = re.compile(
    r"\s?(?:x|×|\$?\\times)(?![A-Za-z0-9])\$?(?!\s*\$?\\?(?:\d|[A-Za-z](?![A-Za-z])|[a-z]+_))"
)
_FACTOR = re.compile(r"(?:factors? of|\bexactly|\bequals?)[\s$*]*$", re.I)
_ADJECTIVE = (
    r"(?:(?:random|visible|hidden|effective|equal|independent|different|other|more|such"
    r"|query|key|value|attention|raw|scaled)\s+)?"
)
_COUNTED = {  # what is counted, and the names that code has for the count
    "keys?": ("n_k", "n_keys", "n"),
    "quer(?:y|ies)": ("n_q", "n_queries", "n"),
    "tokens?": ("n_tokens", "n", "T"),
    "heads?": ("n_heads", "h"),
    "rows": ("rows", "n_q", "n"),
    "columns": ("columns", "n_k", "n"),
    "layers?": ("n_layers", "layers"),
    "entries|dimensions": ("d", "d_k"),
    "values|vectors|pairs|samples|draws|sets|parameters|weights|positions|blocks"
    "|tiles|scores": (),
}
_ALSO = {  # other names that code may have for a symbol
    "d": ("d_k", "width"),
    "d_k": ("d", "width"),
    "n": ("n_k", "n_keys", "n_q"),
    "n_k": ("n_keys", "n"),
    "n_q": ("n_queries", "n"),
    "tau": ("temperature",),
    "T": ("n", "n_tokens"),
}
_SYMBOL = re.compile(
    r"(?<![\w)}\]^])(?P<name>\\?[A-Za-z]+(?:_(?:\{(?:[^{}]|\{[^{}]*\})*\}|\w+))?)'*"
    r"[\s$]*(?P<relation>=|:=|\\in\b|∈|<|>|≤|≥|≈|\\(?:le|leq|ge|geq|lt|gt|approx|sim)\b)"
    r"[\s$]*(?:\\[{,;]|[\[({±~])*\s*$"
)
_SIZED = re.compile(
    r"\b(?P<name>widths?|lengths?|temperatures?)\s+(?:of\s+)?(?:about\s+)?[\s$]*$"
)
_SIZES = {  # what a word sizes, and the names that code has for it
    "width": ("d_k", "d", "width"),
    "length": ("n", "length"),
    "temperature": ("temperature", "tau"),
}
_EQUALS = re.compile(r"(?:=|\\equiv)[\s$]*(?:\\[,;]|[±~])*\s*$")
_CHAIN = re.compile(
    r"[\s$]*(?:,|and|or|to|–|-|\\l?dots|…|\\,|\s|\\text\{\s*(?:and|or|to)\s*\}|\$)*\s*"
)
_FUNCTIONS = (
    r"cdot|times|left|[dt]?frac|sqrt|ln|log|exp|pi|sigma|tau|mu|alpha|delta|Delta|ell|max"
    r"|min|mathrm|operatorname|mathbb|big|Big|lVert|bar|hat|tilde|mathbf"
)
_OPERATOR = re.compile(
    rf"(?:\s|\\[,;! ])*(?:[A-Za-z(^/+*\-−]|\\(?:{_FUNCTIONS})(?![A-Za-z]))"
)
_SPOKEN_OPERATOR = re.compile(r"\s?(?:ln|log|sqrt|exp)\b|\s?√|[²³⁴ⁿ]|\s?[a-z]+_\w")
_SHAPE = re.compile(r"\d\s*(?:x|×|\\times)\s*$")
_CELL_BEFORE = re.compile(r"(?:&|\\\\|\\begin\{\w*matrix\})\s*$")
_CELL_AFTER = re.compile(r"\s*(?:&|\\\\|\\end\{\w*matrix\})")
_MATH = re.compile(r"\$\$.*?\$\$|(?<![\\$])\$[^$\n]+(?:\n[^$\n]+)?\$", re.S)
_RESULT = re.compile(  # what may stand before a 0 or a 1 that is a result
    r"\b(?:is|are|was|were|gives?|gets?|becomes?|equals?|leaves|stays|remains|returns?"
    r"|(?:falls?|rises?|sums?|adds? up|adding up|tends?|goes|go|drops?|shrinks?) to)\s+"
    r"(?:(?:exactly|only|always|still|again|just|then|all|both|nearly|almost|now"
    r"|close to|about|of|at|plus|minus)\s+)*[\s$*~±+−-]*$",
    re.I,
)
# "is one" is a number where the sentence ends or goes on, not before "of", "that", ...
_PRONOUN = re.compile(
    r"(?!\s*(?:[.,;:!?)*\]]|$)|\s+(?:when|if|for|in|and|or|at|where|there|everywhere"
    r"|only|to|as|again|too|on)\b)",
)
_IT_IS = re.compile(r"\b(?:it|this|that|which|who|each)\s+(?:is|was)\s*$", re.I)
_BASE_FORM = re.compile(r"(?:double|triple|quadruple|halve)", re.I)
_TOLD_TO = re.compile(
    r"(?:^|[.:!?;*(>\"]\s*|\b(?:then|now|and|to|let|you|if)\s+)$", re.I
)
_INDEX = re.compile(
    r"#|no\.?|id|chapters?|sections?|steps?|rows?|columns?|keys?|quer(?:y|ies)|tokens?"
    r"|positions?|index|exercises?|questions?|versions?|years?|mirrors|source|",
    re.I,
)


class Found(NamedTuple):
    """A number in scope, and why it is."""

    start: int
    end: int
    text: str
    value: float  # as printed: a percentage is not divided
    why: str  # such as "a decimal"
    setting: bool  # True if a constant of the code may stand for it
    names: tuple = ()  # the names that the code may give a setting


def in_scope(text):
    """Find the numbers of a stretch of prose that must be bound to code.

    Parameters
    ----------
    text : str
        Markdown, as it stands in the source.

    Returns
    -------
    list of Found
        In order.
    """
    shown = visible(text)
    numbers = find_numbers(shown)
    spans = [match.span() for match in _MATH.finditer(shown)]
    found, previous = [], None
    for number in numbers:
        context = _Context(shown, number, spans)
        setting = _setting(context, previous)
        why = setting[0] if setting else _claim(context)
        if why:
            names = setting[1] if setting else ()
            value = number.value / number.scale
            found.append(Found(*number[:3], value, why, setting is not None, names))
        # 8, 64 and 512 after "n =" are one list: each is judged like the first
        previous = (number.end, setting) if setting and setting[2] else None
    return [one for one in found if not one.why.startswith("(")]


class _Context:
    # one number and what stands around it
    def __init__(self, text, number, spans):
        self.text, self.number = text, number
        self.before = text[max(0, number.start - 80) : number.start]
        self.after = text[number.end : number.end + 60]
        self.math = any(a < number.start < b for a, b in spans)
        digits = re.fullmatch(r"[-−+]?\d[\d,{}\\]*", number.text) is not None
        self.whole = digits or number.kind == "count"
        self.trivial = self.whole and abs(number.value / number.scale) in (0, 1)

    def decided(self):
        # a setting: what the reader or the author does, not what comes of it
        number = self.number
        if number.kind != "factor" or not number.text.lower().endswith(
            ("e", "ed", "ing")
        ):
            return False
        told = _BASE_FORM.fullmatch(number.text) and not _TOLD_TO.search(self.before)
        return not told and number.text.lower() not in ("twice", "thrice")

    def part_of_formula(self):
        # 2 in "> 2 \ln n" and 3 in "3 + 4" are parts of a larger expression
        operator = _OPERATOR if self.math else _SPOKEN_OPERATOR
        return not self.decimal() and bool(operator.match(self.after))

    def decimal(self):
        if self.number.kind:
            return False
        digits = self.number.text
        return (
            "." in digits
            or "10^" in digits
            or "e" in digits.replace("frac", "")
            or (re.search("10[⁻⁺⁰-⁹¹²³]", digits) is not None)
        )


def _setting(context, previous):
    # (why, names, may a list follow?) or None
    number = context.number
    counted = None if context.trivial or _measured(context) else _counted(context)
    if counted:
        return counted
    chained = previous and number.kind in ("", "count")
    if chained and _CHAIN.fullmatch(context.text[previous[0] : number.start]):
        if context.trivial:
            return "(0 or 1)", previous[1][1], True
        return previous[1]
    if context.decided():
        return CHANGE, (), False
    if _measured(context) or context.number.kind not in ("", "count", "large"):
        return None
    symbol = _SYMBOL.search(context.before)
    if symbol and not context.part_of_formula():
        names = code_names(symbol["name"])
        return "(0 or 1)" if context.trivial else f"{names[0]} is set", names, True
    sized = _SIZED.search(context.before)
    if sized and not context.trivial and not context.part_of_formula():
        return f"a {sized['name']}", _SIZES[sized["name"].rstrip("s")], True
    if context.decimal() or comparison(context.text, number):
        return None
    return _alone(context)


def _measured(context):
    return bool(
        context.number.unit
        or _UNIT.match(context.after)
        or _TIMES.match(context.after)
        or _FACTOR.search(context.before)
    )


def _counted(context):
    if comparison(context.text, context.number) or context.decimal():
        return None
    if context.number.text.lower() == "two":
        return None  # a pair, as in "for two vectors", is a way to speak
    if _SHAPE.search(context.before):
        return None
    for noun, names in _COUNTED.items():
        if re.match(rf"{_GAP}{_ADJECTIVE}(?:{noun})(?![\w-])", context.after):
            return "a count", names, False
    return None


def _alone(context):
    cell = _CELL_BEFORE.search(context.before) and _CELL_AFTER.match(context.after)
    if cell and not context.trivial:
        return "an entry of a matrix", (), False
    if abs(context.number.value) >= LARGE and context.whole:
        return "a large number", (), False
    heading = _column(context.text, context.number)
    if heading is None or _INDEX.fullmatch(heading.strip("$*` ")):
        return None
    symbol = re.fullmatch(r"\$?(\\?[A-Za-z]+(?:_(?:\{.*\}|\w+))?)\$?", heading)
    if context.trivial and not (symbol and "$" in heading):
        return None  # nearly every code has a 0 and a 1: see _claim
    return "alone in a cell", code_names(symbol[1]) if symbol else (), False


def _claim(context):
    number = context.number
    if number.unit == "%":
        return "a percentage"
    if context.decimal():
        return "a decimal" if "." in number.text else "a power of ten"
    if context.trivial and number.kind and not comparison(context.text, number):
        return _result(context)  # "one operation" and "zero times NaN" measure nothing
    if number.unit or _UNIT.match(context.after):
        return "a quantity with a unit"
    if context.trivial:
        return _result(context)
    if number.kind not in ("", "count", "large"):
        return "a number in words"
    if _TIMES.match(context.after) or _FACTOR.search(context.before):
        return "a factor"
    if context.part_of_formula():
        return ""
    if comparison(context.text, number):
        return "a comparison"
    if number.kind == "large":
        return "a number in words"
    return "a result" if context.math and _EQUALS.search(context.before) else ""


def _result(context):
    # why a 0 or a 1 counts, or ""
    number, before = context.number, context.before
    heading = _column(context.text, number)
    if heading is not None:
        return "" if _INDEX.fullmatch(heading.strip("$*` ")) else "a cell of a table"
    if context.part_of_formula():
        return ""
    if context.math and _EQUALS.search(before):
        return "" if _SYMBOL.search(before) else "a result"
    pronoun = _PRONOUN.match(context.after) or _IT_IS.search(before)
    if number.kind and number.value == 1 and pronoun:
        return ""
    return "a result" if _RESULT.search(before) else ""


def _column(text, number):
    # the heading of the column whose cell holds this number and nothing else
    start = text.rfind("\n", 0, number.start) + 1
    line = text[start : (text + "\n").index("\n", number.start)]
    if not line.lstrip().startswith("|"):
        return None
    cells = _split_row(line)
    place = len(_split_row(line[: number.start - start] + "#")) - 1
    if place >= len(cells) or cells[place].strip("$* ±") != number.text:
        return None
    above = text[:start].splitlines()
    rules = [
        i for i, row in enumerate(above) if re.fullmatch(r"\s*\|[\s|:-]+\|\s*", row)
    ]
    if not rules or not rules[-1]:
        return None
    headings = _split_row(above[rules[-1] - 1])
    return headings[place].strip() if place < len(headings) else None


def _split_row(line):
    inner = line.strip().removeprefix("|").removesuffix("|")
    return re.split(r"(?<!\\)\|", inner)


def code_names(symbol):
    r"""Give the names that code may have for a symbol of the mathematics.

    Parameters
    ----------
    symbol : str
        Such as ``d_k``, ``d_{\text{model}}`` or ``\tau``.

    Returns
    -------
    tuple of str
        Such as ``("d_model",)`` or ``("tau", "temperature")``.
    """
    plain = re.sub(r"\\(?:text|mathrm|mathit)\b|[{}\\\s]", "", symbol)
    return (plain, *_ALSO.get(plain, ()))

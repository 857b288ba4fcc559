r"""Bind the numbers of the text to the code that computes them.

Prose has plain digits. A later cell says which code they come from::

    claims({
        "deviation of 22.6": np.sqrt(512),
        "about 200 keys": (keys.mean(), 0.05),
        "at most 24 MiB": peak_bytes,
        "[0.53, 0.31, 0.16]": weights,
    })

A key is a phrase of the text, word for word. Its number holds if the value, rounded to
as many digits as are printed, is that number. Words in the key change this:

- *about*, *roughly*, *typically*, ``\approx`` and the like allow a relative tolerance,
  given as ``(value, 0.05)``. More than 0.05 needs a reason: ``(value, 0.2, "why")``.
- *at most*, *less than*, *more than*, *at least*, ``<``, ``\ge`` and the like make the
  number a bound that the value must keep.
- *2 to 4*, *between 2 and 4* and *3 ± 1* are ranges that one value must lie in.
- A percentage is printed for a fraction: 60 % is 0.6. With B, kB, MB, GB, KiB, MiB or
  GiB the value is in bytes. Every other unit is the author's: the value has it too.

Words are numbers too: half, twice, three times, one in four (see `attnbook.spoken`).
Such a word holds within one per cent; a 0 without a point holds if the value is 0.

A key with several numbers takes a list or an array of as many values; counts in words
(*two rows*) may be left out of it. A literal is no computation. A number that is only
cited, for instance a source's wrong one, is bound to ``quoted("the source")``; a choice
of ours, such as a sample size that the code uses, to ``defined(n)``.

A formula is bound to a function, whose parameters are its symbols; see
`attnbook.trials`, also for `over`, `proved` and `definition`::

    "$8nd^2$": lambda n, d: ab.attention_cost(n, n, d, d, d_model=d).projections.flops,
    r"is $d_k(1 + \mu_q^2)$": (over(variance, mu_q=(0.5, 2.0)), 0.1, "4000 draws"),

*About*, *at most* and the like before a formula count as before a number. A value from
draws has a relative tolerance, with a reason. A key with several formulas that state
results takes as many functions.
"""

import operator
import re
from typing import NamedTuple

import numpy as np

from attnbook.spoken import find_spoken
from attnbook.statements import find_formulas, results, statements
from attnbook.trials import (
    EXACT,
    Over,
    Proved,
    definition,
    mismatch,
    over,
    proved,
)

__all__ = [
    "Number",
    "claims",
    "comparison",
    "defined",
    "definition",
    "find_numbers",
    "key_numbers",
    "over",
    "proved",
    "quoted",
]

MOST = 0.05  # the largest relative tolerance that needs no reason
ZERO = 1e-9  # what is smaller than this is 0

_RAISED = "⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹"
_LOWERED = str.maketrans(_RAISED, "-+0123456789")
_POWER = r"10(?:\^(?:\{[-−+]?\d+\}|\d(?!\d))|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
_TEN = rf"\s*(?:\\times|\\cdot|×|·)\s*{_POWER}|[eE][-−+]?\d+"
_GROUPED = r"[1-9]\d{0,2}(?:(?:,|\{,\}|\\,)\d{3})+(?!\d)"
_PLAIN = rf"(?:{_GROUPED}|\d+)(?:\.\d+)?"
_FRACTION = (  # nothing is divided by 0
    r"\d+/0*[1-9]\d*(?!/)|\\[dt]?frac\{\d+\}\{0*[1-9]\d*\}|\\[dt]?frac\s?\d[1-9]"
)
# Units that may follow a digit directly, as in 4x and 10ms.
_ATTACHED = r"(?:[kKMGT]i?B|B|x|ms|s|fold|percent)(?![A-Za-z0-9])"
_NUMBER = re.compile(
    rf"(?<![\w.\\^])(?<!\^[-−])(?P<sign>(?<![)\]}}])[-−+])?"
    rf"(?P<digits>{_FRACTION}|(?:{_POWER}|{_PLAIN}(?:{_TEN})?))"
    rf"(?!\d|\.\d)(?=(?:{_ATTACHED})|[^A-Za-z_]|$)"
)
_GAP = r"(?:\s|~|\\,|\\;|\\ |-)*\$?(?:\s|~)*(?:\\(?:text|mathrm)\{\s*)?"
_UNITS = [
    (re.compile(rf"{_GAP}(?:\\?%|percent\b|per cent\b)"), "%", 0.01),
    *(
        (re.compile(rf"{_GAP}{unit}(?![A-Za-z])"), unit, scale)
        for unit, scale in {
            "KiB": 2**10,
            "MiB": 2**20,
            "GiB": 2**30,
            "TiB": 2**40,
            "kB": 1e3,
            "MB": 1e6,
            "GB": 1e9,
            "TB": 1e12,
        }.items()
    ),
]
_QUIET = r"(?:\s|[$*_~({\[]|\\,|±|\\pm|\\mathbf\{)*$"
_COMPARISONS = {
    "~": r"about|roughly|approximately|nearly|almost|around|close to|typically"
    r"|typical|some|≈|∼|\\approx|\\sim|\\simeq",
    "<=": r"at most|no more than|not more than|no larger than|up to|≤|\\le|\\leq"
    r"|\\leqslant",
    ">=": r"at least|no less than|not less than|no fewer than|≥|\\ge|\\geq|\\geqslant",
    "<": r"(?:less|fewer|smaller|lower|shorter) than|below|<|&lt;|\\lt",
    ">": r"(?:more|greater|larger|higher|bigger|longer|wider) than|above|beyond"
    r"|exceed(?:s|ed|ing)?|(?<![-=])>|&gt;|\\gt",
}
_COMPARED = [
    # A word needs a boundary before it, a symbol or a command does not.
    (name, re.compile(rf"(?:(?<![\w])|(?=[\\<>&≈∼≤≥]))(?:{words}){_QUIET}", re.I))
    for name, words in _COMPARISONS.items()
]
_OVER = re.compile(r"\bover\s+$", re.I)  # "over a hundred", not "over 64 keys"
_BOUNDS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_JOINED = re.compile(r"[\s$]*(?:–|-|to|and|±|\\pm|\\%|%)[\s$%]*(?:to\s+)?")
_HIDDEN = re.compile(r"(`+).+?(?<!`)\1(?!`)|(?<=\])\([^()\s]*\)", re.S)


class Number(NamedTuple):
    """One number of a text: where it stands, what it says, how finely."""

    start: int
    end: int
    text: str
    value: float
    step: float  # one unit of the last printed digit
    unit: str  # "%" or a unit of bytes; "" for all others
    scale: float  # what one such unit is worth
    kind: str = ""  # of a number in words, as `attnbook.spoken` has it; "" for digits


class Quoted(NamedTuple):
    """A number that somebody else wrote: see `quoted`."""

    source: str


class Defined(NamedTuple):
    """A number that we chose: see `defined`."""

    value: object


def quoted(source):
    """Bind a number that is only cited, right or wrong.

    Parameters
    ----------
    source : str
        Whose number it is: a key of the bibliography, or a name.

    Returns
    -------
    Quoted

    Raises
    ------
    TypeError
        If the source is no text.
    """
    if not isinstance(source, str) or not source.strip():
        raise TypeError(f'quoted needs its source, quoted("name"), got {source!r}')
    return Quoted(source)


def defined(value):
    """Bind a number that is a choice of ours, such as the number of samples.

    Parameters
    ----------
    value : float or array
        What the code uses, best by its name: ``defined(n_samples)``. The static check
        sees to it that the code of the section has it.

    Returns
    -------
    Defined
    """
    return Defined(value)


def find_numbers(text):
    r"""Find the numbers that are printed in a text.

    Parameters
    ----------
    text : str
        Markdown, with mathematics in LaTeX. Digits that belong to a word (``d2``,
        ``float16``), to a subscript or to an integer exponent are no numbers.

    Returns
    -------
    list of Number
        In order. ``1,500``, ``-0.5``, ``4.5\times10^{-5}``, ``10^{-3}`` and ``1/4`` are
        one number each. Numbers in words are among them.
    """
    found = [_number(text, match) for match in _NUMBER.finditer(text) if _own(match)]
    found += [_in_words(text, spoken) for spoken in find_spoken(text)]
    return sorted(found)


def _in_words(text, spoken):
    start, end, said, value, step, kind = spoken
    unit, scale = _unit(text, end)
    return Number(start, end, said, value * scale, step * scale, unit, scale, kind)


def _own(match):
    # An integer in a subscript or an exponent is a part of the symbol before it.
    before = match.string[max(0, match.start() - 2) : match.start()]
    return before not in ("_{", "^{") or not match["digits"].isdigit()


def _number(text, match):
    value, step = _worth(match["digits"])
    if match["sign"] in ("-", "−"):
        value = -value
    start, end = match.span()
    unit, scale = _unit(text, end)
    return Number(start, end, match[0], value * scale, step * scale, unit, scale)


def _unit(text, end):
    # the unit that follows a number, and what it is worth
    found = [(name, worth) for like, name, worth in _UNITS if like.match(text, end)]
    return found[-1] if found else ("", 1.0)


def _worth(digits):
    # (value, worth of one unit in the last place)
    if "frac" in digits or "/" in digits:
        above, below = (
            re.findall(r"\d+", digits) if re.search("[/{]", digits) else (digits[-2:])
        )
        return int(above) / int(below), 0.0
    mantissa, exponent = _parts(digits)
    places = len(mantissa.partition(".")[2])
    return float(f"{mantissa}e{exponent}"), 10.0 ** (exponent - places)


def _parts(digits):
    # "4.5\times10^{-5}", "4.5×10⁻⁵" and "4.5e-5" all give ("4.5", -5)
    plain = re.sub(f"[{_RAISED}]+", lambda m: "^" + m[0].translate(_LOWERED), digits)
    plain = re.sub(r"\\times|\\cdot|·", "×", plain.replace("{,}", ""))
    plain = re.sub(r"\\,|[{},\s]", "", plain).replace("−", "-")
    power = re.fullmatch(r"(?:(.+)×)?10\^(.+)", plain)
    mantissa, _, exponent = plain.lower().partition("e")
    if power:
        mantissa, exponent = power[1] or "1", power[2]
    return mantissa, int(exponent or 0)


def comparison(text, number):
    """Name the comparison that stands before a number.

    Parameters
    ----------
    text : str
        The text that the number was found in.
    number : Number
        One of ``find_numbers(text)``.

    Returns
    -------
    str
        ``"<"``, ``"<="``, ``">"``, ``">="``, ``"~"`` for *about* and its like, or
        ``""`` where none is said.
    """
    before = text[max(0, number.start - 40) : number.start]
    if number.text[:2].lower() in ("a ", "an") and _OVER.search(before):
        return ">"
    found = [name for name, pattern in _COMPARED if pattern.search(before)]
    return found[0] if found else ""


def key_numbers(phrase):
    """Find the numbers of a key, without those in code spans and addresses.

    Parameters
    ----------
    phrase : str
        A key of `claims`.

    Returns
    -------
    list of Number
        One or more.

    Raises
    ------
    ValueError
        If the key holds no number.
    """
    visible = _HIDDEN.sub(lambda match: "\ufffc" * len(match[0]), phrase)
    numbers = find_numbers(visible)
    if not numbers:
        raise ValueError(f"a key needs a number, got {phrase!r}")
    return numbers


def claims(bound):
    """Check that numbers of the text are what the code computes.

    Parameters
    ----------
    bound : dict of str to object
        For each phrase of the text its value: a number, an array, a tuple of value and
        relative tolerance, ``quoted(...)`` or ``defined(...)``. The module's text has
        the rules.

    Raises
    ------
    AssertionError
        If a number differs; the message names the phrase, the text's number and the
        computed one, for all that differ.
    ValueError
        If a key holds no number, or another count of numbers than its value, or
        if a tolerance stands without *about*, or above 0.05 without a reason.
    TypeError
        If a value is no number.
    """
    wrong = differences(bound)
    if wrong:
        raise AssertionError("the text and the code differ:\n  " + "\n  ".join(wrong))


def differences(bound):
    """List where text and code differ, a sentence each.

    Parameters
    ----------
    bound : dict of str to object
        As for `claims`.

    Returns
    -------
    list of str
    """
    return [said for item in bound.items() for said in _differences(*item)]


def _differences(phrase, given):
    if given is quoted:
        raise TypeError(f'{phrase!r}: quoted needs its source: quoted("name")')
    if _binds_formulas(given):
        yield from _formula_differences(phrase, given)
        return
    numbers = key_numbers(phrase)
    if isinstance(given, Quoted):
        return
    given = given.value if isinstance(given, Defined) else given
    value, tolerance = _unpacked(phrase, numbers, given)
    values = _flat(phrase, value)
    numbers = _told(numbers, len(values))
    if len(numbers) == 2 and len(values) == 1 and _is_range(phrase, *numbers):
        if not _in_range(phrase, *numbers, values[0]):
            yield _said(phrase, numbers[-1], values[0])
        return
    if len(numbers) != len(values):
        raise ValueError(
            f"the key {phrase!r} has {len(numbers)} numbers, its value {len(values)}"
        )
    for number, one in zip(numbers, values, strict=True):
        if not holds(phrase, number, one, tolerance):
            yield _said(phrase, number, one)


def _told(numbers, count):
    # "one query 0.5" may be given one value: a counting word is left out then
    others = [number for number in numbers if number.kind != "count"]
    return others if others and len(numbers) != count else numbers


def _unpacked(phrase, numbers, given):
    if not isinstance(given, tuple):
        return given, 0.0
    if len(given) not in (2, 3):
        raise ValueError(f"{phrase!r}: a tuple is (value, tolerance) or has a reason")
    value, tolerance, *reason = given
    if not any(comparison(phrase, number) == "~" for number in numbers):
        raise ValueError(f"{phrase!r}: a tolerance needs a word such as 'about'")
    if not 0 < tolerance <= MOST and not (reason and str(reason[0]).strip()):
        raise ValueError(
            f"{phrase!r}: a tolerance above {MOST} needs a reason, got {tolerance}"
        )
    return value, tolerance


def _flat(phrase, value):
    if isinstance(value, list):
        value = [part.value if isinstance(part, Defined) else part for part in value]
    values = np.asarray(value)
    if values.dtype.kind not in "iuf":
        raise TypeError(f"{phrase!r}: a value must be real numbers, got {value!r}")
    return values.astype(float).ravel()


def holds(text, number, value, tolerance=0.0):
    """Whether a value agrees with a number of a text.

    Parameters
    ----------
    text : str
        The text that the number was found in.
    number : Number
        One of ``find_numbers(text)``.
    value : float
        What the code computes.
    tolerance : float
        A share of the value, for a number that is said to be about right.

    Returns
    -------
    bool
    """
    return _holds(comparison(text, number), number, value, tolerance)


def _holds(compared, number, value, tolerance):
    # Half a unit of the last digit, and a little for the rounding of the value itself.
    slack = number.step * 0.5 + 1e-9 * abs(number.value)
    if not np.isfinite(value):
        return False
    if number.value == 0 and number.step == 1:
        return abs(value) <= max(ZERO, tolerance)
    if number.kind == "vague":  # hundreds, thousands
        return (
            number.value <= value < number.value * (10 if number.value < 1e3 else 1e3)
        )
    if compared in _BOUNDS:
        return bool(_BOUNDS[compared](value, number.value))
    return abs(value - number.value) <= max(slack, tolerance * abs(value))


def _is_range(phrase, first, second):
    return _JOINED.fullmatch(phrase[first.end : second.start]) is not None


def _in_range(phrase, first, second, value):
    if second.unit and not first.unit:  # 60 to 70 %
        first = first._replace(
            value=first.value * second.scale, step=first.step * second.scale
        )
    low, high = first.value, second.value
    if re.search(r"±|\\pm", phrase[first.end : second.start]):
        low, high = first.value - second.value, first.value + second.value
    slack = first.step * 0.5
    return low - slack <= value <= high + slack


def _said(phrase, number, value):
    bound = comparison(phrase, number) if comparison(phrase, number) in _BOUNDS else ""
    printed = f"{bound} {number.text} {number.unit}".strip()
    computed = f"{value / number.scale:.6g} {number.unit}".strip()
    text = f"{phrase!r}: the text says {printed}, the code computes {computed}"
    if number.unit == "%" and _holds("", number, value / 100, 0.0):
        text += " (give a percentage as a fraction, 0.6 for 60 %)"
    return text


# --- formulas


def key_statements(phrase):
    """List what the formulas of a key state.

    Parameters
    ----------
    phrase : str
        A key of `claims` whose value binds formulas.

    Returns
    -------
    list of (attnbook.statements.Formula, attnbook.statements.Statement)
        Results; all statements where none is a result.

    Raises
    ------
    ValueError
        If the key holds no formula.
    """
    found = find_formulas(phrase)
    if not found:
        raise ValueError(f"a function binds a formula, there is none in {phrase!r}")
    stated = [(one, said) for one in found for said in results(one.tex)]
    return stated or [(one, said) for one in found for said in statements(one.tex)]


def _binds_formulas(given):
    if isinstance(given, Quoted | Defined):
        return False
    first = given[0] if isinstance(given, tuple | list) and len(given) else given
    if isinstance(given, Over | Proved) or first is definition:
        return True
    if isinstance(first, Quoted | Defined):
        return False
    return isinstance(first, Over | Proved | tuple) or callable(first)


def _formula_differences(phrase, given):
    stated = key_statements(phrase)
    bound = given if isinstance(given, list) else [given]
    if len(bound) != len(stated):
        raise ValueError(
            f"the key {phrase!r} states {len(stated)} results, its value {len(bound)}"
        )
    for (formula, statement), one in zip(stated, bound, strict=True):
        word = _word(phrase, formula)
        function, tolerance = _function(phrase, one, word)
        if function is definition or isinstance(function, Proved):
            continue
        relation = word if word in _BOUNDS else "="
        said = mismatch(statement, function, relation=relation, tolerance=tolerance)
        if said:
            yield f"{phrase!r}: {said}"


def _word(phrase, formula):
    place = Number(formula.start, formula.end, formula.tex, 0.0, 0.0, "", 1.0)
    return comparison(phrase, place)


def _function(phrase, given, word):
    if not isinstance(given, tuple) or isinstance(given, Over | Proved):
        return given, EXACT
    function, tolerance, *reason = given
    said = bool(reason and str(reason[0]).strip())
    if not said and not (word == "~" and 0 < tolerance <= MOST):
        raise ValueError(f"{phrase!r}: a tolerance for a formula needs a reason")
    return function, tolerance

"""Numbers that are written as words: half, twice, three times, one in four.

`attnbook.claims` reads them as it reads digits. A word that only sounds like a number
(half precision, double-check, a second) is none.
"""

import re
from typing import NamedTuple

_UNDER_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen"
    " fourteen fifteen sixteen seventeen eighteen nineteen twenty"
).split()
_TENS = "thirty forty fifty sixty seventy eighty ninety".split()
_CARDINALS = {word: value for value, word in enumerate(_UNDER_TWENTY)}
_CARDINALS |= {word: 10 * tens for tens, word in enumerate(_TENS, 3)}
_CARDINALS["none"] = 0
_LARGE = {
    "dozen": 12,
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
}
_PARTS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
_RANKS = {
    "third": 3,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "hundredth": 100,
    "thousandth": 1000,
}
_PARTS |= _RANKS | {f"{rank}s": below for rank, below in _RANKS.items()}
_STEMS = {"doubl": 2, "tripl": 3, "quadrupl": 4, "halv": 0.5}
_FACTORS = {"twice": 2, "thrice": 3}
_FACTORS |= {f"{s}{e}": n for s, n in _STEMS.items() for e in ("e", "es", "ed", "ing")}
NEAR = 0.02  # half, twice and their like hold within half of this share


def _any(words):
    return "|".join(sorted(words, key=len, reverse=True))


_COUNT = rf"(?:{_any(_CARDINALS)})"
# "a third of" is a share, "a third option" is not: only what follows can tell.
_SHARE = (
    r"(?=\s+(?:of|as|less|more|smaller|larger|fewer|shorter|longer)\b|[^\w\s-]|\s*$)"
)
_NOT_HALF = r"(?!-(?:open|way|finished|float)|\s+(?:precision|open)\b)"
_NOT_DOUBLE = r"(?!-|\s+(?:precision|quotes?|click|check)\b)"
_FORMS = {  # the first that fits counts
    "orders": rf"(?P<orders>an?|{_COUNT})\s+orders?\s+of\s+magnitude",
    "odds": rf"one\s+(?:in|out\s+of)\s+(?P<odds>(?:a|{_COUNT})\s+(?:{_any(_LARGE)})"
    rf"|{_COUNT})(?!\s+dimensions)",
    "mixed": rf"(?P<whole>{_COUNT})\s+and\s+a\s+(?P<more>half|third|quarter)",
    "large": rf"(?P<of>an?|one|{_COUNT})\s+(?P<large>{_any(_LARGE)})(?!th)",
    "vague": rf"(?P<vague>{_any(_LARGE)})s",
    "part": rf"(?:(?P<parts>an?|{_COUNT})[ -])?"
    rf"(?P<part>half|halves|quarters?){_NOT_HALF}"
    rf"|(?P<these>an?|one)\s+(?P<rank>{_any(_RANKS)}){_SHARE}"
    rf"|(?P<many>{_COUNT})[ -](?P<ranks>(?:{_any(_RANKS)})s)",
    "factor": rf"(?P<factor>{_any(_FACTORS)}){_NOT_DOUBLE}",
    "count": rf"(?P<count>(?:(?:twenty|{_any(_TENS)})-)?{_COUNT})(?=fold\b|(?!\w))",
}
_SPOKEN = re.compile(
    r"(?<![\w\\’'])(?<!\w-)(?:"
    + "|".join(f"(?P<{kind}_>{form})" for kind, form in _FORMS.items())
    + r")(?=fold\b|(?!\w|['’]\w))",
    re.I,
)


class Spoken(NamedTuple):
    """A number in words: where it stands, what it says, how finely, and its kind."""

    start: int
    end: int
    text: str
    value: float
    step: float  # twice what the value may differ by
    kind: str  # "count" for a plain cardinal; "factor", "part", "large", ...


def find_spoken(text):
    """Find the numbers that a text writes as words.

    Parameters
    ----------
    text : str
        Markdown.

    Returns
    -------
    list of Spoken
        In order.
    """
    return [_spoken(match) for match in _SPOKEN.finditer(text)]


def _spoken(match):
    kind = next(name for name in _FORMS if match[f"{name}_"])
    value = _WORTH[kind](match)
    step = 1.0 if kind in ("orders", "count", "large") else NEAR * value
    return Spoken(*match.span(), match[0], value, step, kind)


def _number(word):
    # "twenty-five", "an" and "ten thousand" too
    first, *rest = re.split(r"[\s-]+", word.lower())
    value = _CARDINALS.get(first, 1)
    if not rest:
        return value
    return value * _LARGE[rest[0]] if rest[0] in _LARGE else value + _CARDINALS[rest[0]]


def _part(match):
    many = match["parts"] or match["these"] or match["many"] or ""
    return (
        _number(many)
        / _PARTS[(match["part"] or match["rank"] or match["ranks"]).lower()]
    )


_WORTH = {
    "orders": lambda match: _number(match["orders"]),
    "odds": lambda match: 1 / _number(match["odds"]),
    "mixed": lambda match: _number(match["whole"]) + 1 / _PARTS[match["more"].lower()],
    "large": lambda match: _number(match["of"]) * _LARGE[match["large"].lower()],
    "vague": lambda match: _LARGE[match["vague"].lower()],
    "part": _part,
    "factor": lambda match: _FACTORS[match["factor"].lower()],
    "count": lambda match: _number(match["count"]),
}

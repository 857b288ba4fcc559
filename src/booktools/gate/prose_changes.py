"""Change what a reader sees, one thing at a time.

`changes_of` lists the changes of a file: a digit, an exponent, a word that is a number,
a sign, an entry of a link, an answer, which choice is right. What comes in the place of
a digit is drawn by a hash of the place, so that it is the same in every run. The words
are read here by lists of their own: what the checks overlook must not be overlooked
here too. ``tests/mutants/prose_rules.md`` has the kinds.
"""

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from attnbook.statements import find_formulas
from booktools.content.claims import WIDGETS
from booktools.content.regions import TABLE, regions

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SUBSCRIPT = re.compile(r"_(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*)?$")
_EXPONENT = re.compile(r"\^(?:\{[^{}]*|[-−+]?)$")
_YEAR = re.compile(r"(?:19[5-9]|20[0-3])\d")
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def _pairs(text):
    return dict(pair.split(":") for pair in text.split(", "))


CARDINALS = _pairs(
    "two:three, three:four, four:five, five:six, six:seven, seven:eight, eight:nine, "
    "nine:ten, ten:eleven, eleven:twelve, twelve:thirteen, thirteen:fourteen, "
    "fourteen:fifteen, fifteen:sixteen, sixteen:seventeen, seventeen:eighteen, "
    "eighteen:nineteen, nineteen:twenty, twenty:thirty, thirty:forty, forty:fifty, "
    "fifty:sixty, sixty:seventy, seventy:eighty, eighty:ninety, ninety:eighty, "
    "zero:one, hundred:thousand, hundreds:thousands, thousand:million, dozen:hundred, "
    "thousands:millions, million:billion, billion:million"
)
_FACTORS = _pairs(
    "half:a quarter, halves:quarters, halved:quartered, halving:quartering, "
    "halve:quarter, quarter:third, quarters:thirds, twice:three times, thrice:twice, "
    "double:triple, doubles:triples, doubled:tripled, doubling:tripling, "
    "doublings:triplings, triple:double, triples:doubles, tripled:doubled, "
    "quadruple:triple, quadruples:triples, quadrupled:tripled"
)
_RANKS = _pairs(
    "third:quarter, fifth:sixth, sixth:seventh, seventh:ninth, eighth:sixth, "
    "ninth:seventh, tenth:fifth, hundredth:thousandth, thousandth:hundredth"
)
_RANK, _WORDS = "|".join(_RANKS), _FACTORS | _RANKS | CARDINALS | {"one": "two"}
_SPOKEN = [
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?<![\w\\-])(?:{'|'.join(_FACTORS)})(?![\w-]|\s+(?:precision|open)\b)",
        rf"(?<=\ba )(?:{_RANK})(?=\s+(?:of|as|less|more)\b|[.,;:)])",
        rf"(?<=\ban )(?:{_RANK})(?=\s+(?:of|as|less|more)\b|[.,;:)])",
        rf"(?<=\b(?:one|two)[ -])(?:{_RANK})(?=s?\b)",
        rf"(?<![\w\\])(?:{'|'.join(CARDINALS)})(?!\w)",
        r"(?<=\b(?:is|to|as|of) )one(?=[.,;:)]|\s+(?:when|if|for|and|in)\b)",
    )
]
_OPERATOR = re.compile(
    r"\\(?:text|mathrm|operatorname|begin|end)\{[^{}]*\}|\\(?:[lg]eq?|[lg]t|sqrt)(?![a-z])"
    r"|\\[A-Za-z]+|(?<![\^_])[-−+/<>≤≥]"
)
_OTHER = {"+": "-", "-": "+", "−": "+", "/": r"\cdot ", "<": ">", ">": "<"}
_OTHER |= {"≤": "≥", "≥": "≤", r"\le": r"\ge", r"\ge": r"\le", r"\sqrt": ""}
_OTHER |= {r"\leq": r"\geq", r"\geq": r"\leq", r"\lt": r"\gt", r"\gt": r"\lt"}
_SIGN = re.compile(r"(?<![\w)\]\d–.-])[-−](?=\d)|√|[≤≥](?=\s?\d)")


class Change(NamedTuple):
    """A change of a file: the stretch that is replaced, by what, and of which kind."""

    path: Path
    start: int
    end: int
    new: str
    kind: str  # digit, power, word, sign, state, answer, right, issue, year, address
    field: str  # that of its region, or "formula"

    def applied(self, text):
        """Return the changed file.

        Parameters
        ----------
        text : str
            The file.

        Returns
        -------
        str
        """
        return text[: self.start] + self.new + text[self.end :]


def changes_of(path, text):
    """List the changes of a file.

    Parameters
    ----------
    path : pathlib.Path
        Tells what the file is; nothing is read from it.
    text : str
        The file.

    Returns
    -------
    list of Change
        In the order of the file.
    """
    found = [] if path.suffix != ".toml" else list(_other_choices(path, text))
    for region in regions(path, text):
        formulas = [one[:2] for one in find_formulas(region.mask)]
        for start, end, new, kind in _changes(region, formulas):
            if kind == "formula":
                kind, field = "sign", "formula"
            else:
                inside = any(a <= start < b for a, b in formulas)
                field = "formula" if inside else region.field
            at = region.start
            found.append(Change(path, at + start, at + end, new, kind, field))
    return sorted(set(found))


def _changes(region, formulas):
    if region.field == "state":
        yield from _entries(region.mask)
        return
    yield from _digits(region)
    if region.field.partition(" ")[0] in ("address", "answer", "code", "source"):
        return
    yield from _words(region.mask)
    for a, b in formulas:
        yield from _operators(region.mask, a, b)
    for sign in _SIGN.finditer(region.mask):
        if not any(a <= sign.start() < b for a, b in formulas):
            yield *sign.span(), _OTHER.get(sign[0], "").strip("+"), "sign"


# --- numbers


def _digits(region):
    mask = region.mask
    for match in _NUMBER.finditer(mask):
        before = mask[max(0, match.start() - 30) : match.start()]
        if not _SUBSCRIPT.search(before) or region.field in ("code", "address"):
            around = before[-12:] + mask[match.end() : match.end() + 12]
            new = another_number(match[0], around)
            yield *match.span(), new, _kind(region.field, match, before)
    for match in re.finditer(f"[{_RAISED}]", mask):
        shift = 1 if match[0] == "²" else -1
        yield *match.span(), _RAISED[_RAISED.index(match[0]) + shift], "power"


def _kind(field, match, before):
    if field == "answer":
        return "answer"
    if field in ("address", "source eprint", "source doi", "source url"):
        return "issue" if re.search(r"/(?:issues|pull)/$", before) else "address"
    if before.endswith("#"):
        return "issue"
    if _EXPONENT.search(before):
        return "power"
    alone = before[-1:] in (" ", "(", "\n", "") and _YEAR.fullmatch(match[0])
    return "year" if alone or field == "source year" else "digit"


def another_number(number, around):
    """Change one digit of a number.

    Parameters
    ----------
    number : str
        Such as ``"73,728"``.
    around : str
        What stands around it, from which place and digit are drawn.

    Returns
    -------
    str
        Another number; the new digit is not 0.
    """
    drawn = int(hashlib.sha256(f"{number} {around}".encode()).hexdigest(), 16)
    places = [at for at, sign in enumerate(number) if sign.isdigit()]
    at = places[drawn % len(places)]
    others = [digit for digit in "123456789" if digit != number[at]]
    return number[:at] + others[drawn // 100 % len(others)] + number[at + 1 :]


# --- words and signs


def _words(mask):
    seen = set()
    for pattern in _SPOKEN:
        for match in pattern.finditer(mask):
            if match.span() not in seen:
                seen.add(match.span())
                yield *match.span(), _other_word(match), "word"


def _other_word(match):
    new = _WORDS[match[0].lower()]
    if re.search(r"\b(?:a|one|the) $", match.string[: match.start()]):
        new = new.removeprefix("a ")
    return new[0].upper() + new[1:] if match[0][0].isupper() else new


def _operators(mask, start, end):
    for match in _OPERATOR.finditer(mask, start, end):
        if match[0] in _OTHER:
            yield *match.span(), _OTHER[match[0]], "formula"


# --- links and questions


def _entries(address):
    query = address.partition("?")[2]
    if re.search(r"(?:^|&)(?:drag|show)=", query):
        return  # nothing is set
    at = len(address) - len(query)
    for part in query.split("&"):
        name, _, value = part.partition("=")
        new = _other_value(value, name)
        if new:
            start = at + len(name) + 1
            yield start, start + len(value), new, "state"
        at += len(part) + 1


def _other_value(value, name):
    if re.fullmatch(r"-?\d+(?:\.\d+)?", value):
        return another_number(value, name)
    return {"on": "off", "off": "on"}.get(value) or _options().get((name, value))


@cache
def _options():
    # (name, option) -> the next option, of all figures
    found = {}
    for path in sorted(WIDGETS.rglob("spec.json")):
        for name, field in json.loads(path.read_text("utf-8"))["state"].items():
            options = field.get("options", [])
            following = [*options[1:], *options[:1]]
            found |= {(name, a): b for a, b in zip(options, following, strict=True)}
    return found


def _other_choices(path, text):
    # "right = true" goes to the next choice, from the last one to the one before
    choices = [m for m in TABLE.finditer(text) if m[0].startswith(_CHOICES)]
    for i, choice in enumerate(choices):
        line = re.search(r"^right = true\n", choice[0], re.M)
        if line:
            last = i + 1 == len(choices) or choices[i + 1].start() != choice.end()
            other = choices[i - 1] if last else choices[i + 1]
            yield _moved(path, text, choice.start() + line.start(), line[0], other)


_CHOICES = ("[[predict.choices]]", "[[quiz.choices]]")


def _moved(path, text, at, line, other):
    to = text.index("\n", other.start()) + 1
    start, end = min(at, to), max(at + len(line), to)
    kept = text[start:end]
    new = line + kept.replace(line, "", 1) if to < at else kept[len(line) :] + line
    return Change(path, start, end, new, "right", "right")

"""Decide whether a changed text would mislead: ``tests/mutants/prose_rules.md``.

The first rule that fits decides, each by the words around the change. What no rule of
harmlessness fits misleads.
"""

import re
from typing import NamedTuple

from booktools.content.regions import TABLE
from booktools.gate.prose_changes import CARDINALS

_LISTED = re.compile(
    r"(?:[ \n]+[^\s:.]+){1,5}:(?!:)|[^.:\n]{0,90}(?:\n[^.:\n]{0,90})?[.:]\**\s*\n\s*"
    r"(?:[-*] |\||\d+\. )"
)
_NAMED_BEFORE = re.compile(
    r"\b(?:the|these|those|both|all|its|their|our|other|of)[ \n]+\**$", re.I
)
_MEASURED = re.compile(
    r"[ -](?:times|fold|per ?cent|hundred|thousand|million|billion|half|halves|thirds?"
    r"|quarters?|\w+ths)\b"
)
_VERSIONED = re.compile(
    r"\b(?:GPT|Llama|PyTorch|NumPy|Python|JAX|ONNX|CUDA|Jupyter Book)[- ]?$"
)
_MACHINE = re.compile(r"[AHV]\d{3}(?!\d)")
_UNIT_BEHIND = re.compile(r"(?:x|ms|s|d|k|M|B|kB|MB|GB|KiB|MiB|GiB|fold)(?![A-Za-z])")
_COMMAND = re.compile(r"^(?:make|python|pip|git|\.venv)\b|/|\.(?:py|md|ipynb|toml)\b")
_EXAMPLE = re.compile(r"\b(?:for instance|e\.g\.|say|such as)\b.{0,12}$", re.I | re.S)
_RESULT = re.compile(
    r"(?:=|≈|\b(?:is|are|was|gives?|becomes?|equals?|leaves|stays|gets?|has|to|by|only"
    r"|about))[\s$*±]*$"
)
_UNIT = re.compile(
    r"\s?\$?(?:\\?%|×|x\b|times|nats?|bits?|bytes?|[KMG]i?B|seconds?|minutes?|FLOPs?)"
)
_INDEX = re.compile(
    r"\b(?:row|column|key|query|head|token|layer|step|chapter|section|question|figure"
    r"|exercise|position|cell|axis|line)s?\s+\**\$?$",
    re.I,
)


class Verdict(NamedTuple):
    """Whether a change misleads, and the rule that says so."""

    misleads: bool
    rule: str


class _Place(NamedTuple):
    # a change and the words around it, up to the ends of the paragraph
    change: object
    text: str
    old: str
    before: str
    after: str


def verdict(change, text):
    """Judge a change by the rules.

    Parameters
    ----------
    change : booktools.gate.prose_changes.Change
    text : str
        The file as it stands.

    Returns
    -------
    Verdict
    """
    before = text[max(0, change.start - 300) : change.start].split("\n\n")[-1]
    after = text[change.end : change.end + 300]
    place = _Place(change, text, text[change.start : change.end], before, after)
    for rule, holds in HARMLESS.items():
        if holds(place):
            return Verdict(False, rule)
    return Verdict(True, _believed(place))


# --- harmless


def _is_count(place):
    change = place.change
    if change.kind == "word":
        return place.old.lower() in CARDINALS
    return change.kind == "digit" and place.old in list("123456789")


def _seen_at_once(place):
    shown = place.change.field not in ("formula", "code")
    return _is_count(place) and shown and bool(_LISTED.match(place.after))


def _refers_back(place):
    return (
        place.change.kind == "word"
        and _is_count(place)
        and bool(_NAMED_BEFORE.search(place.before))
        and not _MEASURED.match(place.after)
    )


def _is_name(place):
    change = place.change
    if change.kind != "digit" or change.field == "formula":
        return False
    if _has_versions(place):
        return False
    if change.field == "code" and _COMMAND.search(_span(place)):
        return True
    inside = place.before[-1:].isalpha() or place.before[-1:] == "_"
    behind = re.match(r"[A-Za-z_]", place.after) and not _UNIT_BEHIND.match(place.after)
    return bool(inside or behind)


def _has_versions(place):
    machine = _MACHINE.fullmatch(place.before[-1:] + place.old)
    return bool(machine or _VERSIONED.search(place.before))


def _span(place):
    # the code span around a change
    return place.before.rpartition("`")[2] + place.old + place.after.partition("`")[0]


def _wrong_choice(place):
    change = place.change
    if change.field == "says":
        return True
    if change.field == "wrong choice":
        return not _says_what_is_right(place)
    quoted = place.before.count('**"') > place.before.count('"**')
    return quoted and change.path.name == "misconceptions.md"


def _says_what_is_right(place):
    changed = place.change.applied(place.text)
    tables = [m for m in TABLE.finditer(changed) if '.choices]]\ntext = "' in m[0]]
    here = [i for i, m in enumerate(tables) if m.start() <= place.change.start]
    own = _first_line(tables[here[-1]]) if here else ""
    near = tables[max(0, here[-1] - 4) : here[-1] + 5] if here else []
    return any("\nright = true" in m[0] and _first_line(m) == own for m in near)


def _first_line(match):
    # the numbers of a choice
    text = re.search(r'^text = "(.*)"$', match[0], re.M)
    return re.findall(r"\d+(?:[.,]\d+)*", text[1]) or text[1] if text else ""


def _leads_right(place):
    if place.change.kind != "digit":
        return False
    line = place.before.rpartition("\n")[2]
    titled = re.fullmatch(r"#+ (?:[\d.]*)", line) is not None
    label = re.search(r"\[(?:chapters? |sections? |§ ?)?[\d.]*$", line, re.I)
    return titled or bool(label and re.match(r"[\d.]*\]\((?!figure:)", place.after))


def _one_of_many(place):
    counts = place.change.kind in ("digit", "word")
    return counts and bool(_EXAMPLE.search(place.before))


def _direction(place):
    return bool(re.match(r"-D\b|-dimensional", place.after))


HARMLESS = {
    "seen at once": _seen_at_once,
    "refers back": _refers_back,
    "name": _is_name,
    "wrong choice": _wrong_choice,
    "leads right": _leads_right,
    "one of many": _one_of_many,
    "direction": _direction,
}


# --- misleading


def _believed(place):
    change, old = place.change, place.old
    of_kind = {"answer": "answer", "right": "answer", "state": "state"}
    of_kind |= dict.fromkeys(("issue", "year", "address"), "source")
    if change.kind in of_kind:
        return of_kind[change.kind]
    if change.field.startswith("source"):
        return "source"
    if change.field == "formula" and not old[:1].isdigit():
        return "formula"
    if change.kind == "word" and old.lower() not in CARDINALS:
        return "factor"
    return _by_words(place)


def _by_words(place):
    old, formula = place.old, place.change.field == "formula"
    if _has_versions(place):
        return "version"
    if "." in old or _UNIT.match(place.after) or place.change.kind == "power":
        return "formula" if place.change.kind == "power" else "result"
    if formula and not re.search(r"=\s*$", place.before):
        return "formula"
    if _RESULT.search(place.before):
        return "result"
    if _INDEX.search(place.before):
        return "index"
    return "size" if len(old) > 1 and re.match(r"\d", old) else "count"

r"""Hold the numbers that no code computes: each stands in a list that a person read.

Most numbers of the prose are bound to code. What is left names things (*key 2*,
*exhibit 1*), counts what the sentence shows (*two jobs*), says what is assumed (*mean
0*) or how one writes it (``axis=-1``, $-\infty$). No code can compute these, yet a
wrong one misleads. So each stands, with the words around it, in a list beside its file:
``chapters/04_softmax.md`` has ``chapters/04_softmax.reviewed.txt``. There it stands
under the reason why no code holds it (`REASONS`). Whoever writes a line there has read
the sentence and found it right; a number that changes afterwards is not in the list any
more, and stops the build.

``python -m booktools.content.reviewed FILE ...`` prints the lines that are missing.
They are not written by a program: bind what code can compute, read the rest, and put
each line under its reason.
"""

import argparse
import re
import sys
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from attnbook.statements import find_formulas
from booktools.content import claims, formulas_in_prose, held
from booktools.content.problem import Problem
from booktools.content.prose import BLANK
from booktools.content.regions import files, regions
from booktools.content.scope import CHANGE, in_scope

REASONS = {
    "given": "assumed or asked for, not found: mean 0, between 0 and 1, two digits",
    "counted": "what the sentence, the page or the drawing shows: one counts it",
    "named": "a name or a place: key 2, chapter 6, GPT-3, section 3.2 of a paper",
    "written": "how one writes it: axis -1, a shape, a root, minus infinity",
    "known": "arithmetic and mathematics that every reader knows: 0/0, a neutral 1",
    "quoted": "what somebody else says, as the sentence tells",
    "looked up": "a fact of the world, with its source beside it",
}
KIND = "reviewed"  # of a problem
ENDING = ".reviewed.txt"
# Its label leads where its address does, see `booktools.content.citations`.
_CHAPTER = re.compile(r"\[chapter (?P<n>\d+)\](?=\(0?(?P=n)_\w+\.ipynb)", re.I)
_TITLED = re.compile(r"^#+ [\d.]+ ", re.M)  # the number in front of a heading
_ISSUE = re.compile(r"[\w.-]+/[\w.-]+#\d+|(?<=[ (])#\d+")
_SKIPPED = ("state", "answer", "wrong choice", "says")  # held, or false on purpose
_DIGITS = r"(?<=\b[A-Z]\.)\d+(?:\.\d+)*|(?<![\w.,])(?:[-−+±]\s?)?\d+(?:[.,:]\d+)*"
_CARDINALS = (
    r"zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|dozens?|hundreds?|thousands?|millions?|billions?"
)
_PARTS = (
    r"hal(?:f|ves|ved|ving|ve)|quarters?|twice|thrice|doubl(?:es|ed|ings?|e)"
    r"|tripl(?:es|ed|ing|e)|quadrupl(?:es|ed|ing|e)"
    r"|(?<=one[ -])(?:third|fifth|sixth|seventh|eighth|ninth|tenth)"
)
_SPOKEN = (
    rf"(?<![\w\\-])(?:{_CARDINALS}|{_PARTS})(?!\w)"
    r"|(?<=\b(?:is|to|as|of) )one(?=[.,;:)]|\s+(?:when|if|for|and|in)\b)"
)
_TOKEN = re.compile(
    rf"(?<!#){_DIGITS}|(?<=[AHV])\d{{3}}\b|\b(?:GPT|T)-?\d+|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+|√\w*|[≤≥]\s?\d+"
    rf"|{_SPOKEN}",
    re.I,
)
_IN_CODE = re.compile(r"(?<![A-Za-z_\d.])-?\d+(?:\.\d+)*(?:e-?\d+)?(?![A-Za-z_\d])")
_SIGNS = re.compile(r"\\(?:[lg]eq?|[lg]t|neq?|sqrt|infty|pm)(?![a-z])|[-−+/<>≤≥^]|\d")
_SUBSCRIPTS = re.compile(r"_(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\w)")


class Item(NamedTuple):
    """A number that no other check holds: where, and its line in the list."""

    start: int
    line: str


def list_of(path):
    """Name the list of a file: ``en.md`` has ``en.reviewed.txt`` beside it.

    Parameters
    ----------
    path : pathlib.Path

    Returns
    -------
    pathlib.Path
        That of README stands among the chapters.
    """
    home = Path("chapters") if path.parent == Path() else path.parent
    return home / f"{path.stem}{ENDING}"


def items(path, text):
    """Find the numbers that no other check holds.

    Parameters
    ----------
    path : pathlib.Path
        Tells what the file is; nothing is read from it.
    text : str
        The file.

    Returns
    -------
    list of Item
        In the order of the file.
    """
    elsewhere = _held_elsewhere(path, text)
    spans = [
        (region.start + a, region.start + b)
        for region in regions(path, text)
        if region.field not in _SKIPPED and not region.field.startswith("source")
        for a, b in _loose(region)
    ]
    spans = [one for one in spans if not _inside(one, elsewhere)]
    return [Item(a, _shown(text, a, b)) for a, b in sorted(set(spans))]


def _held_elsewhere(path, text):
    # links that set a figure, labels of chapters and issues; drafts hold nothing yet
    links = claims.LINK.finditer(text)
    found = [m.span("text") for m in links if "drag=" not in m["state"]]
    found += held.spans(path, text)
    for pattern in (_CHAPTER, _TITLED, _ISSUE):
        found += [m.span() for m in pattern.finditer(text)]
    ends = r"\n\s*\n" if path.suffix == ".md" else r"\n"
    start = 0
    for end in [*re.finditer(ends, text), None]:
        stop = end.start() if end else len(text)
        if re.search(r"\bTODO:", text[start:stop]):
            found.append((start, stop))
        start = end.end() if end else stop
    return found


def _inside(span, others):
    return any(a <= span[0] and span[1] <= b for a, b in others)


def _loose(region):
    # where a region has a number, a sign or a formula that nothing holds
    mask = region.mask
    if region.field in ("code", "address"):
        if not re.search(r"/(?:issues|pull)/", mask):
            yield from (match.span() for match in _IN_CODE.finditer(mask))
        return
    formulas = find_formulas(mask)
    # Of "double the width" any 2 of the code is enough there: here it is read too.
    bound = [(one.start, one.end) for one in in_scope(mask) if one.why != CHANGE]
    for one in formulas:
        # The code of a page may hold the numbers of a shape by chance: it is read.
        listed = re.fullmatch(r"\((?=.*\d).*,.*\)", one.tex)
        if listed or (not _held(one.tex) and _says_more(mask, one, bound)):
            yield one[:2]
    known = bound + [one[:2] for one in formulas]
    for match in _TOKEN.finditer(mask):
        if not any(match.start() < b and a < match.end() for a, b in known):
            yield match.span()


@lru_cache(maxsize=4096)
def _held(tex):
    # it states a result: a claim, a trial or a test holds it
    return BLANK not in tex and bool(formulas_in_prose.results_of(tex))


def _says_more(mask, formula, bound):
    # has it a sign, or a digit outside of what is held and of the names?
    names = [m.span() for m in _SUBSCRIPTS.finditer(mask, *formula[:2])]
    return any(
        not _inside(match.span(), bound + names)
        for match in _SIGNS.finditer(mask, *formula[:2])
    )


def _shown(text, start, end):
    # the number in brackets between two words on either side, within its paragraph
    before = re.split(
        r"\n\s*\n|^#+ |\|\s*\n", text[max(0, start - 60) : start], flags=re.M
    )
    after = re.split(r"\n\s*\n|\|\s*\n", text[end : end + 60])
    before = re.search(r"(?:\S+\s+){0,2}\S*\Z", before[-1])[0]
    after = re.match(r"\S*(?:\s+\S+){0,2}", after[0])[0]
    return " ".join(f"{before}[{text[start:end]}]{after}".split())


def read_list(text, path):
    """Read a list: the reasons as headings, below each its lines.

    Parameters
    ----------
    text : str
        The list.
    path : pathlib.Path
        Named in messages; nothing is read from it.

    Returns
    -------
    lines : dict of str to list of int
        Each line of the list with its numbers: it stands there as often as in the text.
    problems : list of Problem
        A heading that is no reason; a line above all headings.
    """
    lines, found, reason = {}, [], None
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("## "):
            reason = line[3:]
            if reason not in REASONS:
                rule = f"a reason is one of {', '.join(REASONS)}, not {reason!r}"
                found.append(Problem(path, number, rule, KIND))
        elif line and not line.startswith("# "):
            lines.setdefault(line, []).append(number)
            if reason is None:
                rule = f"{line!r} stands under no reason ({', '.join(REASONS)})"
                found.append(Problem(path, number, rule, KIND))
    return lines, found


def missing(found, left):
    """List the items that a list lacks, and strike its other lines out.

    Parameters
    ----------
    found : list of Item
    left : dict of str to list of int
        From `read_list`; what it holds afterwards is stale.

    Returns
    -------
    list of Item
    """
    lacking = []
    for item in found:
        if left.get(item.line):
            left[item.line].pop()
        else:
            lacking.append(item)
    return lacking


def problems(path, text, listed):
    """Find the numbers that nothing holds and no list has, and stale lines.

    Parameters
    ----------
    path : pathlib.Path
        The file; nothing is read from it.
    text : str
        The file as it is, or as it might be.
    listed : str
        Its list.

    Returns
    -------
    list of Problem
    """
    where = list_of(path)
    left, found = read_list(listed, where)
    for item in missing(items(path, text), left):
        line = text.count("\n", 0, item.start) + 1
        rule = f"{item.line!r} is held by no code: bind it, or, if no code can "
        rule += f"compute it, read it and list it under its reason in {where}"
        found.append(Problem(path, line, rule, KIND))
    for line, numbers in left.items():
        rule = f"{path} no longer says {line!r} unheld: drop the line"
        found += [Problem(where, number, rule, KIND) for number in numbers]
    return sorted(found, key=lambda one: (str(one.path), one.line))


def check(path):
    """Check a file with the list beside it.

    Parameters
    ----------
    path : pathlib.Path

    Returns
    -------
    list of Problem
    """
    return problems(path, path.read_text("utf-8"), _text(list_of(path)))


def main(argv=None):
    """Print the lines that lists lack.

    Parameters
    ----------
    argv : list of str, optional
        Arguments; those of the process by default.

    Returns
    -------
    int
        0 if no list lacks a line or has one too many, 1 if one does.
    """
    parser = argparse.ArgumentParser(
        prog="python -m booktools.content.reviewed", description=__doc__.split("\n")[0]
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILE")
    wrong = 0
    for path in parser.parse_args(argv).paths or files():
        found = check(path)
        wrong += len(found)
        for one in found:
            print(one)
        where = list_of(path)
        known, _ = read_list(_text(where), where)
        lines = [i.line for i in missing(items(path, path.read_text("utf-8")), known)]
        if lines:
            print(f"--- {where}: read each, and put it under its reason")
            print("\n".join(lines))
    return 1 if wrong else 0


def _text(path):
    return path.read_text("utf-8") if path.is_file() else ""


if __name__ == "__main__":
    sys.exit(main())

"""Find what a reader sees in the files of the book, as regions of their source.

A `Region` is a stretch of a file and what it is: prose, a code span, the prompt of a
question. In its mask all that no reader sees is blank, and every other character is in
its place, so that a position in the mask is a position in the file.
"""

import ast
import re
from pathlib import Path
from typing import NamedTuple

from attnbook.exercises.texts import PLACE
from booktools.content.citations import BIBLIOGRAPHY, entries
from booktools.content.claims import EXERCISES, QUESTIONS, WIDGETS
from booktools.content.prose import blanked, parse, read_page, without_code
from booktools.content.texts import FIGURES

_MADE = re.compile(r"<!-- Made by ")
_FENCED = re.compile(r"^(`{3,}|~{3,}).*?^\1[`~]*[ \t]*$", re.M | re.S)
_SPAN = re.compile(
    r"(?P<role>\{[\w:]+\})?(?<!`)(?P<tick>`+)(?!`)(?P<code>(?:(?!\n\s*\n).)+?)"
    r"(?<!`)(?P=tick)(?!`)",
    re.S,
)
_ADDRESS = re.compile(r"(?<=\]\()(?P<inside>[^()\s]*)|https?://[^\s)>\]\"]+")
_MARKS = re.compile(r"^\s*\d+\.(?=\s)|^\([\w.-]+\)=|^#{2,3} \w+$", re.M)
_FIELD = re.compile(
    r"^(?P<name>prompt|text|reason|says|answer|value|curve) = "
    r"(?:'''(?P<long>.*?)'''|\"(?P<short>(?:[^\"\\\n]|\\.)*)\")",
    re.M | re.S,
)
TABLE = re.compile(r"^\[\[[\w.]+\]\]\n(?:(?!^\[\[).*\n?)*", re.M)
_WORDS = re.compile(r'(?<=: ")(?:[^"\\]|\\.)*(?=")')
_SHOWN = ("title", "journal", "booktitle", "volume", "number", "pages", "year")
_SHOWN += ("eprint", "doi", "url", "series", "edition", "note")


class Region(NamedTuple):
    """A stretch of a file that is shown, and as what."""

    start: int
    mask: str
    field: str  # prose, code, state, address, source, prompt, choice, answer, ...


def files():
    """List the files that a reader sees something of.

    Returns
    -------
    list of pathlib.Path
        But for pages that a program makes: its own check makes them again.
    """
    pages = [Path("README.md"), *Path("chapters").glob("*.md")]
    pages = [p for p in pages if not _MADE.match(p.read_text("utf-8"))]
    exercises = EXERCISES.glob("*/*/en.md")
    words = [*WIDGETS.rglob("en.json"), *QUESTIONS.parent.glob("en.json")]
    rest = [*exercises, *QUESTIONS.glob("*.toml"), *words, *FIGURES.glob("*.py")]
    return sorted([*pages, *rest, BIBLIOGRAPHY])


def regions(path, text):
    """List the regions of a file.

    Parameters
    ----------
    path : pathlib.Path
        Tells what the file is; nothing is read from it.
    text : str
        The file.

    Returns
    -------
    list of Region
    """
    if path.name == "en.md":
        return list(_markdown(0, PLACE.sub(blanked, text), "exercise"))
    reader = {".md": _page, ".toml": _questions, ".json": _json, ".py": _caption}
    return list(reader.get(path.suffix, _bibliography)(text))


def _markdown(start, text, field):
    # the regions of a Markdown text that starts at a position of its file
    plain = _FENCED.sub(blanked, text)
    for span in _SPAN.finditer(plain):
        if not span["role"]:  # {cite}`...` shows something else
            yield Region(start + span.start("code"), span["code"], "code")
    shown = without_code(text)
    for address in _ADDRESS.finditer(shown):
        kind = "state" if address[0].startswith("figure:") else "address"
        if kind == "state" or address[0].startswith("http"):
            yield Region(start + address.start(), address[0], kind)
    for hidden in (_ADDRESS, _MARKS):
        shown = hidden.sub(blanked, shown)
    yield Region(start, shown, field)


def _page(text):
    lines = line_starts(text)
    for cell in read_page(text)[1]:
        at = lines[cell.line - 1]
        if cell.kind == "prose":
            yield from _markdown(at, cell.text, "prose")
        elif cell.kind == "code":
            for a, b in _spoken(cell.text):
                yield from _markdown(at + a, cell.text[a:b], "prose")


def line_starts(text):
    """List where each line of a text starts, and its end."""
    found = [0]
    for line in text.splitlines(keepends=True):
        found.append(found[-1] + len(line))
    return found


def _spoken(code):
    # where alt="..." and caption="..." stand in code
    for node in ast.walk(parse(code)):
        if isinstance(node, ast.keyword) and node.arg in ("alt", "caption"):
            if isinstance(node.value, ast.Constant):
                yield _place(node.value, code)


def _place(node, code):
    starts, lines = line_starts(code), code.splitlines(keepends=True)
    ends = []
    for line, at in (
        (node.lineno, node.col_offset),
        (node.end_lineno, node.end_col_offset),
    ):
        before = lines[line - 1].encode()[:at].decode()  # ast counts bytes
        ends.append(starts[line - 1] + len(before))
    return ends


def _caption(text):
    for node in parse(text).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "ALT":
            a, b = _place(node.value, text)
            yield from _markdown(a, text[a:b], "caption")


def _json(text):
    for words in _WORDS.finditer(text):
        mask = re.sub(r"\{[^{}]*\}", blanked, words[0])
        yield from _markdown(words.start(), mask, "words")


def _questions(text):
    for table in TABLE.finditer(text):
        right = re.search(r"^right = true$", table[0], re.M)
        for field in _FIELD.finditer(table[0]):
            part = "long" if field["long"] is not None else "short"
            name, at = field["name"], table.start() + field.start(part)
            if name in ("answer", "value", "curve"):
                yield Region(at, field[part], "answer")
                continue
            if name == "text":
                name = "right choice" if right else "wrong choice"
            yield from _markdown(at, field[part], name)


def _bibliography(text):
    for entry in entries(text):
        start = text.index(f"{{{entry.key},")
        body = text[start : text.find("\n}", start)]
        for field in re.finditer(r"^\s*(\w+)\s*=\s*\{(.*)\},?\s*$", body, re.M):
            if field[1] in _SHOWN:
                yield Region(start + field.start(2), field[2], f"source {field[1]}")

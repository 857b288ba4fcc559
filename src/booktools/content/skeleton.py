"""Check the form of chapters, and list the source sections that none mirrors yet.

The form is that of the book's design: first lines that agree with the header, short
cells, a core path that can be read in one sitting, a prediction, exercises and a quiz,
and an end that says what was seen. `booktools.content.claims` checks the numbers.
"""

import argparse
import ast
import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from booktools.content.notebooks import NotebookError
from booktools.content.prose import BLANK, parse, read_page, visible

COMMAND = "python -m booktools.content.skeleton"
# What a chapter may be about in softmax(QK^T / sqrt(d_k), M) V: its header says.
PIECES = ("softmax", "scores", "queries", "keys", "scale", "mask", "values", "whole")
SECTIONS = tuple(
    f"{text}{number}"
    for text, count in {"A": 5, "B": 4, "C": 4, "D": 8}.items()
    for number in range(1, count + 1)
)
CELL, SETUP = 15, 8  # lines
COLUMNS = 80  # of code that everybody sees; longer lines run out of the page
SECONDS, TRAINING = 30, 120  # most that a chapter's cells take; with training
HEADINGS = ("Exercises", "Quiz", "In this chapter we saw", "Further reading")


class Size(NamedTuple):
    """How long a chapter may be, and how much to do it has at least."""

    words: int = 1500  # most of a core path, folds left out
    minutes: int = 30  # most that reading the core path takes
    exercises: int = 5  # least
    kinds: int = 5  # least types of exercises
    questions: int = 5  # least of the quiz


# Chapters of another size than the rest.
SIZES = {"00": Size(words=800, minutes=10, exercises=3, kinds=3, questions=3)}
_FOLD = re.compile(r"<details\b.*?</details>", re.S)
_NETWORK = {"urllib", "http", "socket", "ftplib", "requests", "webbrowser"}


def size_of(number):
    """Return the size of a chapter.

    Parameters
    ----------
    number : str
        Two digits.

    Returns
    -------
    Size
    """
    return SIZES.get(number, Size())


class Chapter:
    """A chapter, read and cut up for the rules below.

    Parameters
    ----------
    path : pathlib.Path
        Its ``.md`` file; only its name and the files beside it are looked at.
    text : str
        The page.
    """

    def __init__(self, path, text):
        self.path, self.number = path, path.name[:2]
        self.header, self.cells = read_page(text)
        self.facts = self.header.get("attnbook") or {}
        self.draft = bool(self.facts.get("draft"))
        self.code = [cell for cell in self.cells if cell.kind == "code"]
        self.prose = "".join(
            cell.text if cell.kind == "prose" else f"\n{BLANK}\n"
            for cell in self.cells
            if cell.kind != "spoken"
        )

    def called(self, *names):
        """List the first arguments of all calls of some functions."""
        return [
            getattr(node.args[0], "value", None) if node.args else None
            for cell in self.code
            for node in ast.walk(parse(cell.text))
            if isinstance(node, ast.Call)
            and getattr(node.func, "id", getattr(node.func, "attr", "")) in names
        ]

    def headings(self):
        """List the headings of the second level."""
        return re.findall(r"^## +(.*?)\s*$", visible(self.prose), re.M)


def problems(path, text):
    """List where a chapter departs from the form.

    Parameters
    ----------
    path : pathlib.Path
        Its ``.md`` file; only its name and the files beside it are looked at.
    text : str
        The page.

    Returns
    -------
    list of str
        One line each; empty if all is well.
    """
    try:
        chapter = Chapter(path, text)
    except NotebookError as error:
        return [f"{path}:1: {error}"]
    rules = [header, first_lines, parts, code, order_of_cells, words, folds, pictures]
    found = [said for rule in rules for said in rule(chapter)]
    found += [] if chapter.draft else finished(chapter)
    return [said if said.startswith(str(path)) else f"{path}: {said}" for said in found]


def header(chapter):
    """Check the facts under ``attnbook:`` in the header. Yields str."""
    facts = chapter.facts
    if not re.fullmatch(r"\d\d_[a-z0-9_]+\.md", chapter.path.name):
        yield "a chapter is named NN_slug.md, in small letters"
    unknown = [one for one in facts.get("mirrors", []) if one not in SECTIONS]
    if unknown or not facts.get("mirrors"):
        yield f"header: mirrors lists source sections, A1 to D8, got {unknown}"
    formula = facts.get("formula")
    if not formula or set(formula) - set(PIECES):
        yield f"header: formula lists pieces of {', '.join(PIECES)}, got {formula}"
    minutes = facts.get("minutes")
    longest = size_of(chapter.number).minutes
    if not isinstance(minutes, int) or not 0 < minutes <= longest:
        yield f"header: minutes is a whole number up to {longest}, for the core path"
    most = TRAINING if facts.get("training") else SECONDS
    if not isinstance(facts.get("seconds"), int) or not 0 < facts["seconds"] <= most:
        yield f"header: seconds is a whole number up to {most}, for running the cells"
    if not re.fullmatch(r"\d+ [MG]B", str(facts.get("memory", ""))):
        yield "header: memory is written as '300 MB'"
    needs = facts.get("needs")
    if not isinstance(needs, list) or not all(
        re.fullmatch(r"\d\d", str(n)) and isinstance(n, str) for n in needs
    ):
        yield 'header: needs lists chapters, such as ["03", "04"], or is []'


def first_lines(chapter):
    """Check that the first lines say what the header says. Yields str."""
    facts, lines = chapter.facts, chapter.prose.strip().split("\n\n")
    if not lines[0].startswith("# ") or len(lines) < 2:
        yield "a chapter opens with '# Title' and a paragraph of facts"
        return
    if len(re.findall(r"^# ", chapter.prose, re.M)) != 1:
        yield "a chapter has one title; other headings start with '##'"
    opening = " ".join(lines[1].split())
    if not re.match(r"\*\*Question\.\*\* [^?]+\?", opening):
        yield "the first paragraph starts with '**Question.**' and asks it"
    wanted = ["**Before this:**", f"**Core path:** {facts.get('minutes')} minutes"]
    wanted += [f"**Cells:** {facts.get('seconds')} seconds, {facts.get('memory')}"]
    yield from (f"the first paragraph lacks '{w}'" for w in wanted if w not in opening)
    for need in facts.get("needs") or []:
        for page in sorted(chapter.path.parent.glob(f"{need}_*.md")):
            if f"({page.stem}.ipynb" not in opening:
                yield f"'Before this' lacks a link to {page.stem}.ipynb"


def parts(chapter):
    """Check what each chapter has, and its order. Yields str."""
    have = chapter.headings()
    places = [have.index(name) for name in HEADINGS if name in have]
    yield from (f"there is no '## {name}'" for name in HEADINGS if name not in have)
    if places != sorted(places):
        yield f"the last sections come in the order {', '.join(HEADINGS)}"
    learn = re.search(
        r"\*\*What you'll learn\.\*\*.*?\n\n((?:- .*\n?(?:  .*\n)*)+)",
        (chapter.prose + "\n"),
    )
    if not learn or learn[1].count("\n- ") < 1:
        yield "'**What you'll learn.**' is followed by a list of two or more"
    said = re.search(r"\*\*This chapter mirrors\*\*([^;.]*)", chapter.prose)
    ids = re.findall(r"\b[A-D]\d\b", said[1]) if said else []
    if ids != list(chapter.facts.get("mirrors") or []):
        yield f"'**This chapter mirrors**' names {ids}, the header another list"


def code(chapter):
    """Check the code cells. Yields str."""
    if not chapter.code:
        yield "a chapter has code cells"
        return
    if "hide-cell" not in chapter.code[0].tags:
        yield _at(chapter, chapter.code[0], "the setup cell has the tag hide-cell")
    for i, cell in enumerate(chapter.code):
        lines = _length(cell.text)
        most = CELL if i else SETUP
        if lines > most:
            yield _at(chapter, cell, f"{lines} lines; this cell may have {most}")
        for said in _code_problems(cell):
            yield _at(chapter, cell, said)
    if not any("claims" in cell.tags for cell in chapter.code):
        yield "no cell has the tag claims"


_TABLES = {"claims", "answers", "links"}


def _length(text):
    # Lines of code. The tables of a claims cell are no code, whatever their length.
    table = {
        line
        for node in ast.walk(parse(text))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in _TABLES
        for line in range(node.lineno, node.end_lineno)
    }
    lines = enumerate(text.splitlines(), 1)
    return len([line for at, line in lines if line.strip() and at not in table])


def _at(chapter, cell, said):
    return f"{chapter.path}:{cell.line}: {said}"


def _code_problems(cell):
    tree, text = parse(cell.text), cell.text
    if not tree.body and text.strip():
        yield "this is no plain Python; magics do not run everywhere"
    if "claims" in cell.tags and "hide-cell" not in cell.tags:
        yield "a claims cell has the tag hide-cell too"
    names = {n.split(".")[0] for node in ast.walk(tree) for n in _imports(node)}
    if names & _NETWORK:
        yield f"a chapter needs no network, but imports {sorted(names & _NETWORK)}"
    if re.search(r"[\"'](?:/|[A-Za-z]:\\|~/)\w", text):
        yield "a chapter names no absolute path"
    longest = max(map(len, text.splitlines()), default=0)
    if longest > COLUMNS and not {"hide-cell", "remove-input"} & set(cell.tags):
        yield f"a line has {longest} characters, {COLUMNS} at most: break it"
    if re.search(r"\binteract(?:ive)?\(", text):
        yield "interact is dead on the site; use a figure of attnbook.widgets"
    if "pyplot" in names | {n for node in ast.walk(tree) for n in _tails(node)}:
        yield "draw with style.subplots and end in style.show(figure, alt=...)"
    clock = re.search(r"\btime(?:it)?\.\w+\(|perf_counter\(", text)
    if clock and any(isinstance(node, ast.Assert) for node in ast.walk(tree)):
        yield "no assert may depend on the clock"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "show":
            if len(node.args) < 2 and not any(k.arg == "alt" for k in node.keywords):
                yield "style.show needs alt=: what to conclude, in a sentence or two"


def _imports(node):
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield node.module or ""


def _tails(node):
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.name.split(".")[-1] for alias in node.names)


def order_of_cells(chapter):
    """Check that prose stands between visible code cells. Yields str."""
    shown = [cell for cell in chapter.cells if cell.kind != "spoken"]
    for first, second in pairwise(shown):
        quiet = {"remove-input", "claims", "hide-cell"}
        if first.kind == second.kind == "code" and not (
            quiet & first.tags or quiet & second.tags
        ):
            yield _at(chapter, second, "say something between two code cells")


def words(chapter):
    """Check the length of the core path. Yields str."""
    count, most = core_words(chapter), size_of(chapter.number).words
    if count > most:
        yield f"the core path has {count} words, {most} at most; fold some of it"


def core_words(chapter):
    """Count the words up to the exercises, folds and formulas left out.

    Parameters
    ----------
    chapter : Chapter
        A chapter.

    Returns
    -------
    int
        A formula in a sentence counts as one word, a displayed one as none.
    """
    text = _FOLD.sub("", chapter.prose.split("\n## Exercises")[0])
    text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.S)
    text = re.sub(r"\$[^$]+\$", "x", visible(text).replace(BLANK, ""))
    return len(re.findall(r"[\w'’-]*\w[\w'’-]*", text))


def folds(chapter):
    """Check the folds and the traps. Yields str."""
    opened, closed = (
        len(re.findall(p, chapter.prose)) for p in (r"<details\b", r"</details>")
    )
    if opened != closed:
        yield f"{opened} folds are opened and {closed} closed"
    for fold in _FOLD.findall(chapter.prose):
        good = re.match(
            r'<details class="deeper"><summary>Going deeper: .+?</summary>\n\n', fold
        )
        if not good or not fold.endswith("\n\n</details>"):
            yield (
                'a fold is \'<details class="deeper"><summary>Going deeper: ...'
                f"</summary>', blank lines inside, got {fold[:60]!r}"
            )
    for quote in re.findall(r"(?:^|\n\n)> (.*)", chapter.prose):
        if not quote.startswith("**"):
            yield f"a trap opens with bold words, got {quote[:40]!r}"


def pictures(chapter):
    """Check that every picture says what to conclude. Yields str."""
    for alt, source in re.findall(r"!\[(.*?)\]\(([^)\s]*)", chapter.prose, re.S):
        if len(alt.split()) < 4 or not alt.rstrip().endswith("."):
            yield f"{source} needs an alternative text: a sentence that concludes"


def finished(chapter):
    """Check what a draft may still lack.

    Parameters
    ----------
    chapter : Chapter
        A chapter that is no draft.

    Returns
    -------
    list of str
        One line each.
    """
    found = []
    if not chapter.called("predict"):
        found.append(
            "nothing is predicted; ask with predict('name') before a discovery"
        )
    if not chapter.called("exercise"):
        found.append("there is no exercise('name')")
    if chapter.number not in chapter.called("quiz"):
        found.append(f"there is no quiz('{chapter.number}')")
    if not any(
        "attnbook.widgets" in name
        for cell in chapter.code
        for node in ast.walk(parse(cell.text))
        for name in _imports(node)
    ):
        found.append("there is no live figure of attnbook.widgets")
    if re.search(r"\bTODO\b|@@", chapter.prose):
        found.append("TODO or @@ is left in the text")
    return found


def chapters(folder):
    """List the chapters of a folder.

    Parameters
    ----------
    folder : pathlib.Path
        Usually ``chapters``.

    Returns
    -------
    list of pathlib.Path
        The files that start with two digits.
    """
    return sorted(Path(folder).glob("[0-9][0-9]_*.md"))


def mirrored(folder):
    """Tell which chapters mirror which source sections; drafts do not count.

    Parameters
    ----------
    folder : pathlib.Path
        Usually ``chapters``.

    Returns
    -------
    dict of str to list of str
        For each id, ``A1`` to ``D8``, the numbers of the chapters.
    """
    found = {section: [] for section in SECTIONS}
    for path in chapters(folder):
        chapter = Chapter(path, path.read_text(encoding="utf-8"))
        for section in chapter.facts.get("mirrors") or []:
            if not chapter.draft and section in found:
                found[section].append(chapter.number)
    return found


def main(argv=None):
    """Run the command line.

    Parameters
    ----------
    argv : list of str, optional
        Arguments; those of the process by default.

    Returns
    -------
    int
        0 if all chapters have the form, 1 if not.
    """
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", type=Path, metavar="CHAPTER.md")
    paths = parser.parse_args(argv).paths or chapters("chapters")
    found = [said for path in paths for said in problems(path, path.read_text("utf-8"))]
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    for path in paths:
        chapter = Chapter(path, path.read_text("utf-8"))
        note = ", a draft" if chapter.draft else ""
        print(f"{path}: core path of {core_words(chapter)} words{note}")
    missing = [one for one, by in mirrored("chapters").items() if not by]
    print("not mirrored yet:", " ".join(missing) or "nothing, every section is")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

"""Check that each technical term is explained before it is used.

The notation page has the table: a term with its other forms, its meaning, and the
chapter that explains it. In that chapter, and in those before it, the first use on the
core path stands in emphasis, as words do where this book explains them. Headings, the
list of what one learns and displayed formulas name what is to come, and are left out.
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from attnbook.questions import model
from booktools.content.problem import Problem
from booktools.content.prose import visible
from booktools.content.skeleton import Chapter

PAGE = Path("chapters/notation.md")
BANK = Path("src/attnbook/questions/bank")
_TABLE = re.compile(r"^## Terms\n.*?^\|[-| ]+\|\n(?P<rows>(?:^\|.*\|\n)+)", re.M | re.S)
_CHAPTER = re.compile(r"\[chapter \d+\]\((?P<file>\d\d_\w+)\.ipynb\)")
_EMPHASIS = re.compile(r"(?<!\*)(\*{1,2})(?![\s*])(?P<words>[^*\n]+?)\1(?!\*)")
_AHEAD = [  # what tells of things to come
    re.compile(r"^\*\*(?:Question|Before this|Core path)\.?:?\*\*.*$", re.M),
    re.compile(r"^\*\*What you'll learn\.\*\*.*\n\n(?:[- ].*\n)*", re.M),
    re.compile(r"^\$\$$.*?^\$\$$", re.M | re.S),
    re.compile(r"<details\b.*?</details>", re.S),
    re.compile(r"^## Exercises$.*\Z", re.M | re.S),
    re.compile(r"^#+ .*$", re.M),
]


class Term(NamedTuple):
    """A technical term: how it is written, what it means, where it is explained."""

    name: str
    forms: tuple
    meaning: str
    chapter: str  # the name of a file, such as 04_softmax

    @property
    def anchor(self):
        """Return the id of its place on the notation page."""
        return "term-" + re.sub(r"\W+", "-", self.name.lower()).strip("-")

    @cache  # noqa: B019 - a table has some dozens of terms, and each page asks for all
    def pattern(self):
        """Return what finds the term in a text."""
        words = sorted((self.name, *self.forms), key=len, reverse=True)
        any_form = "|".join(r"\s+".join(map(re.escape, word.split())) for word in words)
        return re.compile(rf"(?<![\w-])(?:{any_form})(?![\w-])", re.I)


def read(text):
    """Read the table of terms.

    Parameters
    ----------
    text : str
        The notation page.

    Returns
    -------
    list of Term

    Raises
    ------
    ValueError
        If there is no table, or a row does not name a chapter.
    """
    table = _TABLE.search(text)
    if not table:
        raise ValueError(f"{PAGE}: no table of terms under '## Terms'")
    return [_term(row) for row in table["rows"].splitlines()]


def table_of(root=Path()):
    """Return the terms of a book; none where it has no page of notation.

    Parameters
    ----------
    root : pathlib.Path
        The book's folder.

    Returns
    -------
    list of Term
    """
    page = root / PAGE
    return read(page.read_text(encoding="utf-8")) if page.is_file() else []


def _term(row):
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    chapter = _CHAPTER.search(cells[-1])
    if len(cells) != 3 or not chapter:
        raise ValueError(f"{PAGE}: want | term, forms | meaning | chapter |, got {row}")
    name, *forms = [form.strip() for form in cells[0].split(",")]
    return Term(name, tuple(forms), cells[1], chapter["file"])


def running_text(chapter, questions):
    """Return a chapter's core path with its predictions, the rest blanked.

    Parameters
    ----------
    chapter : booktools.content.skeleton.Chapter
    questions : dict
        The chapter's questions by name.

    Returns
    -------
    str
    """
    parts = []
    for cell in chapter.cells:
        if cell.kind == "prose":
            parts.append(cell.text)
        elif cell.kind == "code":
            parts += [_asked(questions[n]) for n in _predicted(cell) if n in questions]
    running = "\n\n".join(parts)
    for ahead in _AHEAD:
        running = ahead.sub("", running)
    return visible(running)


def _predicted(cell):
    return re.findall(r'predict\("([\w-]+)"\)', cell.text)


def _asked(question):
    choices = [choice.text for choice in getattr(question, "choices", ())]
    return "\n\n".join([question.prompt, *choices])


def unexplained(term, running):
    """Return the words around the first use of a term, where it is not explained there.

    Parameters
    ----------
    term : Term
    running : str
        From `running_text`.

    Returns
    -------
    str or None
    """
    first = term.pattern().search(running)
    if not first:
        return None
    for shown in _EMPHASIS.finditer(running):
        if shown.start() < first.start() and first.end() < shown.end():
            return None
    return " ".join(running[max(0, first.start() - 30) : first.end() + 30].split())


def problems(pages, table=None):
    """Find terms that a chapter uses before anything has explained them.

    Parameters
    ----------
    pages : list of pathlib.Path
        The chapters' files.
    table : list of Term, optional
        The terms of the notation page by default.

    Returns
    -------
    list of Problem
    """
    table = table_of() if table is None else table
    found = []
    for path in pages:
        chapter = Chapter(path, path.read_text(encoding="utf-8"))
        if chapter.draft:
            continue
        running = running_text(chapter, _questions(path))
        for term in table:
            if path.stem <= term.chapter and (words := unexplained(term, running)):
                said = f"'{term.name}' is used before it is explained, *so*: {words}"
                found.append(Problem(path, 1, said, "term"))
    return found


def _questions(path):
    bank = BANK / f"{path.stem}.toml"
    if not bank.is_file():
        return {}
    chapter = model.read(bank.read_text(encoding="utf-8"), bank.name)
    return {question.name: question for question in chapter.predict}

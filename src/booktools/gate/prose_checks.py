"""Ask the static checks about one changed file, in process.

Everything is read once: questions, exercises, words. Then only what depends on the
changed file is checked again: a page, the pages that ask its questions, one exercise.
"""

import re
from collections import Counter
from functools import lru_cache
from pathlib import Path

from attnbook.exercises import master
from attnbook.questions import model
from booktools.content import citations, claims, figure_words, reviewed, texts
from booktools.content.problem import Problem, is_open
from booktools.content.prose import parse


class Checks:
    """The checks, and what they say of the files as they stand.

    Parameters
    ----------
    pages : list of pathlib.Path
        Where questions are asked.
    """

    def __init__(self, pages):
        self.questions = claims.load_questions()
        self.pages = {path: path.read_text("utf-8") for path in pages}
        self.standing = lru_cache(maxsize=None)(self._standing)
        self.bound = {name for page in self.pages for name in self._answered(page)}

    def _standing(self, path):
        return self.problems(path, path.read_text("utf-8"))

    def _answered(self, page):
        read = claims.read_sections(page, self.pages[page], self.questions)
        return [name for section in read[1] for name in section.answers]

    def new_problems(self, path, text):
        """List what a change brings: problems, with the page whose rules they are.

        Parameters
        ----------
        path : pathlib.Path
        text : str
            The changed file.

        Returns
        -------
        list of (str, Problem)
        """
        said = Counter(map(_said, self.standing(path)))
        found = self.problems(path, text)
        new = Counter(map(_said, found)) - said
        return [one for one in found if _said(one) in new]

    def problems(self, path, text):
        """List the problems of a file that may differ from the one on the disk.

        Parameters
        ----------
        path : pathlib.Path
        text : str

        Returns
        -------
        list of (str, Problem)
            The name of the page counts for `booktools.content.problem.is_open`.
        """
        kinds = {".md": self._page, ".toml": self._asked, ".json": self._words}
        kind = self._exercise if path.name == "en.md" else kinds.get(path.suffix)
        found = (kind or self._other)(path, text)
        listed = reviewed.problems(path, text, _list_of(path))
        return found + [(path.stem, one) for one in listed]

    def _page(self, path, text):
        found = claims.page_problems(path, text, self.questions)
        return [(path.stem, p) for p in found + citations.label_problems(path, text)]

    def _asked(self, path, text):
        try:
            model.read(text, path.name)
            asked = self._with(path, text)
        except ValueError as why:  # the file is refused as a whole
            return [(path.stem, Problem(path, 1, str(why)))]
        labels = [(path.stem, p) for p in citations.label_problems(path, text)]
        return labels + [
            (page.stem, problem)
            for page in self._asking(path)
            for problem in claims.page_problems(page, self.pages[page], asked)
        ]

    def _with(self, path, text):
        asked = claims.Questions()
        asked.update(self.questions)
        asked.tables.update(self.questions.tables)
        own = claims.Questions()
        claims.read_questions(own, path, text)
        asked.update(own)
        asked.tables.update(own.tables)
        return asked

    @lru_cache(maxsize=64)  # noqa: B019 - one object for each run
    def _asking(self, path):
        chapter = model.read(path.read_text("utf-8"), path.name)
        names = [q.name for q in chapter.predict] + [chapter.number]
        shown = "|".join(map(re.escape, names))
        call = re.compile(rf"^(?:predict|quiz)\(\"(?:{shown})\"\)", re.M)
        return [page for page, text in self.pages.items() if call.search(text)]

    def _exercise(self, path, text):
        name = master.name_of(path.parent)
        page = next((p.stem for p in self.pages if p.stem[:2] == name[:2]), name)
        found = texts.text_problems(master.load(name), text, _false_numbers(name))
        found += citations.label_problems(path, text)
        return [(page, p) for p in found]

    def _words(self, path, text):
        if path not in claims.default_paths():
            return []  # the build does not ask about it either
        bindings = path.with_name(figure_words.BINDINGS)
        bound = bindings.read_text("utf-8") if bindings.is_file() else ""
        return [("", p) for p in figure_words.problems(path, text, bound)]

    def _other(self, path, text):
        if path.suffix == ".py":
            return [("", p) for p in self._caption(path, text)]
        table = citations.TABLE.read_text("utf-8")
        found = citations.bibliography_problems(path, text, table)
        return [("", p) for p in found]

    def _caption(self, path, text):
        alt = next(
            node.value.value
            for node in parse(text).body
            if getattr(getattr(node, "targets", [None])[0], "id", "") == "ALT"
        )
        return texts.alt_problems(path, alt, _numbers_of(path))


@lru_cache(maxsize=256)
def _list_of(path):
    listed = reviewed.list_of(path)
    return listed.read_text("utf-8") if listed.is_file() else ""


def _said(found):
    # a problem without its line: a change above may move it
    page, problem = found
    return page, problem.kind, re.sub(r"\bon line \d+", "", problem.text)


@lru_cache(maxsize=64)
def _false_numbers(name):
    # the numbers do not depend on the texts: they are compared once
    return texts.false_numbers(master.load(name))


@lru_cache(maxsize=64)
def _numbers_of(script):
    return texts.made_by(script).get("numbers")


def outcome(checks, change, text):
    """Say what the static checks make of a change.

    Parameters
    ----------
    checks : Checks
    change : booktools.gate.prose_changes.Change
    text : str
        The file as it stands.

    Returns
    -------
    str
        ``"caught"``; ``"read"`` if only the list of what a person read refuses it;
        ``"by a run"`` for an answer that a claims cell holds; ``"open"``
        where a page is not held to the rule yet; else ``"survived"``.
    """
    new = checks.new_problems(change.path, change.applied(text))
    kinds = {one.kind for page, one in new if not is_open(page, one.kind)}
    if kinds:
        return "read" if kinds == {reviewed.KIND} else "caught"
    if held_by_a_run(checks, change, text):
        return "by a run"
    return "open" if new or not_bound_yet(checks, change, text) else "survived"


def held_by_a_run(checks, change, text):
    """Whether a change is one of an answer that a claims cell computes.

    Parameters
    ----------
    checks : Checks
    change : booktools.gate.prose_changes.Change
    text : str

    Returns
    -------
    bool
    """
    answers = change.field in ("answer", "right")
    # of a choice the number that it begins with, if it is the right one
    number = change.field == "right choice" and change.kind == "digit"
    first = re.search(r'^text = "[^"\d]*$', text[: change.start], re.M)
    held = answers or bool(number and first)
    return held and question_of(change, text) in checks.bound


def question_of(change, text):
    """Name the question that a change of a question file belongs to.

    Parameters
    ----------
    change : booktools.gate.prose_changes.Change
    text : str

    Returns
    -------
    str
        Its name, or ``""``.
    """
    names = re.findall(r'^name = "([^"]+)"', text[: change.start], re.M)
    return names[-1] if names else ""


def not_bound_yet(checks, change, text):
    """Whether what would refuse a change is open for its page, or for such files.

    Parameters
    ----------
    checks : Checks
    change : booktools.gate.prose_changes.Change
    text : str

    Returns
    -------
    bool
    """
    line = text.count("\n", 0, change.start) + 1
    name = f"{question_of(change, text)!r}" if change.field in _ANSWERS else None
    return any(
        is_open(page, problem.kind)
        and (problem.line == line if name is None else name in problem.text)
        for page, problem in checks.standing(change.path)
    )


_ANSWERS = ("answer", "right", "right choice")


def all_pages():
    """List the pages that may ask questions.

    Returns
    -------
    list of pathlib.Path
    """
    return [*sorted(Path("chapters").glob("*.md")), Path("README.md")]

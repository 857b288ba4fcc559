"""The texts of an exercise: one Markdown file a language, ``en.md`` beside its code.

The first heading is the title, what follows it the statement. Then come the sections
``## Objective``, ``## Explanation`` and ``## Hints``, the last with one ``### name``
for each wrong answer, named as its function. These headings are marks and stay English
in every language. A ``{name}`` is a number of the variant; braces that belong to a
formula follow a letter, a backslash, ``^``, ``_`` or a brace that closes.
"""

import re
from dataclasses import dataclass
from numbers import Integral

LANGUAGE = "en"
PARTS = ("title", "statement", "objective", "explanation")
_MARK = re.compile(
    r"\A# (?P<title>.+)|^## (?P<part>Objective|Explanation|Hints)$|^### (?P<hint>\w+)$",
    re.M,
)

PLACE = re.compile(r"(?<![\\\w}^_])\{([a-z]\w+)\}")


@dataclass(frozen=True)
class Texts:
    """What an exercise says; `hints` by the names of its wrong answers."""

    title: str
    statement: str
    objective: str
    explanation: str
    hints: dict


def fill(text, words, where):
    """Put the numbers of a variant into a text.

    Parameters
    ----------
    text : str
    words : dict
        Numbers, or how they are printed, by the name of their place.
    where : str
        The exercise, for error messages.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If the text has a place for a number that is not there.
    """

    def word(found):
        if found[1] not in words:
            known = ", ".join(words) or "none"
            raise ValueError(f"{where}: {found[0]} must be among {known}")
        return _printed(words[found[1]])

    return PLACE.sub(word, text)


def _printed(value):
    if isinstance(value, str):
        return value
    if isinstance(value, Integral):
        return f"{value:,}"
    return f"{value:g}".replace("-", "−")


def read(folder, wrong, language=LANGUAGE):
    """Read the texts of an exercise.

    Parameters
    ----------
    folder : pathlib.Path
        The exercise's own.
    wrong : list of str
        The names of its wrong answers.
    language : str
        Such as ``"en"``.

    Returns
    -------
    Texts

    Raises
    ------
    ValueError
        If the file or a part of it is missing, or a hint belongs to no wrong answer.
    """
    path = folder / f"{language}.md"
    where = f"{folder.parent.name}/{folder.name}/{path.name}"
    if not path.is_file():
        raise ValueError(f"{where}: an exercise needs its texts, and there is no file")
    found = parse(path.read_text(encoding="utf-8"), where)
    _agree(set(found.hints), set(wrong), where)
    return found


def _agree(hints, wrong, where):
    if missing := ", ".join(sorted(wrong - hints)):
        raise ValueError(f"{where}: each wrong answer needs a hint, none for {missing}")
    if idle := ", ".join(sorted(hints - wrong)):
        raise ValueError(f"{where}: a hint needs its wrong answer, there is no {idle}")


def parse(text, where):
    """Split a file of texts into its parts.

    Parameters
    ----------
    text : str
    where : str
        The file, for error messages.

    Returns
    -------
    Texts

    Raises
    ------
    ValueError
        If a part is missing, empty, unknown, or there twice.
    """
    parts, hints = {}, {}
    marks = list(_MARK.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=True):
        said = text[mark.end() : end].strip()
        if mark["hint"]:
            _keep(hints, mark["hint"], said, where)
        elif mark["title"]:
            _keep(parts, "title", mark["title"].strip(), where)
            _keep(parts, "statement", said, where)
        elif mark["part"] != "Hints":
            _keep(parts, mark["part"].lower(), said, where)
    if set(parts) != set(PARTS):
        need, came = ", ".join(PARTS), ", ".join(parts)
        raise ValueError(f"{where}: the parts must be {need}; got {came}")
    return Texts(**parts, hints=hints)


def _keep(table, key, said, where):
    if key in table:
        raise ValueError(f"{where}: {key} stands there twice")
    if not said:
        raise ValueError(f"{where}: {key} is empty")
    table[key] = said

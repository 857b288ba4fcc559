"""List what a second language still lacks, and where it says another number.

A translation is one more file beside the first language: ``de.md`` beside ``en.md`` of
an exercise, ``de.json`` beside ``en.json`` of a figure, ``de/NN_slug.toml`` beside
``NN_slug.toml`` of a chapter, which repeats the tables and holds their texts
alone. ``python -m booktools.content.translations de`` compares them text by text: what
is missing, what has nothing to translate, and whose numbers or ``{places}`` differ.
"""

import json
import re
import sys
import tomllib
from pathlib import Path

from attnbook.exercises import texts

ROOT = Path(__file__).parents[3]
FIRST = texts.LANGUAGE
# The keys of a question whose values are words; all else is structure.
WORDS = {"prompt", "text", "reason", "says", "label", "unit"}
_NUMBER = re.compile(r"\d(?:[.,\u2019\u00a0\u202f]?\d)*")
_PLACE = re.compile(r"\{\w+(?:[.:!][^{}]*)?\}")


def said(text):
    """Return the numbers and places of a text, in any order and any country's writing.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str
    """
    places = _PLACE.findall(text)
    numbers = _NUMBER.findall(_PLACE.sub(" ", text))
    return sorted(re.sub(r"\D", "", number) for number in numbers) + sorted(places)


def of_exercise(path):
    """Return the texts of an exercise by their places.

    Parameters
    ----------
    path : pathlib.Path

    Returns
    -------
    dict of str to str
    """
    found = texts.parse(path.read_text(encoding="utf-8"), path.name)
    parts = {part: getattr(found, part) for part in texts.PARTS}
    return parts | {f"hint {name}": hint for name, hint in found.hints.items()}


def of_table(value, place=""):
    """Return the texts of nested tables by their places.

    Parameters
    ----------
    value : dict, list or str
    place : str
        Of the table itself.

    Returns
    -------
    dict of str to str
    """
    if isinstance(value, str):
        return {place: value}
    if not isinstance(value, dict | list):
        return {}
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    found = {}
    for key, part in pairs:
        name = part.get("name", key) if isinstance(part, dict) else key
        found |= of_table(part, f"{place}.{name}" if place else str(name))
    return found


def of_figure(path):
    """Return the words of a figure by their places; see `of_table`."""
    return of_table(json.loads(path.read_text(encoding="utf-8")))


def of_questions(path):
    """Return the words of a chapter's questions by their places; see `of_table`."""
    found = of_table(tomllib.loads(path.read_text(encoding="utf-8")))
    return {place: t for place, t in found.items() if place.split(".")[-1] in WORDS}


def pairs(root, language):
    """Find the files of the first language and where those of another belong.

    Parameters
    ----------
    root : pathlib.Path
        The repository.
    language : str

    Yields
    ------
    tuple
        The first file, the other one, and the function that reads both.
    """
    package = root / "src" / "attnbook"
    for path in sorted(package.rglob(f"bank/[0-9][0-9]/*/{FIRST}.md")):
        yield path, path.with_name(f"{language}.md"), of_exercise
    for path in sorted(package.rglob(f"{FIRST}.json")):
        yield path, path.with_name(f"{language}.json"), of_figure
    for path in sorted(package.glob("questions/bank/*.toml")):
        yield path, path.parent / language / path.name, of_questions


def differences(root, language):
    """Compare another language with the first.

    Parameters
    ----------
    root : pathlib.Path
    language : str

    Returns
    -------
    list of str
        One line for each file or text.
    """
    lines = []
    for first, other, read in pairs(root, language):
        where = other.relative_to(root)
        if not other.is_file():
            lines.append(f"{where}: missing")
            continue
        try:
            lines += [f"{where}: {line}" for line in _between(read(first), read(other))]
        except ValueError as why:
            lines.append(f"{where}: cannot be read: {why}")
    return lines


def _between(first, other):
    yield from (f"{place}: missing" for place in first if place not in other)
    yield from (f"{place}: not in {FIRST}" for place in other if place not in first)
    for place in first.keys() & other.keys():
        here, there = said(first[place]), said(other[place])
        if here != there:
            yield f"{place}: {FIRST} says {_list(here)}, here it is {_list(there)}"


def _list(numbers):
    return ", ".join(numbers) or "no number"


def main(arguments=None, root=ROOT):
    """Print what differs; return 1 if anything does."""
    languages = sys.argv[1:] if arguments is None else arguments
    if len(languages) != 1 or not re.fullmatch(r"[a-z]{2}(-[A-Z]{2})?", languages[0]):
        print(f"usage: python -m {__spec__.name} LANGUAGE, such as de", file=sys.stderr)
        return 2
    lines = differences(root, languages[0])
    print("\n".join([*lines, f"{len(lines)} differences from {FIRST}"]))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())

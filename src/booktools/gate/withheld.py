"""Look for solutions of exercises in built pages and notebooks.

Folding is not withholding: a folded solution is in the page. With
``ATTNBOOK_SOLUTIONS=withheld`` the site is built without them, and
``python -m booktools.gate.withheld`` then searches all that was built.
"""

import argparse
import json
import re
import sys
from html import unescape
from pathlib import Path

from attnbook.exercises.master import load, names

SHORTEST = 24  # letters of a line or sentence that gives a solution away
TEXTS = {".html", ".js", ".json", ".ipynb", ".md", ".txt", ".py", ".xml", ".csv"}


def letters(text):
    """Keep what survives any markup: letters, digits and a few signs.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
    """
    return re.sub(r"[^A-Za-z0-9_=+*/().,-]", "", text)


def fingerprints(exercise):
    """Return the parts of a solution that its statement and stub do not hold.

    Parameters
    ----------
    exercise : Exercise

    Returns
    -------
    list of str
        Lines of code and sentences, reduced by `letters`.
    """
    lines = exercise.solution_code.split("\n")
    # Formulas are rendered: look for the words between them.
    lines += re.split(r"\$[^$]*\$|`[^`]*`|(?<=[.:])\s", exercise.explanation)
    known = letters(exercise.statement + exercise.stub)
    parts = [letters(line) for line in lines]
    return [part for part in parts if len(part) >= SHORTEST and part not in known]


def leaks(folder):
    """Find solutions in the files below a folder.

    Parameters
    ----------
    folder : pathlib.Path

    Returns
    -------
    list of (pathlib.Path, str)
        File and name of the exercise.
    """
    marks = {name: fingerprints(load(name)) for name in names()}
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix in TEXTS and path.is_file():
            text = plain(path)
            found += [
                (path, name)
                for name, parts in marks.items()
                if any(part in text for part in parts)
            ]
    return found


def plain(path):
    """Read what a file says, without markup, reduced by `letters`.

    Parameters
    ----------
    path : pathlib.Path

    Returns
    -------
    str
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".html":
        text = unescape(re.sub(r"<[^>]*>", "", text))
    if path.suffix == ".ipynb":
        text = "".join(_strings(json.loads(text)))
    return letters(text)


def _strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def main(arguments=None):
    """Print what was found; return 1 if there is anything, 2 without a page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("_build/html"))
    folder = parser.parse_args(arguments).folder
    if not any(folder.rglob("*.html")):
        # Nothing to search would read as nothing found.
        print(f"There is no page in {folder}: build the site first.")
        return 2
    found = leaks(folder)
    for path, name in found:
        print(f"{path}: holds the solution of {name}")
    print(f"{len(found)} solutions found in {folder}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

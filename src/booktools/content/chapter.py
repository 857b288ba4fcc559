"""Check and run one chapter while writing it.

``python -m booktools.content.chapter 05_slug`` makes the notebook, checks the form and
the numbers in the prose, and runs every cell. A chapter that is not there yet is
started from the template.
"""

import re
import sys
from pathlib import Path

from attnbook.questions import model
from booktools import ROOT
from booktools.content import drafts
from booktools.content.claims import QUESTIONS
from booktools.gate import check


def names(root=ROOT):
    """Return the chapters that have code, by the names of their notebooks."""
    return sorted(path.stem for path in (root / "chapters").glob("*.ipynb"))


def commands(name):
    """Return the commands that check one chapter, as arguments of Python."""
    page = f"chapters/{name}"
    return (
        check.module("booktools.content.notebooks", f"{page}.md"),
        check.module("booktools.content.skeleton", f"{page}.md"),
        check.module("booktools.content.claims", "--check", f"{page}.md"),
        check.pytest("--nbval", "--nbval-current-env", "-q", f"{page}.ipynb"),
    )


def question_problem(name, root=ROOT):
    """Return what is wrong with a chapter's question file; None if all is well.

    Each cell that shows one of its questions would say the same, at length.
    """
    path = root / QUESTIONS / f"{name}.toml"
    try:
        if path.is_file():
            model.read(path.read_text(encoding="utf-8"), path.name)
    except ValueError as error:
        return str(error)
    return None


def main(arguments=None, root=ROOT, run=check.stream):
    """Check one chapter; return a status for the shell."""
    given = sys.argv[1:] if arguments is None else arguments
    name = Path(given[0]).stem if len(given) == 1 else ""
    there = (root / "chapters" / f"{name}.md").is_file()
    if not there and re.match(r"\d\d_", name):
        there = drafts.main(["chapter", name], root) == 0
    if not there:
        print("Which chapter? make chapter NAME=05_why_divide; there are:")
        print("  " + "\n  ".join(names(root)))
        print("A new one: make new-chapter NAME=06_slug")
        return 2
    if problem := question_problem(name, root):
        print(problem)
        return 1
    codes = [run(command)[0] for command in commands(name)]
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())

"""Which files are the book's, with git and without."""

import subprocess
from pathlib import Path

from booktools import ROOT


def git(*arguments):
    """What git says in the book's folder; nothing where there is no git."""
    try:
        command = ["git", *arguments]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=60
        )
    except FileNotFoundError:
        return ""
    return done.stdout.strip("\n")


def committed():
    """The names of the committed files; of all but made ones in an unpacked archive.

    An archive may lie inside somebody's repository, which knows nothing of it.
    """
    top = git("rev-parse", "--show-toplevel")
    if top and Path(top).samefile(ROOT):
        return list(filter(None, git("ls-files", "-z").split("\0")))
    made = {line.strip("/") for line in (ROOT / ".gitignore").read_text().split()}
    kept = [path for path in ROOT.iterdir() if path.name not in made | {".git"}]
    paths = [inner for path in kept for inner in (path, *path.rglob("*"))]
    return [path.relative_to(ROOT).as_posix() for path in paths if path.is_file()]

"""No page is built from prose that differs from code, whoever starts the build.

Before Sphinx reads a page, the static checks run: numbers, formulas, words, answers,
links (`booktools.content.claims`), what no code holds (`booktools.content.reviewed`),
and notebooks that are not their sources any more.
What is wrong stops the build, each with its file and line. What was right is kept as a
list of hashes in the build's folder, so that a changed page alone is read again.
"""

import contextlib
import hashlib
import json
from pathlib import Path

from sphinx.errors import SphinxError

MEMORY = "promise.json"
# What every page is checked with: a change of it, and all is checked again.
SHARED = (
    "src/attnbook/**/*.py",
    "src/attnbook/**/*.json",
    "src/attnbook/**/*.toml",
    "src/attnbook/**/*.md",
    "src/booktools/content/*.py",
    "tests/**/*.py",  # some formulas name the test that proves them
    "chapters/references.*",
)


class Refused(SphinxError):
    """What the static checks found; Sphinx prints it and ends."""

    category = "Not built: text and code differ"


def digest(paths):
    """Return a hash of files, names and bytes.

    Parameters
    ----------
    paths : iterable of pathlib.Path

    Returns
    -------
    str
    """
    found = hashlib.sha256()
    for path in paths:
        found.update(path.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def problems(root, memory):
    """Check a book, page by page, where something changed.

    Parameters
    ----------
    root : pathlib.Path
        The book's folder.
    memory : pathlib.Path
        A JSON file with the hashes of what was right.

    Returns
    -------
    list of str
        What is wrong, a line each.
    """
    known = set(json.loads(memory.read_text())) if memory.is_file() else set()
    kept, found = set(), []
    with contextlib.chdir(root):
        for key, check in _checks():
            said = [] if key in known else list(map(str, check()))
            found += said
            kept |= set() if said else {key}
    memory.parent.mkdir(parents=True, exist_ok=True)
    memory.write_text(json.dumps(sorted(kept)))
    return list(dict.fromkeys(found))


def _checks():
    # (hash of all that it reads, function that lists problems), for each page and more
    # slow to import
    from booktools.content import claims, notebooks, regions, reviewed

    shared = digest(path for each in SHARED for path in sorted(Path().glob(each)))
    questions = claims.load_questions()
    pages = claims.default_paths()
    for path in pages:
        yield (
            digest([path]) + shared,
            lambda path=path: claims.check([path], questions, exercises=False),
        )
        yield (
            f"exercises of {path}, {shared}",
            lambda path=path: claims.exercise_problems(path),
        )
    for path in regions.files():
        lists = [one for one in [reviewed.list_of(path)] if one.is_file()]
        yield (
            "read: " + digest([path, *lists]) + shared,
            lambda path=path: reviewed.check(path),
        )
    for source in notebooks.notebook_sources("chapters"):
        twin = [path for path in [source.with_suffix(".ipynb")] if path.exists()]
        yield (
            digest([source, *twin, *sorted(Path("figures").glob("*.svg"))]) + shared,
            lambda source=source: notebooks.problems([source], check=True),
        )
    rest = digest([*pages, *sorted(Path("figures").glob("*.py"))]) + shared
    yield rest, claims.other_problems


def on_config(app, config):
    """Refuse a book whose text and code differ."""
    root = Path(app.srcdir)
    if not (root / "src/attnbook/questions/bank").is_dir():
        return  # another book, which uses this extension
    found = problems(root, Path(app.outdir).parent / MEMORY)
    if found:
        rule = "The checks are explained in CONTRIBUTING.md, under Numbers in prose."
        raise Refused("\n".join(["", *found, rule]))


def setup(app):
    """Check before anything is read."""
    app.connect("config-inited", on_config, priority=100)

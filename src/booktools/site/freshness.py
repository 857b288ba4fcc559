"""What must be made again, and when: no page is ever stale, and nothing runs twice.

A notebook's outputs depend on its cells, on the package that it imports, on the data
beside it, and on the pinned versions. The cells are jupyter-cache's own key. A hash of
the rest names the cache's folder: a change of the package begins an empty cache, and
Sphinx reads every page again, since the folder is a setting that pages depend on.
"""

import hashlib
import os
import re
import shutil
import sys
from pathlib import Path

HEADER = re.compile(r"\A---\n(?:(?!---).*\n)*?jupytext:\n")
PYTHON_FREE = {".js", ".css", ".pyc"}  # seen by the page's script, not by a cell
PAGES = {".md", ".ipynb", ".bib", ".pyc"}
KEPT = 2  # caches: the newest, and the one before it (for going back and forth)


def _files(folder, ignored):
    if not folder.is_dir():
        return []
    found = (path for path in folder.rglob("*") if path.is_file())
    parts = {"__pycache__", ".ipynb_checkpoints", ".pytest_cache"}
    return sorted(
        path
        for path in found
        if path.suffix not in ignored and not parts & set(path.parts)
    )


def execution_key(root):
    """Return a hash of all that a cell's output may depend on, its own text apart.

    Parameters
    ----------
    root : pathlib.Path
        The book's folder, with ``src/attnbook``, ``chapters`` and ``constraints.txt``.
    """
    files = _files(root / "src" / "attnbook", PYTHON_FREE)
    files += _files(root / "chapters", PAGES)
    files += [path for path in [root / "constraints.txt"] if path.exists()]
    digest = hashlib.sha256(sys.version.encode())
    # Whether exercises show their solutions (attnbook.exercises).
    digest.update(os.environ.get("ATTNBOOK_SOLUTIONS", "shown").encode())
    for path in files:
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def has_header(path):
    """Say whether a Markdown file is the source of a notebook (a jupytext header)."""
    with path.open(encoding="utf-8") as file:
        return bool(HEADER.match(file.read(4000)))


def notebook_sources(root):
    """Return the Markdown sources of notebooks, as patterns to exclude."""
    pages = sorted((root / "chapters").rglob("*.md"))
    return [path.relative_to(root).as_posix() for path in pages if has_header(path)]


def prune_caches(folder, newest):
    """Delete old execution caches: all but the newest and the one used before it."""
    caches = [
        path for path in folder.iterdir() if path.is_dir() and path.name != newest
    ]
    caches.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in caches[KEPT - 1 :]:
        shutil.rmtree(path)


def cache_folder(root, build):
    """Return the folder with the outputs of a book as it is now, older ones pruned.

    Parameters
    ----------
    root, build : pathlib.Path
        The book's folder, and the one that it is built in.
    """
    folder = build / "executed" / execution_key(root)
    folder.mkdir(parents=True, exist_ok=True)
    prune_caches(folder.parent, folder.name)
    return folder


def on_config(app, config):
    """Exclude the twins of notebooks, and give the execution cache its key."""
    root = Path(app.srcdir)
    config.exclude_patterns += notebook_sources(root)
    config.nb_execution_cache_path = str(cache_folder(root, Path(app.outdir).parent))


def sweep(app, error):
    """Delete pages of earlier builds that the book no longer has."""
    if error or app.builder.name != "html":
        return
    out = Path(app.outdir)
    names = set(app.env.found_docs) | {"search", "licences", "index"}
    for path in out.rglob("*.html"):
        inner = path.relative_to(out)
        if inner.parts[0].startswith("_"):
            continue
        if inner.with_suffix("").as_posix() not in names:
            path.unlink()


def setup(app):
    """Connect both steps."""
    app.connect("config-inited", on_config)
    app.connect("build-finished", sweep)

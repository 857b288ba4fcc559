"""List the licences of all that the built site hands out, from what is really there.

Each file in ``_static``, and each source that esbuild bundled, must belong to the book
or to a work of licences.toml; one that belongs to neither is a warning.
"""

import importlib.metadata
import json
import tomllib
from fnmatch import fnmatch
from pathlib import Path

from sphinx.util import logging

from booktools.site import assets

LOGGER = logging.getLogger(__name__)
TABLE = Path(__file__).with_name("licences.toml")
# Copied by Sphinx and myst-nb for every theme; this theme links none of them.
UNUSED = ("basic.css", "pygments.css", "mystnb.*.css", "sphinx_highlight.js")
UNUSED += ("file.png", "minus.png", "plus.png")


def belongs(name, patterns):
    """Say whether a file's name matches one of the patterns."""
    return any(fnmatch(name, pattern) for pattern in patterns)


def unknown(files, inputs, table):
    """Return the files and the inputs that no entry of the table covers.

    Parameters
    ----------
    files, inputs : iterable of str
        Names below ``_static``; names of bundled sources.
    table : dict
        The content of licences.toml.
    """
    entries = [table["own"], *table["work"]]
    left = []
    for kind, names in (("files", files), ("inputs", inputs)):
        known = [pattern for entry in entries for pattern in entry.get(kind, ())]
        left += [name for name in names if not belongs(name, known)]
    return left


def works_in(files, bundles, table):
    """Return the works of which the site has a part, each with its files."""
    present = []
    for work in table["work"]:
        own = [name for name in files if belongs(name, work.get("files", ()))]
        parts = [
            made
            for made, inputs in sorted(bundles.items())
            if any(belongs(name, work.get("inputs", ())) for name in inputs)
        ]
        if own or parts:
            present.append(work | {"files": own or parts})
    return present


def version_of(source):
    """Return a version, for ``npm:package`` or ``python:distribution``."""
    kind, name = source.split(":", 1)
    if kind == "python":
        return importlib.metadata.version(name)
    return json.loads(assets.npm_file(f"{name}/package.json").read_text())["version"]


def text_of(source):
    """Return a licence's text, for ``npm:``, ``python:`` or ``font:`` and a file."""
    kind, name = source.split(":", 1)
    if kind == "npm":
        return assets.npm_file(name).read_text(encoding="utf-8")
    if kind == "font":
        return _font_licence(assets.npm_file(name))
    distribution, file = name.split("/", 1)
    parts = importlib.metadata.files(distribution) or []
    found = next(
        part for part in parts if part.name == file and "dist-info" in str(part)
    )
    return found.locate().read_text(encoding="utf-8")


def _font_licence(path):
    from fontTools.ttLib import TTFont  # slow to import; comes with matplotlib

    with TTFont(path) as font:
        names = font["name"]
    licence = TABLE.with_name("ofl.txt").read_text(encoding="utf-8")
    return f"{names.getDebugName(13)}\n\n{licence}"


def static_files(folder):
    """Return the names of all files below ``_static``, as they are on the disk."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.relative_to(folder).as_posix() for path in found)


def remove_unused(folder):
    """Delete what Sphinx and its extensions put into ``_static`` for other themes."""
    for name in static_files(folder):
        if belongs(name, UNUSED):
            (folder / name).unlink()


def collect_page(app):
    """Write the page of licences; warn of anything whose licence is not known."""
    folder = Path(app.outdir) / "_static"
    remove_unused(folder)
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    files, bundles = static_files(folder), app.attnbook_assets.bundles
    for name in unknown(files, app.attnbook_assets.inputs, table):
        LOGGER.warning("no licence is known for %s: add it to licences.toml", name)
    works = works_in(files, bundles, table)
    for work in works:
        work["version"], work["text"] = (
            version_of(work["version"]),
            text_of(work["text"]),
        )
    yield "licences", {"title": "Licences", "works": works}, "licences.html"


def on_finished(app, error):
    """Delete what was copied after the pages were written (myst-nb's style sheet)."""
    if not error and app.builder.name == "html":
        remove_unused(Path(app.outdir) / "_static")


def setup(app):
    """Connect the page, and the last cleaning."""
    app.connect("html-collect-pages", collect_page)
    app.connect("build-finished", on_finished, priority=900)

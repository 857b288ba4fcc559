"""The site is built from a notebook's plain cells, not from those made for readers.

On the disk lies the notebook that JupyterLab opens and that a page offers for download
(`booktools.content.readers`). Sphinx is handed what the same source says without that:
roles, directives and links that this extension knows.
"""

from pathlib import Path

from booktools.content import notebooks


def on_source_read(app, docname, source):
    """Put the plain notebook in the place of the one on the disk."""
    path = Path(app.env.doc2path(docname))
    page = path.with_suffix(".md")
    if path.suffix == ".ipynb" and page.is_file() and notebooks.is_source(page):
        app.env.note_dependency(str(page))
        source[0] = notebooks.render(page.read_text(encoding="utf-8"))


def setup(app):
    """Register the event."""
    app.connect("source-read", on_source_read)

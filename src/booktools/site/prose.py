"""Small changes of the document between Markdown and HTML.

Traps and other marked blockquotes get a class; tables and wide formulas get a box that
scrolls; folded cells become plain `<details>` with a summary that says what is inside.
"""

import html
import re
from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.transforms.post_transforms import SphinxPostTransform

IMPORTS = re.compile(r"\s*(import|from)\s")
LABEL = re.compile(r' (?:role|aria-label)="[^"]*"(?: aria-label="[^"]*")?')
MARK = re.compile(r"^([A-Za-z]+)[^A-Za-z]*")


class TableBox(nodes.General, nodes.Element):
    """A box around a table that scrolls sideways on a narrow screen."""


def visit_table_box(translator, node):
    """Open the box."""
    translator.body.append('<div class="table-box">\n')


def depart_table_box(translator, node):
    """Close the box."""
    translator.body.append("</div>\n")


def visit_fold(translator, node):
    """Open a folded cell: a native disclosure with a summary in plain words."""
    classes = html.escape(" ".join(["cell-fold", *node["classes"]]))
    summary = html.escape(node["prompt_show"])
    start = f'<details class="{classes}">\n<summary><span>{summary}</span></summary>\n'
    translator.body.append(start)


def depart_fold(translator, node):
    """Close a folded cell."""
    translator.body.append("</details>\n")


def summary_of(classes, source):
    """Return the summary of a folded cell.

    Parameters
    ----------
    classes : list of str
        The cell's classes; myst-nb makes one of each tag, such as ``tag_claims``.
    source : str
        The cell's code.
    """
    if "tag_claims" in classes:
        return "Check the numbers above"
    if "tag_hide-output" in classes:
        return "Show the output"
    return "Show the setup" if IMPORTS.match(source) else "Show the code"


def mark_of(quote):
    """Return the class for a blockquote that opens in bold, as in ``**Trap.**``.

    Parameters
    ----------
    quote : docutils.nodes.block_quote
        The blockquote.

    Returns
    -------
    str or None
        ``"trap"`` for ``**Trap.**``, ``"note"`` for ``**Note.**`` and so on.
    """
    first = quote[0] if len(quote) else None
    if not isinstance(first, nodes.paragraph):
        return None
    start = next((child for child in first if child.astext()), None)  # MyST adds ""
    if not isinstance(start, nodes.strong):
        return None
    found = MARK.match(start.astext())
    return found[1].lower() if found else None


class MarkQuotes(SphinxPostTransform):
    """Give blockquotes such as traps a class."""

    default_priority = 300

    def run(self, **kwargs):
        """Visit each blockquote."""
        for quote in self.document.findall(nodes.block_quote):
            if mark := mark_of(quote):
                quote["classes"] += ["marked", f"mark-{mark}"]


class BoxTables(SphinxPostTransform):
    """Put each table into a box that scrolls."""

    default_priority = 300
    formats = ("html",)

    def run(self, **kwargs):
        """Visit each table."""
        for table in list(self.document.findall(nodes.table)):
            box = TableBox()
            table.replace_self(box)
            box += table


class NameFolds(SphinxPostTransform):
    """Name folded cells before myst-nb folds them (its priority is 199)."""

    default_priority = 150
    formats = ("html",)

    def run(self, **kwargs):
        """Visit each code cell."""
        for cell in self.document.findall(nodes.container):
            if cell.get("nb_element") == "cell_code" and cell.get("hide_mode"):
                cell["prompt_show"] = summary_of(cell["classes"], cell.astext())


def drawing(path, alt):
    """Return one of the book's own drawings as HTML, in the page's colours.

    Parameters
    ----------
    path : pathlib.Path
        An SVG file.
    alt : str
        What it shows; becomes its accessible name.

    Returns
    -------
    str or None
        None if the file is not one that ``booktools.content.figures`` drew.
    """
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if 'class="attn-plot"' not in text[:500]:
        return None
    text = LABEL.sub("", text, count=1)
    named = f'<svg role="img" aria-label="{html.escape(alt)}"'
    return f'<span class="drawing">{text.replace("<svg", named, 1).strip()}</span>'


class InlineDrawings(SphinxPostTransform):
    """Put drawings into the page itself, so that they take part in dark and light."""

    default_priority = 300
    formats = ("html",)

    def run(self, **kwargs):
        """Visit each picture."""
        for image in list(self.document.findall(nodes.image)):
            path = Path(self.app.srcdir, image["uri"])
            if path.suffix != ".svg":
                continue
            if text := drawing(path, image.get("alt", "")):
                image.replace_self(nodes.raw("", text, format="html"))


def setup(app):
    """Register the transforms and the nodes."""
    for transform in (MarkQuotes, BoxTables, NameFolds, InlineDrawings):
        app.add_post_transform(transform)
    app.add_node(TableBox, html=(visit_table_box, depart_table_box))
    app.add_node(HideCodeCellNode, override=True, html=(visit_fold, depart_fold))

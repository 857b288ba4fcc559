"""Exercises as rows that open: a chapter's exercises fill a screen, not five.

A row is a fold with the exercise's title and facts on it, and its statement, solution,
code and check inside. It is plain HTML: without a script it opens, and a link into it
opens it in current browsers. On paper rows are open (`styles/print.css`).
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from booktools.site.questions import h, html_element

FACTS = ("attn-ex-title", "attn-ex-facts")


def exercise(node):
    """Return the exercise that a part of a page shows, or None."""
    for found in node.findall(html_element):
        if dict(found["pairs"]).get("class") == "attn-ex":
            return found
    return None


def row(parts):
    """Put an exercise's parts, its text first, into a row."""
    box = exercise(parts[0])
    head = [
        child
        for child in box.children
        if isinstance(child, html_element) and dict(child["pairs"])["class"] in FACTS
    ]
    for child in head:
        box.remove(child)
    summary = h("summary", {"class": "attn-ex-row-head"}, *head)
    body = h("div", {"class": "attn-ex-row-body"}, *parts)
    return h("details", {"class": "attn-ex-row"}, summary, body)


def grouped(children):
    """Split the parts of a section into those of exercises and others.

    Parameters
    ----------
    children : list of docutils.nodes.Node

    Yields
    ------
    list of docutils.nodes.Node
        One part, or an exercise with its code: cells up to the next exercise or text.
    """
    group = []
    for child in children:
        cell = isinstance(child, nodes.container)
        if group and cell and not exercise(child):
            group.append(child)
            continue
        if group:
            yield group
        group = [child] if cell and exercise(child) else []
        if not group:
            yield [child]
    if group:
        yield group


class ExerciseRows(SphinxPostTransform):
    """Make rows of the exercises of a page."""

    default_priority = 270
    formats = ("html",)

    def run(self, **kwargs):
        """Visit each section's own parts."""
        for section in list(self.document.findall(nodes.section)):
            if not any(exercise(one) for one in _cells(section)):
                continue
            parts = list(grouped(list(section.children)))
            section.clear()
            for part in parts:
                shown = _cells(part) and exercise(part[0])
                section += [row(part)] if shown else part


def _cells(parts):
    return [one for one in parts if isinstance(one, nodes.container)]


def setup(app):
    """Register the transform."""
    app.add_post_transform(ExerciseRows)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

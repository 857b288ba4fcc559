"""What follows a prediction is covered until the reader has committed to an answer.

A veil reaches from a prediction to the next heading, the next prediction, the next live
figure, or a line ``<!-- veil ends -->``, whichever comes first. A figure that answers
the question is covered too, with what follows it: it has a line
``<!-- figure answers -->`` before it. Where a figure stays open and the text after it
answers, a line ``<!-- veil goes on -->`` covers from there on. Open stays what gives
nothing away: code at the start whose output is folded, which tells how something is
measured, and the paragraph that leads up to a figure. Only the style sheet and
``questions/veils.js`` cover anything: without JavaScript, on paper and in a notebook
all text is there to read.
"""

import itertools

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from attnbook.questions.render import WORDS
from booktools.content.readers import ANSWERS, END, RESUMES
from booktools.site.questions import h, html_element

FIGURE = "<attn-figure"


def prediction(node):
    """Return the name of the prediction that a part of a page asks, or None."""
    for found in node.findall(html_element):
        if found["tag"] == "attn-quiz":
            return None
        if found["tag"] == "attn-question":
            return dict(found["pairs"])["data-name"]
    return None


def holds(node, markup):
    """Tell whether a part of a page holds some HTML of its own."""
    return any(markup in part.astext() for part in node.findall(nodes.raw))


def ends(node):
    """Tell whether a veil stops before this part of a page."""
    if isinstance(node, nodes.section) or prediction(node):
        return True
    return holds(node, END) or holds(node, FIGURE)


def reached(following):
    """Yield the parts up to the end of the veil."""
    answers = False
    for node in following:
        if ends(node) and not (answers and holds(node, FIGURE)):
            return
        answers = holds(node, ANSWERS)
        yield node


def resumed(following):
    """Return the parts after a figure that a mark covers too."""
    for place, node in enumerate(following):
        if isinstance(node, nodes.section) or prediction(node):
            break
        if holds(node, RESUMES):
            return list(reached(following[place + 1 :]))
    return []


def is_silent_code(node):
    """Tell whether a part is code that shows no result of its own."""
    folded = {"tag_hide-output", "tag_claims"}
    return bool(folded & set(node.get("classes", ())))


def covered(following):
    """Return the parts to cover, of those that follow a prediction."""
    parts = list(reached(following))
    at_a_figure = any(holds(node, FIGURE) for node in following[len(parts) :][:1])
    if at_a_figure and parts and isinstance(parts[-1], nodes.paragraph):
        parts.pop()
    parts = list(itertools.dropwhile(is_silent_code, parts))
    while parts and is_silent_code(parts[-1]):
        parts.pop()
    return parts


def veil(name, parts):
    """Put parts of a page under a veil, with the bar that can lift it."""
    show = h("button", {"type": "button", "class": "attn-veil-show"}, WORDS["show"])
    words = h("p", {}, WORDS["covered"])
    bar = h("div", {"class": "attn-veil-bar"}, words, show)
    text = h("div", {"class": "attn-veil-text", "tabindex": "-1"}, *parts)
    return h("div", {"class": "attn-veil", "data-for": name}, bar, text)


def switch():
    """Make the switch for all veils, on this page and on the others."""
    box = {"type": "checkbox", "checked": "", "class": "attn-veil-box"}
    label = h("label", {}, h("input", box), " ", WORDS["cover"])
    return h("div", {"class": "attn-veil-switch"}, label)


class CoverAnswers(SphinxPostTransform):
    """Cover what follows each prediction of a page."""

    default_priority = 260
    formats = ("html",)

    def run(self, **kwargs):
        """Visit each section's own parts."""
        first = None
        for section in list(self.document.findall(nodes.section)):
            for cell in [part for part in section if prediction(part)]:
                if not isinstance(cell, nodes.section) and self.cover(section, cell):
                    first = first or cell
        if first:
            first.parent.insert(first.parent.index(first), switch())

    def cover(self, section, cell):
        """Cover what follows one prediction; tell whether there is anything."""
        start, done = section.index(cell) + 1, False
        for choose in (covered, resumed):
            parts = choose(section[start:])
            if parts:
                place = section.index(parts[0])
                del section[place : place + len(parts)]
                section.insert(place, veil(prediction(cell), parts))
                done = True
        return done


def setup(app):
    """Register the transform."""
    app.add_post_transform(CoverAnswers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

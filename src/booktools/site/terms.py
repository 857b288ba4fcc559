"""Terms that another chapter explains are links with their meaning.

The table on the notation page (`booktools.content.terms`) names them. On every other
page, the first time in each section, a term leads there, and carries its meaning as a
title; ``page/notes.js`` shows it under the pointer or the focus.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from booktools.content.terms import PAGE, table_of

NOTATION = PAGE.with_suffix("").as_posix()
PAGES = re.compile(r"chapters/(?:\d\d_\w+|misconceptions|mask_semantics|self_test)")
# Words that stand in nearly every sentence: a line under each would be noise.
EVERYWHERE = {"query", "key", "value", "score", "weight", "softmax", "output"}
_CLOSED = (nodes.reference, nodes.literal, nodes.math, nodes.title, nodes.raw)


def open_texts(section):
    """Yield the running text of a section, without that of its subsections."""
    for paragraph in section.findall(nodes.paragraph):
        if _section(paragraph) is not section:
            continue
        for text in list(paragraph.findall(nodes.Text)):
            if not any(isinstance(parent, _CLOSED) for parent in _parents(text)):
                yield text


def _parents(node):
    while node := node.parent:
        yield node


def _section(node):
    return next((n for n in _parents(node) if isinstance(n, nodes.section)), None)


def link(term, words, address):
    """Make the link of a term.

    Parameters
    ----------
    term : booktools.content.terms.Term
    words : str
        The term as it stands in the text.
    address : str
        Of the notation page.
    """
    return nodes.reference(
        "",
        words,
        internal=True,
        refuri=f"{address}#{term.anchor}",
        reftitle=term.meaning,
        classes=["attn-term"],
    )


def underline(text, term, address):
    """Put a link where a text first says a term; tell whether it does."""
    found = term.pattern().search(text)
    if not found:
        return False
    before, after = text[: found.start()], text[found.end() :]
    parts = [nodes.Text(before), link(term, found[0], address), nodes.Text(after)]
    text.parent.replace(text, [part for part in parts if part.astext()])
    return True


class UnderlineTerms(SphinxPostTransform):
    """Link the terms of each page to the table on the notation page."""

    default_priority = 700  # after the links of the text are made
    formats = ("html",)

    def run(self, **kwargs):
        """Mark the rows of the table, or link to them."""
        name, table = self.env.docname, table_of(Path(self.env.srcdir))
        if name == NOTATION:
            self.name_rows(table)
        elif PAGES.fullmatch(name):
            address = self.app.builder.get_relative_uri(name, NOTATION)
            for section in list(self.document.findall(nodes.section)):
                self.link_section(section, table, address)

    def name_rows(self, table):
        """Give each row of the table the id that links lead to."""
        ids = {", ".join((term.name, *term.forms)): term.anchor for term in table}
        for row in self.document.findall(nodes.row):
            anchor = ids.get(row[0].astext())
            if anchor and len(row) == 3:  # the table of symbols has more columns
                row[0]["ids"].append(anchor)

    def link_section(self, section, table, address):
        """Link each term of other chapters once."""
        here = self.env.docname.rpartition("/")[2]
        texts = list(open_texts(section))
        for term in table:
            if term.chapter == here or term.name in EVERYWHERE:
                continue
            if any(underline(text, term, address) for text in texts):
                texts = list(open_texts(section))  # one of them is in parts now


def pages_to_read_again(app, env, added, changed, removed):
    """Return the pages with terms where the table has changed since the last build."""
    now = table_of(Path(env.srcdir))
    before, env.attnbook_terms = getattr(env, "attnbook_terms", now), now
    return [] if now == before else filter(PAGES.fullmatch, env.found_docs)


def setup(app):
    """Register the transform."""
    app.connect("env-get-outdated", pages_to_read_again)
    app.add_post_transform(UnderlineTerms)

"""Turn ``figure:`` links of the prose into links that the figures' script enlivens.

``[at d_k = 512](figure:explorer?d_k=512&scaling=off)`` sets the figure,
``[64](figure:explorer?drag=d_k)`` is a number that can be dragged,
``[1.6](figure:explorer?show=effective_keys)`` is a value that follows the figure.
A figure or a name that the page does not have is a warning.
"""

import html
import json
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from booktools import ROOT

LOGGER = logging.getLogger(__name__)
SCHEME = "figure"
FIGURES = ROOT / "src" / "attnbook" / "widgets" / "figures"
ELEMENT = re.compile(r"<attn-figure\b([^>]*)>")
ATTRIBUTE = re.compile(r"""([\w-]+)=(?:"([^"]*)"|'([^']*)')""")


class FigureLinkError(ValueError):
    """A ``figure:`` link that names what the page does not have."""


@dataclass(frozen=True)
class Figure:
    """A live figure on a page: its id, the names of its settings and of its values."""

    id: str
    settings: frozenset[str]
    values: frozenset[str] | None


def figures_in(text, folder=FIGURES):
    """Return the figures, by id, whose elements stand in a piece of HTML.

    Parameters
    ----------
    text : str
        HTML with ``<attn-figure id=… data-figure=… data-state=…>`` elements.
    folder : pathlib.Path
        Where each kind of figure has a folder, whose spec.json tells ``state`` and
        ``values``.
    """
    found = {}
    for match in ELEMENT.finditer(text):
        attributes = ATTRIBUTE.finditer(match[1])
        pairs = {m[1]: html.unescape(m[2] or m[3] or "") for m in attributes}
        figure = _figure(pairs, folder / str(pairs.get("data-figure")) / "spec.json")
        found[figure.id] = figure
    return found


def _figure(pairs, path):
    kind = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    state = kind.get("state") or json.loads(pairs.get("data-state") or "{}")
    values = frozenset(kind["values"]) if "values" in kind else None
    return Figure(pairs.get("id", ""), frozenset(state), values)


def _check(names, known, figure, what):
    for name in names:
        if known is not None and name not in known:
            have = ", ".join(sorted(known))
            raise FigureLinkError(
                f"figure {figure.id!r} has no {what} {name!r}; it has: {have}"
            )


def link_for(address, figures):
    """Return the class, the address and the data of the link for a ``figure:`` address.

    Parameters
    ----------
    address : str
        For example ``figure:explorer?d_k=512&scaling=off``.
    figures : dict of str to Figure
        The figures of the page.

    Returns
    -------
    tuple of str
        Class, href and the value of ``data-attn``.

    Raises
    ------
    FigureLinkError
        If the page has no such figure, or the figure no such name.
    """
    parts = urlsplit(address)
    figure = figures.get(parts.path)
    if figure is None:
        have = ", ".join(sorted(figures)) or "none"
        raise FigureLinkError(f"no figure {parts.path!r} on this page; figures: {have}")
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    data = f"{figure.id}?{parts.query}"
    for verb, known in (("drag", figure.settings), ("show", figure.values)):
        if verb in query:
            _check(
                [query[verb]], known, figure, "value" if verb == "show" else "setting"
            )
            return f"attn-{verb}", f"#{figure.id}", data
    if not query:
        raise FigureLinkError(f"the link to figure {figure.id!r} sets nothing")
    _check(query, figure.settings, figure, "setting")
    named = urlencode({f"{figure.id}.{name}": value for name, value in query.items()})
    return "attn-set", f"?{named}#{figure.id}", data


class FigureLink(nodes.General, nodes.Inline, nodes.TextElement):
    """A link that drives a live figure of the same page."""


def visit_link(translator, node):
    """Open the link."""
    attributes = {name: node[name] for name in ("href", "data-attn")}
    translator.body.append(
        translator.starttag(node, "a", "", CLASS=node["kind"], **attributes)
    )


def depart_link(translator, node):
    """Close the link."""
    translator.body.append("</a>")


def leave_text(translator, node):
    """Write the words alone, where there are no live figures."""


class ResolveFigureLinks(SphinxPostTransform):
    """Replace references with the scheme ``figure:``, once outputs are known."""

    default_priority = 800

    def run(self, **kwargs):
        """Visit each reference."""
        raw = self.document.findall(nodes.raw)
        figures = figures_in("\n".join(node.astext() for node in raw))
        for reference in list(self.document.findall(nodes.reference)):
            if reference.get("refuri", "").startswith(SCHEME + ":"):
                reference.replace_self(self.resolve(reference, figures))

    def resolve(self, reference, figures):
        """Return what stands in a reference's place."""
        try:
            address = html.unescape(reference["refuri"])  # MyST escapes the "&"
            kind, href, data = link_for(address, figures)
        except (FigureLinkError, ValueError) as error:
            LOGGER.warning("figure link: %s", error, location=reference)
            return reference.children
        link = FigureLink("", "", *reference.children)
        link["kind"], link["href"], link["data-attn"] = kind, href, data
        return link


def setup(app):
    """Register the node and the transform."""
    other = (leave_text, leave_text)
    app.add_node(FigureLink, html=(visit_link, depart_link), latex=other, text=other)
    app.add_post_transform(ResolveFigureLinks)

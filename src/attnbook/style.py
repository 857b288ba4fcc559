"""The look of the book's plots: colours of the roles, readable in both themes."""

import hashlib
import html
import io
import re
from types import MappingProxyType
from typing import NamedTuple

import matplotlib.style
from matplotlib.figure import Figure

WEIGHTS = "cividis"  # colour map of weights, on 0..1
SCORES = "PuOr"  # colour map of signed scores, symmetric about 0
INK = "#000000"  # becomes the page's text colour
_FRAME = (
    "max-width:100%;height:auto;overflow:visible;"
    "stroke-linejoin:round;stroke-linecap:butt"
)


class Role(NamedTuple):
    """How one role looks in every plot: never by colour alone."""

    color: str
    marker: str
    linestyle: str


ROLES = MappingProxyType(
    {
        "Q": Role("#0072B2", "o", "-"),
        "K": Role("#D55E00", "s", "--"),
        "V": Role("#009E73", "^", ":"),
    }
)


def role(name):
    """Look up how queries, keys or values are drawn.

    Parameters
    ----------
    name : {"Q", "K", "V"}
        The role.

    Returns
    -------
    dict
        ``color``, ``marker`` and ``linestyle``, for ``axes.plot(x, y, **role("Q"))``.

    Raises
    ------
    ValueError
        If there is no such role.
    """
    if name not in ROLES:
        raise ValueError(f"a role is one of {', '.join(ROLES)}, got {name!r}")
    return ROLES[name]._asdict()


def use():
    """Set the book's style for all figures that follow; once, in a setup cell."""
    matplotlib.style.use("attnbook.attnbook")


def subplots(rows=1, columns=1, *, size=None, **options):
    """Make a figure and its axes, to be shown by `show` and by nothing else.

    Unlike ``pyplot.subplots`` it leaves no open figure behind, so that a notebook does
    not draw it a second time.

    Parameters
    ----------
    rows, columns : int
        How many axes, one below the other and side by side.
    size : tuple of float, optional
        Width and height in inches; the style's by default.
    **options
        For `matplotlib.figure.Figure.subplots`, such as ``sharey=True``.

    Returns
    -------
    figure : matplotlib.figure.Figure
    axes : matplotlib.axes.Axes or ndarray of them
    """
    figure = Figure(figsize=size)
    return figure, figure.subplots(rows, columns, **options)


class Picture:
    """A figure as inline SVG with an alternative text, for the end of a cell."""

    def __init__(self, markup, alt):
        self._markup, self._alt = markup, alt

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self._markup, "text/plain": self._alt}

    def __repr__(self):
        """Give the alternative text."""
        return self._alt


def show(figure, alt):
    """Show a figure in a notebook and on the site, readable in both themes.

    Parameters
    ----------
    figure : matplotlib.figure.Figure or matplotlib.axes.Axes
        For instance from `subplots`, or what a function of `attnbook.plots` returns.
    alt : str
        One or two sentences that say what to conclude. They stand in for the picture
        where it cannot be seen.

    Returns
    -------
    Picture
        To be left at the end of a cell.

    Raises
    ------
    ValueError
        If `alt` says nothing.
    """
    return Picture(svg(getattr(figure, "figure", None) or figure, alt), alt)


def svg(figure, alt, *, ink="currentColor", font="inherit"):
    """Write a figure as SVG for a page: text as text, black in the page's colour.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        A figure in the book's style.
    alt : str
        The alternative text.
    ink : str
        The CSS colour that takes the place of black.
    font : str
        The CSS font family; that of the page by default.

    Returns
    -------
    str
        One ``svg`` element: the same for the same figure, with no date, and with ids of
        its own, so that two of them can stand on one page.

    Raises
    ------
    ValueError
        If `alt` says nothing.
    """
    if not alt.strip():
        raise ValueError(f"a figure needs an alternative text, got {alt!r}")
    file = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "attnbook"}):
        figure.savefig(file, format="svg", transparent=True)
    look = f"fill:{ink};font-family:{font};{_FRAME}"
    return _framed(_own_ids(_inked(_small(file.getvalue()), ink)), alt, look)


def _small(text):
    # Without the prologue, global CSS, font names and line breaks in paths.
    text = text[text.index("<svg") :]
    text = re.sub(r"<style.*?</style>|<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"<defs>\s*</defs>", "", text)
    text = re.sub(r"font-family: [^;\"]*;?\s*", "", text)
    text = re.sub(r"(font: [^;\"']*?\d+(?:\.\d+)?px)[^;\"]*", r"\1 inherit", text)
    text = re.sub(r"<!--.*?-->| transform=\"rotate\(-0 [^\"]*\"", "", text, flags=re.S)
    text = re.sub(r"\s*\n\s*", " ", text).replace("> <", "><").strip()
    # A hundredth of a point is finer than any screen; printed text is left alone.
    return _in_tags(text, r"-?\d+\.\d{3,}", lambda m: f"{float(m[0]):.2f}")


def _inked(text, ink):
    # Black and the colours of the roles follow the page, which has brighter ones for
    # the dark; on a page that knows none of them they are what they were.
    text = _in_tags(text, r"#000000\b", lambda m: ink)
    for name, role in ROLES.items():
        own = f"var(--attn-{name.lower()}, {role.color})"
        text = _in_tags(text, rf"(?i){role.color}\b", lambda m, own=own: own)
    return text


def _in_tags(text, pattern, change):
    return re.sub(r"<[^>]+>", lambda tag: re.sub(pattern, change, tag[0]), text)


def _own_ids(text):
    # Keep the ids that something points to, and make them this figure's own.
    salt = hashlib.sha256(text.encode()).hexdigest()[:8]
    used = set(re.findall(r"(?:href=\"|url\()#([^\")]+)", text))

    def renamed(match):
        return f' id="attn-{salt}-{match[1]}"' if match[1] in used else ""

    text = re.sub(r" id=\"([^\"]+)\"", renamed, text)
    return re.sub(r"(href=\"|url\()#", rf"\1#attn-{salt}-", text)


def _framed(text, alt, look):
    view = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    width, height = (round(float(size) * 4 / 3) for size in view.groups())
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="attn-plot" {view[0]} '
        'xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width}" height="{height}" role="img" '
        f'aria-label="{html.escape(alt)}" style="{look}">'
    )
    return opening + text[text.index(">") + 1 :]

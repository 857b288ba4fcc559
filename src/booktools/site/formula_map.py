"""The formula on top of every chapter, as a map: its own piece lit, each piece a link.

A chapter names the pieces that it is about in its header, ``attnbook: {formula:
[softmax]}``; ``[whole]`` lights all of them. A piece leads to the first chapter that
names it. What no chapter names yet is no link.
"""

from pathlib import Path

from markupsafe import Markup, escape

from booktools.content.notebooks import split_header

ROOT_OF_WIDTH = '<span class="root">√<span><i>d</i><sub><i>k</i></sub></span></span>'
# The line, from left to right: (piece, what is shown, what it is called).
LINE = (
    ("softmax", "softmax", "softmax"),
    ("", "(", ""),
    ("queries", "<i>Q</i>", "queries"),
    ("keys", "<i>K</i><sup>⊤</sup>", "keys"),
    ("", "/", ""),
    ("scale", ROOT_OF_WIDTH, "the scale"),
    ("", ",", ""),
    ("mask", "<i>M</i>", "the mask"),
    ("", ")", ""),
    ("values", "<i>V</i>", "values"),
)
# The scores are one piece of two letters.
SCORES = ("queries", "keys")


def pieces_of(path):
    """Return the pieces that a chapter names in its header.

    Parameters
    ----------
    path : pathlib.Path
        Its ``.md`` file.

    Returns
    -------
    tuple of str
        Some of `booktools.content.skeleton.PIECES`.
    """
    header = split_header(path.read_text(encoding="utf-8"))[0]
    return tuple((header.get("attnbook") or {}).get("formula") or ())


def read(root):
    """Read which chapter is about which pieces.

    Parameters
    ----------
    root : path
        The book's folder.

    Returns
    -------
    dict of str to tuple of str
        The name of each chapter's page, in order, with its pieces.
    """
    root = Path(root)
    chapters = sorted(root.glob("chapters/[0-9][0-9]_*.md"))
    return {
        path.relative_to(root).with_suffix("").as_posix(): pieces_of(path)
        for path in chapters
    }


def lit(piece, pieces):
    """Whether a piece of the line is lit in a chapter about some pieces."""
    scores = piece in SCORES and "scores" in pieces
    return piece in pieces or "whole" in pieces or scores


def home(piece, book):
    """Return the page that is about a piece, or None; first those about it alone."""
    wanted = [piece, "scores"] if piece in SCORES else [piece]
    for name in wanted:
        for page, pieces in book.items():
            if name in pieces:
                return page
    return None


def line(pagename, book, pathto, number):
    """Write the map for one page.

    Parameters
    ----------
    pagename : str
        The page, one of `book`.
    book : dict of str to tuple of str
        From `read`.
    pathto : callable
        Gives the address of a page.
    number : callable
        Gives the number of a chapter's page.

    Returns
    -------
    markupsafe.Markup
        Empty if the chapter names no piece.
    """
    pieces = book.get(pagename, ())
    if not pieces:
        return Markup()
    shown = "".join(_piece(one, pagename, book, pathto, number) for one in LINE)
    label = "Where this chapter stands in the formula"
    kind = "formula-map whole" if "whole" in pieces else "formula-map"
    return Markup(f'<nav class="{kind}" aria-label="{label}">{shown}</nav>')


def _piece(one, pagename, book, pathto, number):
    piece, shown, called = one
    pieces = book[pagename]
    if not piece:
        dark = "" if "whole" in pieces else ' class="dim"'
        return f"<span{dark} aria-hidden='true'>{shown}</span>"
    kind = f"{piece} lit" if lit(piece, pieces) else f"{piece} dim"
    page = home(piece, book)
    if page in (None, pagename):
        return f'<span class="{kind}" title="{escape(called)}">{shown}</span>'
    title = f"{called}: chapter {number(page)}"
    return (
        f'<a class="{kind}" href="{escape(pathto(page))}" title="{escape(title)}">'
        f"{shown}</a>"
    )

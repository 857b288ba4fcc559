"""A quiet link at each heading: a reader who finds a mistake reports it in one click.

It opens a new issue, filled in with the page, the section and the version of the site.
Where the repository is not known there is none.
"""

import importlib.metadata
import re
import subprocess
from html import escape
from urllib.parse import quote

from docutils import nodes

from booktools.site import mathematics

_HEADING = re.compile(
    r'(?P<link><a class="headerlink" href="#(?P<id>[^"]+)"[^>]*>[^<]*</a>)(?=</h[1-4]>)'
)


def version(root):
    """Name the version of a book: that of the package, and git's commit if known.

    Parameters
    ----------
    root : pathlib.Path
        The book's folder.

    Returns
    -------
    str
        Such as ``"0.1.0, 1345e9e"``.
    """
    try:
        package = importlib.metadata.version("attnbook")
    except importlib.metadata.PackageNotFoundError:
        package = "unknown"
    command = ["git", "-C", str(root), "rev-parse", "--short", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return package
    return ", ".join(filter(None, [package, done.stdout.strip()]))


def address(name, page, section, anchor, release):
    """Return the address of a new issue about a section, filled in.

    Parameters
    ----------
    name : str
        ``owner/repo`` on GitHub.
    page, section : str
        The page's name and the section's title.
    anchor : str
        The section's id.
    release : str
        From `version`.
    """
    body = (
        f"Section: {section}\nPage: {page}.html#{anchor}\nVersion: {release}\n\n"
        "What it says, and what it should say:\n\n"
    )
    title = f"Mistake in {page.rpartition('/')[2]}: {section}"
    query = f"title={quote(title, safe='')}&body={quote(body, safe='')}"
    return f"https://github.com/{name}/issues/new?{query}"


def titles_of(doctree):
    """Return the titles of a page's sections by their ids, formulas as plain text."""
    found = {}
    for section in doctree.findall(nodes.section):
        title = mathematics.plain(section.next_node(nodes.title).astext())
        found |= dict.fromkeys(section["ids"], " ".join(title.split()))
    return found


def with_links(body, name, page, titles, release):
    """Add a link to each heading of a page that has a title of its own.

    Parameters
    ----------
    body : str
        The page's HTML, whose headings end with Sphinx's own link.
    name : str or None
        ``owner/repo``; without one the page stays as it is.
    page : str
    titles : dict
        From `titles_of`.
    release : str

    Returns
    -------
    str
    """

    def add(found):
        section = titles.get(found["id"])
        if section is None:
            return found[0]
        url = escape(address(name, page, section, found["id"], release))
        label = escape(f"Report a mistake in “{section}”")
        link = f'<a class="report-link" rel="nofollow" href="{url}"'
        return f'{found["link"]}{link} aria-label="{label}" title="{label}">report</a>'

    return _HEADING.sub(add, body) if name else body


def on_page(app, pagename, templatename, context, doctree):
    """Add the links to one page."""
    name = app.config.attnbook_repository
    if doctree is not None and name:
        body, titles = context.get("body", ""), titles_of(doctree)
        context["body"] = with_links(body, name, pagename, titles, app.attnbook_version)


def on_start(app):
    """Ask for the version once."""
    app.attnbook_version = version(app.srcdir)


def setup(app):
    """Connect both steps."""
    app.connect("builder-inited", on_start)
    app.connect("html-page-context", on_page)

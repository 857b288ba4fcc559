"""The book's Sphinx extension: checks, theme, mathematics, figure links, licences.

Jupyter Book loads it from _config.yml. Each module registers its own part.
"""

import hashlib
import logging
from pathlib import Path

from booktools.site import (
    figure_links,
    freshness,
    licences,
    mathematics,
    pages,
    plain,
    promise,
    prose,
    questions,
    reports,
    rows,
    search,
    streams,
    terms,
    veils,
)


def _own_version():
    """Return a hash of the extension: when it changes, Sphinx reads all again."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for path in sorted([*here.glob("*.py"), *here.glob("page/*.inline.js")]):
        digest.update(path.read_bytes())
    return int.from_bytes(digest.digest()[:6], "big")


def _is_news(record):
    """Leave out the two lines in which MyST prints its whole configuration."""
    return "ParserConfig(" not in record.getMessage()


def setup(app):
    """Register all parts."""
    for handler in logging.getLogger("sphinx").handlers:
        handler.addFilter(_is_news)
    parts = (
        promise,
        pages,
        plain,
        freshness,
        mathematics,
        prose,
        figure_links,
        questions,
        rows,
        veils,
    )
    parts += (licences, streams, reports, search, terms)
    for part in parts:
        part.setup(app)
    return {
        "version": "1",
        "env_version": _own_version(),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }

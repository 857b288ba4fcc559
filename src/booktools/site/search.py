"""The book's search finds numbers such as 22.6, and words that are names in JavaScript.

Sphinx splits at each point, in the index and in what is searched for, and drops what is
digits alone: 22.6 became nothing. Here a decimal number is one word, in both places.
"""

import re

from sphinx import search


class EnglishWithDecimals(search.SearchEnglish):
    """English words, and decimal numbers as words."""

    _word_re = re.compile(r"\d+(?:\.\d+)+|\w+")
    js_splitter_code = r"""
var splitQuery = (query) => query.match(/\d+(?:\.\d+)+|[\p{L}\p{N}_]+/gu) ?? [];
"""


def setup(app):
    """Take the place of Sphinx's own splitting for English."""
    search.languages["en"] = EnglishWithDecimals

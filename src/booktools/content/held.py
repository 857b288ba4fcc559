"""Tell where the keys of claims, and their like, hold the numbers of a file.

A page is held by its own claims, a file of questions by those of the pages that ask
them, an exercise by its field ``numbers``, the words of a figure by ``numbers.toml``
beside them, a diagram's caption by its function ``numbers``.

Only a phrase that is said once counts: of one that is said twice, one may change, and
its key still finds the other. (What must be in a key is refused in either case, see
`booktools.content.scope`.)
"""

import tomllib
from functools import lru_cache

from attnbook.exercises import master
from booktools.content import claims, figure_words, texts
from booktools.content.notebooks import NotebookError
from booktools.content.prose import parse
from booktools.content.regions import line_starts, regions


def spans(path, text):
    """List the stretches of a file that keys hold.

    Parameters
    ----------
    path : pathlib.Path
        Tells what the file is.
    text : str
        The file as it is, or as it might be.

    Returns
    -------
    list of (int, int)
    """
    if path.name == "en.md":
        section = texts.section_of(master.load(master.name_of(path.parent)), text)
        return list(_in_sections(path, texts.blanked_places(text), [section]))
    kinds = {".md": _page, ".toml": _asked, ".json": _words, ".py": _caption}
    return list(kinds.get(path.suffix, _nothing)(path, text))


def _page(path, text):
    return _in_sections(path, text, _sections(path, text))


@lru_cache(maxsize=64)
def _sections(path, text):
    try:
        header, sections, _ = claims.read_sections(path, text, _questions())
    except NotebookError:
        return []  # the page is refused as a whole
    list(claims.vouched(path, header, sections))
    return sections


@lru_cache(maxsize=1)
def _questions():
    return claims.load_questions()


def _in_sections(path, text, sections):
    starts = line_starts(text)
    for section in sections:
        for key in section.keys:
            places = [
                (segment, span)
                for segment in section.segments
                for span in claims.spans_of(key, segment.text, section)
            ]
            segment, (a, b) = places[0] if len(places) == 1 else (None, (0, 0))
            if segment and segment.path == path:
                at = text.find(segment.text, starts[segment.line - 1])
                yield from [(at + a, at + b)] if at >= 0 else []


def _asked(path, text):
    # that a key still fits its question is the pages' business: here all keys count
    yield from _anywhere(_keys_of_pages(path), text)


@lru_cache(maxsize=64)
def _keys_of_pages(path):
    pages = [one for one in claims.default_paths() if one.suffix == ".md"]
    sections = [s for one in pages for s in _sections(one, one.read_text("utf-8"))]
    return frozenset(
        key
        for section in sections
        if any(segment.path == path for segment in section.segments)
        for key in section.keys
    )


def _words(path, text):
    beside = path.with_name(figure_words.BINDINGS)
    table = tomllib.loads(beside.read_text("utf-8")) if beside.is_file() else {}
    rows = figure_words.bound_in(table).values()
    yield from _anywhere({key for row in rows for key in row}, text)


def _caption(path, text):
    keys = {key.value for key in texts.table_of(parse(text)).keys}
    for region in regions(path, text):
        found = _anywhere(keys, region.mask)
        yield from ((region.start + a, region.start + b) for a, b in found)


def _anywhere(keys, text):
    found = (claims.occurrences(key, text) for key in keys)
    yield from (places[0] for places in found if len(places) == 1)


def _nothing(path, text):
    return ()

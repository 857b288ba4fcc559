"""Check references: the labels of links to issues, and the entries of the bibliography.

An issue's number stands twice, in a link's label and in its address; both must agree.
An entry of ``references.bib`` is held against ``references.toml``, a reviewed table of
identifiers, years and titles. An arXiv number tells its year, and so do some DOIs;
where a paper came out later, the table says why.
"""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

from booktools.content.problem import Problem

BIBLIOGRAPHY = Path("chapters/references.bib")
TABLE = Path("chapters/references.toml")
PRINTED = ("year", "title", "booktitle", "volume", "number", "pages")  # in the table
_LINK = re.compile(
    r"\[(?P<label>[^\]\n]*#\d+[^\]\n]*)\]\(https://github\.com/(?P<repo>[\w.-]+/[\w.-]+)"
    r"/(?:issues|pull|discussions)/(?P<number>\d+)[^)\s]*\)"
)
_LABEL = re.compile(r"(?P<repo>[\w.-]+/[\w.-]+)?#(?P<number>\d+)")
_ENTRY = re.compile(r"^@(?P<type>\w+)\{(?P<key>[^,\s]+),(?P<body>.*?)^\}", re.M | re.S)
_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*?)\},?\s*$", re.M)
_ARXIV = re.compile(r"arXiv:(\d\d)\d\d\.\d{4,5}")
_DATED_DOI = re.compile(r"doi:10\.18653/v1/(?:[A-Z](\d\d)-|(\d{4})\.)")


class Entry(NamedTuple):
    """One entry of the bibliography: its key, line and fields."""

    key: str
    line: int
    fields: dict


def label_problems(path, text):
    """Find links to issues whose label and address differ.

    Parameters
    ----------
    path : pathlib.Path
        Named in messages; nothing is read from it.
    text : str
        A page, or any file with such links.

    Returns
    -------
    list of Problem
    """
    found = []
    for link in _LINK.finditer(text):
        label, address = _LABEL.search(link["label"]), (link["repo"], link["number"])
        said = (label["repo"] or link["repo"], label["number"])
        if said != address:
            line = text.count("\n", 0, link.start()) + 1
            about = f"the label says {label[0]}, the address {'#'.join(address)}"
            found.append(Problem(path, line, about, "reference"))
    return found


def entries(text):
    """Read a bibliography.

    Parameters
    ----------
    text : str
        BibTeX, one field a line, as ``references.bib`` has it.

    Returns
    -------
    list of Entry
    """
    return [
        Entry(
            match["key"],
            text.count("\n", 0, match.start()) + 1,
            dict(_FIELD.findall(match["body"])),
        )
        for match in _ENTRY.finditer(text)
    ]


def bibliography_problems(path, text, table):
    """Hold a bibliography against the table of what was looked up.

    Parameters
    ----------
    path : pathlib.Path
        Named in messages; nothing is read from it.
    text : str
        BibTeX.
    table : str
        TOML: for each key ``id``, what is `PRINTED` of it, and ``why`` where the year
        is not that of the identifier, or where there is none.

    Returns
    -------
    list of Problem
    """
    known, found = tomllib.loads(table), []
    listed = entries(text)
    for entry in listed:
        for said in _differences(entry, known.get(entry.key)):
            found.append(Problem(path, entry.line, f"{entry.key}: {said}", "reference"))
    for key in known.keys() - {entry.key for entry in listed}:
        said = f"{key}: the table has it, the bibliography does not"
        found.append(Problem(path, 1, said, "reference"))
    return found


def _differences(entry, row):
    if row is None:
        yield "not in the table; look its identifier up, and add id, year and title"
        return
    given = {name: _plain(said) for name, said in entry.fields.items()}
    for name in PRINTED:
        if str(row.get(name)) != str(given.get(name)):
            yield f"{name} is {given.get(name)!r}, and {row.get(name)!r} in the table"
    identifier = _identifier(entry.fields)
    if identifier and identifier != row.get("id"):
        yield f"identifier is {identifier!r}, and {row.get('id')!r} in the table"
    yield from _year_of_identifier(row)


def _year_of_identifier(row):
    identifier, why = row.get("id", ""), row.get("why", "").strip()
    if not (identifier or why):
        yield "the table has no identifier; say why"
    year = year_of(identifier)
    if year is not None and (year == row.get("year")) == bool(why):
        yield f"{identifier} is of {year}; the table must say why iff the year differs"


def year_of(identifier):
    """Return the year that an identifier tells, or None.

    Parameters
    ----------
    identifier : str
        Such as ``arXiv:1706.03762`` or ``doi:10.18653/v1/D15-1166``.

    Returns
    -------
    int or None
    """
    arxiv, dated = _ARXIV.fullmatch(identifier), _DATED_DOI.match(identifier)
    if arxiv:
        return 2000 + int(arxiv[1])
    return int(dated[2] or 2000 + int(dated[1])) if dated else None


def _identifier(fields):
    if "eprint" in fields:
        return f"arXiv:{fields['eprint']}"
    return f"doi:{fields['doi']}" if "doi" in fields else fields.get("url", "")


def _plain(title):
    return re.sub(r"[{}]", "", title)


def check(paths):
    """Check the labels in some files, and the bibliography.

    Parameters
    ----------
    paths : list of pathlib.Path
        Pages, README, files of questions, modules of exercises.

    Returns
    -------
    list of Problem
    """
    found = []
    for path in paths:
        found += label_problems(path, path.read_text(encoding="utf-8"))
    bibliography, table = (p.read_text("utf-8") for p in (BIBLIOGRAPHY, TABLE))
    return found + bibliography_problems(BIBLIOGRAPHY, bibliography, table)

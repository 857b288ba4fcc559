"""The table of the sources page agrees with the plan and with the chapters' headers."""

import re

import pytest

from booktools import ROOT
from booktools.content.drafts import PLAN
from booktools.content.prose import read_page
from booktools.content.skeleton import SECTIONS

PAGE = (ROOT / "chapters" / "sources.md").read_text("utf-8")
ROWS = dict(re.findall(r"^\| ([A-D]\d) \|.*\| ([^|]+) \|$", PAGE, re.M))


def chapters(cell):
    """The chapters of a cell: "07, 10 to 14" has six."""
    found = set()
    for first, last in re.findall(r"(\d\d)(?: to (\d\d))?", cell):
        found |= {f"{n:02d}" for n in range(int(first), int(last or first) + 1)}
    return found


def test_every_section_has_a_row():
    assert set(ROWS) == set(SECTIONS)


@pytest.mark.parametrize("section", SECTIONS)
def test_a_row_names_the_chapters_of_the_plan(section):
    planned = {n for n, (mirrors, _) in PLAN.items() if section in mirrors.split()}
    assert chapters(ROWS[section]) == planned


@pytest.mark.parametrize("path", sorted((ROOT / "chapters").glob("[0-9]*.md")), ids=str)
def test_a_chapter_mirrors_what_the_table_says(path):
    header, _ = read_page(path.read_text("utf-8"))
    named = {section for section in ROWS if path.name[:2] in chapters(ROWS[section])}
    assert set(header["attnbook"]["mirrors"]) == named

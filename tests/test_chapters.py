"""The chapters of the book: their form, and the source sections that they mirror."""

import re
from pathlib import Path

import pytest
import yaml

from booktools import skeleton
from booktools.notebooks import notebook_sources, orphans, update
from booktools.prose import read_page

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "chapters"
CHAPTERS = skeleton.chapters(FOLDER)


def test_there_are_chapters():
    assert CHAPTERS


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_has_the_form(path):
    found = skeleton.problems(path.relative_to(ROOT), path.read_text("utf-8"))
    assert not found, "\n" + "\n".join(found)


def test_the_notebooks_are_those_of_the_sources():
    stale = [update(path, check=True) for path in notebook_sources(FOLDER)]
    assert set(stale) <= {"same"}
    assert orphans(FOLDER) == []


def test_every_chapter_is_in_the_contents_in_order():
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    listed = [
        Path(one["file"]).name for part in contents["parts"] for one in part["chapters"]
    ]
    numbered = [name for name in listed if re.match(r"\d\d_", name)]
    assert numbered == [path.stem for path in CHAPTERS]
    pages = {path.stem for path in FOLDER.glob("*.md")} - {"index"}
    assert pages == set(listed)


def rows_of_sources():
    # id -> the chapters that the map of the sources page gives it
    _, cells = read_page((FOLDER / "sources.md").read_text("utf-8"))
    prose = "".join(cell.text for cell in cells if cell.kind == "prose")
    rows = re.findall(r"^\| ([A-D]\d) \|.*\| ([^|]*) \|$", prose, re.M)
    return {section: numbers(text) for section, text in rows}


def numbers(text):
    found = set()
    for first, last in re.findall(r"(\d\d)(?: to (\d\d))?", text):
        span = range(int(first), int(last or first) + 1)
        found |= {f"{number:02d}" for number in span}
    return found


def test_the_sources_page_maps_every_section():
    assert tuple(rows_of_sources()) == skeleton.SECTIONS
    assert len(skeleton.SECTIONS) == 21
    assert numbers("07, 10 to 12") == {"07", "10", "11", "12"}


def test_chapters_mirror_what_the_sources_page_says(capsys):
    planned, by = rows_of_sources(), skeleton.mirrored(FOLDER)
    for section, chapters in by.items():
        assert set(chapters) <= planned[section], f"{section} is mirrored by {chapters}"
    missing = [section for section, chapters in by.items() if not chapters]
    with capsys.disabled():
        print("\nsource sections that no chapter mirrors yet:", *missing or ["none"])

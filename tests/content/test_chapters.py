"""The chapters of the book: their form, and the source sections that they mirror."""

import re

import pytest
import yaml

from booktools import ROOT
from booktools.content import skeleton
from booktools.content.notebooks import notebook_sources, orphans, update
from booktools.content.prose import read_page
from booktools.content.regions import files, regions

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
    listed = []
    for entry in (one for part in contents["parts"] for one in part["chapters"]):
        pattern = entry.get("file", entry.get("glob"))
        listed += [path.stem for path in sorted(ROOT.glob(pattern + ".md"))]
    numbered = [name for name in listed if re.match(r"\d\d_", name)]
    assert numbered == [path.stem for path in CHAPTERS]
    pages = {path.stem for path in FOLDER.glob("*.md")} - {"index"}
    assert sorted(pages) == sorted(listed)


SOURCE_ID = re.compile(r"(?<![\w$`])[A-D][1-8](?![\w$`])")
MIRRORS = re.compile(r"^\*\*This chapter mirrors\*\*.*$", re.M)


def source_ids(path, text):
    """The ids of source sections in what a reader meets while reading."""
    text = MIRRORS.sub("", text)
    shown = "\n".join(region.mask for region in regions(path, text))
    return SOURCE_ID.findall(shown)


def test_an_id_of_a_source_is_found_but_not_where_a_chapter_says_what_it_mirrors():
    path = FOLDER / "x.md"
    assert source_ids(path, "# A\n\n[D8](sources.md) says so (A2).\n") == ["D8", "A2"]
    assert source_ids(path, "# A\n\n**This chapter mirrors** A2 and C2.\n") == []


@pytest.mark.parametrize("path", files(), ids=str)
def test_no_id_of_a_source_stands_in_running_text(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    if path.name in ("sources.md", "instructors.md"):  # where the ids are told
        return
    assert source_ids(path, path.read_text("utf-8")) == []


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


def entries_of(text):
    # the key and the fields of each entry of a BibTeX file written as ours is
    return {
        key: dict(re.findall(r"^ +(\w+) *= \{(.*)\},?$", body, re.M))
        for key, body in re.findall(r"^@\w+\{(\w+),\n(.*?)^\}", text, re.M | re.S)
    }


ENTRIES = entries_of((FOLDER / "references.bib").read_text("utf-8"))


@pytest.mark.parametrize("key", ENTRIES)
def test_a_reference_is_cited_and_can_be_found(key):
    prose = "".join(path.read_text("utf-8") for path in FOLDER.glob("*.md"))
    cited = {
        one.strip()
        for listed in re.findall(r"\{cite(?::\w+)?\}`([^`]*)`", prose)
        for one in listed.split(",")
    }
    assert key in cited, "an entry that no page cites"
    entry = ENTRIES[key]
    assert {"author", "title", "year"} <= set(entry)
    places = {"eprint", "doi", "pages", "publisher", "institution", "howpublished"}
    assert places & set(entry), f"a reader needs one of {sorted(places)}"
    assert entry["year"] in key
    assert re.fullmatch(r"\d{4}\.\d{4,5}", entry.get("eprint", "1706.03762"))
    assert re.match(r"10\.\d{4,}/", entry.get("doi", "10.1093/"))


def test_every_entry_is_read():
    text = (FOLDER / "references.bib").read_text("utf-8")
    assert len(ENTRIES) == text.count("\n@") + text.startswith("@") > 5

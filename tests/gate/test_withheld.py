"""The search for solutions, in the book and in sites built with and without them."""

import nbformat
import pytest

from attnbook import exercises
from attnbook.exercises.master import load
from booktools.gate import withheld
from mini_site import ROOT, build

NAMES = exercises.names()
MASTERS = [load(name) for name in NAMES]


def test_the_sources_and_notebooks_of_the_book_hold_no_solution():
    assert withheld.leaks(ROOT / "chapters") == []


CELLS = ["from attnbook.exercises import check, exercise"]
CELLS += [f'exercise("{name}")' for name in NAMES]


def test_a_site_built_without_solutions_holds_none(tmp_path):
    pages = build(tmp_path, CELLS, ATTNBOOK_SOLUTIONS="withheld")
    assert withheld.leaks(pages) == []
    text = (pages / "index.html").read_text()
    assert text.count('class="attn-ex"') == len(NAMES)
    assert "Solution" not in text
    terms = (pages / "searchindex.js").read_text()
    assert "spread" in terms and "swapax" not in terms
    assert withheld.main([str(pages)]) == 0


def test_a_site_built_with_solutions_holds_all_and_the_search_finds_them(tmp_path):
    pages = build(tmp_path, CELLS, ATTNBOOK_SOLUTIONS="shown")
    found = withheld.leaks(pages)
    assert [(path.name, name) for path, name in found] == [
        ("index.html", name) for name in NAMES
    ]
    text = withheld.plain(pages / "index.html")
    codes = [withheld.letters(master.solution_code) for master in MASTERS]
    assert [code for code in codes if code not in text] == []
    assert "swapax" in (pages / "searchindex.js").read_text()
    assert withheld.main([str(pages)]) == 1


@pytest.mark.parametrize("part", ["solution_code", "explanation"])
def test_solutions_are_found_in_notebooks_too(tmp_path, part):
    text = getattr(load("05-half-precision"), part)
    # Words of one sentence stand in several lines of the file.
    cell = nbformat.v4.new_markdown_cell(text.replace(" ", "\n"))
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "page.ipynb")
    [(path, name)] = withheld.leaks(tmp_path)
    assert (path.name, name) == ("page.ipynb", "05-half-precision")


def test_the_search_needs_pages(tmp_path, capsys):
    for folder in (tmp_path, tmp_path / "missing"):
        assert withheld.main([str(folder)]) == 2
        assert "no page" in capsys.readouterr().out


def test_publishing_follows_the_switch_and_searches_what_it_withholds():
    text = (ROOT / ".github/workflows/publish.yml").read_text("utf-8")
    assert "ATTNBOOK_SOLUTIONS: ${{ vars.ATTNBOOK_SOLUTIONS || 'shown' }}" in text
    build, search = text.index("make build"), text.index("booktools.gate.withheld")
    assert text.index("env:") < build < search < text.index("upload-pages-artifact")
    assert text.count("env.ATTNBOOK_SOLUTIONS == 'withheld'") == 2

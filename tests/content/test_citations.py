"""References: labels and addresses agree, and entries are what was looked up."""

import re
from pathlib import Path

import pytest

from booktools.content import citations

ROOT = Path(__file__).parents[2]
HERE = Path("page.md")
ISSUE = "See ([owner/repo#41508](https://github.com/owner/repo/issues/41508)).\n"
BIB = """\
@article{dao2024fast,
  author = {Dao},
  title  = {{Fast-2}: a {GPU}},
  year   = {2024},
  eprint = {2307.08691},
}
"""
TABLE = """
[dao2024fast]
id = "arXiv:2307.08691"
year = 2024
title = "Fast-2: a GPU"
why = "printed a year later"
"""


def labels(text):
    return [str(problem) for problem in citations.label_problems(HERE, text)]


def said(bib=BIB, table=TABLE):
    return [str(p) for p in citations.bibliography_problems(HERE, bib, table)]


@pytest.mark.parametrize(
    "text",
    [
        ISSUE,
        ISSUE.replace("issues", "pull"),
        ISSUE.replace("[owner/repo#41508]", "[issue #41508]"),
        "[owner/repo#7](https://example.org/8) and [text](https://github.com/a/b)",
    ],
)
def test_labels_that_agree_pass(text):
    assert labels(text) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("#41508", "#41509"),
        ("issues/41508", "issues/41518"),
        ("[owner/repo", "[owner/other"),
        ("com/owner", "com/other"),
    ],
)
def test_a_label_that_differs_from_its_address_is_named(old, new):
    (problem,) = labels("\n" + ISSUE.replace(old, new))
    assert problem.startswith("page.md:2: the label says ")


def test_an_entry_that_agrees_with_the_table_passes():
    assert said() == []


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("{2024}", "{2023}", "year is '2023', and 2024 in the table"),
        ("a {GPU}", "a {CPU}", "title is 'Fast-2: a CPU'"),
        ("08691", "08692", "identifier is 'arXiv:2307.08692'"),
        ("dao2024fast", "dao2025fast", "not in the table"),
    ],
)
def test_a_changed_entry_is_named(old, new, rule):
    assert any(rule in one for one in said(BIB.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("year = 2024", "year = 2025", "and 2025 in the table"),
        ('why = "printed a year later"', "", "is of 2023; the table must say why"),
        ("arXiv:2307.08691", "", "and '' in the table"),
    ],
)
def test_a_changed_row_is_named(old, new, rule):
    assert any(rule in one for one in said(table=TABLE.replace(old, new)))


def test_a_row_that_needs_no_reason_must_give_none():
    bib = BIB.replace("2024},", "2023},")
    assert said(bib, TABLE.replace("2024\n", "2023\n")) != []
    no_reason = TABLE.replace("2024\n", "2023\n").replace("why =", "# ")
    assert said(bib, no_reason) == []
    bare = bib.replace("  eprint = {2307.08691},\n", "")
    assert (
        "no identifier; say why"
        in said(bare, no_reason.replace("arXiv:2307.08691", ""))[0]
    )


def test_a_row_without_entry_is_named():
    assert "the bibliography does not" in said("")[0]


@pytest.mark.parametrize(
    ("identifier", "year"),
    [
        ("arXiv:1706.03762", 2017),
        ("doi:10.18653/v1/D15-1166", 2015),
        ("doi:10.18653/v1/2020.findings-emnlp.379", 2020),
        ("doi:10.1145/1498765.1498785", None),
        ("https://example.org", None),
    ],
)
def test_the_year_that_an_identifier_tells(identifier, year):
    assert citations.year_of(identifier) == year


def test_all_references_of_the_book_hold(monkeypatch):
    monkeypatch.chdir(ROOT)
    pages = [*Path().glob("chapters/*.md"), Path("README.md")]
    assert list(map(str, citations.check(pages))) == []
    text = citations.BIBLIOGRAPHY.read_text("utf-8")
    assert len(citations.entries(text)) == len(re.findall("^@", text, re.M)) >= 20
    assert all("title" in entry.fields for entry in citations.entries(text))

"""A reader reports a mistake at any heading: the link says what is meant, and where."""

from urllib.parse import parse_qs, urlsplit

import pytest
from docutils import nodes

from booktools import ROOT
from booktools.site import reports

LINK = '<a class="headerlink" href="#%s" title="Link to this heading">#</a>'
BODY = f"<h1>A page{LINK % 'a-page'}</h1><p>Text</p><h2>Q &amp; A{LINK % 'q-a'}</h2>"
TITLES = {"a-page": "A page", "q-a": "Q & A"}


def made(name="owner/repo", body=BODY):
    return reports.with_links(body, name, "chapters/03_a", TITLES, "0.1.0, abc1234")


def test_each_heading_gets_a_link_that_names_its_section():
    body = made()
    assert body.count('class="report-link"') == 2
    assert 'aria-label="Report a mistake in “Q &amp; A”"' in body
    assert ">report</a></h2>" in body


def test_the_issue_is_filled_in():
    url = urlsplit(
        reports.address("owner/repo", "chapters/03_a", "Q & A", "q-a", "0.1")
    )
    asked = parse_qs(url.query)
    assert (url.netloc, url.path) == ("github.com", "/owner/repo/issues/new")
    assert asked["title"] == ["Mistake in 03_a: Q & A"]
    lines = asked["body"][0].splitlines()
    assert lines[:3] == [
        "Section: Q & A",
        "Page: chapters/03_a.html#q-a",
        "Version: 0.1",
    ]


@pytest.mark.parametrize("name", [None, ""])
def test_without_a_repository_the_page_stays_as_it_is(name):
    assert made(name) == BODY


def test_links_of_pictures_and_unknown_headings_stay_alone():
    body = f"<figcaption>A{LINK % 'q-a'}</figcaption><h2>B{LINK % 'other'}</h2>"
    assert made(body=body) == body


def test_titles_are_plain_text():
    section = nodes.section(ids=["why", "old-name"])
    formula = nodes.math("", r"\sqrt{d_k}")
    section += nodes.title("", "", nodes.Text("Why divide by "), formula)
    found = reports.titles_of(nodes.section("", section, nodes.paragraph()))
    assert found == {"why": "Why divide by √d_k", "old-name": "Why divide by √d_k"}


def test_the_version_is_that_of_the_package_and_the_commit(tmp_path):
    package = reports.version(tmp_path)
    assert package.split(", ")[0][0].isdigit()
    assert reports.version(ROOT).startswith(package)

"""Chapters as PDF: all of them, whole figures without a switch for backgrounds."""

import io

import pytest

from booktools.setup import serve
from booktools.site import pdf


def test_a_site_without_chapters_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="there are no chapters in"):
        pdf.chapters(tmp_path)


@pytest.mark.browser
def test_every_chapter_of_the_site_is_printed(site):
    names = pdf.chapters(site)
    assert "chapters/05_why_divide.html" in names and len(names) >= 5


@pytest.mark.browser
def test_a_chapter_is_printed_with_all_that_is_folded_in_rows_and_quiz(chromium, site):
    with serve.running(site) as root:
        whole = pdf.printed(chromium, f"{root}chapters/08_masks.html")
        short = pdf.printed(chromium, f"{root}chapters/references.html")
    assert whole.startswith(b"%PDF")
    pages = [io.BytesIO(made).read().count(b"/Type /Page\n") for made in (whole, short)]
    assert pages[0] > 8 > pages[1] > 0

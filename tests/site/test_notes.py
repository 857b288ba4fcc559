"""Terms of other chapters, and references, say what they mean where they stand."""

import types

import pytest

from booktools.content import terms
from booktools.setup import serve
from booktools.site.terms import pages_to_read_again
from site_gates import ROOT

pytestmark = pytest.mark.browser

PAGE = "chapters/05_why_divide.html"
TERM = "main a.attn-term"
REFERENCE = "main a[href*='references.html#']"
TABLE = {term.name: term for term in terms.table_of(ROOT)}


@pytest.fixture(scope="module")
def root(site):
    with serve.running(site) as address:
        yield address


@pytest.fixture
def visit(new_context, root):
    """Return a function that opens the page and waits until its notes work."""

    def open_page(name=PAGE, **options):
        context = new_context(**options)
        context.add_init_script("localStorage.setItem('attnbook.veils', 'off')")
        page = context.new_page()
        page.goto(root + name)
        if options.get("java_script_enabled", True):
            page.wait_for_selector("#attn-meaning", state="attached")
        return page

    return open_page


def said(page):
    note = page.locator("#attn-meaning")
    return note.inner_text() if note.is_visible() else None


def test_the_pointer_brings_up_a_terms_meaning_and_takes_it_away(visit):
    page = visit()
    link = page.locator(TERM).filter(has_text="saturated").first
    link.hover()
    page.locator("#attn-meaning").wait_for()
    assert said(page) == TABLE["saturated"].meaning
    word, note = link.bounding_box(), page.locator("#attn-meaning").bounding_box()
    assert abs(note["y"] - word["y"] - word["height"]) < 12
    page.locator("#attn-meaning").hover()  # it can be read with the pointer on it
    page.wait_for_timeout(300)
    assert said(page)
    page.mouse.move(2, 2)
    page.locator("#attn-meaning").wait_for(state="hidden")


def test_a_reference_is_told_in_full(visit):
    page = visit()
    folds = "document.querySelectorAll('details')"
    page.evaluate(f"{folds}.forEach((fold) => (fold.open = true))")
    page.locator(REFERENCE).filter(has_text="Yang").first.hover()
    page.locator("#attn-meaning").wait_for()
    assert "Tensor programs V" in said(page)


def test_the_keyboard_brings_it_up_and_escape_takes_it_away(visit):
    page = visit()
    link = page.locator(TERM).first
    link.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert said(page) in {term.meaning for term in TABLE.values()}
    assert link.get_attribute("aria-describedby") == "attn-meaning"
    page.keyboard.press("Escape")
    assert said(page) is None
    assert link.get_attribute("aria-describedby") is None


def test_a_touch_tells_and_a_second_touch_follows(visit):
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True)
    link = page.locator(TERM).first
    link.tap()
    page.locator("#attn-meaning").wait_for()
    box = page.locator("#attn-meaning").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    link.tap()
    page.wait_for_url("**/notation.html#term-*")


def test_each_term_leads_to_its_row_of_the_table(visit):
    page = visit("chapters/notation.html", java_script_enabled=False)
    for term in TABLE.values():
        row = page.locator(f"tr:has(#{term.anchor})")
        assert term.meaning in row.inner_text()


def test_without_a_script_a_meaning_is_a_title(visit):
    page = visit(java_script_enabled=False)
    titles = page.locator(TERM).evaluate_all("all => all.map((a) => a.title)")
    assert len(titles) > 10
    assert set(titles) <= {term.meaning for term in TABLE.values()}


def test_a_term_is_a_link_once_in_each_section_of_other_chapters(visit):
    page = visit(java_script_enabled=False)
    sections = page.locator(TERM).evaluate_all(
        "all => all.map((a) => [a.closest('section').id, a.hash])"
    )
    pairs = list(map(tuple, sections))
    assert len(pairs) == len(set(pairs))
    own = {f"#{t.anchor}" for t in TABLE.values() if t.chapter == "05_why_divide"}
    assert not own & {anchor for _, anchor in pairs}


def test_a_changed_table_has_the_pages_read_again():
    names = ("05_why_divide", "notation", "api")
    env = types.SimpleNamespace(
        srcdir=ROOT, found_docs={f"chapters/{name}" for name in names}
    )

    def asked():
        return list(pages_to_read_again(None, env, (), (), ()))

    assert asked() == []  # the first build reads all by itself
    assert asked() == []
    env.attnbook_terms = "another table"
    assert asked() == ["chapters/05_why_divide"]
    assert asked() == []

"""Every built page in a real browser; new pages and figures are covered unasked."""

import re

import pytest

import figure_gates
import site_gates
from attnbook import widgets
from booktools import ROOT
from booktools.setup import serve

pytestmark = pytest.mark.browser

SITE = ROOT / "_build" / "html"
PAGES = site_gates.pages(SITE)

# Each pair of base path, colours and screen occurs; axe sees all colours and screens.
DESKTOP = {"viewport": {"width": 1280, "height": 900}}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
    "reduced_motion": "reduce",
}
VIEWS = {
    "root-light-desktop": ("/", "light", DESKTOP),
    "root-dark-phone": ("/", "dark", PHONE),
    "repo-dark-desktop": ("/repo/", "dark", DESKTOP),
    "repo-light-phone": ("/repo/", "light", PHONE),
}


@pytest.fixture(scope="module")
def roots(site):
    """Return the addresses of the site, by base path."""
    with serve.running(site) as plain, serve.running(site, "/repo/") as below:
        yield {"/": plain, "/repo/": below}


def pages_with_figures():
    return [name for name in PAGES if b"<attn-figure" in (SITE / name).read_bytes()]


def homes_of_kinds():
    """Return for each kind of figure the first page that shows it."""
    homes = {}
    for name in pages_with_figures():
        text = (SITE / name).read_text("utf-8")
        for kind in re.findall(r'<attn-figure[^>]* data-figure="(\w+)"', text):
            homes.setdefault(kind, name)
    return homes


def is_redirect(name):
    return b'http-equiv="refresh"' in (SITE / name).read_bytes()


def test_there_are_pages_and_figures(site):
    assert "chapters/index.html" in PAGES
    assert set(homes_of_kinds()) == {kind.figure for kind in widgets.every_figure()}


# --- the files ----------------------------------------------------------------------


def test_no_internal_link_anchor_or_file_is_broken(site):
    assert site_gates.link_faults(site) == []


def test_no_element_would_fetch_from_another_host(site):
    assert site_gates.outside_references(site) == []


def test_every_image_has_alt_text(site):
    assert site_gates.wordless_images(site) == []


# --- every page, every view ---------------------------------------------------------


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", [name for name in PAGES if not is_redirect(name)])
def test_page(chromium, roots, name, view):
    """No outside request, error, dead picture or figure, shift or axe finding."""
    base, colours, screen = VIEWS[view]
    options = {**screen, "color_scheme": colours}
    with site_gates.Visit(chromium, roots[base], name, **options) as visit:
        faults = figure_gates.unready(visit)
        visit.read_through()
        faults += visit.dead_images() + visit.overflow() + visit.shifts()
        faults += visit.axe() + visit.outside() + visit.complaints
        assert faults == []
        shown = visit.page.evaluate("document.documentElement.dataset.theme")
        assert shown == colours


def test_a_redirect_leads_to_the_first_page(chromium, roots):
    for name in filter(is_redirect, PAGES):
        with site_gates.Visit(chromium, roots["/repo/"], name) as visit:
            visit.page.wait_for_url(roots["/repo/"] + "chapters/index.html")
            # Leaving at once may cut off the loading of the redirect's own icon.
            cut = f"failed request: {roots['/repo/']}_static/favicon.svg"
            assert [said for said in visit.complaints if said != cut] == []


# --- the figures --------------------------------------------------------------------


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("name", pages_with_figures())
def test_every_control_changes_something(chromium, roots, name, colours):
    options = {**DESKTOP, "color_scheme": colours}
    with site_gates.Visit(chromium, roots["/"], name, **options) as visit:
        assert figure_gates.unready(visit) == []
        assert figure_gates.dead_sliders(visit) == []
        assert visit.complaints == []


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", pages_with_figures())
def test_the_pixels_of_a_heatmap_show_its_weights_after_a_move(
    chromium, roots, name, screen
):
    with site_gates.Visit(chromium, roots["/"], name, **screen) as visit:
        assert figure_gates.unready(visit) == []
        assert figure_gates.wrong_pixels(visit) == []


@pytest.mark.parametrize(("kind", "name"), sorted(homes_of_kinds().items()))
def test_javascript_and_python_agree(chromium, roots, kind, name):
    with site_gates.Visit(chromium, roots["/"], name, **DESKTOP) as visit:
        assert figure_gates.unready(visit) == []
        assert figure_gates.disagreements(visit, kind) == []


@pytest.mark.parametrize("name", pages_with_figures())
def test_a_page_opened_as_a_file_is_alive(chromium, site, name):
    root = site.as_uri() + "/"
    with site_gates.Visit(chromium, root, name, **DESKTOP) as visit:
        assert figure_gates.unready(visit) == []
        assert figure_gates.dead_sliders(visit, most=1) == []
        assert visit.outside() + visit.complaints == []


@pytest.mark.parametrize("name", pages_with_figures())
def test_without_javascript_each_figure_is_a_picture_of_the_same_height(
    chromium, roots, name
):
    heights = []
    for enabled in (True, False):
        options = {**DESKTOP, "java_script_enabled": enabled}
        with site_gates.Visit(chromium, roots["/"], name, **options) as visit:
            if enabled:
                assert figure_gates.unready(visit) == []
            else:
                assert visit.page.locator("attn-figure svg").count() > 0
            heights.append(figure_gates.heights(visit))
    assert heights[0] == pytest.approx(heights[1], abs=1)


# --- search -------------------------------------------------------------------------


def test_search_finds_a_chapter_and_its_link_works(chromium, roots):
    root = roots["/repo/"]
    with site_gates.Visit(chromium, root, "chapters/index.html", **DESKTOP) as visit:
        page = visit.page
        page.locator("input[type=search]").first.fill("softmax")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search.html?q=softmax*")
        first = page.locator("#search-results li a").first
        first.wait_for()
        # Excerpts of the results are still on their way; leaving would cut them off.
        page.wait_for_load_state("networkidle")
        first.click()
        page.wait_for_url(f"{root}chapters/*")
        assert "softmax" in page.locator("main").inner_text().lower()
        assert visit.outside() + visit.complaints == []


@pytest.mark.parametrize("words", ["22.6", "deviation of 22.6"])
def test_a_decimal_number_is_found_where_it_stands(chromium, roots, words):
    name = f"search.html?q={words}"
    with site_gates.Visit(chromium, roots["/"], name, **DESKTOP) as visit:
        found = visit.page.locator("#search-results li a[href*='05_why_divide']")
        found.first.wait_for()


@pytest.mark.parametrize("word", ["constructor", "__proto__", "hasOwnProperty"])
def test_a_search_for_a_name_of_javascript_ends(chromium, roots, word):
    name = f"search.html?q={word}"
    with site_gates.Visit(chromium, roots["/"], name, **DESKTOP) as visit:
        results = visit.page.locator("#search-results")
        results.get_by_text(re.compile("did not match any|Search finished")).wait_for()
        assert visit.complaints == []


def test_a_search_for_nothing_known_says_so(chromium, roots):
    name = "search.html?q=zzyzzx"
    with site_gates.Visit(chromium, roots["/"], name, **DESKTOP) as visit:
        results = visit.page.locator("#search-results")
        results.get_by_text("did not match any documents").wait_for()
        assert visit.page.locator("#search-results li").count() == 0

"""What lies below the window waits for the first paint, and nobody notices later."""

import pytest

from booktools.gate import bench_pages
from booktools.setup import serve

pytestmark = pytest.mark.browser

PAGE = "chapters/05_why_divide.html"
SIZES = [
    (1920, 1080),
    (1280, 720),
    (1024, 768),
    (768, 1024),
    (390, 844),
    (320, 640),
]
NEAR = 8  # pixels between where a link should land and where it does
SKIPPED = """[...document.querySelectorAll('article > section > section')].filter(
  (one) => getComputedStyle(one).contentVisibility === 'auto').length"""
FOLLOW = """(id) => document.querySelector(`nav a[href="#${id}"]`).click()"""
# How far the target's top is from its scroll margin, when the page has come to rest.
LANDED = """
async (id) => {
  const target = document.getElementById(id);
  const away = () => target.getBoundingClientRect().top
    - parseFloat(getComputedStyle(target).scrollMarginTop)
    - parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop || 0);
  let before = NaN, still = 0;
  while (still < 15) {
    await new Promise(requestAnimationFrame);
    still = away() === before ? still + 1 : 0;
    before = away();
  }
  return before;
}
"""


CHAPTERS = bench_pages.chapter_pages()
WEIGHT = 220_000  # bytes, packed, that come before a reader acts


@pytest.fixture(scope="module")
def root(site):
    with serve.running(site) as address:
        yield address


@pytest.fixture
def opened(new_context, root):
    """Return a function that opens a page, with or without the page's own script."""

    def open_page(name=PAGE, script=True, **options):
        page = new_context(**options).new_page()
        if not script:
            empty = {"body": "", "content_type": "text/javascript"}
            page.route("**/*.js*", lambda route: route.fulfill(**empty))
        page.goto(root + name, wait_until="load")
        return page

    return open_page


def test_sections_wait_until_the_first_paint_and_no_longer(opened):
    assert opened(script=False).evaluate(SKIPPED) >= 8
    page = opened()
    page.wait_for_function(f"({SKIPPED}) === 0")


@pytest.mark.parametrize("name", [PAGE + "#what-practice-does", PAGE + "#quiz"])
def test_a_link_to_a_place_and_a_reload_find_true_heights(opened, name):
    page = opened(name, script=False)
    assert page.evaluate(SKIPPED) == 0
    plain = opened(script=False)
    plain.reload()
    assert plain.evaluate(SKIPPED) == 0


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_links_land_where_they_point(opened, size):
    across, down = size
    window = {"viewport": {"width": across, "height": down}, "reduced_motion": "reduce"}
    page = opened(**window)
    for name in ("the-theorem", "back-to-the-query", "what-practice-does"):
        page.evaluate(FOLLOW, name)
        assert abs(page.evaluate(LANDED, name)) <= NEAR, name
        other = opened(f"{PAGE}#{name}", **window)
        assert abs(other.evaluate(LANDED, name)) <= NEAR, name


def test_paper_never_waits(opened):
    page = opened(script=False)
    page.emulate_media(media="print")
    assert page.evaluate(SKIPPED) == 0


def test_who_acts_before_the_first_paint_finds_true_heights(opened):
    page = opened(script=False)
    assert page.evaluate(SKIPPED) >= 8
    page.evaluate(FOLLOW, "quiz")
    assert page.evaluate(SKIPPED) == 0


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_comes_in_few_bytes(chromium, root, name):
    found = bench_pages.weigh(chromium, f"{root}{name}.html")
    assert found["outside"] == 0
    assert 50_000 < found["total"] <= WEIGHT, found["kinds"]


def test_there_are_chapters_to_weigh():
    assert len(CHAPTERS) >= 5

"""What the page's own script does, by mouse and by keyboard, in a real browser."""

import io

import pytest
from PIL import Image

from booktools.setup import serve

pytestmark = pytest.mark.browser

PAGE = "chapters/05_why_divide.html"
DESKTOP = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True}
BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"


@pytest.fixture(scope="module")
def root(site):
    with serve.running(site) as address:
        yield address


@pytest.fixture
def visit(new_context, root):
    """Return a function that opens a page in a context of its own."""

    def open_page(name=PAGE, **options):
        page = new_context(**{**DESKTOP, **options}).new_page()
        page.goto(root + name, wait_until="load")
        return page

    return open_page


def theme(page):
    return page.evaluate("document.documentElement.dataset.theme")


def test_the_colours_go_round_and_are_remembered(visit):
    page = visit(color_scheme="dark")
    button = page.locator(".theme-switch-button")
    seen = [(theme(page), button.get_attribute("aria-label"))]
    for _ in range(3):
        button.click()
        seen.append((theme(page), button.get_attribute("aria-label")))
    assert seen == [
        ("dark", "Colours: automatic"),
        ("light", "Colours: light"),
        ("dark", "Colours: dark"),
        ("dark", "Colours: automatic"),
    ]
    button.click()
    page.reload()
    assert theme(page) == "light"


def test_automatic_colours_follow_the_system(visit):
    page = visit(color_scheme="light")
    light = page.evaluate(BACKGROUND)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert page.evaluate(BACKGROUND) != light


def test_without_javascript_the_colours_follow_the_system(visit):
    backgrounds = {}
    for scheme in ("light", "dark"):
        page = visit(color_scheme=scheme, java_script_enabled=False)
        backgrounds[scheme] = page.locator("html").evaluate(
            "html => getComputedStyle(html).backgroundColor"
        )
    assert backgrounds["light"] != backgrounds["dark"]


@pytest.mark.parametrize("enabled", [True, False], ids=["script", "no-script"])
def test_on_a_phone_the_chapters_are_behind_a_button(visit, enabled):
    page = visit(**PHONE, java_script_enabled=enabled)
    nav = page.locator("#site-nav")
    assert not nav.is_visible()
    page.get_by_role("button", name="Chapters", exact=True).click()
    assert nav.is_visible()
    page.keyboard.press("Escape")
    nav.wait_for(state="hidden")
    page.get_by_role("button", name="Chapters", exact=True).click()
    nav.get_by_role("link", name="Start here").click()
    page.wait_for_url("**/chapters/index.html")


def test_on_a_wide_screen_the_chapters_are_always_there(visit):
    page = visit()
    current = page.locator("#site-nav [aria-current=page]")
    assert current.is_visible()
    assert current.get_attribute("href") == "#"
    assert not page.get_by_role("button", name="Chapters", exact=True).is_visible()


def test_a_copy_button_copies_the_code(visit):
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    block = page.locator("main .cell_input .highlight:visible").first
    block.hover()
    button = block.get_by_role("button", name="Copy this code")
    button.click()
    block.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == block.locator("pre").inner_text().strip()


@pytest.mark.parametrize("options", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_launch_menu_says_what_it_can_do_and_stays_on_the_screen(visit, options):
    page = visit(**options)
    menu = page.locator("details.launch")
    menu.locator("summary").click()
    services = menu.locator("a[href^=http]").count()
    name = "Run this page" if services else "Get this page as a notebook"
    assert menu.locator("summary").get_attribute("aria-label") == name
    assert menu.locator("p").count() == (0 if services else 1)
    box = menu.locator(".launch-box").bounding_box()
    width = options["viewport"]["width"]
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


def test_the_launch_menu_closes_on_escape_and_offers_the_notebook(visit):
    page = visit()
    menu = page.locator("details.launch")
    menu.locator("summary").press("Enter")
    assert menu.evaluate("menu => menu.open")
    with page.expect_download() as found:
        menu.get_by_role("link", name="Download the notebook").click()
    assert found.value.suggested_filename == "05_why_divide.ipynb"
    menu.locator("a").first.press("Escape")
    assert not menu.evaluate("menu => menu.open")


@pytest.mark.parametrize("keys", ["/", "Control+k"])
def test_a_key_leads_to_the_search_field(visit, keys):
    page = visit()
    page.keyboard.press(keys)
    assert page.evaluate("document.activeElement.name") == "q"
    assert page.evaluate("document.activeElement.value") == ""


def test_a_folded_cell_opens_by_keyboard_and_without_javascript(visit):
    page = visit(java_script_enabled=False)
    fold = page.locator("details.cell-fold", has_text="Check the numbers above").first
    code = fold.locator("pre").first
    assert not code.is_visible()
    fold.locator("summary").press("Enter")
    assert "claims(" in code.inner_text()


def test_what_scrolls_can_be_reached_by_keyboard_and_nothing_else(visit):
    wrong = """() => [...document.querySelectorAll("main pre, .table-box, .math-box")]
      .filter((box) => box.checkVisibility({ contentVisibilityAuto: true }))
      .filter((box) => (box.scrollWidth > box.clientWidth + 1) !== (box.tabIndex === 0))
      .map((box) => box.outerHTML.slice(0, 100))"""
    some = "document.querySelectorAll('main [data-scrolls]').length"
    page = visit(**PHONE)
    page.wait_for_function(some)
    assert page.evaluate(wrong) == []


def test_the_section_in_view_is_marked_in_the_contents(visit):
    page = visit()
    link = page.locator(".page-toc a", has_text="The theorem")
    link.click()
    page.locator(".page-toc a[aria-current=location]").wait_for()
    assert link.get_attribute("aria-current") == "location"


def test_paper_shows_the_text_alone(visit):
    page = visit()
    page.emulate_media(media="print", color_scheme="dark")
    for part in (".top", "#site-nav", ".page-toc"):
        assert not page.locator(part).is_visible(), part
    assert page.evaluate(BACKGROUND) == "rgb(255, 255, 255)"


# Where the first box that scrolls stands, after it was scrolled to a place.
EDGES = """
async ([selector, place]) => {
  const boxes = [...document.querySelectorAll(selector)];
  const box = boxes.find((one) => "scrolls" in one.dataset && one.checkVisibility());
  box.scrollIntoView({ block: "center", behavior: "instant" });
  box.scrollLeft = place;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const { x, y, width, height } = box.getBoundingClientRect();
  return { x, y, width, height };
}
"""


@pytest.mark.parametrize(
    ("name", "selector"),
    [(PAGE, "main .cell_input pre"), ("chapters/mask_semantics.html", ".table-box")],
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_edge_behind_which_there_is_more_is_shaded(visit, name, selector, scheme):
    page = visit(name, **PHONE, color_scheme=scheme)
    page.wait_for_function("document.querySelector('main [data-scrolls]')")
    shaded = {}
    for where, place in (("start", 0), ("end", 10_000)):
        clip = page.evaluate(EDGES, [selector, place])
        picture = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("L")
        row = picture.height - 3  # below the last line of text
        left, middle, right = (
            picture.getpixel((x, row))
            for x in (1, picture.width // 2, picture.width - 2)
        )
        shaded[where] = abs(left - middle) > 12, abs(right - middle) > 12
    assert shaded == {"start": (False, True), "end": (True, False)}


def test_the_sentence_of_the_first_page_lets_each_word_ask_without_a_script(visit):
    page = visit("chapters/index.html", java_script_enabled=False)
    arcs = page.locator(".attn-arcs")
    shares = arcs.locator("small span:visible")
    before = shares.all_text_contents()
    assert arcs.locator("g:visible").count() == 1 and len(before) == 6
    arcs.locator("label", has_text="Kim").click()
    assert arcs.locator("g:visible").count() == 1
    assert shares.all_text_contents() != before
    page.keyboard.press("ArrowLeft")  # "saw" asks, as the one before
    assert arcs.get_by_label("saw").is_checked()


def test_the_formula_on_top_of_a_chapter_leads_to_the_chapter_of_a_piece(visit):
    page = visit()
    assert page.locator(".formula-map .lit").get_attribute("title") == "the scale"
    page.locator(".formula-map a.softmax").click()
    assert page.url.endswith("chapters/04_softmax.html")


def test_the_sections_of_the_page_are_listed_at_every_width(visit):
    for width, beside in ((1280, False), (1440, True)):
        page = visit(viewport={"width": width, "height": 720})
        shown = {True: ".page-toc", False: "#site-nav .nav-toc"}
        assert page.locator(shown[beside]).is_visible()
        assert not page.locator(shown[not beside]).is_visible()
        link = page.locator(f"{shown[beside]} a:visible", has_text="The theorem")
        link.click()
        page.locator(f"{shown[beside]} a[aria-current=location]").wait_for()

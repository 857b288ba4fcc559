"""What follows a prediction is covered: which parts, and how a reader uncovers it."""

import pytest
from docutils import nodes

from attnbook.questions.render import WORDS
from booktools.setup import serve
from booktools.site import veils
from booktools.site.questions import h
from site_gates import ROOT, SHIFTS

PAGE = "chapters/05_why_divide.html"
GROWTH = ".attn-veil[data-for=five-growth]"


# --- which parts are covered --------------------------------------------------------


def text(words):
    return nodes.paragraph("", words)


def cell(*children, tags=()):
    return nodes.container("", *children, classes=["cell", *tags])


def raw(markup):
    return nodes.raw("", markup, format="html")


def ask(name):
    return cell(h("attn-question", {"data-name": name}))


def quiz():
    return cell(h("attn-quiz", {}, h("attn-question", {"data-name": "in-quiz"})))


FIGURE = cell(raw('<attn-figure id="f"></attn-figure>'))
HEADING = nodes.section("", nodes.title("", "Next"))


@pytest.mark.parametrize(
    ("following", "count"),
    [
        ([text("a"), text("b"), HEADING, text("c")], 2),
        ([text("a"), ask("next"), text("b")], 1),
        ([text("a"), raw(veils.END), text("b")], 1),
        ([text("a"), text("leads up to the figure"), FIGURE, text("b")], 1),
        ([text("leads up to the figure"), FIGURE, text("b")], 0),
        ([text("a"), raw(veils.ANSWERS), FIGURE, text("b"), HEADING], 4),
        ([raw(veils.ANSWERS), FIGURE, text("b"), FIGURE, text("c")], 2),
        ([text("a"), quiz(), text("b")], 3),
        ([text("a"), cell(tags=["tag_claims"])], 1),
        ([HEADING], 0),
        ([], 0),
    ],
)
def test_a_veil_ends_at_a_heading_a_question_a_figure_or_its_mark(following, count):
    assert veils.covered(following) == following[:count]


@pytest.mark.parametrize(
    ("following", "parts"),
    [
        ([FIGURE, raw(veils.RESUMES), text("a"), text("b"), HEADING], slice(2, 4)),
        ([text("a"), FIGURE, text("b"), raw(veils.RESUMES), text("c")], slice(4, 5)),
        ([FIGURE, raw(veils.RESUMES), text("a"), FIGURE, text("b")], slice(2, 3)),
        ([FIGURE, text("a")], slice(0, 0)),
        ([FIGURE, ask("next"), raw(veils.RESUMES), text("a")], slice(0, 0)),
        ([FIGURE, HEADING, raw(veils.RESUMES), text("a")], slice(0, 0)),
    ],
)
def test_a_veil_goes_on_after_an_open_figure_where_a_mark_says_so(following, parts):
    assert veils.resumed(following) == following[parts]


def test_code_with_folded_output_stays_open_at_the_start_only():
    code, loud = cell(tags=["tag_hide-output"]), cell()
    told, more = text("a"), text("b")
    assert veils.covered([code, told, code, more]) == [told, code, more]
    assert veils.covered([loud, told]) == [loud, told]


# --- in the browser -----------------------------------------------------------------


@pytest.fixture(scope="module")
def root(site):
    with serve.running(site) as address:
        yield address


@pytest.fixture
def context(chromium):
    opened = chromium.new_context(viewport={"width": 1280, "height": 900})
    opened.add_init_script(SHIFTS)
    yield opened
    opened.close()


@pytest.fixture
def visit(context, root):
    """Return a function that opens a page and waits for its script."""

    def open_page(name=PAGE, **options):
        page = context.new_page()
        page.goto(root + name, wait_until="load", **options)
        page.wait_for_function("document.querySelector('attn-question[data-ready]')")
        return page

    return open_page


def is_covered(page, veil=GROWTH):
    """Tell whether a text is blurred; it is then out of reach for the keyboard too."""
    style = "part => [getComputedStyle(part).filter, part.inert]"
    blur, inert = page.locator(f"{veil} > .attn-veil-text").evaluate(style)
    bar = page.locator(f"{veil} > .attn-veil-bar").is_visible()
    assert (blur != "none") == inert == bar
    return inert


def covered_names(page):
    names = "veils => veils.map((veil) => veil.dataset.for)"
    found = page.locator(".attn-veil:not(.attn-lifted)").evaluate_all(names)
    return [name.removeprefix("five-") for name in found]


EVERY = ["growth", "effective", "gradient", "offset", "init"]


def commit(page):
    page.locator("#question-five-gradient label").first.click()
    page.locator("#question-five-gradient .attn-q-commit").click()


@pytest.mark.browser
def test_committing_lifts_one_veil_and_forgetting_lowers_it(visit):
    page = visit()
    assert covered_names(page) == EVERY
    assert is_covered(page)
    commit(page)
    assert covered_names(page) == ["growth", "effective", "offset", "init"]
    page.reload()
    page.wait_for_function("document.querySelector('.attn-lifted')")
    assert "gradient" not in covered_names(page)
    page.locator("#question-five-gradient summary").click()
    page.get_by_role("button", name="Forget this answer").click()
    assert covered_names(page) == EVERY


@pytest.mark.browser
def test_what_was_measured_stands_open_once_committed(visit):
    page = visit()
    outcome = page.locator("details.below-input")
    opened = "folds => folds.map((fold) => fold.open)"
    assert outcome.evaluate_all(opened) == [False] * 4
    commit(page)  # to the third of the five, which has measurements after it
    assert outcome.evaluate_all(opened) == [False, False, True, False]
    question = page.locator("#question-five-gradient")
    question.get_by_role("button", name="Forget this answer").click()
    assert outcome.evaluate_all(opened) == [False] * 4


@pytest.mark.browser
def test_the_button_unfolds_the_text_and_moves_nothing_above_it(visit):
    page = visit()
    button = page.locator(f"{GROWTH} .attn-veil-show")
    button.scroll_into_view_if_needed()
    place = f"document.querySelector('{GROWTH}').getBoundingClientRect().top"
    before = page.evaluate(f"[scrollY, {place}]")
    low = page.locator(GROWTH).bounding_box()["height"]
    assert low <= 140
    button.focus()
    page.keyboard.press("Enter")
    assert not is_covered(page)
    assert page.evaluate(f"[scrollY, {place}]") == before
    assert page.locator(GROWTH).bounding_box()["height"] > low
    inside = f"document.activeElement.closest('{GROWTH}') !== null"
    assert page.evaluate(inside)  # a screen reader goes on where the text begins
    assert sum(entry["value"] for entry in page.evaluate("window.attnShifts")) < 0.01
    page.reload()
    page.wait_for_function("document.querySelector('.attn-lifted')")
    assert not is_covered(page)


@pytest.mark.browser
def test_the_tab_key_passes_by_what_is_covered(visit):
    page = visit()
    link = """<a href="#main">a way in</a>"""
    into = f"document.querySelector('{GROWTH} ul').innerHTML += '{link}'"
    page.evaluate(into)
    last = page.locator(f"{GROWTH} .attn-veil-show")
    last.focus()
    page.keyboard.press("Tab")
    inside = f"document.activeElement.closest('{GROWTH}') !== null"
    assert not page.evaluate(inside)


@pytest.mark.browser
def test_forgetting_all_answers_lowers_every_veil(visit):
    page = visit()
    page.locator(f"{GROWTH} .attn-veil-show").click()
    commit(page)
    page.get_by_role("button", name="Forget all my answers").click()
    assert covered_names(page) == EVERY
    assert page.evaluate("Object.keys(localStorage)") == []


@pytest.mark.browser
def test_the_switch_holds_for_all_pages_until_it_is_turned_back(visit):
    page = visit()
    page.get_by_label(WORDS["cover"]).uncheck()
    assert covered_names(page) == []
    other = visit("chapters/04_softmax.html")
    assert other.locator(".attn-veil:not(.attn-lifted)").count() == 0
    page.reload()
    switch = page.get_by_label(WORDS["cover"])
    page.wait_for_function("!document.querySelector('.attn-veil-box').checked")
    assert covered_names(page) == []
    switch.check()
    assert covered_names(page) == EVERY


@pytest.mark.browser
def test_with_the_switch_off_nothing_is_covered_even_for_a_moment(context, root):
    context.add_init_script("localStorage.setItem('attnbook.veils', 'off')")
    page = context.new_page()
    page.route("**/attn.js*", lambda route: None)  # the script is still on its way
    page.goto(root + PAGE, wait_until="domcontentloaded")
    blur = (
        f"getComputedStyle(document.querySelector('{GROWTH} > .attn-veil-text')).filter"
    )
    assert page.evaluate(blur) == "none"


@pytest.mark.browser
def test_a_text_is_covered_before_the_script_is_there_but_not_without_it(context, root):
    page = context.new_page()
    held = []
    page.route("**/attn.js*", lambda route: held.append(route))
    page.goto(root + PAGE, wait_until="domcontentloaded")
    style = (
        f"getComputedStyle(document.querySelector('{GROWTH} > .attn-veil-text')).filter"
    )
    assert page.evaluate(style) != "none"
    page.wait_for_timeout(100)
    held[0].abort()
    page.wait_for_function(f"{style} === 'none'")
    assert not page.locator(f"{GROWTH} .attn-veil-bar").is_visible()


@pytest.mark.browser
def test_an_address_inside_a_veil_lifts_it(visit):
    mark = f"document.querySelector('{GROWTH} ul').id = 'inside'"
    page = visit()
    page.evaluate(mark)
    page.evaluate("location.hash = 'inside'")
    page.wait_for_function(f"document.querySelector('{GROWTH}.attn-lifted')")
    assert covered_names(page) == EVERY[1:]
    assert page.evaluate("Object.keys(localStorage)") == []  # for this visit alone


@pytest.mark.browser
def test_a_link_to_a_place_inside_a_veil_lifts_it(visit):
    page = visit()
    page.evaluate(f"document.querySelector('{GROWTH} ul').id = 'inside'")
    page.evaluate(
        "document.querySelector('h1').insertAdjacentHTML('afterend',"
        "'<a id=way href=\"#inside\">there</a>')"
    )
    page.locator("#way").click()
    assert not is_covered(page)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("query", "open_ones"), [("perpendicular", ["growth"]), ("zebra", [])]
)
def test_who_comes_from_the_search_page_sees_what_was_searched(
    visit, root, query, open_ones
):
    page = visit(referer=f"{root}search.html?q={query}")
    assert [name for name in EVERY if name not in covered_names(page)] == open_ones


@pytest.mark.browser
def test_the_browsers_own_search_finds_all(visit):
    page = visit()
    page.keyboard.press("Control+f")
    assert covered_names(page) == []


@pytest.mark.browser
def test_paper_shows_all(visit):
    page = visit()
    page.emulate_media(media="print")
    blur = "part => getComputedStyle(part).filter"
    assert page.locator(f"{GROWTH} > .attn-veil-text").evaluate(blur) == "none"
    assert not page.locator(f"{GROWTH} > .attn-veil-bar").is_visible()
    assert not page.locator(".attn-veil-switch").is_visible()


@pytest.mark.browser
def test_without_javascript_there_is_no_veil(chromium, root):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(root + PAGE)
    assert not is_covered(page)
    assert not page.locator(".attn-veil-switch").is_visible()
    context.close()


PAGES = (
    "02_queries_keys_values",
    "03_dot_product",
    "04_softmax",
    "05_why_divide",
    "08_masks",
    "09_order",
)


@pytest.mark.browser
def test_only_a_figure_that_answers_is_covered(visit):
    covered = {
        name: visit(f"chapters/{name}.html")
        .locator(".attn-veil attn-figure")
        .evaluate_all("all => all.map((figure) => figure.id)")
        for name in PAGES
    }
    assert covered == {
        "02_queries_keys_values": ["hull"],
        "03_dot_product": ["dot"],
        "04_softmax": [],
        "05_why_divide": ["explorer", "gradients", "breaker"],
        "08_masks": [],
        "09_order": ["shuffle"],
    }


@pytest.mark.browser
def test_a_covered_figure_is_alive_when_it_is_uncovered(visit):
    page = visit()
    figure = page.locator("#gradients")
    page.wait_for_selector("#gradients[data-ready]", state="attached")
    commit(page)
    assert figure.bounding_box()["height"] > 500
    slider = figure.locator("input[type=range]").first
    before = figure.locator(".attn-readouts").first.inner_text()
    slider.focus()
    page.keyboard.press("Home")
    said = "document.querySelector('#gradients .attn-readouts').innerText"
    page.wait_for_function(f"(text) => {said} !== text", arg=before)


@pytest.mark.browser
def test_an_address_of_a_covered_figure_lifts_its_veil(visit):
    page = visit(f"{PAGE}?gradients.d_k=512#gradients")
    page.wait_for_function("document.querySelector('.attn-lifted #gradients')")


@pytest.mark.browser
@pytest.mark.parametrize(
    "fault",
    [
        "customElements.define = () => { throw new Error('an older browser') }",
        "window.ResizeObserver = URL.canParse = undefined",
        "Object.defineProperty(window, 'localStorage',"
        " { get() { throw new Error('blocked') } })",
    ],
    ids=["a script that throws", "an older browser", "blocked storage"],
)
def test_nothing_stays_covered_for_good_where_a_part_fails(context, root, fault):
    context.add_init_script(fault)
    page = context.new_page()
    page.goto(root + PAGE, wait_until="load")
    page.wait_for_timeout(300)
    blur = "parts => parts.filter((p) => getComputedStyle(p).filter !== 'none').length"
    covered = page.locator(".attn-veil-text").evaluate_all(blur)
    ways_out = page.locator(".attn-veil-show:visible").count()
    assert covered in (0, ways_out)
    for _ in range(ways_out):
        page.locator(".attn-veil-show:visible").first.click()
    assert page.locator(".attn-veil-text").evaluate_all(blur) == 0
    assert "Random vectors get longer" in page.locator("article").inner_text()


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_a_covered_page(chromium, root, theme):
    context = chromium.new_context(color_scheme=theme)
    page = context.new_page()
    page.goto(root + PAGE, wait_until="load")
    page.wait_for_function("document.querySelector('.attn-veil-text').inert")
    page.evaluate((ROOT / "node_modules/axe-core/axe.min.js").read_text())
    found = page.evaluate("axe.run('.attn-veil, .attn-veil-switch')")["violations"]
    assert [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found] == []
    context.close()

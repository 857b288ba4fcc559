"""The kit of the live figures in a real browser, on a page of its own."""

import re
from html import escape

import pytest

import fonts
from attnbook import widgets
from attnbook.widgets import AttentionExplorer
from attnbook.widgets.base import HOME
from booktools.setup import serve
from booktools.site.assets import npm_file
from figure_page import swipe

pytestmark = pytest.mark.browser

PAGE = """<!doctype html>
<html lang="en" data-theme="{theme}">
<head><meta charset="utf-8"><title>Figures</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="widgets/kit/figures.css">
<script type="module" async>
  import {{ start }} from "./widgets/kit/page.js";
  {imports}
  import attentionExplorer from "./widgets/figures/attention_explorer/figure.js";
  const broken = {{ ...attentionExplorer, name: "broken", build: () => {{
    throw new Error("the pen is dry"); }} }};
  const fragile = {{ ...attentionExplorer, build: (ui) => {{
    const draw = attentionExplorer.build(ui);
    const all = (result, state, ...rest) => {{
      if (state.d_k === 3) throw new Error("three is too odd");
      draw(result, state, ...rest); }};
    return Object.assign(all, draw); }} }};
  const query = new URLSearchParams(location.search);
  start([query.has("fragile") ? fragile : attentionExplorer, broken, {names}]);
</script>
<style>
  body {{ margin: 0 auto; max-width: 860px; padding: 16px;
    font: 16px/1.6 sans-serif; color: {ink}; background: {paper}; }}
  a {{ color: {link}; }}
</style></head>
<body><main><h1>Figures</h1>{body}</main></body></html>
"""
INK = {
    "light": {"ink": "#222", "paper": "#fff", "link": "#0050a0"},
    "dark": {"ink": "#ddd", "paper": "#121417", "link": "#8cc8ff"},
}
PROSE = """
<p>At <a class="attn-set" href="?explorer.d_k=512&amp;explorer.scaling=off#explorer"
data-attn="explorer?d_k=512&amp;scaling=off">d_k = 512</a>, or with
<a class="attn-drag" href="#explorer" data-attn="explorer?drag=d_k">64</a> columns, a
query uses <a class="attn-show" href="#explorer"
data-attn="explorer?show=effective_keys">8.5 keys</a>.</p>
"""
# What the browser tells of shifts, from the first paint on.
SHIFTS = """
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect, currentRect }) =>
        [node?.outerHTML?.slice(0, 90) ?? node?.data, previousRect, currentRect]);
      if (!hadRecentInput) window.shifts.push([value, moved]);
    }
  }).observe({ type: "layout-shift", buffered: true });
"""


# The first two figures are driven here; all others stand below them, by their names.
DRIVEN = [
    AttentionExplorer(id="explorer"),
    AttentionExplorer(id="sentence", data="example", row=4),
]
OTHERS = [kind for kind in widgets.every_figure() if kind is not AttentionExplorer]


def figures():
    """Return the figures of the test page: every kind that there is."""
    return DRIVEN + [kind(id=kind.figure) for kind in OTHERS]


def scripts():
    """Return the lines that import each other kind of figure, and their names."""
    names = [kind.figure for kind in OTHERS]
    lines = [f'import {n} from "./widgets/figures/{n}/figure.js";' for n in names]
    return {"imports": " ".join(lines), "names": ", ".join(names)}


def still(name, kind, state="{}"):
    """Return an element that only the test page has."""
    return (
        f'<attn-figure id="{name}" data-figure="{kind}" data-state="{escape(state)}">'
        f'<div class="attn-still"><p>Still picture of {name}.</p></div></attn-figure>'
    )


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Serve the test pages; return their address."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "widgets").symlink_to(HOME)
    (folder / "fonts").symlink_to(fonts.FOLDER)
    alive = PROSE + "<p>Between.</p>".join(figure.html() for figure in figures())
    pages = {
        "index": alive,
        "far": "<p style='height: 4000px'>Far above.</p>" + alive,
        "broken": still("dead", "broken")
        + still("unknown", "no_such_figure")
        + still("garbled", "attention_explorer", "{d_k: 3")
        + alive,
    }
    for name, body in pages.items():
        for theme, ink in INK.items():
            html = PAGE.format(body=body, theme=theme, **ink, **scripts())
            (folder / f"{name}-{theme}.html").write_text(html, encoding="utf-8")
    with serve.running(folder, base="/") as address:
        yield address


class Visit:
    """An open test page."""

    def __init__(self, page, root):
        self.page, self.root, self.errors = page, root, []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "console",
            lambda m: self.errors.append(m.text) if m.type == "error" else None,
        )

    def open(self, name="index-light.html", figure="explorer"):
        self.page.goto(self.root + name)
        if figure:
            self.page.wait_for_selector(f"#{figure}[data-ready]")
        return self

    def values(self, name="explorer"):
        return self.page.evaluate("(id) => attnFigures[id].values()", name)

    def figure(self, name="explorer"):
        return self.page.locator(f"#{name}")

    def slider(self, label, name="explorer"):
        return (
            self.figure(name)
            .locator("input[type=range]")
            .and_(self.page.get_by_label(re.compile(label)))
        )


@pytest.fixture
def visit(chromium, root):
    context = chromium.new_context(
        viewport={"width": 900, "height": 1300}, reduced_motion="reduce"
    )
    context.add_init_script(SHIFTS)
    context.set_default_timeout(60_000)
    yield Visit(context.new_page(), root)
    context.close()


@pytest.fixture
def phone(chromium, root):
    context = chromium.new_context(
        viewport={"width": 320, "height": 640},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    context.add_init_script(SHIFTS)
    context.set_default_timeout(60_000)
    yield Visit(context.new_page(), root)
    context.close()


def unfold(visit, name="explorer"):
    """Open the fold of a figure, where its rare controls are."""
    visit.figure(name).locator("summary").click()


def settle(visit):
    """Wait for two frames."""
    frame = "new Promise((done) => requestAnimationFrame(done))"
    visit.page.evaluate(f"async () => {{ await {frame}; await {frame}; }}")


# --- room ---------------------------------------------------------------------------

WIDTHS = (320, 360, 390, 414, 480, 560, 640, 700, 768, 800, 840, 900)


# For each live figure: its id, the room that is kept for it, the height that it needs.
ROOM = """async () => {
  await Promise.all([...document.fonts].map((face) => face.load()));
  const all = [...document.querySelectorAll("attn-figure[data-ready] .attn-live")];
  return all.map((live) => {
    const reserved = parseFloat(getComputedStyle(live).minHeight);
    live.style.minHeight = 0;
    const needed = live.getBoundingClientRect().height;
    live.style.minHeight = "";
    return [live.closest("attn-figure").id, reserved, needed];
  }); }"""
ALL_ALIVE = "() => !document.querySelector('attn-figure:not([data-ready])')"


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_moves_when_a_figure_comes_alive(visit, width):
    visit.page.set_viewport_size({"width": width, "height": 4000})
    visit.open(figure="sentence")
    visit.page.wait_for_function(ALL_ALIVE)
    settle(visit)
    assert visit.page.evaluate("window.shifts") == []
    for form in (fonts.WIDE, fonts.NARROW):
        visit.page.add_style_tag(content=fonts.style(form))
        room = visit.page.evaluate(ROOM)
        assert len(room) == len(figures())
        for name, reserved, needed in room:
            assert reserved >= needed, f"{name} at {width} px needs {needed} px"
            assert reserved < 1.15 * needed, f"{name} at {width} px wastes room"
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    assert visit.errors == []


@pytest.mark.parametrize("width", [320, 900])
def test_moves_and_steps_keep_the_height(visit, width):
    visit.page.set_viewport_size({"width": width, "height": 1300})
    visit.open()
    visit.page.add_style_tag(content=".attn-live { min-height: 0 !important }")
    height = visit.figure().bounding_box()["height"]
    for partial in ("{n_keys: 64, d_k: 1024, scaling: false}", "{row: 63, seed: 3}"):
        visit.page.evaluate(f"attnFigures.explorer.set({partial})")
        settle(visit)
        assert visit.figure().bounding_box()["height"] == height
    for _ in range(4):
        visit.figure().get_by_role("button", name="Next", exact=True).click()
        settle(visit)
        assert visit.figure().bounding_box()["height"] == height


# --- every control, by keyboard, mouse and touch ------------------------------------


def test_keyboard_moves_every_control(visit):
    visit.open()
    unfold(visit)
    press = visit.page.keyboard.press
    for label, key in [
        ("Width", "d_k"),
        ("Temperature", "temperature"),
        ("keys", "n_keys"),
    ]:
        before = visit.values()[key]
        visit.slider(label).focus()
        press("ArrowRight")
        settle(visit)
        assert visit.values()[key] > before
        press("ArrowLeft")
        press("ArrowLeft")
        settle(visit)
        assert visit.values()[key] < before
    visit.figure().get_by_role("switch").focus()
    press("Space")
    assert visit.values()["scaling"] is False
    visit.figure().get_by_label("0 to 1").focus()
    press("ArrowRight")
    assert visit.values()["color_scale"] == "row_max"
    visit.figure().get_by_label("Draw number").fill("12")
    press("Enter")
    assert visit.values()["seed"] == 12
    visit.figure().get_by_role("button", name="Next draw").focus()
    press("Enter")
    assert visit.values()["seed"] == 13
    visit.figure().get_by_label("the sentence").focus()
    press("Space")
    assert visit.values()["n_keys"] == 6
    assert visit.slider("Width").is_disabled()
    assert visit.errors == []


def test_a_sliders_words_are_its_value(visit):
    visit.open()
    slider = visit.slider("Width")
    slider.focus()
    visit.page.keyboard.press("End")
    settle(visit)
    assert slider.get_attribute("aria-valuetext") == "1024"
    assert visit.figure().locator(".attn-value").first.inner_text() == "1024"


def test_keyboard_reads_cells_and_chooses_a_row(visit):
    visit.open(figure="sentence")
    figure = visit.figure("sentence")
    figure.get_by_role("application", name=re.compile("Attention weights")).focus()
    press = visit.page.keyboard.press
    for key in ("ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight"):
        press(key)
    lines = figure.locator(".attn-cell-line:visible").all_inner_texts()
    assert lines[0] == "“Kim” looks at “Kim”: weight 0.007"
    assert lines[1] == "score = q·k / √dk = −3.00 / 2.00 = −1.50"
    assert lines[3] == "softmax(Q @ K.T / sqrt(d_k))[3, 3]"
    visit.page.wait_for_function(
        "document.querySelector('#sentence [role=status]').textContent.includes('Kim')"
    )
    press("Enter")
    assert visit.values("sentence")["row"] == 3
    press("Enter")
    assert visit.values("sentence")["row"] is None
    press("End")
    press("Home")
    assert (
        "looks at “The”" in figure.locator(".attn-cell-line:visible").first.inner_text()
    )


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag_mouse(page, locator, by):
    x, y = middle(locator)
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(1, 6):
        page.mouse.move(x + by * k / 5, y)
    page.mouse.up()


def test_mouse_drags_sliders_handles_and_numbers(visit):
    visit.open()
    page = visit.page
    unfold(visit)
    drag_mouse(page, visit.slider("Number"), 60)
    settle(visit)
    assert visit.values()["n_keys"] > 16
    page.keyboard.press("Escape")
    visit.page.evaluate("attnFigures.explorer.set({ view: 'curve' })")
    handle = visit.figure().locator(".attn-handle")
    drag_mouse(page, handle, 50)
    settle(visit)
    hot = visit.values()["temperature"]
    assert hot > 2
    assert handle.get_attribute("aria-valuenow") == str(hot)
    drag_mouse(page, page.locator("a.attn-drag"), 24)
    settle(visit)
    assert visit.values()["d_k"] == 192  # three stops up
    assert page.locator("a.attn-drag").inner_text() == "192"
    undo = visit.figure().get_by_role("button", name="Undo")
    for _ in range(3):
        undo.click()
    settle(visit)
    values = visit.values()
    assert (values["d_k"], values["temperature"]) == (64, 1)
    assert values["n_keys"] > 16
    undo.click()
    settle(visit)
    assert visit.values()["n_keys"] == 16 and undo.is_disabled()


def test_a_slow_drag_is_one_step_for_undo(visit):
    visit.open()
    page = visit.page
    x, y = middle(visit.slider("Temperature"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y)
    page.wait_for_timeout(1000)
    page.mouse.move(x + 60, y)
    page.mouse.up()
    settle(visit)
    assert visit.values()["temperature"] > 2
    visit.figure().get_by_role("button", name="Undo").click()
    settle(visit)
    assert visit.values()["temperature"] == 1


def test_mouse_reads_and_chooses_a_cell(visit):
    visit.open()
    at = visit.page.evaluate("attnFigures.explorer.cellAt(3, 5)")
    visit.page.mouse.move(at["x"], at["y"])
    lines = visit.figure().locator(".attn-cell-line:visible").all_inner_texts()
    assert lines[0] == f"query 3, key 5: weight {at['weight']:.3f}"
    visit.page.mouse.click(at["x"], at["y"])
    settle(visit)
    assert visit.values()["row"] == 3
    picked = visit.figure().locator(".attn-heatmap-row:visible")
    assert picked.count() == 2  # in both maps


def test_handle_and_number_have_keys(visit):
    visit.open()
    visit.page.evaluate("attnFigures.explorer.set({ view: 'curve' })")
    handle = visit.figure().locator(".attn-handle")
    handle.focus()
    for key, wanted in [("Home", 0.05), ("End", 20), ("PageDown", 14.8)]:
        visit.page.keyboard.press(key)
        settle(visit)
        assert visit.values()["temperature"] == wanted
    assert "entropy" in handle.get_attribute("aria-valuetext")
    number = visit.page.locator("a.attn-drag")
    assert number.get_attribute("role") == "slider"
    number.focus()
    visit.page.keyboard.press("ArrowUp")
    settle(visit)
    assert visit.values()["d_k"] == 96


def touch_drag(visit, locator, by, down=0):
    """Drag with a finger; `down` tempts the browser to scroll."""
    locator.scroll_into_view_if_needed()
    x, y = middle(locator)
    swipe(visit.page, (x, y), (x + by, y + down))


def test_touch_moves_every_control(phone):
    phone.open()
    phone.figure().get_by_role("switch").tap()
    assert phone.values()["scaling"] is False
    touch_drag(phone, phone.slider("Width"), 60)
    assert phone.values()["d_k"] > 64
    touch_drag(phone, phone.page.locator("a.attn-drag"), -40)
    assert phone.values()["d_k"] < 1024
    phone.page.wait_for_timeout(400)  # two touches in a row would be a double tap
    phone.figure().get_by_role("application").first.tap(position={"x": 50, "y": 50})
    assert phone.values()["row"] is not None
    assert (
        "query" in phone.figure().locator(".attn-cell-line:visible").first.inner_text()
    )
    unfold(phone)
    phone.figure().get_by_label("row’s max").tap()
    assert phone.values()["color_scale"] == "row_max"
    phone.page.evaluate("attnFigures.explorer.set({ view: 'curve' })")
    handle = phone.figure().locator(".attn-handle")
    touch_drag(phone, handle, 60, down=-90)
    assert phone.values()["temperature"] > 2.5
    phone.figure().locator("a.attn-chip").first.tap()
    assert phone.values()["d_k"] == 512
    assert phone.errors == []


# Whether the page has stood still since this was asked last.
STANDS = (
    "() => { const last = window.lastY; return (window.lastY = scrollY) === last; }"
)


def test_a_swipe_that_starts_on_a_slider_scrolls_and_changes_nothing(phone):
    phone.open()
    slider = phone.slider("Width")
    phone.page.evaluate("attnFigures.explorer.set({ d_k: 1024 })")
    slider.scroll_into_view_if_needed()
    before = phone.values(), phone.page.evaluate("scrollY")
    touch_drag(phone, slider, 6, down=-120)
    assert phone.values() == before[0]
    phone.page.wait_for_function(f"scrollY > {before[1]} + 60")
    phone.page.wait_for_function(STANDS, polling=150)  # a touch would only stop it
    x, y = middle(slider)
    phone.page.touchscreen.tap(x, y)  # a tap is no swipe
    phone.page.wait_for_function("attnFigures.explorer.store.state.d_k < 1024")


# --- guide, presets, undo, ghost ----------------------------------------------------


def test_steps_lead_through_their_states_and_keep_their_words(visit):
    visit.open()
    figure = visit.figure()
    caption = figure.locator(".attn-current")
    assert "8.5 keys" in caption.inner_text()
    following = figure.get_by_role("button", name="Next", exact=True)
    following.click()
    following.click()
    settle(visit)
    values = visit.values()
    assert (values["d_k"], values["scaling"]) == (512, False)
    told = caption.inner_text()
    assert f"{values['effective_keys']:.2f} keys" in told
    counter = figure.locator(".attn-step-count")
    assert counter.inner_text() == "3 of 5"
    back_to = figure.get_by_role("button", name="To step 3")
    assert not back_to.is_visible()
    plain = caption.evaluate("(c) => getComputedStyle(c).color")
    figure.get_by_role("switch").click()
    settle(visit)
    assert caption.inner_text() == told
    assert not counter.is_visible()
    assert caption.evaluate("(c) => getComputedStyle(c).color") != plain
    back_to.click()
    settle(visit)
    assert counter.inner_text() == "3 of 5"
    assert caption.evaluate("(c) => getComputedStyle(c).color") == plain
    assert visit.values()["scaling"] is False
    figure.get_by_role("button", name="Back").click()
    settle(visit)
    assert visit.values()["d_k"] == 64


def test_a_deep_link_opens_with_a_grey_caption(visit):
    visit.open("index-light.html?explorer.scaling=off")
    caption = visit.figure().locator(".attn-left .attn-current")
    muted = visit.figure().locator(".attn-presets .attn-label")
    colour = "(e) => getComputedStyle(e).color"
    assert caption.evaluate(colour) == muted.evaluate(colour)


def test_ghost_and_reset(visit):
    visit.open()
    unfold(visit)
    figure = visit.figure()
    assert figure.locator(".attn-was").all_inner_texts() == ["", "", ""]
    assert not figure.locator(".attn-ghost-key").first.is_visible()
    figure.get_by_role("switch").click()
    settle(visit)
    assert figure.locator(".attn-was").first.inner_text() == "was 8.47"
    assert figure.locator(".attn-ghost-key").first.is_visible()
    figure.get_by_role("button", name="Reset").click()
    settle(visit)
    assert visit.values()["scaling"] is True


def test_the_former_value_of_a_slider_is_marked_where_it_was(visit):
    visit.open()
    slider = visit.slider("Width")
    thumb = """(input) => { const { left, width } = input.getBoundingClientRect();
      return left + 9 + (width - 18) * input.value / input.max; }"""
    before = slider.evaluate(thumb)
    visit.page.evaluate("attnFigures.explorer.set({ d_k: 512 })")
    mark = visit.figure().locator(".attn-slider-ghost:visible")
    assert middle(mark)[0] == pytest.approx(before, abs=1)
    assert slider.evaluate(thumb) > before + 30


def test_a_step_that_changes_two_things_changes_one_at_a_time(visit):
    visit.open()
    following = visit.figure().get_by_role("button", name="Next", exact=True)
    following.click()
    following.click()
    settle(visit)
    ghost = visit.page.evaluate("attnFigures.explorer.store.ghost")
    assert (ghost["d_k"], ghost["scaling"]) == (512, True)
    assert visit.values()["scaling"] is False


def test_a_preset_is_a_link_of_its_own(visit):
    visit.open()
    chip = visit.figure().get_by_role("link", name="Frozen")
    chip.click()
    settle(visit)
    clicked = visit.values()
    assert chip.get_attribute("aria-current") == "true"
    visit.open(
        chip.get_attribute("href").replace("#", "#").join(["index-light.html", ""])
    )
    settle(visit)
    assert visit.values() == clicked


def test_the_copied_line_is_python(visit):
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.open()
    unfold(visit)
    visit.figure().get_by_role("switch").click()
    visit.figure().get_by_role("button", name="Copy").click()
    visit.figure().get_by_role("button", name="Copied").wait_for()
    copied = visit.page.evaluate("navigator.clipboard.readText()")
    assert copied == 'AttentionExplorer(id="explorer", scaling=False)'


# --- address, prose -----------------------------------------------------------------


def test_state_goes_to_the_address_and_comes_back(visit):
    visit.open()
    visit.page.evaluate("attnFigures.explorer.set({d_k: 512, scaling: false, row: 3})")
    visit.page.wait_for_function("location.search.includes('row')")
    query = visit.page.evaluate("location.search")
    assert query == "?explorer.d_k=512&explorer.scaling=off&explorer.row=3"
    before = visit.values()
    visit.open("index-light.html" + query)
    assert visit.values() == before
    visit.figure().get_by_role("button", name="Reset").click()
    visit.page.wait_for_function("location.search === ''")


def test_bad_state_of_the_address_is_clamped_and_said(visit):
    query = "?explorer.d_k=5000&explorer.temperature=cold&explorer.color=red"
    visit.open("index-light.html" + query)
    values = visit.values()
    assert (values["d_k"], values["temperature"]) == (1024, 1)
    note = visit.figure().locator(".attn-note")
    assert "d_k cannot be 5000 here; the figure shows 1024." in note.inner_text()
    assert "temperature = cold means nothing" in note.inner_text()
    assert "color = red means nothing" in note.inner_text()
    note.get_by_role("button").click()
    assert not note.is_visible()


def test_prose_sets_the_figure_and_follows_it(visit):
    visit.open()
    shown = visit.page.locator("a.attn-show")
    assert shown.inner_text() == "8.5 keys"
    visit.page.locator("a.attn-set").click()
    settle(visit)
    values = visit.values()
    assert (values["d_k"], values["scaling"]) == (512, False)
    assert shown.inner_text() == f"{values['effective_keys']:.1f} keys"
    visit.page.wait_for_function("location.hash === '#explorer'")


def test_prose_brings_a_far_figure_into_view(visit):
    visit.page.set_viewport_size({"width": 900, "height": 660})
    visit.open()
    visit.page.locator("a.attn-set").click()  # its head can be seen, the rest cannot
    box = visit.figure().bounding_box
    visit.page.wait_for_function(
        "(() => { const { top, bottom } = document.querySelector('#explorer')"
        ".getBoundingClientRect(); return top >= 0 && bottom <= 660; })()"
    )
    assert visit.values()["d_k"] == 512
    back = visit.figure().get_by_role("button", name="Back to the text")
    assert back.bounding_box()["y"] < box()["y"] + 50  # beside the title: over nothing
    back.click()
    visit.page.wait_for_function(
        "document.activeElement.matches('a.attn-set') && "
        "document.activeElement.getBoundingClientRect().top > 0"
    )
    back.wait_for(state="hidden")


def test_a_copied_address_opens_at_its_figure(visit):
    visit.open("far-light.html")
    visit.page.evaluate("attnFigures.explorer.set({ d_k: 512 })")
    visit.page.wait_for_function("location.hash === '#explorer'")
    address = visit.page.evaluate("location.pathname + location.search + location.hash")
    visit.page.goto("about:blank")
    visit.open(address.lstrip("/"))
    assert visit.values()["d_k"] == 512
    assert 0 <= visit.figure().bounding_box()["y"] < 100


def test_back_over_a_link_of_the_page_agrees_with_the_figure(visit):
    visit.open()
    set_ = "attnFigures.explorer.set"
    visit.page.evaluate(f"{set_}({{ d_k: 8 }})")
    visit.page.wait_for_function("location.search.includes('d_k=8')")
    visit.page.evaluate("""() => { const link = document.createElement("a");
      link.href = "#sentence"; link.id = "section"; link.textContent = "to a section";
      document.querySelector("h1").append(link); }""")
    visit.page.evaluate(f"{set_}({{ d_k: 16 }})")
    visit.page.locator("#section").click()  # at once: the move is not written yet
    settle(visit)
    assert "d_k=16" in visit.page.evaluate("location.search")
    assert visit.values()["d_k"] == 16
    visit.page.evaluate(f"{set_}({{ d_k: 256 }})")
    visit.page.wait_for_function("location.search.includes('d_k=256')")
    visit.page.go_back()
    visit.page.wait_for_function("attnFigures.explorer.values().d_k === 16")
    assert "d_k=16" in visit.page.evaluate("location.search")
    visit.page.go_forward()
    visit.page.wait_for_function("attnFigures.explorer.values().d_k === 256")


def test_a_move_is_kept_when_the_page_is_left_at_once(visit):
    visit.open()
    visit.page.evaluate("attnFigures.explorer.set({ d_k: 256 }); location.reload()")
    visit.page.wait_for_function("window.attnFigures?.explorer?.ready")
    assert visit.values()["d_k"] == 256
    away = visit.root + "broken-light.html"
    visit.page.evaluate("attnFigures.explorer.set({ d_k: 16 })")
    visit.page.evaluate(f"attnFigures.explorer.set({{ d_k: 8 }}); location = '{away}'")
    visit.page.wait_for_function("location.pathname.includes('broken')")
    visit.page.go_back()
    visit.page.wait_for_function("window.attnFigures?.explorer?.ready")
    assert visit.values()["d_k"] == 8
    assert "d_k=8" in visit.page.evaluate("location.search")


def test_a_move_is_written_when_another_tab_comes_to_the_front(visit):
    visit.open()
    address = visit.page.evaluate(
        """() => {
          [256, 16, 8].forEach((d_k) => attnFigures.explorer.set({ d_k }));
          const hidden = new Event("visibilitychange", { bubbles: true });
          document.dispatchEvent(hidden);
          return location.search;
        }"""
    )
    assert "d_k=8" in address


def test_a_window_that_gets_narrower_does_not_scroll_sideways(visit):
    # A figure out of view is drawn again only when it comes back: its old plots must
    # give way all the same.
    visit.open(figure="theorem_breaker")
    visit.page.evaluate("document.body.style.paddingBottom = '4000px'")
    visit.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    settle(visit)
    visit.page.set_viewport_size({"width": 340, "height": 1300})
    settle(visit)
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 340


def test_prose_leaves_the_window_alone_where_the_plots_can_be_seen(visit):
    visit.open()
    visit.page.locator("a.attn-set").click()
    visit.page.wait_for_timeout(400)
    assert visit.page.evaluate("scrollY") == 0
    assert not visit.figure().get_by_text("Back to the text").is_visible()


def test_with_one_projection_the_numbers_say_what_they_leave_out(visit):
    visit.open(figure="theorem_breaker")
    figure = visit.figure("theorem_breaker")
    figure.get_by_role("link", name="q = k").click()
    settle(visit)
    unfold(visit, "theorem_breaker")
    told = "\n".join(figure.locator(".attn-readout").all_inner_texts())
    assert "Off the diagonal" in told
    assert "In a row, off it" in told
    assert (
        f"Lead of the own token\n{visit.values('theorem_breaker')['lead']:.2f}" in told
    )
    title = "all but the diagonal"
    assert title in figure.text_content()
    figure.get_by_role("button", name="Reset").click()
    settle(visit)
    assert title not in figure.text_content()
    assert "diagonal" not in figure.locator(".attn-rail").inner_text()


def test_a_screen_reader_hears_what_changed_once_it_rests(visit):
    visit.open()
    status = visit.figure().get_by_role("status")
    at_600_ms = visit.page.evaluate("""() => new Promise((done) => {
      const say = () => document.querySelector("#explorer [role=status]").textContent;
      const { explorer } = attnFigures;
      explorer.set({ d_k: 256 });
      setTimeout(() => explorer.set({ d_k: 512 }), 300);
      setTimeout(() => done(say()), 600);
    })""")
    assert at_600_ms == ""
    visit.page.wait_for_function(
        "document.querySelector('#explorer [role=status]').textContent !== ''"
    )
    assert "With scaling at d_k = 512" in status.text_content()


# --- the variance figures -----------------------------------------------------------


@pytest.mark.parametrize("name", ["variance_explorer", "theorem_breaker"])
def test_steps_and_presets_of_the_variance_figures_keep_the_height(visit, name):
    visit.open(figure=name)
    figure = visit.figure(name)
    height = figure.bounding_box()["height"]
    following = figure.get_by_role("button", name="Next", exact=True)
    for act in [following] * 4 + figure.locator("a.attn-chip").all():
        act.click()
        settle(visit)
        assert figure.bounding_box()["height"] == height
    assert visit.errors == []


def test_the_width_of_the_products_is_dragged_along_its_line(visit):
    visit.open(figure="variance_explorer")
    handle = visit.figure("variance_explorer").locator(".attn-handle")
    handle.scroll_into_view_if_needed()
    drag_mouse(visit.page, handle, 60)
    settle(visit)
    values = visit.values("variance_explorer")
    assert values["d_k"] > 64
    said = handle.get_attribute("aria-valuetext")
    assert f"deviation {values['deviation']:.3f}" in said
    visit.page.keyboard.press("Home")
    settle(visit)
    assert visit.values("variance_explorer")["d_k"] == 1


def outlines(visit):
    """Return the shapes before and after the division, each with its ghost's."""
    return visit.figure("variance_explorer").evaluate(
        "(f) => [...f.querySelectorAll('.attn-histogram')]"
        ".map((p) => p.getAttribute('d'))"
    )


def test_the_histogram_keeps_its_axis_and_the_ghost_is_the_former_one(visit):
    visit.open(figure="variance_explorer")
    ticks = """(f) => [...f.querySelectorAll("svg:has(.attn-histogram)")]
      .map((plot) => [...plot.querySelectorAll(".attn-tick-text")]
        .map((t) => t.textContent))"""
    upper, lower = visit.figure("variance_explorer").evaluate(ticks)
    before, ghost_before, after, ghost_after = outlines(visit)
    assert not ghost_before and not ghost_after
    visit.page.evaluate("attnFigures.variance_explorer.set({ d_k: 512 })")
    now = outlines(visit)
    assert now[0] != before and now[2] != after
    assert now[3] == after  # the very same place: the axis has not moved
    upper_now, lower_now = visit.figure("variance_explorer").evaluate(ticks)
    assert lower_now == lower
    visit.page.evaluate("attnFigures.variance_explorer.set({ divide_by: 'nothing' })")
    assert visit.figure("variance_explorer").evaluate(ticks)[1] == lower
    assert "−100" in upper and "−100" in upper_now


def test_what_has_no_say_is_off(visit):
    visit.open(figure="theorem_breaker")
    figure = visit.figure("theorem_breaker")
    unfold(visit, "theorem_breaker")
    keys = visit.slider("Mean of the keys", "theorem_breaker")
    sides = figure.get_by_role("group", name="Correlated in")
    assert keys.is_enabled() and sides.is_disabled()  # no correlation, no side
    figure.get_by_role("radio", name="correlation").check(force=True)
    visit.slider("Correlation", "theorem_breaker").focus()
    visit.page.keyboard.press("ArrowRight")
    settle(visit)
    assert sides.is_enabled()
    figure.get_by_role("radio", name="q = k").check(force=True)
    figure.get_by_role("switch").focus()
    visit.page.keyboard.press("Space")
    settle(visit)
    figure.get_by_role("radio", name="keys’ mean").check(force=True)
    assert keys.is_disabled() and sides.is_disabled()
    assert visit.values("theorem_breaker")["lead"] > 7


def test_the_heatmap_shows_the_view_and_reads_its_cells(visit):
    visit.open(figure="theorem_breaker")
    figure = visit.figure("theorem_breaker")
    unfold(visit, "theorem_breaker")
    picture = "(f) => f.querySelector('.attn-heatmap-canvas').toDataURL()"
    shown = {figure.evaluate(picture)}
    titles = {"within rows": "Scores − row mean", "weights": "Weights"}
    for label, title in titles.items():
        figure.get_by_role("radio", name=label).focus()
        visit.page.keyboard.press("Space")
        settle(visit)
        assert figure.locator("h3").first.inner_text() == title
        shown.add(figure.evaluate(picture))
    assert len(shown) == 3
    figure.get_by_role("application").focus()
    visit.page.keyboard.press("ArrowDown")
    weight = visit.page.evaluate("attnFigures.theorem_breaker.result.weights[64]")
    lines = figure.locator(".attn-cell-line:visible").all_inner_texts()
    assert lines[0] == f"query 1, key 0: weight {weight:.3f}"
    assert lines[3] == "softmax(Q @ K.T / sqrt(d_k))[1, 0]"


# --- failures, visibility, looks ----------------------------------------------------


def test_a_broken_figure_says_why_and_breaks_nothing_else(visit):
    visit.open("broken-light.html")
    for name, why in [
        ("dead", "the pen is dry"),
        ("unknown", "no figure named no_such_figure"),
        ("garbled", "JSON"),
    ]:
        figure = visit.figure(name)
        figure.get_by_role("alert").wait_for()
        assert why in figure.get_by_role("alert").inner_text()
        assert figure.get_by_text(f"Still picture of {name}.").is_visible()
    assert visit.values()["d_k"] == 64


def test_a_figure_that_fails_later_gives_its_place_back(visit):
    visit.open("index-light.html?fragile=1")
    visit.page.evaluate("attnFigures.explorer.set({d_k: 3})")
    assert "three is too odd" in visit.figure().get_by_role("alert").inner_text()
    assert visit.figure().locator(".attn-still").is_visible()
    assert visit.values("sentence")["top_token"] == "dog"


def test_a_figure_out_of_view_waits_with_computing(visit):
    visit.open("far-light.html", figure="sentence")
    visit.page.wait_for_function("attnFigures.sentence.visible === false")
    moves = "attnFigures.sentence.timings.moves.length"
    before = visit.page.evaluate(moves)
    visit.page.evaluate("attnFigures.sentence.store.set({ temperature: 0.05 })")
    settle(visit)
    assert visit.page.evaluate(moves) == before
    visit.figure("sentence").scroll_into_view_if_needed()
    visit.page.wait_for_function(f"{moves} > {before}")
    assert visit.values("sentence")["largest_weight"] > 0.999


def test_without_javascript_picture_and_sentence_stand_in_the_same_room(chromium, root):
    sizes = []
    for on in (True, False):
        context = chromium.new_context(
            java_script_enabled=on, viewport={"width": 900, "height": 1300}
        )
        page = context.new_page()
        page.goto(root + "index-light.html")
        if on:
            page.wait_for_selector("#explorer[data-ready]")
        else:
            assert page.locator("#explorer svg").is_visible()
            assert page.locator("#explorer p").is_visible()
        sizes.append(page.locator("#explorer").bounding_box())
        context.close()
    assert sizes[0] == sizes[1]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 900])
def test_axe_finds_nothing(visit, theme, width):
    visit.page.set_viewport_size({"width": width, "height": 1300})
    visit.open(f"index-{theme}.html", figure="sentence")
    visit.page.evaluate("attnFigures.explorer.set({scaling: false, row: 2})")
    visit.page.add_script_tag(path=str(npm_file("axe-core/axe.min.js")))
    found = visit.page.evaluate("""async () =>
      (await axe.run()).violations.flatMap(({ id, nodes }) =>
        nodes.map((n) => `${id}: ${n.html.slice(0, 120)} ${n.failureSummary}`))""")
    assert found == []


def test_forced_colours_keep_the_picture_and_the_controls(chromium, root):
    context = chromium.new_context(forced_colors="active")
    page = context.new_page()
    page.goto(root + "index-light.html")
    page.wait_for_selector("#explorer[data-ready]")
    kept = page.locator("#explorer canvas").first.evaluate(
        "(e) => getComputedStyle(e).forcedColorAdjust"
    )
    assert kept == "none"
    stroke = page.locator("#explorer .attn-curve.attn-now").evaluate(
        "(e) => getComputedStyle(e).stroke"
    )
    text = page.locator("#explorer .attn-title").evaluate(
        "(e) => getComputedStyle(e).color"
    )
    assert stroke == text
    context.close()

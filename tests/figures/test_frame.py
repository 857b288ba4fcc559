"""The frame of every figure: seen whole, the same height in every font, in motion."""

import json
import re
import urllib.parse

import pytest

from attnbook import widgets
from attnbook.widgets import modules
from attnbook.widgets.base import HOME
from booktools.setup import serve
from figure_page import NOW, swipe

pytestmark = pytest.mark.browser

HEADER = 64  # pixels of the page's header
PAGE = """<!doctype html>
<html lang="en" data-theme="light"><head><meta charset="utf-8"><title>Frames</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><link rel="stylesheet" href="widgets/kit/figures.css">
<script>
  const css = new URLSearchParams(location.search).get("css");
  if (css) document.write(`<style>attn-figure {{ ${{css}} }}</style>`);
</script>
<script type="module">
  import {{ start }} from "./widgets/kit/page.js";
  {imports}
  start([{names}]);
</script>
<style>
  html {{ scroll-padding-top: 64px; }}
  body {{ margin: 0; font: 16px/1.6 sans-serif; }}
  header {{ position: sticky; z-index: 10; top: 0; height: 64px; background: #eee; }}
  main {{ width: {width}; margin: 8px auto; }}
  attn-figure {{ --attn-header: 64px; --attn-land: 0px; }}
</style></head>
<body><header>The page</header><main>{body}</main></body></html>
"""
KINDS = widgets.every_figure()
NAMES = [kind.figure for kind in KINDS]
SENTENCE = widgets.AttentionExplorer(id="sentence", data="example", row=4)
IDS = [*NAMES, "sentence"]

# The height of each figure, in pixels: beside the rail, and with the rail below.
HEIGHTS = {
    "attention_explorer": (548, 752),
    "cost_calculator": (614, 786),
    "dot_explorer": (548, 798),
    "gradient_explorer": (624, 798),
    "hand_stepper": (528, 860),
    "long_rows_map": (574, 798),
    "mask_painter": (548, 798),
    "order_explorer": (574, 870),
    "softmax_explorer": (614, 798),
    "squeeze": (624, 870),
    "theorem_breaker": (624, 814),
    "value_hull": (574, 798),
    "variance_explorer": (614, 798),
    "word_pull": (574, 798),
    "sentence": (548, 726),
}
WIDE = {"width": "min(960px, 100vw - 40px)"}
SIZES = {
    (1920, 1080): WIDE,
    (1440, 900): WIDE,
    (1280, 720): WIDE,
    (1366, 768): {"width": "790px"},  # beside the list of chapters and the contents
    (768, 1024): {"width": "751px"},
    (390, 844): {"width": "374px"},
}
ROOM = 640  # pixels below the header of a window of 720


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Serve a page for each width; return their address."""
    folder = tmp_path_factory.mktemp("frames")
    (folder / "widgets").symlink_to(HOME)
    imports = " ".join(
        f'import {name} from "./widgets/figures/{name}/figure.js";' for name in NAMES
    )
    figures = [*(kind(id=kind.figure) for kind in KINDS), SENTENCE]
    body = "<p>Between.</p>".join(figure.html() for figure in figures)
    given = {"imports": imports, "names": ", ".join(NAMES), "body": body}
    for (across, down), width in SIZES.items():
        text = PAGE.format(**given, **width)
        (folder / f"{across}x{down}.html").write_text(text, encoding="utf-8")
    for name in NAMES:
        (folder / f"{name}.mjs").write_text(modules.joined(name), encoding="utf-8")
    with serve.running(folder, base="/") as address:
        yield address


@pytest.fixture(scope="module", params=SIZES, ids=lambda size: "x".join(map(str, size)))
def frames(chromium, root, request):
    """Open the page in one of the windows, all figures alive; yield it and the size."""
    across, down = request.param
    phone = across < 600
    context = chromium.new_context(
        viewport={"width": across, "height": down},
        has_touch=phone,
        is_mobile=phone,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.goto(f"{root}{across}x{down}.html")
    for name in IDS:
        page.wait_for_selector(f"#{name}[data-ready]")
    yield page, request.param
    context.close()


def bring(page, name):
    """Bring a figure to the place where a link would."""
    page.locator(f"#{name}").evaluate("(f) => f.scrollIntoView()")
    page.evaluate(NOW)


BOXES = """(id) => {
  const live = document.querySelector(`#${id} > .attn-live`);
  const box = (part) => { const b = part.getBoundingClientRect();
    return { name: part.className.toString(), x: b.x, y: b.y, width: b.width,
      right: b.right, bottom: b.bottom }; };
  const parts = [".attn-title", ".attn-picture", ".attn-guide-bar", ".attn-caption",
    ".attn-rail .attn-control", ".attn-rail .attn-readout", ".attn-presets",
    ".attn-more-name"].flatMap((name) => [...live.querySelectorAll(name)]);
  const shown = parts.filter((part) => part.checkVisibility());
  return { frame: box(live), parts: shown.map(box) };
}"""


@pytest.mark.parametrize("name", IDS)
def test_a_figure_is_as_high_as_the_table_says_and_holds_its_parts(frames, name):
    page, (across, down) = frames
    bring(page, name)
    found = page.evaluate(BOXES, name)
    frame = found["frame"]
    assert frame["bottom"] - frame["y"] == HEIGHTS[name][across < 600]
    for part in found["parts"]:
        assert frame["x"] <= part["x"] and part["right"] <= frame["right"], part
        assert frame["y"] <= part["y"] and part["bottom"] <= frame["bottom"], part
    if across >= 1280:
        assert HEIGHTS[name][0] <= ROOM
        assert frame["y"] >= HEADER - 1 and frame["bottom"] <= down


# Type in pixels as it is seen: text in an SVG grows with its viewBox.
TYPE = """(id) => {
  const found = [];
  for (const e of document.querySelectorAll(`#${id} .attn-live *`)) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !e.checkVisibility() || e.closest(".attn-sr, sub, details:not([open])"))
      continue;
    if (e.matches("tspan") && e.hasAttribute("font-size")) continue; // an index
    const svg = e.closest("svg");
    const seen = svg?.getBoundingClientRect().width;
    const scale = svg ? seen / svg.viewBox.baseVal.width : 1;
    found.push([parseFloat(getComputedStyle(e).fontSize) * scale, e.textContent]);
  }
  return found;
}"""
CELLS = """(id) => [...document.querySelectorAll(`#${id} .attn-heatmap-prints span`)]
  .filter((cell) => cell.textContent && cell.checkVisibility())
  .map((cell) => cell.getBoundingClientRect().width)"""


@pytest.mark.parametrize("name", IDS)
def test_type_is_13_px_or_more_and_printed_cells_24(frames, name):
    page, _ = frames
    bring(page, name)
    assert min(page.evaluate(TYPE, name))[0] > 12.95
    assert min(page.evaluate(CELLS, name), default=24) >= 24


TWO = ((1280, 720), (390, 844))


@pytest.mark.parametrize("frames", TWO, indirect=True, scope="module", ids=str)
@pytest.mark.parametrize("name", IDS)
def test_each_preset_shows_something_else(frames, name):
    page, _ = frames
    bring(page, name)
    figure = page.locator(f"#{name}")
    parts = figure.locator(".attn-picture, .attn-rail .attn-readouts").all()
    page.mouse.move(1, 1)
    before = [part.screenshot() for part in parts]
    for chip in figure.locator("a.attn-chip").all():
        if chip.get_attribute("aria-current") == "true":
            continue
        chip.evaluate("(a) => a.click()")
        page.evaluate(NOW)
        bring(page, name)
        now = [part.screenshot() for part in parts]
        assert now != before, chip.text_content()
        before = now
    page.evaluate("(id) => attnFigures[id].store.reset()", name)
    page.evaluate(NOW)


# --- on a phone ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def phone(chromium, root):
    context = chromium.new_context(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.goto(f"{root}390x844.html")
    for name in IDS:
        page.wait_for_selector(f"#{name}[data-ready]")
    page.evaluate("document.querySelectorAll('details').forEach((d) => d.open = true)")
    yield page
    context.close()


# Each control is brought into view as a browser does for a reader who comes to it.
TOGETHER = """async (id) => {
  const live = document.querySelector(`#${id} > .attn-live`);
  const picture = live.querySelector(".attn-picture");
  const found = [];
  for (const control of live.querySelectorAll(".attn-control")) {
    if (!control.checkVisibility() || picture.contains(control)) continue;
    for (const block of ["nearest", "start", "end"]) {
      control.scrollIntoView({ block, behavior: "instant" });
      const [a, b] = [picture, control].map((part) => part.getBoundingClientRect());
      found.push([control.textContent.slice(0, 20), block, a.top, a.bottom, b.top,
        b.bottom]);
    }
  }
  return found;
}"""


@pytest.mark.parametrize("name", IDS)
def test_the_picture_stays_in_view_whichever_control_is_moved(phone, name):
    bring(phone, name)
    found = phone.evaluate(TOGETHER, name)
    assert len(found) >= 6
    for label, block, top, bottom, first, last in found:
        seen = top >= HEADER - 1 and bottom <= first + 1 and last <= 844 + 1
        assert seen, (label, block, top, bottom, first, last)


TARGETS = """(id) => [...document.querySelectorAll(`#${id} .attn-live :is(button,
  a.attn-chip, summary, .attn-track, .attn-option, input[type=number])`)]
  .filter((e) => e.checkVisibility())
  .map((e) => [e.getBoundingClientRect().height, e.textContent || e.className])"""


@pytest.mark.parametrize("name", IDS)
def test_a_finger_finds_targets_of_44_px(phone, name):
    small = [pair for pair in phone.evaluate(TARGETS, name) if pair[0] < 43.5]
    assert small == []


@pytest.mark.parametrize("name", IDS)
def test_a_swipe_over_the_controls_changes_no_value(phone, name):
    bring(phone, name)
    before = phone.evaluate("(id) => JSON.stringify(attnFigures[id].state)", name)
    for k in range(phone.locator(f"#{name} .attn-track").count()):
        track = phone.locator(f"#{name} .attn-track").nth(k)
        if not track.is_visible():
            continue
        track.evaluate("(t) => t.scrollIntoView({ block: 'end', behavior: 'instant' })")
        box = track.bounding_box()
        start = box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2
        swipe(phone, start, (start[0] + 6, start[1] - 150))
    after = phone.evaluate("(id) => JSON.stringify(attnFigures[id].state)", name)
    assert after == before


# --- text of any size, in any font --------------------------------------------------

FONTS = [
    "serif",
    "monospace",
    "'DejaVu Sans', sans-serif",
    "'Liberation Sans Narrow', sans-serif",
    "sans-serif; letter-spacing: 1.5px; line-height: 2",
]


@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize("across", [320, 390, 600, 700, 840, 960])
def test_the_room_is_exact_in_every_font(chromium, root, across, font):
    context = chromium.new_context(viewport={"width": across + 40, "height": 900})
    page = context.new_page()
    page.add_init_script("window.shifts = [];" + SHIFTS)
    css = urllib.parse.quote(f"font-family: {font}")
    page.goto(f"{root}1280x720.html?css={css}")
    for name in IDS:
        page.wait_for_selector(f"#{name}[data-ready]")
    page.evaluate(NOW)
    room = page.evaluate(ROOM_OF_ALL)
    assert [name for name, still, live in room if still != live] == []
    assert page.evaluate("window.shifts") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= across + 40
    context.close()


SHIFTS = """new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifts.push(entry.value);
}).observe({ type: "layout-shift", buffered: true });"""
ROOM_OF_ALL = """() => [...document.querySelectorAll("attn-figure")].map((figure) => {
  const heights = [".attn-still", ".attn-live"].map((name) => {
    const part = figure.querySelector(name);
    const shown = getComputedStyle(part).display;
    if (name === ".attn-still") part.style.display = "flex";
    part.style.minHeight = name === ".attn-live" ? "0" : "";
    const { height } = part.getBoundingClientRect();
    part.style.minHeight = part.style.display = "";
    return height; });
  return [figure.id, ...heights]; })"""


def test_larger_text_scales_the_figure(chromium, root):
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(root + "1280x720.html")
    page.wait_for_selector("#variance_explorer[data-ready]")
    bring(page, "variance_explorer")
    before = min(page.evaluate(TYPE, "variance_explorer"))[0]
    page.add_style_tag(content="html { font-size: 200% }")
    page.evaluate(NOW)
    page.evaluate(NOW)
    assert min(page.evaluate(TYPE, "variance_explorer"))[0] == pytest.approx(
        2 * before, rel=0.02
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    context.close()


def test_on_a_full_screen_type_and_lines_grow(chromium, root):
    context = chromium.new_context(viewport={"width": 1600, "height": 1000})
    page = context.new_page()
    page.goto(root + "1280x720.html")
    page.wait_for_selector("#softmax_explorer[data-ready]")
    bring(page, "softmax_explorer")
    ratio = page.locator("#softmax_explorer .attn-ratio text").first
    before = ratio.bounding_box()["height"]
    page.locator("#softmax_explorer").get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement?.id === 'softmax_explorer'")
    page.evaluate(NOW)
    page.evaluate(NOW)
    width, height = page.evaluate("[innerWidth, innerHeight]")
    box = page.locator("#softmax_explorer .attn-live").bounding_box()
    assert box["width"] > 0.95 * min(width, 1.5 * height)
    assert box["y"] >= 0 and box["y"] + box["height"] <= height
    unit = min(width / 960, height / 640)
    assert ratio.bounding_box()["height"] == pytest.approx(unit * before, rel=0.08)
    context.close()


# --- motion -------------------------------------------------------------------------

# What is drawn and what is said in the frames after an act.
FILM = """async ([act, frames]) => {
  const figure = document.getElementById("softmax_explorer");
  const film = [];
  const bars = figure.querySelectorAll(".attn-bars")[1];
  const numbers = [...figure.querySelectorAll(".attn-value, .attn-big")];
  eval(act);
  for (let k = 0; k < frames; k++) {
    await new Promise((done) => requestAnimationFrame(done));
    film.push([performance.now(), bars.getAttribute("d"), figure.attn.values().w1,
      numbers.map((number) => number.textContent).join()]);
  }
  return film;
}"""


@pytest.fixture
def moving(chromium, root, request):
    context = chromium.new_context(
        viewport={"width": 1280, "height": 720},
        reduced_motion=getattr(request, "param", "no-preference"),
    )
    page = context.new_page()
    page.goto(root + "1280x720.html")
    page.wait_for_selector("#softmax_explorer[data-ready]")
    bring(page, "softmax_explorer")
    yield page
    context.close()


CHIP = "figure.querySelector('[data-preset=hot]').click()"


def test_a_preset_moves_in_the_drawing_alone(moving):
    film = moving.evaluate(FILM, [CHIP, 40])
    drawn = [bars for _, bars, _, _ in film]
    assert len(set(drawn)) > 5
    assert len({said[1:] for said in ((a, w, n) for a, _, w, n in film)}) <= 2
    assert film[1][2] == film[-1][2]  # the hook is at the end at once
    ends = next(k for k, bars in enumerate(drawn) if bars == drawn[-1])
    assert 150 < film[ends][0] - film[0][0] < 600
    undo = "figure.querySelector('.attn-undo').click()"
    assert len({bars for _, bars, _, _ in moving.evaluate(FILM, [undo, 40])}) > 5


def test_what_the_hand_moves_does_not_lag(moving):
    moves = [
        "figure.attn.store.set({ temperature: 20 }, { gesture: 'temperature' })",
        "figure.attn.set({ temperature: 0.1 })",
    ]
    for act in moves:
        assert len({bars for _, bars, _, _ in moving.evaluate(FILM, [act, 20])}) <= 2


@pytest.mark.parametrize("moving", ["reduce"], indirect=True)
def test_reduced_motion_jumps(moving):
    assert len({bars for _, bars, _, _ in moving.evaluate(FILM, [CHIP, 20])}) <= 2


# --- hover, colours, copies ---------------------------------------------------------


def test_what_a_cell_says_lies_over_the_legend_and_takes_no_room(moving):
    bring(moving, "attention_explorer")
    figure = moving.locator("#attention_explorer")
    told = figure.locator(".attn-cell:visible")
    height = figure.bounding_box()["height"]
    at = moving.evaluate("attnFigures.attention_explorer.cellAt(9, 4)")
    moving.mouse.move(at["x"], at["y"])
    assert told.count() == 1 and figure.bounding_box()["height"] == height
    square = figure.locator(".attn-heatmap-square").nth(1).bounding_box()
    assert told.bounding_box()["y"] >= square["y"] + square["height"] - 1
    moving.mouse.move(5, 300)
    assert told.count() == 0


def test_forced_colours_tell_gridlines_from_curves(chromium, root):
    context = chromium.new_context(forced_colors="active")
    page = context.new_page()
    page.goto(root + "1280x720.html")
    page.wait_for_selector("#variance_explorer[data-ready]")
    strokes = page.evaluate(
        """() => ["curve.attn-now", "gridline"].map((name) => getComputedStyle(
          document.querySelector(`#variance_explorer .attn-${name}`)).stroke)"""
    )
    assert strokes[0] != strokes[1]
    context.close()


NOTEBOOK = """async ([name, state]) => {
  document.body.innerHTML = "";
  for (const copy of [1, 2]) {
    const { default: figure } = await import(`./${name}.mjs?copy=${copy}`);
    const kept = { ...state };
    const nothing = () => {};
    const model = { get: (key) => kept[key], set: nothing, on: nothing, off: nothing,
      save_changes: nothing };
    const el = document.createElement("div");
    document.body.append(el);
    figure.render({ model, el });
  }
}"""


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_two_copies_in_a_notebook_share_no_id_and_no_radio_group(chromium, root, kind):
    context = chromium.new_context()
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(root + "1280x720.html")
    state = json.loads(json.dumps({**kind().state, "id": "twin"}))
    page.evaluate(NOTEBOOK, [kind.figure, state])
    page.wait_for_function("document.querySelectorAll('[data-ready]').length === 2")
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids)) >= 6
    groups = page.evaluate("""() => [...document.querySelectorAll(".attn-figure")].map(
      (f) => [...f.querySelectorAll("[type=radio]")].map((e) => e.name))""")
    assert not set(groups[0]) & set(groups[1])
    assert errors == []
    context.close()


def test_the_table_of_heights_names_every_figure():
    assert set(HEIGHTS) == set(IDS)
    css = (HOME / "kit" / "figures.css").read_text(encoding="utf-8")
    assert not re.search(r"font-size: [\\d.]+px", css.split("/* --- Plots")[0])

"""Gates for the live figures of a page, through the hook `element.attn`.

They know no figure by name: the schema of a figure gives its range, its Python twin
(`attnbook.widgets`) gives the numbers that its JavaScript must reproduce.
"""

import io
import itertools
import json

import numpy as np
from PIL import Image

from site_gates import ROOT, WALK

WIDGETS = ROOT / "src" / "attnbook" / "widgets"
SAMPLE = 120  # states of one figure that are compared between the two languages
TOLERANCE = 1e-6
MUST_SHARE = {"weights", "entropy"}  # where JavaScript has them, so must Python

# Two frames: a figure may draw in the next one.
SETTLE = """
  const settle = () => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(done)));
"""


def figures(visit):
    """Return the figures of a page as (id, kind)."""
    every = "[...document.querySelectorAll('attn-figure')]"
    found = visit.page.evaluate(f"{every}.map((f) => [f.id, f.dataset.figure])")
    return [tuple(pair) for pair in found]


def unready(visit, patience=60_000):
    """Bring each figure into view; return those that do not come alive."""
    visit.uncover()
    faults = []
    for name, kind in figures(visit):
        figure = visit.page.locator(f"attn-figure[id='{name}']")
        figure.scroll_into_view_if_needed()
        try:
            visit.page.wait_for_function(
                "(id) => document.getElementById(id).hasAttribute('data-ready')",
                arg=name,
                timeout=patience,
            )
        except Exception as error:
            faults.append(f"figure {name} ({kind}) is not ready: {error}")
    return faults


def heights(visit):
    """Return the height of each figure."""
    return [
        visit.page.locator(f"attn-figure[id='{name}']").bounding_box()["height"]
        for name, _ in figures(visit)
    ]


# --- no control is dead -------------------------------------------------------------

CONTROLS = (
    "input[type=range]:enabled",
    "[role=slider]",
    "[role=switch]:enabled",
    "input[type=radio]:enabled:not(:checked)",
    "input[type=number]:enabled",
)

# What a figure measures and draws without its controls: a moved thumb is no proof.
SNAPSHOT = (
    WALK
    + SETTLE
    + """
  const snapshot = async (figure) => {
    await settle();
    const plain = (_, value) => (ArrayBuffer.isView(value) ? [...value] : value);
    const drawn = attnWalk(figure, "canvas").map((canvas) => canvas.toDataURL());
    const lines = attnWalk(figure, "svg").map((svg) => {
      const copy = svg.cloneNode(true);
      for (const handle of copy.querySelectorAll("[role=slider]")) handle.remove();
      return copy.outerHTML;
    });
    const controls = attnWalk(figure, ".attn-control");
    const shown = controls.map((control) => control.checkVisibility());
    return JSON.stringify([figure.attn.values(), drawn, lines, shown], plain);
  };
"""
)

TRY_CONTROL = (
    "async ([id, selector, k]) => {"
    + SNAPSHOT
    + """
  const figure = document.getElementById(id);
  const control = attnWalk(figure, selector).filter((c) => c.checkVisibility())[k];
  const before = await snapshot(figure), start = figure.attn.state;
  const name = control.ariaLabel || control.labels?.[0]?.innerText || control.innerText;
  control.focus();
  window.attnTry = async () => {
    const changed = (await snapshot(figure)) !== before;
    return changed;
  };
  window.attnBack = async () => { figure.attn.set(start); await settle(); };
  return name || selector;
}"""
)

# Keys that move a control whichever end it stands at.
KEYS = {
    "input[type=range]:enabled": ("ArrowRight", "ArrowLeft"),
    "[role=slider]": ("ArrowRight", "ArrowLeft"),
    "[role=switch]:enabled": ("Space",),
    "input[type=radio]:enabled:not(:checked)": ("Space",),
    "input[type=number]:enabled": ("ArrowUp", "ArrowDown"),
}


# Opens what is folded, so that every control can be reached.
UNFOLD = """(id) => document.getElementById(id).querySelectorAll("details")
  .forEach((fold) => { fold.open = true; })"""


def dead_sliders(visit, most=None):
    """Use each control of each figure by keyboard; return those that change nothing.

    `most` limits how many controls of a kind are tried in a view of a figure.
    """
    faults = []
    for name, _ in figures(visit):
        visit.page.locator(f"attn-figure[id='{name}']").scroll_into_view_if_needed()
        visit.page.evaluate(UNFOLD, name)
        tried = 0
        for view in views(visit, name):
            if view:
                visit.page.evaluate(SHOW_VIEW, [name, view])
            for selector in CONTROLS:
                for k in range(min(count(visit, name, selector), most or 99)):
                    tried += 1
                    faults += dead_control(visit, name, selector, k)
        if not tried:
            faults.append(f"{name}: no control at all")
    return faults


SHOW_VIEW = (
    "async ([id, view]) => {"
    + SETTLE
    + "document.getElementById(id).attn.set({ view }); await settle(); }"
)


def views(visit, name):
    """Return the pictures that a figure can show; None where it has no choice."""
    spec = "document.getElementById(id).attn?.figure?.spec"
    return visit.page.evaluate(f"(id) => {spec}?.state?.view?.options", name) or [None]


def count(visit, name, selector):
    """Return how many such controls a figure has that can be seen."""
    code = """return attnWalk(document.getElementById(id), selector)
      .filter((control) => control.checkVisibility()).length;"""
    return visit.page.evaluate(
        f"([id, selector]) => {{ {WALK} {code} }}", [name, selector]
    )


def dead_control(visit, name, selector, k):
    """Press the control's keys until the figure changes; name it where none does."""
    label = visit.page.evaluate(TRY_CONTROL, [name, selector, k])
    alive = False
    for key in KEYS[selector]:
        visit.page.keyboard.press(key)
        if selector.startswith("input[type=number]"):
            visit.page.keyboard.press("Enter")
        alive = alive or visit.page.evaluate("attnTry()")
        if alive:
            break
    visit.page.evaluate("attnBack()")
    return [] if alive else [f"{name}: the control {label!r} changes nothing"]


# --- pixels -------------------------------------------------------------------------


HAS_HEATMAP = """(id) => {
  const figure = document.getElementById(id);
  const squares = [...figure.querySelectorAll(".attn-heatmap-square, canvas")];
  if (!squares.some((square) => square.checkVisibility())) return false;
  try { return figure.attn.cellAt(0, 0).weight !== undefined; }
  catch { return false; }
}"""


def colour(share, name="cividis"):
    """Return the colour of a share of a colour table, as matplotlib has it."""
    from matplotlib import colormaps

    # matplotlib takes an int for an index of its table
    table = colormaps[{"puor": "PuOr"}.get(name, name)]
    return np.array(table(float(share), bytes=True)[:3])


def wrong_pixels(visit):
    """Move each figure that has a heatmap; return cells of a wrong colour."""
    faults = []
    for name, _ in figures(visit):
        visit.page.locator(f"attn-figure[id='{name}']").scroll_into_view_if_needed()
        for view in views(visit, name):
            if view:
                visit.page.evaluate(SHOW_VIEW, [name, view])
            if visit.page.evaluate(HAS_HEATMAP, name):
                faults += wrong_cells(visit, name)
    return faults


# The cells of a heatmap at its corners, its largest and its smallest weight, each with
# its share of the colour scale. Where a value is printed in the middle of a cell, the
# point lies above it. The heatmap is brought to the top of the window first.
CELLS = (
    "async ([id, scale]) => {"
    + SETTLE
    + """
  const live = document.getElementById(id).attn;
  if (live.figure.spec.state.color_scale) live.set({ color_scale: scale });
  scrollBy({ top: live.cellAt(0, 0).y - 150, behavior: "instant" });
  await settle();
  const known = (i, j) => live.cellAt(i, j).weight !== undefined;
  let rows = 0, columns = 0;
  while (known(rows, 0)) rows++;
  while (known(rows - 1, columns)) columns++;
  const table = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => ({ i, j, ...live.cellAt(i, j) })));
  const height = rows > 1 ? table[1][0].y - table[0][0].y : 0;
  const up = Math.max(rows, columns) <= 8 ? 0.32 * height : 0;
  const ordered = table.flat().sort((a, b) => a.weight - b.weight);
  const [first, last] = [table[0], table[rows - 1]];
  const chosen = [first[0], first.at(-1), last[0], last.at(-1), ordered[0]];
  return [...chosen, ordered.at(-1)].map((cell) => {
    const top = Math.max(...table[cell.i].map((other) => other.weight));
    const inRange = (cell.weight - cell.low) / (cell.high - cell.low);
    const part = cell.perRow ? cell.weight / top : inRange;
    const share = cell.scale === "sqrt" ? Math.sqrt(part) : part;
    return { ...cell, y: cell.y - up, share };
  });
}"""
)


def wrong_cells(visit, name):
    """Move a slider of one figure, then compare cells with matplotlib's colours."""
    move(visit, name)
    faults = []
    for scale in scales(visit, name):
        cells = visit.page.evaluate(CELLS, [name, scale])
        pixels = screen(visit)
        for cell in cells:
            seen = pixel(visit, pixels, cell)
            meant = colour(cell["share"], cell["colours"])
            if np.abs(seen.astype(int) - meant.astype(int)).max() > 2:
                place = f"{name}, {scale}, cell ({cell['i']}, {cell['j']})"
                faults.append(f"{place}: {seen.tolist()} should be {meant.tolist()}")
    return faults


def scales(visit, name):
    """Return the colour scales that a figure offers; "fixed" where it has no choice."""
    spec = "document.getElementById(id).attn.figure.spec"
    code = f"(id) => {spec}.state.color_scale?.options"
    return visit.page.evaluate(code, name) or ["fixed"]


def move(visit, name):
    """Move the first slider of a figure by keyboard, as a reader does."""
    figure = visit.page.locator(f"attn-figure[id='{name}']")
    figure.locator("input[type=range]:enabled").first.focus()
    visit.page.keyboard.press("ArrowLeft")
    visit.page.evaluate(f"async () => {{ {SETTLE} await settle(); }}")


def screen(visit):
    """Return what the window shows, as an array of pixels."""
    with Image.open(io.BytesIO(visit.page.screenshot())) as image:
        return np.asarray(image.convert("RGB"))


def pixel(visit, pixels, cell):
    """Return the colour on the screen at a cell's place."""
    ratio = visit.page.evaluate("devicePixelRatio")
    return pixels[int(cell["y"] * ratio), int(cell["x"] * ratio)]


# --- JavaScript and Python ----------------------------------------------------------

NUMBERS = """([id, states]) => {
  const live = document.getElementById(id).attn;
  const found = [];
  for (const state of states) {
    live.set(state);
    const numbers = { ...live.values() };
    for (const [key, value] of Object.entries(live.result))
      if (ArrayBuffer.isView(value)) numbers[key] = [...value];
    found.push(numbers);
  }
  return found;
}"""


def twin(kind):
    """Return the Python class of a figure by the name of its files."""
    from attnbook import widgets

    return next(cls for cls in widgets.every_figure() if cls.figure == kind)


def ends(field):
    """Return the ends of one field of a schema, or all its choices."""
    if field["type"] == "boolean":
        return [False, True]
    if field["type"] == "choice":
        return field["options"]
    if field["type"] == "text":
        return [field["default"], *field["samples"]]
    return [field["min"], field["max"]] + ([None] if field.get("nullable") else [])


def grid(schema, most=SAMPLE):
    """Return states to compare: each field at its ends, then corners of all fields."""
    defaults = {key: field["default"] for key, field in schema.items()}
    states = [defaults]
    for key, field in schema.items():
        states += [{**defaults, key: end} for end in ends(field)]
    corners = list(itertools.product(*(ends(field) for field in schema.values())))
    chosen = np.random.default_rng(0).permutation(len(corners))[: most - len(states)]
    return states + [dict(zip(schema, corners[k], strict=True)) for k in chosen]


def disagreements(visit, only=None):
    """Return the states in which a figure's two languages give different numbers.

    All kinds of figures of the page are tried, or `only` one.
    """
    faults = []
    for kind, name in {kind: name for name, kind in figures(visit)}.items():
        if only not in (None, kind):
            continue
        spec = json.loads((WIDGETS / "figures" / kind / "spec.json").read_text("utf-8"))
        states = grid(spec["state"])
        for start in range(0, len(states), 20):  # a few at a time: weights are large
            batch = states[start : start + 20]
            answers = visit.page.evaluate(NUMBERS, [name, batch])
            for state, answer in zip(batch, answers, strict=True):
                faults += differences(twin(kind), state, answer)
    return faults


def differences(python, state, answer):
    """Return how the numbers of one state differ between JavaScript and Python."""
    model = python(**state)
    known = numbers_of(model, answer)
    shared = [key for key in answer if key in known]
    lacking = MUST_SHARE.intersection(answer).difference(shared)
    if lacking or not shared:
        return [f"{python.__name__} lacks {sorted(lacking)} to compare"]
    faults = []
    for key in shared:
        ours = np.asarray(known[key], dtype=float).ravel()
        theirs = np.asarray(answer[key], dtype=float).ravel()
        gap = farthest(ours, theirs)
        if not gap <= TOLERANCE:
            faults.append(f"{key} differ by {gap} at {state}")
    return faults


def farthest(ours, theirs):
    """Return the largest gap between two arrays; NaN and infinity equal themselves.

    Beyond 1 the gap is a share of the number: FLOPs run to 20 digits.
    """
    if ours.shape != theirs.shape:
        return np.inf
    differ = (ours != theirs) & ~(np.isnan(ours) & np.isnan(theirs))
    ours, theirs = ours[differ], theirs[differ]
    size = np.where(np.isfinite(ours), np.maximum(1, np.abs(ours)), 1)
    return (np.abs(ours - theirs) / size).max(initial=0)


def numbers_of(model, names):
    """Return what the Python object holds under these names, or else measures."""
    held = {name: getattr(model, name, None) for name in names}
    measured = model.measure() if hasattr(model, "measure") else {}
    kinds = (float, np.floating, np.ndarray)
    return {
        name: value
        for source in (measured, held)
        for name, value in source.items()
        if name in names and isinstance(value, kinds)
    }

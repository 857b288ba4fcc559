"""Gates for the live figures of a page, through the hook `element.attn`.

They know no figure by name: the schema of a figure gives its range, its Python twin
(`attnbook.widgets`) gives the numbers that its JavaScript must reproduce.
"""

from site_gates import ROOT, WALK

WIDGETS = ROOT / "src" / "attnbook" / "widgets"
SAMPLE = 120  # states of one figure that are compared between the two languages
TOLERANCE = 1e-6

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


def unready(visit):
    """Bring each figure into view; return those that do not come alive."""
    faults = []
    for name, kind in figures(visit):
        figure = visit.page.locator(f"attn-figure[id='{name}']")
        figure.scroll_into_view_if_needed()
        try:
            visit.page.wait_for_function(
                "(id) => document.getElementById(id).hasAttribute('data-ready')",
                arg=name,
                timeout=10_000,
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

# What a figure measures and draws, its controls left out: a thumb that moves is no proof.
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
    return JSON.stringify([figure.attn.values(), drawn, lines], plain);
  };
"""
)

TRY_CONTROL = (
    "async ([id, selector, k]) => {"
    + SNAPSHOT
    + """
  const figure = document.getElementById(id);
  const control = attnWalk(figure, selector)[k];
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


def dead_sliders(visit, most=None):
    """Use each control of each figure by keyboard; return those that change nothing.

    `most` limits how many controls of a kind are tried in a figure.
    """
    faults = []
    for name, _ in figures(visit):
        visit.page.locator(f"attn-figure[id='{name}']").scroll_into_view_if_needed()
        tried = 0
        for selector in CONTROLS:
            for k in range(min(count(visit, name, selector), most or 99)):
                tried += 1
                faults += dead_control(visit, name, selector, k)
        if not tried:
            faults.append(f"{name}: no control at all")
    return faults


def count(visit, name, selector):
    """Return how many such controls a figure has."""
    code = "return attnWalk(document.getElementById(id), selector).length;"
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


def cividis(weight):
    """Return the colour of a weight on the fixed scale, as matplotlib has it."""
    from matplotlib import colormaps

    return colormaps["cividis"](weight, bytes=True)[:3]


def wrong_pixels(visit):
    """Move each figure that has a heatmap; return cells of a wrong colour."""
    faults = []
    for name, _ in figures(visit):
        visit.page.locator(f"attn-figure[id='{name}']").scroll_into_view_if_needed()
        if visit.page.evaluate("(id) => document.getElementById(id).attn.cellAt", name):
            faults += wrong_cells(visit, name)
    return faults


# The cells of a heatmap at its corners, its largest and its smallest weight. Where a
# value is printed in the middle of a cell, the point lies above it.
CELLS = """async (id) => {
  const live = document.getElementById(id).attn, { nRows, nCols } = live.values();
  const all = [];
  for (let i = 0; i < nRows; i++)
    for (let j = 0; j < nCols; j++) all.push({ i, j, ...live.cellAt(i, j) });
  const height = nRows > 1 ? all[nCols].y - all[0].y : 0;
  const ordered = [...all].sort((a, b) => a.weight - b.weight);
  const corners = [all[0], all[nCols - 1], all.at(-nCols), all.at(-1)];
  return [...corners, ordered[0], ordered.at(-1)].map((cell) => (
    { ...cell, y: cell.y - (nRows <= 8 ? 0.3 * height : 0) }));
}"""


def wrong_cells(visit, name):
    return []

"""Measure the pages: redraw times, first paint, figure ready, weight, requests.

``python -m booktools.gate.bench_pages`` measures the built site, then builds the same
chapters with a default Jupyter Book in a temporary folder and measures those too.
Times depend on the machine and on what else runs on it; sizes do not.
"""

import argparse
import gzip
import re
import shutil
import statistics
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from booktools import ROOT
from booktools.setup import browser, progress, serve

SITE = ROOT / "_build" / "html"
PAGES = ("chapters/index", "chapters/05_why_divide")
SHORT = "chapters/references"  # what the chapters' first paint is compared with
PAINT_GOAL = 1.4  # times the short page's
LOADS = 7  # cold loads of a page; the median counts
SCREEN = {"viewport": {"width": 1280, "height": 900}}
GOALS = {"move": 4, "new draw": 30}  # milliseconds at the 95th percentile
SLOW = 4  # times: a phone, or an old machine
SLOW_GOALS = {"move": 16.7, "new draw": 120}  # a move is one frame even there
READY_GOAL = 60  # milliseconds from first paint to the first figure
DEFAULT_CONFIG = """title: A default Jupyter Book
only_build_toc_files: true
execute: {execute_notebooks: cache, timeout: 180}
sphinx:
  extra_extensions: [booktools.site.questions]  # its plugin acts in any book
  config: {bibtex_bibfiles: [chapters/references.bib]}
"""

PAINT = """() => new Promise((done) => {
  const found = performance.getEntriesByName("first-contentful-paint")[0];
  if (found) return done(found.startTime);
  new PerformanceObserver((list, observer) => {
    const entry = list.getEntriesByName("first-contentful-paint")[0];
    if (entry) { observer.disconnect(); done(entry.startTime); }
  }).observe({ type: "paint", buffered: true });
})"""

READY = """() => performance.getEntriesByType("mark")
  .filter((mark) => mark.name.startsWith("attn-ready:"))
  .map((mark) => mark.startTime)"""

# Sweep each number of a figure's state three times over its range, at the largest size,
# one change to a frame as a slider does, the first and slow ones included; return the
# milliseconds of computing and drawing each.
SWEEP = """async (id) => {
  const live = document.getElementById(id).attn, schema = live.figure.spec.state;
  const frame = () => new Promise(requestAnimationFrame);
  const start = { ...live.store.state };
  if (schema.n_keys) start.n_keys = schema.n_keys.max;
  if (schema.data?.options?.includes("random")) start.data = "random";
  const between = ({ min, max, scale, stops }, share) => scale === "log" || stops
    ? min * (max / min) ** share : min + (max - min) * share;
  const found = {}, { moves } = live.timings;
  for (const [key, field] of Object.entries(schema)) {
    if (!["number", "integer"].includes(field.type) || key === "row") continue;
    found[key] = [];
    live.set(start);
    for (let k = 0; k < 180; k++) {
      const last = moves.at(-1);
      live.set({ [key]: between(field, ((k * 37) % 60) / 59) });
      if (moves.at(-1) !== last) found[key].push(moves.at(-1).total);
      await frame();
    }
  }
  live.set(start);
  return found;
}"""


def chapter_pages(site=SITE):
    """Return the names of the built chapters, such as ``chapters/05_why_divide``."""
    found = sorted((site / "chapters").glob("[0-9][0-9]_*.html"))
    return [f"chapters/{path.stem}" for path in found]


def slow_down(page, rate):
    """Let a page's processor be `rate` times slower."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})


# --- weight and requests ------------------------------------------------------------


def weigh(chromium, address):
    """Load a page cold and return what came before the reader acts.

    Returns
    -------
    dict
        ``requests``, ``outside`` (to other hosts: counted, not weighed), ``kinds``
        (gzip bytes by kind), ``total`` (their sum) and ``pictures`` (gzip bytes of
        images that load lazily).
    """
    root = "/".join(address.split("/")[:3]) + "/"
    context = chromium.new_context(**SCREEN)
    page = context.new_page()
    answers, outside = [], []
    page.on("response", lambda answer: answers.append(answer))
    page.on("request", lambda r: None if own(r.url, root) else outside.append(r.url))
    page.goto(address, wait_until="load")
    page.wait_for_timeout(1000)
    lazy = set(
        page.evaluate(
            "[...document.images].filter((i) => i.loading === 'lazy').map((i) => i.src)"
        )
    )
    found = tally([a for a in answers if a.url.startswith(root)], lazy)
    context.close()
    return {**found, "outside": len(set(outside))}


def own(url, root):
    """Tell whether a request stays on the served site."""
    return url.startswith((root, "data:", "blob:"))


def tally(answers, lazy):
    """Return request count and gzip sizes of the answers, lazy pictures apart."""
    kinds, pictures, count = {}, 0, 0
    for answer in answers:
        size = len(gzip.compress(answer.body(), 6)) if answer.ok else 0
        if answer.url in lazy:
            pictures += size
            continue
        count += 1
        kind = answer.request.resource_type
        kinds[kind] = kinds.get(kind, 0) + size
    total = sum(kinds.values())
    return {"requests": count, "kinds": kinds, "total": total, "pictures": pictures}


# --- paint --------------------------------------------------------------------------


def load_times(chromium, address, loads=LOADS):
    """Return median milliseconds of cold loads: first paint, and figures after it.

    Returns
    -------
    tuple
        First paint; from there, the first figure's and the last figure's readiness
        (None without a figure). Figures below the window wait until the browser is
        idle, so that the last is late on purpose.
    """
    paints, firsts, lasts = [], [], []
    for _ in range(loads):
        context = chromium.new_context(**SCREEN)
        page = context.new_page()
        page.goto(address, wait_until="load")
        paints.append(page.evaluate(PAINT))
        page.wait_for_timeout(600)
        ready = page.evaluate(READY)
        if ready:
            firsts.append(min(ready) - paints[-1])
            lasts.append(max(ready) - paints[-1])
        context.close()
    if not firsts:
        return statistics.median(paints), None, None
    return tuple(statistics.median(times) for times in (paints, firsts, lasts))


def without_figures(text):
    """Return the HTML of a page with its figures and their script taken out."""
    text = re.sub(r"(?s)<attn-figure\b.*?</attn-figure>", "", text)
    return re.sub(r'<script[^>]*src="[^"]*attn\.js[^>]*></script>', "", text)


@contextmanager
def plain_copy(page):
    """Put a copy of a built page without figures beside it while measuring."""
    source = SITE / f"{page}.html"
    copy = source.with_name(source.stem + "-bench.html")
    copy.write_text(without_figures(source.read_text("utf-8")), "utf-8")
    try:
        yield copy.relative_to(SITE).as_posix()
    finally:
        copy.unlink()


def compare_paints(chromium, root, rate):
    """Print the first paint of each chapter against that of the references.

    The pages take turns, so that what else the machine does meets all of them alike.

    Parameters
    ----------
    chromium : playwright.sync_api.Browser
    root : str
        The address of the site.
    rate : float
        How many times slower the processor is made.
    """
    pages = [SHORT, *chapter_pages()]
    times = {page: [] for page in pages}
    for _ in range(LOADS):
        for page in pages:
            times[page].append(first_paint(chromium, f"{root}{page}.html", rate))
    medians = {page: statistics.median(times[page]) for page in pages}
    print(f"First paint against {SHORT}, the processor slowed {rate} x")
    for page, paint in medians.items():
        print("  " + ratio_line(page, paint, medians[SHORT]))


def first_paint(chromium, address, rate):
    """Return the milliseconds to the first paint of one cold load."""
    context = chromium.new_context(**SCREEN)
    page = context.new_page()
    slow_down(page, rate)
    page.goto(address, wait_until="load")
    paint = page.evaluate(PAINT)
    context.close()
    return paint


def ratio_line(page, paint, short):
    """Return one line: a page's first paint, its ratio to the short page, the goal."""
    verdict = "within" if paint <= PAINT_GOAL * short else "above"
    goal = f"{verdict} the goal of {PAINT_GOAL} x"
    return f"{page:30} {paint:6.0f} ms, {paint / short:.2f} x ({goal})"


# --- the default book ---------------------------------------------------------------


@contextmanager
def default_book():
    """Build the same chapters with a default Jupyter Book; yield the folder."""
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        (place / "chapters").mkdir()
        for name in ("references.bib", *(f"{page}.ipynb" for page in PAGES)):
            name = name if "/" in name else f"chapters/{name}"
            shutil.copy(ROOT / name, place / name)
        (place / "_config.yml").write_text(DEFAULT_CONFIG)
        root, *rest = PAGES
        toc = [f"format: jb-book\nroot: {root}\nchapters:"]
        toc += [f"  - file: {page}" for page in rest]
        (place / "_toc.yml").write_text("\n".join(toc) + "\n")
        tools = Path(sys.executable).parent
        command = [str(tools / "jupyter-book"), "build", str(place)]
        env = progress.tools_first(tools)
        progress.run("Building the default book", command, env=env)
        yield place / "_build" / "html"


# --- the report ---------------------------------------------------------------------


def kilobytes(size):
    """Return a size as text."""
    return f"{size / 1000:.0f} kB"


def show_page(chromium, root, page):
    """Print weight and paint of one page; return first paint."""
    found = weigh(chromium, f"{root}{page}.html")
    paint, first, last = load_times(chromium, f"{root}{page}.html")
    kinds = sorted(found["kinds"].items(), key=lambda item: -item[1])
    parts = ", ".join(f"{kind} {kilobytes(size)}" for kind, size in kinds)
    print(f"  {page}")
    print(f"    weight {kilobytes(found['total'])} gzip ({parts})")
    print(f"    lazy pictures {kilobytes(found['pictures'])}")
    print(f"    requests {found['requests']}, to other hosts {found['outside']}")
    print(f"    first paint {paint:.0f} ms, {readiness(first, last)}")
    return paint


def readiness(first, last):
    """Return one phrase: when figures are ready, in milliseconds after first paint."""
    if first is None:
        return "no figure"
    verdict = "within" if first <= READY_GOAL else "above"
    goal = f"{verdict} the goal of {READY_GOAL:+} ms"
    return f"first figure ready {first:+.0f} ms ({goal}), the last {last:+.0f} ms"


def percentile(times, share):
    """Return the value below which this share of the times lies (nearest rank)."""
    ordered = sorted(times)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def show_moves(chromium, root, page, rate=1):
    """Print, for each figure of a page, how long a change of each number takes.

    Parameters
    ----------
    chromium : playwright.sync_api.Browser
    root, page : str
        The address of the site, and the page's name.
    rate : float
        How many times slower the processor is made.
    """
    context = chromium.new_context(**SCREEN)
    tab = context.new_page()
    slow_down(tab, rate)
    tab.goto(f"{root}{page}.html", wait_until="load")
    for name in tab.evaluate(
        "[...document.querySelectorAll('attn-figure')].map(f => f.id)"
    ):
        tab.locator(f"attn-figure[id='{name}']").scroll_into_view_if_needed()
        tab.wait_for_selector(f"attn-figure[id='{name}'][data-ready]")
        print(f"  {page}, figure {name}, at its largest size, slowed {rate} x")
        for key, times in tab.evaluate(SWEEP, name).items():
            print("    " + move_line(key, times, GOALS if rate == 1 else SLOW_GOALS))
    context.close()


def move_line(key, times, goals=GOALS):
    """Return one line: median, 95th percentile, the goal."""
    # a seed or a count makes new random numbers; all else is a move
    kind = "new draw" if key == "seed" or key.startswith("n_") else "move"
    middle, high = percentile(times, 0.5), percentile(times, 0.95)
    verdict = "within" if high <= goals[kind] else "above"
    goal = f"{verdict} the goal of {goals[kind]} ms"
    return f"{key:12} p50 {middle:5.1f} ms, p95 {high:5.1f} ms ({kind}: {goal})"


def measure(chromium):
    """Print all measurements of the built site and of the default book."""
    with serve.running(SITE) as root:
        for rate in (1, SLOW):
            compare_paints(chromium, root, rate)
        print("Redraw")
        for page in PAGES:
            show_moves(chromium, root, page)
        for page in chapter_pages():
            show_moves(chromium, root, page, SLOW)
        print("Pages of this book")
        for page in PAGES:
            paint = show_page(chromium, root, page)
            with plain_copy(page) as plain:
                bare, *_ = load_times(chromium, root + plain)
            ratio = f"{paint / bare:.2f} x"
            print(
                f"    first paint without figures {bare:.0f} ms ({ratio}; goal 1.3 x)"
            )
    with default_book() as folder, serve.running(folder) as root:
        print("The same chapters in a default Jupyter Book")
        for page in PAGES:
            show_page(chromium, root, page)


def main(arguments=None):
    """Measure the pages; return a status for the shell."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(arguments)
    from playwright.sync_api import sync_playwright

    try:
        options = browser.launch_options(browser.ensure())
    except browser.NoBrowser as error:
        print(error, file=sys.stderr)
        return 1
    with sync_playwright() as play:
        chromium = play.chromium.launch(**options)
        measure(chromium)
        chromium.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

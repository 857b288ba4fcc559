"""A page with one live figure, opened in a browser."""

import contextlib

from attnbook.widgets.base import HOME
from booktools.setup import serve

PAGE = """<!doctype html>
<html lang="en" data-theme="light">
<head><meta charset="utf-8"><title>Figure</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><link rel="stylesheet" href="widgets/kit/figures.css">
<script type="module" async>
  import {{ start }} from "./widgets/kit/page.js";
  import figure from "./widgets/figures/{name}/figure.js";
  start([figure]);
</script></head><body>{body}</body></html>
"""
NOW = "() => new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(d)))"


@contextlib.contextmanager
def opened(chromium, folder, figure, **options):
    """Open a page with the figure alone; at the end no error may have been raised."""
    html = PAGE.format(name=figure.figure, body=figure.html())
    (folder / "widgets").symlink_to(HOME)
    (folder / "index.html").write_text(html, encoding="utf-8")
    options = {
        "reduced_motion": "reduce",
        **options,
    }  # the drawing is at its end at once
    context = chromium.new_context(**options)
    context.set_default_timeout(60_000)
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    with serve.running(folder, base="/") as address:
        page.goto(address)
        page.wait_for_selector(f"#{figure.id}[data-ready]")
        yield page
    assert errors == []
    context.close()


def values(page, name):
    """Return the figure's state and numbers once they are drawn."""
    page.evaluate(NOW)
    return page.evaluate("(name) => attnFigures[name].values()", name)


def swipe(page, start, end, steps=8):
    """Draw a finger from one place to another, as a browser reports it."""
    send = page.context.new_cdp_session(page).send
    for k in range(steps + 1):
        share = k / steps
        x, y = (a + share * (b - a) for a, b in zip(start, end, strict=True))
        kind = "touchStart" if k == 0 else "touchMove"
        send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y}]},
        )
    send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.evaluate(NOW)

"""Take the pictures of the README from the built site: figures/readme_*.png.

``make screenshots`` after a change that shows; nothing checks them to the pixel, since
fonts differ between machines.
"""

import io
import sys

from booktools import ROOT
from booktools.setup import browser, serve

SITE = ROOT / "_build" / "html"
PAGE = "chapters/05_why_divide.html"
FIGURE = "attn-figure >> nth=0"
COLOURS = ("light", "dark")
WIDTH = 1280  # of the window; wide enough for the rail beside the picture


def shrunk(png, colours=256):
    """Return a PNG with a palette: a third of the bytes, no difference to the eye."""
    from PIL import Image

    out = io.BytesIO()
    with Image.open(io.BytesIO(png)) as image:
        image.convert("RGB").quantize(colours).save(out, "PNG", optimize=True)
    return out.getvalue()


def picture(chromium, address, colours):
    """Return the PNG of the figure in one colour scheme."""
    context = chromium.new_context(
        viewport={"width": WIDTH, "height": 1600},
        color_scheme=colours,
        device_scale_factor=2,
    )
    page = context.new_page()
    page.goto(address, wait_until="load")
    figure = page.locator(FIGURE)
    figure.scroll_into_view_if_needed()
    page.wait_for_selector(f"{FIGURE.split()[0]}[data-ready]")
    page.add_style_tag(content="header { display: none !important }")  # it floats
    page.wait_for_timeout(300)
    box = figure.bounding_box()
    png = page.screenshot(clip=box)
    context.close()
    return png


def main():
    """Write the pictures; return a status for the shell."""
    from playwright.sync_api import sync_playwright

    options = browser.launch_options(browser.ensure())
    with serve.running(SITE) as root, sync_playwright() as play:
        chromium = play.chromium.launch(**options)
        for colours in COLOURS:
            path = ROOT / "figures" / f"readme_{colours}.png"
            path.write_bytes(shrunk(picture(chromium, root + PAGE, colours)))
            print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")
        chromium.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Print every chapter of the built site: _build/pdf/NN_slug.pdf, one file each.

``make pdf`` builds the site first. The browser of the tests prints, so that formulas,
figures and exercises look as they do when a reader prints the page: rows and folds of
exercises open, nothing covered, and no address of this machine on the paper.
"""

import sys

from booktools import ROOT
from booktools.setup import browser, serve

SITE = ROOT / "_build" / "html"
OUT = ROOT / "_build" / "pdf"
PAPER = {"format": "A4", "prefer_css_page_size": True}
READY = "!document.querySelector('attn-figure:not([data-ready])')"
FOOT = (
    '<p style="width:100%;font-size:8px;text-align:center">'
    '<span class="title"></span>, <span class="pageNumber"></span></p>'
)


def chapters(site=SITE):
    """List the chapters of a built site, by their addresses in it.

    Parameters
    ----------
    site : pathlib.Path

    Returns
    -------
    list of str

    Raises
    ------
    FileNotFoundError
        If no chapter was built.
    """
    pages = sorted(site.glob("chapters/[0-9][0-9]_*.html"))
    if not pages:
        raise FileNotFoundError(f"there are no chapters in {site}: make build")
    return [page.relative_to(site).as_posix() for page in pages]


def printed(chromium, address, background=False):
    """Return a page as PDF.

    Parameters
    ----------
    chromium : playwright.sync_api.Browser
    address : str
    background : bool
        As browsers offer it; off is what most readers have.

    Returns
    -------
    bytes
    """
    page = chromium.new_page()
    page.goto(address, wait_until="load")
    page.wait_for_function(READY)
    page.evaluate("document.fonts.ready")
    page.emulate_media(media="print")
    feet = {"display_header_footer": True, "header_template": "<p></p>"}
    made = page.pdf(print_background=background, footer_template=FOOT, **feet, **PAPER)
    page.close()
    return made


def main():
    """Write the files; return a status for the shell."""
    from playwright.sync_api import sync_playwright

    try:
        names = chapters()
    except FileNotFoundError as missing:
        print(missing, file=sys.stderr)
        return 1
    OUT.mkdir(parents=True, exist_ok=True)
    options = browser.launch_options(browser.ensure())
    with serve.running(SITE) as root, sync_playwright() as play:
        chromium = play.chromium.launch(**options)
        for i, name in enumerate(names, 1):
            path = OUT / name.rpartition("/")[2].replace(".html", ".pdf")
            path.write_bytes(printed(chromium, root + name))
            size = path.stat().st_size / 1000
            print(f"{i} of {len(names)}: {path.relative_to(ROOT)}, {size:.0f} kB")
        chromium.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

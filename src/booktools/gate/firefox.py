"""A short visit of the site in Firefox: figures, a prediction, a move by key, print.

The browser tests run in Chromium. This asks whether the same pages live in the other
engine. Firefox comes from `ATTNBOOK_FIREFOX`, from the machine, or, where this user may
install it, from Debian's package. Where there is none, a line in the summary says so.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from booktools.gate.bench_pages import SITE, chapter_pages
from booktools.setup import browser, serve
from booktools.site.assets import node_program

SCRIPT = Path(__file__).with_suffix(".mjs")
NAMES = ("firefox", "firefox-esr")
MAC_APP = "/Applications/Firefox.app/Contents/MacOS/firefox"
LEFT_OUT = "left out: there is no Firefox, and none could be had (see ATTNBOOK_FIREFOX)"


def installed():
    """Return the first Firefox of this machine that starts, or None."""
    named = os.environ.get("ATTNBOOK_FIREFOX")
    places = [named, *(shutil.which(name) for name in NAMES), MAC_APP]
    return next((place for place in places if place and browser.works(place)), None)


def ensure():
    """Return the path of a Firefox, getting one where there is none; None without."""
    path = installed()
    if path:
        return path
    browser.install_package("firefox-esr", "Firefox")
    return installed()


def pages(site=SITE):
    """Return the pages to visit: the landing page and the chapters.

    Parameters
    ----------
    site : pathlib.Path
        The built site.
    """
    names = ("chapters/index", *chapter_pages(site))
    return [f"{name}.html" for name in names]


def visit(program, site=SITE, names=None):
    """Visit pages in Firefox; return a line for each thing that went wrong.

    Parameters
    ----------
    program : str
        The path of Firefox.
    site : pathlib.Path
    names : list of str, optional
        All `pages` by default.
    """
    with serve.running(site) as root:
        command = [node_program(), str(SCRIPT), program, root, *(names or pages(site))]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=900, check=False
        )
    if done.returncode != 0:
        return [f"the visit broke off: {done.stderr.strip()[-2000:]}"]
    return json.loads(done.stdout)


def main():
    """Visit the site, or say that it cannot be; return a status for the shell."""
    program = ensure()
    if not program:
        print(f"====== {LEFT_OUT} ======")
        return 0
    problems = visit(program)
    print(*problems, sep="\n")
    print(f"  {len(pages())} pages visited in {program}: {len(problems)} problems")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())

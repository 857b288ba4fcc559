"""Find or get the browser that tests the site, and start it shut off from the net.

Order: `ATTNBOOK_BROWSER`, an installed Chromium or Chrome, the system's package where
this user may install it (Debian and Ubuntu, as root), Playwright's own download.
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from booktools.setup import progress

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
)
MAC_APPS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
HELP = """No browser for the tests was found and none could be installed.
Any one of these helps:
  Debian:         sudo apt-get install chromium
  Fedora:         sudo dnf install chromium
  macOS:          brew install --cask google-chrome
  anywhere:       .venv/bin/playwright install --with-deps chromium
  one you have:   ATTNBOOK_BROWSER=/path/to/chrome make check"""


class NoBrowser(Exception):
    """There is no browser; the message says what to do."""


def works(path):
    """Tell whether the program at `path` starts and prints a version."""
    try:
        command = [str(path), "--version"]
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def chosen():
    """Return the browser named in `ATTNBOOK_BROWSER`, if any."""
    path = os.environ.get("ATTNBOOK_BROWSER")
    if path and not works(path):
        raise NoBrowser(f"ATTNBOOK_BROWSER names {path}, which does not start.")
    return path


def installed():
    """Return the first installed Chromium or Chrome that starts, or None."""
    places = [shutil.which(name) for name in NAMES] + list(MAC_APPS)
    return next((place for place in places if place and works(place)), None)


def playwrights_own():
    """Return the browser that Playwright downloaded earlier, or None."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        path = play.chromium.executable_path
    return path if Path(path).exists() and works(path) else None


def install_package(package="chromium", name="Chromium"):
    """Install Debian's package where this user may; quietly do nothing elsewhere.

    Parameters
    ----------
    package, name : str
        The package of a browser, and what a reader calls it.
    """
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not (root and platform.system() == "Linux" and shutil.which("apt-get")):
        return
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    soon = ["-o", "Acquire::http::Timeout=20"]  # where nothing answers
    install = ["apt-get", "install", "-y", "--no-install-recommends", *soon, package]
    try:
        update = ["apt-get", "update", *soon]
        progress.run("Updating the package lists", update, env=env)
        progress.run(f"Installing {name}", install, env=env)
    except progress.CommandFailed as error:
        print(error)


def download():
    """Let Playwright download its Chromium; give up soon where nothing answers."""
    env = dict(os.environ, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT="10000")
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    try:
        progress.run("Downloading Chromium", command, idle_timeout=45, env=env)
    except progress.CommandFailed as error:
        print(error)


def ensure():
    """Return the path of a browser, getting one where there is none.

    Raises
    ------
    NoBrowser
        If none is installed and none could be had.
    """
    path = chosen() or installed() or playwrights_own()
    if path:
        return path
    install_package()
    path = installed()
    if path:
        return path
    download()
    path = playwrights_own()
    if path:
        return path
    raise NoBrowser(HELP)


def launch_options(path):
    """Return Playwright's launch options: headless, loopback only, plain colours."""
    arguments = [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--force-color-profile=srgb",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium's sandbox refuses to run as root
    return {"executable_path": str(path), "headless": True, "args": arguments}


def main():
    """Print the browser's path; return a status for the shell."""
    try:
        print("  Browser for the tests:", ensure())
    except NoBrowser as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

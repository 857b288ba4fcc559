"""Fixtures that several test files share: the browser and the built site."""

import pytest

from booktools import ROOT


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    """Return one headless browser for all tests; each test opens its own context."""
    from playwright.sync_api import sync_playwright

    import fonts
    from booktools.setup import browser

    options = browser.launch_options(browser.ensure())
    environ = fonts.environment(tmp_path_factory.mktemp("fonts"))
    with sync_playwright() as play:
        started = play.chromium.launch(**options, env=environ)
        yield started
        started.close()


@pytest.fixture
def new_context(chromium):
    """Return a function that makes a browser's context, which ends with the test."""
    contexts = []

    def make(**options):
        contexts.append(chromium.new_context(**options))
        return contexts[-1]

    yield make
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def site():
    """Return the folder of the built site."""
    folder = ROOT / "_build" / "html"
    if not (folder / "index.html").exists():
        pytest.fail("There is no built site: make build")
    return folder


@pytest.fixture(scope="session", params=["/", "/repo/"], ids=["root", "repo"])
def address(request, site):
    """Return the address of the site, served at the root and below a path."""
    from booktools.setup import serve

    with serve.running(site, base=request.param) as root:
        yield root

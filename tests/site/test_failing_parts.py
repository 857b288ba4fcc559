"""If a part fails, the text stays: nothing is covered for good."""

import pytest

from booktools.setup import serve

pytestmark = pytest.mark.browser

PAGE = "chapters/05_why_divide.html"
THROWS = "() => { throw new Error('refused') }"
FAULTS = {
    "no storage": f"Object.defineProperty(window, 'localStorage', {{ get: {THROWS} }})",
    "full storage": f"Storage.prototype.setItem = {THROWS}",
    "no navigation entries": "performance.getEntriesByType = undefined",
}
# Sections of the chapter that show no text at all.
UNREAD = """
[...document.querySelectorAll('article > section > section')].filter(
  (one) => [...one.querySelectorAll('p')].every((p) => !p.checkVisibility(
    { visibilityProperty: true, opacityProperty: true }))).map((one) => one.id)
"""


@pytest.fixture(scope="module")
def root(site):
    with serve.running(site) as address:
        yield address


@pytest.fixture
def context(chromium):
    made = chromium.new_context(viewport={"width": 1280, "height": 900})
    yield made
    made.close()


@pytest.mark.parametrize("body", ["throw new Error('at once')", "let = ;", None])
def test_a_script_that_fails_leaves_the_text(context, root, body):
    page = context.new_page()
    answer = {"body": body, "content_type": "text/javascript"}
    page.route(
        "**/attn.js*",
        lambda route: route.fulfill(**answer) if body else route.abort(),
    )
    page.goto(root + PAGE, wait_until="load")
    page.wait_for_timeout(300)
    assert page.evaluate(UNREAD) == []


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_missing_part_of_the_browser_leaves_the_page_alive(context, root, fault):
    errors = []
    context.add_init_script(fault)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(root + PAGE, wait_until="load")
    page.wait_for_selector("attn-figure[data-ready]", state="attached")
    page.locator(".theme-switch-button").click()
    assert errors == []

"""On paper, backgrounds that draw a picture are printed, whatever the default."""

import pytest

from booktools.setup import serve

pytestmark = pytest.mark.browser

# Where a live figure draws may be a shadow root; the property is inherited into it.
FAINT = """
() => {
  const found = [];
  const walk = (root) => root.querySelectorAll("*").forEach((part) => {
    if (part.shadowRoot) walk(part.shadowRoot);
    const style = getComputedStyle(part);
    if (style.printColorAdjust !== "exact") found.push(part.className || part.nodeName);
  });
  document.querySelectorAll("attn-figure").forEach((one) => walk(one));
  return [...new Set(found.map(String))];
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figures_print_without_the_backgrounds_switch(chromium, site, scheme):
    with serve.running(site) as root:
        context = chromium.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto(root + "chapters/03_dot_product.html", wait_until="load")
        page.wait_for_selector("attn-figure[data-ready]", state="attached")
        page.emulate_media(media="print", color_scheme=scheme)
        assert page.evaluate(FAINT) == []
        context.close()


@pytest.mark.parametrize("mode", ["dark", "auto"])
def test_a_figure_that_is_read_in_the_dark_prints_on_white(chromium, site, mode):
    with serve.running(site) as root:
        context = chromium.new_context(color_scheme="dark")
        context.add_init_script(f"localStorage.setItem('attnbook.mode', '{mode}')")
        page = context.new_page()
        page.goto(root + "chapters/03_dot_product.html", wait_until="load")
        page.wait_for_selector("attn-figure[data-ready]", state="attached")
        paper = """() => getComputedStyle(
          document.querySelector("attn-figure .attn-live")).backgroundColor"""
        assert page.evaluate(paper) == "rgb(21, 24, 28)"
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate(paper) == "rgb(255, 255, 255)"
        context.close()


def test_proofs_are_printed_and_solutions_stay_folded(chromium, site):
    with serve.running(site) as root:
        context = chromium.new_context()
        page = context.new_page()
        page.goto(root + "chapters/04_softmax.html", wait_until="load")
        page.emulate_media(media="print")
        shown = "folds => folds.map((fold) => fold.lastElementChild.checkVisibility())"
        deeper = page.locator("details.deeper").evaluate_all(shown)
        assert len(deeper) >= 2 and all(deeper)
        solutions = page.locator("details.attn-ex-solution").evaluate_all(shown)
        assert solutions and not any(solutions)
        context.close()

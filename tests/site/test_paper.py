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

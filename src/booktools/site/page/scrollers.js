// What is wider than the column scrolls sideways. It must then be reachable by keyboard,
// but nothing else should be a stop on the way of the Tab key.
const BOXES = "main pre, main .table-box, main .math-box";

function markIfScrolling(box) {
  const scrolls = box.scrollWidth > box.clientWidth + 1;
  if (scrolls && !box.hasAttribute("tabindex")) {
    box.tabIndex = 0;
    box.dataset.scrolls = "";
  } else if (!scrolls && "scrolls" in box.dataset) {
    box.removeAttribute("tabindex");
    delete box.dataset.scrolls;
  }
}

export function startScrollers() {
  const observer = new ResizeObserver((entries) => {
    for (const entry of entries) markIfScrolling(entry.target);
  });
  document.querySelectorAll(BOXES).forEach((box) => observer.observe(box));
}

// The sizes of a figure's parts in its own unit: one pixel at the reader's usual text size, more where
// text is larger or the figure fills the screen. One observer for a figure: asking an element for its
// size would force a layout of the whole page.
import { h } from "./dom.js";

const PROBE = 100; // units

export function sizes(live) {
  const probe = h("span", { class: "attn-probe", "aria-hidden": "true" });
  const watched = new Map([[probe, null]]);
  const self = { probe, unit: 1 };
  const tell = ({ f, box }) => f(box.width / self.unit, box.height / self.unit);
  const observer = new ResizeObserver((entries) => {
    const changed = new Set();
    for (const { target, contentRect } of entries) {
      if (target === probe) takeUnit(self, watched, changed, contentRect.width / PROBE);
      else changed.add(Object.assign(watched.get(target), { box: contentRect }));
    }
    for (const entry of changed) if (entry.box) tell(entry);
    if (changed.size) live.redraw();
  });
  observer.observe(probe);
  /** Calls f(width, height), in units, now and whenever the element changes its size. */
  self.watch = (element, f) => {
    watched.set(element, { f, box: null });
    observer.observe(element);
  };
  return self;
}

function takeUnit(self, watched, changed, unit) {
  if (!unit || unit === self.unit) return;
  self.unit = unit;
  for (const entry of watched.values()) if (entry) changed.add(entry);
}

// The figure on a static page: <attn-figure id data-figure data-state> holds a picture and a
// sentence; this module lays the live figure over them, in the same space.
import { errorBox, mount } from "./figure.js";
import { connectProse, followSetLinks } from "./prose.js";
import { h } from "./dom.js";
import { keepAddress, readAddress } from "./url.js";

const NEAR = "300px"; // figures this close to the window are made alive

/** Defines <attn-figure> for these figures and brings the prose to life. */
export function start(figures) {
  const byName = Object.fromEntries(figures.map((figure) => [figure.name, figure]));
  window.attnFigures ??= {};
  followSetLinks(window.attnFigures);
  if (customElements.get("attn-figure")) return;
  customElements.define("attn-figure", class extends HTMLElement {
    connectedCallback() {
      if (this.waiting || this.attn) return;
      this.waiting = true;
      whenNear(this, () => goLive(this, byName));
    }
  });
}

/**
 * The first figure of a page at once, the others when they come near or the browser is idle.
 * (Asking where an element stands would force a layout of the whole page.)
 */
function whenNear(element, act) {
  if (element === document.querySelector("attn-figure")) return act();
  const once = () => { if (!element.attn && !("failed" in element.dataset)) act(); };
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    once();
  }, { rootMargin: NEAR });
  observer.observe(element);
  const idle = window.requestIdleCallback ?? ((f) => setTimeout(f, 200));
  return idle(once);
}

function goLive(element, byName) {
  const root = h("div", { class: "attn-live", "aria-labelledby": `${element.id}-title`, role: "group" });
  element.append(root);
  const fail = (error) => showFailure(element, root, error);
  let state;
  try {
    state = JSON.parse(element.dataset.state || "{}");
    if (!byName[element.dataset.figure]) throw new Error(`no figure named ${element.dataset.figure}`);
  } catch (error) {
    fail(error);
    return;
  }
  element.dataset.live = "";
  const live = mount(byName[element.dataset.figure], root, { id: element.id, state, host: "page", onFail: fail });
  if (live.failed) return;
  live.set(readAddress(element.id), "address");
  keepAddress(element.id, live.store);
  observeVisibility(element, live);
  publish(element, live);
  whenParsed(() => live.guard(() => connectProse(live)));
}

/** The picture comes back, with the box that says what failed; nothing else breaks. */
function showFailure(element, root, error) {
  delete element.dataset.live;
  element.dataset.failed = "";
  root.remove();
  element.prepend(errorBox(error));
}

function observeVisibility(element, live) {
  new IntersectionObserver((entries) => live.setVisible(entries.at(-1).isIntersecting)).observe(element);
}

function whenParsed(act) {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", act, { once: true });
  else act();
}

/** Tells tests and scripts that the figure is ready: element.attn, window.attnFigures[id]. */
export function publish(element, live) {
  element.attn = live;
  window.attnFigures ??= {};
  if (live.id) window.attnFigures[live.id] = live;
  element.dataset.ready = "";
  performance.mark(`attn-ready:${live.id}`);
  element.dispatchEvent(new CustomEvent("attn-ready", { bubbles: true, detail: { id: live.id } }));
}

// The figure on a static page: <attn-figure id data-figure data-state> holds a picture and a
// sentence; this module lays the live figure over them, in the same space.
import { errorBox, mount } from "./figure.js";
import { connectProse, followSetLinks } from "./prose.js";
import { h } from "./dom.js";
import { clean } from "./schema.js";
import { keepAddress, readAddress } from "./url.js";

const NEAR = "300px"; // figures this close to the window are made alive

const known = {}; // the figures that this page has, by name
let waiting = []; // what is to be done when one more is known, or when no more will come

/**
 * Defines <attn-figure> and brings the prose to life. A figure is given here, or comes in a script
 * of its own, earlier or later: (window.attnOffers ??= []).push(figure).
 */
export function start(figures = []) {
  figures.forEach(learn);
  (window.attnOffers ?? []).forEach(learn);
  window.attnOffers = { push: learn };
  whenLoaded(tellThoseWhoWait);
  window.attnFigures ??= {};
  followSetLinks(window.attnFigures);
  if (customElements.get("attn-figure")) return;
  customElements.define("attn-figure", class extends HTMLElement {
    connectedCallback() {
      if (this.waiting || this.attn) return;
      this.waiting = true;
      whenNear(this, () => whenKnown(this.dataset.figure, () => goLive(this)));
    }
  });
}

function learn(figure) {
  known[figure.name] = figure;
  tellThoseWhoWait();
}

function tellThoseWhoWait() {
  const acts = waiting;
  waiting = [];
  acts.forEach((act) => act());
}

/** Acts once a figure's script is here, or once it is clear that none will come. */
function whenKnown(name, act) {
  if (known[name] || document.readyState === "complete") act();
  else waiting.push(() => whenKnown(name, act));
}

function whenLoaded(act) {
  if (document.readyState === "complete") act();
  else addEventListener("load", act, { once: true });
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

function goLive(element) {
  const figure = known[element.dataset.figure];
  const root = h("div", { class: "attn-live", role: "group" });
  element.append(root);
  const fail = (error) => showFailure(element, root, error);
  let state;
  try {
    state = JSON.parse(element.dataset.state || "{}");
    if (!figure) throw new Error(`no figure named ${element.dataset.figure}`);
  } catch (error) {
    fail(error);
    return;
  }
  element.dataset.live = "";
  const live = mount(figure, root, { id: element.id, state, host: "page", onFail: fail });
  if (live.failed) return;
  live.set(readAddress(element.id), "address");
  keepAddress(element.id, live.store, () => followAddress(live));
  observeVisibility(element, live);
  publish(element, live);
  whenParsed(() => live.guard(() => connectProse(live)));
}

/** After "back" or "forward": the state that the address names, or else the one that the page was opened with. */
function followAddress(live) {
  const { partial } = clean(live.store.schema, readAddress(live.id));
  live.set({ ...live.store.initial, ...partial }, "address");
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

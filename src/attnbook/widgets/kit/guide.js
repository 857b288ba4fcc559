// Guided steps (captioned states with next and back) and presets (named states with links).
import { clean, defaults, sameState } from "./schema.js";
import { h, rich, setRich, setText } from "./dom.js";
import { linkTo } from "./url.js";

/** The state a step or preset leads to: the defaults with its own part on top. */
export function targetState(store, item) {
  const { guide } = store.state; // which guide it is stays
  return { ...defaults(store.schema), ...(guide && { guide }), ...clean(store.schema, item.state ?? {}).partial };
}

/** A page may open a figure at any step; a state that is no step opens it at the first. */
function firstStep(store, items) {
  const at = items.findIndex((item) => item.state && sameState(store.initial, targetState(store, item)));
  return Math.max(at, 0);
}

/**
 * The steps of a guide. A caption's numbers are those of its step's own state, which `compute` measures. Once the
 * figure shows another state, the caption turns grey, and a button leads back.
 */
export function steps(ui, guideName, items, compute) {
  const { store } = ui;
  const path = (item) => `guides.${guideName}.${item.name}`;
  let at = firstStep(store, items);
  const captions = items.map((item) => h("p", { class: "attn-caption" }));
  const counter = h("span", { class: "attn-step-count" });
  const button = (word, by) => h("button", { class: "attn-button", type: "button", onclick: () => go(at + by) }, ui.kit(word));
  const [back, next] = [button("back", -1), button("next", 1)];
  const again = h("button", { class: "attn-link", type: "button", title: ui.kit("return_hint"), onclick: () => go(at) });
  const element = h("div", { class: "attn-guide" },
    h("div", { class: "attn-captions", tabindex: 0 }, captions), // the keyboard scrolls long ones
    h("div", { class: "attn-guide-bar" }, back, next, counter, again));
  const go = (to) => {
    at = Math.min(Math.max(to, 0), items.length - 1);
    lead(store, items[at]);
    show();
    ui.announce(() => captions[at].textContent);
  };
  const show = () => {
    if (!filled.has(at)) write(at, ui.t(path(items[at]), compute(targetState(store, items[at])).values));
    captions.forEach((caption, k) => caption.classList.toggle("attn-current", k === at));
    captions.forEach((caption, k) => caption.setAttribute("aria-hidden", String(k !== at)));
    const item = items[at];
    back.disabled = at === 0;
    next.disabled = at === items.length - 1;
    const left = Boolean(item.state) && !sameState(store.state, targetState(store, item));
    again.hidden = !left;
    counter.hidden = left;
    setText(again, ui.kit("return", { step: at + 1 }));
    setText(counter, ui.kit("step", { step: at + 1, steps: items.length }));
    element.classList.toggle("attn-left", left);
  };
  // Captions lie on top of each other, so the tallest sets the height. Measuring a step's state waits
  // until the step is shown; until then stand-ins for its numbers keep the place.
  const filled = new Set();
  const write = (k, text) => { filled.add(k); setRich(captions[k], text); };
  items.forEach((item, k) => setRich(captions[k], ui.template(path(item)).replace(/\{[^}]*\}/g, "0.00")));
  return { element, update: show };
}

/** Sets an item's state; where it names the state that it is to be compared with, that one first. */
function lead(store, item, source = "guide") {
  if (item.from) store.set(targetState(store, { state: item.from }), { source });
  if (item.state) store.set(targetState(store, item), { source });
}

/** Presets: buttons that are links, so each can be copied, opened or shared. */
export function presets(ui, guideName, items) {
  const { store } = ui;
  const links = items.map((item) => preset(ui, `presets.${guideName}.${item.name}`, item));
  const element = h("div", { class: "attn-presets" }, h("span", { class: "attn-label" }, ui.kit("presets")), links);
  element.hidden = items.length === 0;
  const update = () => links.forEach((link, k) => {
    const here = sameState(store.state, targetState(store, items[k]));
    link.setAttribute("aria-current", String(here));
  });
  return { element, update };
}

function preset(ui, path, item) {
  const { store } = ui;
  const choose = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    lead(store, item, "preset");
  };
  const state = targetState(store, item);
  const href = ui.host === "page" ? linkTo(ui.id, state, store.initial) : `#${ui.id}`;
  return h("a", { class: "attn-chip", href, onclick: choose, "data-preset": item.name }, h("span", {}, rich(ui.t(path, state))));
}

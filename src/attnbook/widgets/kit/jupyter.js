// The figure in JupyterLab and other notebooks: the host of anywidget. Traits go both ways.
import { errorBox, mount } from "./figure.js";
import { h } from "./dom.js";
import { publish } from "./page.js";

/** anywidget's entry: export default anywidget(figure). */
export function anywidget(figure) {
  return { render: ({ model, el }) => render(figure, model, el) };
}

function render(figure, model, el) {
  const keys = Object.keys(figure.spec.state);
  const style = frameStyle(figure, model.get("guide"));
  const element = h("div", { class: "attn-figure", "data-figure": figure.name, style, onfocusin: keepKeys });
  const root = h("div", { class: "attn-live", role: "group" });
  element.append(root);
  el.append(element);
  const state = Object.fromEntries(keys.map((key) => [key, model.get(key)]));
  const onFail = (error) => root.replaceChildren(errorBox(error));
  const live = mount(figure, root, { id: model.get("id"), state, host: "jupyter", onFail });
  if (live.failed) return undefined;
  publish(element, live);
  const undo = [
    hideStill(model.get("twin")),
    followLinks(live, element),
    connect(model, live, keys.filter((key) => !figure.spec.state[key].own)),
  ];
  return () => undo.forEach((act) => act());
}

/**
 * A notebook keeps a still picture below its figure, for the day when no kernel knows the figure.
 * A rule hides it, as it may come later than the figure does.
 */
function hideStill(twin) {
  const rule = h("style", {}, `.${twin} { display: none; }`);
  document.head.append(rule);
  return () => rule.remove();
}

const notebookOf = (element) => element.closest(".jp-Notebook") ?? document.body;

/** Links of a notebook's text that set a figure have addresses such as #figure:explorer?d_k=8. */
function followLinks(live, element) {
  const follow = (event) => {
    const link = event.target.closest?.(`a[href^="#figure:${live.id}?"]`);
    if (!link || notebookOf(link) !== notebookOf(element)) return;
    event.preventDefault();
    event.stopPropagation(); // JupyterLab would look for a heading of that name
    const query = link.getAttribute("href").split("?")[1];
    live.set(Object.fromEntries(new URLSearchParams(query)), "prose");
    element.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("click", follow, true);
  return () => document.removeEventListener("click", follow, true);
}

/** The frame's measures that differ from figure to figure, as in base.py. */
function frameStyle({ spec }, guide) {
  const frame = spec.guides?.[guide]?.frame ?? spec.frame ?? {};
  return Object.entries(frame).map(([name, value]) => `--attn-${name}:${value}`).join(";");
}

// JupyterLab's shortcuts take arrow keys and Enter from whatever has the focus, unless it says no.
function keepKeys(event) {
  event.target.setAttribute("data-lm-suppress-shortcuts", "true");
}

function connect(model, live, keys) {
  const fromModel = () => live.set(Object.fromEntries(keys.map((key) => [key, model.get(key)])), "model");
  for (const key of keys) model.on(`change:${key}`, fromModel);
  const forget = live.store.subscribe((source) => {
    if (source === "model") return;
    for (const key of keys) model.set(key, live.store.state[key]);
    model.save_changes();
  });
  return () => {
    forget();
    for (const key of keys) model.off(`change:${key}`, fromModel);
  };
}

// The frame around a figure's parts: title and tools, the picture, the rail beside it, presets, the fold.
import { codeLine } from "./codeline.js";
import { h, rich, s, uid } from "./dom.js";
import { presets, steps } from "./guide.js";
import { lookUp } from "./words.js";

/** What a figure's build function puts into the frame: ui.picture, ui.rail, ui.more, ui.panel. */
export function frameParts(ui) {
  const slots = { picture: null, rail: [], more: [] };
  const elements = (parts) => parts.map((part) => part.element ?? part);
  ui.panel = (title, ...children) => h("section", { class: "attn-panel" }, h("h3", { class: "attn-panel-title" }, rich(title)), elements(children));
  ui.picture = (layout, parts) => (slots.picture = picture(layout, parts));
  ui.rail = (...parts) => slots.rail.push(...elements(parts));
  ui.more = (...parts) => slots.more.push(...elements(parts));
  return slots;
}

/**
 * picture({ wide, narrow }, { name: panel, ... }): each layout is the value of CSS' grid-template, whose areas are
 * the names. arrange(layout) sets another one; where a layout does not name a panel, it is hidden.
 */
function picture(layout, parts) {
  const panels = Object.entries(parts).map(([name, part]) => [name, part.element ?? part]);
  for (const [name, element] of panels) element.style.gridArea = name;
  const element = h("div", { class: "attn-picture" }, panels.map(([, panel]) => panel));
  let shown = null;
  const arrange = (next) => {
    if (next === shown) return;
    shown = next;
    for (const size of ["wide", "narrow"]) element.style.setProperty(`--attn-${size}`, next[size]);
    const names = (size) => new Set(next[size].match(/[a-z]\w*/gi));
    const [wide, narrow] = [names("wide"), names("narrow")];
    for (const [name, panel] of panels) {
      panel.hidden = !wide.has(name) && !narrow.has(name);
      panel.classList.toggle("attn-only-wide", !narrow.has(name));
      panel.classList.toggle("attn-only-narrow", !wide.has(name));
    }
  };
  arrange(layout);
  return { element, arrange };
}

/** Puts everything into the figure's root; returns what is to be updated after each drawing. */
export function buildFrame(live, slots, guideName) {
  const { ui, figure, root } = live;
  const tools = makeTools(live);
  const code = codeLine(ui, figure.python);
  const guide = steps(ui, guideName, ui.guide.steps, (state) => live.measure(state));
  const tries = presets(ui, guideName, ui.guide.presets ?? []);
  const title = h("h2", { class: "attn-title", id: uid("title") }, rich(ui.t(titlePath(figure, guideName))));
  root.setAttribute("aria-labelledby", title.id);
  root.append(
    h("div", { class: "attn-head" }, title, tools.element),
    slots.picture.element, rail(slots.rail, guide), tries.element,
    fold(ui, [...slots.more, code.element]), makeNote(live), ui.status, ui.sizes.probe);
  guide.element.lastChild.append(tools.ghost); // above the pictures there is no room for it on a phone
  return [code, guide, tries, tools];
}

/** The first two parts, numbers and a control or two controls, stand side by side where the rail lies below the picture. */
function rail([first, second, ...others], guide) {
  return h("div", { class: "attn-rail" }, h("div", { class: "attn-top" }, first, second), others, guide.element);
}

function fold(ui, parts) {
  const controls = parts.filter((part) => part.matches(".attn-control"));
  const others = parts.filter((part) => !controls.includes(part));
  return h("details", { class: "attn-more" }, h("summary", { class: "attn-more-name" }, ui.kit("more")),
    h("div", { class: "attn-more-body" }, h("div", { class: "attn-controls" }, controls), others));
}

// A guide may have a title of its own, at <figure>.titles.<guide>.
function titlePath(figure, guideName) {
  return lookUp(figure.words, `titles.${guideName}`) ? `titles.${guideName}` : "title";
}

// A hooked arrow to the left; an arrow that goes round; four corners; lines of text with an arrow up.
const ICONS = {
  undo: "M6 3 2.5 6.5 6 10M3 6.5h6a3.7 3.7 0 0 1 0 7.4H6.5",
  reset: "M3.2 3v3.4h3.4M3.4 6.2a5.2 5.2 0 1 1-.6 3.3",
  full_screen: "M2.5 6v-3.5h3.5M10 2.5h3.5v3.5M13.5 10v3.5h-3.5M6 13.5h-3.5v-3.5",
  to_text: "M4.5 13V3M1.5 6l3-3 3 3M9.5 5h5M9.5 9h5M9.5 13h5",
};

const icon = (name) => s("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

function makeTools(live) {
  const { ui, ui: { store } } = live;
  const button = (word, act) => h("button", { class: `attn-button attn-icon attn-${word.replace("_", "-")}`, type: "button", title: ui.kit(word), "aria-label": ui.kit(word), onclick: act }, icon(word));
  const undo = button("undo", () => store.undo());
  const reset = button("reset", () => store.reset());
  const full = document.fullscreenEnabled ? [button("full_screen", () => fillScreen(live.root.parentElement))] : [];
  live.backBox = h("span", { class: "attn-return", hidden: true });
  const ghosts = ["attn-only-wide", "attn-only-narrow"].map((size) => h("span", { class: `attn-ghost-key ${size}`, hidden: true }, ui.kit("ghost")));
  const update = () => {
    undo.disabled = !store.canUndo;
    for (const ghost of ghosts) ghost.hidden = !store.ghost;
    reset.disabled = store.state === store.initial;
  };
  return { element: h("div", { class: "attn-tools" }, live.backBox, ghosts[0], undo, reset, full), ghost: ghosts[1], update };
}

/** A projector's view: the figure fills the screen, type and lines grow with it. Again: back to the page. */
function fillScreen(element) {
  const done = document.fullscreenElement === element ? document.exitFullscreen() : element.requestFullscreen();
  done.catch(() => {}); // a frame may forbid it
}

/** The way back to the text: an arrow beside the tools, where it covers nothing. */
export function backButton(ui, act) {
  return h("button", { class: "attn-button attn-to-text", type: "button", title: ui.kit("to_text"), "aria-label": ui.kit("to_text"), onclick: act },
    icon("to_text"), h("span", { class: "attn-to-text-word" }, ui.kit("to_text")));
}

function makeNote(live) {
  live.noteText = h("span");
  live.noteBox = h("div", { class: "attn-note", hidden: true }, live.noteText,
    h("button", { class: "attn-button", type: "button", onclick: () => { live.noteBox.hidden = true; } }, live.ui.kit("close")));
  return live.noteBox;
}

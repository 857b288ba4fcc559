// What every figure shares: the frame around its parts, the loop from state to drawing, the
// box that says what failed, and the hook for tests. Hosts (page.js, jupyter.js) call mount.
import { announcer } from "./announce.js";
import { codeLine } from "./codeline.js";
import * as controls from "./controls.js";
import { h, rich, s, setText } from "./dom.js";
import { presets, steps } from "./guide.js";
import { handle } from "./handle.js";
import { heatmap } from "./heatmap.js";
import { histogram } from "./histogram.js";
import { plane } from "./plane.js";
import { plot } from "./plot.js";
import { readouts } from "./readouts.js";
import { clean } from "./schema.js";
import { Store } from "./store.js";
import { fill, lookUp, say, sayKit } from "./words.js";

const KEPT_TIMINGS = 1000;

/** Puts a live figure into `root`. Options: id, state, host ("page" or "jupyter"), onFail. */
export function mount(figure, root, options) {
  const live = new Live(figure, root, options);
  live.guard(() => live.start());
  return live;
}

class Live {
  constructor(figure, root, { id, state = {}, host = "page", onFail = () => {} }) {
    Object.assign(this, { figure, root, id, host, onFail });
    const { partial, problems } = clean(figure.spec.state, state);
    this.store = new Store(figure.spec.state, partial);
    this.problems = problems;
    this.compute = figure.createCompute();
    this.timings = { moves: [], mount: null };
    this.visible = true;
    this.ready = false;
    this.updates = [];
    this.listeners = new Set();
  }

  start() {
    const began = performance.now();
    this.ui = makeUi(this);
    this.draw = buildFrame(this);
    this.store.subscribe((source) => this.changed(source));
    this.render();
    this.timings.mount = performance.now() - began;
    this.ready = true;
    this.warn(this.problems);
  }

  /** Runs f; if it throws, the figure gives its place back and says why. */
  guard(f) {
    try {
      return f();
    } catch (error) {
      this.failed = error;
      console.error(`figure ${this.id}:`, error);
      this.onFail(error);
      return undefined;
    }
  }

  changed(source) {
    this.dirty = true;
    this.quiet = false;
    this.source = source;
    if (this.visible && !this.scheduled) {
      this.scheduled = requestAnimationFrame(() => this.flush());
    }
  }

  /** Draws again what is already computed, as after a change of size. */
  redraw() {
    this.quiet = !this.dirty; // a new size is nothing to tell a screen reader
    this.dirty = true;
    if (this.visible && this.ready) this.flush();
  }

  /** Computes and draws now what is still to be drawn. */
  flush() {
    cancelAnimationFrame(this.scheduled);
    this.scheduled = null;
    if (this.dirty && !this.failed) this.guard(() => this.render());
  }

  setVisible(visible) {
    this.visible = visible;
    if (visible && this.dirty) this.flush();
  }

  render() {
    const began = performance.now();
    this.dirty = false;
    const { state, ghost } = this.store;
    const result = this.resultOf(state);
    const former = ghost && this.resultOf(ghost);
    const computed = performance.now();
    this.result = result;
    this.draw(result, state, former, ghost);
    const ended = performance.now();
    this.note({ total: ended - began, compute: computed - began, draw: ended - computed });
    for (const listener of this.listeners) listener(this);
    if (this.ready && !this.quiet) this.ui.announce(() => this.sentence(result.values));
  }

  // The last few results are kept, so a ghost and an undo cost nothing.
  resultOf(state) {
    this.kept ??= [];
    const known = this.kept.find((entry) => entry.state === state);
    if (known) return known.result;
    const result = this.compute(state);
    this.kept.unshift({ state, result });
    const { ghost } = this.store;
    this.kept = this.kept.filter((entry, k) => k < 3 || entry.state === ghost).slice(0, 5);
    return result;
  }

  note(timing) {
    const { moves } = this.timings;
    moves.push(timing);
    if (moves.length > KEPT_TIMINGS) moves.shift();
  }

  /** Measures some other state without touching the figure's caches. */
  measure(state) {
    this.computeAside ??= this.figure.createCompute();
    return this.computeAside(state);
  }

  get state() {
    return this.store.state;
  }

  /** Where cell (i, j) of the figure's matrix is in the window, and its weight. */
  cellAt(i, j) {
    this.flush();
    return this.draw.cellAt(i, j);
  }

  values() {
    if (this.dirty) this.flush();
    return this.result.values;
  }

  sentence(values = this.values()) {
    return this.ui.t(`summary.${this.figure.summary(values)}`, values);
  }

  /** Takes a partial state from outside (address, prose, notebook, test), clamped. */
  set(given, source = "outside") {
    const { partial, problems } = clean(changeable(this.figure.spec.state), given);
    this.store.set(partial, { source });
    this.warn(problems);
    this.flush();
    return this.result?.values;
  }

  warn(problems) {
    if (!problems.length) return;
    const lines = problems.map(({ key, given, used }) => (used === undefined
      ? this.ui.kit("dropped", { key, given }) : this.ui.kit("clamped", { key, given, used })));
    setText(this.noteText, lines.join(" "));
    this.noteBox.hidden = false;
    this.ui.announce(() => lines.join(" "));
  }

  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

// A key marked "own" is set where the figure is made, and stays.
function changeable(schema) {
  return Object.fromEntries(Object.entries(schema).filter(([, field]) => !field.own));
}

/** What a figure's build function works with. */
function makeUi(live) {
  const { figure, store, id, host } = live;
  const { element: status, say: announce } = announcer();
  const ui = { id, host, store, announce, status, parts: [] };
  ui.t = (path, values) => say(figure.words, path, values);
  // With a variant, the words at <path>_<variant>, if there are any.
  ui.template = (path, variant) => {
    const words = lookUp(figure.words, `${path}_${variant}`) ?? lookUp(figure.words, path);
    if (typeof words !== "string") throw new Error(`${figure.name} has no words at ${path} in en.json`);
    return words;
  };
  ui.fill = fill;
  ui.kit = sayKit;
  ui.add = (...elements) => ui.parts.push(...elements);
  for (const [name, make] of Object.entries({ ...controls, handle, heatmap, histogram, plane, readouts })) ui[name] = (...args) => make(ui, ...args);
  ui.plot = (options) => {
    const made = plot(ui, options);
    made.redraw = () => live.redraw();
    return made;
  };
  ui.panel = (title, ...children) => h("section", { class: "attn-panel" }, h("h3", { class: "attn-panel-title" }, rich(title)), children);
  // Areas of the body: "main" and "side" stand side by side where there is room, "full" below them;
  // where there is little room, all follow each other in the order in which they were added.
  ui.area = (name, ...children) => h("div", { class: `attn-area attn-area-${name}` }, children.map((part) => part.element ?? part));
  ui.controls = (...parts) => h("div", { class: "attn-controls" }, parts.map((part) => part.element ?? part));
  return ui;
}

/** Builds the frame and the figure's own parts; returns the function that draws all. */
function buildFrame(live) {
  const { ui, figure, store, root } = live;
  const guideName = store.state.guide ?? Object.keys(figure.spec.guides ?? {})[0];
  const guide = figure.spec.guides?.[guideName] ?? {};
  ui.guide = guide;
  const draw = figure.build(ui);
  const code = codeLine(ui, figure.python);
  const extras = [code];
  const top = [];
  if (guide.steps) { const made = steps(ui, guideName, guide.steps, (state) => live.measure(state)); top.push(made.element); extras.push(made); }
  const bottom = [];
  if (guide.presets) { const made = presets(ui, guideName, guide.presets); bottom.push(made.element); extras.push(made); }
  const tools = makeTools(ui);
  extras.push(tools);
  const note = makeNote(live);
  live.backBox = h("div", { class: "attn-return", hidden: true });
  root.append(
    h("div", { class: "attn-head" }, h("h2", { class: "attn-title", id: `${live.id}-title` }, rich(ui.t(titlePath(figure, guideName)))), tools.element),
    ...top, h("div", { class: "attn-body" }, ui.parts), ...bottom, code.element, live.backBox, note, ui.status);
  const drawAll = (result, state, former, ghost) => {
    draw(result, state, former, ghost);
    for (const extra of extras) extra.update(result, state);
  };
  drawAll.cellAt = draw.cellAt;
  return drawAll;
}

// A guide may have a title of its own, at <figure>.titles.<guide>.
function titlePath(figure, guideName) {
  return lookUp(figure.words, `titles.${guideName}`) ? `titles.${guideName}` : "title";
}

// A hooked arrow to the left; an arrow that goes round.
const ICONS = {
  undo: "M6 3 2.5 6.5 6 10M3 6.5h6a3.7 3.7 0 0 1 0 7.4H6.5",
  reset: "M3.2 3v3.4h3.4M3.4 6.2a5.2 5.2 0 1 1-.6 3.3",
};

function makeTools(ui) {
  const { store } = ui;
  const button = (word, act) => h("button", { class: "attn-button attn-icon", type: "button", title: ui.kit(word), "aria-label": ui.kit(word), onclick: act },
    s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, s("path", { d: ICONS[word] })));
  const undo = button("undo", () => store.undo());
  const reset = button("reset", () => store.reset());
  const ghost = h("span", { class: "attn-ghost-key" }, ui.kit("ghost"));
  const update = () => { undo.disabled = ghost.hidden = !store.ghost; reset.disabled = store.state === store.initial; };
  return { element: h("div", { class: "attn-tools" }, undo, reset, ghost), update };
}

function makeNote(live) {
  live.noteText = h("span");
  live.noteBox = h("div", { class: "attn-note", hidden: true }, live.noteText,
    h("button", { class: "attn-button", type: "button", onclick: () => { live.noteBox.hidden = true; } }, live.ui.kit("close")));
  return live.noteBox;
}

/** The box that says what failed; it stands beside the static picture. */
export function errorBox(error) {
  return h("div", { class: "attn-error", role: "alert" }, sayKit("failed"), " ", h("code", {}, String(error?.message ?? error)));
}

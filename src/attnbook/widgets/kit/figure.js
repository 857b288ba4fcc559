// What every figure shares: the loop from state to drawing, the box that says what failed, and the
// hook for tests. Hosts (page.js, jupyter.js) call mount.
import { announcer } from "./announce.js";
import * as controls from "./controls.js";
import { h, setText } from "./dom.js";
import { buildFrame, frameParts } from "./frame.js";
import { handle } from "./handle.js";
import { heatmap } from "./heatmap.js";
import { histogram } from "./histogram.js";
import { mover } from "./motion.js";
import { plane } from "./plane.js";
import { plot } from "./plot.js";
import { readouts } from "./readouts.js";
import { clean } from "./schema.js";
import { sizes } from "./sizes.js";
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
    this.listeners = new Set();
    this.mover = mover(this);
  }

  start() {
    const began = performance.now();
    this.ui = makeUi(this);
    Object.assign(this, build(this));
    markPointers(this.root);
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
    this.source = source;
    if (this.visible && !this.scheduled) {
      this.scheduled = requestAnimationFrame(() => this.flush());
    }
  }

  /** Draws again what is already computed, as after a change of size. */
  redraw() {
    if (!this.ready || this.failed || this.mover.moving) return;
    if (!this.visible) this.dirty = true;
    else if (this.dirty) this.flush();
    else this.guard(() => this.drawEnd());
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
    this.result = this.resultOf(state);
    this.former = ghost && this.resultOf(ghost);
    const computed = performance.now();
    this.drawEnd();
    const ended = performance.now();
    this.note({ total: ended - began, compute: computed - began, draw: ended - computed });
    for (const listener of this.listeners) listener(this);
    if (this.ready) this.ui.announce(() => this.sentence(this.result.values));
    this.mover.start(this.source, this.shownState, state);
    Object.assign(this, { source: null, shownState: state });
  }

  /** Draws the state, with all numbers and words. */
  drawEnd() {
    const { state, ghost } = this.store;
    this.draw(this.result, state, this.former, ghost);
    for (const extra of this.extras) extra.update(this.result, state);
  }

  /** Draws a state between the former one and this one: the picture alone. */
  drawOnTheWay(state) {
    this.ui.moving = true;
    this.guard(() => this.draw(this.compute(state), state, this.former, this.store.ghost));
    this.ui.moving = false;
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
    if (this.mover.moving) this.drawEnd();
    this.mover.stop();
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

/** After a pointer no box shows where the focus is; the first key brings it back. */
function markPointers(root) {
  root.addEventListener("pointerdown", () => root.classList.add("attn-by-pointer"), true);
  root.addEventListener("keydown", () => root.classList.remove("attn-by-pointer"), true);
}

// A key marked "own" is set where the figure is made, and stays.
function changeable(schema) {
  return Object.fromEntries(Object.entries(schema).filter(([, field]) => !field.own));
}

/** What a figure's build function works with. */
function makeUi(live) {
  const { figure, store, id, host } = live;
  const { element: status, say: announce } = announcer();
  const ui = { id, host, store, announce, status, sizes: sizes(live), moving: false };
  ui.t = (path, values) => say(figure.words, path, values);
  // With a variant, the words at <path>_<variant>, if there are any.
  ui.template = (path, variant) => {
    const words = lookUp(figure.words, `${path}_${variant}`) ?? lookUp(figure.words, path);
    if (typeof words !== "string") throw new Error(`${figure.name} has no words at ${path} in en.json`);
    return words;
  };
  ui.fill = fill;
  ui.kit = sayKit;
  for (const [name, make] of Object.entries({ ...controls, handle, heatmap, histogram, plane, plot, readouts })) ui[name] = (...args) => make(ui, ...args);
  return ui;
}

/** Builds the figure's parts and the frame around them; returns the functions that draw and that update the rest. */
function build(live) {
  const { ui, figure, store } = live;
  const guideName = store.state.guide ?? Object.keys(figure.spec.guides)[0];
  ui.guide = figure.spec.guides[guideName];
  const slots = frameParts(ui);
  const draw = figure.build(ui);
  return { draw, extras: buildFrame(live, slots, guideName) };
}

/** The box that says what failed; it stands beside the static picture. */
export function errorBox(error) {
  return h("div", { class: "attn-error", role: "alert" }, sayKit("failed"), " ", h("code", {}, String(error?.message ?? error)));
}

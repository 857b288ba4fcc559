// OrderExplorer: the running sentence in another order, and which outputs change.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import * as math from "../../kit/attention_math.js";
import * as positions from "../../kit/positions.js";
import { K as W_K, Q as W_Q, V as W_V, tokens, width } from "../../kit/running_example.js";
import { h, s, setAttributes } from "../../kit/dom.js";
import { drag } from "../../kit/handle.js";
import { defineFigure } from "../../kit/define.js";

const N = tokens.length;
const PLACES = tokens.map((_, j) => j);
const D_V = 2;
const SLOPE = 0.5; // ALiBi's, of the first of eight heads
const CHANGED = 1e-9; // rounding alone stays far below it
// What arrives is written back into the tokens: a value gains about half the output.
const W_O = Float64Array.from({ length: D_V * N }, (_, at) => W_V[(at % N) * D_V + Math.floor(at / N)] / 20);
const CAUSAL = Uint8Array.from({ length: N * N }, (_, at) => (at % N <= Math.floor(at / N) ? 1 : 0));

// --- orders and their numbers, sorted as in a dictionary

/** Which token stands at each place in order number `code`. */
export function placesOf(code) {
  const left = [...PLACES];
  let group = 1;
  for (let k = 2; k < N; k++) group *= k; // orders that begin with the same token
  const places = [];
  for (let rest = code, k = N - 1; k >= 0; k--) {
    places.push(...left.splice(Math.floor(rest / group), 1));
    rest %= group;
    if (k) group /= k;
  }
  return places;
}

/** The number of an order: the inverse of placesOf. */
export function codeOf(places) {
  return places.reduce((code, token, at) => {
    const smaller = places.slice(at + 1).filter((other) => other < token).length;
    return code * (N - at) + smaller;
  }, 0);
}

/** The order in which a token stands at another place, and the rest closes up. */
function moved(places, token, to) {
  const rest = places.filter((other) => other !== token);
  return [...rest.slice(0, to), token, ...rest.slice(to)];
}

// --- what the layers compute

function layer(X, { causal, positions: kind }) {
  let [Q, K] = [W_Q, W_K].map((W) => math.mix(X, W, N, N, width));
  if (kind === "rotary") [Q, K] = [Q, K].map((part) => positions.rotary(part, N, width));
  const bias = kind === "alibi" ? positions.alibi(N, SLOPE) : new Float64Array(N * N);
  const scores = math.rawScores(Q, K, N, N, width).map((score, at) => score / Math.sqrt(width) + bias[at]);
  const weights = math.softmaxRows(scores, N, N, 1, causal ? CAUSAL : null);
  return math.mix(weights, math.mix(X, W_V, N, N, D_V), N, N, D_V);
}

const sum = (a, b) => a.map((entry, at) => entry + b[at]);

/** The outputs of the last layer, token by token in the sentence's own order. */
function run(state, places) {
  let X = new Float64Array(N * N);
  places.forEach((token, at) => { X[at * N + token] = 1; });
  if (state.positions === "sinusoidal") X = sum(X, positions.sinusoidal(N, N));
  let output = layer(X, state);
  if (state.layers === "two") output = layer(sum(X, math.mix(output, W_O, N, D_V, N)), state);
  const byToken = new Float64Array(N * D_V);
  places.forEach((token, at) => byToken.set(output.subarray(at * D_V, (at + 1) * D_V), token * D_V));
  return byToken;
}

function createCompute() {
  return (state) => {
    const places = placesOf(state.order);
    const [outputs, original] = [places, PLACES].map((order) => run(state, order));
    const change = Float64Array.from(PLACES, (j) => Math.hypot(outputs[2 * j] - original[2 * j], outputs[2 * j + 1] - original[2 * j + 1]));
    return { places, outputs, original, change, values: valuesOf(state, places, change) };
  };
}

function valuesOf(state, places, change) {
  const changed = PLACES.filter((j) => change[j] > CHANGED);
  return {
    ...state,
    ...Object.fromEntries(tokens.map((name, j) => [`change_${name.toLowerCase()}`, change[j]])),
    sentence: places.map((j) => tokens[j]).join(" "),
    n_changed: changed.length, n_kept: N - changed.length, largest_change: Math.max(...change),
    changed: changed.map((j) => tokens[j]).join(", "),
    summary: state.order === 0 ? "original" : changed.length ? "changed" : "same",
  };
}

// --- the picture

const LAYOUT = {
  wide: '"tokens" calc(98 * var(--u)) "outputs" 1fr / 1fr',
  narrow: '"tokens" calc(108 * var(--u)) "outputs" 1fr / 1fr',
};

function build(ui) {
  const row = tokenRow(ui);
  const outputs = outputsPanel(ui);
  const numbers = ui.readouts(["changed"]);
  const controls = ["causal", "positions", "layers"].map((key) => (key === "causal" ? ui.toggle(key) : ui.choice(key)));
  ui.picture(LAYOUT, { tokens: row, outputs });
  ui.rail(numbers, ...controls);
  return (now, state, former, formerState) => {
    row.draw(now);
    outputs.draw(now, former);
    numbers.update(now.values, former?.values);
    for (const control of controls) control.update(state, formerState);
  };
}

/** The words, each to be dragged or moved by the arrow keys, and between them buttons that swap two. */
function tokenRow(ui) {
  const { store } = ui;
  const places = () => placesOf(store.state.order);
  const put = (token, to) => store.set({ order: codeOf(moved(places(), token, to)) }, { gesture: "order" });
  const row = h("div", { class: "attn-order" });
  const words = tokens.map((name, token) => wordOf(ui, row, name, token, { places, put }));
  const swaps = PLACES.slice(1).map((right) => {
    const swap = () => put(places()[right], right - 1);
    return h("button", { class: "attn-button attn-order-swap", type: "button", onclick: swap }, "⇄");
  });
  swaps.forEach((button, k) => button.style.setProperty("--at", k + 1));
  row.append(...words.map((word) => word.element), ...swaps);
  const draw = ({ places: order }) => {
    order.forEach((token, at) => words[token].draw(at));
    if (ui.moving) return;
    swaps.forEach((button, k) => button.setAttribute("aria-label", ui.t("tokens.swap", { left: tokens[order[k]], right: tokens[order[k + 1]] })));
  };
  return { element: ui.panel(ui.t("tokens.title"), row), draw };
}

function wordOf(ui, row, name, token, { places, put }) {
  const element = h("div", { class: "attn-order-word", role: "slider", tabindex: 0, "aria-label": name, "aria-valuemin": 1, "aria-valuemax": N }, name);
  const follow = (event) => {
    const box = row.getBoundingClientRect();
    const at = Math.floor((N * (event.clientX - box.left)) / box.width);
    put(token, Math.min(Math.max(at, 0), N - 1));
  };
  drag(element, ui.store, "order", follow, { sideways: true });
  element.addEventListener("keydown", (event) => {
    const at = places().indexOf(token);
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: N - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    put(token, Math.min(Math.max(to, 0), N - 1));
  });
  const draw = (at) => {
    element.style.setProperty("--at", at);
    if (!ui.moving) setAttributes(element, { "aria-valuenow": at + 1, "aria-valuetext": ui.t("tokens.place", { place: at + 1 }) });
  };
  return { element, draw };
}

const TALLEST = 5.6; // of the bars
const REACH = { sinusoidal: 6, other: 2.8 }; // of the arrows: what is added to tokens makes values larger

/** Above, the outputs as arrows; below, how far each one is from where it was. */
function outputsPanel(ui) {
  const plot = ui.plot({ name: "outputs", x: { domain: [-0.5, N - 0.5], ticks: [] }, y: { domain: [0, TALLEST], ticks: [] }, margin: { left: 0, right: 0, bottom: 6 } });
  const [was, is] = ["attn-other", "attn-v"].map((name) => PLACES.map(() => arrow(plot, name)));
  const bars = plot.bars("attn-now");
  const caps = plot.caps("attn-ghost");
  const names = PLACES.map(() => plot.text("attn-change"));
  const hint = h("p", { class: "attn-hint attn-only-wide" }, ui.t("outputs.hint"));
  const draw = (now, former) => {
    plot.margin.top = plot.height > 220 ? 140 : 82;
    plot.fit();
    const reach = REACH[now.values.positions] ?? REACH.other;
    const sizes = now.places.map((token) => now.change[token]);
    bars.draw(sizes);
    if (former) caps.draw(former.places.map((token) => former.change[token]));
    else caps.hide();
    now.places.forEach((token, at) => {
      was[at].draw(at, now.original, token, reach);
      is[at].draw(at, now.outputs, token, reach);
      const text = ui.fill("{size:.2f}", { size: sizes[at] });
      names[at].draw(at, sizes[at], text, { anchor: "middle", dy: -6 });
    });
    plot.describe(now.values);
  };
  return { element: ui.panel(ui.t("outputs.title"), plot, hint), draw };
}

const HEAD = 7; // units of an arrow's head

/** An arrow in the band over the bars; it begins in the middle of its place. */
function arrow(plot, className) {
  const path = s("path", { class: `attn-arrow ${className}` });
  const dot = s("circle", { class: "attn-origin", r: 2.5 });
  plot.layers.append(path, dot);
  const draw = (at, outputs, token, reach) => {
    const band = plot.margin.top - 22;
    const unit = Math.min(plot.x(1) - plot.x(0), band) / (2 * reach);
    const [x0, y0] = [plot.x(at), band / 2];
    const [dx, dy] = [unit * outputs[2 * token], -unit * outputs[2 * token + 1]];
    setAttributes(dot, { cx: x0.toFixed(1), cy: y0.toFixed(1) });
    path.setAttribute("d", arrowPath(x0, y0, dx, dy));
  };
  return { draw };
}

function arrowPath(x0, y0, dx, dy) {
  const length = Math.hypot(dx, dy);
  if (length < 1) return "";
  const [ux, uy] = [dx / length, dy / length];
  const head = Math.min(HEAD, length);
  const place = (along, aside) => `${(x0 + along * ux - aside * uy).toFixed(1)} ${(y0 + along * uy + aside * ux).toFixed(1)}`;
  return `M${place(0, 0)}L${place(length, 0)}M${place(length - head, head / 2)}L${place(length, 0)}L${place(length - head, -head / 2)}`;
}

export default defineFigure({ name: "order_explorer", python: "OrderExplorer", spec, words, createCompute, build });

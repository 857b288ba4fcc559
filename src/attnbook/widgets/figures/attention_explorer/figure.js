// AttentionExplorer: the weights of n queries over n keys, and what scaling does to them.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import * as math from "../../kit/attention_math.js";
import { normals, STREAM } from "../../kit/random_stream.js";
import * as example from "../../kit/running_example.js";
import { h, setText } from "../../kit/dom.js";
import { defineFigure } from "../../kit/define.js";
import { plain } from "../../kit/numbers.js";

const { d_k: widths, temperature: temperatures } = spec.state;

/**
 * Products of queries and keys for every size and width of a draw. What was computed for a draw
 * serves all smaller sizes; the first picture of a draw computes no more columns than it shows.
 */
function productSource() {
  let kept = { seed: null };
  return (seed, n, d) => {
    if (kept.seed !== seed) kept = { seed, ...prefixSums(seed, n, stopFrom(d)) };
    else if (kept.n < n || kept.d < d) kept = { seed, ...prefixSums(seed, Math.max(n, kept.n), widths.max) };
    return kept.products.at(d, n);
  };
}

function prefixSums(seed, n, d) {
  const [Q, K] = [STREAM.queries, STREAM.keys].map((stream) => normals(seed, stream, n, d));
  return { n, d, products: new math.PrefixScores(Q, K, n, n, d, widths.stops) };
}

const stopFrom = (d) => widths.stops.find((stop) => stop >= d);

function createCompute() {
  const productsOf = productSource();
  let scores = null; // raw and scaled products: a move of the temperature leaves them alone
  let curve = null;
  return (state) => {
    const isExample = state.data === "example";
    const n = isExample ? example.tokens.length : state.n_keys;
    const d_k = isExample ? example.width : state.d_k;
    const row = state.row === null ? null : Math.min(state.row, n - 1);
    const place = [state.data, isExample || state.seed, n, d_k].join();
    if (scores?.place !== place) scores = { place, ...bothScores(isExample ? exampleProducts() : productsOf(state.seed, n, d_k), d_k) };
    const { products, scaled } = scores;
    const size = { n, d_k, row, isExample };
    const now = measure(state.scaling ? scaled : products, size, state.temperature);
    const other = measure(state.scaling ? products : scaled, size, state.temperature);
    const key = `${place},${row}`;
    if (curve?.key !== key) curve = { key, ...curveOf(scaled, size) };
    const pair = state.scaling ? { scaled: now, unscaled: other } : { scaled: other, unscaled: now };
    return {
      ...size, ...now, pair, products, scores: state.scaling ? scaled : products, curve,
      bars: row === null ? math.meanSorted(now.weights, n, n) : now.weights.subarray(row * n, (row + 1) * n),
      values: valuesOf(state, size, now, other),
    };
  };
}

function bothScores(products, d_k) {
  return { products, scaled: math.scaled(products, 1 / Math.sqrt(d_k)) };
}

function exampleProducts() {
  const n = example.tokens.length;
  return math.rawScores(example.Q, example.K, n, n, example.width);
}

/** Weights, and their three numbers: of one row, or the mean of all. */
function measure(scores, { n, row }, temperature) {
  const weights = math.softmaxRows(scores, n, n, temperature);
  const pick = (perRow) => (row === null ? math.mean(perRow) : perRow[row]);
  return {
    weights,
    entropy: pick(math.entropy(weights, n, n)),
    effective_keys: pick(math.effectiveKeys(weights, n, n)),
    largest_weight: pick(math.largestWeight(weights, n, n)),
  };
}

/**
 * Entropy against temperature for the scaled scores, down to the temperature that the unscaled scores
 * amount to: leaving the scale out is the same curve, moved by sqrt(d_k).
 */
function curveOf(scaled, { n, d_k, row }) {
  const scores = row === null ? scaled : scaled.subarray(row * n, (row + 1) * n);
  const coldest = temperatures.min / Math.sqrt(d_k);
  const { temperature, entropy } = math.entropyCurve(scores, row === null ? n : 1, n, coldest, temperatures.max);
  return { scaled: temperature, unscaled: temperature.map((t) => t * Math.sqrt(d_k)), entropy };
}

function valuesOf(state, { n, d_k, row, isExample }, now, other) {
  const shown = row === null ? now.weights : now.weights.subarray(row * n, (row + 1) * n);
  const topKey = shown.indexOf(Math.max(...shown)) % n;
  return {
    ...state, d_k, n_keys: n, row,
    entropy: now.entropy, effective_keys: now.effective_keys, largest_weight: now.largest_weight,
    other_entropy: other.entropy, other_effective_keys: other.effective_keys, other_largest_weight: other.largest_weight,
    other_name: words.other[state.scaling ? "scaled" : "unscaled"],
    max_entropy: Math.log(n), uniform_weight: 1 / n, entropy_share: now.entropy / Math.log(n),
    root_d_k: Math.sqrt(d_k),
    divisor: state.temperature * (state.scaling ? Math.sqrt(d_k) : 1),
    scaled_effective_keys: state.scaling ? now.effective_keys : other.effective_keys,
    unscaled_effective_keys: state.scaling ? other.effective_keys : now.effective_keys,
    scaling_gap: Math.abs(now.entropy - other.entropy),
    top_key: topKey,
    top_token: isExample ? example.tokens[topKey] : String(topKey),
    row_token: row === null ? "" : isExample ? example.tokens[row] : String(row),
    summary: summaryName(state, row, isExample),
  };
}

function summaryName(state, row, isExample) {
  const kind = isExample ? "example" : state.scaling ? "scaled" : "unscaled";
  return row === null ? kind : `${kind}_row`;
}

const KINDS = ["unscaled", "scaled"];
const kindOf = (state) => (state.scaling ? "scaled" : "unscaled");
const row = (areas) => `"${areas}" 1fr / ${"1fr ".repeat(areas.split(" ").length)}`;
const same = (areas) => ({ wide: row(areas), narrow: row(areas) });
const LAYOUTS = {
  maps: same("unscaled scaled"),
  curve: { wide: row("bars curve"), narrow: row("curve") },
  sentence: { wide: row("scaled bars"), narrow: row("scaled") },
  sentence_off: { wide: row("unscaled bars"), narrow: row("unscaled") },
};

function layoutOf(state) {
  if (state.view === "curve") return LAYOUTS.curve;
  if (state.guide === "scaling") return LAYOUTS.maps;
  return state.scaling ? LAYOUTS.sentence : LAYOUTS.sentence_off;
}

function build(ui) {
  const { store } = ui;
  let result = null;
  const maps = Object.fromEntries(KINDS.map((kind) => [kind, mapPanel(ui, kind, () => result)]));
  const bars = barsPanel(ui);
  const curve = curvePanel(ui);
  const numbers = ui.readouts(["effective_keys", "entropy", "largest_weight"]);
  const controls = makeControls(ui);
  const picture = ui.picture(layoutOf(store.state), { ...maps, bars, curve });
  ui.rail(...controls.rail);
  ui.more(...controls.more, numbers);
  const draw = (now, state, former) => {
    result = now;
    picture.arrange(layoutOf(state));
    if (state.view === "maps") for (const kind of KINDS) maps[kind].draw(now, state);
    else curve.draw(now, state, former);
    if (state.view === "curve" || state.guide === "sentence") bars.draw(now, state, former);
    numbers.update(now.values, former?.values);
    controls.update(now, state, store.ghost);
  };
  draw.cellAt = (i, j) => maps[kindOf(store.state)].cellAt(i, j);
  return draw;
}

/** The weights of one kind, under the number of keys that they use; a badge marks the kind in use. */
function mapPanel(ui, kind, current) {
  const { store } = ui;
  const map = ui.heatmap({
    name: "map", describe: (cell) => describeCell(ui, current(), kind, cell),
    onPick: (i) => store.set({ row: store.state.row === i ? null : i }),
  });
  const big = h("span", { class: "attn-big" });
  const of = h("span", { class: "attn-label" });
  const panel = ui.panel(ui.t(`map.title_${kind}`), h("div", { class: "attn-headline" }, big, of), map);
  panel.querySelector("h3").append(h("span", { class: "attn-badge" }, ui.t("map.used")));
  const draw = (now, state) => {
    drawMap(map, now, now.pair[kind].weights, state);
    if (ui.moving) return;
    setText(big, ui.t("map.number", { keys: now.pair[kind].effective_keys }));
    setText(of, ui.t(now.isExample ? "map.of_words" : "map.of", now.values));
    panel.classList.toggle("attn-used", kind === kindOf(state) && state.guide === "scaling");
  };
  return { element: panel, cellAt: map.cellAt, draw };
}

function drawMap(map, { n, row: picked, isExample }, weights, state) {
  const labels = isExample ? example.tokens : null;
  map.draw({
    nRows: n, nCols: n, values: weights, low: 0, high: 1, scale: "sqrt", perRow: state.color_scale === "row_max",
    rowLabels: labels, colLabels: labels, picked,
  });
}

/** Lines for a cell: what it is, its score, its term, its code. */
function describeCell(ui, result, kind, cell) {
  const about = cellValues(result, kind, cell);
  const code = ui.t(`map.code_${kind}${about.temperature === 1 ? "" : "_temperature"}`, about);
  return [
    ui.t(result.isExample ? "map.cell_tokens" : "map.cell", about),
    ui.t(`map.score_${kind}`, about), ui.t("map.term", about),
    `\`${code}${ui.t("map.cell_index", about)}\``,
  ];
}

function cellValues({ n, pair, products, isExample, values }, kind, [i, j]) {
  const at = i * n + j;
  const name = (k) => (isExample ? example.tokens[k] : k);
  const score = kind === "scaled" ? products[at] / values.root_d_k : products[at];
  return { ...values, i, j, weight: pair[kind].weights[at], score, product: products[at], query: name(i), key: name(j) };
}

function barsPanel(ui) {
  const plot = ui.plot({ name: "bars", x: { domain: [-0.5, 15.5], format: "d" }, y: { domain: [0, 1], count: 3 } });
  const layers = { scaled: plot.bars("attn-now"), unscaled: plot.bars("attn-other") };
  const ghost = plot.caps("attn-ghost");
  const panel = ui.panel("", plot);
  const title = panel.querySelector("h3");
  const draw = (result, state, former) => {
    const values = result.bars;
    const top = state.color_scale === "row_max" ? Math.max(...values) : 1;
    setFrame(ui, plot, result, top);
    plot.fit();
    layers[kindOf(state)].draw(values);
    layers[state.scaling ? "unscaled" : "scaled"].hide();
    if (former && former.n === result.n && former.row === result.row) ghost.draw(former.bars);
    else ghost.hide();
    plot.describe(result.values);
    const name = result.row === null ? "mean" : result.isExample ? "token" : "row";
    if (!ui.moving) setText(title, ui.t(`bars.title_${name}`, result.values));
  };
  return { element: panel, draw };
}

// Domains and ticks change with n, with the sentence, and with the scale of weights.
function setFrame(ui, plot, { n, row, isExample }, top) {
  const key = `${n} ${isExample} ${row === null} ${top}`;
  if (plot.frameKey === key) return;
  plot.frameKey = key;
  plot.setDomain("x", [-0.5, n - 0.5]);
  const { ticks, labels } = barNames(n, row, isExample);
  Object.assign(plot.spec.x, { ticks, labels });
  plot.spec.x.title = ui.t(row === null ? "bars.x_mean" : "bars.x");
  plot.setDomain("y", [0, top]);
}

/** Which bars are named, and how: words, numbers of keys from 0, or ranks from 1. */
function barNames(n, row, isExample) {
  const every = n <= 8 ? 1 : n <= 16 ? 5 : 10;
  const places = Array.from({ length: n }, (_, k) => k);
  if (row !== null) return { ticks: places.filter((k) => k % every === 0), labels: isExample ? example.tokens : undefined };
  return { ticks: places.filter((k) => k === 0 || (k + 1) % every === 0), labels: places.map((k) => String(k + 1)) };
}

function curvePanel(ui) {
  const { min, max } = temperatures;
  const plot = ui.plot({
    name: "curve",
    x: { domain: [min, max], scale: "log", count: 9 }, y: { domain: [0, Math.log(16)], count: 4 },
  });
  const limit = plot.rule("attn-limit");
  const limitText = plot.text("attn-muted");
  const ghostPoint = plot.point("attn-ghost");
  // A colour belongs to a meaning: the scaled curve is blue and whole, the other one dashed, whichever is in use.
  const curves = { unscaled: plot.curve("attn-other"), scaled: plot.curve("attn-now") };
  const names = { unscaled: plot.text("attn-other"), scaled: plot.text("attn-now") };
  const otherPoint = plot.point("attn-ring");
  const point = ui.handle(plot, { name: "curve", x: "temperature" });
  const draw = (result, state, former) => {
    const { curve, values } = result;
    const top = values.max_entropy * 1.12;
    if (plot.spec.y.domain[1] !== top) plot.setDomain("y", [0, top]);
    plot.fit();
    limit.draw({ y: values.max_entropy });
    limitText.draw(min, values.max_entropy, ui.t("curve.limit"), { dx: 4, dy: -4 });
    for (const kind of KINDS) {
      curves[kind].draw(curve[kind], curve.entropy);
      nameCurve(names[kind], ui.t(`curve.${kind}`), curve[kind], curve.entropy, LABEL[kind], values.max_entropy);
    }
    otherPoint.draw(values.temperature, values.other_entropy);
    otherPoint.element.classList.toggle("attn-other", state.scaling);
    point.element.classList.toggle("attn-other", !state.scaling);
    if (former && former.n === result.n) ghostPoint.draw(former.values.temperature, former.values.entropy);
    else ghostPoint.hide();
    point.draw(values.temperature, values.entropy, ui.t("curve.handle_text", values));
    plot.describe(values);
  };
  return { element: ui.panel(ui.t("curve.title"), plot), draw };
}

// The scaled curve lies to the left of the unscaled one: each name goes to its outer side, or, where
// there is no room, to the other side.
const LABEL = { scaled: { share: 0.66, anchor: "end" }, unscaled: { share: 0.34, anchor: "start" } };
const ROOM = 5; // a name takes about this factor of the temperature axis

function nameCurve(text, name, xs, ys, { share, anchor }, top) {
  const [x, y] = placeAt(xs, ys, share * top);
  const { min, max } = temperatures;
  const left = anchor === "end" ? x > min * ROOM : x > max / ROOM;
  text.draw(x, y, name, left ? { anchor: "end", dx: -8 } : { anchor: "start", dx: 8, dy: anchor === "end" ? 14 : 4 });
}

/** Where a curve comes closest to a height, within the axis. */
function placeAt(xs, ys, height) {
  let best = -1;
  for (let k = 0; k < xs.length; k++) {
    const inside = xs[k] >= temperatures.min && xs[k] <= temperatures.max;
    if (inside && (best < 0 || Math.abs(ys[k] - height) < Math.abs(ys[best] - height))) best = k;
  }
  return [xs[best], ys[best]];
}

// Which controls there are is the guide's choice: the sentence needs fewer.
const RAIL = { scaling: ["d_k", "scaling", "temperature"], sentence: ["temperature", "scaling"] };

function makeControls(ui) {
  const make = {
    temperature: () => ui.slider("temperature", { format: plain }), scaling: () => ui.toggle("scaling"),
    data: () => ui.choice("data"), color_scale: () => ui.choice("color_scale"), view: () => ui.choice("view"), seed: () => ui.stepper("seed"),
  };
  const rail = RAIL[ui.store.state.guide];
  const controls = Object.fromEntries(ui.guide.controls.map((key) => [key, make[key]?.() ?? ui.slider(key)]));
  const update = ({ n, d_k, isExample }, state, ghost) => {
    const shown = isExample ? { ...state, d_k, n_keys: n } : state;
    for (const [key, control] of Object.entries(controls)) control.update(shown, ghost, isExample && RANDOM_ONLY.has(key));
  };
  const more = Object.keys(controls).filter((key) => !rail.includes(key));
  return { rail: rail.map((key) => controls[key]), more: more.map((key) => controls[key]), update };
}

const RANDOM_ONLY = new Set(["d_k", "n_keys", "seed"]);

export default defineFigure({ name: "attention_explorer", python: "AttentionExplorer", spec, words, createCompute, build });

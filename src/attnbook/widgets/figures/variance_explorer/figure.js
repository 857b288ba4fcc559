// VarianceExplorer: how far apart dot products of random vectors lie, and what dividing does to it.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import { variance } from "../../kit/attention_math.js";
import { normals, STREAM, uniforms } from "../../kit/random_stream.js";
import { defineFigure } from "../../kit/define.js";
import { binsFor, densityOf, normalCurve, roundUp } from "../../kit/histogram.js";

const { d_k: widths } = spec.state;
const KEYS_A_QUERY = 4; // each query meets four keys: a quarter of the vectors makes all the pairs
const RARE = 1 / 18;
const NORMAL_BEYOND = 0.04550026389635841; // the share of a normal distribution beyond two deviations
const LIMIT = { before: 100, after: 4 }; // the ends of the two axes, which never move
const BIN = { before: 4, after: 0.2 };

const from = (entry) => (...place) => uniforms(...place).map(entry);

// Mean 0 and variance 1, all four; `step` is the distance of the values that a product can have.
const ENTRIES = {
  normal: { draw: normals, step: 0 },
  coin: { draw: from((u) => (u < 0.5 ? -1 : 1)), step: 2 },
  uniform: { draw: from((u) => Math.sqrt(3) * (2 * u - 1)), step: 0 },
  sparse: { draw: from((u) => (u < RARE ? -3 : u > 1 - RARE ? 3 : 0)), step: 9 },
};

const DIVISOR = { sqrt_d_k: Math.sqrt, d_k: (d) => d, nothing: () => 1 };

const stopFrom = (d) => widths.stops.find((stop) => stop >= d);

/**
 * Products of the pairs over the first d columns. The first picture of a draw computes no more columns
 * than it shows; the next one computes all, and then each width is a look-up.
 */
function productSource() {
  let kept = { place: null };
  return ({ seed, entries, n_pairs: n, d_k: d }) => {
    const place = [seed, entries, n].join();
    if (kept.place !== place) kept = { place, ...prefixSums(seed, entries, n, stopFrom(d)) };
    else if (kept.columns < d) kept = { place, ...prefixSums(seed, entries, n, widths.max) };
    return productsAt(kept, d);
  };
}

function prefixSums(seed, entries, n, columns) {
  const rows = Math.ceil(n / KEYS_A_QUERY);
  const [Q, K] = [STREAM.queries, STREAM.keys].map((stream) => ENTRIES[entries].draw(seed, stream, rows, columns));
  const stops = widths.stops.filter((stop) => stop <= columns);
  const sums = stops.map(() => new Float64Array(n));
  const made = { Q, K, rows, columns, stops, sums };
  for (let pair = 0; pair < n; pair++) {
    let sum = 0;
    stops.forEach((stop, k) => {
      sum += partOf(made, pair, k ? stops[k - 1] : 0, stop);
      sums[k][pair] = sum;
    });
  }
  return made;
}

/** Pair p is query p mod rows with a key that moves on by one with each round. */
function partOf({ Q, K, rows, columns }, pair, start, end) {
  const i = pair % rows;
  const j = (i + Math.floor(pair / rows)) % rows;
  let sum = 0;
  for (let c = start, q = i * columns + start, k = j * columns + start; c < end; c++) sum += Q[q++] * K[k++];
  return sum;
}

function productsAt(kept, d) {
  const { stops, sums } = kept;
  const k = stops.findLastIndex((stop) => stop <= d);
  if (stops[k] === d) return sums[k];
  return sums[k].map((sum, pair) => sum + partOf(kept, pair, stops[k], d));
}

function createCompute() {
  const productsOf = productSource();
  return (state) => {
    const products = productsOf(state);
    const divisor = DIVISOR[state.divide_by](state.d_k);
    const divided = products.map((product) => product / divisor);
    return {
      products, divided,
      before: counted(products, "before", state, 1),
      after: counted(divided, "after", state, divisor),
      values: valuesOf(state, products, divided, divisor),
    };
  };
}

/** Bins, heights and the normal density of the products, divided by `divisor`. */
function counted(values, name, { entries, d_k }, divisor) {
  const deviation = Math.sqrt(d_k) / divisor;
  const step = ENTRIES[entries].step / divisor;
  const between = entries === "coin" && d_k % 2 === 1; // an odd number of coins never adds up to 0
  const width = Math.min(BIN[name], deviation / 2); // a needle is no single bar
  const lattice = step > width; // bars stand apart
  const bins = binsFor(LIMIT[name], width, { step, between });
  bins.bar = Math.min(bins.width, BIN[name]);
  const density = densityOf(values, bins);
  return { bins, lattice, density, curve: normalCurve(deviation, LIMIT[name]), tallest: Math.max(...density, normalPeak(deviation)) };
}

const normalPeak = (deviation) => 1 / (deviation * Math.sqrt(2 * Math.PI));

function share(values, limit) {
  let count = 0;
  for (const value of values) if (Math.abs(value) > limit) count += 1;
  return count / values.length;
}

function valuesOf(state, products, divided, divisor) {
  const root = Math.sqrt(state.d_k);
  const deviation = Math.sqrt(variance(products));
  return {
    ...state,
    raw_deviation: deviation, raw_theory: root, raw_ratio: deviation / root,
    deviation: deviation / divisor, theory: root / divisor,
    beyond: share(products, 2 * root), normal_beyond: NORMAL_BEYOND,
    outside: share(divided, LIMIT.after),
    n_values: new Set(products).size,
    summary: state.divide_by,
  };
}

function build(ui) {
  const before = histogramPanel(ui, "before");
  const after = histogramPanel(ui, "after");
  const growth = growthPanel(ui);
  const numbers = ui.readouts(["raw_deviation", "deviation", "beyond"]);
  const controls = {
    d_k: ui.slider("d_k"), n_pairs: ui.slider("n_pairs"), divide_by: ui.choice("divide_by"), entries: ui.choice("entries"), seed: ui.stepper("seed"),
  };
  ui.add(
    ui.area("main", before, after), ui.area("full", numbers), ui.area("full", ui.controls(...Object.values(controls))),
    ui.area("side", growth));
  return (result, state, former, formerState) => {
    for (const part of [before, after, growth]) part.draw(result, former);
    numbers.update(result.values, former?.values);
    for (const control of Object.values(controls)) control.update(state, formerState);
  };
}

// Room for the ghost too, unless that would squeeze what is shown; the lower axis stays where it can.
function topOf(name, tallest, former) {
  const highest = Math.max(tallest, Math.min(former, 5 * tallest));
  return name === "after" ? Math.max(roundUp(highest), 0.5) : roundUp(1.1 * highest);
}

const SOME = 0.005; // below, "0%" would lie beyond the axis

function histogramPanel(ui, name) {
  const limit = LIMIT[name];
  const plot = ui.plot({ name, height: 168, x: { domain: [-limit, limit] }, y: { domain: [0, 0.5], count: 2 } });
  const now = ui.histogram(plot, "attn-now");
  const ghost = ui.histogram(plot, "attn-ghost");
  const normal = plot.curve("attn-other");
  const [legend, away] = [plot.text("attn-other"), plot.text("attn-muted")];
  const draw = (result, former) => {
    const { bins, lattice, density, curve } = result[name];
    const top = topOf(name, result[name].tallest, former?.[name].tallest ?? 0);
    if (plot.spec.y.domain[1] !== top) plot.setDomain("y", [0, top]);
    const title = name === "after" ? `x_${result.values.divide_by}` : "x";
    if (plot.titled !== title) plot.setTitle("x", ui.t(`${name}.${plot.titled = title}`));
    if (plot.lattice !== lattice) plot.setTitle("y", ui.t(`${name}.y${(plot.lattice = lattice) ? "_lattice" : ""}`));
    plot.fit();
    now.draw(bins, density);
    normal.draw(curve.x, curve.y);
    if (former) ghost.draw(former[name].bins, former[name].density);
    else ghost.hide();
    legend.draw(limit, top, ui.t(`${name}.normal`), { anchor: "end", dy: 12 });
    if (name === "after" && result.values.outside >= SOME) away.draw(limit, top, ui.t("after.away", result.values), { anchor: "end", dy: 28 });
    else away.hide();
    plot.describe(result.values);
  };
  return { element: ui.panel(ui.t(`${name}.title`), plot.element), draw };
}

const HEIGHTS = [1 / 40, 40];
const inHeights = (deviation) => Math.min(Math.max(deviation, HEIGHTS[0]), HEIGHTS[1]); // rare entries may all be 0
const NAMED = 32; // the width at which the two lines bear their names

/** Deviation against width: theory as lines, the shown draw as points. */
function growthPanel(ui) {
  const domain = [1, widths.max];
  const plot = ui.plot({
    name: "growth", height: 356,
    x: { domain, scale: "log", ticks: [1, 4, 16, 64, 256, 1024], format: "d" },
    y: { domain: HEIGHTS, scale: "log", ticks: [0.03, 0.1, 0.3, 1, 3, 10, 30] },
  });
  const raw = plot.curve("attn-other");
  const now = plot.curve("attn-now");
  const [rawText, nowText] = [plot.text("attn-other"), plot.text("attn-now")];
  const ghost = plot.point("attn-ghost");
  const rawPoint = plot.point("attn-other");
  const handle = ui.handle(plot, { name: "growth", x: "d_k" });
  const draw = ({ values }, former) => {
    plot.fit();
    const theory = (d) => Math.sqrt(d) / DIVISOR[values.divide_by](d);
    raw.draw(widths.stops, widths.stops.map(Math.sqrt));
    now.draw(widths.stops, widths.stops.map(theory));
    const one = values.divide_by === "nothing"; // the two lines are one
    if (one) rawText.hide();
    else rawText.draw(NAMED, Math.sqrt(NAMED), ui.t("growth.nothing"), { anchor: "end", dx: -6, dy: -6 });
    nowText.draw(NAMED, theory(NAMED), ui.t(`growth.${values.divide_by}`), { anchor: "end", dx: -6, dy: one ? -6 : 18 });
    if (former) ghost.draw(former.values.d_k, inHeights(former.values.deviation));
    else ghost.hide();
    rawPoint.draw(values.d_k, inHeights(values.raw_deviation));
    handle.draw(values.d_k, inHeights(values.deviation), ui.t("growth.handle_text", values));
    plot.describe(values);
  };
  return { element: ui.panel(ui.t("growth.title"), plot.element), draw };
}

export default defineFigure({ name: "variance_explorer", python: "VarianceExplorer", spec, words, createCompute, build });

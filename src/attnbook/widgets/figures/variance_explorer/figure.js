// VarianceExplorer: how far apart dot products of random vectors lie, and what dividing does to it.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import { variance } from "../../kit/attention_math.js";
import { normals, STREAM, uniforms } from "../../kit/random_stream.js";
import { h, s, setAttributes, setSvgRich } from "../../kit/dom.js";
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

const LAYOUT = {
  wide: '"growth before" 1fr "growth closer" calc(36 * var(--u)) "growth after" 1fr / 11fr 10fr',
  narrow: '"growth before" 1fr "growth closer" calc(22 * var(--u)) "growth after" 1fr / 1fr 1fr',
};

function build(ui) {
  const growth = growthPanel(ui);
  const before = histogramPanel(ui, "before");
  const closer = closerStrip(ui, before.plot);
  const after = histogramPanel(ui, "after");
  const numbers = [ui.readouts(["raw_deviation", "deviation"]), ui.readouts(["beyond"])];
  const controls = {
    d_k: ui.slider("d_k"), divide_by: ui.choice("divide_by"), entries: ui.choice("entries"), n_pairs: ui.slider("n_pairs"), seed: ui.stepper("seed"),
  };
  ui.picture(LAYOUT, { growth, before, closer, after });
  ui.rail(numbers[0], controls.d_k, controls.divide_by);
  ui.more(controls.entries, controls.n_pairs, controls.seed, numbers[1]);
  return (result, state, former, formerState) => {
    for (const part of [growth, before, closer, after]) part.draw(result, former);
    for (const part of numbers) part.update(result.values, former?.values);
    for (const control of Object.values(controls)) control.update(state, formerState);
  };
}

// Room for the ghost too, unless that would squeeze what is shown; the lower axis stays where it can.
function topOf(name, tallest, former) {
  const highest = Math.max(tallest, Math.min(former, 5 * tallest));
  return name === "after" ? Math.max(roundUp(highest), 0.5) : roundUp(1.1 * highest);
}

const SOME = 0.005; // below, "0%" would lie beyond the axis
const NAMES_FROM = 220; // units of width: below, the words would lie on the bars

function histogramPanel(ui, name) {
  const limit = LIMIT[name];
  const plot = ui.plot({ name, x: { domain: [-limit, limit], count: 5 }, y: { domain: [0, 0.5], count: 2 } });
  const window = name === "before" ? plot.span("attn-now") : null; // what the lower axis shows
  const now = ui.histogram(plot, "attn-now");
  const ghost = ui.histogram(plot, "attn-ghost");
  const normal = plot.curve("attn-other");
  const [legend, away, what] = [plot.text("attn-other"), plot.text("attn-muted"), plot.text("attn-now")];
  const draw = (result, former) => {
    const { bins, density, curve } = result[name];
    const top = topOf(name, result[name].tallest, former?.[name].tallest ?? 0);
    if (plot.spec.y.domain[1] !== top) plot.setDomain("y", [0, top]);
    plot.fit();
    window?.draw(-LIMIT.after, LIMIT.after);
    now.draw(bins, density);
    normal.draw(curve.x, curve.y);
    if (former) ghost.draw(former[name].bins, former[name].density);
    else ghost.hide();
    if (plot.width > NAMES_FROM) legend.draw(limit, top, ui.t(`${name}.normal`), { anchor: "end", dy: 12 });
    else legend.hide();
    if (name === "after" && result.values.outside >= SOME) away.draw(limit, top, ui.t("after.away", result.values), { anchor: "end", dy: 29 });
    else away.hide();
    if (name === "after") what.draw(-limit, top, ui.t(`after.${result.values.divide_by}`), { dx: 4, dy: 12 });
    plot.describe(result.values);
  };
  const panel = name === "before" ? ui.panel(ui.t("before.title"), plot) : ui.panel("", plot);
  panel.classList.toggle("attn-bare", name === "after");
  return { element: panel, plot, draw };
}

/** Between the two histograms: the lower axis is the middle of the upper one, seen from nearer. */
function closerStrip(ui, plot) {
  const lines = s("path", { class: "attn-fan" });
  const text = s("text", { class: "attn-plot-text attn-now", "text-anchor": "middle" });
  const svg = s("svg", { class: "attn-plot-svg", "aria-hidden": "true" }, lines, text);
  const element = h("div", { class: "attn-plot" }, svg);
  const size = { width: 0, height: 0 };
  ui.sizes.watch(element, (width, height) => Object.assign(size, { width, height }));
  const draw = () => {
    const { width, height } = size;
    const [left, low, high, right] = [-LIMIT.before, -LIMIT.after, LIMIT.after, LIMIT.before].map((value) => Math.round(plot.x(value)));
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    lines.setAttribute("d", `M${low} 0L${left} ${height}M${high} 0L${right} ${height}`);
    setAttributes(text, { x: (low + high) / 2, y: height - 6 });
    setSvgRich(text, ui.t("closer.text", { times: LIMIT.before / LIMIT.after }));
  };
  return { element, draw };
}

const HIGHEST = 40;
const LOWEST = { sqrt_d_k: 0.7, nothing: 0.7, d_k: 1 / HIGHEST };
const NAMED = 32; // the width at which the two lines bear their names

/** Deviation against width: theory as lines, the shown draw as points. */
function growthPanel(ui) {
  const plot = ui.plot({
    name: "growth",
    x: { domain: [1, widths.max], scale: "log", ticks: [1, 4, 16, 64, 256, 1024], format: "d" },
    y: { domain: [LOWEST.sqrt_d_k, HIGHEST], scale: "log", ticks: [1, 2, 5, 10, 20] },
  });
  const raw = plot.curve("attn-other");
  const now = plot.curve("attn-now");
  const [rawText, nowText] = [plot.text("attn-other"), plot.text("attn-now")];
  const ghost = plot.point("attn-ghost");
  const rawPoint = plot.point("attn-other");
  const handle = ui.handle(plot, { name: "growth", x: "d_k" });
  const inside = (deviation) => Math.min(Math.max(deviation, plot.spec.y.domain[0]), HIGHEST); // rare entries may all be 0
  const draw = ({ values }, former) => {
    const low = LOWEST[values.divide_by];
    if (plot.spec.y.domain[0] !== low) {
      plot.spec.y.ticks = low < 0.1 ? [0.03, 0.1, 0.3, 1, 3, 10, 30] : [1, 2, 5, 10, 20];
      plot.setDomain("y", [low, HIGHEST]);
    }
    plot.fit();
    const theory = (d) => Math.sqrt(d) / DIVISOR[values.divide_by](d);
    raw.draw(widths.stops, widths.stops.map(Math.sqrt));
    now.draw(widths.stops, widths.stops.map(theory));
    const one = values.divide_by === "nothing"; // the two lines are one
    if (one) rawText.hide();
    else rawText.draw(NAMED, Math.sqrt(NAMED), ui.t("growth.nothing"), { anchor: "end", dx: -6, dy: -6 });
    nowText.draw(NAMED, theory(NAMED), ui.t(`growth.${values.divide_by}`), { anchor: "end", dx: -6, dy: one ? -6 : 20 });
    if (former) ghost.draw(former.values.d_k, inside(former.values.deviation));
    else ghost.hide();
    rawPoint.draw(values.d_k, inside(values.raw_deviation));
    handle.draw(values.d_k, inside(values.deviation), ui.t("growth.handle_text", values));
    plot.describe(values);
  };
  return { element: ui.panel(ui.t("growth.title"), plot), draw };
}

export default defineFigure({ name: "variance_explorer", python: "VarianceExplorer", spec, words, createCompute, build });

// GradientExplorer: how long the query's gradient is in many rows, and how many keys it hears.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import { normals } from "../../kit/random_stream.js";
import { defineFigure } from "../../kit/define.js";
import { densityOf, roundUp } from "../../kit/histogram.js";

const ROWS = 200;
const SHORT = 1e-6; // shorter gradients share the first bin
const BINS = { low: -6.25, width: 0.25, count: 31, bar: 0.25, per: 1 }; // of log10(length)
const FIRST = BINS.low + BINS.width / 2;
const END = BINS.low + BINS.width * BINS.count;
const SIDES = ["raw", "scaled"];

/** Streams: the query, the keys' shadows on it, what each value is worth, the keys' parts across it. */
const STREAMS = { query: 0, shadow: 1, worth: 2, rest: 3 };
const LIMIT = { query: spec.state.d_k.max, shadow: spec.state.n_keys.max, worth: spec.state.n_keys.max, rest: spec.state.d_k.max };

/**
 * The numbers of a draw. Its first picture draws no more columns than it shows, the next one that needs more draws
 * all: then each state is a part of what is there.
 */
function numbersOfDraw() {
  const kept = {};
  const array = (name, seed, columns) => {
    const there = kept[name];
    if (there?.seed !== seed) kept[name] = drawn(name, seed, columns);
    else if (there.columns < columns) kept[name] = drawn(name, seed, LIMIT[name]);
    return kept[name];
  };
  return ({ seed, n_keys: n, d_k: d }) => ({
    n,
    shadow: array("shadow", seed, n), worth: array("worth", seed, n),
    along: squaredLengths(array("query", seed, d), d),
    across: squaredLengths(array("rest", seed, Math.max(d - 1, 1)), d - 1),
  });
}

const drawn = (name, seed, columns) => ({ seed, columns, values: normals(seed, STREAMS[name], ROWS, columns) });

/** The squared length of each row's first `count` entries. */
function squaredLengths({ values, columns }, count) {
  const out = new Float64Array(ROWS);
  for (let row = 0; row < ROWS; row++) {
    let sum = 0;
    for (let at = row * columns, end = at + count; at < end; at++) sum += values[at] * values[at];
    out[row] = sum;
  }
  return out;
}

/** Lengths of dq for each unit of dO and keys heard, row by row; the twin of query_gradients in figure.py. */
function queryGradients(numbers, scale) {
  const made = { lengths: new Float64Array(ROWS), heard: new Float64Array(ROWS) };
  const weights = new Float64Array(numbers.n);
  for (let row = 0; row < ROWS; row++) {
    const [length, heard] = gradientOf(numbers, row, scale, weights);
    made.lengths[row] = length;
    made.heard[row] = heard;
  }
  return made;
}

// All is held against the best key: then dS of a winner that leads by far keeps its digits.
function gradientOf({ n, shadow, worth, along, across }, row, scale, weights) {
  const [x, g] = [row * shadow.columns, row * worth.columns];
  const best = indexOfLargest(shadow.values, x, n);
  const [top, its] = [shadow.values[x + best], worth.values[g + best]];
  const sharpness = scale * Math.sqrt(along[row]);
  let [total, mean] = [0, 0];
  for (let j = 0; j < n; j++) {
    const weight = Math.exp(sharpness * (shadow.values[x + j] - top));
    weights[j] = weight;
    total += weight;
    mean += weight * (worth.values[g + j] - its);
  }
  mean /= total;
  let [forward, squares, sizes] = [0, 0, 0];
  for (let j = 0; j < n; j++) {
    const dS = (weights[j] / total) * (worth.values[g + j] - its - mean);
    forward += dS * (shadow.values[x + j] - top);
    squares += dS * dS;
    sizes += Math.abs(dS);
  }
  return [scale * Math.sqrt(forward * forward + squares * across[row]), (sizes * sizes) / squares];
}

function indexOfLargest(values, from, count) {
  let best = 0;
  for (let j = 1; j < count; j++) if (values[from + j] > values[from + best]) best = j;
  return best;
}

function createCompute() {
  const numbersOf = numbersOfDraw();
  return (state) => {
    const numbers = numbersOf(state);
    const sides = { raw: queryGradients(numbers, 1), scaled: queryGradients(numbers, 1 / Math.sqrt(state.d_k)) };
    const [raw_digits, scaled_digits] = SIDES.map((name) => sides[name].lengths.map(Math.log10));
    return {
      raw_digits, scaled_digits,
      raw: heightsOf(raw_digits), scaled: heightsOf(scaled_digits),
      values: valuesOf(state, sides),
    };
  };
}

const heightsOf = (digits) => densityOf(digits.map((digit) => Math.max(digit, BINS.low)), BINS);

function valuesOf(state, sides) {
  const values = { ...state };
  for (const name of SIDES) {
    const { lengths, heard } = sides[name];
    values[`${name}_median`] = medianOf(lengths);
    values[`${name}_mean`] = sumOf(lengths) / ROWS;
    values[`${name}_heard`] = medianOf(heard);
    values[`${name}_top`] = shareOfLongest(lengths);
  }
  const ratio = values.raw_median / values.scaled_median;
  const below = sides.raw.lengths.filter((length) => length < SHORT).length / ROWS;
  return { ...values, ratio, below, summary: told(ratio) };
}

const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);

function medianOf(values) {
  const sorted = values.slice().sort();
  return (sorted[ROWS / 2 - 1] + sorted[ROWS / 2]) / 2;
}

/** Which share of all squared lengths the longest tenth of them has. */
function shareOfLongest(lengths) {
  const squares = lengths.map((length) => length * length).sort();
  return sumOf(squares.subarray(ROWS - ROWS / 10)) / sumOf(squares);
}

function told(ratio) {
  if (ratio < 1e-4) return "gone";
  if (ratio < 2 / 3) return "shorter";
  return ratio < 3 / 2 ? "alike" : "longer";
}

const LAYOUT = { wide: '"raw" 10fr "scaled" 10fr "heard" 7fr / 1fr', narrow: '"raw" 1fr "scaled" 1fr / 1fr' };

function build(ui) {
  const parts = [...SIDES.map((name) => lengthPanel(ui, name)), heardPanel(ui)];
  const [raw, scaled, heard] = parts;
  const numbers = [ui.readouts(["ratio", "heard"]), ui.readouts(["top"])];
  const controls = [ui.slider("n_keys"), ui.slider("d_k"), ui.stepper("seed")];
  ui.picture(LAYOUT, { raw, scaled, heard });
  ui.rail(numbers[0], controls[0], controls[1]);
  ui.more(controls[2], numbers[1]);
  return (result, state, former, formerState) => {
    for (const part of parts) part.draw(result, former);
    for (const part of numbers) part.update(result.values, former?.values, result.values.summary);
    for (const control of controls) control.update(state, formerState);
  };
}

const COLOUR = { raw: "attn-other", scaled: "attn-now" };
const HEADROOM = 1.6; // over the tallest bar: the two numbers stand there

/** A histogram of lengths with their median and mean. */
function lengthPanel(ui, name) {
  const ticks = [FIRST, -4, -2, 0];
  const labels = { [FIRST]: ui.t("shorter"), "-4": "0.0001", "-2": "0.01", 0: "1" };
  const plot = ui.plot({
    name, x: { domain: [BINS.low, END], ticks, labels }, y: { domain: [0, 1], count: 2, format: ".0%" },
  });
  const bars = ui.histogram(plot, COLOUR[name]);
  const ghost = ui.histogram(plot, "attn-ghost");
  const marks = ["median", "mean"].map((kind) => lengthMark(ui, plot, name, kind));
  const draw = (result, former) => {
    const top = roundUp(HEADROOM * Math.max(...result[name]));
    if (plot.spec.y.domain[1] !== top) plot.setDomain("y", [0, top]);
    plot.fit();
    bars.draw(BINS, result[name]);
    if (former) ghost.draw(BINS, former[name]);
    else ghost.hide();
    for (const mark of marks) mark(result.values, top);
    plot.describe(result.values);
  };
  return { element: ui.panel(ui.t(`${name}.title`), plot), draw };
}

const BOTH = 130; // units of height that the two numbers need
const HEIGHT = { median: 0.97, mean: 0.84 };
const MIDDLE = -2.5; // words stand on the side that has room

/** A line at the median (drawn through) or the mean (dashed), with its number. */
function lengthMark(ui, plot, name, kind) {
  const line = plot.curve(kind === "median" ? "attn-mark" : "attn-mark attn-dashed");
  const text = plot.text("attn-bar-value");
  return (values, top) => {
    const at = placeOf(values[`${name}_${kind}`]);
    const first = Math.min(at, placeOf(values[`${name}_median`])); // no words across the other line
    line.draw([at, at], [0, top * HEIGHT[kind]]);
    if (kind === "mean" && plot.height < BOTH) { text.hide(); return; }
    const [anchor, from, dx] = at < MIDDLE ? ["start", at, 5] : ["end", first < MIDDLE ? at : first, -5];
    text.draw(from, top * HEIGHT[kind], ui.t(`${name}.${kind}`, values), { anchor, dx, dy: 10 });
  };
}

const placeOf = (length) => Math.max(Math.log10(length), FIRST);

const LANE = { raw: 2, scaled: 1 };
const FAR = 30; // keys: beyond, words stand to the left of the line

/** How many of the keys are heard: one bar for raw, one for scaled, on an axis of powers of two. */
function heardPanel(ui) {
  const domain = [1, spec.state.n_keys.max];
  const plot = ui.plot({
    name: "heard", x: { domain, scale: "log", ticks: [1, 2, 8, 32, 128, 512] }, y: { domain: [0.4, 2.6], ticks: [] },
  });
  const all = plot.rule("attn-all");
  const allText = plot.text("attn-muted");
  const lanes = SIDES.map((name) => heardLane(ui, plot, name));
  const draw = ({ values }, former) => {
    plot.fit();
    all.draw({ x: values.n_keys });
    const [anchor, dx] = values.n_keys > FAR ? ["end", -4] : ["start", 4];
    allText.draw(values.n_keys, 0.4, ui.t("heard.all", values), { anchor, dx, dy: -4 });
    for (const lane of lanes) lane(values, former?.values);
    plot.describe(values);
  };
  return { element: ui.panel(ui.t("heard.title"), plot), draw };
}

function heardLane(ui, plot, name) {
  const bar = plot.curve(`${COLOUR[name]} attn-lane`);
  const ghost = plot.point("attn-ghost");
  const text = plot.text(COLOUR[name]);
  return (values, former) => {
    const [heard, y] = [values[`${name}_heard`], LANE[name]];
    bar.draw([1, heard], [y, y]);
    if (former) ghost.draw(former[`${name}_heard`], y);
    else ghost.hide();
    text.draw(1, y, ui.t(`heard.${name}`, values), { dx: 2, dy: -8 });
  };
}

export default defineFigure({ name: "gradient_explorer", python: "GradientExplorer", spec, words, createCompute, build });

// LongRowsMap: how sharp a row of random scores is, over its length and the deviation of its scores.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import { normals } from "../../kit/random_stream.js";
import { defineFigure } from "../../kit/define.js";
import { h, rich, s } from "../../kit/dom.js";
import { paint } from "../../kit/heatmap.js";

const { lengths, deviations, largest: table } = spec.constants;
const SCORES = 1; // the stream of the row that is shown
const TOP = 12; // so many bars; all other keys are one bar

// --- what is measured: over many draws, a table that Python made

/** The two stops beside a value, and how far it is along. */
function between(stops, value, scale = (x) => x) {
  const low = stops.findLastIndex((stop) => stop <= value);
  if (stops[low] === value) return [low, low, 0];
  const [start, end] = [scale(stops[low]), scale(stops[low + 1])];
  return [low, low + 1, (scale(value) - start) / (end - start)];
}

function meanLargest(n, deviation) {
  const [a, b, down] = between(deviations, deviation);
  const [c, d, across] = between(lengths, n, Math.log);
  const ends = [a, b].map((k) => table[k][c] + across * (table[k][d] - table[k][c]));
  return ends[0] + down * (ends[1] - ends[0]);
}

/** At each length, the deviation at which the largest weight reaches a level; null where the map ends before. */
function levelLine(level) {
  return lengths.map((_, column) => {
    const k = table.findIndex((row) => row[column] >= level);
    if (k < 1) return k === 0 ? deviations[0] : null;
    const [low, high] = [table[k - 1][column], table[k][column]];
    return deviations[k - 1] + ((level - low) / (high - low)) * (deviations[k] - deviations[k - 1]);
  });
}

// --- what is drawn: one row of one draw

/** Scores of a draw, the largest first; kept, since most moves leave them. */
function rankedScores() {
  let kept = {};
  return (seed, n) => {
    if (kept.seed !== seed || kept.n !== n) {
      kept = { seed, n, scores: normals(seed, SCORES, 1, n).sort().reverse() };
    }
    return kept.scores;
  };
}

/** Softmax of scores that fall: the first one is the maximum. */
function weightsOf(scores, deviation) {
  const weights = scores.map((score) => Math.exp(deviation * (score - scores[0])));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

const entropyOf = (weights) => weights.reduce((sum, w) => sum - (w > 0 ? w * Math.log(w) : 0), 0);
const sumOf = (values) => values.reduce((a, b) => a + b, 0);

function createCompute() {
  const scoresOf = rankedScores();
  return (state) => {
    const ranked = weightsOf(scoresOf(state.seed, state.n_keys), state.deviation);
    return { ranked, top: ranked.slice(0, TOP), values: valuesOf(state, ranked) };
  };
}

function valuesOf(state, ranked) {
  const { n_keys: n, deviation } = state;
  const entropy = entropyOf(ranked);
  const freezing = Math.sqrt(2 * Math.log(n));
  return {
    ...state, entropy, freezing,
    mean_largest: meanLargest(n, deviation),
    largest: ranked[0],
    effective_keys: 1 / sumOf(ranked.map((w) => w * w)),
    entropy_share: entropy / Math.log(n),
    rest: sumOf(ranked.subarray(TOP)),
    summary: deviation > freezing ? "above" : "below",
  };
}

// --- the picture

const LAYOUT = { wide: '"map row" 1fr / 13fr 9fr', narrow: '"map row" 1fr / 5fr 4fr' };

function build(ui) {
  const parts = { map: mapPanel(ui), row: rowPanel(ui) };
  const numbers = ui.readouts(["largest", "effective_keys"]);
  const controls = [
    ui.slider("n_keys", { format: (n) => ui.t("controls.n_keys_format", { n_keys: n }) }),
    ui.slider("deviation", { format: (value) => value.toFixed(1) }),
    ui.stepper("seed"),
  ];
  ui.picture(LAYOUT, parts);
  ui.rail(numbers, controls[0], controls[1]);
  ui.more(controls[2]);
  return (result, state, former, formerState) => {
    for (const part of Object.values(parts)) part.draw(result, former);
    numbers.update(result.values, former?.values);
    for (const control of controls) control.update(state, formerState);
  };
}

const LEVELS = [0.01, 0.1, 0.5];
const PIXELS = { across: 97, down: 65 };

/** The map as one picture: between the measured places it goes from one to the next. */
function mapImage() {
  const { across, down } = PIXELS;
  const [first, last] = [Math.log(lengths[0]), Math.log(lengths.at(-1))];
  const values = new Float64Array(across * down);
  for (let i = 0; i < down; i++) {
    const deviation = deviations.at(-1) * (1 - (i + 0.5) / down);
    for (let j = 0; j < across; j++) {
      values[i * across + j] = meanLargest(Math.exp(first + ((j + 0.5) / across) * (last - first)), deviation);
    }
  }
  const canvas = h("canvas", {});
  paint(canvas, { nRows: down, nCols: across, values, scale: "sqrt" });
  return canvas.toDataURL();
}

/** A line that stands out on every colour: light, with a dark edge. */
function lineOnMap(plot, className) {
  const layers = ["attn-map-edge", "attn-map-line"].map((kind) => plot.curve(`${kind} ${className}`));
  return { draw: (xs, ys) => layers.forEach((layer) => layer.draw(xs, ys)) };
}

function mapPanel(ui) {
  const plot = ui.plot({
    name: "map",
    x: { domain: [lengths[0], lengths.at(-1)], scale: "log", ticks: [2, 8, 64, 512, 8192], format: ",d" },
    y: { domain: [0, deviations.at(-1)], ticks: [0, 1, 2, 4, 6, 8] },
  });
  const image = s("image", { href: mapImage(), preserveAspectRatio: "none" });
  plot.layers.append(image);
  const levels = LEVELS.map((level) => ({ level, line: lineOnMap(plot, ""), text: plot.text("attn-strong-on-map") }));
  const root = { line: lineOnMap(plot, "attn-map-root"), text: plot.text("attn-strong-on-map") };
  const freezing = { line: lineOnMap(plot, "attn-map-freezing"), text: plot.text("attn-strong-on-map") };
  const before = plot.point("attn-ghost");
  const handle = ui.handle(plot, { name: "map", x: "n_keys", y: "deviation" });
  const ground = () => {
    const [left, top] = [plot.x(lengths[0]), plot.y(deviations.at(-1))];
    const box = { x: left, y: top, width: plot.x(lengths.at(-1)) - left, height: plot.y(0) - top };
    for (const [name, value] of Object.entries(box)) image.setAttribute(name, value);
    levels.forEach((layer) => drawLevel(ui, layer));
    root.line.draw([lengths[0], lengths.at(-1)], [1, 1]);
    root.text.draw(lengths[0], 1, ui.t("map.root"), { dx: 5, dy: 13 });
    const frozen = lengths.map((n) => Math.sqrt(2 * Math.log(n)));
    freezing.line.draw(lengths, frozen);
    freezing.text.draw(lengths.at(-1), frozen.at(-1), ui.t("map.freezing"), { anchor: "end", dx: -4, dy: -7 });
  };
  const draw = ({ values }, former) => {
    const anew = plot.dirty;
    plot.fit();
    if (anew) ground();
    if (former) before.draw(former.values.n_keys, former.values.deviation);
    else before.hide();
    handle.draw(values.n_keys, values.deviation, ui.t("map.handle_text", values));
    plot.describe(values);
  };
  const hint = h("p", { class: "attn-hint attn-only-wide" }, rich(ui.t("map.hint")));
  return { element: ui.panel(ui.t("map.title"), plot, hint), draw };
}

const NAMED = 7; // the length at which a level bears its name, counted from the first

function drawLevel(ui, { level, line, text }) {
  const ends = levelLine(level);
  const shown = lengths.map((_, k) => k).filter((k) => ends[k] !== null && ends[k] > 0);
  line.draw(shown.map((k) => lengths[k]), shown.map((k) => ends[k]));
  const at = Math.max(NAMED, shown[0] + 1);
  text.draw(lengths[at], ends[at], ui.t("map.level", { level }), { anchor: "middle", dy: 4 });
}

const REST = TOP + 1; // the place of the bar for all others; the heaviest key has place 0

/** The heaviest keys, one bar each, and one bar for all others together. */
function rowPanel(ui) {
  const plot = ui.plot({
    name: "row",
    x: { domain: [-0.7, REST + 0.7], ticks: [0, 5, REST], labels: { 0: "1", 5: "6", [REST]: ui.t("row.rest") } },
    y: { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], format: ".0%" },
  });
  const bars = plot.bars("");
  const rest = plot.bars("attn-other");
  const ghost = plot.caps("attn-caps");
  const alone = (value) => Array.from({ length: REST + 1 }, (_, j) => (j === REST ? value : 0));
  const draw = ({ top, values }, former) => {
    plot.fit();
    bars.draw(top);
    rest.draw(alone(values.rest));
    if (former) ghost.draw(former.top);
    else ghost.hide();
    plot.describe(values);
  };
  return { element: ui.panel(ui.t("row.title"), plot), draw };
}

export default defineFigure({ name: "long_rows_map", python: "LongRowsMap", spec, words, createCompute, build });

// MaskPainter: who may look where, and what five ways of hiding a key do, beside an oracle that deletes it.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import * as math from "../../kit/attention_math.js";
import { K, Q, V, tokens, width } from "../../kit/running_example.js";
import { h } from "../../kit/dom.js";
import { defineFigure } from "../../kit/define.js";

const N = tokens.length;
const D_V = V.length / N;
const LARGE = -1e9;

/** Queries are the last n_q tokens and keys the last n_k, as in decoding with a cache. */
function placesOf({ n_q, n_k }) {
  return { firstQuery: N - n_q, firstKey: N - n_k };
}

const bitOf = (i, j) => 2 ** (i * N + j); // of tokens i and j: 36 bits, more than JavaScript's shifts take
const isPainted = (painted, i, j) => Math.floor(painted / bitOf(i, j)) % 2 === 1;

/** 1 where query row i may attend to key column j: the rules combined, then turned over where painted. */
function maskOf(state) {
  const { n_q, n_k, causal, window, padding, align, painted } = state;
  const { firstQuery, firstKey } = placesOf(state);
  const offset = align === "bottom_right" ? n_k - n_q : 0;
  const unlimited = window === spec.state.window.max;
  return Uint8Array.from({ length: n_q * n_k }, (_, at) => {
    const [i, j] = [Math.floor(at / n_k), at % n_k];
    const back = i + offset - j; // how far the key lies behind the query
    const allowed = (!causal || back >= 0) && (unlimited || Math.abs(back) <= window) && j < n_k - padding;
    return allowed !== isPainted(painted, firstQuery + i, firstKey + j) ? 1 : 0;
  });
}

/** Scaled scores; hidden ones may be raised, which must change nothing. */
function scoresOf(state, mask) {
  const { firstQuery, firstKey } = placesOf(state);
  const { n_q, n_k } = state;
  const raw = math.rawScores(Q.subarray(firstQuery * width), K.subarray(firstKey * width), n_q, n_k, width);
  return raw.map((score, at) => score / Math.sqrt(width) + (mask[at] ? 0 : state.boost));
}

const REPLACED = { set_zero: 0, large: LARGE, infinite: -Infinity };

/** What softmax gets under a method; two of the methods leave the scores alone. */
function usedScores(method, scores, mask) {
  if (!(method in REPLACED)) return scores;
  return scores.map((score, at) => (mask[at] ? score : REPLACED[method]));
}

/** The weights as a method makes them, without any rule for a row that has no key. */
function weightsOf(method, used, mask, { n_q, n_k }) {
  const weights = math.softmaxRows(used, n_q, n_k);
  if (method === "multiply") return weights.map((weight, at) => weight * mask[at]);
  if (method !== "infinite") return weights;
  return weights.map((weight, at) => (seen(mask, Math.floor(at / n_k), n_k) ? weight : NaN)); // 0 / 0
}

function seen(mask, i, n_k) {
  let count = 0;
  for (let j = 0; j < n_k; j++) count += mask[i * n_k + j];
  return count;
}

function createCompute() {
  return (state) => {
    const mask = maskOf(state);
    const scores = scoresOf(state, mask);
    const used = usedScores(state.method, scores, mask);
    const weights = weightsOf(state.method, used, mask, state);
    const oracle = math.softmaxRows(scores, state.n_q, state.n_k, 1, mask);
    const rows = rowsOf(state, mask, weights, oracle);
    return { mask, scores, used, weights, oracle, rows, values: valuesOf(state, mask, rows) };
  };
}

/** For each query: keys it sees, weight on hidden keys, sum of its weights, distance of its output from the oracle's. */
function rowsOf({ n_q, n_k }, mask, weights, oracle) {
  const values = V.subarray((N - n_k) * D_V);
  const [output, wanted] = [weights, oracle].map((made) => math.mix(made, values, n_q, n_k, D_V));
  return Array.from({ length: n_q }, (_, i) => {
    const row = { sees: seen(mask, i, n_k), leak: 0, sum: 0, gap: 0, lost: Number.isNaN(weights[i * n_k]) };
    for (let at = i * n_k; at < (i + 1) * n_k; at++) {
      row.sum += weights[at];
      if (!mask[at]) row.leak += weights[at];
    }
    for (let c = i * D_V; c < (i + 1) * D_V; c++) row.gap = Math.max(row.gap, Math.abs(output[c] - wanted[c]));
    return row;
  });
}

function valuesOf(state, mask, rows) {
  const { firstQuery } = placesOf(state);
  const numbers = rows.filter((row) => !row.lost);
  const sums = numbers.filter((row) => row.sees).map((row) => row.sum);
  const leak = Math.max(0, ...numbers.map((row) => row.leak));
  const worst = rows.findIndex((row) => !row.lost && row.leak >= leak - 1e-12);
  const measured = {
    n_pairs: mask.length, n_hidden: mask.filter((one) => !one).length,
    n_dead: rows.filter((row) => !row.sees).length, n_nan: rows.length - numbers.length,
    leak, leak_token: leak > 0 ? tokens[firstQuery + worst] : "–",
    row_sum_min: sums.length ? Math.min(...sums) : 0, row_sum_max: sums.length ? Math.max(...sums) : 0,
    row_sum_shown: sums.length ? Math.min(...sums).toFixed(3) : "–",
    output_gap: Math.max(0, ...numbers.map((row) => row.gap)),
    first_token: tokens[firstQuery], first_sees: rows[0].sees, last_sees: rows.at(-1).sees,
  };
  return { ...state, ...measured, summary: summaryOf(measured) };
}

function summaryOf({ n_nan, leak, row_sum_min, row_sum_max }) {
  if (n_nan) return "nan";
  if (leak > 1e-9) return "leak";
  return row_sum_max - row_sum_min > 1e-9 ? "short" : "exact";
}

function build(ui) {
  const { store } = ui;
  let result = null;
  const describe = (name) => (cell) => (result ? describeCell(ui, name, result, cell) : []);
  const paint = painter(store, () => result);
  const [map, oracle] = ["map", "oracle"].map((name) => ui.heatmap({ name, describe: describe(name), onPaint: paint }));
  const method = ui.choice("method");
  const rows = rowsPanel(ui);
  const numbers = ui.readouts(["leak", "sums", "gap"]);
  const controls = makeControls(ui);
  ui.add(
    ui.area("full", method), ui.area("full", pair(ui.panel(ui.t("map.title"), map.element), ui.panel(ui.t("oracle.title"), oracle.element))),
    ui.area("full", controls), ui.area("full", numbers), ui.area("full", rows));
  const draw = (now, state, former, formerState) => {
    result = now;
    drawMap(map, now, now.weights, "hidden");
    drawMap(oracle, now, now.oracle, "gone");
    method.update(state, formerState);
    controls.update(state, formerState);
    numbers.update(now.values, former?.values);
    rows.draw(now);
  };
  draw.cellAt = map.cellAt;
  return draw;
}

/** Two parts of equal width, side by side where there is room. */
const pair = (...parts) => h("div", { class: "attn-pair" }, parts);

/** Fills a matrix of all tokens; what is no query or no key is absent. */
function drawMap(map, { mask, values: state }, weights, hiddenMark) {
  const { firstQuery, firstKey } = placesOf(state);
  const all = new Float64Array(N * N);
  const marks = Array.from({ length: N * N }, () => "absent");
  for (let i = 0, at = 0; i < state.n_q; i++) {
    for (let j = 0; j < state.n_k; j++, at++) {
      const to = (firstQuery + i) * N + firstKey + j;
      all[to] = weights[at];
      marks[to] = Number.isNaN(weights[at]) ? "nan" : mask[at] ? "" : hiddenMark;
    }
  }
  const named = (first) => tokens.map((token, k) => (k < first ? "" : token));
  map.draw({ nRows: N, nCols: N, values: all, marks, rowLabels: named(firstQuery), colLabels: named(firstKey) });
}

/** A stroke turns its first cell over, and makes every further cell like it. */
function painter(store, current) {
  let visible = null;
  return (i, j, begins) => {
    const { mask, values: state } = current();
    const { firstQuery, firstKey } = placesOf(state);
    if (i < firstQuery || j < firstKey) return;
    const is = mask[(i - firstQuery) * state.n_k + j - firstKey];
    if (begins) visible = 1 - is;
    if (is === visible) return;
    const by = isPainted(state.painted, i, j) ? -bitOf(i, j) : bitOf(i, j);
    store.set({ painted: store.state.painted + by }, { gesture: "painted" });
  };
}

/** Lines for a cell: who looks at whom, what softmax got, the weight, the code. */
function describeCell(ui, name, { mask, scores, used, weights, oracle, values }, cell) {
  const { firstQuery, firstKey } = placesOf(values);
  const code = name === "map" ? `map.code_${values.method}` : "oracle.code";
  if (!cell) return [ui.t("map.hint"), ui.t(name === "map" ? `map.rule_${values.method}` : "oracle.rule"), ui.t(code), ""];
  const [i, j] = [cell[0] - firstQuery, cell[1] - firstKey];
  if (i < 0 || j < 0) return [ui.t("map.absent"), "", "", ""];
  const at = i * values.n_k + j;
  const about = { ...values, query: tokens[cell[0]], key: tokens[cell[1]], score: scores[at], used: used[at], weight: weights[at], oracle: oracle[at] };
  const kind = mask[at] ? "seen" : "hidden";
  const last = name === "oracle" ? `oracle.${kind}` : Number.isNaN(weights[at]) ? "map.lost" : "map.weights";
  const passed = used[at] === -Infinity ? "map.score_infinite" : used[at] === LARGE ? "map.score_large" : "map.score";
  return [ui.t(`map.cell_${kind}`, about), ui.t(name === "oracle" ? "oracle.score" : passed, about), ui.t(last, about), ui.t(code)];
}

const PLACES = [...tokens.keys()];

/** For each query the weight that hidden keys got, and the sum of its weights. */
function rowsPanel(ui) {
  const plot = ui.plot({
    name: "rows", height: 150,
    x: { domain: [-0.5, N - 0.5], ticks: PLACES, labels: tokens, title: "" }, y: { domain: [0, 1.25], ticks: [0, 0.5, 1] },
  });
  const bars = plot.bars("attn-other");
  const one = plot.rule("attn-limit");
  const sums = PLACES.map(() => plot.point("attn-now"));
  const texts = PLACES.map(() => plot.text("attn-bar-value"));
  const legend = [plot.text("attn-other"), plot.text("attn-now")];
  const draw = ({ rows, values }) => {
    const { firstQuery } = placesOf(values);
    const of = (k) => rows[k - firstQuery];
    plot.fit();
    bars.draw(PLACES.map((k) => (of(k) && !of(k).lost ? of(k).leak : 0)));
    one.draw({ y: 1 });
    for (const k of PLACES) {
      if (of(k) && !of(k).lost) sums[k].draw(k, of(k).sum);
      else sums[k].hide();
      if (of(k)) texts[k].draw(k, 0, wordsFor(ui, of(k)), { anchor: "middle", dy: -6 });
      else texts[k].hide();
    }
    legend[0].draw(-0.5, 1.25, ui.t("rows.leak"), { dy: 10, dx: 4 });
    legend[1].draw(N - 0.5, 1.25, ui.t("rows.sum"), { anchor: "end", dy: 10 });
    plot.describe(values);
  };
  return { element: ui.panel(ui.t("rows.title"), plot.element), draw };
}

function wordsFor(ui, { sees, lost }) {
  if (lost) return ui.t("rows.nan");
  return sees ? "" : ui.t("rows.none");
}

function makeControls(ui) {
  const { max } = spec.state.window;
  const parts = {
    causal: ui.toggle("causal"), window: ui.slider("window", { format: (value) => (value === max ? ui.t("controls.window_off") : String(value)) }),
    padding: ui.slider("padding"), n_q: ui.slider("n_q"), n_k: ui.slider("n_k"), align: ui.choice("align"), boost: ui.slider("boost"),
  };
  const idle = { align: ({ n_q, n_k, causal, window }) => n_q === n_k || (!causal && window === max) };
  const update = (state, former) => {
    for (const [key, part] of Object.entries(parts)) part.update(state, former, idle[key]?.(state) ?? false);
  };
  return { element: ui.controls(...Object.values(parts)), update };
}

export default defineFigure({ name: "mask_painter", python: "MaskPainter", spec, words, createCompute, build });

// MaskPainter: who may look where, and what five ways of hiding a key do, beside an oracle that deletes it.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import * as math from "../../kit/attention_math.js";
import { K, Q, V, tokens, width } from "../../kit/running_example.js";
import { h, setText } from "../../kit/dom.js";
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

const LAYOUT = {
  wide: '"method method" calc(46 * var(--u)) "map oracle" 1fr "key key" calc(20 * var(--u)) / calc(50% + 50 * var(--u)) 1fr',
  narrow: '"method" calc(46 * var(--u)) "map" 1fr / 1fr',
};

function build(ui) {
  const { store } = ui;
  let result = null;
  const describe = (name) => (cell) => describeCell(ui, name, result, cell);
  const paint = painter(store, () => result);
  const [map, oracle] = ["map", "oracle"].map((name) => ui.heatmap({ name, describe: describe(name), onPaint: paint, legend: false, rowNames: name === "map" }));
  const sums = rowSums(ui, map.element);
  const method = ui.choice("method");
  const numbers = [ui.readouts(["leak"]), ui.readouts(["sums", "gap"])];
  const controls = makeControls(ui);
  ui.picture(LAYOUT, { method, map: ui.panel(ui.t("map.title"), map), oracle: ui.panel(ui.t("oracle.title"), oracle), key: key(ui) });
  ui.rail(numbers[0], controls.parts.boost, controls.parts.causal);
  ui.more(...Object.values(controls.parts).slice(2), numbers[1]);
  const draw = (now, state, former, formerState) => {
    result = now;
    drawMap(map, now, now.weights, "hidden");
    drawMap(oracle, now, now.oracle, "gone");
    sums.draw(now);
    method.update(state, formerState);
    controls.update(state, formerState);
    for (const part of numbers) part.update(now.values, former?.values, now.values.n_nan ? "nan" : "");
  };
  draw.cellAt = map.cellAt;
  return draw;
}

/** What the frames and the bars beside the rows mean. */
function key(ui) {
  const item = (name) => h("span", {}, h("i", { class: `attn-key-${name}` }), ui.t(`key.${name}`));
  return h("div", { class: "attn-key" }, ["leak", "seen", "leaked"].map(item));
}

const LEAKS = 0.005; // from here on a hidden weight is framed; below it prints as 0.00, and is left blank

/** Fills a matrix of all tokens; what is no query or no key is absent. */
function drawMap(map, { mask, values: state }, weights, hiddenMark) {
  const { firstQuery, firstKey } = placesOf(state);
  const all = new Float64Array(N * N);
  const marks = Array.from({ length: N * N }, () => "absent");
  for (let i = 0, at = 0; i < state.n_q; i++) {
    for (let j = 0; j < state.n_k; j++, at++) {
      const to = (firstQuery + i) * N + firstKey + j;
      all[to] = weights[at];
      const hidden = hiddenMark === "hidden" && weights[at] > LEAKS ? "leak" : hiddenMark;
      marks[to] = Number.isNaN(weights[at]) ? "nan" : mask[at] ? "" : hidden;
    }
  }
  const named = (first) => tokens.map((token, k) => (k < first ? "" : token));
  map.draw({ nRows: N, nCols: N, values: all, scale: "sqrt", marks, rowLabels: named(firstQuery), colLabels: named(firstKey) });
}

/** Beside each row of the map its weights, laid end to end: those of visible keys, those that leaked. */
function rowSums(ui, map) {
  const rows = tokens.map(() => {
    const [seen, leaked, word] = [h("span"), h("span", { class: "attn-leaked" }), h("div", { class: "attn-sum-word" })];
    const bar = h("div", { class: "attn-sum-bar" }, seen, leaked);
    return { bar, seen, leaked, word, element: h("div", { class: "attn-sum" }, bar, word) };
  });
  map.style.setProperty("--beside", "calc(54 * var(--u))");
  map.querySelector(".attn-heatmap-square").append(h("div", { class: "attn-sums", "aria-hidden": "true" }, rows.map((row) => row.element)));
  const draw = ({ rows: found, values }) => rows.forEach((row, k) => {
    const of = found[k - placesOf(values).firstQuery];
    row.element.style.visibility = of ? "" : "hidden"; // its place is kept
    if (!of) return;
    row.seen.style.width = of.lost ? "0" : `${100 * (of.sum - of.leak)}%`;
    row.leaked.style.width = of.lost ? "0" : `${100 * of.leak}%`;
    setText(row.word, of.lost ? ui.t("rows.nan") : of.sees || of.leak ? "" : ui.t("rows.none"));
  });
  return { draw };
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
  const [i, j] = [cell[0] - firstQuery, cell[1] - firstKey];
  if (i < 0 || j < 0) return [ui.t("map.absent"), "", "", ""];
  const at = i * values.n_k + j;
  const about = { ...values, query: tokens[cell[0]], key: tokens[cell[1]], score: scores[at], used: used[at], weight: weights[at], oracle: oracle[at] };
  const kind = mask[at] ? "seen" : "hidden";
  const last = name === "oracle" ? `oracle.${kind}` : Number.isNaN(weights[at]) ? "map.lost" : "map.weights";
  const passed = used[at] === -Infinity ? "map.score_infinite" : used[at] === LARGE ? "map.score_large" : "map.score";
  return [ui.t(`map.cell_${kind}`, about), ui.t(name === "oracle" ? "oracle.score" : passed, about), ui.t(last, about), ui.t(code)];
}

function makeControls(ui) {
  const { max } = spec.state.window;
  const parts = {
    boost: ui.slider("boost"), causal: ui.toggle("causal"),
    window: ui.slider("window", { format: (value) => (value === max ? ui.t("controls.window_off") : String(value)) }),
    padding: ui.slider("padding"), n_q: ui.slider("n_q"), n_k: ui.slider("n_k"), align: ui.choice("align"),
  };
  const idle = { align: ({ n_q, n_k, causal, window }) => n_q === n_k || (!causal && window === max) };
  const update = (state, former) => {
    for (const [key, part] of Object.entries(parts)) part.update(state, former, idle[key]?.(state) ?? false);
  };
  return { parts, update };
}

export default defineFigure({ name: "mask_painter", python: "MaskPainter", spec, words, createCompute, build });

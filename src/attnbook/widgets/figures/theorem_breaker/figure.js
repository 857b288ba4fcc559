// TheoremBreaker: what becomes of Var(q·k) when means, correlation or variance are not what the theorem asks for.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import * as math from "../../kit/attention_math.js";
import { normals, STREAM } from "../../kit/random_stream.js";
import { defineFigure } from "../../kit/define.js";
import { binsFor, densityOf, normalCurve, normalDensity, roundUp } from "../../kit/histogram.js";

const N = 64; // queries, and keys
const COMMON = { queries: 3, keys: 4 }; // streams of the part that the entries of one vector share
const BINS = 48;
const { d_k: widths } = spec.state;

/** White vectors z (and w) of one seed, the common parts of their entries, and all products, for every width. */
function drawSource() {
  let kept = { seed: null };
  return (seed) => {
    if (kept.seed !== seed) kept = { seed, ...draw(seed) };
    return kept;
  };
}

function draw(seed) {
  const [z, w] = [STREAM.queries, STREAM.keys].map((stream) => normals(seed, stream, N, widths.max));
  const [commonZ, commonW] = [COMMON.queries, COMMON.keys].map((stream) => normals(seed, stream, N, 1));
  const products = (Q, K) => new math.PrefixScores(Q, K, N, N, widths.max, widths.stops);
  let own = null;
  return { z, w, commonZ, commonW, products: products(z, w), ownProducts: () => (own ??= products(z, z)) };
}

/** The sum of the first d entries of each vector. */
function rowSums(X, d) {
  return Float64Array.from({ length: N }, (_, i) => {
    let sum = 0;
    for (let c = 0; c < d; c++) sum += X[i * widths.max + c];
    return sum;
  });
}

/** Means and correlations of both sides; one projection for both has one of each. */
function sidesOf({ mu_q, mu_k, rho, correlated, shared }) {
  if (shared) return { mu_q, mu_k: mu_q, rho_q: rho, rho_k: rho };
  return { mu_q, mu_k, rho_q: correlated === "keys" ? 0 : rho, rho_k: correlated === "queries" ? 0 : rho };
}

/**
 * Scaled scores. An entry of q is mu + s (sqrt(1 - rho) z + sqrt(rho) g), where all entries of q share g; so q·k
 * falls into products and sums that no slider but d_k changes, and a move is a look-up.
 */
function scoresOf(made, state, { mu_q, mu_k, rho_q, rho_k }) {
  const { d_k: d, variance, shared } = state;
  const s = Math.sqrt(variance);
  const [a, b] = [rho_q, rho_k].map((rho) => s * Math.sqrt(1 - rho));
  const level = (mu, rho, common) => common.map((g) => mu + s * Math.sqrt(rho) * g);
  const u = level(mu_q, rho_q, made.commonZ);
  const v = shared ? u : level(mu_k, rho_k, made.commonW);
  const sumsQ = rowSums(made.z, d);
  const sumsK = shared ? sumsQ : rowSums(made.w, d);
  const out = (shared ? made.ownProducts() : made.products).at(d);
  const root = Math.sqrt(d);
  for (let i = 0, at = 0; i < N; i++) {
    for (let j = 0; j < N; j++, at++) {
      out[at] = (a * b * out[at] + a * sumsQ[i] * v[j] + b * sumsK[j] * u[i] + d * u[i] * v[j]) / root;
    }
  }
  return out;
}

/** What the theorem's proof gives for these means, correlations and variances, for scaled scores. */
function theoryOf({ d_k: d, variance, shared }, { mu_q, mu_k, rho_q, rho_k }) {
  const spread = variance ** 2 * (1 + (d - 1) * rho_q * rho_k); // tr(Sigma_q Sigma_k) / d
  const throughQueries = mu_q ** 2 * variance * (1 + (d - 1) * rho_k); // mean of q, spread of k
  const throughKeys = mu_k ** 2 * variance * (1 + (d - 1) * rho_q);
  return {
    total_theory: spread + throughQueries + throughKeys, row_theory: spread + throughQueries,
    lead_theory: shared ? variance * Math.sqrt(d) : 0,
  };
}

/** Distances from the mean of all scores and from the row's mean; with q = k, means leave the diagonal out. */
function distances(scores, shared) {
  const counts = (i, j) => !shared || i !== j;
  const inRow = shared ? N - 1 : N;
  const rowMeans = new Float64Array(N);
  for (let i = 0; i < N; i++) {
    for (let j = 0; j < N; j++) if (counts(i, j)) rowMeans[i] += scores[i * N + j] / inRow;
  }
  const middle = math.mean(rowMeans);
  const from_all = scores.map((score) => score - middle);
  const from_row = scores.map((score, at) => score - rowMeans[Math.floor(at / N)]);
  const squares = (values) => {
    let sum = 0;
    for (let i = 0; i < N; i++) for (let j = 0; j < N; j++) if (counts(i, j)) sum += values[i * N + j] ** 2;
    return sum;
  };
  return {
    from_all, from_row,
    total_variance: squares(from_all) / (N * inRow - 1), row_variance: squares(from_row) / (N * (inRow - 1)),
  };
}

function createCompute() {
  const drawOf = drawSource();
  let white = null;
  return (state) => {
    const made = drawOf(state.seed);
    const sides = sidesOf(state);
    const scores = scoresOf(made, state, sides);
    const weights = math.softmaxRows(scores, N, N);
    const { from_all, from_row, ...spreads } = distances(scores, state.shared);
    const place = `${state.seed},${state.d_k}`;
    if (white?.place !== place) white = { place, keys: keysOf(math.scaled(made.products.at(state.d_k), 1 / Math.sqrt(state.d_k))) };
    const limit = roundUp(largest(from_all));
    const theory = theoryOf(state, sides);
    return {
      scores, weights, from_all, from_row, limit,
      all: counted(from_all, limit, state.shared, theory.total_theory),
      row: counted(from_row, limit, state.shared, theory.row_theory),
      values: valuesOf(state, { ...spreads, ...theory }, { weights, from_row }, white.keys),
    };
  };
}

const keysOf = (scores) => meanKeys(math.softmaxRows(scores, N, N));
const meanKeys = (weights) => math.mean(math.effectiveKeys(weights, N, N));
const diagonal = (values) => Float64Array.from({ length: N }, (_, i) => values[i * N + i]);
const largest = (values) => values.reduce((top, value) => Math.max(top, Math.abs(value)), 0);

/** Heights of the bins; with q = k the scores of tokens with themselves apart. */
function counted(values, limit, shared, variance) {
  const bins = binsFor(limit, (2 * limit) / BINS);
  const density = densityOf(values, bins);
  const own = shared ? densityOf(diagonal(values), bins, values.length) : null;
  const deviation = Math.sqrt(variance);
  return { values, bins, density, own, curve: normalCurve(deviation, limit), tallest: Math.max(...density, normalDensity(0, deviation)) };
}

function valuesOf(state, spreads, { weights, from_row }, whiteKeys) {
  const effective_keys = meanKeys(weights);
  return {
    ...state, n_keys: N, ...spreads,
    total_deviation: Math.sqrt(spreads.total_variance), row_deviation: Math.sqrt(spreads.row_variance),
    total_theory_deviation: Math.sqrt(spreads.total_theory), row_theory_deviation: Math.sqrt(spreads.row_theory),
    effective_keys, white_effective_keys: whiteKeys, effective_keys_gap: Math.abs(effective_keys - whiteKeys),
    own_weight: math.mean(diagonal(weights)), lead: math.mean(diagonal(from_row)),
    summary: state.shared ? "shared" : "default",
  };
}

function build(ui) {
  let result = null;
  let view = null;
  const map = ui.heatmap({ name: "map", describe: (cell) => (result ? describeCell(ui, result, cell) : []) });
  const panel = ui.panel("", map.element);
  const title = panel.querySelector("h3");
  const all = spreadPanel(ui, "all");
  const row = spreadPanel(ui, "row");
  const numbers = ui.readouts(["total_variance", "row_variance", "effective_keys"]);
  const controls = makeControls(ui);
  ui.add(
    ui.area("main", panel), ui.area("full", numbers), ui.area("full", controls), ui.area("side", all, row));
  const draw = (now, state, former, formerState) => {
    result = now;
    const shown = `map.title_${state.view}${state.shared ? "_shared" : ""}`;
    if (view !== shown) title.textContent = ui.t(view = shown);
    drawMap(map, now, state.view);
    all.draw(now, former);
    row.draw(now, former);
    numbers.update(now.values, former?.values, state.shared ? "shared" : "");
    controls.update(state, formerState);
  };
  draw.cellAt = map.cellAt;
  return draw;
}

function drawMap(map, result, view) {
  const signed = view !== "weights";
  map.draw({
    nRows: N, nCols: N, values: result[view], perRow: !signed,
    ...(signed ? { low: -result.limit, high: result.limit, colours: "puor" } : { low: 0, high: 1, colours: "cividis" }),
  });
}

function describeCell(ui, { scores, weights, from_all, from_row, values }, cell) {
  if (!cell) return [ui.t("map.hint"), ui.t("map.formula"), ui.t("map.code")];
  const [i, j] = cell;
  const at = i * N + j;
  const about = { ...values, i, j, score: scores[at], weight: weights[at], all: from_all[at], row: from_row[at] };
  return [ui.t("map.cell", about), ui.t("map.score", about), ui.t("map.distances", about), ui.t("map.code_cell", about)];
}

/** Histogram of distances from a mean, over the normal density of the width that theory says. */
function spreadPanel(ui, name) {
  const plot = ui.plot({ name, height: 158, x: { domain: [-1, 1] }, y: { domain: [0, 1], count: 2 } });
  const now = ui.histogram(plot, "attn-now");
  const own = ui.histogram(plot, "attn-other");
  const ghost = ui.histogram(plot, "attn-ghost");
  const theory = plot.curve("attn-other");
  const panel = ui.panel("", plot.element);
  const title = panel.querySelector("h3");
  let titled = null;
  const [legend, ownText] = [plot.text("attn-other"), plot.text("attn-other")];
  const draw = (result, former) => {
    const { limit, values } = result;
    const { bins, density, curve, tallest } = result[name];
    const top = roundUp(1.05 * tallest);
    if (plot.spec.x.domain[1] !== limit) plot.setDomain("x", [-limit, limit]);
    if (plot.spec.y.domain[1] !== top) plot.setDomain("y", [0, top]);
    plot.fit();
    now.draw(bins, density);
    if (result[name].own) own.draw(bins, result[name].own);
    else own.hide();
    if (former) ghost.draw(bins, densityOf(former[name].values, bins));
    else ghost.hide();
    theory.draw(curve.x, curve.y);
    legend.draw(limit, top, ui.t(`${name}.theory${values.shared ? "_shared" : ""}`, values), { anchor: "end", dy: 12 });
    // In the free corner: beside its bars it would hide those of the former state.
    if (values.shared) ownText.draw(limit, top, ui.t(`${name}.own`, values), { anchor: "end", dy: 27 });
    else ownText.hide();
    plot.describe(values);
    const wanted = `${name}.title${values.shared ? "_shared" : ""}`;
    if (titled !== wanted) title.textContent = ui.t(titled = wanted);
  };
  return { element: panel, draw };
}

function makeControls(ui) {
  const parts = {
    mu_q: ui.slider("mu_q", { format: signed }), mu_k: ui.slider("mu_k", { format: signed }), rho: ui.slider("rho"),
    d_k: ui.slider("d_k"), variance: ui.slider("variance"), correlated: ui.choice("correlated"), view: ui.choice("view"),
    shared: ui.toggle("shared"), seed: ui.stepper("seed"),
  };
  const idle = { mu_k: ({ shared }) => shared, correlated: ({ shared, rho }) => shared || rho === 0 };
  const update = (state, former) => {
    const shown = { ...state, mu_k: sidesOf(state).mu_k }; // one projection has one mean
    for (const [key, part] of Object.entries(parts)) part.update(shown, former, idle[key]?.(state) ?? false);
  };
  return { element: ui.controls(...Object.values(parts)), update };
}

const signed = (value) => String(value).replace("-", "−");

export default defineFigure({ name: "theorem_breaker", python: "TheoremBreaker", spec, words, createCompute, build });

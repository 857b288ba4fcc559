// TheoremBreaker: what becomes of Var(q·k) when means, correlation or variance are not what the theorem asks for.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import * as math from "../../kit/attention_math.js";
import { normals, STREAM } from "../../kit/random_stream.js";
import { h, setText } from "../../kit/dom.js";
import { defineFigure } from "../../kit/define.js";
import { binsFor, densityOf, normalCurve, normalDensity, roundUp } from "../../kit/histogram.js";

const N = 64; // queries, and keys
const COMMON = { queries: 3, keys: 4 }; // streams of the part that the entries of one vector share
const LIMIT = 12; // the ends of axis and colours, which never move
const BIN = 0.5;
const BINS = binsFor(LIMIT, BIN);
const TOP = 0.55; // of the axis of densities; higher only where a narrow spread needs it
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
    const theory = theoryOf(state, sides);
    return {
      scores, weights, from_all, from_row,
      all: counted(from_all, state.shared, theory.total_theory),
      row: counted(from_row, state.shared, theory.row_theory),
      values: valuesOf(state, { ...spreads, ...theory }, { weights, from_row }, white.keys),
    };
  };
}

const keysOf = (scores) => meanKeys(math.softmaxRows(scores, N, N));
const meanKeys = (weights) => math.mean(math.effectiveKeys(weights, N, N));
const diagonal = (values) => Float64Array.from({ length: N }, (_, i) => values[i * N + i]);

/** Heights of the bins and the share beyond the axis; with q = k the scores of tokens with themselves apart. */
function counted(values, shared, variance) {
  const density = densityOf(values, BINS);
  const own = shared ? densityOf(diagonal(values), BINS, values.length) : null;
  const deviation = Math.sqrt(variance);
  const beyond = values.filter((value) => Math.abs(value) > LIMIT).length / values.length;
  return { bins: BINS, density, own, beyond, curve: normalCurve(deviation, LIMIT), tallest: Math.max(...density, normalDensity(0, deviation)) };
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

const LAYOUT = { wide: '"map spread" 1fr / 10fr 11fr', narrow: '"map spread" 1fr / 9fr 10fr' };

function build(ui) {
  let result = null;
  let view = null;
  const map = ui.heatmap({ name: "map", describe: (cell) => describeCell(ui, result, cell) });
  const panel = ui.panel("", map);
  const spread = spreadPanel(ui);
  const numbers = [ui.readouts(["total_variance", "row_variance"]), ui.readouts(["effective_keys"])];
  const controls = makeControls(ui);
  ui.picture(LAYOUT, { map: panel, spread });
  ui.rail(numbers[0], controls.picked, controls.knob.choice, controls.parts.d_k);
  ui.more(...controls.more, numbers[1]);
  const draw = (now, state, former, formerState) => {
    result = now;
    const shown = `map.title_${state.view}${state.shared ? "_shared" : ""}`;
    if (view !== shown) setText(panel.firstChild, ui.t(view = shown));
    drawMap(map, now, state.view);
    spread.draw(now, former);
    for (const part of numbers) part.update(now.values, former?.values, state.shared ? "shared" : "");
    controls.update(state, formerState);
  };
  draw.cellAt = map.cellAt;
  return draw;
}

function drawMap(map, result, view) {
  const signed = view !== "weights";
  map.draw({
    nRows: N, nCols: N, values: result[view],
    ...(signed ? { low: -LIMIT, high: LIMIT, colours: "puor" } : { low: 0, high: 1, scale: "sqrt", perRow: true, colours: "cividis" }),
  });
}

function describeCell(ui, { scores, weights, from_all, from_row, values }, [i, j]) {
  const at = i * N + j;
  const about = { ...values, i, j, score: scores[at], weight: weights[at], all: from_all[at], row: from_row[at] };
  return [ui.t("map.cell", about), ui.t("map.score", about), ui.t("map.distances", about), ui.t("map.code_cell", about)];
}

const SOME = 0.005; // below, "0%" would lie beyond the axis

const NAMES_FROM = 220; // units of width: below, there is no room for all words

/** Two spreads on one axis: all scores as a line, those within a row filled, which is what softmax sees. */
function spreadPanel(ui) {
  const plot = ui.plot({ name: "spread", x: { domain: [-LIMIT, LIMIT], ticks: [-12, -6, 0, 6, 12] }, y: { domain: [0, TOP], ticks: [0, 0.2, 0.4] } });
  const row = ui.histogram(plot, "attn-now");
  const own = ui.histogram(plot, "attn-other");
  const ghost = ui.histogram(plot, "attn-ghost");
  const all = ui.histogram(plot, "attn-outline");
  const theory = plot.curve("attn-other");
  const texts = ["row", "all", "theory", "beyond"].map((name, k) => ({ name, k, text: plot.text(CLASSES[name]) }));
  const draw = (result, former) => {
    const { values } = result;
    const top = result.row.tallest > TOP ? roundUp(1.1 * result.row.tallest) : TOP;
    if (plot.spec.y.domain[1] !== top) {
      plot.spec.y.ticks = top === TOP ? [0, 0.2, 0.4] : undefined;
      plot.setDomain("y", [0, top]);
    }
    plot.fit();
    row.draw(BINS, result.row.density);
    all.draw(BINS, result.all.density);
    if (result.row.own) own.draw(BINS, result.row.own);
    else own.hide();
    if (former) ghost.draw(BINS, former.row.density);
    else ghost.hide();
    theory.draw(result.row.curve.x, result.row.curve.y);
    for (const { name, k, text } of texts) {
      const narrow = name === "theory" && plot.width < NAMES_FROM;
      if (narrow || (name === "beyond" && result.row.beyond < SOME)) text.hide();
      else text.draw(-LIMIT, top, ui.t(`spread.${name}${values.shared && name === "all" ? "_shared" : ""}`, { ...values, beyond: result.row.beyond }), { dx: 6, dy: 14 + 18 * k });
    }
    plot.describe(values);
  };
  return { element: ui.panel(ui.t("spread.title"), plot), draw };
}

const CLASSES = { row: "attn-now", all: "attn-strong", theory: "attn-other", beyond: "attn-muted" };

/** One of the assumptions at a time is at hand, with its own control. */
function makeControls(ui) {
  const knobs = { mu_k: ui.slider("mu_k", { format: signed }), mu_q: ui.slider("mu_q", { format: signed }), rho: ui.slider("rho"), shared: ui.toggle("shared") };
  const knob = ui.picker("knob", knobs);
  const parts = { d_k: ui.slider("d_k"), variance: ui.slider("variance"), correlated: ui.choice("correlated"), view: ui.choice("view"), seed: ui.stepper("seed") };
  const update = (state, former) => {
    const shown = { ...state, mu_k: sidesOf(state).mu_k }; // one projection has one mean
    knob.update(shown, former, { mu_k: state.shared });
    for (const [key, part] of Object.entries(parts)) part.update(shown, former, key === "correlated" && (state.shared || state.rho === 0));
  };
  const { d_k, ...more } = parts;
  return { knob, picked: h("div", { class: "attn-control attn-picked-control" }, knob.elements), parts, more: Object.values(more), update };
}

const signed = (value) => String(value).replace("-", "−");

export default defineFigure({ name: "theorem_breaker", python: "TheoremBreaker", spec, words, createCompute, build });

// CostCalculator: what a layer of attention costs, term by term, and which term it is that grows.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import { defineFigure } from "../../kit/define.js";
import { formatNumber } from "../../kit/numbers.js";

const { n: lengths } = spec.state;
const { window: WINDOW, tile: TILE, group: GROUP, itemsize: ITEMSIZE, peak_flops, bandwidth } = spec.constants;
const FEED_FORWARD = 8; // weights of a feed-forward four times as wide, in squares of the width
const SCORE_TRIPS = 4; // scores are written, then read and written by softmax, then read by the output
const ROW_TRIPS = 16; // widths of a row that go in and out of all products of a layer, keys and values apart

const divisor = (a, b) => (b ? divisor(b, a % b) : a);

/** Sizes that follow from the state. */
function sizesOf(state) {
  const { n, n_heads, d_head, phase, remedy } = state;
  const groups = remedy === "shared" ? divisor(n_heads, GROUP) : 1;
  return {
    d_model: n_heads * d_head, n_kv_heads: n_heads / groups,
    n_q: phase === "decode" ? 1 : n, n_seen: remedy === "window" ? Math.min(n, WINDOW) : n,
  };
}

/** FLOPs and bytes: of one layer `projections`, `forward`, `products` and `scores`; of all layers `cache` and `weights`. */
function costOf(state) {
  const sizes = sizesOf(state);
  const { d_model, n_kv_heads, n_q, n_seen } = sizes;
  const { n_heads, d_head, n_layers, batch, remedy } = state;
  const shared = n_kv_heads * d_head; // width of all keys of a token, and of its values
  const kernels = 2 * d_model * d_model + 2 * d_model * shared; // weights of the four projections
  const pairs = remedy === "tiled" ? Math.min(n_q, TILE) * Math.min(n_seen, TILE) : n_q * n_seen;
  return {
    ...sizes,
    projections: 2 * batch * n_q * kernels, forward: 2 * batch * n_q * FEED_FORWARD * d_model * d_model,
    products: 4 * batch * n_q * n_seen * d_model,
    scores: batch * n_heads * pairs * ITEMSIZE,
    cache: n_layers * batch * 2 * shared * n_seen * ITEMSIZE,
    weights: n_layers * (kernels + FEED_FORWARD * d_model * d_model) * ITEMSIZE,
    rows: batch * n_q * (ROW_TRIPS * d_model + 2 * shared) * ITEMSIZE,
  };
}

const workOf = ({ projections, forward, products }) => projections + forward + products;
const shareOf = (cost) => cost.products / workOf(cost);

function createCompute() {
  let kept = { place: null };
  return (state) => {
    const place = JSON.stringify({ ...state, n: 0 }); // the curves do not depend on n
    if (kept.place !== place) kept = { place, ...curvesOf(state) };
    return { ...kept, values: valuesOf(state) };
  };
}

/** The curves over all lengths. */
function curvesOf(state) {
  const costs = lengths.stops.map((n) => costOf({ ...state, n }));
  return {
    product_shares: costs.map(shareOf),
    projection_shares: costs.map((cost) => cost.projections / workOf(cost)),
    forward_shares: costs.map((cost) => cost.forward / workOf(cost)),
    score_bytes: costs.map((cost) => cost.scores),
    cache_bytes: costs.map((cost) => cost.cache),
    weight_bytes: costs.map((cost) => cost.weights),
  };
}

function valuesOf(state) {
  const cost = costOf(state);
  const { d_model, n_kv_heads, n_q, n_seen, projections, products } = cost;
  const shared = n_kv_heads * state.d_head;
  const moved = cost.weights + cost.cache + state.n_layers * (cost.rows + (state.remedy === "tiled" ? 0 : SCORE_TRIPS * cost.scores));
  const flops = state.n_layers * workOf(cost);
  return {
    ...state, d_model, n_kv_heads, n_q, n_seen,
    share: shareOf(cost), block_share: products / (projections + products),
    share_limit: shareOf(costOf({ ...state, n: lengths.max })),
    n_half: 5 * d_model + shared, n_block: d_model + shared,
    ...amount("flops", flops, 1000, ["FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP", "ZFLOP"]),
    ...sizeOf("score", cost.scores), ...sizeOf("cache", cost.cache), ...sizeOf("weights", cost.weights),
    intensity: flops / moved, ridge: peak_flops / bandwidth,
    summary: state.remedy === "none" ? state.phase : state.remedy,
  };
}

const sizeOf = (name, bytes) => amount(name, bytes, 1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]);

/** A number with a unit, as two values. */
function amount(name, number, base, units) {
  let at = 0;
  while (number >= base && at < units.length - 1) { number /= base; at += 1; }
  return { [`${name}_amount`]: number, [`${name}_unit`]: units[at] };
}

const X = { domain: [lengths.min, lengths.max], scale: "log", ticks: [1e3, 1e4, 1e5, 1e6], format: "~s" };

function build(ui) {
  const work = workPanel(ui);
  const memory = memoryPanel(ui);
  const numbers = ui.readouts(["share", "memory", "intensity"]);
  const controls = makeControls(ui);
  ui.add(ui.area("main", work), ui.area("side", memory), ui.area("full", numbers), ui.area("full", controls));
  return (result, state, former, formerState) => {
    work.draw(result, state, former, formerState);
    memory.draw(result, state, former);
    numbers.update(result.values, former?.values, result.values.summary);
    controls.update(state, formerState);
  };
}

/** The shares of the three kinds of matrix products, over the length. */
function workPanel(ui) {
  const plot = ui.plot({ name: "work", height: 250, x: X, y: { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], format: ".0%" } });
  const ghost = plot.curve("attn-ghost");
  const [forward, projections] = [plot.curve("attn-other"), plot.curve("attn-other")];
  const products = plot.curve("attn-now");
  const marks = ["n_block", "n_half"].map((name) => ({ name, point: plot.point("attn-other"), text: plot.text("attn-other") }));
  const names = { forward: plot.text("attn-other"), projections: plot.text("attn-other"), products: plot.text("attn-now") };
  const handle = ui.handle(plot, { name: "work", x: "n" });
  const draw = ({ product_shares, projection_shares, forward_shares, values }, state, former, formerState) => {
    plot.fit();
    const { stops, min, max } = lengths;
    forward.draw(stops, forward_shares);
    projections.draw(stops, projection_shares);
    products.draw(stops, product_shares);
    if (former && former.product_shares !== product_shares) ghost.draw(stops, former.product_shares);
    else ghost.hide();
    const label = (name, x, share, side) => names[name].draw(x, share, ui.t(`work.${name}`), side);
    label("forward", min, forward_shares[0], { dx: 6, dy: -7 });
    label("projections", min, projection_shares[0], { dx: 6, dy: forward_shares[0] - projection_shares[0] < 0.15 ? 16 : -7 });
    label("products", max, product_shares.at(-1), { anchor: "end", dx: -4, dy: product_shares.at(-1) > 0.2 ? 22 : -8 });
    for (const mark of marks) drawMark(ui, mark, values, { min, max });
    handle.draw(values.n, values.share, ui.t("work.handle_text", values));
    plot.describe(values);
  };
  return { element: ui.panel(ui.t("work.title"), plot.element), draw };
}

/** A dot where the products meet another curve, unless a window keeps them from it. */
function drawMark(ui, { name, point, text }, values, { min, max }) {
  const n = values[name];
  const met = n >= min && n <= max && (values.remedy !== "window" || n <= WINDOW);
  if (!met) { point.hide(); text.hide(); return; }
  const share = n / (values.n_half + n);
  point.draw(n, share);
  const end = n > Math.sqrt(min * max);
  text.draw(n, share, ui.t(`work.${name}`, values), { anchor: end ? "end" : "start", dx: end ? -9 : 9, dy: end ? -3 : 14 });
}

/** Bytes over the length, on two logarithmic axes. */
function memoryPanel(ui) {
  const plot = ui.plot({ name: "memory", height: 250, x: X, y: { domain: [1e6, 1e12], scale: "log", ticks: [], format: "~s" } });
  const ghost = plot.curve("attn-ghost");
  const [weights, cache] = [plot.curve("attn-muted"), plot.curve("attn-other")];
  const scores = plot.curve("attn-now");
  const names = { weights: plot.text("attn-muted"), cache: plot.text("attn-other"), scores: plot.text("attn-now") };
  const dot = plot.point("attn-now");
  const draw = (result, state, former) => {
    const { stops, max } = lengths;
    const { score_bytes, cache_bytes, weight_bytes, values } = result;
    scaleTo(plot, [...score_bytes, ...cache_bytes, ...weight_bytes]);
    plot.fit();
    weights.draw(stops, weight_bytes);
    cache.draw(stops, cache_bytes);
    scores.draw(stops, score_bytes);
    if (former && former.score_bytes !== score_bytes) drawInside(plot, ghost, former.score_bytes);
    else ghost.hide();
    const ends = { weights: weight_bytes.at(-1), cache: cache_bytes.at(-1), scores: score_bytes.at(-1) };
    for (const [name, place] of Object.entries(apart(plot, ends))) names[name].draw(max, ends[name], ui.t(`memory.${name}`), { anchor: "end", dx: -4, dy: place });
    dot.draw(values.n, costOf(state).scores);
    plot.describe(values);
  };
  return { element: ui.panel(ui.t("memory.title"), plot.element), draw };
}

/** The part of a former curve that lies within the axes of now. */
function drawInside(plot, ghost, bytes) {
  const [low, high] = plot.spec.y.domain;
  const inside = lengths.stops.map((n, k) => [n, bytes[k]]).filter(([, value]) => value >= low && value <= high);
  ghost.draw(inside.map(([n]) => n), inside.map(([, value]) => value));
}

/** Whole decades that hold all values, and ticks at every third. */
function scaleTo(plot, bytes) {
  const [low, high] = [Math.floor(Math.log10(Math.min(...bytes))), Math.ceil(Math.log10(Math.max(...bytes)))];
  const [from, to] = plot.spec.y.domain;
  if (from === 10 ** low && to === 10 ** high) return;
  plot.spec.y.ticks = Array.from({ length: 7 }, (_, k) => 10 ** (3 * k)).filter((tick) => tick >= 10 ** low && tick <= 10 ** high);
  plot.setDomain("y", [10 ** low, 10 ** high]);
}

const LINE = 15; // pixels from one name to the next

/** How far below its curve's end each name stands, so that no two overlap. */
function apart(plot, ends) {
  const order = Object.keys(ends).sort((a, b) => ends[b] - ends[a]);
  const found = {};
  let free = -Infinity;
  for (const name of order) {
    const at = Math.max(plot.y(ends[name]) + LINE, free);
    found[name] = at - plot.y(ends[name]);
    free = at + LINE;
  }
  const over = Math.max(0, free - LINE - (plot.height - 38)); // the last one stays above the axis
  for (const name of order) found[name] = Math.round(found[name] - over);
  return found;
}

function makeControls(ui) {
  const many = { format: (value) => formatNumber(value, ",d") };
  const parts = {
    phase: ui.choice("phase"), remedy: ui.choice("remedy"), n: ui.slider("n", many), n_heads: ui.slider("n_heads"),
    d_head: ui.slider("d_head"), n_layers: ui.slider("n_layers"), batch: ui.slider("batch"),
  };
  const update = (state, former) => {
    for (const [key, part] of Object.entries(parts)) part.update(state, former);
  };
  return { element: ui.controls(...Object.values(parts)), update };
}

export default defineFigure({ name: "cost_calculator", python: "CostCalculator", spec, words, createCompute, build });

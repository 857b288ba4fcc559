// CostCalculator: what a layer of attention costs, term by term, and which term it is that grows.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import { h } from "../../kit/dom.js";
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

const view = (name) => ({ wide: `"models" calc(32 * var(--u)) "${name}" 1fr / 1fr`, narrow: `"models" calc(44 * var(--u)) "${name}" 1fr / 1fr` });
const LAYOUTS = { work: view("work"), memory: view("memory") };

function build(ui) {
  const models = modelChips(ui);
  const parts = { work: workPanel(ui), memory: memoryPanel(ui) };
  const [numbers, all] = [1, 2].map(() => ui.readouts(["share", "memory", "intensity"]));
  const [share, memory] = numbers.element.children;
  const controls = makeControls(ui);
  const picture = ui.picture(LAYOUTS[ui.store.state.view], { models, ...parts });
  ui.rail(numbers, controls.n, controls.view);
  ui.more(controls.phase, controls.remedy, controls.n_heads, controls.d_head, controls.n_layers, controls.batch, all);
  return (result, state, former, formerState) => {
    picture.arrange(LAYOUTS[state.view]);
    models.update(state);
    parts[state.view].draw(result, state, former);
    share.hidden = state.view !== "work";
    memory.hidden = state.view !== "memory";
    for (const part of [numbers, all]) part.update(result.values, former?.values, result.values.summary);
    for (const part of Object.values(controls)) part.update(state, formerState);
  };
}

const SHAPE = ["n_heads", "d_head", "n_layers"];

/** A button for each model: it sets the shape, and leaves the length as it is. */
function modelChips(ui) {
  const { store } = ui;
  const same = (model, state) => SHAPE.every((key) => state[key] === spec.models[model][key]);
  const chips = Object.keys(spec.models).map((model) => ({ model, element: h("button", { class: "attn-button attn-model", type: "button", onclick: () => store.set(spec.models[model], { source: "preset" }) }, ui.t(`models.${model}`)) }));
  const update = (state) => chips.forEach(({ model, element }) => element.setAttribute("aria-pressed", String(same(model, state))));
  return { element: h("div", { class: "attn-models", role: "group", "aria-label": ui.t("models.label") }, chips.map((chip) => chip.element)), update };
}

/** The work of a layer, stacked over the length: at the bottom the two products, above them all else. */
function workPanel(ui) {
  const plot = ui.plot({ name: "work", margin: { right: 18, top: 6, left: 42 }, x: X, y: { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], format: ".0%" } });
  const stack = { forward: plot.area("attn-third"), projections: plot.area("attn-second"), products: plot.area("attn-now") };
  const ghost = plot.curve("attn-ghost");
  const [half, here] = [plot.rule("attn-half"), plot.rule("attn-here")];
  const mark = { point: plot.point("attn-ring"), text: plot.text("attn-strong") };
  const names = { forward: plot.text("attn-strong"), projections: plot.text("attn-strong"), products: plot.text("attn-on-now") };
  const handle = ui.handle(plot, { name: "work", x: "n" });
  const draw = (result, state, former) => {
    const { values } = result;
    plot.fit();
    drawStack(stack, result);
    if (former && former.product_shares !== result.product_shares) ghost.draw(lengths.stops, former.product_shares);
    else ghost.hide();
    half.draw({ y: 0.5 });
    here.draw({ x: values.n });
    nameAreas(ui, names, result);
    drawMark(ui, plot, mark, values);
    handle.draw(values.n, values.share, ui.t("work.handle_text", values));
    plot.describe(values);
  };
  return { element: ui.panel(ui.t("work.title"), plot), draw };
}

function drawStack({ forward, projections, products }, { product_shares, projection_shares }) {
  const { stops } = lengths;
  const both = product_shares.map((share, k) => share + projection_shares[k]);
  const [none, all] = [0, 1].map((level) => stops.map(() => level));
  products.draw(stops, none, product_shares);
  projections.draw(stops, product_shares, both);
  forward.draw(stops, both, all);
}

const SEEN = 0.09; // a thinner area has no room for its name

/** Each name stands in its own area, at the end where it is thickest. */
function nameAreas(ui, names, { product_shares, projection_shares, forward_shares }) {
  const { min, max } = lengths;
  const place = (name, x, middle, share, side) => {
    if (share < SEEN) names[name].hide();
    else names[name].draw(x, middle, ui.t(`work.${name}`), { dy: 5, ...side });
  };
  const products = product_shares.at(-1);
  place("products", max, 0.4 * products, products, { anchor: "end", dx: -8 });
  place("projections", min, product_shares[0] + 0.7 * projection_shares[0], projection_shares[0], { dx: 8 });
  place("forward", min, 1 - forward_shares[0] / 2, forward_shares[0], { dx: 8 });
}

const WORDS = 130; // units that the words need

/** Where the products take half of the work, unless a window keeps them from it. */
function drawMark(ui, plot, { point, text }, values) {
  const { min, max } = lengths;
  const n = values.n_half;
  const met = n >= min && n <= max && (values.remedy !== "window" || n <= WINDOW);
  if (!met) { point.hide(); text.hide(); return; }
  point.draw(n, 0.5);
  if (plot.x(n) - plot.margin.left < WORDS) text.hide(); // the area at the right is dark
  else text.draw(n, 0.5, ui.t("work.n_half", values), { anchor: "end", dx: -10, dy: -8 });
}

/** Bytes over the length, on two logarithmic axes. */
function memoryPanel(ui) {
  const plot = ui.plot({ name: "memory", x: X, y: { domain: [1e6, 1e12], scale: "log", ticks: [], format: "~s" } });
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
  return { element: ui.panel(ui.t("memory.title"), plot), draw };
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

const LINE = 17; // pixels from one name to the next

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
  const over = Math.max(0, free - LINE - (plot.height - 46)); // the last one stays above the axis
  for (const name of order) found[name] = Math.round(found[name] - over);
  return found;
}

function makeControls(ui) {
  const many = { format: (value) => formatNumber(value, ",d") };
  return {
    n: ui.slider("n", many), view: ui.choice("view"), phase: ui.choice("phase"), remedy: ui.choice("remedy"),
    n_heads: ui.slider("n_heads"), d_head: ui.slider("d_head"), n_layers: ui.slider("n_layers"), batch: ui.slider("batch"),
  };
}

export default defineFigure({ name: "cost_calculator", python: "CostCalculator", spec, words, createCompute, build });

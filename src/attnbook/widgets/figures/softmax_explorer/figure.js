// SoftmaxExplorer: five scores, their weights, the derivative, and the entropy at every temperature.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import * as math from "../../kit/attention_math.js";
import { h, rich, s, setAttributes, setText } from "../../kit/dom.js";
import { defineFigure } from "../../kit/define.js";
import { plain } from "../../kit/numbers.js";

const N = 5;
const PLACES = [0, 1, 2, 3, 4];
const SCORES = PLACES.map((k) => `z${k + 1}`);
const { temperature: temperatures, z1: range } = spec.state;
const GRID = 120; // points of the entropy curve, besides the limit

const scoresOf = (state) => Float64Array.from(SCORES, (key) => state[key]);

/** The weights at a temperature; at 0 the limit, in which tied leaders share. */
function weightsAt(scores, temperature) {
  if (temperature > 0) return math.softmaxRows(scores, 1, N, temperature);
  const leads = scores.map((score) => (score === Math.max(...scores) ? 1 : 0));
  return math.scaled(leads, 1 / leads.reduce((sum, one) => sum + one));
}

/** diag(w) − w wᵀ: how weight i answers to score j over the temperature. */
function jacobianOf(weights) {
  return Float64Array.from({ length: N * N }, (_, at) => {
    const [i, j] = [Math.floor(at / N), at % N];
    return (i === j ? weights[i] : 0) - weights[i] * weights[j];
  });
}

/** Weight i over weight j, or null where that is no finite number. */
function ratioOf(gap, temperature) {
  if (temperature === 0) return gap === 0 ? 1 : null;
  const ratio = Math.exp(gap / temperature);
  return Number.isFinite(ratio) ? ratio : null;
}

const span = Math.log(temperatures.max / temperatures.low);
const CURVE_AT = [0, ...Array.from({ length: GRID }, (_, k) => temperatures.low * Math.exp((span * k) / (GRID - 1)))];

function curveOf(scores) {
  return CURVE_AT.map((temperature) => math.entropy(weightsAt(scores, temperature), 1, N)[0]);
}

function createCompute() {
  let curve = { key: null };
  return (state) => {
    const scores = scoresOf(state);
    const weights = weightsAt(scores, state.temperature);
    const key = scores.join();
    if (curve.key !== key) curve = { key, entropy: curveOf(scores) };
    const pairs = PLACES.slice(1).map((k) => ({ gap: scores[k - 1] - scores[k], ratio: ratioOf(scores[k - 1] - scores[k], state.temperature) }));
    return { scores, weights, jacobian: jacobianOf(weights), pairs, curve: curve.entropy, values: valuesOf(state, scores, weights, pairs) };
  };
}

function valuesOf(state, scores, weights, pairs) {
  const top = math.largestWeight(weights, 1, N)[0];
  const entropy = math.entropy(weights, 1, N)[0];
  const leaders = scores.filter((score) => score === Math.max(...scores)).length;
  return {
    ...state,
    ...Object.fromEntries(PLACES.map((k) => [`w${k + 1}`, weights[k]])),
    ...Object.fromEntries(pairs.map(({ ratio }, k) => [`ratio_${k + 1}${k + 2}`, ratio])),
    largest_weight: top, others_weight: 1 - top, response: top * (1 - top), response_share: 4 * top * (1 - top), quarter: 0.25,
    entropy, max_entropy: Math.log(N), entropy_share: entropy / Math.log(N), limit_entropy: Math.log(leaders),
    effective_keys: math.effectiveKeys(weights, 1, N)[0], n_keys: N, n_leaders: leaders,
    summary: state.temperature > 0 ? "default" : leaders > 1 ? "limit_tie" : "limit",
  };
}

const beside = (panel) => ({ wide: `"scores ${panel}" 1fr "weights ${panel}" 1fr / 1fr 1fr`, narrow: `"${panel}" 1fr / 1fr` });
const LAYOUTS = {
  weights: { wide: '"scores" 9fr "weights" 10fr / 1fr', narrow: '"scores" 9fr "weights" 10fr / 1fr' },
  slopes: beside("map"),
  entropy: beside("curve"),
};

function build(ui) {
  const scores = scoresPanel(ui);
  const weights = weightsPanel(ui);
  const curve = curvePanel(ui);
  let result = null;
  const map = ui.heatmap({ name: "map", describe: (cell) => describeCell(ui, result, cell) });
  const temperature = ui.slider("temperature", { format: (value) => (value === 0 ? ui.t("controls.temperature_limit") : plain(value)) });
  const all = allButtons(ui);
  const view = ui.choice("view");
  const numbers = ui.readouts(["effective_keys", "response", "entropy"]);
  const picture = ui.picture(LAYOUTS[ui.store.state.view], { scores, weights, map: ui.panel(ui.t("map.title"), map), curve });
  ui.rail(temperature, all, view);
  ui.more(numbers);
  const draw = (now, state, former, formerState) => {
    result = now;
    picture.arrange(LAYOUTS[state.view]);
    scores.draw(now, former);
    weights.draw(now, former);
    if (state.view === "entropy") curve.draw(now, former);
    if (state.view === "slopes") drawMap(ui, map, now);
    temperature.update(state, formerState);
    all.update(state);
    view.update(state, formerState);
    numbers.update(now.values, former?.values);
  };
  draw.cellAt = map.cellAt;
  return draw;
}

function drawMap(ui, map, { jacobian }) {
  map.draw({
    nRows: N, nCols: N, values: jacobian, low: -0.25, high: 0.25, colours: "puor", digits: ".3f",
    rowLabels: names(ui, "weight"), colLabels: names(ui, "score"),
  });
}

const names = (ui, kind) => PLACES.map((k) => ui.t(`${kind}_names.${k + 1}`));

/** Lines for a cell of the derivative. */
function describeCell(ui, { weights, jacobian, values }, cell) {
  const where = values.temperature === 1 ? "unit" : values.temperature === 0 ? "unit_limit" : "unit_temperature";
  const [i, j] = cell;
  const about = {
    ...values, i, j, wi: ui.t(`weight_names.${i + 1}`), wj: ui.t(`weight_names.${j + 1}`), zj: ui.t(`score_names.${j + 1}`),
    slope: jacobian[i * N + j], own: weights[i], other: weights[j], rest: 1 - weights[i],
  };
  const kind = i === j ? "own" : "other";
  return [ui.t("map.cell", about), ui.t(`map.term_${kind}`, about), ui.t(`map.${where}`, about), ui.t("map.code_cell", about)];
}

function scoresPanel(ui) {
  const plot = ui.plot({
    name: "scores",
    x: { domain: [-0.5, N - 0.5], ticks: PLACES, labels: names(ui, "score"), title: "" },
    y: { domain: [range.min - 0.7, range.max + 0.7], base: 0, ticks: [-4, -2, 0, 2, 4] },
  });
  const bars = plot.bars("attn-now");
  const zero = plot.rule("attn-zero");
  const ghost = plot.caps("attn-ghost");
  const texts = PLACES.map(() => plot.text("attn-bar-value"));
  const handles = SCORES.map((key) => ui.handle(plot, { name: `scores.${key}`, y: key, className: "attn-handle-y" }));
  for (const { element } of handles) element.setAttribute("aria-orientation", "vertical");
  const draw = ({ scores, values }, former) => {
    plot.fit();
    bars.draw(scores);
    zero.draw({ y: 0 });
    if (former) ghost.draw(former.scores);
    else ghost.hide();
    for (const k of PLACES) {
      const text = plain(scores[k]);
      // above the zero line where the bar goes down: below its end stand the names
      if (scores[k] < 0) texts[k].draw(k, 0, text, { anchor: "middle", dy: -5 });
      else texts[k].draw(k, scores[k], text, { anchor: "middle", dy: -12 });
      handles[k].draw(k, scores[k], text);
    }
    plot.describe(values);
  };
  return { element: ui.panel(ui.t("scores.title"), plot), draw };
}

const TOP = 1.42; // of the axis of weights: above 1 stand the ratios

function weightsPanel(ui) {
  const plot = ui.plot({
    name: "weights",
    x: { domain: [-0.5, N - 0.5], ticks: PLACES, labels: names(ui, "weight"), title: "" },
    y: { domain: [0, TOP], ticks: [0, 0.5, 1] },
  });
  const bars = plot.bars("attn-now");
  const ghost = plot.caps("attn-ghost");
  const texts = PLACES.map(() => plot.text("attn-bar-value"));
  const ratios = PLACES.slice(1).map((k) => ratioMark(plot, k - 0.5));
  const hint = h("p", { class: "attn-hint attn-only-wide" }, rich(ui.t("weights.hint")));
  const panel = ui.panel("", plot, hint);
  const draw = ({ weights, pairs, values }, former) => {
    hint.hidden = values.view !== "weights"; // beside another panel it has no room
    plot.fit();
    bars.draw(weights);
    if (former) ghost.draw(former.weights);
    else ghost.hide();
    for (const k of PLACES) texts[k].draw(k, weights[k], ui.fill("{weight:.3f}", { weight: weights[k] }), { anchor: "middle", dy: -5 });
    ratios.forEach((mark, k) => mark.draw(pairs[k], former?.pairs[k]));
    if (!ui.moving) setText(panel.firstChild, ui.t("weights.title", values));
    plot.describe(values);
  };
  return { element: panel, draw };
}

const LOCK = { body: "M-4 0h8v6h-8z", shackle: "M-2.5 0v-2a2.5 2.5 0 0 1 5 0v2" }; // a closed padlock, 8 pixels wide

/** The ratio of two neighbouring weights over a bracket, with a padlock where the last move left it alone. */
function ratioMark(plot, at) {
  const bracket = s("path", { class: "attn-bracket" });
  const lock = s("g", { class: "attn-lock" }, s("path", { d: LOCK.body }), s("path", { d: LOCK.shackle, fill: "none" }));
  const text = s("text", { class: "attn-plot-text", "text-anchor": "middle" });
  const group = s("g", { class: "attn-ratio" }, bracket, lock, text);
  plot.layers.append(group);
  const draw = (pair, former) => {
    const [left, x, right] = [at - 0.42, at, at + 0.42].map((place) => Math.round(plot.x(place)));
    const y = Math.round(plot.y(1.24));
    bracket.setAttribute("d", `M${left} ${y + 4}V${y}H${right}V${y + 4}`);
    const locked = Boolean(former) && isSame(pair, former);
    setText(text, short(pair));
    setAttributes(text, { x, y: y - 4 });
    setAttributes(lock, { transform: `translate(${x} ${y + 7})` });
    group.classList.toggle("attn-locked", locked);
    group.classList.toggle("attn-freed", Boolean(former) && !locked);
  };
  return { draw };
}

function isSame(pair, former) {
  if (pair.ratio === null || former.ratio === null) return pair.ratio === former.ratio && Math.sign(pair.gap) === Math.sign(former.gap);
  return Math.abs(pair.ratio - former.ratio) <= 1e-9 * pair.ratio;
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A ratio in little room: three digits, or a power of ten. */
function short({ ratio, gap }) {
  if (ratio === null) return gap > 0 ? "∞" : "0";
  if (ratio === 0 || (ratio < 9995 && ratio >= 0.00995)) return plain(ratio >= 999.5 ? Math.round(ratio) : Number(ratio.toPrecision(3)));
  const [digits, power] = ratio.toExponential(0).split("e");
  const raised = power.replace("+", "").replace("-", "⁻").replace(/\d/g, (digit) => RAISED[digit]);
  return `${digits}·10${raised}`;
}

function curvePanel(ui) {
  const { low, max } = temperatures;
  const plot = ui.plot({
    name: "curve",
    x: { domain: [low, max], scale: "log", zero: true, count: 9 }, y: { domain: [0, Math.log(N) * 1.16], count: 4 },
  });
  const limit = plot.rule("attn-limit");
  const limitText = plot.text("attn-muted");
  const ghost = plot.curve("attn-ghost");
  const now = plot.curve("attn-now");
  const ghostPoint = plot.point("attn-ghost");
  const point = ui.handle(plot, { name: "curve", x: "temperature" });
  const draw = ({ curve, values }, former) => {
    plot.fit();
    limit.draw({ y: values.max_entropy });
    limitText.draw(0, values.max_entropy, ui.t("curve.limit"), { dx: 4, dy: -4 });
    now.draw(CURVE_AT, curve);
    if (former) {
      ghost.draw(CURVE_AT, former.curve);
      ghostPoint.draw(former.values.temperature, former.values.entropy);
    } else {
      ghost.hide();
      ghostPoint.hide();
    }
    point.draw(values.temperature, values.entropy, ui.t("curve.handle_text", values));
    plot.describe(values);
  };
  return { element: ui.panel(ui.t("curve.title"), plot), draw };
}

const STEP = 0.5;

/** Two buttons that move all scores together, as far as the range goes. */
function allButtons(ui) {
  const { store } = ui;
  const moved = (state, by) => SCORES.map((key) => Number((state[key] + by).toPrecision(12)));
  const fits = (state, by) => moved(state, by).every((score) => score >= range.min && score <= range.max);
  const move = (by) => {
    if (!fits(store.state, by)) return;
    store.set(Object.fromEntries(moved(store.state, by).map((score, k) => [SCORES[k], score])), { gesture: "all" });
  };
  const button = (by, sign, word) => h("button", { class: "attn-button attn-step", type: "button", "aria-label": ui.t(`controls.${word}`), onclick: () => move(by) }, sign);
  const [less, more] = [button(-STEP, "−", "all_less"), button(STEP, "+", "all_more")];
  const element = h("div", { class: "attn-control attn-stepper" },
    h("span", { class: "attn-label" }, ui.t("controls.all")), h("span", { class: "attn-stepper-row" }, less, more));
  const update = (state) => {
    less.disabled = !fits(state, -STEP);
    more.disabled = !fits(state, STEP);
  };
  return { element, update };
}

export default defineFigure({ name: "softmax_explorer", python: "SoftmaxExplorer", spec, words, createCompute, build });

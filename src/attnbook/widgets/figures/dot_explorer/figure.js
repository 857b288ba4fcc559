// DotExplorer: one query and three keys in the plane; lengths, angles, scores and weights.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import * as math from "../../kit/attention_math.js";
import { h, rich, setRich, setText } from "../../kit/dom.js";
import { defineFigure } from "../../kit/define.js";

const N = 3;
const KEYS = [1, 2, 3];
const TIE = 1e-9; // what is nearer than this is equal: 0.1 + 0.2 is not 0.3
const { q_x: rangeX, q_y: rangeY } = spec.state;

/** Takes what rounding left of a zero for zero. */
const settled = (value) => (Math.abs(value) < TIE ? 0 : value);

/** What a query and a key have in common: lengths, angle in degrees (null without a direction), products. */
function compare([qx, qy], [kx, ky]) {
  const lengths = [Math.hypot(qx, qy), Math.hypot(kx, ky)];
  const dot = settled(qx * kx + qy * ky);
  const none = lengths[0] === 0 || lengths[1] === 0;
  const angle = none ? null : (Math.atan2(Math.abs(qx * ky - qy * kx), dot) * 180) / Math.PI;
  return { length: lengths[1], dot, angle, cosine: none ? 0 : dot / (lengths[0] * lengths[1]) };
}

function createCompute() {
  return (state) => {
    const query = [state.q_x, state.q_y];
    const keys = KEYS.map((k) => [state[`k${k}_x`], state[`k${k}_y`]]);
    const pairs = keys.map((key) => compare(query, key));
    const scores = Float64Array.from(pairs, (pair) => pair[state.score]);
    const weights = math.softmaxRows(scores, 1, N, state.temperature);
    return { query, keys, pairs, scores, weights, values: valuesOf(state, query, pairs, scores, weights) };
  };
}

function valuesOf(state, query, pairs, scores, weights) {
  const top = Math.max(...scores);
  const leaders = KEYS.filter((k) => scores[k - 1] >= top - TIE);
  const named = (name, of) => Object.fromEntries(KEYS.map((k) => [`${name}${k}`, of(k - 1)]));
  return {
    ...state, q_length: Math.hypot(...query),
    ...named("length_", (k) => pairs[k].length), ...named("cosine_", (k) => pairs[k].cosine), ...named("angle_", (k) => pairs[k].angle),
    ...named("score_", (k) => scores[k]), ...named("w", (k) => weights[k]),
    winner: leaders.length === 1 ? leaders[0] : 0, largest_weight: Math.max(...weights),
    summary: leaders.length > 1 ? "tie" : state.score,
  };
}

function build(ui) {
  const vectors = vectorsPanel(ui);
  const scores = barsPanel(ui, "scores", ".2f");
  const weights = barsPanel(ui, "weights", ".3f");
  const table = numbersTable(ui);
  const score = ui.choice("score");
  const temperature = ui.slider("temperature");
  ui.add(
    ui.area("main", vectors), ui.area("side", scores, weights),
    ui.area("full", table), ui.area("full", ui.controls(score, temperature)));
  return (now, state, former, formerState) => {
    vectors.draw(now, former);
    scores.draw(now, former, limitOf(now, former));
    weights.draw(now, former, 1);
    table.draw(now);
    score.update(state, formerState);
    temperature.update(state, formerState);
  };
}

const LIMITS = [1, 2, 5, 10, 30];

/** A round end for the axis of the scores, of the former state too. */
function limitOf(now, former) {
  const most = Math.max(...[now, former ?? now].flatMap(({ scores }) => [...scores].map(Math.abs)));
  return LIMITS.find((limit) => most <= limit) ?? most;
}

// --- the plane

const unit = ([x, y]) => {
  const length = Math.hypot(x, y);
  return length === 0 ? [0, 0] : [x / length, y / length];
};

function vectorsPanel(ui) {
  const plot = ui.plane({ name: "plane", reach: { x: rangeX.max + 0.3, y: rangeY.max + 0.4 }, height: 300 });
  const zeros = [plot.rule("attn-zero"), plot.rule("attn-zero")];
  const circle = plot.circle("attn-unit");
  const axis = plot.segment("attn-query-line");
  const ghosts = [0, ...KEYS].map(() => plot.arrow("attn-ghost"));
  const query = { arrow: plot.arrow("attn-query"), name: plot.text("attn-query") };
  const parts = KEYS.map((k) => keyParts(ui, plot, k));
  query.handle = ui.handle(plot, { name: "plane.q", x: "q_x", y: "q_y", className: "attn-handle-xy attn-query" });
  const handles = [query.handle, ...parts.map((part) => part.handle)];
  for (const { element } of handles) element.setAttribute("aria-roledescription", ui.t("plane.role"));
  const feet = parts.map(() => plot.point("attn-foot")); // above the handles, which may hide them
  const hint = h("p", { class: "attn-hint" });
  const draw = (now, former) => {
    plot.fit();
    zeros[0].draw({ x: 0 });
    zeros[1].draw({ y: 0 });
    const cosine = now.values.score === "cosine";
    if (cosine) circle.draw(1);
    else circle.hide();
    drawAxis(plot, axis, now.query);
    [now.query, ...now.keys].forEach((_, k) => drawGhost(ghosts[k], k, now, former));
    parts.forEach((part, k) => part.draw(now, k, cosine, feet[k]));
    query.arrow.draw(now.query, 8);
    nameAt(query.name, now.query, ui.t("names.q"), 1); // beyond it may lie the feet
    query.handle.draw(...now.query, ui.t("plane.place", { x: now.query[0], y: now.query[1], length: now.values.q_length }));
    setRich(hint, ui.t(`plane.hint_${now.values.score}`, now.values));
    plot.describe(now.values);
  };
  return { element: ui.panel(ui.t("plane.title"), plot.element, hint), draw };
}

/** The line through the query, from border to border: on it lie the feet of the keys. */
function drawAxis(plot, axis, query) {
  const [x, y] = unit(query);
  if (x === 0 && y === 0) return axis.hide();
  const reach = Math.min(plot.spec.x.domain[1] / Math.abs(x), plot.spec.y.domain[1] / Math.abs(y));
  return axis.draw([-reach * x, -reach * y], [reach * x, reach * y]);
}

function drawGhost(ghost, k, now, former) {
  const place = (result) => (k === 0 ? result.query : result.keys[k - 1]);
  if (former && place(former).join() !== place(now).join()) ghost.draw(place(former));
  else ghost.hide();
}

/** A name beyond the tip of an arrow, or beside it: 1 is to the left of where it points, -1 to the right. */
function nameAt(text, point, name, side = 0) {
  const along = point[0] === 0 && point[1] === 0 ? [0.7, 0.7] : unit(point);
  const [x, y] = side ? [-side * along[1], side * along[0]] : along;
  text.draw(...point, name, { anchor: "middle", dx: Math.round(18 * x), dy: Math.round(4 - 16 * y) });
}

/** One key: its arrow, the line down to the query, the foot there, the handle. In cosine, all of it for the key cut to length 1. */
function keyParts(ui, plot, k) {
  const whole = plot.segment("attn-key-thin");
  const drop = plot.segment("attn-drop");
  const arrow = plot.arrow("attn-key");
  const name = plot.text("attn-key");
  const handle = ui.handle(plot, { name: `plane.k${k}`, x: `k${k}_x`, y: `k${k}_y`, className: "attn-handle-xy attn-key" });
  const draw = (now, at, cosine, foot) => {
    const key = now.keys[at];
    const [x, y] = unit(now.query);
    const point = cosine ? unit(key) : key;
    const along = x * point[0] + y * point[1];
    arrow.draw(point, cosine ? 0 : 8);
    if (cosine) whole.draw(point, key);
    else whole.hide();
    drop.draw(point, [along * x, along * y]);
    foot.draw(along * x, along * y);
    arrow.element.classList.toggle("attn-wins", now.values.winner === k);
    foot.element.classList.toggle("attn-wins", now.values.winner === k);
    const { angle, length } = now.pairs[at];
    const onWay = angle !== null && angle < 25 && length < now.values.q_length + 0.6; // where the query's arrow goes on
    nameAt(name, key, ui.t(`names.${k}`), onWay ? -1 : 0);
    handle.draw(...key, ui.t("plane.place", { x: key[0], y: key[1], length: now.pairs[at].length }));
  };
  return { handle, draw };
}

// --- bars and numbers

const VALUE_ROOM = 22; // pixels that a number takes at the end of its bar

/** Where a bar's number stands: at the bar's end, or past the former end if that would run through the number. */
function clearOf(plot, value, former = value) {
  const beyond = Math.sign(former) === Math.sign(value) && Math.abs(former) > Math.abs(value);
  return beyond && Math.abs(plot.y(former) - plot.y(value)) < VALUE_ROOM ? former : value;
}

function barsPanel(ui, name, digits) {
  const labels = KEYS.map((k) => ui.t(`names.${k}`));
  const plot = ui.plot({
    name, height: 150,
    x: { domain: [-0.5, N - 0.5], ticks: [0, 1, 2], labels, title: "" },
    y: { domain: [0, 1.2], base: 0, count: 4 },
  });
  const bars = plot.bars("attn-now");
  const zero = plot.rule("attn-zero");
  const ghost = plot.caps("attn-ghost");
  const texts = KEYS.map(() => plot.text("attn-bar-value"));
  let domain = null;
  const draw = (now, former, limit) => {
    const values = now[name];
    const low = [...values, ...(former?.[name] ?? [])].some((value) => value < 0) ? -limit : 0;
    if (domain !== `${low} ${limit}`) plot.setDomain("y", [1.3 * low, 1.3 * limit]);
    domain = `${low} ${limit}`;
    plot.fit();
    bars.draw(values);
    zero.draw({ y: 0 });
    if (former) ghost.draw(former[name]);
    else ghost.hide();
    values.forEach((value, k) => {
      texts[k].draw(k, clearOf(plot, value, former?.[name][k]), ui.fill(`{value:${digits}}`, { value: settled(value) }), { anchor: "middle", dy: value < 0 ? 14 : -5 });
    });
    plot.describe(now.values);
  };
  return { element: ui.panel(ui.t(`${name}.title`), plot.element), draw };
}

const COLUMNS = ["length", "angle", "cosine", "score", "weight"];

/** The numbers of each key, a row to a key; the winner's row is bold. */
function numbersTable(ui) {
  const rows = KEYS.map((k) => tableRow(ui, k));
  const head = h("tr", {}, h("th", { scope: "col" }, ui.t("table.key")), COLUMNS.map((name) => h("th", { scope: "col" }, ui.t(`table.${name}`))));
  const hint = h("p", { class: "attn-hint" });
  const element = h("div", {},
    h("table", { class: "attn-numbers" }, h("caption", { class: "attn-sr" }, ui.t("table.caption")), h("thead", {}, head), h("tbody", {}, rows.map((row) => row.element))), hint);
  const draw = (now) => {
    for (const row of rows) row.draw(now);
    setRich(hint, ui.t(`table.hint_${now.values.score}`, now.values));
  };
  return { element: ui.panel(ui.t("table.title"), element), draw };
}

function tableRow(ui, k) {
  const cells = COLUMNS.map(() => h("td"));
  const element = h("tr", {}, h("th", { scope: "row" }, rich(ui.t(`names.${k}`))), cells);
  const show = (template, value) => ui.fill(template, { value: settled(value) });
  const draw = (now) => {
    const { length, angle, cosine } = now.pairs[k - 1];
    const texts = [
      show("{value:.2f}", length), angle === null ? ui.t("table.none") : ui.t("table.degrees", { angle: settled(angle) }),
      show("{value:.3f}", cosine), show("{value:.2f}", now.scores[k - 1]), show("{value:.3f}", now.weights[k - 1])];
    cells.forEach((cell, at) => setText(cell, texts[at]));
    element.classList.toggle("attn-wins", now.values.winner === k);
  };
  return { element, draw };
}

export default defineFigure({ name: "dot_explorer", python: "DotExplorer", spec, words, createCompute, build });

// DotExplorer: one query and three keys in the plane; lengths, angles, scores and weights.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import * as math from "../../kit/attention_math.js";
import { h, setRich, setText } from "../../kit/dom.js";
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

const LAYOUT = {
  wide: '"plane table" 1fr / 1fr calc(280 * var(--u))',
  narrow: '"plane" 1fr "table" calc(80 * var(--u)) / 1fr',
};

function build(ui) {
  const plane = vectorsPanel(ui);
  const table = numbersTable(ui);
  const numbers = ui.readouts(["weight"]);
  const score = ui.choice("score");
  const temperature = ui.slider("temperature");
  ui.picture(LAYOUT, { plane, table });
  ui.rail(numbers, temperature, score);
  return (now, state, former, formerState) => {
    plane.draw(now, former);
    table.draw(now, former);
    numbers.update(now.values, former?.values, now.values.winner ? "" : "tie");
    score.update(state, formerState);
    temperature.update(state, formerState);
  };
}

const LIMITS = [1, 2, 5, 10, 30];

/** A round end for the bars of the scores, of the former state too. */
function limitOf(now, former) {
  const most = Math.max(...[now, former ?? now].flatMap(({ scores }) => [...scores].map(Math.abs)));
  return LIMITS.find((limit) => most <= limit) ?? most;
}

// --- the plane

const unit = ([x, y]) => {
  const length = Math.hypot(x, y);
  return length === 0 ? [0, 0] : [x / length, y / length];
};

const SHADOW = 9; // units from one shadow to the next; they lie beside the line of the query

function vectorsPanel(ui) {
  const plot = ui.plane({ name: "plane", reach: { x: rangeX.max + 0.3, y: rangeY.max + 0.4 } });
  const zeros = [plot.rule("attn-zero"), plot.rule("attn-zero")];
  const circle = plot.circle("attn-unit");
  const axis = plot.segment("attn-query-line");
  const ghosts = [0, ...KEYS].map(() => plot.arrow("attn-ghost"));
  const shadows = KEYS.map(() => ({ bar: plot.segment("attn-shadow"), name: plot.text("attn-key") }));
  const query = { arrow: plot.arrow("attn-query"), name: plot.text("attn-query") };
  const parts = KEYS.map((k) => keyParts(ui, plot, k));
  query.handle = ui.handle(plot, { name: "plane.q", x: "q_x", y: "q_y", className: "attn-handle-xy attn-query" });
  const handles = [query.handle, ...parts.map((part) => part.handle)];
  for (const { element } of handles) element.setAttribute("aria-roledescription", ui.t("plane.role"));
  const hint = h("p", { class: "attn-hint attn-only-wide" });
  const draw = (now, former) => {
    plot.fit();
    zeros[0].draw({ x: 0 });
    zeros[1].draw({ y: 0 });
    const cosine = now.values.score === "cosine";
    if (cosine) circle.draw(1);
    else circle.hide();
    drawAxis(plot, axis, now.query);
    [now.query, ...now.keys].forEach((_, k) => drawGhost(ghosts[k], k, now, former));
    parts.forEach((part, k) => part.draw(now, k, cosine));
    shadows.forEach((shadow, k) => drawShadow(ui, plot, shadow, now, k, cosine));
    query.arrow.draw(now.query, 8);
    nameAt(query.name, now.query, ui.t("names.q"), 1); // beyond it may lie the shadows
    query.handle.draw(...now.query, ui.t("plane.place", { x: now.query[0], y: now.query[1], length: now.values.q_length }));
    if (!ui.moving) setRich(hint, ui.t(`plane.hint_${now.values.score}`, now.values));
    plot.describe(now.values);
  };
  return { element: ui.panel(ui.t("plane.title"), plot, hint), draw };
}

/** A key's shadow on the line of the query: a bar from the origin, the three side by side. */
function drawShadow(ui, plot, { bar, name }, now, k, cosine) {
  const [x, y] = unit(now.query);
  const point = cosine ? unit(now.keys[k]) : now.keys[k];
  const along = x * point[0] + y * point[1];
  const aside = (SHADOW * (k + 0.9)) / plot.perUnit();
  const [dx, dy] = [y * aside, -x * aside];
  if (Math.abs(along) < TIE || (x === 0 && y === 0)) { bar.hide(); name.hide(); return; }
  bar.draw([dx, dy], [along * x + dx, along * y + dy]);
  bar.element.classList.toggle("attn-wins", now.values.winner === k + 1);
  if (now.values.winner !== k + 1) name.hide();
  else name.draw(along * x + dx, along * y + dy, ui.t(`names.${k + 1}`), { anchor: "middle", dx: 12 * x * Math.sign(along), dy: 5 - 12 * y * Math.sign(along) });
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

/** One key: its arrow, the line down to the query, the handle. In cosine, all of it for the key cut to length 1. */
function keyParts(ui, plot, k) {
  const whole = plot.segment("attn-key-thin");
  const drop = plot.segment("attn-drop");
  const arrow = plot.arrow("attn-key");
  const name = plot.text("attn-key");
  const handle = ui.handle(plot, { name: `plane.k${k}`, x: `k${k}_x`, y: `k${k}_y`, className: "attn-handle-xy attn-key" });
  const draw = (now, at, cosine) => {
    const key = now.keys[at];
    const [x, y] = unit(now.query);
    const point = cosine ? unit(key) : key;
    const along = x * point[0] + y * point[1];
    arrow.draw(point, cosine ? 0 : 8);
    if (cosine) whole.draw(point, key);
    else whole.hide();
    drop.draw(point, [along * x, along * y]);
    arrow.element.classList.toggle("attn-wins", now.values.winner === k);
    const { angle, length } = now.pairs[at];
    const onWay = angle !== null && angle < 25 && length < now.values.q_length + 0.6; // where the query's arrow goes on
    nameAt(name, key, ui.t(`names.${k}`), onWay ? -1 : 0);
    handle.draw(...key, ui.t("plane.place", { x: key[0], y: key[1], length: now.pairs[at].length }));
  };
  return { handle, draw };
}

// --- the table, whose cells of scores and weights are bars

const PLAIN = ["angle", "length"];
const BARS = ["score", "weight"];

/** The numbers of each key, a row to a key; the winner's row is bold. */
function numbersTable(ui) {
  const rows = KEYS.map((k) => tableRow(ui, k));
  const head = h("tr", {}, ["key", ...PLAIN, ...BARS].map((name) => h("th", { scope: "col", class: PLAIN.includes(name) && "attn-wide-cell" }, ui.t(`table.${name}`))));
  const hint = h("p", { class: "attn-caption attn-only-wide" });
  const table = h("table", { class: "attn-numbers" }, h("caption", { class: "attn-sr" }, ui.t("table.caption")), h("thead", {}, head), h("tbody", {}, rows.map((row) => row.element)));
  const draw = (now, former) => {
    const limit = limitOf(now, former);
    for (const row of rows) row.draw(now, former, limit);
    if (!ui.moving) setRich(hint, ui.t(`table.hint_${now.values.score}`, now.values));
  };
  const panel = ui.panel(ui.t("table.title"), table, hint);
  panel.classList.add("attn-table-panel");
  return { element: panel, draw };
}

function tableRow(ui, k) {
  const cells = PLAIN.map(() => h("td", { class: "attn-wide-cell" }));
  const bars = { score: barCell(ui, "{value:.2f}"), weight: barCell(ui, "{value:.3f}") };
  const element = h("tr", {}, h("th", { scope: "row" }, ui.t(`names.${k}`)), cells, BARS.map((name) => bars[name].element));
  const show = (template, value) => ui.fill(template, { value: settled(value) });
  const draw = (now, former, limit) => {
    bars.score.draw(now.scores[k - 1], former?.scores[k - 1], limit);
    bars.weight.draw(now.weights[k - 1], former?.weights[k - 1], 1);
    element.classList.toggle("attn-wins", now.values.winner === k);
    if (ui.moving) return;
    const { length, angle } = now.pairs[k - 1];
    setText(cells[0], angle === null ? ui.t("table.none") : ui.t("table.degrees", { angle: settled(angle) }));
    setText(cells[1], show("{value:.2f}", length));
  };
  return { element, draw };
}

/** A number over its bar; the bar's former end is marked grey. Bars below zero are hollow. */
function barCell(ui, template) {
  const [bar, before, text] = [h("span", { class: "attn-cell-bar" }), h("span", { class: "attn-cell-before" }), h("span")];
  const element = h("td", { class: "attn-bar-cell" }, text, h("span", { class: "attn-cell-track", "aria-hidden": "true" }, bar, before));
  const percent = (value, limit) => `${Math.min((100 * Math.abs(value)) / limit, 100)}%`;
  const draw = (value, former, limit) => {
    bar.style.width = percent(value, limit);
    bar.classList.toggle("attn-negative", value < 0);
    before.hidden = former === undefined || Math.abs(former - value) < TIE;
    before.style.left = former === undefined ? "0" : percent(former, limit);
    if (!ui.moving) setText(text, ui.fill(template, { value: settled(value) }));
  };
  return { element, draw };
}

export default defineFigure({ name: "dot_explorer", python: "DotExplorer", spec, words, createCompute, build });

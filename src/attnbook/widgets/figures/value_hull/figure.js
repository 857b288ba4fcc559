// ValueHull: a query among keys in one plane; in a second one the values, their hull, and the output inside it.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import * as math from "../../kit/attention_math.js";
import { h, s } from "../../kit/dom.js";
import { defineFigure } from "../../kit/define.js";
import { STREAM, normals } from "../../kit/random_stream.js";
import * as example from "../../kit/running_example.js";

const N = example.tokens.length;
const WORDS = example.tokens.map((_, j) => j);
const TIE = 1e-9; // scores nearer than this are equal: 0.1 + 0.2 is not 0.3
const LEAST = 0.001; // what is nearer to the edge is still inside: no 0.000 may stand there
const LOUDNESS = { keys: 1.8, values: 1.1 }; // noise spreads about as far as what it stands for
const pairs = (flat) => WORDS.map((j) => [flat[2 * j], flat[2 * j + 1]]);

/** Four entries in two: animal against person across, doing against grammar word up. */
function planeOf(flat) {
  const at = (j, c) => flat[j * example.width + c];
  return Float64Array.from(WORDS.flatMap((j) => [at(j, 0) - at(j, 2), at(j, 1) - at(j, 3)]));
}

const KEYS = planeOf(example.K);
const noise = (seed, what) => math.scaled(normals(seed, STREAM[what], N, 2), LOUDNESS[what]);

/** The keys of a state: the sentence's or noise, all of them moved by one vector. */
function keysOf(state) {
  const keys = state.noise === "keys" ? noise(state.seed, "keys") : KEYS;
  return keys.map((entry, at) => entry + (at % 2 ? state.shift_y : state.shift_x));
}

const turn = ([ox, oy], [ax, ay], [bx, by]) => (ax - ox) * (by - oy) - (ay - oy) * (bx - ox);

/** One side of the hull: points from left to right, without those that a straight line passes outside of. */
function chain(points) {
  const kept = [];
  for (const point of points) {
    while (kept.length > 1 && turn(kept.at(-2), kept.at(-1), point) <= 0) kept.pop();
    kept.push(point);
  }
  return kept.slice(0, -1);
}

/** The corners of the convex hull, against the clock. */
function hullOf(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return [...chain(sorted), ...chain(sorted.toReversed())];
}

/** How far a point lies inside a hull: its distance from the nearest edge, negative outside. */
function marginOf(hull, point) {
  const distances = hull.map((from, k) => {
    const to = hull[(k + 1) % hull.length];
    return turn(from, to, point) / Math.hypot(to[0] - from[0], to[1] - from[1]);
  });
  return Math.min(...distances);
}

function createCompute() {
  return (state) => {
    const K = keysOf(state);
    const V = state.noise === "values" ? noise(state.seed, "values") : example.V;
    const query = [state.q_x, state.q_y];
    const scores = math.scaled(math.rawScores(query, K, 1, N, 2), 1 / Math.SQRT2);
    const weights = math.softmaxRows(scores, 1, N);
    const output = math.mix(weights, V, 1, N, 2);
    const wanted = math.mix(weights, example.V, 1, N, 2);
    const hull = hullOf(pairs(V));
    return { query, K, V, weights, output, wanted, hull, values: valuesOf(state, scores, weights, output, wanted, hull) };
  };
}

function valuesOf(state, scores, weights, output, wanted, hull) {
  const top = Math.max(...scores);
  const leaders = WORDS.filter((j) => scores[j] >= top - TIE);
  const alone = leaders.length === 1;
  const margin = marginOf(hull, output);
  return {
    ...state,
    ...Object.fromEntries(example.tokens.map((name, j) => [`w_${name.toLowerCase()}`, weights[j]])),
    out_x: output[0], out_y: output[1],
    margin, edge: margin < LEAST ? `< ${LEAST}` : margin.toFixed(3), off: Math.hypot(output[0] - wanted[0], output[1] - wanted[1]),
    winner: alone ? example.tokens[leaders[0]] : "", largest_weight: Math.max(...weights),
    summary: alone ? state.noise : "tie",
  };
}

const LAYOUT = {
  wide: '"routing delivery" 1fr / 1fr 1fr',
  narrow: '"routing delivery" 1fr / 1fr 1fr',
};

function build(ui) {
  const routing = routingPanel(ui);
  const delivery = deliveryPanel(ui);
  const numbers = ui.readouts(["routing", "inside"]);
  const controls = [ui.choice("noise"), ui.slider("shift_x", { format: signed })];
  const up = ui.slider("shift_y", { format: signed });
  const draw = ui.stepper("seed");
  ui.picture(LAYOUT, { routing, delivery });
  ui.rail(numbers, ...controls);
  ui.more(up, draw);
  return (now, state, former, formerState) => {
    routing.draw(now, former);
    delivery.draw(now, former);
    numbers.update(now.values, former?.values, now.values.summary);
    for (const control of [...controls, up]) control.update(state, formerState);
    draw.update(state, formerState, state.noise === "none");
  };
}

const signed = (value) => `${value < 0 ? "−" : value > 0 ? "+" : ""}${Math.abs(value).toFixed(2)}`;

// --- what both planes have

const THICKEST = 9; // units, for a weight of 1

/** A plane with its zero lines, and the names of its four directions; across only where a 1 takes `least` units. */
function namedPlane(ui, name, reach, least) {
  const plot = ui.plane({ name, reach, margin: { left: 4, right: 4, top: 4, bottom: 4 } });
  plot.spec.x.ticks = plot.spec.y.ticks = []; // the directions have names, their units have none
  const zeros = [plot.rule("attn-zero"), plot.rule("attn-zero")];
  const ends = Object.fromEntries(["left", "right", "up", "down"].map((end) => [end, plot.text("attn-direction")]));
  const fit = () => {
    plot.fit();
    zeros[0].draw({ x: 0 });
    zeros[1].draw({ y: 0 });
    drawEnds(ui, plot, ends, plot.perUnit() >= least);
  };
  return { plot, fit };
}

function drawEnds(ui, plot, ends, across) {
  const [{ domain: [left, right] }, { domain: [low, high] }] = [plot.spec.x, plot.spec.y];
  const word = (end) => (across || end === "up" || end === "down" ? ui.t(`axes.${end}`) : "");
  ends.left.draw(left, 0, word("left"), { dx: 2, dy: 15 });
  ends.right.draw(right, 0, word("right"), { anchor: "end", dx: -2, dy: 15 });
  ends.up.draw(0, high, word("up"), { dx: 6, dy: 12 });
  ends.down.draw(0, low, word("down"), { dx: 6, dy: -4 });
}

/** A line whose thickness is a weight. */
function weighted(plot, className) {
  const line = plot.segment(`attn-flow ${className}`);
  const draw = (from, to, weight) => {
    line.element.style.strokeWidth = (0.6 + THICKEST * weight).toFixed(2);
    line.draw(from, to);
  };
  return { draw };
}

/** A name above its dot, or beside it where others lie above and below; `home` decides, a place that no move changes. */
function nameAt(text, [x, y], name, home) {
  if (Math.abs(home[1]) < 0.5) text.draw(x, y, name, { anchor: "middle", dy: -10 });
  else if (home[0] > -1.9 && home[0] < 0.5) text.draw(x, y, name, { anchor: "end", dx: -9, dy: 5 });
  else text.draw(x, y, name, { dx: 9, dy: 5 });
}

const moved = (now, former) => former && Math.hypot(now[0] - former[0], now[1] - former[1]) > TIE;

// --- keys and the query

function routingPanel(ui) {
  const { plot, fit } = namedPlane(ui, "routing", { x: 4.3, y: 4.3 }, 0);
  const former = plot.arrow("attn-ghost");
  const lines = WORDS.map(() => weighted(plot, "attn-key"));
  const dots = WORDS.map(() => ({ dot: plot.point("attn-dot-key"), name: plot.text("attn-key"), words: "" }));
  const query = { arrow: plot.arrow("attn-query"), name: plot.text("attn-query") };
  query.handle = ui.handle(plot, { name: "routing", x: "q_x", y: "q_y", className: "attn-handle-xy attn-query" });
  query.handle.element.setAttribute("aria-roledescription", ui.t("routing.role"));
  const hint = h("p", { class: "attn-hint attn-only-wide" }, ui.t("routing.hint"));
  const draw = (now, before) => {
    fit();
    if (before && moved(now.query, before.query)) former.draw(before.query);
    else former.hide();
    pairs(now.K).forEach((key, j) => {
      lines[j].draw(now.query, key, now.weights[j]);
      dots[j].dot.draw(...key);
      if (!ui.moving) dots[j].words = nameOf(ui, plot, j, now.weights[j]);
      nameAt(dots[j].name, key, dots[j].words, [key[0] - now.values.shift_x, key[1] - now.values.shift_y]);
    });
    drawQuery(ui, query, now);
    plot.describe(now.values);
  };
  return { element: ui.panel(ui.t("routing.title"), plot, hint), draw };
}

const ROOM = 28; // units that a 1 takes, from which on there is room for weights beside the names

function nameOf(ui, plot, j, weight) {
  const name = example.tokens[j];
  return plot.perUnit() < ROOM ? name : ui.t("names.key", { name, weight });
}

function drawQuery(ui, { arrow, name, handle }, { query: [x, y], values }) {
  arrow.draw([x, y], 8);
  const length = Math.hypot(x, y) || 1;
  const place = ui.t("routing.place", { x, y, weight: values.largest_weight });
  name.draw(x, y, ui.t("names.q"), { anchor: "middle", dx: (-14 * y) / length, dy: 5 - (16 * x) / length });
  handle.draw(x, y, place);
}

// --- values, their hull, the output

function deliveryPanel(ui) {
  const { plot, fit } = namedPlane(ui, "delivery", { x: 2.6, y: 2.6 }, 45);
  const hull = polygon(plot, "attn-hull");
  const lines = WORDS.map(() => weighted(plot, "attn-value"));
  const dots = WORDS.map(() => ({ dot: plot.point("attn-dot-value"), name: plot.text("attn-value") }));
  const former = plot.point("attn-ghost");
  const gap = plot.segment("attn-gap");
  const wanted = plot.point("attn-wanted");
  const output = plot.point("attn-output");
  const hint = h("p", { class: "attn-hint attn-only-wide" }, ui.t("delivery.hint"));
  const draw = (now, before) => {
    fit();
    hull.draw(now.hull);
    pairs(now.V).forEach((value, j) => {
      lines[j].draw(value, now.output, now.weights[j]);
      dots[j].dot.draw(...value);
      nameAt(dots[j].name, value, example.tokens[j], value);
    });
    if (before && moved(now.output, before.output)) former.draw(...before.output);
    else former.hide();
    drawWanted(gap, wanted, now);
    output.draw(...now.output);
    plot.describe(now.values);
  };
  return { element: ui.panel(ui.t("delivery.title"), plot, hint), draw };
}

/** A ring where the same weights would put the output if the values were the true ones. */
function drawWanted(gap, wanted, now) {
  if (now.values.noise !== "values") { gap.hide(); wanted.hide(); return; }
  gap.draw(now.wanted, now.output);
  wanted.draw(...now.wanted);
}

function polygon(plot, className) {
  const element = s("polygon", { class: className });
  plot.layers.append(element);
  const at = ([x, y]) => `${plot.x(x).toFixed(1)},${plot.y(y).toFixed(1)}`;
  return { draw: (points) => element.setAttribute("points", points.map(at).join(" ")) };
}

export default defineFigure({ name: "value_hull", python: "ValueHull", spec, words, createCompute, build });

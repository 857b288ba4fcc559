// Squeeze: a memory of fixed size beside attention, asked for every token.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import { normals } from "../../kit/random_stream.js";
import { defineFigure } from "../../kit/define.js";
import { h, rich } from "../../kit/dom.js";

const STREAM = { keys: 1, values: 2 };
const { n_tokens: { stops: lengths, max: MOST }, d_k: { stops: widths } } = spec.state;
const SIDES = ["memory", "attention"];

// --- what is measured: over many draws, a table that Python made

/** The two stops beside a value, and how far it is along, on a logarithmic scale. */
function between(stops, value) {
  const low = stops.findLastIndex((stop) => stop <= value);
  if (stops[low] === value) return [low, low, 0];
  return [low, low + 1, Math.log(value / stops[low]) / Math.log(stops[low + 1] / stops[low])];
}

function recallOf(name, { key_directions, n_tokens, d_k }) {
  const table = spec.constants.recall[key_directions][name];
  const [rows, [c, d, across]] = [between(widths, d_k), between(lengths, n_tokens)];
  const ends = [rows[0], rows[1]].map((k) => table[k][c] + across * (table[k][d] - table[k][c]));
  return ends[0] + rows[2] * (ends[1] - ends[0]);
}

const curveOf = (name, state) => lengths.map((n_tokens) => recallOf(name, { ...state, n_tokens }));

// --- what is drawn: one token that asks, in one draw

/** Vectors of length 1 for as many tokens as there may be; kept, since most moves leave them. */
function directions() {
  const kept = {};
  return (stream, seed, d) => {
    const place = `${seed},${d}`;
    if (kept[stream]?.place !== place) kept[stream] = { place, rows: unitRows(normals(seed, STREAM[stream], MOST, d), d) };
    return kept[stream].rows;
  };
}

function unitRows(values, d) {
  for (let start = 0; start < values.length; start += d) {
    const length = Math.sqrt(dot(values, start, values, start, d));
    for (let c = start; c < start + d; c++) values[c] /= length;
  }
  return values;
}

function dot(a, i, b, j, d) {
  let sum = 0;
  for (let c = 0; c < d; c++) sum += a[i + c] * b[j + c];
  return sum;
}

/** The keys; if asked for, the first d of them have an axis each. */
function keysOf(random, { key_directions, d_k: d }) {
  if (key_directions === "random") return random;
  const keys = random.slice();
  keys.fill(0, 0, d * d);
  for (let c = 0; c < d; c++) keys[c * d + c] = 1;
  return keys;
}

/** Each value's share in the two answers: the cosine of its key with the asking one; softmax of d times that. */
function sharesOf(keys, own, { n_tokens: n, d_k: d }) {
  const memory = new Float64Array(n);
  for (let j = 0; j < n; j++) memory[j] = dot(keys, own * d, keys, j * d, d);
  const attention = memory.map((cosine) => Math.exp(d * (cosine - 1)));
  return { memory, attention }; // not divided by their sum: only the direction of an answer counts
}

/** Cosines of the sum of shares times values with each value. */
function cosinesWith(values, shares, { n_tokens: n, d_k: d }) {
  const answer = new Float64Array(d);
  for (let j = 0; j < n; j++) for (let c = 0; c < d; c++) answer[c] += shares[j] * values[j * d + c];
  const length = Math.sqrt(dot(answer, 0, answer, 0, d));
  return Float64Array.from({ length: n }, (_, j) => dot(values, j * d, answer, 0, d) / length);
}

function createCompute() {
  const drawn = directions();
  return (state) => {
    const own = Math.min(state.asked, state.n_tokens) - 1;
    const keys = keysOf(drawn("keys", state.seed, state.d_k), state);
    const values = drawn("values", state.seed, state.d_k);
    const shares = sharesOf(keys, own, state);
    const [memory, attention] = SIDES.map((name) => cosinesWith(values, shares[name], state));
    return {
      own, memory, attention,
      curves: widths.map((d_k) => curveOf("memory", { ...state, d_k })),
      here: SIDES.map((name) => curveOf(name, state)),
      values: valuesOf(state, own, { memory, attention }),
    };
  };
}

const nearest = (cosines) => cosines.indexOf(Math.max(...cosines)) + 1;

function valuesOf(state, own, { memory, attention }) {
  const { n_tokens: n, d_k: d } = state;
  const memory_recall = recallOf("memory", state);
  return {
    ...state, memory_recall, attention_recall: recallOf("attention", state),
    memory_numbers: d * d, attention_numbers: 2 * n * d, n_recalled: memory_recall * n, noise: (n - 1) / d,
    token: own + 1, memory_own: memory[own], attention_own: attention[own],
    memory_nearest: nearest(memory), attention_nearest: nearest(attention),
    summary: nearest(memory) === own + 1 ? "right" : "wrong",
  };
}

// --- the picture

const LAYOUT = {
  wide: '"curve memory" 1fr "curve attention" 1fr / 10fr 11fr',
  narrow: '"curve curve" 12fr "memory attention" 10fr / 1fr 1fr',
};

function build(ui) {
  const parts = { curve: curvePanel(ui), memory: answerPanel(ui, "memory"), attention: answerPanel(ui, "attention") };
  const numbers = ui.readouts(SIDES);
  const controls = [ui.slider("n_tokens"), ui.slider("d_k"), ui.choice("key_directions"), ui.stepper("asked"), ui.stepper("seed")];
  ui.picture(LAYOUT, parts);
  ui.rail(numbers, controls[0], controls[1], controls[2]);
  ui.more(controls[3], controls[4]);
  return (result, state, former, formerState) => {
    for (const part of Object.values(parts)) part.draw(result, former);
    numbers.update(result.values, former?.values);
    for (const control of controls) control.update(state, formerState);
  };
}

const NAMED = 0.5; // the share at which a width's curve bears its name

/** Where a falling curve passes a share, on the axis of lengths; its end if it never does. */
function passing(curve) {
  const k = curve.findIndex((share) => share <= NAMED);
  return k < 1 ? [lengths.at(-1), curve.at(-1)] : [lengths[k - 1], curve[k - 1]];
}

/** Recall against length: the memory at each width, attention at this one. */
function curvePanel(ui) {
  const plot = ui.plot({
    name: "curve",
    x: { domain: [lengths[0], MOST], scale: "log", ticks: [2, 4, 16, 64, 256] },
    y: { domain: [0, 1.04], ticks: [0, 0.25, 0.5, 0.75, 1], format: ".0%" },
  });
  const others = widths.map(() => ({ curve: plot.curve("attn-muted"), text: plot.text("attn-muted") }));
  const ghost = plot.curve("attn-ghost");
  const attention = plot.curve("attn-other");
  const memory = plot.curve("attn-now");
  const before = plot.point("attn-ghost");
  const handle = ui.handle(plot, { name: "curve", x: "n_tokens" });
  const draw = ({ curves, here, values }, former) => {
    plot.fit();
    others.forEach(({ curve, text }, k) => {
      curve.draw(lengths, curves[k]);
      const [x, y] = passing(curves[k]);
      text.draw(x, y, ui.t("curve.width", { d_k: widths[k] }), { anchor: "end", dx: k === widths.length - 1 ? -2 : -5, dy: 12 });
    });
    memory.draw(lengths, here[0]);
    attention.draw(lengths, here[1]);
    if (former) {
      ghost.draw(lengths, former.here[0]);
      before.draw(former.values.n_tokens, former.values.memory_recall);
    } else [ghost, before].forEach((layer) => layer.hide());
    handle.draw(values.n_tokens, values.memory_recall, ui.t("curve.handle_text", values));
    plot.describe(values);
  };
  return { element: ui.panel(ui.t("curve.title"), plot), draw };
}

const COLOUR = { memory: "", attention: "attn-other" };
const TOP = 1.4; // over the tallest bar stands which value is nearest

/** How near an answer is to each value: one bar a token, that of the token that asks in the colour of values. */
function answerPanel(ui, name) {
  const plot = ui.plot({ name, x: { domain: [-0.5, 1], ticks: [] }, y: { domain: [-1, TOP], ticks: [-1, 0, 1], base: 0 } });
  const bars = plot.bars(COLOUR[name]);
  const own = { bar: plot.bars("attn-own"), tip: plot.point("attn-own") };
  const zero = plot.rule("attn-zero");
  const text = plot.text(name === "memory" ? "attn-now" : "attn-other");
  const draw = (result, former) => {
    const { values, own: at, [name]: cosines } = result;
    const end = values.n_tokens - 0.5;
    if (plot.spec.x.domain[1] !== end) plot.setDomain("x", [-0.5, end]);
    plot.fit();
    bars.draw(cosines.map((cosine, j) => (j === at ? 0 : cosine)));
    own.bar.draw(cosines.map((cosine, j) => (j === at ? cosine : 0)));
    own.tip.draw(at, cosines[at]);
    zero.draw({ y: 0 });
    const right = values[`${name}_nearest`] === values.token;
    if (!ui.moving) text.draw(end, TOP, ui.t(`${name}.${right ? "right" : "wrong"}`, values), { anchor: "end", dy: 11 });
    plot.describe(values);
  };
  const hint = h("p", { class: "attn-hint attn-only-wide" }, rich(ui.t(`${name}.hint`)));
  return { element: ui.panel(ui.t(`${name}.title`), plot, hint), draw };
}

export default defineFigure({ name: "squeeze", python: "Squeeze", spec, words, createCompute, build });

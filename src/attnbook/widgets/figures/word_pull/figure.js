// WordPull: a sentence, who looks where, and the values that pull the output to its place.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import * as math from "../../kit/attention_math.js";
import { h, setText, uid } from "../../kit/dom.js";
import { defineFigure } from "../../kit/define.js";
import { KINDS, MOST, WIDTH, asker, read, sentence } from "../../kit/vocabulary.js";

const TIE = 1e-9; // scores nearer than this are equal
const PLACES = Array.from({ length: MOST }, (_, j) => j);
const pointsOf = (flat) => Array.from({ length: flat.length / 2 }, (_, j) => [flat[2 * j], flat[2 * j + 1]]);
const distance = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

function createCompute() {
  return (state) => {
    const said = sentence(state.text);
    const n = said.tokens.length;
    const asking = state.row === null ? asker(said) : Math.min(state.row, n - 1);
    const query = said.Q.slice(asking * WIDTH, (asking + 1) * WIDTH);
    const scores = math.scaled(math.rawScores(query, said.K, 1, n, WIDTH), 1 / Math.sqrt(WIDTH));
    const weights = math.softmaxRows(scores, 1, n, state.temperature);
    const output = math.mix(weights, said.V, 1, n, 2);
    return { tokens: said.tokens, asking, scores, weights, V: said.V, output, values: valuesOf(state, said, asking, scores, weights, output) };
  };
}

function valuesOf(state, { tokens, V }, asking, scores, weights, output) {
  const top = Math.max(...scores);
  const leaders = PLACES.filter((j) => scores[j] >= top - TIE);
  const names = unique(leaders.map((j) => tokens[j]));
  const points = pointsOf(V);
  const middle = [0, 1].map((axis) => math.mean(points.map((point) => point[axis])));
  return {
    ...state, asker: tokens[asking], winner: names.join(" and "), leaders: names.length, n_words: tokens.length,
    largest_weight: Math.max(...weights), out_x: output[0], out_y: output[1],
    gap: distance(output, points[leaders[0]]), middle_gap: distance(output, middle),
    summary: names.length > 1 ? "tie" : "default",
  };
}

/** Words without repetition, "The" and "the" being one. */
function unique(tokens) {
  return tokens.filter((token, j) => tokens.findIndex((other) => other.toLowerCase() === token.toLowerCase()) === j);
}

const LAYOUT = {
  wide: '"words plane" 1fr / calc(264 * var(--u)) 1fr',
  narrow: '"words plane" 1fr / calc(160 * var(--u)) 1fr',
};

function build(ui) {
  const list = wordsPanel(ui);
  const plane = valuesPanel(ui);
  const numbers = ui.readouts(["weight", "gap"]);
  const temperature = ui.slider("temperature");
  const text = sentenceBox(ui);
  ui.picture(LAYOUT, { words: list, plane });
  ui.rail(numbers, temperature, text);
  ui.more(featureTable(ui));
  return (now, state, former, formerState) => {
    const before = former && formerState.text === state.text ? former : null;
    list.draw(now, before);
    plane.draw(now, before);
    numbers.update(now.values, former?.values, now.values.summary);
    temperature.update(state, formerState);
    text.update(now);
  };
}

// --- the words: who asks, and what the others get

function wordsPanel(ui) {
  const rows = PLACES.map((j) => wordRow(ui, j));
  const head = h("div", { class: "attn-looks-head", "aria-hidden": "true" }, ["word", "score", "weight"].map((name) => h("span", {}, ui.t(`words.${name}`))));
  const list = h("div", { class: "attn-looks", role: "radiogroup", "aria-label": ui.t("words.title"), onkeydown: (event) => stepBy(ui, rows, event) }, rows.map((row) => row.element));
  const draw = (now, before) => rows.forEach((row) => row.draw(now, before));
  return { element: ui.panel(ui.t("words.title"), head, list), draw };
}

const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** The arrow keys go from word to word, as in any group of radio buttons. */
function stepBy(ui, rows, event) {
  const shown = rows.filter(({ element }) => !element.hidden);
  const { text, row } = ui.store.state; // what is drawn may be a frame behind
  const at = row === null ? asker(sentence(text)) : Math.min(row, shown.length - 1);
  if (!STEPS[event.key]) return;
  event.preventDefault();
  const next = (at + STEPS[event.key] + shown.length) % shown.length;
  ui.store.set({ row: next }, { gesture: "row" });
  shown[next].element.focus();
}

function wordRow(ui, j) {
  const [name, score, weight] = ["word", "score", "weight"].map((part) => h("span", { class: `attn-looks-${part}` }));
  const [bar, before] = [h("span", { class: "attn-cell-bar" }), h("span", { class: "attn-cell-before" })];
  const track = h("span", { class: "attn-cell-track", "aria-hidden": "true" }, bar, before);
  const element = h("div", { class: "attn-looks-row", role: "radio", onclick: () => ui.store.set({ row: j }) }, name, score, weight, track);
  const draw = (now, former) => {
    element.hidden = j >= now.tokens.length;
    if (element.hidden) return;
    const asks = j === now.asking;
    element.setAttribute("aria-checked", String(asks));
    element.tabIndex = asks ? 0 : -1;
    bar.style.width = `${100 * now.weights[j]}%`;
    before.hidden = !former || Math.abs(former.weights[j] - now.weights[j]) < TIE;
    before.style.left = former ? `${100 * former.weights[j]}%` : "0";
    if (ui.moving) return;
    const values = { name: now.tokens[j], score: now.scores[j], weight: now.weights[j] };
    for (const [part, span] of Object.entries({ name, score, weight })) setText(span, ui.t(`words.${part}_text`, values));
    element.setAttribute("aria-label", ui.t(asks ? "words.asks" : "words.row", values));
  };
  return { element, draw };
}

// --- the values, and the output that they pull

const THICKEST = 10; // units, for a weight of 1

function valuesPanel(ui) {
  const plot = ui.plane({ name: "plane", reach: { x: 3, y: 2.6 }, margin: { left: 4, right: 4, top: 4, bottom: 4 } });
  plot.spec.x.ticks = plot.spec.y.ticks = []; // the directions have names, their units have none
  const zeros = [plot.rule("attn-zero"), plot.rule("attn-zero")];
  const ends = Object.fromEntries(["left", "right", "up", "down"].map((end) => [end, plot.text("attn-direction")]));
  const lines = PLACES.map(() => plot.segment("attn-flow attn-value"));
  const dots = PLACES.map(() => ({ dot: plot.point("attn-dot-value"), name: plot.text("attn-value") }));
  const former = plot.point("attn-ghost");
  const output = { dot: plot.point("attn-output"), name: plot.text("attn-strong") };
  const hint = h("p", { class: "attn-hint attn-only-wide" }, ui.t("plane.hint"));
  const draw = (now, before) => {
    plot.fit();
    zeros[0].draw({ x: 0 });
    zeros[1].draw({ y: 0 });
    drawEnds(ui, plot, ends);
    drawPlaces(lines, dots, now);
    if (before && distance(before.output, now.output) > TIE) former.draw(...before.output);
    else former.hide();
    output.dot.draw(...now.output);
    output.name.draw(...now.output, ui.t("plane.output"), { anchor: "middle", dy: 22 });
    plot.describe(now.values);
  };
  return { element: ui.panel(ui.t("plane.title"), plot, hint), draw };
}

/** The names of the four directions, at the ends of the lines through the origin; across in the lower corners. */
function drawEnds(ui, plot, ends) {
  const [{ domain: [left, right] }, { domain: [low, high] }] = [plot.spec.x, plot.spec.y];
  const word = (end) => ui.t(`axes.${end}`);
  ends.left.draw(left, low, word("left"), { dx: 2, dy: -4 });
  ends.right.draw(right, low, word("right"), { anchor: "end", dx: -2, dy: -4 });
  ends.up.draw(0, high, word("up"), { dx: 6, dy: 12 });
  ends.down.draw(0, low, word("down"), { anchor: "middle", dy: -22 });
}

/** One dot for all words with one value, and from the output a line as thick as their weights together. */
function drawPlaces(lines, dots, now) {
  const places = placesOf(now);
  PLACES.forEach((k) => {
    const [line, { dot, name }, place] = [lines[k], dots[k], places[k]];
    if (!place) return [line, dot, name].forEach((layer) => layer.hide());
    line.element.style.strokeWidth = (0.6 + THICKEST * place.weight).toFixed(2);
    line.draw(now.output, place.point);
    dot.draw(...place.point);
    return name.draw(...place.point, unique(place.tokens).join(", "), { anchor: "middle", dy: isBelow(place.point) ? 20 : -11 });
  });
}

function placesOf({ tokens, V, weights }) {
  const places = new Map();
  pointsOf(V).forEach((point, j) => {
    const place = places.get(point.join()) ?? { point, tokens: [], weight: 0 };
    places.set(point.join(), { point, tokens: [...place.tokens, tokens[j]], weight: place.weight + weights[j] });
  });
  return [...places.values()];
}

/** Names stand above their dots, and below them where a neighbour's name would be in the way. */
const isBelow = ([x]) => Math.abs(x) === 1;

// --- another sentence

function sentenceBox(ui) {
  const id = uid("text");
  const label = h("label", { class: "attn-label", for: id });
  const input = h("input", { class: "attn-typed", type: "text", id, maxlength: 80, autocomplete: "off", autocapitalize: "off", spellcheck: "false", onchange: () => take(ui, label, input) });
  const element = h("div", { class: "attn-control attn-sentence" }, label, input);
  let shown = null;
  const update = (now) => {
    if (ui.moving || shown === now.tokens.join(" ")) return;
    shown = now.tokens.join(" ");
    input.value = shown;
    tell(label, input, ui.t("controls.text"), false);
  };
  return { element, update };
}

/** Takes what was typed, or says in the label what is wrong with it. */
function take(ui, label, input) {
  const { words: typed, unknown } = read(input.value);
  const fits = typed.length >= 1 && typed.length <= MOST;
  const wrong = unknown.length ? "unknown" : fits ? null : "length";
  const said = ui.t(wrong ? `controls.text_${wrong}` : "controls.text", { words: unknown.join(", "), most: MOST });
  tell(label, input, said, wrong !== null);
  if (wrong) ui.announce(said);
  else ui.store.set({ text: typed.join(" "), row: null });
}

function tell(label, input, said, isWrong) {
  setText(label, said);
  label.classList.toggle("attn-wrong", isWrong);
  input.setAttribute("aria-invalid", String(isWrong));
}

// --- the table from which all vectors come

function featureTable(ui) {
  const head = ["kind", "words", "asks", "is", "tells"].map((name) => h("th", { scope: "col" }, ui.t(`features.${name}`)));
  const rows = Object.values(KINDS).map(({ words: listed, asks, is, tells }) => h("tr", {},
    h("th", { scope: "row" }, listed), [asks, is, tells].map((vector) => h("td", {}, vectorText(vector)))));
  const table = h("table", { class: "attn-numbers attn-features" }, h("caption", {}, ui.t("features.caption")), h("thead", {}, h("tr", {}, head.slice(1))), h("tbody", {}, rows));
  return h("div", { class: "attn-features-box" }, table);
}

const vectorText = (vector) => vector.map((entry) => String(entry).replace("-", "−")).join("  ");

export default defineFigure({ name: "word_pull", python: "WordPull", spec, words, createCompute, build });

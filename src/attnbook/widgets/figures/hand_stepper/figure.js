// HandStepper: attention from the inputs to the output, each cell with its arithmetic, to be edited or typed.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import { h, rich, setRich, setText } from "../../kit/dom.js";
import { defineFigure } from "../../kit/define.js";
import { plain } from "../../kit/numbers.js";
import { cellName, shown, written } from "./arithmetic.js";
import { grid } from "./grid.js";
import { at, computed, isGiven, make, operandsOf, partsOf, STEPS, withEdit } from "./matrices.js";
import { judge, parse, slipsAt } from "./mistakes.js";

const [ROWS, COLUMNS] = [3, 4]; // of the largest matrix
const PRODUCTS = { s: ["S", ROWS], z: ["scaled", ROWS], w: ["weights", ROWS], o: ["output", COLUMNS] };
const EDIT_LIMIT = 9999;

/** All matrices of a state; a given matrix without its operands stands for the step that would make it. */
function createCompute() {
  return (state) => {
    const made = computed(state);
    const still = computed({ ...state, temperature: 1 });
    const flat = Object.fromEntries(["Q", "K", "V", "mask", "scaled", "powers", "weights", "output"].filter((name) => made[name]).map((name) => [name, made[name].data]));
    return { made, raw: made.S.data, ...flat, values: valuesOf(state, made, still) };
  };
}

function valuesOf(state, made, still) {
  const numbers = Object.entries(PRODUCTS).flatMap(([letter, [name, columns]]) => table(made[name], letter, columns));
  const drifts = Array.from({ length: ROWS }, (_, i) => [`drift_${i + 1}`, driftOf(made.output, still.output, i)]);
  const [i, j] = placeOf(state, made);
  const result = made[partsOf(state.step, made)[2]];
  const [n_q, n_k] = [made.S.rows, made.S.columns];
  const last = (matrix) => Array.from({ length: matrix.columns }, (_, k) => shown(at(matrix, matrix.rows - 1, k))).join(", ");
  return {
    ...state, ...Object.fromEntries(numbers), ...Object.fromEntries(drifts), n_q, n_k, d_k: made.d_k, root: Math.sqrt(made.d_k), d_v: made.V.columns,
    cell: shown(at(result, i, j)), cell_row: i + 1, cell_column: j + 1, last_weights: last(made.weights), last_output: last(made.output),
    summary: state.typing ? "typing" : "default",
  };
}

/** Entries letter_11, letter_12 and so on; null where the matrix has none. */
function table(matrix, letter, columns) {
  const all = make(ROWS, columns, () => 0);
  return Array.from(all.data, (_, k) => {
    const [i, j] = [Math.floor(k / columns), k % columns];
    return [`${letter}_${i + 1}${j + 1}`, i < matrix.rows && j < matrix.columns ? at(matrix, i, j) : null];
  });
}

/** How far an output row lies from where it is at temperature 1. */
function driftOf(now, still, i) {
  if (i >= now.rows) return null;
  return Math.max(...Array.from({ length: now.columns }, (_, j) => Math.abs(at(now, i, j) - at(still, i, j))));
}

/** The picked cell, kept inside the matrix that the step makes. */
function placeOf({ row, column, step }, made) {
  const result = made[partsOf(step, made)[2]];
  return [Math.min(row, result.rows) - 1, Math.min(column, result.columns) - 1];
}

// --- the picture

const LAYOUT = {
  wide: '"steps steps steps" calc(46 * var(--u)) "line line line" calc(34 * var(--u)) "left right result" calc(156 * var(--u)) "told told told" 1fr / 1fr 1fr 1fr',
  narrow: '"steps steps" calc(46 * var(--u)) "line line" calc(24 * var(--u)) "left right" 1fr "result told" 1.25fr / 1fr 1fr',
};

function build(ui) {
  const now = { result: null, state: null, pointed: null };
  const redraw = () => { if (now.result) show(ui, parts, now); };
  const parts = makeParts(ui, now, redraw);
  const { left, right, result, steps, line, told } = parts;
  ui.picture(LAYOUT, { steps, line, left, right, result, told });
  const isStill = ui.store.state.guide === "still";
  const numbers = [ui.readouts(isStill ? ["drift_1", "drift_2"] : ["cell"]), ...(isStill ? [ui.readouts(["drift_3"])] : [])];
  const controls = { temperature: ui.slider("temperature"), typing: ui.toggle("typing"), causal: ui.toggle("causal"), example: ui.choice("example") };
  ui.rail(numbers[0], controls.temperature, controls.typing);
  ui.more(controls.causal, controls.example, ...numbers.slice(1));
  return (made, state, former, formerState) => {
    Object.assign(now, { result: made, state, former: former?.made });
    if (!ui.moving) parts.told.meet(state, made);
    redraw();
    steps.update(state, formerState);
    for (const part of numbers) part.update(made.values, former?.values, state.typing ? "typing" : "");
    for (const [key, control] of Object.entries(controls)) control.update(state, formerState, key === "causal" && made.values.n_q === 1);
  };
}

function makeParts(ui, now, redraw) {
  const { store } = ui;
  const edit = (part) => (i, j, text) => {
    const typed = parse(text);
    const name = partsOf(now.state.step, now.result.made)[part];
    if (!typed || !Number.isFinite(typed.value)) return redraw();
    const value = Number(Math.min(Math.max(typed.value, -EDIT_LIMIT), EDIT_LIMIT).toFixed(3));
    store.set({ edits: withEdit(store.state.edits, store.state.example, name, i, j, value) });
    return redraw();
  };
  const point = (i, j) => { now.pointed = i === null ? null : [i, j]; redraw(); };
  const pick = (i, j) => store.set({ row: i + 1, column: j + 1 });
  return {
    left: grid({ onEdit: edit(0) }), right: grid({ onEdit: edit(1) }), result: grid({ onEdit: edit(2), onPoint: point, onPick: pick }),
    steps: ui.choice("step"), line: formulaLine(ui), told: toldPart(ui, now, redraw),
  };
}

/** Draws the three matrices of the step, the formula, and the arithmetic of one cell. */
function show(ui, parts, now) {
  const { state, result: { made } } = now;
  const names = partsOf(state.step, made);
  const picked = placeOf(state, made);
  const pointed = now.pointed && now.pointed[0] < made[names[2]].rows && now.pointed[1] < made[names[2]].columns ? now.pointed : null;
  const [i, j] = state.typing ? picked : pointed ?? picked;
  const operands = names[0] ? operandsOf(state.step, i, j) : [];
  ["left", "right", "result"].forEach((side, k) => {
    parts[side].element.classList.toggle("attn-none", !names[k]);
    if (!names[k]) return;
    const lit = k < 2 ? operands[k] : () => false;
    parts[side].draw(viewOf(ui, now, side, names[k], lit, k === 2 ? [i, j] : null, parts.told));
  });
  parts.line.draw(state.step);
  parts.told.draw(i, j, names);
}

/** What a grid shows of one matrix. */
function viewOf(ui, now, side, name, isLit, asked, told) {
  const { state, result: { made }, former } = now;
  const matrix = name === "root" ? make(1, 1, () => Math.sqrt(made.d_k)) : made[name];
  const places = Array.from(matrix.data, (_, k) => [Math.floor(k / matrix.columns), k % matrix.columns]);
  const where = (test) => places.flatMap(([i, j], k) => (test(i, j, k) ? [k] : []));
  const old = former?.[name];
  const same = old?.data.length === matrix.data.length;
  return {
    title: ui.t(`matrices.${name}`), rows: matrix.rows, columns: matrix.columns, texts: Array.from(matrix.data, textOf(name, isGiven(state.example, name))),
    names: rowNames(ui, now, side, matrix), editable: isGiven(state.example, name), cellName: (i, j) => ui.t("cell", { matrix: ui.t(`spoken.${name}`), row: i + 1, column: j + 1 }),
    lit: where(isLit), asked: asked ? where((i, j) => i === asked[0] && j === asked[1]) : [], covered: asked ? where((i, j) => told.isCovered(i, j)) : [],
    changed: same ? where((i, j, k) => shown(matrix.data[k]) !== shown(old.data[k])) : [], shares: name === "weights" ? matrix.data : null,
  };
}

const maskSign = (seen) => (seen ? "0" : "−∞");
const textOf = (name, given) => (name === "mask" ? maskSign : given ? plain : shown);

/** Words of the sentence, or numbers, beside the rows; on the right only where a row is a key. */
function rowNames(ui, { state, result: { made } }, side, matrix) {
  const ofTokens = side !== "right" || ["raw", "output"].includes(state.step);
  if (!ofTokens || matrix.rows === 1) return Array.from({ length: matrix.rows }, () => "");
  return Array.from({ length: matrix.rows }, (_, i) => made.names?.[i] ?? String(i + 1));
}

const LIT = {
  queries: ["q"], keys: ["k"], values: ["v"], raw: ["q", "k"], scaled: ["root"], masked: ["mask"], powers: ["softmax"], weights: ["softmax"], output: ["v"],
};

/** The one line, with the terms lit that the step is about. */
function formulaLine(ui) {
  const term = (name) => h("span", { class: `attn-term attn-term-${name}` }, rich(ui.t(`formula.${name}`)));
  const terms = Object.fromEntries(["softmax", "q", "k", "root", "mask", "v"].map((name) => [name, term(name)]));
  const { softmax, q, k, root, mask, v } = terms;
  const element = h("div", { class: "attn-line", role: "img", "aria-label": ui.t("formula.aria") }, softmax, "(", q, k, "/", root, "+", mask, ")", v);
  const draw = (step) => { for (const [name, part] of Object.entries(terms)) part.classList.toggle("attn-lit-term", LIT[step].includes(name)); };
  return { element, draw };
}

// --- the arithmetic of a cell, or the question for it

function toldPart(ui, now, redraw) {
  const progress = { key: null, typed: new Set(), answer: "" };
  const lineOfCell = h("p", { class: "attn-told-line" });
  const recipe = h("p", { class: "attn-told-recipe" });
  const code = h("p", { class: "attn-told-code attn-only-wide" });
  const message = h("p", { class: "attn-told-message", role: "status" });
  const input = h("input", { type: "text", inputmode: "text", autocomplete: "off", class: "attn-answer", "aria-label": ui.t("ask.field") });
  const form = h("form", { class: "attn-ask" }, input, h("button", { class: "attn-button", type: "submit" }, ui.t("ask.check")));
  const element = h("div", { class: "attn-told" }, recipe, lineOfCell, code, form, message);
  const cellKey = (i, j) => `${now.state.step}${i}${j}`;
  const isCovered = (i, j) => now.state.typing && !progress.typed.has(cellKey(i, j));
  const draw = (i, j, names) => {
    const { state, result: { made } } = now;
    const asks = state.typing && names[0] !== null;
    form.hidden = message.hidden = !asks;
    element.classList.toggle("attn-asking", asks);
    const about = { name: cellName(state.step, i, j), row: i + 1, column: j + 1, d_k: made.d_k };
    setRich(recipe, ui.t(names[0] ? `recipe.${state.step}` : "recipe.given", about));
    setRich(code, names[0] && !asks ? ui.t(`code.${state.step}`) : "");
    lineOfCell.hidden = asks && isCovered(i, j);
    if (!lineOfCell.hidden) setText(lineOfCell, written(ui, state.step, made, names, state, i, j));
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    setRich(message, answer(ui, now, progress, cellKey, input));
    redraw(); // the last cell of all leads to no other
  });
  // Another cell or another problem: what was said of the last one goes.
  const meet = (state) => {
    const key = [state.example, state.edits, state.causal, state.temperature, state.typing].join();
    const place = [key, state.step, state.row, state.column].join();
    if (progress.key !== key) progress.typed.clear();
    if (progress.place !== place && !progress.goesOn) { setText(message, ""); input.value = ""; }
    Object.assign(progress, { key, place, goesOn: false });
  };
  return { element, draw, meet, isCovered: (i, j) => isCovered(i, j) && partsOf(now.state.step, now.result.made)[0] !== null };
}

/** Judges what was typed; a right number is uncovered, and the next cell is asked for. */
function answer(ui, now, progress, cellKey, input) {
  const { state, result: { made } } = now;
  const typed = parse(input.value);
  const [i, j] = placeOf(state, made);
  if (!typed) return ui.t("said.none");
  const right = at(made[partsOf(state.step, made)[2]], i, j);
  const verdict = judge(typed, right, slipsAt(state.step, made, state, i, j));
  if (verdict !== "right") { input.select(); return ui.t(`said.${verdict}`, { d_k: made.d_k }); }
  const said = ui.t("said.right", { name: cellName(state.step, i, j), value: shown(right) });
  progress.typed.add(cellKey(i, j));
  input.value = "";
  progress.goesOn = true; // the praise stays while the next cell is asked for
  ui.store.set(nextCell(state, made, i, j));
  return said;
}

/** The next cell of the matrix, then the first one of the next step; after the last step it stays. */
function nextCell(state, made, i, j) {
  const { rows, columns } = made[partsOf(state.step, made)[2]];
  if (j + 1 < columns) return { row: i + 1, column: j + 2 };
  if (i + 1 < rows) return { row: i + 2, column: 1 };
  const next = STEPS[STEPS.indexOf(state.step) + 1];
  return next ? { step: next, row: 1, column: 1 } : { row: i + 1, column: j + 1 };
}

export default defineFigure({ name: "hand_stepper", python: "HandStepper", spec, words, createCompute, build });

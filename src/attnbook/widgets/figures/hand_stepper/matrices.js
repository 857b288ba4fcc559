// The computation, step by step: what is given, what each step makes of it, and what a reader has edited.
// A matrix is { rows, columns, data }, its data row after row.
import examples from "./examples.json" with { type: "json" };

export const STEPS = ["queries", "keys", "values", "raw", "scaled", "masked", "powers", "weights", "output"];

export const make = (rows, columns, of) => ({
  rows, columns, data: Float64Array.from({ length: rows * columns }, (_, k) => of(Math.floor(k / columns), k % columns)),
});
const fromLists = (lists) => make(lists.length, lists[0].length, (i, j) => lists[i][j]);
export const at = (matrix, i, j) => matrix.data[i * matrix.columns + j];

/** The parts of row i of one matrix times row j of another. */
export const rowByRow = (A, B, i, j) => Array.from({ length: A.columns }, (_, c) => [at(A, i, c), at(B, j, c)]);
/** The parts of row i of one matrix times column j of another. */
export const rowByColumn = (A, B, i, j) => Array.from({ length: A.columns }, (_, c) => [at(A, i, c), at(B, c, j)]);
export const added = (pairs) => pairs.reduce((sum, [a, b]) => sum + a * b, 0);
const product = (A, B) => make(A.rows, B.columns, (i, j) => added(rowByColumn(A, B, i, j)));

// --- edits: "V21:4,K12:-1" is 4 in row 2, column 1 of V, and -1 in row 1, column 2 of K

export function readEdits(text) {
  const found = text.matchAll(/([A-Z]+)(\d)(\d):(-?[\d.]+)/g);
  return new Map([...found].map(([, name, i, j, value]) => [`${name}${i}${j}`, { name, i: i - 1, j: j - 1, value: Number(value) }]));
}

/** The text with one more cell; a cell that is as given again is left out. */
export function withEdit(text, example, name, i, j, value) {
  const cells = readEdits(text);
  const key = `${name}${i + 1}${j + 1}`;
  if (examples[example].inputs[name][i][j] === value) cells.delete(key);
  else cells.set(key, { value });
  return [...cells.keys()].sort().map((cell) => `${cell}:${cells.get(cell).value}`).join(",");
}

function inputsOf({ example, edits }) {
  const lists = Object.entries(examples[example].inputs);
  const inputs = Object.fromEntries(lists.map(([name, rows]) => [name, fromLists(rows)]));
  for (const { name, i, j, value } of readEdits(edits).values()) {
    const matrix = inputs[name];
    if (matrix && i < matrix.rows && j < matrix.columns) matrix.data[i * matrix.columns + j] = value;
  }
  return inputs;
}

// --- the steps

/** All matrices of a state, by name; what an example leaves out is missing. */
export function computed(state) {
  const inputs = inputsOf(state);
  const { d_k, names } = examples[state.example];
  const projected = (letter) => inputs[letter] ?? (inputs.X && product(inputs.X, inputs[`W${letter}`]));
  const [Q, K, V] = ["Q", "K", "V"].map(projected);
  const S = inputs.S ?? make(Q.rows, K.rows, (i, j) => added(rowByRow(Q, K, i, j)));
  const mask = make(S.rows, S.columns, (i, j) => (!state.causal || j <= i + S.columns - S.rows ? 1 : 0));
  const scaled = make(S.rows, S.columns, (i, j) => at(S, i, j) / Math.sqrt(d_k));
  const made = { ...inputs, Q, K, V, S, mask, scaled, ...softened(scaled, mask, state.temperature) };
  return { ...made, output: product(made.weights, V), d_k, names };
}

/** Softmax in its steps, each row by itself: largest score, powers, their sum, weights. */
export function softened(scores, mask, temperature) {
  const { rows, columns } = scores;
  const masked = make(rows, columns, (i, j) => (at(mask, i, j) ? at(scores, i, j) : -Infinity));
  const row = (matrix, i) => matrix.data.subarray(i * columns, (i + 1) * columns);
  const tops = make(rows, 1, (i) => Math.max(...row(masked, i)));
  const powers = make(rows, columns, (i, j) => Math.exp((at(masked, i, j) - at(tops, i, 0)) / temperature));
  const sums = make(rows, 1, (i) => row(powers, i).reduce((sum, power) => sum + power, 0));
  return { masked, tops, powers, sums, weights: make(rows, columns, (i, j) => at(powers, i, j) / at(sums, i, 0)) };
}

// --- what a step shows: the matrix that it makes, and of what

const PARTS = {
  queries: ["X", "WQ", "Q"], keys: ["X", "WK", "K"], values: ["X", "WV", "V"], raw: ["Q", "K", "S"], scaled: ["S", "root", "scaled"],
  masked: ["scaled", "mask", "masked"], powers: ["masked", "tops", "powers"], weights: ["powers", "sums", "weights"], output: ["weights", "V", "output"],
};

/** The names of a step's two operands (null where the matrix is given) and of its result. */
export function partsOf(step, made) {
  const [left, right, result] = PARTS[step];
  if (made.S && !made.Q && ["queries", "keys", "raw"].includes(step)) return [null, null, "S"]; // scores alone are given
  return made[left] && (made[right] || right === "root") ? [left, right, result] : [null, null, result];
}

export const isGiven = (example, name) => name in examples[example].inputs;

/** The operands of cell (i, j) of a step's result, as tests of a place in the left and in the right matrix. */
export function operandsOf(step, i, j) {
  const cell = (row, column) => row === i && column === j;
  const ofRow = (row) => row === i;
  const column = (_, c) => c === j;
  if (step === "raw") return [ofRow, (row) => row === j];
  if (step === "scaled") return [cell, () => true];
  if (step === "masked") return [cell, cell];
  if (step === "powers" || step === "weights") return [cell, ofRow];
  return [ofRow, column];
}

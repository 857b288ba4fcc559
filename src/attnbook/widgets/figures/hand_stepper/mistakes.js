// What a typed number tells: right, right but cut short, or which slip gives it.
import { added, at, make, rowByColumn, rowByRow, softened } from "./matrices.js";

const DIGITS = 3;
const HALF = 0.5001; // of the last digit; a little more, since 0.0005 is not exact
const NEAR = 0.03;
const LOOSE = 2; // so many digits may stand for more

const WORDS = { inf: Infinity, "∞": Infinity, "+∞": Infinity, "-inf": -Infinity, "-∞": -Infinity, nan: NaN };

/** A number as readers type it: comma or point, any minus, "-inf"; undefined if it is none. */
export function parse(text) {
  const plain = text.trim().toLowerCase().replace(/[−–]/g, "-").replace(",", ".").replace("infinity", "inf");
  if (plain in WORDS) return { value: WORDS[plain], digits: DIGITS };
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/.test(plain)) return undefined;
  const digits = plain.includes("e") ? DIGITS : (plain.split(".")[1] ?? "").length;
  return { value: Number(plain), digits };
}

const within = (typed, value, digits) => typed === value || Math.abs(typed - value) <= HALF * 10 ** -digits;

/**
 * "right", "short" (right, but too few digits), the name of a slip, "near" or "unknown". A slip's own number counts first; a number of
 * few digits is taken for the slip that it may stand for only after that.
 */
export function judge({ value: typed, digits }, right, slips) {
  if (within(typed, right, DIGITS)) return "right";
  if (Number.isNaN(typed)) return "nan";
  const kept = Math.min(digits, DIGITS);
  const others = slips.filter(([, value]) => !within(value, right, DIGITS));
  const named = (count, test = () => true) => others.find(([name, value]) => test(name) && within(typed, value, count))?.[0];
  const exact = named(DIGITS, (name) => name !== "rounded");
  if (exact) return exact === "no_maximum" && typed === Infinity ? "overflow" : exact;
  if (kept < DIGITS && within(typed, right, kept)) return "short";
  const near = Math.abs(typed - right) <= NEAR * Math.max(1, Math.abs(right)) ? "near" : "unknown";
  return named(DIGITS) ?? (kept >= LOOSE ? named(kept) : undefined) ?? near;
}

/** The usual slips at a cell: a list of [name, the number that it gives]. What cannot be formed is left out. */
export function slipsAt(step, made, state, i, j) {
  const of = { queries: () => projection(made.X, made.WQ, made.Q, i, j), keys: () => projection(made.X, made.WK, made.K, i, j),
    values: () => projection(made.X, made.WV, made.V, i, j), raw: () => raw(made, i, j), scaled: () => scaled(made, i, j),
    masked: () => masked(made, i, j), powers: () => powers(made, state, i, j), weights: () => weights(made, state, i, j), output: () => output(made, state, i, j) };
  return of[step]().filter(([, value]) => value !== undefined);
}

const inside = (matrix, i, j) => i < matrix.rows && j < matrix.columns;
const cell = (matrix, i, j) => (inside(matrix, i, j) ? at(matrix, i, j) : undefined);

/** Slips of a sum of products: a sign lost, a term left out. */
function ofSums(pairs) {
  const sum = added(pairs);
  const without = pairs.filter(([a, b]) => a * b !== 0).map(([a, b]) => ["missing_term", sum - a * b]);
  return [["no_signs", pairs.reduce((total, [a, b]) => total + Math.abs(a * b), 0)], ...without];
}

function projection(X, W, made, i, j) {
  if (!X) return [];
  const pairs = rowByColumn(X, W, i, j);
  const byRow = W.columns === X.columns && j < W.rows ? added(rowByRow(X, W, i, j)) : undefined;
  return [["row_for_column", byRow], ["swapped", cell(made, j, i)], ...ofSums(pairs)];
}

function raw({ Q, K, S, d_k }, i, j) {
  if (!Q) return [];
  const column = K.rows === d_k && j < K.columns ? added(rowByColumn(Q, K, i, j)) : undefined;
  return [["column_for_row", column], ["other_way", cell(S, j, i)], ["too_early", at(S, i, j) / Math.sqrt(d_k)], ...ofSums(rowByRow(Q, K, i, j))];
}

function scaled({ S, d_k }, i, j) {
  const score = at(S, i, j);
  return [["not_scaled", score], ["by_d_k", score / d_k], ["times_root", score * Math.sqrt(d_k)], ["by_keys", score / Math.sqrt(S.columns)]];
}

function masked({ scaled: scores, mask }, i, j) {
  if (at(mask, i, j)) return [["hidden_seen", -Infinity]];
  return [["zero", 0], ["stand_in", -1e9], ["not_hidden", at(scores, i, j)]];
}

function powers({ S, scaled: scores, masked: used, tops, mask }, { temperature }, i, j) {
  const e = (x) => Math.exp(x / temperature);
  const [score, top] = [at(used, i, j), at(tops, i, 0)];
  const column = Array.from({ length: used.rows }, (_, k) => at(used, k, j));
  return [
    ["no_maximum", e(score)], ["hidden_kept", at(mask, i, j) ? undefined : e(at(scores, i, j) - top)], ["zero_kept", at(mask, i, j) ? undefined : 1],
    ["exponent", score - top], ["turned", e(top - score)], ["not_scaled", at(softened(S, mask, temperature).powers, i, j)],
    ["whole_maximum", e(score - Math.max(...used.data))], ["column_maximum", e(score - Math.max(...column))], ["base_two", 2 ** ((score - top) / temperature)],
  ];
}

/** Weights as each slip makes them, for the two last steps. */
function wrongWeights({ S, scaled: scores, mask, powers: right, d_k }, { temperature }) {
  const scaledBy = (factor) => make(S.rows, S.columns, (i, j) => at(S, i, j) * factor);
  const seen = make(S.rows, S.columns, () => 1);
  const turned = (matrix) => make(matrix.columns, matrix.rows, (i, j) => at(matrix, j, i));
  const rounded = (digits) => shares(make(S.rows, S.columns, (i, j) => Number(at(right, i, j).toFixed(digits))));
  return {
    not_scaled: softened(S, mask, temperature).weights, by_d_k: softened(scaledBy(1 / d_k), mask, temperature).weights,
    over_queries: turned(softened(turned(scores), turned(mask), temperature).weights), not_hidden: softened(scores, seen, temperature).weights,
    rounded: [rounded(1), rounded(2)],
  };
}

const sumOf = (matrix, i) => Array.from({ length: matrix.columns }, (_, j) => at(matrix, i, j)).reduce((sum, value) => sum + value, 0);
const shares = (matrix) => make(matrix.rows, matrix.columns, (i, j) => at(matrix, i, j) / sumOf(matrix, i));

function weights(made, state, i, j) {
  const { rounded, ...wrong } = wrongWeights(made, state);
  return [
    ...Object.entries(wrong).map(([name, matrix]) => [name, at(matrix, i, j)]),
    ["not_divided", at(made.powers, i, j)], ["no_powers", at(shares(made.scaled), i, j)], ["other_way", cell(made.weights, j, i)],
    ...rounded.map((matrix) => ["rounded", at(matrix, i, j)]),
  ];
}

function output(made, state, i, j) {
  const { rounded, ...wrong } = wrongWeights(made, state);
  const { V, K, weights: A, output: right } = made;
  const mixed = (matrix) => added(rowByColumn(matrix, V, i, j));
  const cut = [1, 2].map((digits) => make(A.rows, A.columns, (a, b) => Number(at(A, a, b).toFixed(digits))));
  const square = A.rows === V.rows;
  return [
    ...Object.entries(wrong).map(([name, matrix]) => [name, mixed(matrix)]),
    ["column_for_row", square ? added(Array.from({ length: V.rows }, (_, k) => [at(A, k, i), at(V, k, j)])) : undefined],
    ["row_for_column", A.columns === V.columns && j < V.rows ? added(rowByRow(A, V, i, j)) : undefined],
    ["keys_summed", K && j < K.columns ? added(rowByColumn(A, K, i, j)) : undefined], ["plain_mean", mixed(make(A.rows, A.columns, () => 1 / A.columns))],
    ["winner", at(V, winnerOf(A, i), j)], ["other_way", cell(right, j, i)], ...[...cut, ...rounded].map((matrix) => ["rounded", mixed(matrix)]), ...ofSums(rowByColumn(A, V, i, j)),
  ];
}

function winnerOf(A, i) {
  const row = Array.from({ length: A.columns }, (_, j) => at(A, i, j));
  return row.indexOf(Math.max(...row));
}

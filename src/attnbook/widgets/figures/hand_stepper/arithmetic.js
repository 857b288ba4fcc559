// A cell's arithmetic as text, in the symbols of the book.
import { at, rowByColumn, rowByRow } from "./matrices.js";
import { formatNumber } from "../../kit/numbers.js";

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";
const WHOLE = 1e-9;
const LETTERS = { queries: "q", keys: "k", values: "v", raw: "s", scaled: "s̃", masked: "m", powers: "e", weights: "a", output: "o" };

/** A number as it stands in a cell: whole ones in full, all others with three digits. */
export function shown(value) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "NaN";
  const whole = Math.round(value);
  return Math.abs(value - whole) < WHOLE ? formatNumber(whole, "d") : formatNumber(value, ".3f");
}

export const cellName = (step, i, j) => `${LETTERS[step]}${SUBSCRIPTS[i + 1]}${SUBSCRIPTS[j + 1]}`;

const inBrackets = (value) => (value < 0 ? `(${shown(value)})` : shown(value));
const sum = (pairs) => pairs.map(([a, b]) => `${inBrackets(a)}·${inBrackets(b)}`).join(" + ");

/** The line for cell (i, j) of a step: its name, what is done with which numbers, the result. */
export function written(ui, step, made, parts, state, i, j) {
  const [left, right, result] = parts;
  const about = { name: cellName(step, i, j), value: shown(at(made[result], i, j)) };
  if (!left) return ui.t("written.given", about);
  if (step === "raw") return ui.t("written.sum", { ...about, terms: sum(rowByRow(made.Q, made.K, i, j)) });
  const parted = SPECIAL[step];
  if (parted) return parted(ui, made, state, about, i, j);
  return ui.t("written.sum", { ...about, terms: sum(rowByColumn(made[left], made[right], i, j)) });
}

const SPECIAL = {
  scaled: (ui, { S, d_k }, _, about, i, j) => ui.t("written.scaled", { ...about, score: shown(at(S, i, j)), width: d_k, root: shown(Math.sqrt(d_k)) }),
  masked: (ui, { mask }, _, about, i, j) => ui.t(at(mask, i, j) ? "written.seen" : "written.hidden", about),
  powers: (ui, { masked, tops, mask }, { temperature }, about, i, j) => {
    const [score, top] = [at(masked, i, j), at(tops, i, 0)];
    const gap = { ...about, score: shown(score), top: inBrackets(top), gap: shown((score - top) / temperature), heat: shown(temperature) };
    if (!at(mask, i, j)) return ui.t("written.power_hidden", gap);
    return ui.t(temperature === 1 ? "written.power" : "written.power_heat", gap);
  },
  weights: (ui, { powers, sums }, _, about, i, j) => {
    const terms = Array.from({ length: powers.columns }, (_, k) => shown(at(powers, i, k))).join(" + ");
    return ui.t("written.weight", { ...about, power: shown(at(powers, i, j)), terms, total: shown(at(sums, i, 0)) });
  },
};

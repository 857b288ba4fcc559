// Numbers as text, in the style of Python's format.
import { format } from "../vendor/d3-format.js";

const formats = new Map();

/** A number in the style of Python's format: f, d and % mean the same in both. */
export function formatNumber(value, spec) {
  if (!formats.has(spec)) formats.set(spec, format(spec));
  return formats.get(spec)(value);
}

/** A number without a format: a whole one in full, else six digits at most, no trailing zeros. */
export function plain(value) {
  if (typeof value !== "number") return String(value);
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(6))).replace("-", "−");
}

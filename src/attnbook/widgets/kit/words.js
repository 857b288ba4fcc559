// Every word of every figure comes from one table, so a translation is one file.
import words from "../words/en.json" with { type: "json" };
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

/** "{d_k} keys, {entropy:.2f} nats" with the values put in; an unknown name throws. */
export function fill(template, values) {
  return template.replace(/\{(\w+)(?::([^}]+))?\}/g, (_, name, spec) => {
    if (!(name in values)) throw new Error(`no value named ${name} for "${template}"`);
    return spec ? formatNumber(values[name], spec) : plain(values[name]);
  });
}

/** The entry at a path of the table, or undefined. */
export function lookUp(path) {
  return path.split(".").reduce((table, key) => table?.[key], words);
}

/** The words at a path, with values put in; a missing entry throws. */
export function say(path, values = {}) {
  const template = lookUp(path);
  if (typeof template !== "string") throw new Error(`no words at ${path} in words/en.json`);
  return fill(template, values);
}

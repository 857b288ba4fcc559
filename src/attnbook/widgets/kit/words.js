// Every word stands in a table: the kit's own in en.json beside this, a figure's in its folder,
// so a translation is one file for each of them.
import kitWords from "./en.json" with { type: "json" };
import { formatNumber, plain } from "./numbers.js";

/** "{d_k} keys, {entropy:.2f} nats" with the values put in; an unknown name throws. */
export function fill(template, values) {
  return template.replace(/\{(\w+)(?::([^}]+))?\}/g, (_, name, spec) => {
    if (!(name in values)) throw new Error(`no value named ${name} for "${template}"`);
    return spec ? formatNumber(values[name], spec) : plain(values[name]);
  });
}

/** The entry at a dotted path of a table, or undefined. */
export function lookUp(table, path) {
  return path.split(".").reduce((node, key) => node?.[key], table);
}

/** The words at a path of a table, with values put in; a missing entry throws. */
export function say(table, path, values = {}) {
  const template = lookUp(table, path);
  if (typeof template !== "string") throw new Error(`no words at ${path} in en.json`);
  return fill(template, values);
}

/** The same for the words that all figures share. */
export function sayKit(path, values = {}) {
  return say(kitWords, path, values);
}

// What a figure's state may be. The "state" part of a figure's JSON file is the schema;
// Python makes its traits from the same file.

const ON = new Set(["on", "true", "True", "1", "yes"]);
const OFF = new Set(["off", "false", "False", "0", "no"]);

export function defaults(schema) {
  return Object.fromEntries(Object.entries(schema).map(([key, field]) => [key, field.default]));
}

function cleanNumber(field, given) {
  const number = typeof given === "string" && given.trim() === "" ? NaN : Number(given);
  if (!Number.isFinite(number)) return undefined;
  const whole = field.type === "integer" ? Math.round(number) : number;
  return Math.min(Math.max(whole, field.min), field.max);
}

function cleanBoolean(given) {
  if (typeof given === "boolean") return given;
  return ON.has(String(given)) ? true : OFF.has(String(given)) ? false : undefined;
}

/** The nearest value that the field allows, or undefined if nothing is near. */
export function cleanValue(field, given) {
  if (field.nullable && (given === null || given === "none")) return null;
  if (field.type === "boolean") return cleanBoolean(given);
  if (field.type === "choice") return field.options.includes(given) ? given : undefined;
  if (field.type === "text") return new RegExp(`^(?:${field.pattern})$`).test(given) ? given : undefined;
  return given === null ? undefined : cleanNumber(field, given);
}

/**
 * Keeps what is allowed of a partial state, moves what is near, drops the rest.
 * Returns { partial, problems }; a problem is { key, given, used } (used: undefined if dropped).
 */
export function clean(schema, given) {
  const partial = {};
  const problems = [];
  for (const [key, value] of Object.entries(given)) {
    const used = schema[key] ? cleanValue(schema[key], value) : undefined;
    if (used !== undefined) partial[key] = used;
    const moved = typeof used === "number" && used !== Number(value);
    if (used === undefined || moved) problems.push({ key, given: value, used });
  }
  return { partial, problems };
}

/** A value as it stands in an address. */
export function encode(value) {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  return String(value);
}

/** The part of `state` that differs from `base`. */
export function difference(state, base) {
  return Object.fromEntries(Object.entries(state).filter(([key, value]) => value !== base[key]));
}

export function sameState(a, b) {
  return Object.keys(a).every((key) => a[key] === b[key]);
}

function pythonValue(value) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "string" ? `"${value}"` : String(value);
}

/** The Python line that makes this figure in this state. */
export function pythonLine(className, schema, state, id) {
  const changed = difference(state, defaults(schema));
  const parts = Object.entries(changed).map(([key, value]) => `${key}=${pythonValue(value)}`);
  return `${className}(${[`id="${id}"`, ...parts].join(", ")})`;
}

/** Positions of a slider: its stops, or even steps on a linear or logarithmic scale. */
export function scaleOf(field) {
  if (field.stops) return stopScale(field.stops);
  return field.scale === "log" ? logScale(field) : linearScale(field);
}

function stopScale(stops) {
  const nearest = (value) => stops.reduce((best, stop, at) => (Math.abs(Math.log(stop / value)) < Math.abs(Math.log(stops[best] / value)) ? at : best), 0);
  return { max: stops.length - 1, value: (position) => stops[position], position: nearest };
}

function linearScale({ type, min, max, step = type === "integer" ? 1 : (max - min) / 200 }) {
  const round = (value) => Number(value.toPrecision(12));
  return {
    max: Math.round((max - min) / step),
    value: (position) => round(min + position * step),
    position: (value) => Math.round((value - min) / step),
  };
}

// Three significant digits are enough for a slider, and they keep the address short. A field that starts at 0
// has a logarithmic scale from `low` on, and one more position, the first, for 0 itself: a limit.
function logScale({ min, max, low, steps = 200 }) {
  if (min === 0) return withZero(logScale({ min: low, max, steps }));
  const span = Math.log(max / min);
  const ends = (position) => (position <= 0 ? min : position >= steps ? max : null);
  return {
    max: steps,
    value: (position) => ends(position) ?? Number((min * Math.exp((span * position) / steps)).toPrecision(3)),
    position: (value) => Math.round((steps * Math.log(value / min)) / span),
  };
}

function withZero(scale) {
  return {
    max: scale.max + 1,
    value: (position) => (position <= 0 ? 0 : scale.value(position - 1)),
    position: (value) => (value <= 0 ? 0 : Math.max(scale.position(value), 0) + 1),
  };
}

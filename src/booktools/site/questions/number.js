import { word } from "./dom.js";
import { read, readings } from "./reading.js";

// A number as readers write it, in its likeliest reading. Null if it is none.
export function parseNumber(text, unit = "") {
  return readings(text, unit)[0] ?? null;
}

export function near(value, goal, tolerance) {
  return Math.abs(value - goal) <= tolerance * Math.abs(goal);
}

const BAND = 0.08; // the share within which a number is a typical one

// The place of the typical wrong number that a value is nearest to; -1 if near none.
export function typical(value, numbers) {
  const distances = numbers.map((one) => Math.abs(value - one));
  const place = distances.indexOf(Math.min(...distances));
  return near(value, numbers[place], BAND) ? place : -1;
}

// Of several readings the one that is right, else one that is typical, else the one
// that is least far off: nobody is told of a slip that is only another country's comma.
export function choose(values, goal, tolerance, numbers) {
  const far = (value) => (value / goal > 0 ? Math.abs(Math.log(value / goal)) : Infinity);
  const right = values.find((value) => near(value, goal, tolerance));
  const known = values.find((value) => typical(value, numbers) >= 0);
  return right ?? known ?? [...values].sort((a, b) => far(a) - far(b))[0];
}

// How far off a number is, as a word and what stands in it.
export function distance(value, goal) {
  const factor = value / goal;
  if (!(factor > 0)) return ["other_sign"];
  const size = factor > 1 ? factor : 1 / factor;
  if (size < 1.05) return [factor > 1 ? "bit_large" : "bit_small"];
  const times = String(Number(size.toPrecision(2)));
  return [factor > 1 ? "too_large" : "too_small", { factor: times }];
}

export function number(root) {
  const field = root.querySelector(".attn-q-entry input");
  const reasons = [...root.querySelectorAll(".attn-q-reason")];
  const [truth, ...wrong] = reasons;
  const unit = root.querySelector(".attn-q-unit").textContent;
  const goal = Number(truth.dataset.value);
  const tolerance = Number(truth.dataset.tolerance);
  const numbers = wrong.map((reason) => Number(reason.dataset.value));

  // Say how it was read where that is not the first way to read it.
  function aside(value, values) {
    if (value === values[0]) return "";
    const shown = value.toLocaleString("en", { maximumSignificantDigits: 6 });
    return ` ${word("read_as", { value: unit === "%" ? `${shown}%` : shown })}`;
  }

  return {
    missing: "number_first",
    unclear() {
      const { unclear, part } = read(field.value);
      return word(unclear, { part });
    },
    others: "others_number",
    first: field,
    read: () => (readings(field.value, unit).length ? field.value.trim() : null),
    write: (answer) => (field.value = answer ?? ""),
    lock: (locked) => (field.readOnly = locked),
    fits: (answer) => typeof answer === "string" && readings(answer, unit).length > 0,
    reveal: () => {},
    hide: () => {},
    judge(answer) {
      const values = readings(answer, unit);
      const value = choose(values, goal, tolerance, numbers);
      const right = near(value, goal, tolerance);
      const match = right ? null : wrong[typical(value, numbers)];
      const known = right || match;
      const comment = known ? word(right ? "right" : "wrong") : word(...distance(value, goal));
      const own = match ? [match, truth] : [truth];
      const said = word("you_said", { answer }) + aside(value, values);
      return { right, own, verdict: `${said} ${comment}` };
    },
  };
}

import { word } from "./dom.js";

const GROUPED = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/; // thousands, as the book writes them

function parsePart(text) {
  if (text === "") return NaN;
  return Number(GROUPED.test(text) ? text.replaceAll(",", "") : text.replace(",", "."));
}

// A number as readers write it: 0.5, 0,5, 65,600, 1/2, 50 %, 1e-3. Null if it is none.
// Where percent are asked for, 50 % is 50.
export function parseNumber(text, unit = "") {
  const plain = text.trim().replace(/\s/g, "").replace("−", "-");
  const percent = plain.endsWith("%") && unit !== "%";
  const parts = plain.replace(/%$/, "").split("/");
  if (parts.length > 2) return null;
  const [top, bottom = 1] = parts.map(parsePart);
  const value = top / bottom / (percent ? 100 : 1);
  return Number.isFinite(value) ? value : null;
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

export function number(root) {
  const field = root.querySelector(".attn-q-entry input");
  const reasons = [...root.querySelectorAll(".attn-q-reason")];
  const [truth, ...wrong] = reasons;
  const unit = root.querySelector(".attn-q-unit").textContent;
  const goal = Number(truth.dataset.value);
  const tolerance = Number(truth.dataset.tolerance);
  const numbers = wrong.map((reason) => Number(reason.dataset.value));

  function farOff(value) {
    const factor = value / goal;
    if (!(factor > 0)) return word("other_sign");
    const times = (x) => String(Number(x.toPrecision(2)));
    if (factor > 1) return word("too_large", { factor: times(factor) });
    return word("too_small", { factor: times(1 / factor) });
  }

  return {
    missing: "number_first",
    others: "others_number",
    first: field,
    read: () => (parseNumber(field.value) === null ? null : field.value.trim()),
    write: (answer) => (field.value = answer ?? ""),
    lock: (locked) => (field.readOnly = locked),
    fits: (answer) => typeof answer === "string" && parseNumber(answer) !== null,
    reveal: () => {},
    hide: () => {},
    judge(answer) {
      const value = parseNumber(answer, unit);
      const right = near(value, goal, tolerance);
      const match = right ? null : wrong[typical(value, numbers)];
      const comment = right || match ? word(right ? "right" : "wrong") : farOff(value);
      const own = match ? [match, truth] : [truth];
      return { right, own, verdict: `${word("you_said", { answer })} ${comment}` };
    },
  };
}

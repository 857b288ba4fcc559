// Steps, presets, links and undo move in the drawing: what is drawn goes from the former state to the new one
// while numbers, words and the hook for tests are at the end already.
import { scaleOf } from "./schema.js";

const DURATION_MS = 300;
const MOVING = new Set(["guide", "preset", "prose", "undo", "reset"]);

const wantsCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const eased = (share) => 1 - (1 - share) ** 3;

/** A state on the way: numbers go along their sliders' scales, all else is at the end at once. */
export function between(schema, from, to, share) {
  const state = { ...to };
  for (const [key, field] of Object.entries(schema)) {
    const numbers = typeof from[key] === "number" && typeof to[key] === "number" && from[key] !== to[key];
    if (numbers && !field.still) state[key] = onTheWay(field, from[key], to[key], share);
  }
  return state;
}

function onTheWay(field, from, to, share) {
  const scale = scaleOf(field);
  const position = scale.position(from) + share * (scale.position(to) - scale.position(from));
  return scale.value(Math.round(position));
}

/**
 * mover(live): start(source, from, to) draws the way if there is one to go; stop() leaves it where it is,
 * and the next drawing is of the end.
 */
export function mover(live) {
  let frame = null;
  const stop = () => {
    cancelAnimationFrame(frame);
    frame = null;
  };
  const start = (source, from, to) => {
    stop();
    if (!MOVING.has(source) || !from || wantsCalm()) return;
    const began = performance.now();
    const step = (now) => {
      const share = (now - began) / DURATION_MS;
      frame = share < 1 ? requestAnimationFrame(step) : null;
      if (share < 1) live.drawOnTheWay(between(live.store.schema, from, to, eased(Math.max(share, 0))));
      else live.drawEnd();
    };
    step(began);
  };
  return { start, stop, get moving() { return frame !== null; } };
}

// A point that can be dragged in a plot, with a keyboard equal: it is an ARIA slider.
import { s, setAttributes } from "./dom.js";
import { scaleOf } from "./schema.js";
import { isSideways } from "./slide.js";

const REACH = 22; // half of the 44 pixels that a finger needs

/**
 * handle(ui, plot, { name, x, y }): x and y name the state's keys that a drag along that axis sets (leave out what
 * cannot be dragged). Words: <figure>.<name>.handle. draw(xValue, yValue, text) places it.
 */
export function handle(ui, plot, { name, x, y, className = "" }) {
  const { store } = ui;
  const axes = Object.entries({ x, y }).filter(([, key]) => key);
  const [, mainKey] = axes[0];
  const field = store.schema[mainKey];
  const element = s("g", {
    class: `attn-handle ${className}`, role: "slider", tabindex: 0, "aria-label": ui.t(`${name}.handle`),
    "aria-valuemin": field.min, "aria-valuemax": field.max,
  }, s("circle", { class: "attn-handle-reach", r: REACH }), s("circle", { class: "attn-handle-dot", r: 7 }));
  plot.layers.append(element);
  drag(element, store, mainKey, (event) => store.set(valuesAt(plot, store, axes, event), { gesture: mainKey }));
  element.addEventListener("keydown", (event) => step(event, store, { x, y }));
  // touch-action alone does not keep a page from scrolling under a finger on part of an SVG.
  element.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  const draw = (xValue, yValue, text) => {
    element.setAttribute("transform", `translate(${plot.x(xValue).toFixed(1)} ${plot.y(yValue).toFixed(1)})`);
    if (!ui.moving) setAttributes(element, { "aria-valuenow": store.state[mainKey], "aria-valuetext": text });
  };
  return { element, draw };
}

function valuesAt(plot, store, axes, event) {
  const box = plot.svg.getBoundingClientRect();
  const pixel = { x: ((event.clientX - box.left) * plot.width) / box.width, y: ((event.clientY - box.top) * plot.height) / box.height };
  return Object.fromEntries(axes.map(([axis, key]) => [key, snap(store.schema[key], plot[axis].invert(pixel[axis]))]));
}

/** The slider position that is nearest to a value, as a value. */
function snap(field, value) {
  const scale = scaleOf(field);
  const inRange = Math.min(Math.max(value, field.min), field.max);
  return scale.value(Math.min(Math.max(scale.position(inRange), 0), scale.max));
}

/**
 * Calls move(event) from pointer down to pointer up, wherever the pointer goes. With `sideways` a finger has to
 * move along first, so that a swipe that begins here can scroll the page.
 */
export function drag(element, store, gesture, move, { sideways = false } = {}) {
  let waits = null;
  element.addEventListener("pointerdown", (event) => {
    waits = sideways && event.pointerType === "touch" ? { x: event.clientX, y: event.clientY } : null;
    element.setPointerCapture(event.pointerId);
    element.focus({ preventScroll: true });
    store.hold(gesture);
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    if (waits && isSideways(event, waits)) waits = null;
    if (!waits && element.hasPointerCapture(event.pointerId)) move(event);
  });
  for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, () => store.hold(null));
}

const KEYS = {
  ArrowRight: ["x", 1], ArrowLeft: ["x", -1], ArrowUp: ["y", 1], ArrowDown: ["y", -1],
  PageUp: ["x", 10], PageDown: ["x", -10], Home: ["x", -Infinity], End: ["x", Infinity],
};

/** The arrow keys move a handle; on a handle of one axis, all four move that axis. */
export function step(event, store, { x, y }) {
  if (!(event.key in KEYS)) return;
  event.preventDefault();
  const [axis, by] = KEYS[event.key];
  const key = (axis === "x" ? x : y) ?? x ?? y;
  const scale = scaleOf(store.schema[key]);
  const position = Math.min(Math.max(scale.position(store.state[key]) + by, 0), scale.max);
  store.set({ [key]: scale.value(position) }, { gesture: key });
}

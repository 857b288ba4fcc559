// Axes, curves, bars, points and rules as SVG. A plot fills the place that its panel has for it; it is drawn in the
// figure's unit, so text and lines keep their size, and grow together where the unit does.
import { ticks as linearTicks } from "../vendor/d3-array.js";
import { h, s, setAttributes, setSvgRich, setText } from "./dom.js";
import { formatNumber } from "./numbers.js";

const FALLBACK = { width: 320, height: 180 }; // until the first layout
const TITLE = 18; // room for an axis' title

/** Ticks at 1, 2 and 5 times the powers of ten; fewer where there is little room. */
export function logTicks(low, high, count) {
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const digit of [1, 2, 5]) all.push(Number(`${digit}e${power}`));
  }
  const inside = all.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
  return inside.length <= count ? inside : inside.filter((tick) => String(tick).replace(/[0.]/g, "") === "1");
}

const ZERO_ROOM = 26; // on a logarithmic axis that shows 0 too, from 0 to its first value

/** A logarithmic scale whose first place is 0, apart from the rest. */
function withZero(spec, from, to) {
  const start = from + Math.sign(to - from) * ZERO_ROOM;
  const scale = makeScale({ ...spec, zero: false }, start, to);
  const at = (value) => (value >= spec.domain[0] ? scale(value) : value > 0 ? (from + start) / 2 : from);
  at.invert = (pixel) => ((pixel - (from + start) / 2) * Math.sign(to - from) < 0 ? 0 : scale.invert(pixel));
  return at;
}

function makeScale(spec, from, to) {
  if (spec.zero) return withZero(spec, from, to);
  const { domain: [low, high], scale = "linear" } = spec;
  const f = scale === "log" ? Math.log : (value) => value;
  const slope = (to - from) / (f(high) - f(low));
  const at = (value) => from + (f(value) - f(low)) * slope;
  at.invert = (pixel) => {
    const value = f(low) + (pixel - from) / slope;
    return scale === "log" ? Math.exp(value) : value;
  };
  return at;
}

const PIXELS_A_TICK = 36;

/** Every second one, or third, where there is no room for all; names are kept. */
function thinned(ticks, room) {
  const every = Math.ceil((ticks.length * 28) / room);
  return every > 1 ? ticks.filter((_, k) => k % every === 0) : ticks;
}

/** Ticks as given, or as many as there is room for, up to `count`. */
function ticksOf({ domain: [low, high], scale, ticks, zero, count: wanted = 5 }, room) {
  if (ticks) return thinned(ticks, room);
  if (zero) return [0, ...ticksOf({ domain: [low, high], scale, count: wanted }, room - ZERO_ROOM)];
  const count = Math.min(wanted, Math.floor(room / PIXELS_A_TICK));
  return scale === "log" ? logTicks(low, high, count) : thinned(linearTicks(low, high, count), room);
}

/** Room around the axes: less where there are no titles. */
function marginsOf(ui, name, { x, y }, margin) {
  const named = (axis, spec) => (spec.title ?? ui.t(`${name}.${axis}`)) !== "";
  return { top: 10, right: 14, bottom: named("x", x) ? 22 + TITLE : 22, left: named("y", y) ? 28 + TITLE : 34, ...margin };
}

/**
 * plot(ui, { name, x, y, margin }): x and y are { domain, scale: "linear" | "log", ticks, labels, count, format, title };
 * a log x axis may have `zero: true`, which gives 0 a place of its own before the domain, and y a `base` for bars.
 *
 * Words: <figure>.<name>.x, .y, .aria (a template over the measured values). Layers are drawn in the order of
 * their making: curve(class), area(class), bars(class), caps(class), rule(class), point(class), text(class), each with a
 * draw method.
 */
export function plot(ui, { name, x, y, margin }) {
  const axes = s("g", { class: "attn-axes" });
  const layers = s("g", {});
  const svg = s("svg", { class: "attn-plot-svg", role: "group" }, axes, layers);
  const element = h("div", { class: "attn-plot" }, svg);
  const self = { element, svg, layers, ...FALLBACK, margin: marginsOf(ui, name, { x, y }, margin), spec: { x: { ...x }, y: { ...y } }, dirty: true };
  self.setTitle = (axis, title) => { self.spec[axis].title = title; self.dirty = true; };
  self.setDomain = (axis, domain) => { self.spec[axis].domain = domain; self.dirty = true; };
  self.fit = () => fit(ui, name, self, axes);
  self.describe = (values) => ui.moving || svg.setAttribute("aria-label", ui.t(`${name}.aria`, values));
  for (const [kind, make] of Object.entries(LAYERS)) self[kind] = (className) => make(self, className);
  ui.sizes.watch(element, (width, height) => {
    if (!width || (width === self.width && height === self.height)) return;
    Object.assign(self, { width, height, dirty: true });
  });
  return self;
}

// Axes and scales are made anew only when the size or a domain changed.
function fit(ui, name, self, axes) {
  if (!self.dirty) return;
  self.dirty = false;
  const { width, height, margin, spec: { x, y } } = self;
  self.x = makeScale(x, margin.left, width - margin.right);
  self.y = makeScale(y, height - margin.bottom, margin.top);
  self.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const words = (axis) => self.spec[axis].title ?? ui.t(`${name}.${axis}`);
  axes.replaceChildren(...xAxis(self, x, words("x")), ...yAxis(self, y, words("y")));
}

function xAxis(self, spec, title) {
  const { width, height, margin } = self;
  const bottom = height - margin.bottom;
  const parts = [s("line", { class: "attn-axis", x1: margin.left, x2: width - margin.right, y1: bottom, y2: bottom })];
  if (spec.zero) parts.push(axisBreak(margin.left, bottom));
  for (const tick of spec.labels ? spec.ticks : ticksOf(spec, width - margin.left - margin.right)) {
    const at = self.x(tick);
    parts.push(s("line", { class: "attn-tick", x1: at, x2: at, y1: bottom, y2: bottom + 4 }));
    parts.push(s("text", { class: "attn-tick-text", x: at, y: bottom + 17, "text-anchor": "middle" }, spec.labels?.[tick] ?? formatNumber(tick, spec.format ?? "~g")));
  }
  if (title) parts.push(axisTitle(title, { x: (margin.left + width - margin.right) / 2, y: height - 5 }));
  return parts;
}

// Two strokes that say: between 0 and the first value the axis is cut.
function axisBreak(left, bottom) {
  const at = left + ZERO_ROOM / 2;
  const strokes = [-2, 2].map((by) => `M${at + by - 2} ${bottom + 5}L${at + by + 2} ${bottom - 5}`);
  return s("path", { class: "attn-axis-break", d: strokes.join("") });
}

function yAxis(self, spec, title) {
  const { width, height, margin } = self;
  const parts = [];
  for (const tick of ticksOf({ count: 4, ...spec }, Infinity)) {
    const at = self.y(tick);
    parts.push(s("line", { class: "attn-gridline", x1: margin.left, x2: width - margin.right, y1: at, y2: at }));
    parts.push(s("text", { class: "attn-tick-text", x: margin.left - 6, y: at + 4.5, "text-anchor": "end" }, spec.labels?.[tick] ?? formatNumber(tick, spec.format ?? "~g")));
  }
  const middle = (margin.top + height - margin.bottom) / 2;
  if (title) parts.push(axisTitle(title, { x: 0, y: 0, transform: `translate(12 ${middle}) rotate(-90)` }));
  return parts;
}

function axisTitle(title, place) {
  const element = s("text", { class: "attn-axis-title", "text-anchor": "middle", ...place });
  setSvgRich(element, title);
  return element;
}

const round = (pixel) => Math.round(pixel * 10) / 10;

function layer(self, tag, className, attributes = {}) {
  const element = s(tag, { class: className, ...attributes });
  self.layers.append(element);
  return element;
}

// The ends belong to a domain, rounding or not.
function inDomain(value, [low, high]) {
  const slack = 1e-9 * Math.max(Math.abs(low), Math.abs(high));
  return value >= low - slack && value <= high + slack;
}

const LAYERS = {
  /** draw(xs, ys): a line; points outside the x domain are left out. */
  curve(self, className) {
    const path = layer(self, "path", `attn-curve ${className}`);
    const draw = (xs, ys) => {
      let d = "";
      for (let k = 0; k < xs.length; k++) {
        if (!inDomain(xs[k], self.spec.x.domain) && !(self.spec.x.zero && xs[k] === 0)) continue;
        d += `${d ? "L" : "M"}${round(self.x(xs[k]))} ${round(self.y(ys[k]))}`;
      }
      path.setAttribute("d", d);
    };
    return { element: path, draw, hide: () => path.setAttribute("d", "") };
  },

  /** draw(xs, lows, highs): what lies between two curves. */
  area(self, className) {
    const path = layer(self, "path", `attn-stack ${className}`);
    const draw = (xs, lows, highs) => {
      const at = (k, ys) => `${round(self.x(xs[k]))} ${round(self.y(ys[k]))}`;
      const order = Array.from(xs, (_, k) => k);
      const there = order.map((k) => at(k, highs)).join("L");
      const back = order.reverse().map((k) => at(k, lows)).join("L");
      path.setAttribute("d", `M${there}L${back}Z`);
    };
    return { element: path, draw, hide: () => path.setAttribute("d", "") };
  },

  /** draw(values): one bar to a value, bar j over j - 0.5 to j + 0.5. */
  bars(self, className) {
    const path = layer(self, "path", `attn-bars ${className}`);
    const draw = (values) => {
      const base = round(self.y(self.spec.y.base ?? self.spec.y.domain[0]));
      const gap = values.length > 32 ? 0.05 : 0.12;
      let d = "";
      for (let j = 0; j < values.length; j++) {
        const top = round(self.y(Math.min(values[j], self.spec.y.domain[1])));
        const [left, right] = [round(self.x(j - 0.5 + gap)), round(self.x(j + 0.5 - gap))];
        d += `M${left} ${base}V${top}H${right}V${base}Z`;
      }
      path.setAttribute("d", d);
    };
    return { element: path, draw, hide: () => path.setAttribute("d", "") };
  },

  /** draw(values): a short line at the height of each value, for the ghost of bars. */
  caps(self, className) {
    const path = layer(self, "path", `attn-caps ${className}`);
    const draw = (values) => {
      let d = "";
      for (let j = 0; j < values.length; j++) {
        const top = round(self.y(Math.min(values[j], self.spec.y.domain[1])));
        d += `M${round(self.x(j - 0.42))} ${top}H${round(self.x(j + 0.42))}`;
      }
      path.setAttribute("d", d);
    };
    return { element: path, draw, hide: () => path.setAttribute("d", "") };
  },

  /** draw({ x }) or draw({ y }): a line across the plot at one value. */
  rule(self, className) {
    const path = layer(self, "path", `attn-rule ${className}`);
    const draw = ({ x, y }) => {
      const { width, height, margin } = self;
      const d = y === undefined
        ? `M${round(self.x(x))} ${margin.top}V${height - margin.bottom}`
        : `M${margin.left} ${round(self.y(y))}H${width - margin.right}`;
      path.setAttribute("d", d);
    };
    return { element: path, draw, hide: () => path.setAttribute("d", "") };
  },

  /** draw(low, high): a part of the x axis. */
  span(self, className) {
    const path = layer(self, "path", `attn-span ${className}`);
    const draw = (low, high) => path.setAttribute("d", `M${round(self.x(low))} ${self.height - self.margin.bottom}H${round(self.x(high))}`);
    return { element: path, draw, hide: () => path.setAttribute("d", "") };
  },

  /** draw(x, y): a dot. */
  point(self, className) {
    const dot = layer(self, "circle", `attn-point ${className}`, { r: 5 });
    const draw = (x, y) => setAttributes(dot, { cx: round(self.x(x)), cy: round(self.y(y)), visibility: null });
    return { element: dot, draw, hide: () => dot.setAttribute("visibility", "hidden") };
  },

  /** draw(x, y, text, { anchor, dx, dy }): words in the plot. */
  text(self, className) {
    const text = layer(self, "text", `attn-plot-text ${className}`);
    const draw = (x, y, words, { anchor = "start", dx = 0, dy = 0 } = {}) => {
      setAttributes(text, { x: round(self.x(x)) + dx, y: round(self.y(y)) + dy, "text-anchor": anchor });
      setSvgRich(text, words);
    };
    return { element: text, draw, hide: () => setSvgRich(text, "") };
  },
};

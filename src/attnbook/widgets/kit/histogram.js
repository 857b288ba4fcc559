// Histograms: values counted in bins, drawn as a density, and the normal density to hold against them.
// The twin of attnbook/widgets/histogram.py.
import { s } from "./dom.js";

const DIGITS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** A round number that is at least as large: for the end of an axis. */
export function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * DIGITS.find((digit) => digit * power >= value * (1 - 1e-9));
}

/**
 * Bins from about -limit to limit, symmetric about 0: { low, width, count, bar, per }.
 *
 * Values that lie on a lattice (`step` apart, 0 among them unless `between`) get bins with the same odd number of
 * lattice points each, or the heights would jump from bin to bin. Where the points lie further apart than `width`, the
 * bars are narrow (`bar`). A height is a share divided by `per`, the bin's width.
 */
export function binsFor(limit, width, { step = 0, between = false } = {}) {
  const whole = step ? Math.floor(width / step + 1e-9) : 0;
  const cell = step ? step * Math.max(whole - (whole % 2 ? 0 : 1), 1) : width;
  const per = cell;
  const bar = Math.min(cell, width);
  if (step && !between) {
    const half = Math.floor(limit / cell + 0.5);
    return { low: -(half + 0.5) * cell, width: cell, count: 2 * half + 1, bar, per };
  }
  const half = Math.ceil(limit / cell - 1e-9);
  return { low: -half * cell, width: cell, count: 2 * half, bar, per };
}

/** The height of each bin: the share of `total` values in it, divided by `per`. */
export function densityOf(values, { low, width, count, per }, total = values.length) {
  const out = new Float64Array(count);
  for (let k = 0; k < values.length; k++) {
    const bin = Math.floor((values[k] - low) / width);
    if (bin >= 0 && bin < count) out[bin] += 1;
  }
  for (let bin = 0; bin < count; bin++) out[bin] /= total * per;
  return out;
}

const POINTS = 120;
const REACH = 5; // deviations: beyond, the density is 0 to the eye

/** The normal density of mean 0 within [-limit, limit], fine enough for a narrow one: { x, y }. */
export function normalCurve(deviation, limit) {
  const end = Math.min(limit, REACH * deviation);
  const x = Float64Array.from({ length: POINTS + 1 }, (_, k) => end * ((2 * k) / POINTS - 1));
  if (end < limit) { x[0] = -limit; x[POINTS] = limit; }
  return { x, y: x.map((at) => normalDensity(at, deviation)) };
}

export function normalDensity(x, deviation) {
  return Math.exp(-0.5 * (x / deviation) ** 2) / (deviation * Math.sqrt(2 * Math.PI));
}

const round = (pixel) => Math.round(pixel * 10) / 10;

/** A layer of a plot: draw(bins, density). Bars that touch are one outline, so no seams show. */
export function histogram(ui, plot, className) {
  const path = s("path", { class: `attn-histogram ${className}` });
  plot.layers.append(path);
  const draw = (bins, density) => path.setAttribute("d", outline(plot, bins, density));
  return { element: path, draw, hide: () => path.setAttribute("d", "") };
}

function outline(plot, { low, width, bar }, density) {
  const [left, right] = plot.spec.x.domain;
  const [bottom, top] = plot.spec.y.domain;
  const across = (value) => round(plot.x(Math.min(Math.max(value, left), right)));
  const base = round(plot.y(bottom));
  let d = "";
  for (let k = 0; k < density.length; k++) {
    const middle = low + (k + 0.5) * width;
    if (middle + bar / 2 <= left || middle - bar / 2 >= right) continue;
    const height = round(plot.y(Math.min(density[k], top)));
    const start = across(middle - bar / 2);
    if (!d) d = `M${start} ${base}`;
    else if (bar < width) d += `V${base}H${start}`;
    d += `V${height}H${across(middle + bar / 2)}`;
  }
  return d && `${d}V${base}Z`;
}

// A matrix as colours: one pixel to a cell, enlarged by the browser. Queries are rows.
// Cells are read by pointer, touch or arrow keys; values are printed when n is small.
import { cividis, puor } from "./colormaps.js";
import { h, setRich, setText } from "./dom.js";
import { formatNumber } from "./numbers.js";

const TABLES = { cividis, puor };
const PRINT_UP_TO = 8;
const PRINT_FROM = 24; // units: in a smaller cell a number could not be read
const [DIGIT, DOT] = [8, 4]; // units of width, in a wide font

const widthOf = (text) => DIGIT * text.length - (text.includes(".") ? DIGIT - DOT : 0);
const GRID_UP_TO = 16;
const packed = new Map();

// 256 colours as 32-bit words, ready for ImageData (little-endian: alpha, b, g, r).
function table(name) {
  if (!packed.has(name)) {
    const hex = TABLES[name];
    const part = (k, at) => parseInt(hex.slice(6 * k + at, 6 * k + at + 2), 16);
    packed.set(name, Uint32Array.from({ length: 256 }, (_, k) =>
      (255 << 24) | (part(k, 4) << 16) | (part(k, 2) << 8) | part(k, 0)));
  }
  return packed.get(name);
}

/** Index into a colour table as matplotlib has it: 256 equal bins, the last one closed. */
export function colourIndex(value, low, high, scale = "linear") {
  const share = high > low ? (value - low) / (high - low) : 0;
  return Math.min(Math.max(Math.floor(SCALES[scale](share) * 256), 0), 255);
}

// On a square-root scale small weights can be told apart: 0.01 is not black.
const SCALES = { linear: (share) => share, sqrt: (share) => Math.sqrt(Math.max(share, 0)) };
const TICKS = { linear: [0, 1], sqrt: [0, 0.1, 0.25, 1] };

const linear = (byte) => (byte <= 10 ? byte / 3294.6 : ((byte / 255 + 0.055) / 1.055) ** 2.4);

/** Black or white, whichever stands out more on colour k of a table. */
export function inkOn(name, k) {
  const word = table(name)[k];
  const [red, green, blue] = [0, 8, 16].map((shift) => linear((word >> shift) & 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff";
}

/**
 * heatmap(ui, { name, describe, onPick, onPaint, legend, rowNames }) -> { element, draw, cellAt }
 *
 * draw({ nRows, nCols, values, low, high, scale, perRow, colours, digits, rowLabels, colLabels, picked, marks })
 * scale is "linear" or "sqrt"; marks names what is special about a cell, where values are printed: "" or null (nothing), "hidden", "gone", "absent", "nan"
 * onPaint(i, j, begins) is called as a stroke begins and moves, for a tap, and for Enter or space
 * describe([i, j]) returns up to four lines for the cell that is pointed at; they lie over the legend until it is left.
 */
export function heatmap(ui, { name, describe, onPick = () => {}, onPaint = null, legend: withLegend = true, rowNames = true }) {
  const parts = makeParts(ui, name);
  parts.legend.hidden = !withLegend;
  parts.element.classList.toggle("attn-no-legend", !withLegend);
  parts.element.classList.toggle("attn-no-rows", !rowNames);
  ui.sizes.watch(parts.square, (width) => { parts.side = width; });
  const view = { nRows: 0, nCols: 0, cursor: null, pinned: false };
  const api = { element: parts.element, cellAt: (i, j) => cellAt(parts, view, i, j) };
  api.draw = (data) => {
    Object.assign(view, data);
    paint(parts.canvas, data);
    label(parts, data);
    print(parts, data);
    mark(parts, data.picked ?? null, data.nRows);
    if (withLegend) legend(ui, parts, data);
    if (view.cursor && !ui.moving) tell();
  };
  const tell = () => {
    const cell = inside(view) ? view.cursor : null;
    moveCursor(parts.cursor, cell, view);
    parts.told.hidden = !cell;
    const lines = cell ? describe(cell) : [];
    parts.lines.forEach((line, k) => setRich(line, lines[k] ?? ""));
  };
  const point = (cell) => { view.cursor = cell; tell(); };
  listen(parts.square, view, point, onPaint ? () => {} : onPick, ui);
  if (onPaint) strokes(parts.square, view, onPaint, ui.store);
  return api;
}

function inside({ cursor, nRows, nCols }) {
  return cursor && cursor[0] < nRows && cursor[1] < nCols;
}

function makeParts(ui, name) {
  const words = (part) => ui.t(`${name}.${part}`);
  const canvas = h("canvas", { class: "attn-heatmap-canvas", width: 1, height: 1 });
  const prints = h("div", { class: "attn-heatmap-prints", "aria-hidden": "true" });
  const row = h("div", { class: "attn-heatmap-row", hidden: true, "aria-hidden": "true" });
  const cursor = h("div", { class: "attn-heatmap-cursor", hidden: true, "aria-hidden": "true" });
  const square = h("div", {
    class: "attn-heatmap-square", tabindex: 0, role: "application",
    "aria-roledescription": ui.kit("heatmap"), "aria-label": words("aria"),
  }, canvas, prints, row, cursor);
  const rows = h("div", { class: "attn-heatmap-rows", "aria-hidden": "true" });
  const cols = h("div", { class: "attn-heatmap-cols", "aria-hidden": "true" });
  const lines = [1, 2, 3, 4].map(() => h("div", { class: "attn-cell-line" }));
  const told = h("div", { class: "attn-cell", hidden: true }, lines);
  const bar = h("canvas", { class: "attn-legend-bar", width: 256, height: 1, "aria-hidden": "true" });
  const ticks = h("span", { class: "attn-legend-ticks" });
  const legend = h("div", { class: "attn-legend" }, h("span", {}, words("legend")), h("span", { class: "attn-legend-scale" }, bar, ticks));
  const element = h("div", { class: "attn-heatmap" }, h("div", { class: "attn-heatmap-body" },
    h("div", { class: "attn-axis-x" }, words("columns")), h("div", { class: "attn-axis-y" }, h("span", {}, words("rows"))),
    cols, rows, square, legend, told));
  return { element, canvas, prints, row, cursor, square, rows, cols, lines, told, bar, ticks, legend };
}

/** Paints values on a canvas, one pixel to a cell. */
export function paint(canvas, { nRows, nCols, values, low = 0, high = 1, scale = "linear", perRow = false, colours = "cividis" }) {
  if (canvas.width !== nCols) canvas.width = nCols;
  if (canvas.height !== nRows) canvas.height = nRows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(nCols, nRows);
  const pixels = new Uint32Array(image.data.buffer);
  const lut = table(colours);
  const root = scale === "sqrt";
  for (let i = 0; i < nRows; i++) {
    const top = perRow ? rowTop(values, i * nCols, nCols) : high;
    const factor = top > low ? 1 / (top - low) : 0;
    for (let at = i * nCols; at < (i + 1) * nCols; at++) {
      const share = (values[at] - low) * factor;
      const k = 256 * (root ? Math.sqrt(share) : share);
      pixels[at] = lut[k < 0 ? 0 : k > 255 ? 255 : k | 0];
    }
  }
  context.putImageData(image, 0, 0);
}

function rowTop(values, start, count) {
  let top = -Infinity;
  for (let at = start; at < start + count; at++) if (values[at] > top) top = values[at];
  return top;
}

// Labels are rewritten only when they change: most moves leave them alone.
function label(parts, { nRows, nCols, rowLabels, colLabels }) {
  const key = JSON.stringify([nRows, nCols, rowLabels, colLabels]);
  if (parts.labelled === key) return;
  parts.labelled = key;
  parts.element.style.setProperty("--attn-rows", nRows);
  parts.element.style.setProperty("--attn-cols", nCols);
  parts.element.classList.toggle("attn-with-grid", Math.max(nRows, nCols) <= GRID_UP_TO);
  parts.element.classList.toggle("attn-with-tokens", Boolean(colLabels));
  parts.rows.replaceChildren(...axisLabels(rowLabels, nRows));
  parts.cols.replaceChildren(...axisLabels(colLabels, nCols));
}

function axisLabels(labels, count) {
  const every = count <= PRINT_UP_TO ? 1 : count <= 16 ? 5 : 10;
  const shown = labels ?? Array.from({ length: count }, (_, k) => (k % every === 0 ? String(k) : ""));
  return shown.map((text) => h("span", {}, text));
}

function print(parts, { nRows, nCols, values, low = 0, high = 1, scale, perRow, colours = "cividis", digits = ".2f", marks = null }) {
  const most = Math.max(nRows, nCols);
  parts.prints.hidden = most > PRINT_UP_TO;
  if (parts.prints.hidden) return;
  const texts = Array.from(values, (value, at) => printed(value, marks?.[at], digits));
  const fits = (parts.side ?? 0) >= most * Math.max(PRINT_FROM, ...texts.map(widthOf)); // marks are shown all the same
  const { children } = parts.prints;
  if (children.length !== nRows * nCols) {
    parts.prints.replaceChildren(...Array.from({ length: nRows * nCols }, () => h("span")));
  }
  for (let at = 0; at < nRows * nCols; at++) {
    const top = perRow ? rowTop(values, at - (at % nCols), nCols) : high;
    const mark = marks?.[at] ?? "";
    setText(children[at], fits ? texts[at] : "");
    children[at].style.color = mark === "nan" ? "" : inkOn(colours, colourIndex(values[at], low, top, scale));
    children[at].className = mark && `attn-mark-${mark}`;
  }
}

function printed(value, mark, digits) {
  if (["hidden", "gone", "absent"].includes(mark)) return "";
  return mark === "nan" ? "NaN" : formatNumber(value, digits);
}

function mark({ row: element, rows }, picked, nRows) {
  element.hidden = picked === null;
  [...rows.children].forEach((name, i) => name.classList.toggle("attn-picked", i === picked));
  if (picked !== null) Object.assign(element.style, { top: `${(100 * picked) / nRows}%`, height: `${100 / nRows}%` });
}

function moveCursor(element, cell, { nRows, nCols }) {
  element.hidden = !cell;
  if (!cell) return;
  Object.assign(element.style, {
    top: `${(100 * cell[0]) / nRows}%`, left: `${(100 * cell[1]) / nCols}%`,
    width: `${100 / nCols}%`, height: `${100 / nRows}%`,
  });
}

function legend(ui, parts, { low = 0, high = 1, scale = "linear", perRow, colours = "cividis" }) {
  const key = [low, high, scale, perRow, colours].join();
  if (parts.coloured === key) return;
  parts.coloured = key;
  const ramp = Float64Array.from({ length: 256 }, (_, k) => k);
  paint(parts.bar, { nRows: 1, nCols: 256, values: ramp, high: 256, colours });
  parts.ticks.replaceChildren(...TICKS[scale].map((share) => {
    const text = perRow && share === 1 ? ui.kit("row_max") : formatNumber(low + share * (high - low), "~g");
    return h("span", { style: `left: ${100 * SCALES[scale](share)}%` }, perRow && share > 0 && share < 1 ? "" : text);
  }));
}

/** Where a cell's middle is in the window, its value, and how values are coloured. */
function cellAt({ square }, { nRows, nCols, values, low = 0, high = 1, scale = "linear", perRow = false, colours = "cividis" }, i, j) {
  const box = square.getBoundingClientRect();
  return {
    x: box.left + ((j + 0.5) * box.width) / nCols,
    y: box.top + ((i + 0.5) * box.height) / nRows,
    weight: values[i * nCols + j],
    low, high, scale, perRow, colours,
  };
}

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function listen(square, view, point, onPick, ui) {
  const cellUnder = (event) => {
    const box = square.getBoundingClientRect();
    const at = (share, count) => Math.min(Math.max(Math.floor(share * count), 0), count - 1);
    return [at((event.clientY - box.top) / box.height, view.nRows), at((event.clientX - box.left) / box.width, view.nCols)];
  };
  square.addEventListener("pointermove", (event) => point(cellUnder(event)));
  square.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") point(null); });
  square.addEventListener("pointerdown", (event) => point(cellUnder(event)));
  square.addEventListener("click", (event) => { point(cellUnder(event)); onPick(...view.cursor); });
  square.addEventListener("focus", () => { if (!view.cursor) point([view.picked ?? 0, 0]); });
  square.addEventListener("blur", () => point(null));
  square.addEventListener("keydown", (event) => {
    const cell = nextCell(event.key, view);
    if (!cell) return;
    event.preventDefault();
    if (event.key === "Enter" || event.key === " ") onPick(...cell);
    point(cell);
    ui.announce(() => square.parentElement.querySelector(".attn-cell").innerText);
  });
}

/** A stroke paints the cells that it crosses, with a finger too: on such a map a finger does not scroll the page. */
function strokes(square, view, onPaint, store) {
  let down = false;
  const paint = (begins) => { if (view.cursor) onPaint(...view.cursor, begins); };
  square.classList.add("attn-paintable");
  square.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    down = true;
    store.hold("painted");
    paint(true);
  });
  square.addEventListener("pointermove", (event) => { if (down && isOver(square, event)) paint(false); });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    square.addEventListener(name, () => { if (down) store.hold(null); down = false; });
  }
  square.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") paint(true); });
}

function isOver(element, { clientX: x, clientY: y }) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return x >= left && x < right && y >= top && y < bottom;
}

function nextCell(key, { cursor, nRows, nCols }) {
  const [i, j] = cursor ?? [0, 0];
  if (key === "Enter" || key === " ") return [i, j];
  if (key === "Home") return [i, 0];
  if (key === "End") return [i, nCols - 1];
  const move = MOVES[key];
  return move && [Math.min(Math.max(i + move[0], 0), nRows - 1), Math.min(Math.max(j + move[1], 0), nCols - 1)];
}

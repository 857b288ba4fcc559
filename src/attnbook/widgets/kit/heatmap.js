// A matrix as colours: one pixel to a cell, enlarged by the browser. Queries are rows.
// Cells are read by pointer, touch or arrow keys; values are printed when n is small.
import { cividis, puor } from "./colormaps.js";
import { h, setRich, setText } from "./dom.js";
import { formatNumber } from "./numbers.js";

const TABLES = { cividis, puor };
const PRINT_UP_TO = 8;
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
export function colourIndex(value, low, high) {
  const share = high > low ? (value - low) / (high - low) : 0;
  return Math.min(Math.max(Math.floor(share * 256), 0), 255);
}

const linear = (byte) => (byte <= 10 ? byte / 3294.6 : ((byte / 255 + 0.055) / 1.055) ** 2.4);

/** Black or white, whichever stands out more on colour k of a table. */
export function inkOn(name, k) {
  const word = table(name)[k];
  const [red, green, blue] = [0, 8, 16].map((shift) => linear((word >> shift) & 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff";
}

/**
 * heatmap(ui, { name, describe, onPick, onPaint }) -> { element, draw, cellAt }
 *
 * draw({ nRows, nCols, values, low, high, perRow, colours, digits, rowLabels, colLabels, picked, marks })
 * marks names what is special about a cell, where values are printed: "" or null (nothing), "hidden", "gone", "absent", "nan"
 * onPaint(i, j, begins) is called as a stroke begins and moves, for a tap, and for Enter or space
 * describe(i, j) returns up to four lines for the cell that is pointed at (or null: none).
 */
export function heatmap(ui, { name, describe, onPick = () => {}, onPaint = null, wide = false }) {
  const parts = makeParts(ui, name);
  const view = { nRows: 0, nCols: 0, cursor: null, pinned: false };
  const api = { element: parts.element, cellAt: (i, j) => cellAt(parts, view, i, j) };
  api.draw = (data) => {
    Object.assign(view, data);
    paint(parts.canvas, data);
    label(parts, data);
    print(parts, data);
    mark(parts, data.picked ?? null, data.nRows);
    legend(ui, parts, data);
    tell();
  };
  const tell = () => {
    const cell = inside(view) ? view.cursor : null;
    moveCursor(parts.cursor, cell, view);
    const lines = describe(cell);
    parts.lines.forEach((line, k) => setRich(line, lines[k] ?? ""));
  };
  const point = (cell) => { view.cursor = cell; tell(); };
  listen(parts.square, view, point, onPaint ? () => {} : onPick, ui);
  if (onPaint) strokes(parts.square, view, onPaint, ui.store);
  parts.element.classList.toggle("attn-heatmap-wide", wide);
  return api;
}

function inside({ cursor, nRows, nCols }) {
  return cursor && cursor[0] < nRows && cursor[1] < nCols;
}

function makeParts(ui, name) {
  const words = (part) => ui.t(`${name}.${part}`);
  const canvas = h("canvas", { class: "attn-heatmap-canvas", width: 1, height: 1 });
  const prints = h("div", { class: "attn-heatmap-prints", "aria-hidden": "true" });
  const row = h("div", { class: "attn-heatmap-row", "aria-hidden": "true" });
  const cursor = h("div", { class: "attn-heatmap-cursor", "aria-hidden": "true" });
  const square = h("div", {
    class: "attn-heatmap-square", tabindex: 0, role: "application",
    "aria-roledescription": ui.kit("heatmap"), "aria-label": words("aria"),
  }, canvas, prints, row, cursor);
  const rows = h("div", { class: "attn-heatmap-rows", "aria-hidden": "true" });
  const cols = h("div", { class: "attn-heatmap-cols", "aria-hidden": "true" });
  const lines = [1, 2, 3, 4].map(() => h("div", { class: "attn-cell-line" }));
  const bar = h("canvas", { class: "attn-legend-bar", width: 256, height: 1, "aria-hidden": "true" });
  const [low, high] = [h("span"), h("span")];
  const element = h("div", { class: "attn-heatmap" },
    h("div", { class: "attn-axis-x" }, words("columns")),
    h("div", { class: "attn-heatmap-body" }, h("div", { class: "attn-axis-y" }, h("span", {}, words("rows"))), cols, rows, square),
    h("div", { class: "attn-legend" }, h("span", {}, words("legend")), low, bar, high),
    h("div", { class: "attn-cell", tabindex: 0 }, lines)); // the keyboard scrolls long lines
  return { element, canvas, prints, row, cursor, square, rows, cols, lines, bar, low, high };
}

function paint(canvas, { nRows, nCols, values, low = 0, high = 1, perRow = false, colours = "cividis" }) {
  if (canvas.width !== nCols) canvas.width = nCols;
  if (canvas.height !== nRows) canvas.height = nRows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(nCols, nRows);
  const pixels = new Uint32Array(image.data.buffer);
  const lut = table(colours);
  for (let i = 0; i < nRows; i++) {
    const top = perRow ? rowTop(values, i * nCols, nCols) : high;
    const factor = top > low ? 256 / (top - low) : 0;
    for (let at = i * nCols; at < (i + 1) * nCols; at++) {
      const k = (values[at] - low) * factor;
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

function print(parts, { nRows, nCols, values, low = 0, high = 1, perRow, colours = "cividis", digits = ".2f", marks = null }) {
  const few = Math.max(nRows, nCols) <= PRINT_UP_TO;
  parts.prints.hidden = !few;
  if (!few) return;
  const { children } = parts.prints;
  if (children.length !== nRows * nCols) {
    parts.prints.replaceChildren(...Array.from({ length: nRows * nCols }, () => h("span")));
  }
  for (let at = 0; at < nRows * nCols; at++) {
    const top = perRow ? rowTop(values, at - (at % nCols), nCols) : high;
    const mark = marks?.[at] ?? "";
    setText(children[at], mark === "gone" || mark === "absent" ? "" : mark === "nan" ? "NaN" : formatNumber(values[at], digits));
    children[at].style.color = mark === "nan" ? "" : inkOn(colours, colourIndex(values[at], low, top));
    children[at].className = mark && `attn-mark-${mark}`;
  }
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

function legend(ui, parts, { low = 0, high = 1, perRow, colours = "cividis" }) {
  setText(parts.low, formatNumber(low, "~g"));
  setText(parts.high, perRow ? ui.kit("row_max") : formatNumber(high, "~g"));
  if (parts.coloured === colours) return;
  parts.coloured = colours;
  const ramp = Float64Array.from({ length: 256 }, (_, k) => k);
  paint(parts.bar, { nRows: 1, nCols: 256, values: ramp, high: 256, colours });
}

/** Where a cell's middle is in the window, its value, and how values are coloured. */
function cellAt({ square }, { nRows, nCols, values, low = 0, high = 1, colours = "cividis" }, i, j) {
  const box = square.getBoundingClientRect();
  return {
    x: box.left + ((j + 0.5) * box.width) / nCols,
    y: box.top + ((i + 0.5) * box.height) / nRows,
    weight: values[i * nCols + j],
    low, high, colours,
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
  square.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse" && document.activeElement !== square) point(null); });
  square.addEventListener("click", (event) => { point(cellUnder(event)); onPick(...view.cursor); });
  square.addEventListener("focus", () => { if (!view.cursor) point([view.picked ?? 0, 0]); });
  square.addEventListener("blur", () => point(null));
  square.addEventListener("keydown", (event) => {
    const cell = nextCell(event.key, view);
    if (!cell) return;
    event.preventDefault();
    if (event.key === "Enter" || event.key === " ") onPick(...cell);
    point(cell);
    ui.announce(() => square.parentElement.parentElement.querySelector(".attn-cell").innerText);
  });
}

/** A stroke with mouse or pen paints the cells that it crosses; a finger taps, so that it can still scroll the page. */
function strokes(square, view, onPaint, store) {
  let down = false;
  let byTouch = false;
  const paint = (begins) => { if (view.cursor) onPaint(...view.cursor, begins); };
  square.addEventListener("pointerdown", (event) => {
    byTouch = event.pointerType === "touch";
    if (byTouch || event.button !== 0) return;
    down = true;
    store.hold("painted");
    paint(true);
  });
  square.addEventListener("pointermove", () => { if (down) paint(false); });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    square.addEventListener(name, () => { if (down) store.hold(null); down = false; });
  }
  square.addEventListener("click", () => { if (byTouch) paint(true); });
  square.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") paint(true); });
}

function nextCell(key, { cursor, nRows, nCols }) {
  const [i, j] = cursor ?? [0, 0];
  if (key === "Enter" || key === " ") return [i, j];
  if (key === "Home") return [i, 0];
  if (key === "End") return [i, nCols - 1];
  const move = MOVES[key];
  return move && [Math.min(Math.max(i + move[0], 0), nRows - 1), Math.min(Math.max(j + move[1], 0), nCols - 1)];
}

// A matrix of numbers as a table: given cells can be typed into, others can be pointed at and picked.
import { h, setRich, setText, uid } from "../../kit/dom.js";

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * grid({ onEdit, onPoint, onPick }) -> { element, draw }
 *
 * draw({ title, label, rows, columns, texts, names, editable, cellName, lit, asked, covered, changed, shares }): lit and asked are lists of
 * places to mark, covered those whose number is hidden, changed those that were another number, shares what part of a cell is filled, or null.
 * onPoint(i, j) is called for the cell under pointer or focus, onPoint(null) when it is left.
 */
export function grid({ onEdit = null, onPoint = () => {}, onPick = () => {} }) {
  const title = h("h3", { class: "attn-panel-title", id: uid("matrix") });
  const body = h("tbody");
  const table = h("table", { class: "attn-grid", role: "grid", "aria-labelledby": title.id }, body);
  const element = h("section", { class: "attn-panel attn-grid-panel" }, title, table);
  const self = { body, cells: [], view: null, shape: null, onEdit };
  listen(table, self, onPoint, onPick);
  const draw = (view) => {
    const shape = [view.rows, view.columns, view.editable, ...view.names].join();
    self.view = view;
    if (self.shape !== shape) rebuild(self, view);
    self.shape = shape;
    setRich(title, view.title);
    self.cells.forEach((cell, k) => drawCell(cell, view, k));
  };
  return { element, draw };
}

function rebuild(self, { rows, columns, names, editable }) {
  self.cells = Array.from({ length: rows * columns }, (_, k) => makeCell(k, editable));
  const row = (i) => h("tr", {}, names[i] ? h("th", { scope: "row" }, names[i]) : null, self.cells.slice(i * columns, (i + 1) * columns));
  self.body.replaceChildren(...Array.from({ length: rows }, (_, i) => row(i)));
}

// One cell of a matrix is a stop of the Tab key; from there arrow keys go on.
function makeCell(k, editable) {
  const stop = k === 0 ? 0 : -1;
  if (!editable) return h("td", { tabindex: stop, "data-cell": k });
  return h("td", { "data-cell": k }, h("input", { type: "text", inputmode: "decimal", autocomplete: "off", tabindex: stop, class: "attn-entry" }));
}

function drawCell(cell, view, k) {
  const text = view.covered.includes(k) ? "?" : view.texts[k];
  const [i, j] = [Math.floor(k / view.columns), k % view.columns];
  const name = view.cellName(i, j);
  const input = cell.firstElementChild;
  if (input && document.activeElement !== input) input.value = text;
  if (!input) setText(cell, text);
  (input ?? cell).setAttribute("aria-label", input ? name : `${name}: ${text}`);
  for (const [mark, places] of Object.entries({ lit: view.lit, asked: view.asked, covered: view.covered, changed: view.changed })) {
    cell.classList.toggle(`attn-${mark}-cell`, places.includes(k));
  }
  cell.style.setProperty("--attn-share", view.shares && !view.covered.includes(k) ? view.shares[k] : 0);
}

const placeOf = (event) => event.target.closest?.("[data-cell]");

function listen(table, self, onPoint, onPick) {
  const call = (f, cell) => f(Math.floor(cell.dataset.cell / self.view.columns), cell.dataset.cell % self.view.columns);
  const point = (event) => { const cell = placeOf(event); if (cell) call(onPoint, cell); };
  table.addEventListener("pointerover", point);
  table.addEventListener("focusin", (event) => { point(event); if (event.target.matches("input")) event.target.select(); });
  table.addEventListener("pointerleave", () => onPoint(null));
  table.addEventListener("focusout", () => onPoint(null));
  table.addEventListener("click", (event) => { const cell = placeOf(event); if (cell) call(onPick, cell); });
  table.addEventListener("change", (event) => { const cell = placeOf(event); call((i, j) => self.onEdit?.(i, j, event.target.value), cell); });
  table.addEventListener("keydown", (event) => keys(event, self, (cell) => call(onPick, cell)));
}

function keys(event, self, pick) {
  const cell = placeOf(event);
  const k = Number(cell?.dataset.cell);
  if (event.key === "Enter" || (event.key === " " && !event.target.matches("input"))) {
    event.preventDefault();
    if (event.target.matches("input")) event.target.blur(); // what was typed counts
    else pick(cell);
    return;
  }
  const move = MOVES[event.key];
  if (!move || !cell) return;
  event.preventDefault();
  const [i, j] = [Math.floor(k / self.view.columns) + move[0], (k % self.view.columns) + move[1]];
  if (i < 0 || j < 0 || i >= self.view.rows || j >= self.view.columns) return;
  const next = self.cells[i * self.view.columns + j];
  (next.firstElementChild ?? next).focus();
}

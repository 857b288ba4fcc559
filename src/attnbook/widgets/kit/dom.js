// Small helpers to make elements. Attributes that are functions become listeners.

const SVG = "http://www.w3.org/2000/svg";

/** An id that no other element has. A notebook loads this module once for each figure, so the page counts. */
export function uid(stem) {
  globalThis.attnSerial = (globalThis.attnSerial ?? 0) + 1;
  return `attn-${stem}-${globalThis.attnSerial}`;
}

export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
  }
  return element;
}

/** h("button", { class: "attn-button", onclick: f }, "text", child, [more]) */
export function h(tag, attributes = {}, ...children) {
  const element = setAttributes(document.createElement(tag), attributes);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** The same for SVG elements. */
export function s(tag, attributes = {}, ...children) {
  const element = setAttributes(document.createElementNS(SVG, tag), attributes);
  element.append(...children.flat());
  return element;
}

/** Writes text only when it changed: an unchanged node costs no layout. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// `code`, d_k (a letter with an index), everything else as it is.
const MARKUP = /`([^`]+)`|\b([A-Za-z])_([A-Za-z]+)\b/g;

const INDEXED = /\b([A-Za-z])_([A-Za-z]+)\b/g;

/** Nodes for a text of the words table: `code` and d_k are set as code and as symbols. */
export function rich(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(MARKUP)) {
    nodes.push(text.slice(end, match.index));
    if (match[1]) nodes.push(h("code", { class: "attn-code" }, match[1]));
    else nodes.push(h("var", { class: "attn-var" }, match[2], h("sub", {}, match[3])));
    end = match.index + match[0].length;
  }
  nodes.push(text.slice(end));
  return nodes.filter((node) => node !== "");
}

/** The same for SVG text, which has no code: an index is lowered by a shift that the next part takes back. */
export function setSvgRich(element, text) {
  if (element.dataset.attnText === text) return;
  element.dataset.attnText = text;
  const parts = [];
  let end = 0;
  let back = 0;
  const plain = (words) => { if (words) parts.push(s("tspan", { dy: back || null }, words)); if (words) back = 0; };
  for (const match of text.matchAll(INDEXED)) {
    plain(text.slice(end, match.index));
    parts.push(s("tspan", { dy: back || null, "font-style": "italic" }, match[1]), s("tspan", { dy: 3, "font-size": "0.75em" }, match[2]));
    back = -3;
    end = match.index + match[0].length;
  }
  plain(text.slice(end));
  element.replaceChildren(...parts);
}

export function setRich(element, text) {
  if (element.dataset.attnText === text) return;
  element.dataset.attnText = text;
  element.replaceChildren(...rich(text));
}

// Controls bound to one key of the store. Each returns { element, update }; the words are
// at <figure>.controls.<key>, and native inputs bring keyboard and touch with them.
import { h, rich, setText, uid } from "./dom.js";
import { scaleOf } from "./schema.js";
import { slide } from "./slide.js";

const THUMB = 18; // units, as in figures.css

/** A slider: its scale (linear, log, stops) comes from the schema. */
export function slider(ui, key, { format = String } = {}) {
  const { store } = ui;
  const scale = scaleOf(store.schema[key]);
  const id = uid(key);
  const value = h("span", { class: "attn-value", "aria-hidden": "true" }); // the slider says it itself
  const ghost = h("span", { class: "attn-slider-ghost", "aria-hidden": "true" });
  const take = (position) => store.set({ [key]: scale.value(position) }, { gesture: key });
  const input = h("input", { class: "attn-range", type: "range", id, min: 0, max: scale.max, step: 1, oninput: () => take(Number(input.value)) });
  const track = h("div", { class: "attn-track" }, ghost, input);
  slideOn(ui, track, input, key, (share) => take(Math.round(share * scale.max)));
  const element = h("div", { class: "attn-control attn-slider" },
    h("label", { class: "attn-label", for: id }, rich(ui.t(`controls.${key}`))), value, track);
  const share = (position) => position / scale.max;
  const update = (state, former, off = false) => {
    if (ui.moving) return;
    const position = scale.position(state[key]);
    if (Number(input.value) !== position) input.value = position;
    input.disabled = off;
    dim(element, off);
    const text = format(state[key]);
    setText(value, text);
    input.setAttribute("aria-valuetext", text);
    element.style.setProperty("--attn-at", share(position));
    ghost.hidden = !former || former[key] === state[key];
    if (!ghost.hidden) ghost.style.setProperty("--attn-at", share(scale.position(former[key])));
  };
  return { element, update };
}

function slideOn(ui, track, input, key, set) {
  slide(track, ui.store, key, {
    shareNow: () => Number(input.value) / Number(input.max),
    set: (share) => { if (!input.disabled) set(share); },
    thumb: () => (THUMB / 2) * ui.sizes.unit,
  });
  track.addEventListener("pointerup", () => input.focus({ preventScroll: true })); // for the arrow keys
}

function dim(element, off) {
  element.classList.toggle("attn-off", off);
  element.setAttribute("aria-disabled", String(off));
}

/** A switch for a boolean. */
export function toggle(ui, key) {
  const { store } = ui;
  const flip = () => store.set({ [key]: !store.state[key] });
  const button = h("button", { class: "attn-switch", type: "button", role: "switch", onclick: flip },
    h("span", { class: "attn-switch-knob", "aria-hidden": "true" }),
    h("span", { class: "attn-label" }, rich(ui.t(`controls.${key}`))));
  const update = (state, former, off = false) => {
    if (ui.moving) return;
    button.setAttribute("aria-checked", String(state[key]));
    button.disabled = off;
    dim(button, off);
  };
  return { element: h("div", { class: "attn-control attn-toggle" }, button), update };
}

const many = (options) => (options.length > 3 ? "attn-many" : "");
const optionLabel = (input, words) => h("label", { for: input.id }, h("span", {}, rich(words)));

/** A row of exclusive options; the words of an option are at controls.<key>_<option>. */
export function choice(ui, key) {
  const { store } = ui;
  const name = uid(key);
  const inputs = store.schema[key].options.map((option) => h("input", {
    type: "radio", class: "attn-radio", name, id: `${name}-${option}`, value: option,
    onchange: () => store.set({ [key]: option }),
  }));
  const items = inputs.map((input) => h("span", { class: "attn-option" }, input,
    optionLabel(input, ui.t(`controls.${key}_${input.value}`))));
  const legend = h("legend", { class: "attn-label" }, rich(ui.t(`controls.${key}`)));
  const element = h("fieldset", { class: `attn-control attn-choice ${many(inputs)}` }, legend, h("span", { class: "attn-options" }, items));
  const update = (state, former, off = false) => {
    if (ui.moving) return;
    for (const input of inputs) input.checked = input.value === state[key];
    element.disabled = off;
    dim(element, off);
  };
  return { element, update };
}

/**
 * One of several controls at a time, chosen above it: { key: control }. The words of the choice are at <figure>.<name>,
 * those of an option at <figure>.<name>_<key>. Where the state changes in a key that is not shown, its control comes.
 */
export function picker(ui, name, controls) {
  const group = uid(name);
  const keys = Object.keys(controls);
  let shown = keys[0];
  const inputs = keys.map((key) => h("input", { type: "radio", class: "attn-radio", name: group, id: `${group}-${key}`, value: key, onchange: () => show(key) }));
  const options = inputs.map((input) => h("span", { class: "attn-option" }, input, optionLabel(input, ui.t(`${name}_${input.value}`))));
  const choice = h("fieldset", { class: `attn-control attn-choice attn-picker ${many(keys)}` }, h("legend", { class: "attn-label" }, rich(ui.t(name))), h("span", { class: "attn-options" }, options));
  const show = (key) => {
    shown = key;
    keys.forEach((other, k) => { controls[other].element.hidden = other !== key; inputs[k].checked = other === key; });
  };
  const update = (state, former, off = {}) => {
    if (ui.moving) return;
    for (const key of keys) controls[key].update(state, former, off[key]);
    const changed = keys.filter((key) => former && former[key] !== state[key]);
    if (changed.length && !changed.includes(shown)) show(changed.at(-1));
  };
  show(shown);
  return { choice, elements: keys.map((key) => controls[key].element), update };
}

/** A whole number with a button to each side; for seeds and small counts. */
export function stepper(ui, key) {
  const { store } = ui;
  const { min, max } = store.schema[key];
  const id = uid(key);
  const take = (number) => {
    if (Number.isFinite(number)) store.set({ [key]: Math.min(Math.max(Math.round(number), min), max) }, { gesture: key });
  };
  const input = h("input", { class: "attn-number", type: "number", id, min, max, step: 1, onchange: () => take(input.valueAsNumber) });
  const button = (by, sign, word) => h("button", { class: "attn-button attn-step", type: "button", "aria-label": ui.t(`controls.${word}`), onclick: () => take(store.state[key] + by) }, sign);
  const element = h("div", { class: "attn-control attn-stepper" },
    h("label", { class: "attn-label", for: id }, rich(ui.t(`controls.${key}`))),
    h("span", { class: "attn-stepper-row" }, button(-1, "−", `${key}_less`), input, button(1, "+", `${key}_more`)));
  const update = (state, former, off = false) => {
    if (ui.moving) return;
    if (input.value !== String(state[key])) input.value = state[key];
    for (const part of element.querySelectorAll("button, input")) part.disabled = off;
    dim(element, off);
  };
  return { element, update };
}

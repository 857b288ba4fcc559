// Numbers as large type: a label, the value, a line of comparison, and the former value.
import { h, rich, setRich, setText } from "./dom.js";
import { fill } from "./words.js";

/**
 * readouts(ui, ["entropy", "effective_keys"]): the words of each are at
 * <figure>.readouts.<name>: { label, value, note, other }, templates over the measured values;
 * note and other are two small lines, for instance the range and a comparison. update(values, former, "shared") prefers
 * the words label_shared, value_shared and so on, where there are any.
 */
export function readouts(ui, names) {
  const items = names.map((name) => readout(ui, name));
  const element = h("div", { class: "attn-readouts" }, items.map((item) => item.element));
  const update = (values, former, variant) => ui.moving || items.forEach((item) => item.update(values, former, variant));
  return { element, update };
}

function readout(ui, name) {
  const words = (part, variant) => ui.template(`readouts.${name}.${part}`, variant);
  const label = h("div", { class: "attn-label" }, rich(words("label")));
  const value = h("span", { class: "attn-big" });
  const ghost = h("span", { class: "attn-was" });
  const small = ["note", "other"].map((part) => ({ part, element: h("span", { class: `attn-readout-${part}` }) }));
  const element = h("div", { class: "attn-readout" },
    label, h("div", { class: "attn-readout-value" }, value, ghost), small.map((item) => item.element));
  const update = (values, former, variant) => {
    const text = fill(words("value", variant), values);
    const before = former ? fill(words("value", variant), former) : text;
    setRich(label, words("label", variant));
    setText(value, text);
    setText(ghost, before === text ? "" : ui.kit("was", { former: before }));
    for (const { part, element: line } of small) setRich(line, fill(words(part, variant), values));
  };
  return { element, update };
}

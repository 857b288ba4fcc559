// The Python line that makes the figure in its present state, with a copy button.
import { h, setText } from "./dom.js";
import { pythonLine } from "./schema.js";

const SHOWN_MS = 1500;

export function codeLine(ui, className) {
  const { store } = ui;
  const code = h("code", { class: "attn-python", tabindex: 0 });
  const button = h("button", { class: "attn-button", type: "button", onclick: () => copy() }, ui.kit("copy"));
  const copy = async () => {
    const done = await copyText(code);
    setText(button, ui.kit(done ? "copied" : "select"));
    setTimeout(() => setText(button, ui.kit("copy")), SHOWN_MS);
  };
  const element = h("div", { class: "attn-codeline" }, h("span", { class: "attn-label" }, ui.kit("python")), code, button);
  const update = () => setText(code, pythonLine(className, store.schema, store.state, ui.id));
  return { element, update };
}

/** Copies an element's text; where the clipboard is closed, selects it so that Ctrl-C works. */
async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return document.execCommand("copy");
  }
}

// Tells screen readers what a figure shows, once the reader pauses.
import { h, setText } from "./dom.js";

const PAUSE_MS = 500;

export function announcer() {
  const element = h("div", { class: "attn-sr", role: "status", "aria-live": "polite" });
  let timer = null;
  const say = (text) => {
    clearTimeout(timer);
    timer = setTimeout(() => setText(element, typeof text === "function" ? text() : text), PAUSE_MS);
  };
  return { element, say };
}

// The colour scheme button: automatic, light, dark. The choice is kept in this browser.
const MODES = ["auto", "light", "dark"];
const NAMES = { auto: "automatic", light: "light", dark: "dark" };
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");

function resolved(mode) {
  if (mode !== "auto") return mode;
  return system.matches ? "dark" : "light";
}

function apply(mode, button) {
  root.dataset.mode = mode;
  root.dataset.theme = resolved(mode);
  const text = `Colours: ${NAMES[mode]}`;
  button.setAttribute("aria-label", text);
  button.title = text;
}

function remember(mode) {
  try {
    localStorage.setItem("attnbook.mode", mode);
  } catch {
    // no storage here: the choice lasts as long as the page
  }
}

export function startColours() {
  const button = document.querySelector(".theme-switch-button");
  apply(root.dataset.mode || "auto", button);
  button.addEventListener("click", () => {
    const next = MODES[(MODES.indexOf(root.dataset.mode) + 1) % MODES.length];
    remember(next);
    apply(next, button);
  });
  system.addEventListener("change", () => apply(root.dataset.mode, button));
}

// Runs in the head, before anything is painted: which of the two colour schemes, is the
// text that follows a prediction covered, and may what lies below the window wait?
((root) => {
  let mode = "auto", veils = true;
  try {
    const kept = localStorage.getItem("attnbook.mode"); // a host's sites share one storage
    if (["auto", "light", "dark"].includes(kept)) mode = kept;
    veils = localStorage.getItem("attnbook.veils") !== "off";
  } catch {
    // no storage (private window, file address): stay automatic
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.mode = mode;
  root.dataset.theme = mode === "auto" ? (dark ? "dark" : "light") : mode;
  root.classList.add("js");
  root.classList.toggle("veils", veils);
  // Nothing stays covered for good: if the page's script fails or does not come, all is read.
  const uncover = () => root.dataset.script === "ready" || root.classList.remove("js", "veils", "opening");
  const failed = ({ filename, target }) => (filename ?? target.src ?? "").includes("/attn.js");
  addEventListener("error", (event) => failed(event) && uncover(), true);
  addEventListener("load", () => setTimeout(uncover, 5000));
  // A link to a place, "back" and "reload" need true heights from the start.
  const how = window.performance?.getEntriesByType?.("navigation")[0]?.type;
  root.classList.toggle("opening", how === "navigate" && !location.hash);
  const open = () => root.classList.remove("opening");
  for (const act of ["click", "keydown"]) addEventListener(act, open, { capture: true, once: true });
})(document.documentElement);

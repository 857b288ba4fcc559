// Runs in the head, before anything is painted: which of the two colour schemes, and is
// the text that follows a prediction covered?
((root) => {
  let mode = "auto", veils = true;
  try {
    mode = localStorage.getItem("mode") || "auto";
    veils = localStorage.getItem("attnbook.veils") !== "off";
  } catch {
    // no storage (private window, file address): stay automatic
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.mode = mode;
  root.dataset.theme = mode === "auto" ? (dark ? "dark" : "light") : mode;
  root.classList.add("js");
  root.classList.toggle("veils", veils);
})(document.documentElement);

// Runs in the head, before anything is painted: which of the two colour schemes?
((root) => {
  let mode = "auto";
  try {
    mode = localStorage.getItem("mode") || "auto";
  } catch {
    // no storage (private window, file address): stay automatic
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.mode = mode;
  root.dataset.theme = mode === "auto" ? (dark ? "dark" : "light") : mode;
  root.classList.add("js");
})(document.documentElement);

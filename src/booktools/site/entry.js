// What runs on every page, bundled into one classic script (attn.js). Each live figure is a script
// of its own, which the pages that show it load beside this one.
import { start as startFigures } from "../../attnbook/widgets/kit/page.js";
import { startColours } from "./page/colours.js";
import { startCopyButtons } from "./page/copy.js";
import { startMenus } from "./page/menus.js";
import { startNotes } from "./page/notes.js";
import { startRows } from "./page/rows.js";
import { startScrollers } from "./page/scrollers.js";
import { startTableOfContents } from "./page/contents.js";
import { startQuestions } from "./questions/questions.js";
import { startVeils } from "./questions/veils.js";

// The script is async: it may run while the page is still being parsed.
function whenParsed(task) {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", task);
  else task();
}

// The still pictures of the figures are painted first: the reader sees the page sooner,
// and the live figures, of the same size, take their place a moment later.
function afterFirstPaint(task) {
  let waits = true;
  const once = () => {
    if (waits) task();
    waits = false;
  };
  const seen = window.PerformanceObserver?.supportedEntryTypes?.includes("paint");
  if (document.hidden) setTimeout(once);
  else if (!seen) requestAnimationFrame(() => setTimeout(once));
  else {
    new PerformanceObserver((list, observer) => {
      if (!list.getEntriesByName("first-contentful-paint").length) return;
      observer.disconnect();
      once();
    }).observe({ type: "paint", buffered: true });
    setTimeout(once, 1000); // a browser may never tell, as when the tab is hidden meanwhile
  }
}

// A part that fails, as in an older browser, does not take the others with it.
function attempt(start) {
  try {
    start();
    return true;
  } catch (error) {
    setTimeout(() => reportError(error));
    return false;
  }
}

// What covers or folds text comes before the first paint, so that nothing moves once it is
// seen; what measures boxes would have them all laid out, and can wait.
whenParsed(() => {
  const asked = attempt(startQuestions) && attempt(startVeils);
  // What covers the text works: the page's first script waits for this word.
  if (asked) document.documentElement.dataset.script = "ready";
  else document.documentElement.classList.remove("js", "veils");
  [startColours, startMenus, startRows].forEach(attempt);
});
afterFirstPaint(() => {
  document.documentElement.classList.remove("opening"); // now the rest is laid out too
  attempt(startFigures);
  whenParsed(() => [startNotes, startCopyButtons, startScrollers, startTableOfContents].forEach(attempt));
});

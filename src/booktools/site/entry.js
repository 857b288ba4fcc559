// What runs on every page, bundled into one classic script (attn.js). Each live figure is a script
// of its own, which the pages that show it load beside this one.
import { start as startFigures } from "../../attnbook/widgets/kit/page.js";
import { startColours } from "./page/colours.js";
import { startCopyButtons } from "./page/copy.js";
import { startMenus } from "./page/menus.js";
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
  if (document.hidden) setTimeout(task);
  else requestAnimationFrame(() => setTimeout(task));
}

afterFirstPaint(() => startFigures());
whenParsed(() => {
  startQuestions();
  startVeils();
  startColours();
  startMenus();
  startCopyButtons();
  startScrollers();
  startRows();
  startTableOfContents();
});

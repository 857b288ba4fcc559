// Everything that runs on a page, bundled into one classic script (attn.js).
import { attentionExplorer } from "../../attnbook/widgets/attention_explorer.js";
import { costCalculator } from "../../attnbook/widgets/cost_calculator.js";
import { dotExplorer } from "../../attnbook/widgets/dot_explorer.js";
import { maskPainter } from "../../attnbook/widgets/mask_painter.js";
import { softmaxExplorer } from "../../attnbook/widgets/softmax_explorer.js";
import { theoremBreaker } from "../../attnbook/widgets/theorem_breaker.js";
import { varianceExplorer } from "../../attnbook/widgets/variance_explorer.js";
import { start as startFigures } from "../../attnbook/widgets/kit/page.js";
import { startColours } from "./page/colours.js";
import { startCopyButtons } from "./page/copy.js";
import { startMenus } from "./page/menus.js";
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

afterFirstPaint(() => startFigures([attentionExplorer, costCalculator, dotExplorer, maskPainter, softmaxExplorer, theoremBreaker, varianceExplorer]));
whenParsed(() => {
  startQuestions();
  startVeils();
  startColours();
  startMenus();
  startCopyButtons();
  startScrollers();
  startTableOfContents();
});

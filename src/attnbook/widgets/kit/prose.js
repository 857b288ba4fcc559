// Brings links of the prose to life: a phrase that sets a figure, a number that can be
// dragged, a number that follows the figure. data-attn is "<figure id>?<query>".
import { encode, scaleOf } from "./schema.js";
import { backButton } from "./frame.js";
import { drag, step } from "./handle.js";
import { formatNumber, plain } from "./numbers.js";
import { say, sayKit } from "./words.js";

const PIXELS_A_STEP = 8;
const NUMBER = /[-−]?\d[\d,]*(\.\d+)?/; // the first number of a link's text

function target(link) {
  const [id, query = ""] = link.dataset.attn.split("?");
  return { id, query: new URLSearchParams(query) };
}

/** A phrase sets the figure, and brings it into view if it cannot be seen whole. */
export function followSetLinks(figures) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.attn-set[data-attn]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { id, query } = target(link);
    const live = figures[id];
    if (!live?.ready) return;
    event.preventDefault();
    live.set(Object.fromEntries(query), "prose");
    if (!isSeenWhole(live.root)) showFigure(live, link);
  });
}

const rootStyle = (name) => parseFloat(getComputedStyle(document.documentElement)[name]) || 0;

/** Whether a figure's frame lies below the page's header and above the window's end. */
function isSeenWhole(root) {
  const { top, bottom } = root.getBoundingClientRect();
  const margin = parseFloat(getComputedStyle(root.parentElement).scrollMarginTop) || 0;
  return top >= rootStyle("scrollPaddingTop") + Math.min(margin, 0) - 1 && bottom <= innerHeight + 1;
}

function scrollTo(element, block) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ behavior: calm ? "auto" : "smooth", block });
}

/** Scrolls to the figure, and offers the way back until the link is in view again. */
function showFigure(live, link) {
  const box = live.backBox;
  const back = () => { scrollTo(link, "center"); link.focus({ preventScroll: true }); };
  box.replaceChildren(backButton(live.ui, back));
  box.hidden = false;
  live.backWatch?.disconnect();
  let gone = false;
  live.backWatch = new IntersectionObserver((entries) => {
    const seen = entries.at(-1).isIntersecting;
    if (seen && gone) { box.hidden = true; live.backWatch.disconnect(); }
    gone ||= !seen;
  });
  live.backWatch.observe(link);
  scrollTo(live.root.parentElement, "start");
}

/** Connects all numbers of the prose that name this figure. */
export function connectProse(live) {
  const links = [...document.querySelectorAll(`a[data-attn^="${live.id}?"]`)];
  const updates = [
    ...links.filter((link) => link.matches(".attn-drag")).map((link) => dragNumber(live, link)),
    ...links.filter((link) => link.matches(".attn-show")).map((link) => showNumber(live, link)),
  ].filter(Boolean);
  if (!updates.length) return;
  const update = () => updates.forEach((f) => f());
  live.subscribe(update);
  update();
}

/** The number of decimals that the author wrote is the number that is shown. */
export function formatLike(text) {
  const decimals = /\.(\d+)/.exec(text)?.[1].length ?? 0;
  const percent = /%/.test(text);
  return (value) => {
    if (typeof value !== "number") return value === null ? "–" : String(value); // null: no finite number
    const number = formatNumber(percent ? value * 100 : value, `.${decimals}f`);
    return text.replace(NUMBER, number);
  };
}

function showNumber(live, link) {
  const name = target(link).query.get("show");
  const format = formatLike(link.textContent);
  link.removeAttribute("href"); // a value to read, not a place to go
  link.classList.add("attn-live-number");
  return () => {
    const values = live.values();
    if (name in values) link.textContent = format(values[name]);
  };
}

function dragNumber(live, link) {
  const key = target(link).query.get("drag");
  const { store } = live;
  const field = store.schema[key];
  if (!field) return null;
  link.removeAttribute("href");
  const name = say(live.figure.words, `controls.${key}`);
  for (const [attribute, value] of Object.entries({
    role: "slider", tabindex: 0, "aria-label": sayKit("drag", { name }),
    "aria-valuemin": field.min, "aria-valuemax": field.max, title: sayKit("drag_hint"),
  })) link.setAttribute(attribute, value);
  listenToDrags(live, link, key);
  const text = link.textContent;
  return () => {
    link.textContent = text.replace(NUMBER, plain(store.state[key]));
    link.setAttribute("aria-valuenow", encode(store.state[key]));
  };
}

function listenToDrags(live, link, key) {
  const { store } = live;
  const scale = scaleOf(store.schema[key]);
  let from = null;
  link.addEventListener("pointerdown", (event) => { from = { x: event.clientX, position: scale.position(store.state[key]) }; });
  link.addEventListener("click", (event) => event.preventDefault());
  link.addEventListener("keydown", (event) => step(event, store, { x: key }));
  drag(link, store, key, (event) => {
    const moved = from.position + Math.round((event.clientX - from.x) / PIXELS_A_STEP);
    store.set({ [key]: scale.value(Math.min(Math.max(moved, 0), scale.max)) }, { gesture: key });
  }, { sideways: true });
}

// What follows a prediction stays covered until the reader commits, or asks for it.
// A covered part is inert: neither the Tab key nor a screen reader enters it. Whoever
// is led into it, by a link, a search or a figure's address, finds it open.
import { forgetShown, keepShown, veilsWanted, wantVeils, wasShown } from "./store.js";

const root = document.documentElement;
const opened = new Set(); // for this visit of the page alone

const all = () => [...document.querySelectorAll(".attn-veil")];
const textOf = (veil) => veil.querySelector(".attn-veil-text");

function isAnswered(name) {
  return document.getElementById(`question-${name}`)?.classList.contains("attn-q-done");
}

function update() {
  const wanted = veilsWanted();
  root.classList.toggle("veils", wanted);
  document.querySelectorAll(".attn-veil-box").forEach((box) => (box.checked = wanted));
  for (const veil of all()) {
    const name = veil.dataset.for;
    const open = !wanted || isAnswered(name) || wasShown(name) || opened.has(name);
    veil.classList.toggle("attn-lifted", open);
    textOf(veil).inert = !open;
  }
}

function open(veils) {
  veils.forEach((veil) => opened.add(veil.dataset.for));
  if (veils.length) update();
}

function show(veil) {
  keepShown(veil.dataset.for);
  update();
  textOf(veil).focus({ preventScroll: true });
}

// A link to a part of the page, or an address that sets a figure: the id is the target.
function openAround(id) {
  const target = id && document.getElementById(id);
  const veil = target && target.closest(".attn-veil");
  if (veil) open([veil]);
}

function idOf(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
}

// From the book's search page: what was searched for is to be seen.
function openFound(from) {
  if (!from.startsWith(location.origin) || !URL.canParse(from)) return;
  const { pathname, searchParams } = new URL(from);
  if (!pathname.endsWith("/search.html")) return;
  const words = (searchParams.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (veil) => words.some((word) => textOf(veil).textContent.toLowerCase().includes(word));
  open(all().filter(holds));
}

function onClick(event) {
  const button = event.target.closest(".attn-veil-show");
  if (button) show(button.closest(".attn-veil"));
  const link = event.target.closest('a[href*="#"]');
  if (link && link.pathname === location.pathname) openAround(idOf(link.hash));
}

// The parts of a section that tell how a prediction came out: up to the next one.
function* outcome(question) {
  let part = question.closest(".cell")?.nextElementSibling;
  for (; part && !part.matches("section, :has(attn-question)"); part = part.nextElementSibling) {
    yield* part.querySelectorAll("details.below-input");
  }
}

// Once committed, what was measured stands open. An answer that is forgotten makes its
// question new: what follows is covered and folded again.
function onAnswer(event) {
  const { name, result } = event.target;
  if (name && !result) forgetShown(name), opened.delete(name);
  if (name) for (const fold of outcome(event.target)) fold.open = Boolean(result);
  update();
}

function onSwitch(event) {
  if (!event.target.matches(".attn-veil-box")) return;
  wantVeils(event.target.checked);
  opened.clear();
  if (event.target.checked) all().forEach((veil) => forgetShown(veil.dataset.for));
  update();
}

// The browser's own search does not look into inert text.
function onKey(event) {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f") open(all());
}

export function startVeils() {
  if (!all().length) return;
  document.addEventListener("click", onClick, true);
  document.addEventListener("change", onSwitch);
  document.addEventListener("attn-answer", onAnswer);
  document.addEventListener("attn-forgotten", () => (opened.clear(), update()));
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", () => openAround(idOf(location.hash)));
  update();
  openAround(idOf(location.hash));
  openFound(document.referrer);
}

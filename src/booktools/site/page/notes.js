// The meaning of a term, or a reference in full, beside the word: under the pointer, under
// the focus, and at a first touch. Without this script the browser shows the same as a title.
const LINKS = "main a.attn-term[title], main a[href*='references.html#'][title]";
const WAIT_MS = 150; // a pointer that passes by opens nothing

let note = null;
let owner = null;
let timer = 0;

function makeNote() {
  note = document.createElement("div");
  Object.assign(note, { id: "attn-meaning", className: "attn-meaning", hidden: true });
  note.setAttribute("role", "tooltip");
  note.addEventListener("pointerleave", close);
  document.body.append(note);
}

// Below the word, or above it where the window ends; never beyond an edge.
function place(link) {
  const word = link.getClientRects()[0];
  const { width, height } = note.getBoundingClientRect();
  const below = word.bottom + 6 + height < innerHeight;
  const left = Math.max(8, Math.min(word.left, document.documentElement.clientWidth - width - 8));
  note.style.left = `${left + scrollX}px`;
  note.style.top = `${(below ? word.bottom + 4 : word.top - height - 4) + scrollY}px`;
}

function open(link) {
  clearTimeout(timer);
  if (owner === link) return;
  close();
  owner = link;
  note.textContent = link.dataset.note;
  note.hidden = false;
  link.setAttribute("aria-describedby", note.id);
  place(link);
}

function close() {
  clearTimeout(timer);
  owner?.removeAttribute("aria-describedby");
  owner = null;
  note.hidden = true;
}

function closeUnless(event) {
  if (note.contains(event.relatedTarget)) return; // the pointer moves onto the note
  timer = setTimeout(close, WAIT_MS);
}

function onClick(event, link) {
  const touched = event.pointerType === "touch";
  if (!touched || link.dataset.touched) return;
  event.preventDefault(); // a second touch follows the link
  link.dataset.touched = "once";
  open(link);
}

function enliven(link) {
  link.dataset.note = link.title;
  link.removeAttribute("title");
  link.addEventListener("pointerenter", (event) => {
    clearTimeout(timer);
    if (event.pointerType !== "touch") timer = setTimeout(() => open(link), WAIT_MS);
  });
  link.addEventListener("pointerleave", closeUnless);
  link.addEventListener("focus", () => link.matches(":focus-visible") && open(link));
  link.addEventListener("blur", close);
  link.addEventListener("click", (event) => onClick(event, link));
}

export function startNotes() {
  const links = document.querySelectorAll(LINKS);
  if (!links.length) return;
  makeNote();
  links.forEach(enliven);
  document.addEventListener("keydown", (event) => event.key === "Escape" && close());
  addEventListener("resize", close);
}

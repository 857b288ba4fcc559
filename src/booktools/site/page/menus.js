// The launch menu closes on Escape and on a click elsewhere; "/" goes to the search field.
function closeOnLeave(menu) {
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

function isTyping(element) {
  return element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);
}

function wantsSearch(event) {
  const shortcut = event.key === "k" && (event.ctrlKey || event.metaKey);
  const slash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
  return shortcut || (slash && !isTyping(event.target));
}

function focusSearch(event) {
  if (event.defaultPrevented || !wantsSearch(event)) return;
  const fields = [...document.querySelectorAll('input[name="q"]')];
  const field = fields.find((input) => input.offsetParent);
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
}

// On a wide screen the list of chapters is always there: show where the reader is in it.
function showCurrentChapter() {
  const nav = document.getElementById("site-nav");
  const current = nav.querySelector("[aria-current], .current > a");
  if (current && nav.scrollHeight > nav.clientHeight) {
    nav.scrollTop = current.offsetTop - nav.clientHeight / 2;
  }
}

export function startMenus() {
  document.querySelectorAll("details.launch").forEach(closeOnLeave);
  document.addEventListener("keydown", focusSearch);
  requestAnimationFrame(showCurrentChapter); // it measures: then the layout is due anyway
}

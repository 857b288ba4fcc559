// Marks the section that is being read in "On this page", and in the list of chapters,
// which shows the sections where there is no room for them beside the text.
function linksByHeading(lists) {
  const found = new Map();
  for (const link of document.querySelectorAll(lists)) {
    const id = decodeURIComponent(link.hash.slice(1));
    const section = id && document.getElementById(id);
    if (section) found.set(section, [...(found.get(section) ?? []), link]);
  }
  return [...found];
}

function mark(pairs) {
  const line = window.innerHeight / 3;
  let current = null;
  for (const [section, links] of pairs) {
    if (section.getBoundingClientRect().top <= line) current = links;
  }
  for (const [, links] of pairs) {
    for (const link of links) {
      if (links === current) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  }
}

export function startTableOfContents() {
  const pairs = linksByHeading(':is(.page-toc, .nav-toc) a[href^="#"]');
  if (!pairs.length) return;
  let waiting = false;
  const update = () => {
    waiting = false;
    mark(pairs);
  };
  addEventListener("scroll", () => {
    if (!waiting) requestAnimationFrame(update);
    waiting = true;
  }, { passive: true });
  if (window.scrollY > 0) update();
}

// Marks the section that is being read in "On this page".
function linksByHeading(toc) {
  const pairs = [];
  for (const link of toc.querySelectorAll('a[href^="#"]')) {
    const id = decodeURIComponent(link.hash.slice(1));
    const section = id && document.getElementById(id);
    if (section) pairs.push([section, link]);
  }
  return pairs;
}

function mark(pairs) {
  const line = window.innerHeight / 3;
  let current = null;
  for (const [section, link] of pairs) {
    if (section.getBoundingClientRect().top <= line) current = link;
  }
  for (const [, link] of pairs) {
    if (link === current) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
  }
}

export function startTableOfContents() {
  const toc = document.querySelector(".page-toc");
  if (!toc) return;
  const pairs = linksByHeading(toc);
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

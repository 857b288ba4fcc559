"""What a page must do: gates that return the list of what is wrong.

`test_site` demands that the lists are empty for the real site; `test_gates` plants a
fault of each kind and demands that its gate finds it.
"""

import html.parser
import json
import urllib.parse
from pathlib import Path

from booktools import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"

# Elements and attributes that fetch something when a page is shown.
FETCHES = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "img": ("src", "srcset"),
    "image": ("href", "xlink:href"),
    "input": ("src",),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
# Links in the head that name a thing and fetch nothing.
NAMES_ONLY = {"alternate", "author", "bookmark", "canonical", "license", "next", "prev"}


# --- the files: links, anchors, pictures, words for pictures ------------------------


class Page(html.parser.HTMLParser):
    """The ids of a page, where it points, and its pictures without words."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.fetches, self.wordless = set(), [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        """Gather what one element says."""
        given = dict(attributes)
        self.ids.update(given[k] for k in ("id", "name") if given.get(k))
        if tag == "a" and given.get("href") is not None:
            self.links.append(given["href"])
        if tag == "img" and "alt" not in given:
            self.wordless.append(given.get("src", "?"))
        names = set((given.get("rel") or "").split())
        if tag == "link" and names & NAMES_ONLY:
            return
        for key in FETCHES.get(tag, ()):
            self.fetches += addresses(key, given.get(key))


def addresses(key, value):
    """Return the addresses in an attribute; `srcset` holds several."""
    if not value:
        return []
    if key != "srcset":
        return [value]
    return [part.split()[0] for part in value.split(",") if part.strip()]


def pages(folder):
    """Return the names of all pages of a built site, sorted."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
    return sorted(name for name in found if not name.startswith("_static/"))


def is_outside(link):
    """Tell whether an address names a host."""
    return bool(urllib.parse.urlsplit(link).netloc)


def target(folder, name, link):
    """Return (file, anchor) that a relative link on page `name` leads to."""
    parts = urllib.parse.urlsplit(link)
    path = urllib.parse.unquote(parts.path)
    here = folder / name
    file = here if not path else (here.parent / path).resolve()
    if file.is_dir():
        file = file / "index.html"
    return file, urllib.parse.unquote(parts.fragment)


def link_faults(folder):
    """Return the broken internal links, anchors and files of all pages."""
    folder = Path(folder).resolve()
    parsed = {name: Page((folder / name).read_text("utf-8")) for name in pages(folder)}
    faults = []
    for name, page in parsed.items():
        for link in page.links + page.fetches:
            why = link_fault(folder, parsed, name, link)
            if why:
                faults.append(f"{name}: {link}: {why}")
    return faults


def link_fault(folder, parsed, name, link):
    """Return what is wrong with one link, or None."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme in ("http", "https", "mailto", "data", "blob"):
        return None
    if parts.scheme or parts.netloc:
        return "an address of an unknown kind"
    if parts.path.startswith("/"):
        return "starts at the host, so it breaks below a path"
    file, anchor = target(folder, name, link)
    if not file.is_file():
        return "no such file"
    other = file.relative_to(folder).as_posix() if folder in file.parents else None
    if anchor and other in parsed and anchor not in parsed[other].ids:
        return f"no such anchor in {other}"
    return None


def outside_references(folder):
    """Return the elements that would fetch from another host when shown."""
    return [
        f"{name}: {link}"
        for name in pages(folder)
        for link in Page((folder / name).read_text("utf-8")).fetches
        if is_outside(link)
    ]


def wordless_images(folder):
    """Return the images without an alt attribute."""
    return [
        f"{name}: {source}"
        for name in pages(folder)
        for source in Page((folder / name).read_text("utf-8")).wordless
    ]


# --- one page in a browser ----------------------------------------------------------

# Where a figure draws may be a shadow root: this walks through all of them.
WALK = """
  const attnWalk = (root, selector, found = []) => {
    found.push(...root.querySelectorAll(selector));
    for (const part of root.querySelectorAll("*"))
      if (part.shadowRoot) attnWalk(part.shadowRoot, selector, found);
    return found;
  };
"""

SHIFTS = """
  window.attnShifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      const moved = entry.sources.map((s) => s.node && (s.node.id || s.node.nodeName));
      window.attnShifts.push({ value: entry.value, moved });
    }
  }).observe({ type: "layout-shift", buffered: true });
"""


class Visit:
    """A page opened in its own context, with all it asked for and complained of."""

    def __init__(self, chromium, root, name, **context):
        self.root, self.name = root, name
        self.requests, self.complaints = [], []
        self.context = chromium.new_context(**context)
        self.context.set_default_timeout(60_000)
        self.context.add_init_script(SHIFTS)
        self.page = self.context.new_page()
        self.listen()

    def __enter__(self):
        self.page.goto(self.root + self.name, wait_until="load")
        return self

    def __exit__(self, *_):
        self.context.close()

    def listen(self):
        """Note each request, each error on the console and each failed answer."""
        page = self.page
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", self.hear)
        page.on("pageerror", lambda error: self.complain(f"exception: {error}"))
        page.on("requestfailed", lambda r: self.complain(f"failed request: {r.url}"))
        page.on("response", self.weigh)

    def complain(self, text):
        self.complaints.append(text)

    def hear(self, message):
        if message.type == "error":
            self.complain(f"console error: {message.text}")

    def weigh(self, response):
        if response.status >= 400:
            self.complain(f"answer {response.status}: {response.url}")

    def outside(self):
        """Return the requests that left the machine."""
        own = ("data:", "blob:", "file:", "about:", self.root)
        return [f"outside: {u}" for u in self.requests if not u.startswith(own)]

    def uncover(self):
        """Turn the switch for covers off, as a reader may who wants to see all."""
        boxes = "all => all.forEach((box) => box.checked && box.click())"
        self.page.locator(".attn-veil-box").evaluate_all(boxes)

    def read_through(self):
        """Scroll through the page as a reader does, so that lazy parts load."""
        self.page.evaluate(
            """async () => {
              const page = document.documentElement;
              const pause = () => new Promise(requestAnimationFrame);
              for (let y = 0; y < page.scrollHeight; y += innerHeight * 0.8) {
                scrollTo({ top: y, behavior: "instant" });
                await pause(); await pause();
              }
              scrollTo({ top: 0, behavior: "instant" });
              await pause();
            }"""
        )

    def dead_images(self):
        """Return the images that did not load."""
        self.page.evaluate(
            "Promise.allSettled([...document.images].map((i) => i.decode()))"
        )
        sources = self.page.evaluate(
            "[...document.images].filter((i) => !i.naturalWidth).map((i) => i.src)"
        )
        return [f"image did not load: {source}" for source in sources]

    def shifts(self):
        """Return the layout shifts that a reader would notice."""
        entries = self.page.evaluate("window.attnShifts")
        total = sum(entry["value"] for entry in entries)
        return [f"layout shift {total:.3f}: {entries}"] if total > 0.01 else []

    def overflow(self):
        """Tell whether the page can be scrolled sideways, as no page should."""
        root = "document.documentElement"
        extra = self.page.evaluate(f"{root}.scrollWidth - {root}.clientWidth")
        return [f"wider than the screen by {extra} px"] if extra > 0 else []

    def axe(self):
        """Return axe-core's serious and critical findings."""
        self.page.evaluate(AXE.read_text("utf-8"))
        only = "{ resultTypes: ['violations'] }"
        found = self.page.evaluate(
            f"axe.run(document, {only}).then((result) => result.violations)"
        )
        return [
            f"axe {finding['id']} ({finding['impact']}): "
            + json.dumps([node["target"] for node in finding["nodes"]][:3])
            for finding in found
            if finding["impact"] in ("serious", "critical")
        ]

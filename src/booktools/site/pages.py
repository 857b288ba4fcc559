"""What each page's template is given, and the theme that writes it."""

import functools
import re
from pathlib import Path

from docutils import nodes
from markupsafe import Markup

from booktools.site import assets, formula_map, mathematics, repository

HERE = Path(__file__).resolve().parent
DESCRIPTION = 160  # characters, about what a search engine shows
# The two faces that nearly every formula uses; others load when a formula needs them.
MATH_FONTS = ("KaTeX_Main-Regular.woff2", "KaTeX_Math-Italic.woff2")


@functools.cache
def icon(name, mode=None):
    """Return one of the icons as inline SVG, hidden from screen readers."""
    text = (HERE / "icons" / f"{name}.svg").read_text().strip()
    text = text.replace(' xmlns="http://www.w3.org/2000/svg"', "")
    extra = f' data-mode="{mode}"' if mode else ""
    start = f'<svg class="icon" aria-hidden="true" width="20" height="20"{extra}'
    return Markup(text.replace("<svg", start, 1))


@functools.cache
def inline_script(name):
    """Return a small script for the page itself, without its comments and indents."""
    lines = (HERE / "page" / f"{name}.inline.js").read_text().splitlines()
    kept = (line.strip() for line in lines if not line.strip().startswith("//"))
    return Markup("\n".join(line for line in kept if line))


def chapter_number(pagename):
    """Return the number of a chapter, as the text cites it; None for other pages."""
    found = re.match(r"(?:.*/)?(\d\d)_", pagename)
    return int(found[1]) if found else None


def chapter_list(html, pagename="", toc=""):
    """Return Sphinx's list of pages, with the numbers by which the text cites chapters.

    It also gets what assistive technology needs, and the sections of the page itself
    under its title, for windows with no room for them beside the text.
    """
    html = html.replace('role="heading"', 'role="heading" aria-level="2"')
    current = r'<a class="current reference internal" href="#">'
    html = html.replace(current, current[:-1] + ' aria-current="page">')
    if toc:
        own = re.compile(r'(<a [^>]*aria-current="page">.*?</a>)', re.S)
        html = own.sub(lambda m: f'{m[1]}<div class="nav-toc">{toc}</div>', html, 1)

    def numbered(link):
        number = chapter_number(pagename if link[1] == "#" else link[1])
        shown = "" if number is None else f'<span class="number">{number}</span> '
        return link[0] + shown

    return Markup(re.sub(r'<a [^>]*href="([^"]*)"[^>]*>', numbered, html))


def with_list_items(body):
    """Return a page's text with the entries of a bibliography as items of its list.

    Docutils gives the list a role and its entries one that is no item.
    """
    return body.replace('role="doc-biblioentry"', 'role="listitem"')


def first_words(doctree):
    """Return a page's first paragraph as a plain line, cut for a description."""
    first = next(iter(doctree.findall(nodes.paragraph)), None) if doctree else None
    text = mathematics.plain(" ".join(first.astext().split())) if first else ""
    if len(text) <= DESCRIPTION:
        return text
    return text[:DESCRIPTION].rsplit(" ", 1)[0] + " …"


def plain_title(app, pagename, context):
    """Return the text for the browser's tab."""
    node = app.env.titles.get(pagename)
    own = context.get("title") or ""
    title = mathematics.plain(node.astext()) if node else re.sub("<[^>]*>", "", own)
    if pagename == app.config.root_doc or not title:
        return app.config.html_title
    return f"{title} · {app.config.html_title}"


def launch(app, pagename, context):
    """Return the entries of the menu that opens a page's notebook elsewhere."""
    if context.get("page_source_suffix") != ".ipynb":
        return []
    options = app.config.html_theme_options
    prefix = options.get("path_to_docs", "").strip("/")
    path = f"{prefix}/{pagename}.ipynb".lstrip("/")
    source = context["pathto"]("_sources/" + context["sourcename"], 1)
    links = [("Download the notebook", source, True)]
    return links + repository.launch_links(
        app.config.attnbook_repository,
        options.get("repository_branch") or "main",
        path,
        options.get("launch_buttons") or {},
    )


def figures_on(body):
    """Return the names of the live figures that stand in a page's text."""
    named = re.findall(r'<attn-figure\b[^>]*\bdata-figure="(\w+)"', body)
    return [name for name in assets.figure_names() if name in named]


def on_page(app, pagename, templatename, context, doctree):
    """Fill the context of one page's template."""
    digest = app.config.attnbook_assets
    pathto = context["pathto"]
    context["body"] = with_list_items(context.get("body", ""))
    context["asset"] = lambda name: f"{pathto('_static/' + name, 1)}?v={digest}"
    context["figures"] = figures_on(context["body"])
    context["icon"] = icon
    context["theme_script"] = inline_script("theme")
    context["search_script"] = inline_script("search")
    context["plain_title"] = plain_title(app, pagename, context)
    context["description"] = first_words(doctree)
    context["launch"] = launch(app, pagename, context)
    context["author"] = app.config.author
    context["fonts"] = MATH_FONTS if "katex" in context.get("body", "") else ()
    tree = context["toctree"](collapse=False, includehidden=True, titles_only=True)
    toc = context.get("toc", "") if context.get("display_toc") else ""
    context["chapters"] = chapter_list(tree or "", pagename, toc)
    context["number"] = chapter_number(pagename)
    context["formula_map"] = formula_map.line(
        pagename, app.attnbook_map, pathto, chapter_number
    )


def first_page(app):
    """Send the address of the site itself to the first page, if that lies deeper."""
    if "index" not in app.env.found_docs:
        yield "index", {}, "redirect.html"


def remove_changed(made, static):
    """Delete assets of an earlier build that changed: Sphinx remarks on overwriting."""
    for new in [path for path in made.rglob("*") if path.is_file()]:
        old = static / new.relative_to(made)
        if old.exists() and old.read_bytes() != new.read_bytes():
            old.unlink()


def on_config(app, config):
    """Make the assets, and note what the pages depend on."""
    made = assets.make(Path(app.outdir).parent / "assets")
    remove_changed(made.folder, Path(app.outdir) / "_static")
    config.attnbook_assets = made.digest
    app.attnbook_assets = made
    app.attnbook_map = formula_map.read(app.srcdir)
    config.html_static_path.append(str(made.folder))
    url = config.html_theme_options.get("repository_url", "")
    config.attnbook_repository = repository.name_of(url, app.srcdir)


def setup(app):
    """Register the theme and the events."""
    app.add_html_theme("attnbook", str(HERE / "theme"))
    app.add_config_value("comments_config", {}, "")  # Jupyter Book always sets it
    app.add_config_value("attnbook_assets", "", "html")
    app.add_config_value("attnbook_repository", None, "html")
    app.connect("config-inited", on_config)
    app.connect("html-page-context", on_page)
    app.connect("html-collect-pages", first_page)

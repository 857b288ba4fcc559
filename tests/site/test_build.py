"""The site's extension piece by piece, and a small book built again and again.

The small book stands in a temporary folder. It is built in processes of its own, as
readers build theirs, since Sphinx leaves much behind in a process.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes
from myst_nb.core import render
from nbformat import NotebookNode

import processes
from attnbook.widgets.base import PAGE
from booktools import ROOT
from booktools.site import (
    assets,
    build,
    figure_links,
    freshness,
    licences,
    mathematics,
    pages,
    plain,
    prose,
    repository,
    streams,
)

# --- assets -------------------------------------------------------------------------


def test_the_font_rules_keep_woff2_alone_and_drop_unused_faces():
    face = (
        "@font-face{font-family:%s;src:url(fonts/%s.woff2) "
        'format("woff2"),url(fonts/%s.woff) format("woff"),'
        'url(fonts/%s.ttf) format("truetype")}'
    )
    names = ("KaTeX_Main-Regular", "KaTeX_Fraktur-Bold", "KaTeX_Typewriter-Regular")
    text = "".join(face % ((name,) * 4) for name in names)
    result = assets.katex_css(text + ".katex{color:red}", Path("/fonts"))
    assert result == (
        "@font-face{font-family:KaTeX_Main-Regular;src:"
        'url("/fonts/KaTeX_Main-Regular.woff2") format("woff2")}.katex{color:red}'
    )


def test_css_names_any_folder():
    assert assets.css_string("a b/Bücher (1) it's") == '"a b/Bücher (1) it\'s"'
    assert assets.css_string('a"b\\c\nd') == r'"a\"b\\c\a d"'
    fonts = assets.katex_css("x{src:url(fonts/A.woff2)}", Path("/Bü (1)"))
    assert fonts == 'x{src:url("/Bü (1)/A.woff2")}'


def test_the_colours_of_code_exist_for_light_and_dark():
    text = assets.code_css()
    keyword = re.compile(r"(.*)\.highlight \.k \{ color: (#\w+)")
    scopes = {m[1].strip(): m[2] for m in map(keyword.match, text.splitlines()) if m}
    assert set(scopes) == {
        "",
        ':root:not([data-theme="light"])',
        ':root[data-theme="dark"]',
    }
    assert len(set(scopes.values())) == 2


def test_a_digest_changes_with_a_name_and_with_a_byte(tmp_path):
    (tmp_path / "a").write_text("1")
    first = assets.digest_of(tmp_path)
    (tmp_path / "a").write_text("2")
    second = assets.digest_of(tmp_path)
    (tmp_path / "a").rename(tmp_path / "b")
    assert len({first, second, assets.digest_of(tmp_path)}) == 3


def test_a_missing_npm_package_says_what_to_run():
    with pytest.raises(assets.AssetError, match="npm ci"):
        assets.npm_file("no-such-package/index.js")


# --- mathematics --------------------------------------------------------------------


def test_a_formula_becomes_html_with_mathml_and_no_script():
    html = mathematics.render(r"\sqrt{d_k}")
    assert "<math" in html and "katex-html" in html
    assert "<script" not in html


@pytest.mark.parametrize(
    ("latex", "message"),
    [
        (r"\frac{1", "Unexpected end of input"),
        (r"\mathfrak{g}", "no font for mathfrak"),
    ],
)
def test_a_wrong_formula_and_a_missing_font_are_errors(latex, message):
    with pytest.raises(mathematics.FormulaError, match=message):
        mathematics.render(latex)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r"Why divide by \sqrt{d_k}?", "Why divide by √d_k?"),
        (r"QK^\top \cdot \mathrm{softmax}\!x", "QK^ᵀ · softmaxx"),
        ("No formula", "No formula"),
    ],
)
def test_titles_become_plain_lines(text, plain):
    assert mathematics.plain(text) == plain


# --- figure links -------------------------------------------------------------------

FIGURES = {
    "explorer": figure_links.Figure(
        "explorer", frozenset({"d_k", "scaling"}), frozenset({"entropy"})
    )
}


@pytest.mark.parametrize(
    ("address", "link"),
    [
        (
            "figure:explorer?d_k=512&scaling=off",
            (
                "attn-set",
                "?explorer.d_k=512&explorer.scaling=off#explorer",
                "explorer?d_k=512&scaling=off",
            ),
        ),
        (
            "figure:explorer?drag=d_k",
            ("attn-drag", "#explorer", "explorer?drag=d_k"),
        ),
        (
            "figure:explorer?show=entropy",
            ("attn-show", "#explorer", "explorer?show=entropy"),
        ),
    ],
)
def test_each_kind_of_figure_link(address, link):
    assert figure_links.link_for(address, FIGURES) == link


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("figure:other?d_k=1", "no figure 'other' on this page; figures: explorer"),
        ("figure:explorer?d=1", "no setting 'd'; it has: d_k, scaling"),
        ("figure:explorer?drag=entropy", "no setting 'entropy'"),
        ("figure:explorer?show=d_k", "no value 'd_k'; it has: entropy"),
        ("figure:explorer", "sets nothing"),
    ],
)
def test_a_figure_link_to_nothing_names_what_there_is(address, message):
    with pytest.raises(figure_links.FigureLinkError, match=re.escape(message)):
        figure_links.link_for(address, FIGURES)


def test_figures_are_read_from_their_elements(tmp_path):
    html = (
        '<attn-figure id="a" data-figure="known" data-state="{}"></attn-figure>'
        "<attn-figure data-figure='new' id='b' data-state="
        "'{&quot;n&quot;: 3}'></attn-figure>"
    )
    (tmp_path / "known").mkdir()
    spec = '{"state": {"d": {}}, "values": ["v"]}'
    (tmp_path / "known" / "spec.json").write_text(spec)
    found = figure_links.figures_in(html, tmp_path)
    assert found == {
        "a": figure_links.Figure("a", frozenset({"d"}), frozenset({"v"})),
        "b": figure_links.Figure("b", frozenset({"n"}), None),
    }


# --- prose --------------------------------------------------------------------------


def quote(*children):
    return nodes.block_quote("", nodes.paragraph("", "", *children))


@pytest.mark.parametrize(
    ("children", "mark"),
    [
        ([nodes.strong("", "Trap."), nodes.Text(" A mask.")], "trap"),
        ([nodes.Text(""), nodes.strong("", "Note:")], "note"),
        ([nodes.Text("Plain. "), nodes.strong("", "Trap.")], None),
        ([], None),
    ],
)
def test_a_blockquote_is_marked_by_its_first_bold_word(children, mark):
    assert prose.mark_of(quote(*children)) == mark


@pytest.mark.parametrize(
    ("classes", "source", "summary"),
    [
        (["cell", "tag_claims", "tag_hide-cell"], "x = 1", "Check the numbers above"),
        (["cell", "tag_hide-output"], "x = 1", "Show the output"),
        (["cell", "tag_hide-cell"], "import numpy as np", "Show the setup"),
        (["cell", "tag_hide-input"], "important = 1", "Show the code"),
    ],
)
def test_folds_say_what_they_hold(classes, source, summary):
    assert prose.summary_of(classes, source) == summary


def test_own_drawings_are_put_in_line_with_the_chapters_words(tmp_path):
    own, other = tmp_path / "own.svg", tmp_path / "other.svg"
    own.write_text('<svg class="attn-plot" role="img" aria-label="Old"><g/></svg>\n')
    other.write_text("<svg><g/></svg>")
    assert prose.drawing(own, 'New "words"') == (
        '<span class="drawing"><svg role="img" aria-label="New &quot;words&quot;" '
        'class="attn-plot"><g/></svg></span>'
    )
    assert prose.drawing(other, "x") is None
    assert prose.drawing(tmp_path / "absent.svg", "x") is None


# --- repository ---------------------------------------------------------------------

GITHUB = "https://github.com/"


@pytest.mark.parametrize(
    ("url", "environ", "origin", "name"),
    [
        (GITHUB + "me/book", {"GITHUB_REPOSITORY": "a/b"}, "", "me/book"),
        (GITHUB + "me/book.git", {}, "", "me/book"),
        (GITHUB + "OWNER/REPO", {"GITHUB_REPOSITORY": "a/b"}, "", "a/b"),
        (GITHUB + "OWNER/REPO", {}, "git@github.com:c/d.git", "c/d"),
        (GITHUB + "OWNER/REPO", {}, "https://example.org/c/d", None),
    ],
)
def test_the_repository_is_the_setting_else_what_is_known(url, environ, origin, name):
    found = repository.name_of(url, ROOT, environ, lambda root: origin)
    assert found == name


def test_the_origin_is_the_books_own(tmp_path):
    if not shutil.which("git"):
        pytest.skip("git is not installed: there is no origin to ask for")
    root = tmp_path / ODD
    root.mkdir()
    url = GITHUB + "outer/repo"
    for words in (["init", "-q"], ["remote", "add", "origin", url]):
        subprocess.run(["git", "-C", tmp_path, *words], check=True, timeout=60)
    assert repository.name_of("", tmp_path, {}) == "outer/repo"
    assert repository.name_of("", root, {}) is None


def test_launch_links():
    services = {"colab_url": "https://c/", "binderhub_url": "https://b"}
    links = repository.launch_links("o/r", "main", "chapters/05.ipynb", services)
    assert links == [
        ("Open in Colab", "https://c/github/o/r/blob/main/chapters/05.ipynb", False),
        (
            "Open in Binder",
            "https://b/v2/gh/o/r/main?urlpath=lab%2Ftree%2Fchapters%2F05.ipynb",
            False,
        ),
    ]
    assert repository.launch_links(None, "main", "x.ipynb", services) == []


# --- stopping -----------------------------------------------------------------------

WAITING = """
from booktools.site import build
def wait(root, strict):
    print("at work", flush=True)
    try:
        import time; time.sleep(60)
    except BaseException as error:  # what Sphinx does in the middle of a cell
        raise RuntimeError("please report this bug") from error
build.build = wait
raise SystemExit(build.main([]))
"""


@pytest.mark.parametrize("behind", [False, True], ids=["before", "behind"])
def test_a_build_that_is_stopped_ends_quietly(behind):
    command = [sys.executable, "-c", WAITING]
    with processes.started(command, behind=behind) as process:
        assert process.stdout.readline() == "at work\n"
        process.send_signal(signal.SIGINT)
        assert processes.ended(process) == (130, "\nStopped.\n", "")


# --- pages --------------------------------------------------------------------------


def test_the_current_chapter_is_named_to_screen_readers():
    html = '<p role="heading">Part</p><a class="current reference internal" href="#">'
    result = pages.chapter_list(html)
    assert 'role="heading" aria-level="2"' in result
    assert 'href="#" aria-current="page">' in result


def test_chapters_are_listed_with_the_numbers_that_the_text_cites():
    html = (
        '<a class="reference internal" href="12_cost.html">What it costs</a>'
        '<a class="reference internal" href="notation.html">Notation</a>'
        '<a class="current reference internal" href="#">Here</a>'
    )
    shown = re.sub("<[^>]*>", "", pages.chapter_list(html, "chapters/05_why_divide"))
    assert shown == "12 What it costsNotation5 Here"
    assert "number" not in pages.chapter_list('<a href="#">x</a>', "chapters/api")
    first = pages.chapter_list('<a href="#">x</a>', "chapters/00_ten_minutes")
    assert '<span class="number">0</span> x' in first
    assert pages.chapter_number("chapters/05_why_divide") == 5
    assert pages.chapter_number("chapters/index") is None


def test_a_description_is_cut_between_words():
    document = nodes.section("", nodes.paragraph("", "word " * 100))
    text = pages.first_words(document)
    assert len(text) <= pages.DESCRIPTION + 2
    assert re.fullmatch(r"(word )+…", text)


def test_icons_are_hidden_from_screen_readers():
    for path in sorted((ROOT / "src/booktools/site/icons").glob("*.svg")):
        assert 'aria-hidden="true"' in pages.icon(path.stem), path.name


# --- licences -----------------------------------------------------------------------


def table():
    return tomllib.loads(licences.TABLE.read_text(encoding="utf-8"))


def test_a_file_without_a_licence_is_found():
    files = ["attn.js", "fonts/KaTeX_Main-Regular.woff2", "jquery.js"]
    inputs = ["src/booktools/site/entry.js", "node_modules/lodash/x.js"]
    left = licences.unknown(files, inputs, table())
    assert left == ["jquery.js", "node_modules/lodash/x.js"]


def stream(text, name="stdout"):
    return NotebookNode(output_type="stream", name=name, text=text)


def test_a_stream_in_pieces_is_shown_as_it_was_printed():
    picture = NotebookNode(output_type="display_data", data={})
    pieces = [stream("a"), stream(" b\n\n"), stream("!", "stderr"), picture]
    pieces.append(stream("  c\n"))
    shown = streams.joined(pieces)
    assert [one.get("text") for one in shown] == ["a b\n\n  c\n", "!", None]
    assert pieces[0].text == "a", "what is in the cache stays as it is"
    assert streams.joined([]) == []
    streams.setup(None)
    assert render.coalesce_streams is streams.joined


BUNDLES = {
    "attn.css": ("made/katex.css",),
    "attn.js": (
        "src/booktools/site/entry.js",
        "src/attnbook/widgets/vendor/d3-format.js",
    ),
    "figures/cost.js": ("src/attnbook/widgets/vendor/d3-format.js",),
}


def test_only_works_that_are_there_are_listed():
    works = licences.works_in(["searchtools.js"], BUNDLES, table())
    assert [(work["name"], work["files"]) for work in works] == [
        ("KaTeX", ["attn.css"]),
        ("Sphinx", ["searchtools.js"]),
        ("d3-format", ["attn.js", "figures/cost.js"]),
    ]


@pytest.mark.parametrize("work", table()["work"], ids=lambda work: work["name"])
def test_each_listed_work_has_a_version_and_its_notice_in_the_text(work):
    assert re.match(r"\d+\.\d+", licences.version_of(work["version"]))
    year = re.search(r"\d{4}(-\d{4})?", work["copyright"])[0]
    assert year in licences.text_of(work["text"])


# --- freshness ----------------------------------------------------------------------


def make_package(root):
    package = root / "src" / "attnbook"
    package.mkdir(parents=True)
    (root / "chapters").mkdir()
    (root / "constraints.txt").write_text("numpy==2\n")
    for name in ("kernel.py", "words.json", "figure.js", "figures.css"):
        (package / name).write_text("1")
    (root / "chapters" / "sweep.csv").write_text("1")
    (root / "chapters" / "01.md").write_text("1")
    return package


@pytest.mark.parametrize(
    ("name", "matters"),
    [
        ("src/attnbook/kernel.py", True),
        ("src/attnbook/words.json", True),
        ("chapters/sweep.csv", True),
        ("constraints.txt", True),
        ("src/attnbook/figure.js", False),
        ("src/attnbook/figures.css", False),
        ("chapters/01.md", False),
    ],
)
def test_the_key_of_the_cache_follows_all_that_a_cell_can_see(tmp_path, name, matters):
    make_package(tmp_path)
    before = freshness.execution_key(tmp_path)
    (tmp_path / name).write_text("2")
    assert (freshness.execution_key(tmp_path) != before) == matters


def test_sources_of_notebooks_are_told_from_plain_pages(tmp_path):
    chapters = tmp_path / "chapters"
    chapters.mkdir()
    (chapters / "a.md").write_text("---\njupytext:\n  x: 1\n---\n# A\n")
    (chapters / "b.md").write_text("---\ntitle: B\n---\njupytext:\n")
    (chapters / "c.md").write_text("# C\n")
    assert freshness.notebook_sources(tmp_path) == ["chapters/a.md"]


def test_only_the_newest_caches_are_kept(tmp_path):
    for age, name in enumerate(["new", "before", "old", "older"]):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    freshness.prune_caches(tmp_path, "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["before", "new"]


# --- build --------------------------------------------------------------------------


def test_a_second_build_waits_for_the_first(tmp_path, monkeypatch):
    order, said = [], threading.Event()

    def note(text, **_):
        assert "waiting" in text
        said.set()

    monkeypatch.setattr(build, "print", note, raising=False)

    def second():
        with build.only_one(tmp_path):
            order.append("second")

    with build.only_one(tmp_path):
        thread = threading.Thread(target=second)
        thread.start()
        assert said.wait(60)
        order.append("first")
    thread.join(60)
    assert order == ["first", "second"]


# --- a small book -------------------------------------------------------------------

HEADER = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
---

"""
FIRST = r"""# First $\sqrt{d_k}$

Some words, then $q\cdot k$, and [set it](figure:f?n=3).

> **Trap.** A mask.

| a | b |
|---|---|
| 1 | 2 |

```{code-cell} ipython3
:tags: [remove-input]

class Figure:
    def _repr_mimebundle_(self, **options):
        state = "{&quot;n&quot;: 1}"
        html = f'<attn-figure id="f" data-figure="f" data-state="{state}">'
        html += "</attn-figure>"
        view = {"version_major": 2, "version_minor": 0, "model_id": "x"}
        widget = {"application/vnd.jupyter.widget-view+json": view}
        return {"text/html": html, "text/plain": "F"} | widget


Figure()
```

```{code-cell} ipython3
print("value", open("../src/attnbook/value.txt").read().strip())
```

```{code-cell} ipython3
:tags: [claims, hide-cell]

assert 1 == 1
```
"""
BUILD = "import sys; from pathlib import Path; from booktools.site.build import build;"
BUILD += "sys.exit(build(Path(sys.argv[1]), 'strict' in sys.argv))"
# A name that means something to shells, make, YAML, CSS, addresses and formats.
ODD = "Bücher & Kurs #1 (50%) it's"
ICONS = "src/booktools/site/icons"


class Book:
    """A small book in a folder of its own, and the folder of what builds it."""

    def __init__(self, root, tools=ROOT):
        self.root = root
        self.tools = tools
        make_package(root)
        self.write("src/attnbook/value.txt", "one")
        self.write("chapters/01_first.md", HEADER + FIRST)
        self.write("chapters/plain.md", "# Plain\n\nOne word.\n")
        self.write("chapters/extra.md", "# Extra\n\nGoes away.\n")
        self.write("chapters/references.bib", "")
        shutil.copytree(ROOT / ICONS, root / ICONS)
        self.write("_config.yml", (ROOT / "_config.yml").read_text("utf-8"))
        self.list_pages("plain", "extra")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def change(self, name, old, new):
        text = (self.root / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new))

    def list_pages(self, *names):
        chapters = "".join(f"- file: chapters/{name}\n" for name in names)
        toc = f"format: jb-book\nroot: chapters/01_first\nchapters:\n{chapters}"
        self.write("_toc.yml", toc)

    def build(self, *options):
        command = [sys.executable, "-c", BUILD, str(self.root), *options]
        environ = dict(os.environ, GITHUB_REPOSITORY="owner/repo")
        environ["PYTHONPATH"] = str(self.tools / "src")
        return subprocess.run(
            command, capture_output=True, text=True, timeout=300, env=environ
        )

    def page(self, name="01_first"):
        path = self.root / "_build" / "html" / "chapters" / f"{name}.html"
        return path.read_text(encoding="utf-8")


def copy_tools(folder):
    """Copy the package and what builds the book; link the Node packages."""
    rest = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", folder / "src", ignore=rest)
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    return folder


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Return a book that was built behind a link, in a folder with an odd name."""
    place = tmp_path_factory.mktemp("book")
    (place / ODD / "attn book").mkdir(parents=True)
    (place / "link").symlink_to(place / ODD / "attn book")
    made = Book(place / "link", copy_tools(place / ODD / "the tools"))
    done = made.build("strict")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return made


def copy_of(book, folder):
    """Return a copy of the built book, so that a test may break it."""
    shutil.copytree(book.root, folder, dirs_exist_ok=True)
    made = Book.__new__(Book)
    made.root, made.tools = folder, book.tools
    return made


@pytest.mark.parametrize(
    "part",
    [
        '<a class="attn-set" data-attn="f?n=3" href="?f.n=3#f">set it</a>',
        '<attn-figure id="f"',
        '<blockquote class="marked mark-trap">',
        '<div class="table-box">\n<table',
        "<summary><span>Check the numbers above</span></summary>",
        "<title>Attention, Scaled and Explained</title>",
        '</span><span class="katex-html"',
        "https://colab.research.google.com/github/owner/repo/blob/main/chapters/01_first.ipynb",
        "value one",
        '<a class="report-link" rel="nofollow" href="https://github.com/owner/repo/issues/',
    ],
)
def test_a_page_holds(book, part):
    assert part in book.page()


def test_punctuation_stays_with_its_formula(book):
    assert re.search(r"</span>,</span> and <a class=\"attn-set\"", book.page())


@pytest.mark.parametrize(
    "part", ["widget-view", "jupyter.widget", "require", "thebe", "mathjax.js", "cdn."]
)
def test_a_page_is_free_of(book, part):
    assert part not in book.page().lower()


def test_a_page_asks_for_two_files_and_its_pictures(book):
    links = re.findall(
        r'<(?:script|link rel="stylesheet")[^>]*(?:src|href)="([^"?]*)', book.page()
    )
    assert links == ["../_static/attn.css", "../_static/attn.js"]


def test_the_bundle_names_no_outside_address(book):
    static = book.root / "_build/html/_static"
    for path in [static / "attn.js", static / "attn.css"]:
        found = set(re.findall(r"https?://[\w./-]+", path.read_text(encoding="utf-8")))
        assert found <= {"http://www.w3.org/2000/svg"}, path.name


def test_the_page_of_licences_names_what_is_there(book):
    text = (book.root / "_build/html/licences.html").read_text(encoding="utf-8")
    for words in ("KaTeX fonts", "SIL OPEN FONT LICENSE", "Khan Academy", "Sphinx"):
        assert words in text


def test_nothing_unused_is_left_in_static(book):
    names = licences.static_files(book.root / "_build/html/_static")
    assert not [name for name in names if licences.belongs(name, licences.UNUSED)]


def test_an_unchanged_book_is_left_alone(book, tmp_path):
    made = copy_of(book, tmp_path)
    made.build()  # its folder is another one: Sphinx writes all once more
    before = {path: path.stat().st_mtime_ns for path in made.root.rglob("*.html")}
    done = made.build()
    assert done.returncode == 0
    assert "Executing notebook" not in done.stdout
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_word_is_rebuilt_without_running_anything(book, tmp_path):
    made = copy_of(book, tmp_path)
    made.change("chapters/01_first.md", "Some words", "Other words")
    done = made.build()
    assert done.returncode == 0
    assert "Other words" in made.page()
    assert "Executing notebook" not in done.stdout


def test_a_change_of_the_package_runs_every_notebook(book, tmp_path):
    made = copy_of(book, tmp_path)
    made.write("src/attnbook/value.txt", "two")
    done = made.build()
    assert done.returncode == 0, done.stderr[-2000:]
    assert "value two" in made.page()


def test_a_page_that_left_the_book_is_deleted(book, tmp_path):
    made = copy_of(book, tmp_path)
    made.list_pages("plain")
    (made.root / "chapters/extra.md").unlink()
    assert made.build().returncode == 0
    assert made.page("plain")
    assert not (made.root / "_build/html/chapters/extra.html").exists()


def test_a_strict_build_names_each_fault(book, tmp_path):
    made = copy_of(book, tmp_path)
    faults = """
[a](figure:f?m=3) [b](figure:g?n=3) $\\frac{q$ [c](02_gone.ipynb) {nothing}`d`
"""
    made.change("chapters/plain.md", "One word.", faults)
    made.change("chapters/01_first.md", "set it", r"set $\mathfrak{g}$")
    done = made.build("strict")
    assert done.returncode != 0
    for message in ("no figure 'f'", "no figure 'g'", "formula", "02_gone", "nothing"):
        assert message in done.stderr, message
    assert "no font for mathfrak" in done.stderr


def test_a_failing_assert_stops_the_build_and_is_shown(book, tmp_path):
    made = copy_of(book, tmp_path)
    made.change("chapters/01_first.md", "assert 1 == 1", "assert 1 == 2")
    done = made.build()
    assert done.returncode != 0
    assert "assert 1 == 2" in done.stdout + done.stderr
    made.change("chapters/01_first.md", "assert 1 == 2", "assert 2 == 2")
    assert made.build().returncode == 0
    assert "2" in made.page()


def test_a_file_of_unknown_licence_fails_the_strict_build(book, tmp_path):
    made = copy_of(book, tmp_path)
    made.write("extra/jquery.js", "")
    setting = "    html_static_path: [extra]\n    numfig:"
    made.change("_config.yml", "    numfig:", setting)
    done = made.build("strict")
    assert done.returncode != 0
    assert "no licence is known for jquery.js" in done.stderr


# --- what a notebook has and a page has not -----------------------------------------


def test_a_page_is_built_from_the_plain_cells(tmp_path):
    page = ROOT / "chapters" / "05_why_divide.md"
    shutil.copy(page, tmp_path)
    noted = []
    env = SimpleNamespace(
        doc2path=lambda name: str(tmp_path / f"{name}.ipynb"),
        note_dependency=noted.append,
    )
    for name, text in (("05_why_divide", "for readers"), ("lonely", "for readers")):
        source = [text]
        plain.on_source_read(SimpleNamespace(env=env), name, source)
        if name == "lonely":
            assert source == ["for readers"]  # a notebook that has no source
        else:
            assert "{cite:t}`vaswani2017attention`" in source[0]
            assert "figure:explorer?" in source[0] and "data:image" not in source[0]
    assert noted == [str(tmp_path / page.name)]


def test_a_page_takes_the_element_of_a_live_figure_and_no_still_picture():
    live = NotebookNode(output_type="display_data", data={PAGE: "", "text/html": ""})
    still = {PAGE: "<attn-figure>", "text/html": "<svg>", "text/plain": "Figure()"}
    kept = NotebookNode(output_type="display_data", data=still)
    (shown,) = streams.joined([live, kept])
    assert shown.data == {"text/html": "<attn-figure>", "text/plain": "Figure()"}
    assert kept.data == still  # the cache keeps what the cell gave

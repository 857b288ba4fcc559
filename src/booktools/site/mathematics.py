"""Render formulas while the book is built, so that a page needs no script for them."""

import atexit
import functools
import json
import re
import subprocess

from docutils import nodes
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from booktools.site import assets

LOGGER = logging.getLogger(__name__)
SCRIPT = assets.HERE / "formulas.cjs"
SHORT = 24  # characters of LaTeX up to which a formula in a line is never broken
CLOSING = re.compile(r"^[,.;:!?)\]’”%-]+")
OPTIONS = {"throwOnError": True, "strict": "ignore", "output": "htmlAndMathml"}
# Classes that KaTeX sets where it needs a font that assets.UNUSED_FACES leaves out.
UNUSED_CLASSES = re.compile(
    r'class="[^"]*\b(mathfrak|textfrak|mathsf|textsf|mathscr|textscr|mathtt|texttt)\b'
)
UNICODE = {"sqrt": "√", "top": "ᵀ", "tau": "τ", "sigma": "σ", "alpha": "α"}
UNICODE |= {"times": "×", "cdot": "·", "ln": "ln", "log": "log", "softmax": "softmax"}


class FormulaError(ValueError):
    """A formula that KaTeX cannot read or the site has no font for."""


@functools.cache
def _katex():
    """Start KaTeX in node, once; it ends when this process does."""
    katex = assets.npm_file("katex/dist/katex.min.js")
    command = [assets.node_program(), str(SCRIPT), str(katex)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen(command, **pipes, text=True, encoding="utf-8")
    atexit.register(process.communicate)  # closes its input, and waits for its end
    return process


@functools.cache
def render(latex, display=False):
    """Return the HTML (with MathML inside) of one formula.

    Parameters
    ----------
    latex : str
        The formula, without dollar signs.
    display : bool
        Whether it stands on a line of its own.

    Raises
    ------
    FormulaError
        If the formula is wrong, or needs a font that the site does not carry.
    """
    process = _katex()
    request = {"latex": latex, "options": OPTIONS | {"displayMode": display}}
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    answer = json.loads(line) if line else {"error": "node ended unexpectedly"}
    if "error" in answer:
        raise FormulaError(answer["error"])
    if found := UNUSED_CLASSES.search(answer["html"]):
        text = f"the site carries no font for {found[1]} (see assets.UNUSED_FACES)"
        raise FormulaError(text)
    return answer["html"]


def _render_or_warn(node, display):
    latex = node.astext()
    try:
        return render(latex, display)
    except FormulaError as error:
        LOGGER.warning("formula %r: %s", latex, error, location=node)
        return f"<code>{nodes.Text(latex)}</code>"


def visit_inline(translator, node):
    """Write a formula that stands in a line."""
    html = _render_or_warn(node, display=False)
    kind = "math short" if len(node.astext()) <= SHORT else "math"
    after = nodes.Text(node.get("after", ""))
    translator.body.append(f'<span class="{kind}">{html}{after}</span>')
    raise nodes.SkipNode


def visit_display(translator, node):
    """Write a formula that stands on its own, in a box that scrolls if it must."""
    translator.body.append(translator.starttag(node, "div", CLASS="math-box"))
    translator.body.append(_render_or_warn(node, display=True))
    if node["number"]:
        translator.body.append(f'<span class="eqno">({node["number"]})')
        translator.add_permalink_ref(node, _("Link to this equation"))
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def plain(text):
    r"""Return a text with formulas as a plain line, for a page's title.

    ``Why divide by \sqrt{d_k}?`` becomes ``Why divide by √d_k?``.
    """
    text = re.sub(r"\\(?:mathrm|text|operatorname|mathbf)\{([^}]*)\}", r"\1", text)
    text = re.sub(r"\\([A-Za-z]+)", lambda m: UNICODE.get(m[1], m[1]), text)
    return re.sub(r"[{}$]|\\.", "", text)


class KeepPunctuation(SphinxPostTransform):
    """Tie the comma after a formula to it: browsers break a line between the two."""

    default_priority = 300
    formats = ("html",)

    def run(self, **kwargs):
        """Visit each formula that stands in a line."""
        for formula in list(self.document.findall(nodes.math)):
            follower = formula.next_node(descend=False, siblings=True)
            if not isinstance(follower, nodes.Text):
                continue
            if found := CLOSING.match(follower.astext()):
                formula["after"] = found[0]
                rest = nodes.Text(follower.astext()[found.end() :])
                follower.parent.replace(follower, rest)


def setup(app):
    """Register the renderer under the name ``attnbook``."""
    app.add_post_transform(KeepPunctuation)
    app.add_html_math_renderer("attnbook", (visit_inline, None), (visit_display, None))

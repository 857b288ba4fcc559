r"""Read the pages of the book: prose and code cells, each with its line number.

`visible` blanks what is no prose (code spans, addresses, versions, numbered
references) and keeps every other character in its place, so that a position in the
result is a position in the source.
"""

import ast
import re
from typing import NamedTuple

import yaml

from booktools.content.notebooks import split_header

BLANK = "\ufffc"  # stands for hidden characters: neither a word nor a space
_OPEN = re.compile(r"^(`{3,}|~{3,})\{code-cell\}")

_NAMED = (  # what has versions
    r"Python|PyTorch|torch|NumPy|[Mm]atplotlib|anywidget|ipywidgets|Jupyter ?Book"
    r"|JupyterLab|nbval|Sphinx|Node(?:\.js)?|KaTeX|Chromium|Chrome|Firefox|Safari|CUDA"
    r"|SciPy|CC BY|[Vv]ersions?|[Rr]eleases?|GPT|Llama|FlashAttention"
)
_NUMBERED = (  # what has numbers such as 3.2
    r"chapters?|sections?|§|parts?|equations?|eqs?\.|figures?|figs?\.|tables?|pages?|pp?\."
    r"|appendix|errat(?:um|a)|issues?|pull requests?|PRs?|volumes?|lines?"
)
_COUNTED = (  # what has whole numbers: key 2, row 0
    r"row|column|key|query|head|token|layer|output|position|entry|block|tile|step"
    r"|question|exercise|theorem|lemma|item|option|case|level|cell|stage|seed|axis"
    r"|panel|variant|objection|trap|index"
)
_AND = r"[\s*]*(?:,|and|or|to|–|-|&)+\s*(?:and\s+|or\s+)?"
_MORE = rf"(?:{_AND}\$?\d+(?:\.\d+)*(?!\s*\\?%)\$?)*"
_HIDE = [
    re.compile(pattern, flags)
    for pattern, flags in [
        (r"^(`{3,}|~{3,})(?!\{).*?^\1[`~]*[ \t]*$", re.M | re.S),  # fenced code
        (r"^(?:`{3,}|~{3,}|:{3,})(?:\{[^}\n]*\})?", re.M),  # a directive's fence
        (r"^:(?!alt:)[\w-]+:.*$", re.M),  # a directive's option
        (r"<!--.*?-->", re.S),
        (r"(?<!\{math\})(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)", re.S),
        (r"(?<=\])\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:(?=\s+\")|\))", 0),  # address
        (r"^\[[^\]\n]+\]:\s*\S+", re.M),
        (r"^\([\w.-]+\)=\s*$", re.M),
        (r"<https?://[^>\s]+>|https?://[^\s)>\]]+|(?:arXiv|doi):\s?\S+", re.I),
        (r"[\w.-]+/[\w.-]+#\d+|(?<!\w)#\d+(?:\s*,\s*#\d+)*", 0),
        (r"\b\d{4}-\d{2}-\d{2}\b|\b\d-D\b", 0),
        (r"\\(?:hspace|vspace|tag|label|ref|eqref|cite)\*?\{[^}]*\}", 0),
        (r"\\\\\[[^\]]*\]", 0),
        (r"\bv\d+(?:\.\d+)*\b", 0),
        (rf"(?<!\w)(?:{_NAMED})[ -]?(?:[≥>]=?\s*)?\d+(?:\.\d+)*(?:\.x)?", 0),
        (rf"(?<!\w)(?:{_NUMBERED})\s+(?:\$\d+\$|\d+(?:\.\d+)*){_MORE}", re.I),
        (rf"(?<!\w)(?:{_COUNTED})s?\s+\$?\d+(?![\d.,]*\d)(?!\s*\\?%)\$?", re.I),
        (
            r"\b(?:in|since|of|from|before|after|until|by)\s+(?:19[5-9]|20[0-3])\d\b",
            re.I,
        ),
        (r"\((?:[^()\n]*[ ,])?(?:19[5-9]|20[0-3])\d[a-z]?\)", 0),  # (Author, 2017)
        (r"(?<![\d.,}])\b0\d+\b(?!\.\d)", 0),  # 05 is a name
    ]
]
_TAG = re.compile(
    r"</?(?:a|abbr|b|br|caption|code|dd|details|div|dl|dt|em|figcaption|figure|h\d|hr|i"
    r"|img|kbd|li|ol|p|picture|small|source|span|strong|sub|summary|sup|svg|table|tbody"
    r"|td|th|thead|tr|u|ul)(?=[\s>/])[^<>]*>",
    re.I,
)
_SPOKEN = re.compile(r"\b(?:alt|title|aria-label)\s*=\s*([\"'])(.*?)\1", re.S)


class Cell(NamedTuple):
    """A stretch of prose or a code cell of a page."""

    kind: str  # "prose", "code", or "spoken": text that a code cell shows
    text: str
    line: int  # the line of the text's first character, from 1
    tags: frozenset = frozenset()


def read_page(text):
    """Split a Markdown page into cells.

    Parameters
    ----------
    text : str
        The whole page, with or without a header.

    Returns
    -------
    header : dict
        The page's YAML header.
    cells : list of Cell
        In order. Alternative texts and captions that a code cell holds follow it as
        cells of their own, of kind ``"spoken"``.

    Raises
    ------
    booktools.content.notebooks.NotebookError
        If the header is broken.
    """
    header, body, first = split_header(text)
    return header, list(_cells(body.splitlines(keepends=True), first))


def _cells(lines, line):
    # `line` is the number of lines[0] in the file
    start = i = 0
    while i < len(lines):
        fence = _OPEN.match(lines[i])
        if not fence:
            i += 1
            continue
        if "".join(lines[start:i]).strip():
            yield Cell("prose", "".join(lines[start:i]), line + start)
        end = _closing(lines, i, fence[1])
        yield from _code(lines[i + 1 : end], line + i + 1)
        start = i = end + 1
    if "".join(lines[start:]).strip():
        yield Cell("prose", "".join(lines[start:]), line + start)


def _closing(lines, start, fence):
    for i in range(start + 1, len(lines)):
        if lines[i].strip() == fence:
            return i
    return len(lines)


def _code(lines, line):
    options, skip = {}, 0
    if lines and lines[0].strip() == "---":
        skip = _closing(lines, 0, "---") + 1
        options = yaml.safe_load("".join(lines[1 : skip - 1])) or {}
    while skip < len(lines) and (
        option := re.match(r":([\w-]+):\s*(.*)$", lines[skip])
    ):
        options[option[1]] = yaml.safe_load(option[2])
        skip += 1
    while skip < len(lines) and not lines[skip].strip():
        skip += 1
    code = "".join(lines[skip:])
    yield Cell("code", code, line + skip, frozenset(options.get("tags") or ()))
    yield from _spoken_options(options.get("mystnb") or {}, line)
    yield from _spoken_calls(code, line + skip)


def _spoken_options(options, line):
    texts = (
        (options.get("image") or {}).get("alt"),
        (options.get("figure") or {}).get("caption"),
    )
    yield from (Cell("spoken", str(text), line) for text in texts if text)


def _spoken_calls(code, line):
    # alt="..." and caption="..." in code are read by people, so they are prose.
    for node in ast.walk(parse(code)):
        if isinstance(node, ast.keyword) and node.arg in ("alt", "caption"):
            text = "".join(_literal_parts(node.value))
            if text:
                yield Cell("spoken", text, line + node.value.lineno - 1)


def _literal_parts(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        for part in node.values:
            yield part.value if isinstance(part, ast.Constant) else BLANK


def parse(code):
    """Parse a code cell; a cell that is no Python counts as empty.

    Parameters
    ----------
    code : str
        Python source.

    Returns
    -------
    ast.Module
    """
    try:
        return ast.parse(code)
    except SyntaxError:
        return ast.Module(body=[], type_ignores=[])


def visible(text):
    """Blank all that is no prose, character for character.

    Parameters
    ----------
    text : str
        Markdown.

    Returns
    -------
    str
        As long as `text`, with line breaks kept. Left are words, mathematics, link
        texts, alternative texts and titles.
    """
    text = without_code(text)
    for pattern in _HIDE[5:]:
        text = pattern.sub(blanked, text)
    return text


def without_code(text):
    """Blank code, comments, directives and tags, character for character.

    Parameters
    ----------
    text : str
        Markdown.

    Returns
    -------
    str
        As long as `text`, with line breaks kept. Formulas are whole.
    """
    for pattern in _HIDE[:5]:
        text = pattern.sub(blanked, text)
    return _TAG.sub(_blanked_tag, text)


def blanked(match):
    """Return what stands for a match that is hidden: as long, with its line breaks."""
    return re.sub(r"[^\n]", BLANK, match[0])


def _blanked_tag(match):
    kept = {i for m in _SPOKEN.finditer(match[0]) for i in range(*m.span(2))}
    return "".join(
        c if i in kept or c == "\n" else BLANK for i, c in enumerate(match[0])
    )

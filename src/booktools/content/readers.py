"""Make the cells of a notebook readable where no site is built from them.

JupyterLab, VS Code and Colab show Markdown as it stands. So references are written
out, a heading gets the name by which links call it, pictures lie in the notebook
itself, cells that the site folds are folded, and answers of predictions lie in folds.
"""

import base64
import html
import re
import tomllib
from functools import cache
from pathlib import Path

from attnbook.questions.render import WORDS, fold

END = "<!-- veil ends -->"  # these three are what `booktools.site.veils` goes by, too
ANSWERS = "<!-- figure answers -->"
RESUMES = "<!-- veil goes on -->"
SHUT = {  # by tag, what a notebook folds of a cell
    "hide-cell": ("source_hidden", "outputs_hidden"),
    "hide-input": ("source_hidden",),
    "remove-input": ("source_hidden",),
    "hide-output": ("outputs_hidden",),
}
_CITED = re.compile(r"\{cite(?P<how>:[a-z]+)?\}`(?P<keys>[^`]+)`")
_SET = re.compile(r"\[(?P<words>[^\]]*)\]\(figure:(?P<target>[^)\s]*)\)")
_PICTURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<file>[^)\s:]+\.svg)\)")
_PAGE = re.compile(r"\]\((?P<page>\w+)\.md(?=[#)])")
_HEADING = re.compile(r"^#{2,4} +(?P<title>.+?)\s*$", re.M)
_FIGURE = re.compile(r"^[A-Z]\w*\(", re.M)


def readable(cells, folder):
    """Return a page's cells as readers of its notebook get them.

    Parameters
    ----------
    cells : list of NotebookNode
        As jupytext reads them; they are changed in place.
    folder : pathlib.Path
        That of the page, with ``references.bib`` and the pages that it links to.

    Returns
    -------
    list of NotebookNode
        The same cells.

    Raises
    ------
    FileNotFoundError
        If a picture is not there.
    KeyError
        If a reference is not in the bibliography.
    """
    cover(cells)
    for cell in cells:
        if cell.cell_type == "code":
            shut(cell)
        elif cell.cell_type == "markdown":
            cell.source = written_out(cell.source, Path(folder))
    return cells


def shut(cell):
    """Fold what the tags of a code cell name, in the way that JupyterLab reads."""
    tags = cell.metadata.get("tags", [])
    parts = sorted({part for tag in tags for part in SHUT.get(tag, ())})
    if parts:
        cell.metadata["jupyter"] = dict.fromkeys(parts, True)


def written_out(text, folder):
    """Return Markdown without roles, addresses or paths that only a site follows.

    Parameters
    ----------
    text : str
        The source of a Markdown cell.
    folder : pathlib.Path
        As in `readable`.

    Returns
    -------
    str
    """
    text = _CITED.sub(lambda found: cited(found["how"], found["keys"], folder), text)
    text = _PICTURE.sub(lambda found: picture(found, folder), text)
    text = _PAGE.sub(lambda found: link_to(found["page"], folder), text)
    text = _SET.sub(_setting, text)
    return _HEADING.sub(
        lambda found: f'<a id="{slug(found[1])}"></a>\n\n{found[0]}', text
    )


def _setting(found):
    # The figure's script listens to such addresses; a number that is dragged or that
    # follows the figure is a plain number here.
    words, target = found["words"], found["target"]
    plain = re.search(r"\?(?:drag|show)=", target)
    return words if plain else f"[{words}](#figure:{target})"


def slug(title):
    """Return the name by which links call a heading, as the site has it.

    Parameters
    ----------
    title : str
        The heading's Markdown; formulas do not count.

    Returns
    -------
    str
    """
    text = re.sub(r"\$[^$]*\$", "", title).strip().lower().replace(" ", "-")
    return re.sub(r"[^\w\-]", "", text.replace("*", ""))


def link_to(page, folder):
    """Return the start of a link to a page: to its notebook where it has one."""
    notebook = (folder / f"{page}.md").is_file() and _has_notebook(folder, page)
    return f"]({page}.{'ipynb' if notebook else 'md'}"


def _has_notebook(folder, page):
    return (folder / f"{page}.md").read_text("utf-8").startswith("---\njupytext:")


def picture(found, folder):
    """Return a picture that lies in the notebook, so that any copy shows it."""
    drawn = base64.b64encode((folder / found["file"]).read_bytes()).decode()
    alt = html.escape(found["alt"])
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{drawn}">'


def cited(how, keys, folder):
    """Return references as names and years, each linked to the text itself.

    Parameters
    ----------
    how : str or None
        ``":t"`` where the names are part of the sentence.
    keys : str
        Of the bibliography, with commas between them.
    folder : pathlib.Path
        As in `readable`.

    Returns
    -------
    str
    """
    known = _bibliography(folder)
    parts = [known[key.strip()] for key in keys.split(",")]
    if how == ":t":
        said = (f"{names} ({year})" for names, year, _ in parts)
        return ", ".join(map(_link, said, (address for *_, address in parts)))
    said = (f"{names}, {year}" for names, year, _ in parts)
    return f"({'; '.join(map(_link, said, (address for *_, address in parts)))})"


def _link(said, address):
    return f"[{said}]({address})"


@cache
def _bibliography(folder):
    # {key: (names, year, address)}
    from pybtex.database import parse_file  # slow to import

    table = tomllib.loads((folder / "references.toml").read_text("utf-8"))
    entries = parse_file(str(folder / "references.bib"), "bibtex").entries
    return {
        key: (_names(entry), entry.fields["year"], _address(table[key]["id"]))
        for key, entry in entries.items()
    }


def _names(entry):
    from pybtex.richtext import Text

    people = entry.persons.get("author") or entry.persons["editor"]
    last = [str(Text.from_latex(" ".join(who.last_names))) for who in people]
    return f"{last[0]} et al." if len(last) > 2 else " and ".join(last)


def _address(identifier):
    kind, _, rest = identifier.partition(":")
    places = {"arXiv": "https://arxiv.org/abs/", "doi": "https://doi.org/"}
    if kind in places:
        return places[kind] + rest
    return identifier or "references.md"


def cover(cells):
    """Put what answers a prediction into folds, a fold a cell.

    As on the site (`booktools.site.veils`), they reach to the next heading, the next
    prediction, the next live figure that does not answer it, or ``<!-- veil ends -->``;
    from ``<!-- veil goes on -->`` they reach on after a figure. Code stays in view: it
    shows nothing before it is run.
    """
    covering = answers = False
    for place, cell in enumerate(cells):
        if cell.cell_type == "code":
            ends = _shows_figure(cell) and not answers
            covering = (covering or _asks(cell)) and not ends
        elif cell.cell_type == "markdown":
            answers = cell.source.rstrip().endswith(ANSWERS)
            covering = covering or cell.source.startswith(RESUMES)
            if covering:
                following = cells[place + 1 : place + 2]
                before = any(map(_shows_figure, following)) and not answers
                cell.source, covering = covered(cell.source, before)


def _asks(cell):
    return re.search(r"^predict\(", cell.source, re.M)


def _shows_figure(cell):
    hidden = "remove-input" in cell.metadata.get("tags", [])
    return hidden and bool(_FIGURE.search(cell.source))


def covered(text, before_figure=False):
    """Return a cell's Markdown with its start in a fold, and whether the fold goes on.

    Parameters
    ----------
    text : str
        What follows a prediction.
    before_figure : bool
        If a live figure is next: the paragraph that leads up to it stays open.

    Returns
    -------
    text : str
    goes_on : bool
        False if a heading or the mark of an end was met.
    """
    end = re.search(rf"^#{{1,6}} |^{re.escape(END)}", text, re.M)
    hidden, rest = (text[: end.start()], text[end.start() :]) if end else (text, "")
    parts = hidden.strip().split("\n\n")
    leads = [parts.pop()] if before_figure and not end else []
    hidden = "\n\n".join(parts)
    made = [fold(WORDS["covered_fold"], [hidden])] if hidden.strip() else []
    return "\n\n".join([*made, *leads, *([rest] if rest else [])]), not end

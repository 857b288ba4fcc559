"""Make each chapter's notebook from its MyST Markdown source; never the other way.

A page with code is written as ``chapters/NN_slug.md`` with a jupytext header. Its
twin ``NN_slug.ipynb`` is generated: no outputs, cell ids that follow from the cells,
the same bytes on every machine. So a check is a comparison of bytes.

A notebook remembers the cells that it was made with. One in which a reader has changed
a cell since then, with the answer to an exercise for instance, is copied to ``my_work``
before it is written again.
"""

import argparse
import hashlib
import json
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

import jupytext
import nbformat
import yaml

from attnbook.exercises import master
from booktools.content import readers

KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {  # an export to a script is named after it
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "pygments_lexer": "ipython3",
}
COMMAND = "python -m booktools.content.notebooks"
MADE_WITH = "made_with"  # in a notebook's metadata: the fingerprint of its cells
_CORE = re.compile(r"\*\*Core path:\*\* \d+ minutes\.")
_EXERCISE = re.compile(r"^exercise\(\"([\w-]+)\"", re.M)
KEEP = "my_work"  # beside the folder of the chapters, not under version control


class NotebookError(ValueError):
    """A source that no notebook can be made from; the text says what to change."""


def split_header(text):
    """Split a Markdown page into its YAML header and its body.

    Parameters
    ----------
    text : str
        The whole page.

    Returns
    -------
    header : dict
        The parsed header; empty where the page has none.
    body : str
        The text after the header.
    first : int
        The line number, from 1, on which the body starts.

    Raises
    ------
    NotebookError
        If the header is not closed, or is not a YAML mapping.
    """
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].strip() != "---":
        return {}, text, 1
    ends = [i for i, line in enumerate(lines) if i and line.strip() == "---"]
    if not ends:
        raise NotebookError("the header that '---' opens on line 1 is never closed")
    try:
        header = yaml.safe_load("".join(lines[1 : ends[0]])) or {}
    except yaml.YAMLError as error:
        raise NotebookError(f"the header is not valid YAML: {error}") from error
    if not isinstance(header, dict):
        raise NotebookError("the header must be a YAML mapping, 'key: value' a line")
    return header, "".join(lines[ends[0] + 1 :]), ends[0] + 2


def is_source(path):
    """Tell whether a Markdown page is the source of a notebook.

    Parameters
    ----------
    path : pathlib.Path
        A ``.md`` file.

    Returns
    -------
    bool
        True if its header has a ``jupytext`` key.

    Raises
    ------
    NotebookError
        If the header is broken, or if the page has code cells but no header.
    """
    try:
        header, body, _ = split_header(path.read_text(encoding="utf-8"))
    except NotebookError as error:
        raise NotebookError(f"{path}: {error}") from error
    if "jupytext" in header:
        return True
    if any(line.startswith("```{code-cell}") for line in body.splitlines()):
        raise NotebookError(f"{path}: it has code cells but no jupytext header")
    return False


def notebook_sources(folder):
    """List the Markdown pages that notebooks are made from.

    Parameters
    ----------
    folder : pathlib.Path
        Usually ``chapters``; subfolders are not searched.

    Returns
    -------
    list of pathlib.Path
        Sorted by name.

    Raises
    ------
    NotebookError
        If a page is broken; see `is_source`.
    """
    return [path for path in sorted(Path(folder).glob("*.md")) if is_source(path)]


def render(text, folder=None):
    """Give the text of the notebook that a MyST page stands for.

    Parameters
    ----------
    text : str
        The page, with its jupytext header.
    folder : pathlib.Path, optional
        That of the page. With it, the notebook is for readers (see
        `booktools.content.readers`); without it, for the builder of the site.

    Returns
    -------
    str
        JSON with one trailing newline, equal for equal input.

    Raises
    ------
    NotebookError
        If the kernel is not ``python3``, if jupytext cannot read the page, or if a
        picture or a reference is missing.
    """
    header, _, _ = split_header(text)
    kernel = (header.get("kernelspec") or {}).get("name")
    if kernel != "python3":
        raise NotebookError(f"kernelspec's name must be python3, got {kernel!r}")
    try:
        read = jupytext.reads(text, fmt="md:myst")
    except Exception as error:
        raise NotebookError(f"jupytext cannot read it: {error}") from error
    tell_exercise_time(read.cells)
    cells = _with_ids(read.cells if folder is None else _readable(read.cells, folder))
    metadata = _metadata(header) | {MADE_WITH: _fingerprint(cells)}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


def tell_exercise_time(cells):
    """Say in a chapter's first lines how long its exercises take, all together.

    Parameters
    ----------
    cells : list of NotebookNode
        Of a chapter, with ``**Core path:** 25 minutes.``; the first one is changed.
    """
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    asked = set(_EXERCISE.findall(code)) & set(master.names())
    if asked:
        told = f"**Exercises:** {sum(master.load(n).minutes for n in asked)} minutes."
        cells[0].source = _CORE.sub(rf"\g<0> {told}", cells[0].source, count=1)


def _readable(cells, folder):
    try:
        return readers.readable(cells, folder)
    except (FileNotFoundError, KeyError) as error:
        missing = getattr(error, "filename", None) or error.args[0]
        raise NotebookError(f"there is no {missing}") from error


def _metadata(header):
    # jupytext's own key is left out: with it JupyterLab would pair the two files and
    # write the source from the notebook, and its version would change the bytes.
    kept = {k: v for k, v in header.items() if k not in ("jupytext", "kernelspec")}
    return {**kept, "kernelspec": KERNELSPEC, "language_info": LANGUAGE}


def _with_ids(cells):
    # An id follows from the cell's text, so that adding a cell changes no other id.
    seen = Counter()
    made = []
    for cell in cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()
        seen[digest] += 1
        suffix = f"-{seen[digest]}" if seen[digest] > 1 else ""
        new = getattr(nbformat.v4, f"new_{cell.cell_type}_cell")
        made.append(
            new(cell.source, metadata=cell.metadata, id=f"{digest[:12]}{suffix}")
        )
    return made


def _fingerprint(cells):
    # Of what a reader can edit; running and saving a notebook leaves it as it is.
    text = json.dumps([[cell["cell_type"], cell["source"]] for cell in cells])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_edited(path):
    """Tell whether someone has changed cells of a notebook since it was made.

    Parameters
    ----------
    path : pathlib.Path
        An ``.ipynb`` file.

    Returns
    -------
    bool
        Also True if that cannot be told; False if there is no such file.
    """
    if not path.exists():
        return False
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception:  # half written, or no notebook at all
        return True
    return notebook.metadata.get(MADE_WITH) != _fingerprint(notebook.cells)


def keep(path):
    """Copy a notebook to the folder ``my_work``, under a name that is free.

    Parameters
    ----------
    path : pathlib.Path
        The notebook, in ``chapters``.

    Returns
    -------
    pathlib.Path
        The copy.
    """
    folder = path.resolve().parents[1] / KEEP
    folder.mkdir(exist_ok=True)
    names = (path.name, *(f"{path.stem}-{k}.ipynb" for k in range(2, 1000)))
    copy = next(folder / name for name in names if not (folder / name).exists())
    shutil.copy2(path, copy)
    return copy


def orphans(folder):
    """List the notebooks of a folder whose Markdown source is missing.

    Parameters
    ----------
    folder : pathlib.Path
        Usually ``chapters``.

    Returns
    -------
    list of pathlib.Path
        Sorted by name.

    Raises
    ------
    NotebookError
        If a page is broken; see `is_source`.
    """
    sources = {path.with_suffix(".ipynb") for path in notebook_sources(folder)}
    return [
        path for path in sorted(Path(folder).glob("*.ipynb")) if path not in sources
    ]


def update(source, *, check):
    """Write the notebook of one source, or only compare it.

    Parameters
    ----------
    source : pathlib.Path
        A ``.md`` page with a jupytext header.
    check : bool
        True compares bytes and writes nothing.

    Returns
    -------
    str
        ``"same"``, ``"written"``, where an edited notebook was kept, or with `check`
        what is wrong.

    Raises
    ------
    NotebookError
        If no notebook can be made from the source.
    """
    target = source.with_suffix(".ipynb")
    wanted = render(source.read_text(encoding="utf-8"), source.parent).encode()
    if target.exists() and target.read_bytes() == wanted:
        return "same"
    if not check:
        kept = keep(target) if is_edited(target) else None
        target.write_bytes(wanted)
        return f"written; your version of it is now {kept}" if kept else "written"
    state = "differs from its source" if target.exists() else "is missing"
    return f"{target} {state}; run: {COMMAND} {source}"


def _chosen(paths):
    # (sources, notebooks without a source) of the files and folders asked for
    sources, alone = [], []
    for path in map(Path, paths):
        if path.is_dir():
            sources += notebook_sources(path)
            alone += orphans(path)
        elif not path.exists() and path.suffix == ".md":
            raise NotebookError(f"{path}: no such file")
        elif not path.with_suffix(".md").exists():
            alone.append(path)
        elif is_source(path.with_suffix(".md")):
            sources.append(path.with_suffix(".md"))
        else:
            raise NotebookError(f"{path}: it has no jupytext header, so no notebook")
    return sources, alone


def problems(paths, check):
    """Make the notebooks of some pages, or only compare them.

    Parameters
    ----------
    paths : list of path-like
        Pages, notebooks, folders.
    check : bool
        True compares and writes nothing.

    Yields
    ------
    str
        What is wrong, a line each.
    """
    sources, alone = _chosen(paths)
    for path in alone:
        source = path.with_suffix(".md")
        yield f"{path} has no source; write {source.name}, or delete the notebook"
    for source in sources:
        try:
            said = update(source, check=check)
        except NotebookError as error:
            yield f"{source}: {error}"
            continue
        if said.startswith("written"):
            target = source.with_suffix(".ipynb")
            print(f"wrote {target}{said.removeprefix('written')}")
        elif said != "same":
            yield said


def main(argv=None):
    """Run the command line.

    Parameters
    ----------
    argv : list of str, optional
        Arguments; those of the process by default.

    Returns
    -------
    int
        0 if all is well, 1 if a notebook is stale, alone or cannot be made.
    """
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("paths", nargs="*", default=["chapters"], metavar="PATH")
    options = parser.parse_args(argv)
    try:
        found = list(problems(options.paths, options.check))
    except NotebookError as error:
        found = [str(error)]
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

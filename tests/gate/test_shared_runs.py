"""What nbval ran is what the site shows, and only if all of it passed."""

import os
import subprocess
import sys

import nbformat
import pytest
from jupyter_cache import get_cache

from booktools.gate import shared_runs

SHOWN = "from IPython.display import Markdown\nMarkdown('*x*')"
# A line in pieces, and an empty one: a page must show them as they were printed.
PRINTED = "print('a', end=' ', flush=True)\nprint('b')\nprint()\nprint('c')\n6 * 7"
RIGHT = [PRINTED, SHOWN]


def write(path, cells):
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    notebook.cells = [nbformat.v4.new_markdown_cell("# Text")]
    notebook.cells += [nbformat.v4.new_code_cell(text) for text in cells]
    nbformat.write(notebook, path)
    return notebook


@pytest.fixture
def run(tmp_path):
    """Run notebooks under the plugin, in a book of their own; return its cache."""
    (tmp_path / "keep.py").write_text(
        "from pathlib import Path\nfrom booktools.gate import shared_runs\n"
        "shared_runs.keep.__defaults__ = (Path(__file__).parent,)\n"
    )

    def run(**notebooks):
        for name, cells in notebooks.items():
            write(tmp_path / f"{name}.ipynb", cells)
        plugins = ["-p", "keep", "-p", "booktools.gate.shared_runs"]
        command = [sys.executable, "-m", "pytest", "-q", *plugins, "--nbval"]
        done = subprocess.run(
            [*command, "--nbval-current-env", "-p", "no:cacheprovider", "."],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=120,
        )
        caches = list((tmp_path / "_build" / "executed").glob("*"))
        return done, get_cache(caches[0]) if caches else None

    return run


def test_passed_notebooks_are_kept_with_their_outputs(run, tmp_path):
    done, cache = run(good=RIGHT, bad=["1 / 0"])
    assert "1 failed, 2 passed" in done.stdout
    fresh = write(tmp_path / "again.ipynb", RIGHT)
    _, merged = cache.merge_match_into_notebook(fresh)
    first, second = (cell for cell in merged.cells if cell.cell_type == "code")
    printed = [out.text for out in first.outputs if out.output_type == "stream"]
    assert "".join(printed) == "a b\n\nc\n"
    assert first.outputs[-1].data["text/plain"] == "42"
    assert second.outputs[0].data["text/markdown"] == "*x*"
    assert merged.metadata.language_info.pygments_lexer == "ipython3"
    other = write(tmp_path / "other.ipynb", ["1 / 0"])
    with pytest.raises(KeyError):
        cache.match_cache_notebook(other)


def test_a_notebook_with_a_cell_that_did_not_pass_is_not_kept():
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell("1"), nbformat.v4.new_code_cell("2")]

    half = {id(notebook.cells[0]): []}
    assert shared_runs.executed(notebook, half) is None
    notebook.cells.pop()
    assert shared_runs.executed(notebook, half).cells[0].execution_count == 1

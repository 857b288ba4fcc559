"""A site of one page, built in seconds: questions and exercises without the book."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

from booktools import ROOT

SITE = ROOT / "src/booktools/site"
CONF = """
project = "mini"
extensions = ["myst_nb", "booktools.site.mathematics", "booktools.site.questions"]
myst_enable_extensions = ["dollarmath"]
nb_execution_mode = "force"
nb_execution_raise_on_error = True
html_theme = "basic"
html_theme_options = {"body_min_width": "0", "nosidebar": True}
html_math_renderer = "attnbook"
html_static_path = ["assets"]
html_css_files = ["mini.css"]
html_js_files = [("mini.js", {"async": "async"})]
exclude_patterns = ["jupyter_execute"]
"""
START = """
import { startQuestions } from "./questions.js";

if (document.readyState !== "loading") startQuestions();
else document.addEventListener("DOMContentLoaded", startQuestions);
"""


def build(folder, cells, **environment):
    """Build a page from code cells; return the folder of the pages."""
    source = folder / "source"
    (source / "assets").mkdir(parents=True)
    (source / "conf.py").write_text(CONF)
    _write_notebook(source / "index.ipynb", cells)
    _write_assets(source / "assets")
    command = [sys.executable, "-m", "sphinx", "-W", "-n", "-b", "html"]
    log = folder / "log"
    with log.open("w") as out:  # a pipe would wait for the server of KaTeX
        done = subprocess.run(
            [*command, str(source), str(folder / "html")],
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
            timeout=240,
        )
    assert done.returncode == 0, log.read_text()[-3000:]
    return folder / "html"


def _write_notebook(path, cells):
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    notebook.cells = [nbformat.v4.new_markdown_cell("# Mini")]
    for i, code in enumerate(cells):
        cell = nbformat.v4.new_code_cell(code, id=f"code-{i}")
        cell.metadata["tags"] = ["remove-input"]
        after = nbformat.v4.new_markdown_cell(f"After {i}.", id=f"text-{i}")
        notebook.cells += [cell, after]
    nbformat.write(notebook, path)


def _write_assets(folder):
    styles = [SITE / "styles/base.css", SITE / "questions/questions.css"]
    text = "".join(path.read_text() for path in styles)
    (folder / "mini.css").write_text(text + "body { margin: 0 1rem; }\n")
    node = Path(sys.executable).parent / "node"
    program = ROOT / "node_modules/esbuild/bin/esbuild"
    command = [str(node) if node.exists() else shutil.which("node"), str(program)]
    options = ["--bundle", "--format=iife", f"--outfile={folder / 'mini.js'}"]
    options += ["--log-level=warning"]
    where = {"cwd": SITE / "questions", "check": True}
    command += options
    subprocess.run(command, input=START.encode(), timeout=120, **where)

"""What Binder does, done here: a fresh environment, its own steps, and a chapter."""

import os
import re
import shutil
import subprocess
import sys

import pytest

import tree
from booktools import ROOT

LIMIT = 800  # seconds for a step; most is the loading of packages


def run(command, folder, env):
    """Run a step; its output is shown where it fails."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    command = list(map(str, command))
    done = subprocess.run(command, cwd=folder, env=env, timeout=LIMIT, **pipes)
    assert done.returncode == 0, f"{command}:\n{done.stdout[-3000:]}"
    return done.stdout


def clone(folder):
    """Copy the committed files, as Binder fetches them."""
    for name in tree.committed():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    return folder


def fresh(folder):
    """Make an empty environment; return the variables that choose it, and no other."""
    run([sys.executable, "-m", "venv", folder], ROOT, os.environ)
    other = re.compile("PYTHON|VIRTUAL_ENV|JUPYTER|IPYTHON")
    env = {name: value for name, value in os.environ.items() if not other.match(name)}
    # Where PyTorch's index cannot be reached, pip would ask it again for each package.
    env |= {"PIP_RETRIES": "1"}
    return env | {"PATH": f"{folder / 'bin'}{os.pathsep}{env['PATH']}"}


@pytest.mark.slow
def test_binders_steps_make_an_environment_in_which_a_chapter_runs(tmp_path):
    book, env = clone(tmp_path / "book"), fresh(tmp_path / "env")
    install = ["python", "-m", "pip", "install", "-r", ".binder/requirements.txt"]
    run(install, book, env)
    run([book / ".binder" / "postBuild"], book, env)
    where = run(
        ["python", "-c", "import attnbook; print(attnbook.__file__)"], book, env
    )
    assert where.startswith(str(book))
    # What the README opens there, and what imports PyTorch.
    chapters = ["chapters/05_why_divide.ipynb", "chapters/08_masks.ipynb"]
    assert chapters[0] in (book / "README.md").read_text("utf-8")
    assert "import torch" in (book / chapters[1]).read_text("utf-8")
    run(["jupyter", "execute", *chapters], book, env)


def test_binder_gets_the_python_that_the_gate_runs_on():
    named = (ROOT / ".binder" / "runtime.txt").read_text().strip()
    workflow = (ROOT / ".github" / "workflows" / "check.yml").read_text()
    assert f'python-version: "{named.removeprefix("python-")}"' in workflow

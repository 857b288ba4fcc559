"""Break the kernel in every small way that mutmut knows, and list what survives.

    python -m booktools.gate.mutation [MODULE ...]

The default is kernel masks backward tiled.

It works on a copy under ``_build``, made afresh each time, since mutmut keeps results
that a changed test would change. mutmut leaves decorated functions alone, so the copy
moves each errstate decorator to the end of its module. It takes from minutes to an
hour, so it is run by hand: ``tests/mutants/survivors.md`` holds the survivors of the
last run, with reasons.
"""

import os
import re
import shutil
import subprocess
import sys

from booktools import ROOT

WORK = ROOT / "_build" / "mutation"
DECORATOR = '@np.errstate(all="ignore")\n'
MODULES = ("kernel", "masks", "backward", "tiled")
TESTS = ("kernel", "masks", "backward", "heads", "tiled")
CONFIG = """\
[tool.mutmut]
source_paths = ["src"]
only_mutate = {modules}
also_copy = ["tests"]
timeout_multiplier = 4.0
pytest_add_cli_args = ["-q", "-x", "-p", "no:cacheprovider"]
pytest_add_cli_args_test_selection = {tests}

[tool.pytest.ini_options]
filterwarnings = ["error"]
pythonpath = ["tests/helpers"]
"""


def main(names=None):
    """Run mutmut, then print how many mutants died, and the rest of them."""
    modules = names or MODULES
    prepare(modules)
    environment = os.environ | {"ATTNBOOK_TESTS": "fast", "OPENBLAS_NUM_THREADS": "1"}
    if mutmut("run", "--max-children", "2", env=environment).returncode:
        return "mutmut could not run: see above"
    results = mutmut("results", "--all", "true", capture_output=True, text=True).stdout
    verdicts = re.findall(r"(\S+): ([a-z ]+)$", results, re.MULTILINE)
    alive = [name for name, verdict in verdicts if verdict not in ("killed", "timeout")]
    for name in alive:
        shown = mutmut("show", name, capture_output=True, text=True).stdout
        lines = re.findall(r"^[-+](?![-+]).*", shown, re.MULTILINE)
        print(name, *lines, sep="\n", end="\n\n")
    killed = len(verdicts) - len(alive)
    print(f"{killed} of {len(verdicts)} killed ({killed / len(verdicts):.1%})")
    return 0 if killed >= 0.95 * len(verdicts) else 1


def prepare(modules):
    """Copy the package and its tests to where mutmut may change them."""
    shutil.rmtree(WORK, ignore_errors=True)
    for source in ("src/attnbook", "tests"):
        shutil.copytree(
            ROOT / source, WORK / source, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in modules:
        path = WORK / "src" / "attnbook" / f"{name}.py"
        path.write_text(undecorated(path.read_text("utf-8")), "utf-8")
    tests = [f"tests/kernel/test_{name}.py" for name in TESTS]
    paths = [f"src/attnbook/{name}.py" for name in modules]
    config = CONFIG.format(modules=paths, tests=tests)
    (WORK / "pyproject.toml").write_text(config, "utf-8")


def undecorated(text):
    """Turn each errstate decorator into an assignment at the end of the module."""
    functions = re.findall(rf"^{re.escape(DECORATOR)}def (\w+)", text, re.MULTILINE)
    ends = [f'{name} = np.errstate(all="ignore")({name})\n' for name in functions]
    return re.sub(f"^{re.escape(DECORATOR)}(?=def)", "", text, flags=re.M) + "".join(
        ends
    )


def mutmut(*arguments, **options):
    """Call mutmut in its folder."""
    command = [sys.executable, "-m", "mutmut", *arguments]
    return subprocess.run(command, cwd=WORK, check=False, **options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

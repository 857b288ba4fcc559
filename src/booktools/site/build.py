"""Build the site: notebooks, then Jupyter Book, into ``_build/html``.

``python -m booktools.site.build`` makes again only what changed. With ``--strict``
every page is read anew and every warning is an error; this is what the tests run.
"""

import argparse
import contextlib
import fcntl
import os
import shutil
import signal
import sys
import time

from booktools import ROOT
from booktools.content import notebooks


@contextlib.contextmanager
def only_one(folder):
    """Hold the folder's lock, waiting (and saying so) while another build has it."""
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another build is running here: waiting for it.", flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def use_own_profile(folder):
    """Let kernels ignore the reader's IPython profile, whose start-up files may act."""
    profile = folder / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    settings = 'get_config().IPKernelApp.log_level = "ERROR"\n'
    (profile / "ipython_kernel_config.py").write_text(settings)
    os.environ["IPYTHONDIR"] = str(folder)


def run_jupyter_book(root, out, strict):
    """Run Jupyter Book's own Sphinx build; return Sphinx's status (0 is well).

    Parameters
    ----------
    root, out : pathlib.Path
        The book's folder, and where the pages go.
    strict : bool
        Whether warnings and unresolved references are errors.
    """
    from jupyter_book.sphinx import build_sphinx  # slow to import
    from sphinx.util.console import color_terminal, nocolor

    if not color_terminal():
        nocolor()
    use_own_profile(out.parent / "ipython")
    settings = {
        "external_toc_path": str(root / "_toc.yml"),
        "latex_individualpages": False,
        "nitpicky": strict,
    }
    status = build_sphinx(
        root,
        out,
        noconfig=True,
        path_config=root / "_config.yml",
        confoverrides=settings,
        doctreedir=out.parent / ".doctrees",
        warningiserror=strict,
        keep_going=strict,
    )
    return status if isinstance(status, int) else 1


def build(root, strict=False):
    """Make a book's notebooks and its site; return a status for the shell.

    Parameters
    ----------
    root : pathlib.Path
        The book's folder.
    strict : bool
        Start from clean doctrees and pages, and let every warning count.
    """
    start = time.monotonic()
    if status := notebooks.main([str(root / "chapters")]):
        return status
    folder = root / "_build"
    with only_one(folder):
        if strict:
            shutil.rmtree(folder / ".doctrees", ignore_errors=True)
            shutil.rmtree(folder / "html", ignore_errors=True)
        status = run_jupyter_book(root, folder / "html", strict)
    verdict = "Built" if status == 0 else "Failed"
    print(f"{verdict} in {time.monotonic() - start:.1f} s: {folder / 'html'}")
    return status


def stop(*_):
    """End at once and quietly: deep in a running cell, others would call it a bug.

    Kernels end when their parent is gone, and so does the lock on the folder.
    """
    os.write(1, b"\nStopped.\n")
    os._exit(130)


def main(arguments=None):
    """Make the notebooks and build the site; return a status for the shell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strict", action="store_true", help="every warning counts")
    strict = parser.parse_args(arguments).strict
    signal.signal(signal.SIGINT, stop)
    return build(ROOT, strict)


if __name__ == "__main__":
    sys.exit(main())

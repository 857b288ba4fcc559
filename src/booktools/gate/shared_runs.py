"""A plugin of pytest: what nbval ran, the site need not run again.

``pytest -p booktools.gate.shared_runs --nbval …`` keeps what each cell gave. A notebook
whose cells have all passed goes, with its outputs, into the cache from which the build
of the site takes them (`booktools.site.freshness` names it).
"""

from pathlib import Path

import pytest
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from nbformat.v4 import output_from_msg
from nbval.plugin import IPyNbCell, IPyNbFile

from booktools import ROOT
from booktools.site import freshness

HEARD = pytest.StashKey[list]()  # of a notebook: the messages of the cell that runs
PASSED = pytest.StashKey[dict]()  # of a notebook: outputs of passed cells, by their id
SHOWN = {"stream", "display_data", "execute_result"}


def pytest_configure(config):
    """Listen to the messages of nbval's kernels: it keeps streams in a form of its own.

    What a page shows is what the kernel said, line by line.
    """
    told = IPyNbFile.get_kernel_message

    def listening(self, *args, **kwargs):
        message = told(self, *args, **kwargs)
        self.stash.setdefault(HEARD, []).append(message)
        return message

    IPyNbFile.get_kernel_message = listening
    config.add_cleanup(lambda: setattr(IPyNbFile, "get_kernel_message", told))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Note what a passed cell of a notebook gave."""
    report = yield
    if isinstance(item, IPyNbCell) and report.when == "call":
        heard = item.parent.stash.get(HEARD, [])
        if report.passed:
            outputs = [output_from_msg(m) for m in heard if m["msg_type"] in SHOWN]
            item.parent.stash.setdefault(PASSED, {})[id(item.cell)] = outputs
        heard.clear()
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item, nextitem):
    """After the last cell of a notebook, keep its outputs if all of them passed."""
    if not isinstance(item, IPyNbCell):
        return
    if nextitem is None or nextitem.parent is not item.parent:
        notebook = executed(item.parent.nb, item.parent.stash.get(PASSED, {}))
        if notebook:
            notebook.metadata["language_info"] = language(item.parent.kernel)
            keep(notebook, item.parent.path)


def executed(notebook, outputs):
    """Return a notebook with these outputs; None if those of a cell are missing.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        Nothing of it is changed but outputs and counts.
    outputs : dict of int to list
        By the ``id`` of the cell.
    """
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if not code or any(id(cell) not in outputs for cell in code if cell.source.strip()):
        return None
    for count, cell in enumerate(code, start=1):
        cell.outputs, cell.execution_count = outputs.get(id(cell), []), count
    return notebook


def language(kernel):
    """Ask a kernel of nbval's what its language is: colours of code depend on it."""
    reply = kernel.kc.kernel_info(reply=True, timeout=60)
    return reply["content"]["language_info"]


def keep(notebook, path, root=ROOT):
    """Put an executed notebook into the cache of the site's build."""
    folder = freshness.cache_folder(root, root / "_build")
    bundle = CacheBundleIn(notebook, str(Path(path)), data={"execution_seconds": None})
    get_cache(folder).cache_notebook_bundle(
        bundle, check_validity=False, overwrite=True
    )

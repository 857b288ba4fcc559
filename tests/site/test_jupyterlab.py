"""A figure in a real JupyterLab: what moves on the screen moves in Python, and back."""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest
from playwright.sync_api import TimeoutError

import processes
from attnbook import widgets
from booktools import ROOT

pytestmark = pytest.mark.browser

CELLS = [
    "from attnbook.widgets import AttentionExplorer\n"
    'explorer = AttentionExplorer(id="explorer", data="random", n_keys=16)\n'
    "explorer",
    'print("d_k in Python:", explorer.d_k)',
    "explorer.d_k = 512",
    'print("weights:", type(explorer.weights).__name__, explorer.weights.shape)\n'
    'print("row sums:", explorer.weights.sum(axis=-1).round(9).tolist())',
]

# Each figure has a notebook, and so a kernel: one that has shown many figures gives all
# of them to each page that opens. Show it, tell its state, set it back from Python.
FIGURES = [n for n in widgets.__all__ if n[0].isupper() and n != "LiveFigure"]
EACH = [
    "import json\n"
    "from attnbook import widgets\n"
    "figure = widgets.{name}()\n"
    "start = figure.state\n"
    "figure",
    "print(json.dumps({{k: [start[k], v] for k, v in figure.state.items()"
    " if v != start[k]}}))",
    "for key, value in start.items():\n    setattr(figure, key, value)",
]


# Two of one kind with one name, one of them shown twice.
ALONE = [
    "from attnbook.widgets import AttentionExplorer, VarianceExplorer\n"
    "one, two = AttentionExplorer(), AttentionExplorer()\n"
    "one",
    "two",
    "one",
    "print(one.d_k, two.d_k)",
]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write_settings(home):
    """Let JupyterLab ask nothing, fetch no news, and save nothing by itself.

    A notebook that is saved meanwhile opens with figures of an earlier test.
    """
    folder = home / "lab" / "user-settings" / "@jupyterlab"
    files = {
        "apputils-extension/notification": {
            "fetchNews": "false",
            "checkForUpdates": False,
        },
        "docmanager-extension/plugin": {"autosave": False},
    }
    for name, settings in files.items():
        path = folder / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings))


def write_notebook(path, cells):
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(code) for code in cells]
    )
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, path)


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Start JupyterLab on loopback with two notebooks; return (address, token)."""
    tmp_path = tmp_path_factory.mktemp("lab")
    (tmp_path / "work").mkdir()
    write_notebook(tmp_path / "work" / "try.ipynb", CELLS)
    for name in FIGURES:
        cells = [code.format(name=name) for code in EACH]
        write_notebook(tmp_path / "work" / f"{name}.ipynb", cells)
    write_notebook(tmp_path / "work" / "alone.ipynb", ALONE)
    for path in (ROOT / "chapters").glob("0[58]_*"):  # as a reader's working copy
        shutil.copy(path, tmp_path / "work")
    write_settings(tmp_path)
    names = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    places = {f"JUPYTER_{name}": str(tmp_path / name.lower()) for name in names}
    places["JUPYTERLAB_SETTINGS_DIR"] = str(tmp_path / "lab" / "user-settings")
    places["JUPYTERLAB_WORKSPACES_DIR"] = str(tmp_path / "lab" / "workspaces")
    port, token = free_port(), secrets.token_hex(16)
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={tmp_path / 'work'}",
    ]
    log = (tmp_path / "log.txt").open("w")
    process = subprocess.Popen(
        command, env={**os.environ, **places}, stdout=log, stderr=log
    )
    try:
        await_server(f"http://127.0.0.1:{port}/api?token={token}", process, log.name)
        yield f"http://127.0.0.1:{port}", token
    finally:
        processes.stop(process)
        log.close()


def await_server(address, process, log):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(360):  # three minutes on a machine that is busy with other things
        if process.poll() is not None:
            break
        try:
            with opener.open(address, timeout=5):
                return
        except OSError:
            time.sleep(0.5)
    pytest.fail("JupyterLab did not start:\n" + open(log).read()[-3000:])


class Notebook:
    """The open notebook: run a cell, read what it printed."""

    def __init__(self, page):
        self.page = page
        self.cells = page.locator(".jp-Notebook .jp-CodeCell")

    def run(self, k):
        """Run cell k and wait until it has run."""
        cell = self.cells.nth(k)
        prompt = cell.locator(".jp-InputArea-prompt")
        before = prompt.inner_text()
        for _ in range(4):  # a key pressed while the kernel still connects is lost
            cell.locator(".cm-content").click()
            self.page.keyboard.press("Control+Enter")
            if self.has_run(prompt, before):
                return cell
        pytest.fail(f"cell {k} did not run")

    def run_folded(self, k):
        """Open cell k, whose code is folded, and run it."""
        self.cells.nth(k).locator(".jp-Placeholder-content").first.click()
        return self.run(k)

    def has_run(self, prompt, before):
        """Tell whether the cell's number changes soon."""
        done = "([e, old]) => /\\[\\d+\\]/.test(e.innerText) && e.innerText !== old"
        argument = [prompt.element_handle(), before]
        try:
            self.page.wait_for_function(done, arg=argument, timeout=30_000)
        except TimeoutError:
            return False
        return True

    def printed(self, k):
        """Run cell k and return what it printed."""
        return self.run(k).locator(".jp-OutputArea-output").inner_text().strip()

    def comes_to_print(self, k, text, same=True):
        """Run cell k until it prints this text (or another): moves travel apart."""
        for _ in range(20):
            shown = self.printed(k)
            if (shown == text) == same:
                return
            self.page.wait_for_timeout(250)
        pytest.fail(f"cell {k} still prints {shown}")


@pytest.fixture
def open_notebook(chromium, lab):
    """Open notebooks of the lab; at the end no error and no outside request is left."""
    address, token = lab
    context = chromium.new_context(viewport={"width": 1400, "height": 1400})
    context.set_default_timeout(60_000)
    outside, errors = [], []

    def opened(name):
        page = context.new_page()
        page.on("request", lambda r: note_outside(r.url, address, outside))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}/lab/tree/{name}?token={token}&reset")
        page.get_by_text("| Idle").wait_for()
        return page, Notebook(page)

    yield opened
    context.close()
    assert (outside, errors) == ([], [])


def test_the_figure_and_its_python_object_are_one(open_notebook):
    page, notebook = open_notebook("try.ipynb")
    figure = notebook.run(0).locator(".jp-OutputArea-output")
    slider = figure.locator("input[type=range][id*=d_k]")
    slider.wait_for()
    before = notebook.printed(1)
    slider.focus()
    page.keyboard.press("ArrowRight")
    shown = slider.get_attribute("aria-valuetext")
    assert before == "d_k in Python: 64"
    assert shown != "64"
    notebook.comes_to_print(1, f"d_k in Python: {shown}")

    notebook.run(2)
    page.wait_for_function(
        "(e) => e.getAttribute('aria-valuetext').includes('512')",
        arg=slider.element_handle(),
    )
    notebook.comes_to_print(1, "d_k in Python: 512")

    weights = notebook.printed(3)
    assert "weights: ndarray (16, 16)" in weights
    assert str([1.0] * 16) in weights


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_moves_its_object_and_follows_it(open_notebook, name):
    page, notebook = open_notebook(f"{name}.ipynb")
    figure = notebook.run(0).locator(".jp-OutputArea-output")
    figure.locator(".attn-live").first.wait_for()
    sliders = figure.locator("input[type=range]")
    slider = (sliders if sliders.count() else figure.get_by_role("switch")).first
    value = "(e) => e.getAttribute('aria-checked') ?? e.value"
    before = slider.evaluate(value)
    slider.focus()
    for key in ("ArrowRight", "ArrowLeft", "Enter"):  # an end stop, or a switch
        if slider.evaluate(value) == before:
            page.keyboard.press(key)
    assert slider.evaluate(value) != before
    notebook.comes_to_print(1, "{}", same=False)  # Python heard of the move

    notebook.run(2)
    page.wait_for_function(
        f"([e, was]) => ({value})(e) === was", arg=[slider.element_handle(), before]
    )
    notebook.comes_to_print(1, "{}")


@pytest.mark.slow
def test_each_of_several_figures_operates_itself_alone(open_notebook):
    page, notebook = open_notebook("alone.ipynb")
    notebook.run(0)
    cells = [notebook.run(k) for k in (0, 1, 2)]  # the first of them twice
    sliders = [cell.locator("input[type=range][id*=d_k]") for cell in cells]
    for slider in sliders:
        slider.wait_for()
    ids = page.evaluate(
        "[...document.querySelectorAll('.attn-figure [id]')].map((e) => e.id)"
    )
    assert len(ids) == len(set(ids)) > 10
    assert page.evaluate(MIXED_GROUPS) == []

    cells[1].locator("label[for*=d_k]").click()  # leads to the slider beside it
    page.keyboard.press("ArrowRight")
    first, second, third = (s.get_attribute("aria-valuetext") for s in sliders)
    assert first == third == "64" != second
    notebook.comes_to_print(3, f"64 {second}")
    sliders[2].focus()
    page.keyboard.press("ArrowLeft")  # the first one, where it is shown again
    third = sliders[2].get_attribute("aria-valuetext")
    notebook.comes_to_print(3, f"{third} {second}")
    page.wait_for_function(
        "([e, text]) => e.getAttribute('aria-valuetext') === text",
        arg=[sliders[0].element_handle(), third],
    )
    assert page.get_by_text("This is a still picture").filter(visible=True).count() == 0


def shut_down(lab):
    """End all kernels, as a restart of the machine does."""
    address, token = lab
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(2):
        with opener.open(f"{address}/api/kernels?token={token}", timeout=30) as answer:
            kernels = json.load(answer)
        for kernel in kernels:
            place = f"{address}/api/kernels/{kernel['id']}?token={token}"
            opener.open(urllib.request.Request(place, method="DELETE"), timeout=30)


@pytest.mark.slow
def test_a_chapter_reads_in_jupyterlab_as_on_the_page(open_notebook, lab):
    page, notebook = open_notebook("08_masks.ipynb")
    text = page.locator(".jp-Notebook")
    assert text.get_by_text("{cite").count() == 0
    folds = text.locator("details").filter(has_text="Predict first")
    assert folds.count() >= 4
    assert not any(folds.evaluate_all("all => all.map((fold) => fold.open)"))
    pictures = text.locator(".jp-RenderedMarkdown img")
    assert min(pictures.evaluate_all("all => all.map((e) => e.naturalWidth)")) > 100

    for _ in range(2):  # at first JupyterLab only guesses how high hidden cells are
        page.evaluate(
            "document.querySelector('.jp-WindowedPanel-outer').scrollTo(0, 0)"
        )
        page.get_by_text("It sees the future").click()
        page.wait_for_timeout(1000)
    page.wait_for_function(IN_VIEW, arg="Which way round is True?")

    notebook.run_folded(0)
    cells = nbformat.read(ROOT / "chapters/08_masks.ipynb", as_version=4).cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    at = next(k for k, text in enumerate(code) if text.startswith("MaskPainter("))
    figure = notebook.run_folded(at)
    figure.locator(".attn-live").wait_for()
    assert not figure.get_by_text("This is a still picture").is_visible()
    link = page.locator("details a", has_text="score set to 0").first
    link.evaluate("(a) => (a.closest('details').open = true)")  # it answers: folded
    link.click()
    page.wait_for_function("attnFigures.painter.values().method === 'set_zero'")

    page.keyboard.press("Control+s")
    page.wait_for_timeout(1500)
    shut_down(lab)
    page, notebook = open_notebook("08_masks.ipynb")
    page.get_by_text("Error displaying widget: model not found").wait_for()
    page.get_by_text("This is a still picture").wait_for()
    notebook.run(0)
    notebook.run(at).locator(".attn-live").wait_for()
    assert page.get_by_text("Error displaying widget").count() == 0


MIXED_GROUPS = """[...document.querySelectorAll(".attn-figure [type=radio]")].filter(
  (radio) => [...document.getElementsByName(radio.name)].some(
    (other) => other.closest(".attn-figure") !== radio.closest(".attn-figure")))
"""
IN_VIEW = """(title) => {
  const headings = [...document.querySelectorAll("h2")];
  const { top } = headings.find((h) => h.innerText.startsWith(title))
    .getBoundingClientRect();
  return top > 0 && top < innerHeight;
}"""


def note_outside(url, address, outside):
    own = (address, address.replace("http", "ws"), "data:", "blob:")
    if not url.startswith(own):
        outside.append(url)

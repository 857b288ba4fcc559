"""The gates test themselves: each fault, planted in a copy of the site, is found."""

import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import figure_gates
import site_gates
from booktools.setup import serve

pytestmark = pytest.mark.browser

PAGE = "chapters/index.html"
PLANTED = "chapters/planted.html"
DESKTOP = {"viewport": {"width": 1280, "height": 900}}


@pytest.fixture(scope="module")
def copy(site, tmp_path_factory):
    """Return a copy of the built site."""
    folder = tmp_path_factory.mktemp("copy") / "html"
    shutil.copytree(site, folder)
    return folder


@pytest.fixture(scope="module")
def root(copy):
    """Return the address of the copy."""
    with serve.running(copy) as address:
        yield address


@pytest.fixture
def plant(copy):
    """Return a function that writes a page with something planted in it."""
    path = copy / PLANTED

    def write(html, before="</body>", replace=None):
        text = (copy / PAGE).read_text("utf-8")
        if replace:
            assert replace[0] in text
            text = text.replace(*replace)
        assert text.count(before) == 1
        path.write_text(text.replace(before, html + before), "utf-8")

    yield write
    path.unlink()


def only(faults, *words):
    """Assert that there is a fault, and that each is the planted one."""
    assert faults
    for fault in faults:
        assert any(word in fault for word in words), fault


# --- the files ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "why"),
    [
        ('<a href="no_such_page.html">x</a>', "no such file"),
        ('<a href="index.html#nowhere">x</a>', "no such anchor"),
        ('<a href="#nowhere">x</a>', "no such anchor"),
        ('<a href="/chapters/index.html">x</a>', "starts at the host"),
        ('<a href="figure:explorer?d_k=2">x</a>', "unknown kind"),
        ('<img alt="" src="../_images/none.svg">', "no such file"),
        ('<img alt="" srcset="none.png 2x" src="index.html">', "no such file"),
    ],
)
def test_a_broken_link_is_found(copy, plant, html, why):
    plant(html)
    only(site_gates.link_faults(copy), why)


@pytest.mark.parametrize(
    "html",
    [
        '<script src="https://cdn.example.org/x.js"></script>',
        '<link rel="stylesheet" href="//fonts.example.org/x.css">',
        '<link rel="preconnect" href="https://fonts.example.org">',
        '<img alt="" loading="lazy" src="https://example.org/x.png">',
    ],
)
def test_an_outside_reference_is_found(copy, plant, html):
    plant(html)
    only(site_gates.outside_references(copy), "example.org")


def test_an_image_without_alt_text_is_found(copy, plant):
    plant('<img src="../_static/logo.svg">')
    only(site_gates.wordless_images(copy), "planted.html: ../_static/logo.svg")


# --- one page in the browser --------------------------------------------------------


def visit(chromium, root, **options):
    return site_gates.Visit(chromium, root, PLANTED, **{**DESKTOP, **options})


@pytest.mark.parametrize(
    "code", ['console.error("planted")', 'throw new Error("planted")']
)
def test_an_error_is_heard(chromium, root, plant, code):
    plant(f"<script>{code}</script>")
    with visit(chromium, root) as seen:
        only(seen.complaints, "planted")


def test_a_missing_file_is_heard(chromium, root, plant):
    plant('<script src="missing.js"></script>')
    with visit(chromium, root) as seen:
        only(seen.complaints, "missing.js", "404")


def test_a_request_that_leaves_the_machine_is_seen(chromium, root, plant):
    plant('<script>fetch("https://example.org/x").catch(() => {})</script>')
    with visit(chromium, root) as seen:
        only(seen.outside(), "outside: https://example.org/x")


def test_an_image_that_does_not_load_is_seen(chromium, root, plant, copy):
    (copy / "chapters" / "broken.png").write_bytes(b"no picture")
    plant('<img alt="" src="broken.png">', before="</main>")
    with visit(chromium, root) as seen:
        only(seen.dead_images(), "broken.png")


def test_a_page_wider_than_the_phone_is_seen(chromium, root, plant):
    plant('<div style="width: 900px">wide</div>', before="</main>")
    with visit(chromium, root, viewport={"width": 390, "height": 844}) as seen:
        only(seen.overflow(), "wider than the screen")


def test_a_layout_shift_is_seen(chromium, root, plant):
    plant(  # a busy machine may not have painted yet: what moves goes on moving
        "<script>const block = document.createElement('div');"
        "document.querySelector('main').prepend(block);"
        "let tall = false; setInterval(() => {"
        " tall = !tall; block.style.height = tall ? '300px' : '0'; }, 200);"
        "</script>"
    )
    with visit(chromium, root) as seen:
        seen.page.wait_for_function("window.attnShifts.some((s) => s.value > 0.01)")
        only(seen.shifts(), "layout shift")


@pytest.mark.parametrize(
    ("html", "rule"),
    [
        ("<button></button>", "button-name"),
        ('<p style="color: #777; background: #888">grey on grey</p>', "color-contrast"),
    ],
)
def test_an_obstacle_for_readers_is_seen(chromium, root, plant, html, rule):
    plant(html, before="</main>")
    with visit(chromium, root) as seen:
        only(seen.axe(), f"axe {rule}")


# --- figures ------------------------------------------------------------------------


def test_a_figure_that_does_not_come_alive_is_seen(chromium, root, plant):
    plant("", replace=('data-figure="', 'data-figure="no_such_'))
    with visit(chromium, root) as seen:
        only(figure_gates.unready(seen, patience=2000), "is not ready")


def test_a_dead_slider_is_seen(chromium, root, plant):
    plant(
        "<script>document.addEventListener('input', (event) => {"
        " if (event.target.type === 'range') event.stopImmediatePropagation();"
        "}, true)</script>"
    )
    with visit(chromium, root) as seen:
        assert figure_gates.unready(seen) == []
        only(figure_gates.dead_sliders(seen), "changes nothing")


def test_a_wrong_pixel_is_seen(chromium, root, plant):
    plant("<style>attn-figure canvas { filter: brightness(0.9); }</style>")
    with visit(chromium, root) as seen:
        assert figure_gates.unready(seen) == []
        only(figure_gates.wrong_pixels(seen), "should be")


def test_a_heatmap_that_does_not_follow_a_move_is_seen(chromium, root, plant):
    plant(
        "<script>addEventListener('attn-ready', () => {"
        " CanvasRenderingContext2D.prototype.putImageData = () => {};"
        "})</script>"
    )
    with visit(chromium, root) as seen:
        assert figure_gates.unready(seen) == []
        only(figure_gates.wrong_pixels(seen), "should be")


def test_wrong_arithmetic_in_javascript_is_seen(chromium, root, plant):
    off = "const exp = Math.exp; Math.exp = (x) => exp(x) * (1 + 1e-4 * x);"
    plant(f"<script>{off}</script>", before="</head>")
    with visit(chromium, root) as seen:
        assert figure_gates.unready(seen) == []
        only(figure_gates.disagreements(seen), "differ by")


def test_only_equal_nan_and_infinities_agree():
    inf, nan = np.inf, np.nan
    same = np.array([nan, inf, -inf, 1.0])
    assert figure_gates.farthest(same, same.copy()) == 0
    for wrong in ([nan, inf, -inf, 1.5], [0, inf, -inf, 1], [nan, -inf, -inf, 1]):
        assert not figure_gates.farthest(same, np.array(wrong)) <= 0.4
    assert figure_gates.farthest(same, same[:3]) == inf


# --- the sources --------------------------------------------------------------------


def claims_check(folder):
    """Run the check of numbers on the pages of a folder; return (status, output)."""
    pages = map(str, sorted(folder.glob("*.md")))
    command = [sys.executable, "-m", "booktools.content.claims", "--check", *pages]
    options = {"capture_output": True, "text": True, "cwd": site_gates.ROOT}
    done = subprocess.run(command, timeout=120, **options)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def chapters(tmp_path):
    """Return a copy of the chapters that passes the check."""
    folder = tmp_path / "chapters"
    shutil.copytree(site_gates.ROOT / "chapters", folder)
    status, output = claims_check(folder)
    assert status == 0, output
    return folder


def test_an_unbound_number_in_the_prose_is_found(chapters):
    page = chapters / "05_why_divide.md"
    unbound = "\nThe weight rises to 0.731 and the cost by 17 %.\n"
    page.write_text(page.read_text("utf-8") + unbound, "utf-8")
    status, output = claims_check(chapters)
    assert status != 0 and "0.731" in output and "17" in output


def test_a_changed_digit_of_a_bound_number_is_found(chapters):
    page = chapters / "05_why_divide.md"
    text = page.read_text("utf-8")
    key = re.search(r'^    "([^"$]*\d)":', text, re.MULTILINE)
    bound, prose = key[1], text[: key.start()]
    digit = str((int(bound[-1]) + 1) % 10)
    assert bound in prose
    changed = prose.replace(bound, bound[:-1] + digit) + text[key.start() :]
    page.write_text(changed, "utf-8")
    status, output = claims_check(chapters)
    assert status != 0 and bound[:-1] in output

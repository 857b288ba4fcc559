"""Diagrams are drawn by their scripts, the same bytes each time."""

import xml.etree.ElementTree as ElementTree

import matplotlib
import pytest

from booktools import ROOT
from booktools.content import figures

SCRIPT = '''
from attnbook import style
ALT = """
A line
that rises.
"""
def draw():
    figure, axes = style.subplots()
    axes.plot([0, 1], [0, 1])
    return figure
'''


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "01_line.py").write_text(SCRIPT, encoding="utf-8")
    return tmp_path


def run(*arguments):
    return figures.main([str(argument) for argument in arguments])


def test_a_script_draws_its_svg_and_check_agrees(folder, capsys):
    assert run("--check", folder) == 1
    assert "01_line.svg is missing; run: python -m" in capsys.readouterr().err
    assert not (folder / "01_line.svg").exists()
    assert run(folder) == 0
    assert run("--check", folder) == 0


def test_the_svg_is_the_same_whatever_was_set_before(folder):
    run(folder)
    first = (folder / "01_line.svg").read_bytes()
    with matplotlib.rc_context({"lines.linewidth": 9}):
        assert figures.render(folder / "01_line.py").encode() == first


def test_the_svg_can_stand_alone_and_follow_a_theme(folder):
    run(folder)
    root = ElementTree.parse(folder / "01_line.svg").getroot()
    assert root.get("aria-label") == "A line that rises."
    card = root[0]
    assert card.tag.endswith("rect")
    assert card.get("style") == "fill:var(--attn-figure-paper, #ffffff)"
    text = (folder / "01_line.svg").read_text(encoding="utf-8")
    assert "stroke: var(--attn-figure-ink, #1a1a1a)" in text
    assert "font-family:sans-serif" in text
    assert "currentColor" not in text


def test_a_changed_script_or_picture_is_noticed(folder, capsys):
    run(folder)
    (folder / "01_line.py").write_text(SCRIPT.replace("[0, 1])", "[1, 0])"))
    assert run("--check", folder) == 1
    assert "differs from its script" in capsys.readouterr().err


def test_a_picture_without_a_script_is_an_error(folder, capsys):
    run(folder)
    (folder / "02_lost.svg").write_text("<svg/>")
    assert run(folder) == 1
    assert "02_lost.svg has no script; write 02_lost.py" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["draw", "ALT"])
def test_a_script_must_draw_and_say_what_it_shows(folder, capsys, name):
    (folder / "01_line.py").write_text(SCRIPT.replace(name, "other"))
    assert run(folder) == 1
    assert f"01_line.py defines no {name}" in capsys.readouterr().err


def test_the_committed_diagrams_are_current():
    assert list(figures.problems(ROOT / "figures", check=True)) == []

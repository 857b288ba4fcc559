"""The look of the plots: roles, and SVG that can be read in both themes."""

import re
import xml.etree.ElementTree as ElementTree

import matplotlib
import numpy as np
import pytest

from attnbook import style


@pytest.fixture(autouse=True)
def book_style():
    with matplotlib.rc_context():
        style.use()
        yield


def drawing():
    figure, axes = style.subplots()
    axes.plot([0, 1.23456], [0, 1], label="line 3.14159", **style.role("Q"))
    axes.plot([0, 1], [1, 0], color="#111111")
    axes.legend()
    return figure


def test_each_role_has_a_colour_a_marker_and_a_dash_of_its_own():
    looks = [style.role(name) for name in "QKV"]
    for part in ("color", "marker", "linestyle"):
        assert len({look[part] for look in looks}) == 3
    colors = [look["color"] for look in looks]
    assert colors == ["#0072B2", "#D55E00", "#009E73"]
    with pytest.raises(ValueError, match="one of Q, K, V, got 'X'"):
        style.role("X")


def test_use_sets_text_as_text_and_no_background():
    assert matplotlib.rcParams["svg.fonttype"] == "none"
    assert matplotlib.rcParams["figure.facecolor"] == "none"
    assert matplotlib.rcParams["image.cmap"] == style.WEIGHTS


def test_svg_is_one_element_with_an_alternative_text():
    text = style.svg(drawing(), 'It says "a < b".')
    root = ElementTree.fromstring(text)
    assert root.tag.endswith("svg")
    assert root.get("role") == "img"
    assert root.get("aria-label") == 'It says "a < b".'
    assert "max-width:100%" in root.get("style")


def test_black_takes_the_colour_of_the_page_and_other_colours_stay():
    text = style.svg(drawing(), "A line.")
    assert "#000000" not in text
    assert "stroke: currentColor" in text
    assert "fill:currentColor" in text
    assert "stroke: var(--attn-q, #0072B2)" in text
    assert "#111111" in text
    assert "var(--ink)" in style.svg(drawing(), "A line.", ink="var(--ink)")


def test_text_stays_text_in_the_font_of_the_page():
    text = style.svg(drawing(), "A line.")
    assert ">line 3.14159</text>" in text
    assert "DejaVu" not in text
    assert "<style" not in text
    assert not re.search(r'="[^"]*\d\.\d{3,}', text)  # coordinates are rounded


def test_svg_is_the_same_twice_and_has_no_date():
    assert style.svg(drawing(), "A line.") == style.svg(drawing(), "A line.")
    assert "<metadata" not in style.svg(drawing(), "A line.")


def test_two_figures_on_one_page_share_no_id():
    figure, axes = style.subplots()
    axes.plot([3, 4], [7, 5])
    first, second = style.svg(drawing(), "One."), style.svg(figure, "Two.")
    ids = [set(re.findall(r' id="([^"]+)"', text)) for text in (first, second)]
    assert ids[0] and ids[1] and not ids[0] & ids[1]
    for text, own in zip((first, second), ids, strict=True):
        assert set(re.findall(r"(?:href=\"|url\()#([^\")]+)", text)) == own


def test_show_gives_html_and_a_plain_alternative():
    figure, axes = style.subplots(1, 2, size=(5, 2))
    bundle = style.show(figure, "Two empty frames.")._repr_mimebundle_()
    assert bundle["text/html"].startswith("<svg")
    assert bundle["text/plain"] == "Two empty frames."
    same = style.show(axes[0], "Two empty frames.")
    assert same._repr_mimebundle_() == bundle
    assert repr(same) == "Two empty frames."


def test_a_figure_without_an_alternative_text_is_refused():
    with pytest.raises(ValueError, match="needs an alternative text"):
        style.show(drawing(), "  ")


def test_subplots_leaves_no_open_figure():
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    _, axes = style.subplots(2, 3, sharey=True)
    assert np.shape(axes) == (2, 3)
    assert plt.get_fignums() == before

"""DotExplorer: JavaScript against Python, geometry by hand, and the arrows at work."""

import itertools

import numpy as np
import pytest
import traitlets

import figure_page
from attnbook.kernel import softmax
from attnbook.widgets import DotExplorer
from figure_page import NOW, opened
from twins import differences, javascript

DEFAULTS = DotExplorer().state
ARRAYS = ("scores", "weights", "query")


def states():
    """Return corners of all ranges (a part of them), zeros, and states between."""
    ends = [(-4.0, 0.0, 4.0) if k.endswith("x") else (-3.0, 0.0, 3.0) for k in PLACES]
    grid = list(itertools.product(*ends))
    chosen = np.random.default_rng(0).permutation(len(grid))[:120]
    made = [dict(zip(PLACES, grid[k], strict=True)) for k in chosen]
    made += [{}, {"k1_x": 0.1, "k1_y": 0.2, "k2_x": 0.3, "k2_y": -0.2}]
    made += [dict.fromkeys(PLACES, 0.0), {"q_x": -0.05, "q_y": 2.95, "k3_x": 0.35}]
    options = itertools.product(("dot", "cosine"), (0.1, 1.0, 10.0))
    return [
        {**DEFAULTS, **part, "score": score, "temperature": temperature}
        for part, (score, temperature) in itertools.product(made, list(options))
    ]


PLACES = [key for key in DEFAULTS if key.endswith(("_x", "_y"))]


def test_javascript_and_python_agree_at_every_corner():
    made = states()
    for state, answer in zip(made, javascript("dot_explorer", made), strict=True):
        assert differences(DotExplorer, state, answer, ARRAYS) == []


def test_lengths_angles_and_scores_of_a_case_done_by_hand():
    """A 3-4-5 triangle, a right angle, and the opposite direction."""
    case = {"q_x": 3.0, "q_y": 0.0, "k1_x": 3.0, "k1_y": 2.0, "k2_x": 0.0, "k2_y": -2.0}
    values = DotExplorer(**{**case, "k3_x": -4.0, "k3_y": 3.0}).values()
    assert [values[f"score_{k}"] for k in (1, 2, 3)] == [9, 0, -12]
    assert values["length_3"] == 5 and values["q_length"] == 3
    assert values["cosine_3"] == pytest.approx(-4 / 5)
    assert values["angle_2"] == 90 and values["cosine_2"] == 0
    assert values["angle_1"] == pytest.approx(np.degrees(np.arctan(2 / 3)))
    weights = [values[f"w{k}"] for k in (1, 2, 3)]
    np.testing.assert_allclose(weights, softmax([9.0, 0.0, -12.0]))


def test_a_score_is_length_times_length_times_cosine():
    for state in states()[::5]:
        dots = DotExplorer(**{**state, "score": "dot"}).values()
        cosines = DotExplorer(**{**state, "score": "cosine"}).values()
        for k in (1, 2, 3):
            product = dots["q_length"] * dots[f"length_{k}"] * dots[f"cosine_{k}"]
            assert dots[f"score_{k}"] == pytest.approx(product, abs=1e-12)
            assert cosines[f"score_{k}"] == dots[f"cosine_{k}"]


def test_the_long_key_wins_by_dot_and_the_aligned_one_by_cosine():
    dot, cosine = DotExplorer().values(), DotExplorer(score="cosine").values()
    assert dot["winner"] == 2 and dot["w2"] > 0.85
    assert dot["cosine_1"] == pytest.approx(1) and dot["cosine_2"] < 0.5
    assert cosine["winner"] == 1 and cosine["w1"] / cosine["w3"] == pytest.approx(np.e)


def test_doubling_the_query_or_all_keys_is_half_the_temperature():
    half = {k: v / 2 for k, v in DEFAULTS.items() if k in PLACES}
    query = {k: v for k, v in half.items() if k.startswith("q")}
    keys = {k: v for k, v in half.items() if k.startswith("k")}
    wanted = DotExplorer(temperature=2).weights
    for part in (query, keys):
        np.testing.assert_allclose(DotExplorer(**part).weights, wanted)
    both = DotExplorer(**query, **keys).weights
    np.testing.assert_allclose(both, DotExplorer(temperature=4).weights)


def test_equal_scores_are_told_as_a_tie_in_spite_of_rounding():
    keys = {"k1_x": 0.1, "k1_y": 0.2, "k2_x": 0.3, "k2_y": 0, "k3_x": -3, "k3_y": 0}
    tied = DotExplorer(q_x=1, q_y=1, **keys)
    assert tied.scores[0] != tied.scores[1]
    assert tied.values()["winner"] == 0
    assert "no key is alone" in tied.sentence()


def test_python_refuses_what_no_state_is():
    for bad in ({"q_x": 4.1}, {"k3_y": -3.5}, {"temperature": 0}, {"score": "angle"}):
        with pytest.raises(traitlets.TraitError):
            DotExplorer(**bad)


def test_the_still_picture_names_arrows_and_weights():
    svg = DotExplorer().picture("a <plane>")
    for text in (">q<", "k₁: 0.117", "k₂: 0.867", "k₃: 0.016"):
        assert text in svg
    assert 'aria-label="a &lt;plane&gt;"' in svg
    assert "nan" not in DotExplorer(q_x=0, q_y=0).picture("")


# --- in a browser -------------------------------------------------------------------


@pytest.fixture
def page(chromium, tmp_path):
    size = {"width": 760, "height": 1300}
    with opened(chromium, tmp_path, DotExplorer(id="dot"), viewport=size) as page:
        yield page


def values(page):
    return figure_page.values(page, "dot")


def middle(page, name):
    box = page.get_by_role("slider", name=name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.browser
def test_a_tip_is_dragged_in_both_directions_and_both_axes_have_one_unit(page):
    (qx, qy), (kx, ky) = middle(page, "Query q"), middle(page, "Key k₂")
    unit = (kx - qx) / 2.4  # the tips are 2.4 apart across and 3.8 down
    assert ky - qy == pytest.approx(3.8 * unit, abs=1.5)
    page.mouse.move(kx, ky)
    page.mouse.down()
    page.mouse.move(kx - 2.5 * unit, ky - 1.5 * unit, steps=5)
    page.mouse.up()
    now = values(page)
    assert now["k2_x"] == pytest.approx(1.5, abs=0.051)
    assert now["k2_y"] == pytest.approx(-1.5, abs=0.051)
    assert now["winner"] == 1
    page.get_by_role("button", name="Undo").click()
    assert (values(page)["k2_x"], values(page)["k2_y"]) == (4, -3)


@pytest.mark.browser
def test_the_arrow_keys_move_a_tip_along_both_axes(page):
    tip = page.get_by_role("slider", name="Key k₁")
    tip.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert (values(page)["k1_x"], values(page)["k1_y"]) == (1.05, 0.6)
    assert tip.get_attribute("aria-valuetext").startswith("first entry 1.05, second")


def table(page):
    page.evaluate(NOW)
    rows = page.locator(".attn-numbers tbody tr")
    return [rows.nth(k).locator("td").all_inner_texts() for k in range(3)]


@pytest.mark.browser
def test_the_table_says_lengths_angles_and_the_winner(page):
    assert table(page) == [
        ["0°", "1.12", "2.00", "0.117"],
        ["63°", "5.00", "4.00", "0.867"],
        ["90°", "2.24", "0.00", "0.016"],
    ]
    wins = page.locator(".attn-numbers .attn-wins th")
    assert wins.all_inner_texts() == ["k₂"]
    page.get_by_role("radio", name="cosine").check(force=True)
    assert [row[2] for row in table(page)] == ["1.00", "0.45", "0.00"]
    assert wins.all_inner_texts() == ["k₁"]
    page.evaluate("attnFigures.dot.set({ q_x: 0, q_y: 0 })")
    assert [row[0] for row in table(page)] == ["none"] * 3
    assert wins.count() == 0


BARS = """() => [...document.querySelectorAll(".attn-cell-track")].map((track) => {
  const { width } = track.getBoundingClientRect();
  const mark = track.querySelector(".attn-cell-before");
  return [track.firstChild.getBoundingClientRect().width / width,
    mark.hidden ? null : parseFloat(mark.style.left) / 100]; })"""


@pytest.mark.browser
def test_the_cells_of_scores_and_weights_are_bars_with_their_former_ends(page):
    bars = page.evaluate(BARS)
    for (share, mark), wanted in zip(
        bars, (2 / 5, 0.117, 4 / 5, 0.867, 0, 0.016), strict=True
    ):
        assert share == pytest.approx(wanted, abs=0.01) and mark is None
    page.get_by_role("radio", name="cosine").check(force=True)
    page.evaluate(NOW)
    marks = [mark for _, mark in page.evaluate(BARS)]
    assert marks[:4] == pytest.approx([2 / 5, 0.117, 4 / 5, 0.867], abs=0.001)


@pytest.mark.browser
def test_shadows_are_bars_along_the_query_as_long_as_the_scores_say(page):
    ends = page.evaluate("""() => [...document.querySelectorAll(".attn-shadow")].map(
      (bar) => (bar.getAttribute("d") || "").match(/[-\\d.]+/g)?.map(Number))""")
    lengths = [np.hypot(d[2] - d[0], d[3] - d[1]) if d else 0 for d in ends]
    assert lengths[1] == pytest.approx(2 * lengths[0], rel=0.01)  # scores 4 and 2
    assert lengths[2] == 0  # a right angle casts none
    turn = [(d[3] - d[1]) / (d[2] - d[0]) for d in ends[:2]]
    assert turn == pytest.approx([-0.5, -0.5], abs=0.01)  # along q

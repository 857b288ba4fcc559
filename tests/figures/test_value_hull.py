"""ValueHull: JavaScript against Python, the hull by hand, and the query at work."""

import itertools

import numpy as np
import pytest
import traitlets

import figure_page
from attnbook.toydata import running_example
from attnbook.widgets import ValueHull
from attnbook.widgets.figures.value_hull.figure import _margin
from figure_page import opened, swipe
from twins import differences, javascript

DEFAULTS = ValueHull().state
ARRAYS = ("query", "K", "V", "weights", "output", "hull")


def states():
    """Return all corners of the query's range, in all kinds of noise, keys moved."""
    places = itertools.product((-4.0, 0.0, 1.5, 4.0), (-3.0, 0.0, 3.0))
    kinds = itertools.product(("none", "values", "keys"), ((0, 0), (1, -1)), (1, 35))
    return [
        {**DEFAULTS, "q_x": x, "q_y": y, "noise": noise, "seed": seed}
        | {"shift_x": float(right), "shift_y": float(up)}
        for (x, y), (noise, (right, up), seed) in itertools.product(places, list(kinds))
    ]


def test_javascript_and_python_agree_at_every_corner():
    made = states()
    for state, answer in zip(made, javascript("value_hull", made), strict=True):
        answer["hull"] = np.ravel(answer["hull"])
        assert differences(ValueHull, state, answer, ARRAYS) == []


def test_a_hull_and_a_distance_done_by_hand():
    """The values of the sentence are all corners, from the left one on."""
    hull = ValueHull().hull
    np.testing.assert_array_equal(
        hull, [[-2, 0], [0, -1], [1, -1], [2, 0], [1, 2], [0, 2]]
    )
    assert _margin(hull, (0, 0)) == pytest.approx(2 / np.sqrt(5))  # to x + 2y = -2
    assert _margin(hull, (0, -2)) == -1
    assert _margin(hull, (2, 0)) == 0


def test_no_query_moves_the_output_out_of_the_hull():
    for state in states():
        values = ValueHull(**state).values()
        assert values["margin"] > 0, state
        assert float(values["edge"].strip("< ")) > 0, state  # nor does it say so


def test_noisy_values_keep_every_weight_and_noisy_keys_deliver_true_values():
    for state in states()[::6]:
        true, values, keys = (
            ValueHull(**{**state, "noise": noise})
            for noise in ("none", "values", "keys")
        )
        np.testing.assert_array_equal(true.weights, values.weights)
        assert values.values()["off"] > 0.1
        assert not np.allclose(true.weights, keys.weights) or not true.query.any()
        assert keys.values()["off"] == true.values()["off"] == 0


def test_a_vector_added_to_all_keys_changes_no_weight_added_to_the_query_it_does():
    plain, moved = ValueHull(), ValueHull(shift_x=1, shift_y=-0.5)
    np.testing.assert_allclose(moved.weights, plain.weights)
    assert (moved.K != plain.K).all()
    assert not np.allclose(ValueHull(q_x=2.5, q_y=-0.5).weights, plain.weights, 0.1)


def test_two_entries_tell_nearly_what_the_sentence_s_four_do():
    tokens, Q, K, _ = running_example()
    it = tokens.index("it")
    scores = K @ Q[it] / 2
    four = np.exp(scores) / np.exp(scores).sum()
    np.testing.assert_allclose(ValueHull().weights, four, atol=0.035)


def test_nobody_is_in_front_where_two_scores_are_equal():
    tied = ValueHull(q_x=2, q_y=2)
    assert tied.values()["winner"] == ""
    assert "more than one word" in tied.sentence()
    np.testing.assert_allclose(ValueHull(q_x=0).output, ValueHull().V.mean(axis=0))


def test_python_refuses_what_no_state_is():
    for bad in ({"q_x": 4.1}, {"shift_y": 2}, {"noise": "queries"}, {"seed": 0}):
        with pytest.raises(traitlets.TraitError):
            ValueHull(**bad)


def test_the_still_picture_names_values_weights_and_output():
    svg = ValueHull().picture("a <hull>")
    for text in (">dog 0.80<", ">Kim 0.00<", ">output<", "<polygon"):
        assert text in svg
    assert 'aria-label="a &lt;hull&gt;"' in svg


# --- in a browser -------------------------------------------------------------------


def shown(chromium, tmp_path, **options):
    return opened(chromium, tmp_path, ValueHull(id="hull"), **options)


def values(page):
    return figure_page.values(page, "hull")


def tip(page):
    box = page.get_by_role("slider", name="Query q").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


DOTS = """() => [...document.querySelectorAll(".attn-dot-key")].map((dot) => {
  const box = dot.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2]; })"""


@pytest.mark.browser
def test_the_query_is_dragged_to_a_key_and_its_word_answers(chromium, tmp_path):
    with shown(chromium, tmp_path, viewport={"width": 960, "height": 720}) as page:
        saw = page.evaluate(DOTS)[2]
        page.mouse.move(*tip(page))
        page.mouse.down()
        page.mouse.move(*saw, steps=6)
        page.mouse.up()
        now = values(page)
        assert (now["q_x"], now["q_y"]) == pytest.approx((0, 3), abs=0.051)
        assert now["winner"] == "saw" and now["margin"] > 0
        page.get_by_role("button", name="Undo").click()
        assert (values(page)["q_x"], values(page)["q_y"]) == (1.5, 0)


@pytest.mark.browser
def test_a_finger_drags_the_query(chromium, tmp_path):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    with shown(chromium, tmp_path, **phone, is_mobile=True) as page:
        the = page.evaluate(DOTS)[0]
        swipe(page, tip(page), the)
        now = values(page)
        assert (now["q_x"], now["q_y"]) == pytest.approx((0, -2), abs=0.051)
        assert now["winner"] == "The"


@pytest.mark.browser
def test_the_arrow_keys_move_the_query_along_both_axes(chromium, tmp_path):
    with shown(chromium, tmp_path) as page:
        query = page.get_by_role("slider", name="Query q")
        query.focus()
        for key in ("ArrowRight", "ArrowUp", "ArrowUp"):
            page.keyboard.press(key)
        assert (values(page)["q_x"], values(page)["q_y"]) == (1.55, 0.1)
        assert query.get_attribute("aria-valuetext").startswith("first entry 1.55, sec")


LINES = """(name) => [...document.querySelectorAll(`.attn-flow.attn-${name}`)].map(
  (line) => parseFloat(line.style.strokeWidth))"""


@pytest.mark.browser
def test_lines_are_as_thick_as_weights_and_the_ring_shows_the_true_mean(
    chromium, tmp_path
):
    with shown(chromium, tmp_path) as page:
        wanted = 0.6 + 9 * ValueHull().weights
        for name in ("key", "value"):
            assert page.evaluate(LINES, name) == pytest.approx(wanted, abs=0.01)
        ring = page.locator(".attn-wanted")
        assert ring.get_attribute("visibility") == "hidden"
        page.get_by_role("radio", name="values").check(force=True)
        figure_page.values(page, "hull")
        assert ring.get_attribute("visibility") is None
        assert page.evaluate(LINES, "key") == pytest.approx(wanted, abs=0.01)

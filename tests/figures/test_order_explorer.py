"""OrderExplorer: JavaScript against Python, orders and their numbers, words at work."""

import itertools

import numpy as np
import pytest
import traitlets

import figure_page
from attnbook.toydata import running_example
from attnbook.widgets import OrderExplorer
from attnbook.widgets.figures.order_explorer.figure import ORDERS
from figure_page import opened, swipe
from twins import differences, javascript

DEFAULTS = OrderExplorer().state
ARRAYS = ("places", "outputs", "original", "change")
KINDS = ("none", "sinusoidal", "rotary", "alibi")


def states(orders):
    """Return these orders under every setting of the switches."""
    rest = itertools.product((False, True), KINDS, ("one", "two"))
    return [
        {"order": order, "causal": causal, "positions": kind, "layers": layers}
        for order, (causal, kind, layers) in itertools.product(orders, list(rest))
    ]


def test_javascript_and_python_agree_under_every_switch():
    made = states([0, 1, 120, 408, 717, 718, 719, *range(5, 719, 53)])
    answers = javascript("order_explorer", made)
    for state, answer in zip(made, answers, strict=True):
        assert differences(OrderExplorer, state, answer, ARRAYS) == []


def test_every_order_has_one_number_in_both_languages():
    made = [{**DEFAULTS, "order": order} for order in range(720)]
    found = [tuple(one["places"]) for one in javascript("order_explorer", made)]
    assert found == ORDERS and len(set(found)) == 720
    assert OrderExplorer().values()["sentence"] == "Kim saw The dog it barked"


def test_one_layer_done_by_hand():
    """The first word under a causal mask sees itself; the second one sees two."""
    _, Q, K, V = running_example()
    figure = OrderExplorer(order=120, causal=True)  # dog The saw Kim it barked
    np.testing.assert_allclose(figure.outputs[1], V[1])
    the = np.exp(K[[1, 0]] @ Q[0] / 2)
    np.testing.assert_allclose(figure.outputs[0], the @ V[[1, 0]] / the.sum())
    np.testing.assert_allclose(figure.original[0], V[0])


def test_without_positions_and_mask_no_order_changes_any_output():
    for order, layers in itertools.product(range(0, 720, 7), ("one", "two")):
        assert OrderExplorer(order=order, layers=layers).values()["n_changed"] == 0


def test_under_a_causal_mask_a_swap_reaches_two_outputs_or_all_that_follow():
    for at in range(5):
        places = list(range(6))
        places[at : at + 2] = at + 1, at
        state = {"order": ORDERS.index(tuple(places)), "causal": True}
        one, two = (
            set(np.flatnonzero(OrderExplorer(**state, layers=layers).change > 1e-9))
            for layers in ("one", "two")
        )
        assert one == {at, at + 1} and two == set(range(at, 6))


def test_positions_tell_orders_apart_but_alibi_not_a_mirror_image():
    for kind, order in itertools.product(("sinusoidal", "rotary"), (120, 408, 719)):
        assert OrderExplorer(positions=kind, order=order).values()["n_changed"] == 6
    mirror = {"order": 719, "positions": "alibi"}
    for layers in ("one", "two"):
        assert OrderExplorer(**mirror, layers=layers).values()["n_changed"] == 0
    assert OrderExplorer(**mirror, causal=True).values()["n_changed"] == 6
    blind = [
        order
        for order in range(720)
        if OrderExplorer(order=order, positions="alibi").values()["n_changed"] == 0
    ]
    assert blind == [0, 719]


def test_python_refuses_what_no_state_is():
    for bad in ({"order": 720}, {"positions": "learned"}, {"layers": "three"}):
        with pytest.raises(traitlets.TraitError):
            OrderExplorer(**bad)


def test_the_still_picture_names_words_and_changes():
    svg = OrderExplorer(order=120, causal=True).picture("a <row>")
    for text in (">dog<", ">2.13<", ">0.00<", 'aria-label="a &lt;row&gt;"'):
        assert text in svg


# --- in a browser -------------------------------------------------------------------


def shown(chromium, tmp_path, **options):
    return opened(chromium, tmp_path, OrderExplorer(id="order"), **options)


def values(page):
    return figure_page.values(page, "order")


def word(page, name):
    return page.get_by_role("slider", name=name, exact=True)


def middle(page, name):
    box = word(page, name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.browser
def test_a_word_is_dragged_to_another_place_and_back_by_undo(chromium, tmp_path):
    with shown(chromium, tmp_path, viewport={"width": 960, "height": 720}) as page:
        end = middle(page, "barked")
        page.mouse.move(*middle(page, "Kim"))
        page.mouse.down()
        page.mouse.move(*end, steps=8)
        page.mouse.up()
        assert values(page)["sentence"] == "saw The dog it barked Kim"
        assert word(page, "Kim").get_attribute("aria-valuetext") == "place 6 of 6"
        page.get_by_role("button", name="Undo").click()
        assert values(page)["sentence"] == "Kim saw The dog it barked"


@pytest.mark.browser
def test_a_finger_drags_a_word(chromium, tmp_path):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    with shown(chromium, tmp_path, **phone, is_mobile=True) as page:
        swipe(page, middle(page, "dog"), middle(page, "Kim"))
        assert values(page)["sentence"] == "dog Kim saw The it barked"


@pytest.mark.browser
def test_arrow_keys_move_a_word(chromium, tmp_path):
    with shown(chromium, tmp_path) as page:
        word(page, "saw").focus()
        page.keyboard.press("ArrowRight")
        assert values(page)["sentence"] == "Kim The saw dog it barked"
        page.keyboard.press("End")
        assert values(page)["sentence"] == "Kim The dog it barked saw"
        page.keyboard.press("ArrowRight")  # there is no place after the last
        page.keyboard.press("Home")
        assert values(page)["sentence"] == "saw Kim The dog it barked"


@pytest.mark.browser
def test_buttons_swap_a_word_with_the_next(chromium, tmp_path):
    with shown(chromium, tmp_path) as page:
        page.get_by_role("button", name="Swap “saw” and “The”").click()
        assert values(page)["sentence"] == "Kim The saw dog it barked"
        page.get_by_role("switch", name="Causal mask").click()
        before = values(page)["n_changed"]
        page.get_by_role("radio", name="two").check(force=True)
        assert before < 6 and values(page)["n_changed"] == 6

"""SoftmaxExplorer: JavaScript against Python, the limits, and the controls at work."""

import itertools

import numpy as np
import pytest
import traitlets

import figure_page
from attnbook.kernel import attention_weights
from attnbook.stats import entropy
from attnbook.widgets import SoftmaxExplorer
from figure_page import NOW, opened
from twins import javascript

SCORES = ("z1", "z2", "z3", "z4", "z5")


def states():
    """Return states at all corners, with ties, near ties and tiny temperatures."""
    defaults = SoftmaxExplorer().state
    ends = itertools.product((-5.0, 5.0), repeat=5)
    made = [(*z, t) for z in ends for t in (0.0, 0.05, 20.0)]
    inner = [(2.0, 1.0, 0.1, -0.5, -1.0), (2.0, 2.0, 0.1, -0.5, -1.0)]
    inner += [(0.0,) * 5, (2.0, 1.9, 1.9, 0.0, -1.0), (-4.9, 5.0, 0.3, 5.0, 5.0)]
    made += [(*z, t) for z in inner for t in (0.0, 1e-300, 0.01, 0.3, 1.0, 7.5)]
    names = [*SCORES, "temperature"]
    return [{**defaults, **dict(zip(names, values, strict=True))} for values in made]


@pytest.fixture(scope="module")
def answers():
    """Return (state, what JavaScript computed) for all states."""
    return list(zip(states(), javascript("softmax_explorer", states()), strict=True))


def test_javascript_and_python_agree_at_every_corner(answers):
    for state, answer in answers:
        figure = SoftmaxExplorer(id="explorer", **state)
        np.testing.assert_allclose(answer["weights"], figure.weights, atol=1e-12)
        J = figure.jacobian
        np.testing.assert_allclose(answer["jacobian"], J.ravel(), atol=1e-12)
        ours, theirs = figure.values(), answer["values"]
        assert set(ours) == set(theirs)
        for name, value in ours.items():
            if isinstance(value, float):
                wanted = pytest.approx(theirs[name], rel=1e-9, abs=1e-12)
                assert value == wanted, (name, state)
            else:
                assert value == theirs[name], (name, state)
        assert figure.sentence() == answer["sentence"]
        assert repr(figure) == answer["line"]


def test_the_entropy_curve_is_the_kernels(answers):
    steps = np.geomspace(0.05, 20, 120)
    for state, answer in answers[::7]:
        figure = SoftmaxExplorer(**state)
        z = figure.scores[:, None]
        for k in range(0, 120, 17):
            A = attention_weights([[1.0]], z, scale=1.0, temperature=steps[k])
            assert answer["curve"][k + 1] == pytest.approx(entropy(A)[0], abs=1e-9)
        limit = np.log(np.sum(figure.scores == figure.scores.max()))
        assert answer["curve"][0] == pytest.approx(limit)


def test_the_limit_is_what_small_temperatures_tend_to():
    for scores in ((2, 1, 0.1, -0.5, -1), (-1, 3, 2, 3, 3), (0, 0, 0, 0, 0)):
        state = dict(zip(SCORES, scores, strict=True))
        limit = SoftmaxExplorer(temperature=0, **state).weights
        near = SoftmaxExplorer(temperature=0.01, **state).weights
        np.testing.assert_allclose(near, limit, atol=1e-12)
        assert limit.sum() == pytest.approx(1)


def test_numbers_are_those_of_the_weights():
    figure = SoftmaxExplorer(z1=3.0, temperature=2.0)
    w, values = figure.weights, figure.values()
    z = [3.0, 1.0, 0.1, -0.5, -1.0]
    np.testing.assert_allclose(
        w, np.exp(np.divide(z, 2)) / np.exp(np.divide(z, 2)).sum()
    )
    assert values["ratio_12"] == pytest.approx(w[0] / w[1])
    assert values["ratio_45"] == pytest.approx(np.exp(0.25))
    assert values["response"] == pytest.approx(figure.jacobian[0, 0])
    assert values["others_weight"] == pytest.approx(w[1:].sum())
    assert values["entropy_share"] == pytest.approx(-(w * np.log(w)).sum() / np.log(5))
    assert values["effective_keys"] == pytest.approx(1 / (w**2).sum())
    np.testing.assert_allclose(figure.jacobian.sum(axis=1), 0, atol=1e-15)


def test_python_refuses_what_no_state_is():
    for bad in ({"z1": 5.1}, {"z5": -6}, {"temperature": -0.1}, {"temperature": 21}):
        with pytest.raises(traitlets.TraitError):
            SoftmaxExplorer(**bad)


def test_the_still_picture_shows_every_score_and_weight():
    svg = SoftmaxExplorer().picture("a <row>")
    for number in (">2<", ">0.1<", ">−0.5<", ">0.606<", ">0.030<", ">z₅<", ">w₅<"):
        assert number in svg
    assert 'aria-label="a &lt;row&gt;"' in svg
    assert svg.count("<rect") == 10


# --- in a browser -------------------------------------------------------------------


@pytest.fixture
def page(chromium, tmp_path):
    size = {"width": 760, "height": 1400}
    figure = SoftmaxExplorer(id="softmax")
    with opened(chromium, tmp_path, figure, viewport=size) as page:
        yield page


def values(page):
    return figure_page.values(page, "softmax")


def ratios(page):
    """Return (text, class) of the four ratios."""
    page.evaluate(NOW)
    return page.evaluate(
        """() => [...document.querySelectorAll(".attn-ratio")]
        .map((one) => [one.textContent, one.classList[1] ?? "none"])"""
    )


def score(page, k):
    return page.get_by_role("slider", name=f"Score z{'₁₂₃₄₅'[k - 1]}")


@pytest.mark.browser
def test_a_key_moves_a_score_and_only_its_ratios(page):
    assert [state for _, state in ratios(page)] == ["none"] * 4
    score(page, 1).focus()
    page.keyboard.press("PageUp")
    assert values(page)["z1"] == 3
    locked, freed = "attn-locked", "attn-freed"
    assert ratios(page) == [
        ["7.39", freed],
        ["2.46", locked],
        ["1.82", locked],
        ["1.65", locked],
    ]
    page.wait_for_timeout(900)  # another gesture
    score(page, 3).focus()
    page.keyboard.press("ArrowDown")
    assert values(page)["z3"] == 0
    assert [state for _, state in ratios(page)] == [locked, freed, freed, locked]


@pytest.mark.browser
def test_a_score_is_dragged_up_and_down(page):
    box = score(page, 5).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y - 40, steps=4)
    assert values(page)["z5"] > 1
    page.mouse.move(x, y - 400, steps=4)
    assert values(page)["z5"] == 5
    page.mouse.up()
    page.get_by_role("button", name="Undo").click()
    assert values(page)["z5"] == -1
    assert score(page, 5).get_attribute("aria-orientation") == "vertical"


@pytest.mark.browser
def test_all_scores_move_together_and_no_weight_does(page):
    before = values(page)
    more = page.get_by_role("button", name="Raise all five scores")
    for _ in range(6):
        more.click()
    after = values(page)
    assert [after[z] - before[z] for z in SCORES] == pytest.approx([3] * 5)
    assert [after[f"w{k}"] for k in range(1, 6)] == pytest.approx(
        [before[f"w{k}"] for k in range(1, 6)]
    )
    assert more.is_disabled()  # one score is at the end of its range
    assert {state for _, state in ratios(page)} == {"attn-locked"}
    page.get_by_role("button", name="Lower all five scores").click()
    assert values(page)["z1"] == 4.5


@pytest.mark.browser
def test_the_temperature_reaches_its_limit_by_key_and_by_drag(page):
    page.evaluate("attnFigures.softmax.set({ z2: 2 })")
    slider = page.get_by_role("slider", name="Temperature").first
    slider.focus()
    page.keyboard.press("Home")
    assert (values(page)["temperature"], values(page)["w2"]) == (0, 0.5)
    assert slider.get_attribute("aria-valuetext") == "0, the limit"
    assert ratios(page)[1][0] == "∞"
    page.evaluate("attnFigures.softmax.set({ view: 'entropy' })")
    page.evaluate(NOW)
    handle = page.locator(".attn-handle:not(.attn-handle-y)")
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 75, y, steps=4)
    assert 0.3 < values(page)["temperature"] < 3
    page.mouse.move(x + 400, y, steps=4)  # past the end
    assert values(page)["temperature"] == 20
    page.mouse.move(x + 4, y, steps=4)
    assert values(page)["temperature"] == 0
    page.mouse.up()


@pytest.mark.browser
def test_a_cell_says_its_term(page):
    page.evaluate("attnFigures.softmax.set({ view: 'slopes' })")
    page.evaluate(NOW)
    at = page.evaluate("attnFigures.softmax.cellAt(1, 0)")
    page.mouse.move(at["x"], at["y"])
    lines = page.locator(".attn-cell-line").all_inner_texts()
    assert lines[0] == "w₂ answers to z₁ with slope −0.1352"
    assert lines[1] == "−w₂w₁ = −0.223 · 0.606"
    assert lines[3] == "softmax_jacobian(weights)[1, 0]"
    at = page.evaluate("attnFigures.softmax.cellAt(0, 0)")
    page.mouse.move(at["x"], at["y"])
    assert (
        page.locator(".attn-cell-line").nth(1).inner_text()
        == "w₁(1 − w₁) = 0.606 · 0.394"
    )
    page.mouse.move(5, 5)
    assert not page.locator(".attn-cell").is_visible()  # the legend again


@pytest.mark.browser
def test_scores_and_weights_share_their_columns_and_ratios_are_large(page):
    tips, weights = page.evaluate("""() => [".attn-handle", ".attn-plot-text"].map(
      (name) => [...document.querySelectorAll(`svg:has(.attn-handle-y) ${name},
        svg:has(.attn-ratio) ${name}`)].map((e) => e.getBoundingClientRect())
        .map((box) => box.left + box.width / 2))""")
    for tip in tips:
        assert min(abs(tip - middle) for middle in weights[-9:]) < 3
    size = page.locator(".attn-ratio text").first.evaluate(
        "(e) => parseFloat(getComputedStyle(e).fontSize)"
    )
    assert size == 16


@pytest.mark.browser
def test_a_view_shows_what_stands_beside_the_bars(page):
    for view, label in (("slopes", "slopes"), ("entropy", "entropy")):
        page.get_by_role("radio", name=label).check(force=True)
        assert values(page)["view"] == view
    assert page.get_by_text("Entropy against temperature").is_visible()
    assert score(page, 1).is_visible()

"""HandStepper: both languages, the worked examples, typing and editing in a browser."""

import itertools

import numpy as np
import pytest
import traitlets

import figure_page
from attnbook.kernel import attention
from attnbook.toydata import running_example
from attnbook.widgets import HandStepper, words
from attnbook.widgets.base import load_spec
from figure_page import opened
from twins import differences, javascript

FIELDS = load_spec("hand_stepper")["state"]
ARRAYS = ("raw", "mask", "scaled", "powers", "weights", "output")


def states():
    """Return every example at every step, and corners of the other settings."""
    ends = {
        "example": FIELDS["example"]["options"],
        "step": FIELDS["step"]["options"],
        "causal": (False, True),
        "temperature": (0.05, 1.0, 20.0),
        "row": (1, 4),
        "column": (1, 4),
        "typing": (False, True),
        "edits": ["", *FIELDS["edits"]["samples"]],
    }
    grid = [dict(zip(ends, v, strict=True)) for v in itertools.product(*ends.values())]
    chosen = np.random.default_rng(0).permutation(len(grid))[:400]
    return [{**HandStepper().state, **grid[k]} for k in chosen]


def test_javascript_and_python_agree():
    made = states()
    answers = javascript("hand_stepper", made)
    found = [
        differences(HandStepper, state, answer, ARRAYS)
        for state, answer in zip(made, answers, strict=True)
    ]
    assert list(itertools.chain(*found)) == []


def test_every_setting_is_among_the_states():
    for name in set(FIELDS) - {"guide"}:
        assert len({state[name] for state in states()}) > 1, name


# --- the numbers --------------------------------------------------------------------


def test_three_words_have_the_rows_of_the_running_sentence():
    tokens, *matrices = running_example()
    rows = [tokens.index(word) for word in ("dog", "Kim", "it")]
    figure = HandStepper()
    for ours, theirs in zip((figure.Q, figure.K, figure.V), matrices, strict=True):
        np.testing.assert_array_equal(ours, theirs[rows])


# What can be worked out by hand: the printed output of each example.
PRINTED = {
    "four": [
        [0.726, 0.726, 0.274, 0.274],
        [0.616, 0.616, 0.384, 0.384],
        [0.814, 0.494, 0.186, 0.506],
    ],
    "square": [[2.66, 3.66], [3.34, 4.34]],
    "three": [[3, 4], [3.407, 4.407], [3.510, 4.510]],
}


@pytest.mark.parametrize("name", PRINTED)
def test_the_examples_give_what_is_printed(name):
    figure = HandStepper(example=name)
    np.testing.assert_allclose(figure.output, PRINTED[name], atol=0.0051)
    wanted = attention(figure.Q, figure.K, figure.V)
    np.testing.assert_allclose(figure.output, wanted)


def test_scores_alone_have_the_scale_of_512():
    weights = HandStepper(example="scores").weights
    np.testing.assert_allclose(weights, [[0.356, 0.333, 0.311]], atol=0.0006)


def test_powers_and_their_sum_are_the_weights():
    figure = HandStepper(causal=True, temperature=0.3)
    sums = figure.powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(figure.powers / sums, figure.weights)
    assert figure.powers.max(axis=1).tolist() == [1, 1, 1]
    assert not figure.powers[np.triu_indices(3, 1)].any()


def test_one_row_stands_still_until_its_balance_is_broken():
    for temperature in (0.05, 0.4, 3, 20):
        figure = HandStepper(example="three", temperature=temperature)
        np.testing.assert_allclose(figure.output[0], [3, 4])
        assert figure.drift[0] < 1e-12 < 0.1 < figure.drift[1:].min()
    for i in (1, 2, 3):
        freed = HandStepper(example="three", temperature=0.1, edits=f"V{i}2:9")
        moved = (
            freed.output[0] - HandStepper(example="three", edits=f"V{i}2:9").output[0]
        )
        assert abs(moved[0]) < 1e-12 < 0.1 < abs(moved[1])
    assert HandStepper(example="three", temperature=0.1, edits="K31:2").drift[0] > 1


def test_edits_change_their_cell_and_no_other():
    figure = HandStepper(example="four", edits="V21:4,K12:-0.5,X11:7")
    plain = HandStepper(example="four")
    assert np.argwhere(figure.V != plain.V).tolist() == [[1, 0]]
    assert np.argwhere(figure.K != plain.K).tolist() == [[0, 1]]
    assert (figure.V[1, 0], figure.K[0, 1]) == (4, -0.5)


@pytest.mark.parametrize("bad", ["V21", "V21:4,", "V01:2", "Z11:1", "V21:1e9", ","])
def test_python_refuses_edits_of_another_form(bad):
    with pytest.raises(traitlets.TraitError):
        HandStepper(edits=bad)


# --- in a browser -------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(chromium, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hand")
    figure = HandStepper(id="hand", causal=True)
    with opened(chromium, folder, figure, viewport={"width": 1100, "height": 800}) as p:
        yield p


def show(page, **state):
    """Set the figure to the defaults and a state on top."""
    given = {**HandStepper(causal=True).state, **state}
    given.pop("guide")
    page.evaluate("(state) => attnFigures.hand.set(state)", given)
    return figure_page.values(page, "hand")


def said(verdict, **values):
    template = words.template(f"hand_stepper.said.{verdict}")
    text = words.fill(template, {"d_k": 4, **values})
    return text.replace("`", "").replace("d_k", "dk")


def result(page):
    return page.locator(".attn-grid").nth(2)


@pytest.mark.browser
def test_a_cell_that_is_pointed_at_shows_its_sum(page):
    show(page, step="raw")
    line = page.locator(".attn-told-line")
    assert line.inner_text() == "s₃₁ = 2·3 + 0·0 + (−1)·0 + 0·0 = 6"
    result(page).locator("td").nth(7).hover()
    assert line.inner_text() == "s₃₂ = 2·0 + 0·0 + (−1)·3 + 0·0 = −3"
    code = page.locator(".attn-told-code").inner_text()
    assert code == "raw_scores = Q @ K.T"
    lit = page.locator(".attn-grid").nth(1).locator(".attn-lit-cell")
    assert lit.all_inner_texts() == ["0", "0", "3", "0"]
    page.mouse.move(1, 1)
    assert line.inner_text().startswith("s₃₁")


@pytest.mark.browser
def test_the_keyboard_reaches_each_cell_and_picks_it(page):
    show(page, step="weights")
    result(page).locator("td").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    line = page.locator(".attn-told-line")
    assert line.inner_text() == "a₂₂ = 0.223 / (1 + 0.223 + 0) = 0.223 / 1.223 = 0.182"
    page.keyboard.press("Enter")
    found = figure_page.values(page, "hand")
    assert (found["row"], found["column"], found["cell"]) == (2, 2, "0.182")


@pytest.mark.browser
def test_the_term_of_the_step_is_lit(page):
    lit = page.locator(".attn-lit-term")
    for step, terms in {"raw": ["Q", "Kᵀ"], "masked": ["M"], "output": ["V"]}.items():
        show(page, step=step)
        assert lit.all_inner_texts() == terms


@pytest.mark.browser
def test_a_given_cell_is_typed_over_and_undone(page):
    show(page, example="three", causal=False, step="output")
    cell = page.locator(".attn-entry").nth(2)
    cell.fill("4,5")
    cell.press("Enter")
    found = figure_page.values(page, "hand")
    assert found["edits"] == "V21:4.5" and found["o_11"] > 3.2
    cell.fill("no number")
    cell.press("Enter")
    assert figure_page.values(page, "hand")["edits"] == "V21:4.5"
    assert cell.input_value() == "4.5"
    cell.fill("3")
    cell.press("Enter")
    assert figure_page.values(page, "hand")["edits"] == ""


# A slip in each step: what is typed for a cell, and the answer that it earns.
SLIPS = [
    ("queries", 1, 2, "0", "swapped"),
    ("queries", 3, 2, "2", "missing_term"),
    ("raw", 3, 2, "3", "no_signs"),
    ("raw", 3, 1, "3", "too_early"),
    ("raw", 1, 3, "6", "other_way"),
    ("scaled", 3, 1, "6", "not_scaled"),
    ("scaled", 3, 1, "1.5", "by_d_k"),
    ("scaled", 3, 1, "12", "times_root"),
    ("scaled", 3, 3, "1.155", "by_keys"),
    ("masked", 1, 2, "0", "zero"),
    ("masked", 1, 3, "0.5", "not_hidden"),
    ("masked", 1, 2, "-1e9", "stand_in"),
    ("masked", 3, 1, "-inf", "hidden_seen"),
    ("powers", 3, 3, "2.718", "no_maximum"),
    ("powers", 3, 3, "-2", "exponent"),
    ("powers", 3, 3, "7.389", "turned"),
    ("powers", 3, 3, "0.25", "base_two"),
    ("powers", 2, 1, "0.05", "whole_maximum"),
    ("powers", 1, 2, "1", "hidden_kept"),
    ("weights", 3, 1, "0.982", "not_scaled"),
    ("weights", 3, 1, "0.679", "by_d_k"),
    ("weights", 3, 1, "0.909", "over_queries"),
    ("weights", 3, 3, "0.135", "not_divided"),
    ("weights", 3, 1, "1.2", "no_powers"),
    ("weights", 3, 1, "0.870", "rounded"),
    ("weights", 2, 1, "0.45", "not_hidden"),
    ("output", 3, 1, "0.333", "plain_mean"),
    ("output", 3, 1, "2", "winner"),
    ("output", 3, 1, "2.735", "keys_summed"),
    ("output", 3, 1, "1.9", "rounded"),
    ("output", 3, 1, "1.7", "unknown"),
]


@pytest.mark.browser
@pytest.mark.parametrize(("step", "row", "column", "typed", "answer"), SLIPS)
def test_a_slip_gets_its_own_answer(page, step, row, column, typed, answer):
    show(page, step=step, row=row, column=column, typing=True)
    page.locator(".attn-answer").fill(typed)
    page.locator(".attn-answer").press("Enter")
    assert page.locator(".attn-told-message").inner_text() == said(answer)
    asked = result(page).locator(".attn-asked-cell")
    assert asked.inner_text() == "?"


@pytest.mark.browser
def test_other_numbers_are_right_short_or_no_number(page):
    field, message = page.locator(".attn-answer"), page.locator(".attn-told-message")
    for typed, answer in (("0.87", "short"), ("?", "none"), ("nan", "nan")):
        show(page, step="weights", typing=True)
        field.fill(typed)
        field.press("Enter")
        assert message.inner_text() == said(answer), typed
    show(page, step="powers", edits="WQ31:1000", typing=True)
    field.fill("inf")
    field.press("Enter")
    assert message.inner_text() == said("overflow")


@pytest.mark.browser
def test_a_right_number_is_uncovered_and_the_next_cell_asked_for(page):
    show(page, step="scaled", row=3, column=2, typing=True)
    field = page.locator(".attn-answer")
    field.fill("−1,5")
    field.press("Enter")
    found = figure_page.values(page, "hand")
    assert (found["row"], found["column"]) == (3, 3)
    cells = result(page).locator("td").all_inner_texts()
    assert cells == ["?"] * 7 + ["−1.500", "?"]
    praise = said("right", name="s̃₃₂", value="−1.500")
    assert page.locator(".attn-told-message").inner_text() == praise
    field.fill("1")
    field.press("Enter")
    found = figure_page.values(page, "hand")
    assert (found["step"], found["row"], found["column"]) == ("masked", 1, 1)


@pytest.mark.browser
def test_typing_covers_the_number_wherever_it_stands(page):
    show(page, step="output", row=3, column=1, typing=True)
    figure = page.locator("#hand .attn-live")
    shown = figure.locator(".attn-picture, .attn-readouts").all_inner_texts()
    assert not any("1.843" in text for text in shown)
    assert "1.843" not in page.locator("#hand [role=status]").first.inner_text()


@pytest.mark.browser
@pytest.mark.parametrize("example", FIELDS["example"]["options"])
def test_on_a_phone_the_asked_cell_and_its_operands_are_in_view(
    chromium, tmp_path, example
):
    figure = HandStepper(id="hand", example=example, typing=True)
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    with opened(chromium, tmp_path, figure, is_mobile=True, **phone) as page:
        page.evaluate("document.querySelector('#hand').scrollIntoView()")
        for step in FIELDS["step"]["options"]:
            page.evaluate("(step) => attnFigures.hand.set({ step })", step)
            page.evaluate(figure_page.NOW)
            marks = page.locator(".attn-lit-cell:visible, .attn-asked-cell:visible")
            boxes = [mark.bounding_box() for mark in marks.all()]
            field = page.locator(".attn-answer:visible, .attn-told")
            boxes.append(field.first.bounding_box())
            for box in boxes:
                assert box["x"] >= 0 and box["x"] + box["width"] <= 390, (step, box)
                assert box["y"] >= 0 and box["y"] + box["height"] <= 520, (step, box)

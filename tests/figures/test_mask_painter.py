"""MaskPainter: both languages, its masks and methods, and painting in a browser."""

import itertools

import numpy as np
import pytest
import traitlets

import figure_page
from attnbook.kernel import attention, attention_weights
from attnbook.masks import causal_mask, padding_mask, window_mask
from attnbook.toydata import running_example
from attnbook.widgets import MaskPainter
from figure_page import NOW, opened, swipe
from twins import differences, javascript

DEFAULTS = MaskPainter().state
METHODS = ("set_zero", "add_zero", "multiply", "large", "infinite")
ARRAYS = ("mask", "scores", "weights", "oracle")
EVERYTHING = 2**36 - 1


def states():
    """Return corners of all ranges under every method, and some states between."""
    ends = {
        "method": METHODS,
        "causal": (False, True),
        "window": (0, 1, 5),
        "padding": (0, 2, 6),
        "n_q": (1, 3, 6),
        "n_k": (1, 2, 6),
        "align": ("bottom_right", "top_left"),
        "boost": (0.0, 6.0),
        "painted": (0, EVERYTHING, 0x5A5A5A5A5),
    }
    grid = [dict(zip(ends, v, strict=True)) for v in itertools.product(*ends.values())]
    chosen = np.random.default_rng(0).permutation(len(grid))[:400]
    return [{**DEFAULTS, **grid[k]} for k in chosen]


@pytest.fixture(scope="module")
def answers():
    made = states()
    return list(zip(made, javascript("mask_painter", made), strict=True))


def test_javascript_and_python_agree(answers):
    found = [differences(MaskPainter, state, answer, ()) for state, answer in answers]
    assert list(itertools.chain(*found)) == []
    for state, answer in answers:
        for name in ARRAYS:
            ours = np.ravel(getattr(MaskPainter(**state), name)).astype(float)
            theirs = np.array(answer[name], dtype=float)  # null stands for NaN
            np.testing.assert_allclose(ours, theirs, atol=1e-12, err_msg=str(state))


def test_every_corner_is_among_the_states():
    made = states()
    for name in DEFAULTS:
        assert len({state[name] for state in made}) > 1, name
    assert any(MaskPainter(**state).values()["n_nan"] for state in made)


@pytest.mark.parametrize("align", ["bottom_right", "top_left"])
def test_the_mask_is_the_kernels(align):
    figure = MaskPainter(n_q=4, n_k=5, window=2, padding=1, align=align)
    wanted = causal_mask(4, 5, align=align) & padding_mask(4, 5)
    np.testing.assert_array_equal(
        figure.mask, wanted & window_mask(4, 5, left=2, right=0, align=align)
    )
    open_ = MaskPainter(causal=False, window=1).mask
    np.testing.assert_array_equal(open_, window_mask(6, left=1, right=1))


def test_paint_turns_over_the_pair_of_two_tokens():
    base = MaskPainter(n_q=3, n_k=4)
    turned = MaskPainter(n_q=3, n_k=4, painted=2 ** (6 * 4 + 5))
    changed = np.argwhere(base.mask != turned.mask)
    assert changed.tolist() == [[1, 3]]  # "it" and "barked" are in the last rows
    assert (
        MaskPainter(n_q=2, n_k=2, painted=1).mask.tolist() == base.mask[1:, 2:].tolist()
    )


def test_the_oracle_deletes_keys_whatever_the_hidden_scores_are():
    _, Q, K, V = running_example()
    wanted = attention(Q, K, V, causal=True)
    for boost, method in itertools.product((0, 6), METHODS):
        figure = MaskPainter(boost=boost, method=method)
        for i in range(6):
            alone = attention_weights(Q[i : i + 1], K[: i + 1])[0]
            np.testing.assert_allclose(figure.oracle[i, : i + 1], alone)
        np.testing.assert_allclose(figure.oracle @ V, wanted)
        right = figure.values()["output_gap"] < 1e-12
        assert right == (method in ("large", "infinite"))


def test_methods_do_what_they_say():
    """A query whose six scores are all 0: the first row but for "dog" and "it"."""
    made = {m: MaskPainter(method=m, window=0).weights[0] for m in METHODS}
    e = np.exp([0, 3, 0, 0, 1, 0])
    np.testing.assert_allclose(made["set_zero"], np.full(6, 1 / 6))
    np.testing.assert_allclose(made["add_zero"], e / e.sum())
    np.testing.assert_allclose(made["multiply"], [1 / e.sum(), 0, 0, 0, 0, 0])
    for name in ("large", "infinite"):
        np.testing.assert_array_equal(made[name], [1, 0, 0, 0, 0, 0])


def test_a_query_without_a_key():
    dead = {"n_q": 1, "padding": 6}
    assert MaskPainter(method="large", **dead).weights.tolist() == [[1 / 6] * 6]
    assert np.isnan(MaskPainter(method="infinite", **dead).weights).all()
    assert MaskPainter(method="multiply", **dead).weights.tolist() == [[0] * 6]
    values = MaskPainter(method="infinite", **dead).values()
    assert (values["n_dead"], values["n_nan"], values["summary"]) == (1, 1, "nan")


def test_python_refuses_what_no_state_is():
    for bad in ({"n_q": 0}, {"window": 6}, {"painted": 2**36}, {"method": "delete"}):
        with pytest.raises(traitlets.TraitError):
            MaskPainter(**bad)


# --- in a browser -------------------------------------------------------------------


def painter(chromium, folder, **options):
    figure = MaskPainter(id="painter", method="infinite")
    return opened(chromium, folder, figure, **options)


@pytest.fixture
def page(chromium, tmp_path):
    with painter(chromium, tmp_path, viewport={"width": 760, "height": 1400}) as page:
        yield page


def values(page):
    return figure_page.values(page, "painter")


def cell(page, i, j):
    at = page.evaluate(f"attnFigures.painter.cellAt({i}, {j})")
    return at["x"], at["y"]


@pytest.mark.browser
def test_a_click_hides_a_pair_and_another_shows_it(page):
    page.mouse.click(*cell(page, 4, 1))
    assert (values(page)["n_hidden"], values(page)["painted"]) == (16, 2**25)
    lines = page.locator(".attn-cell-line").all_inner_texts()
    assert lines[0] == "“it” must not look at “dog”"
    assert lines[1] == "score 3.00, to softmax −∞"
    page.mouse.move(*cell(page, 2, 0))  # no button is down
    assert values(page)["painted"] == 2**25
    page.mouse.click(*cell(page, 4, 1))
    assert (values(page)["n_hidden"], values(page)["painted"]) == (15, 0)


@pytest.mark.browser
def test_a_stroke_is_one_step_and_makes_its_cells_alike(page):
    page.mouse.move(*cell(page, 5, 5))
    page.mouse.down()
    for j in (4, 3, 2):
        page.mouse.move(*cell(page, 5, j), steps=3)
    page.mouse.move(*cell(page, 4, 2), steps=3)
    page.mouse.move(*cell(page, 4, 5), steps=9)  # hidden already: stays hidden
    page.mouse.up()
    assert values(page)["n_hidden"] == 15 + 4 + 3
    assert values(page)["last_sees"] == 2
    page.get_by_role("button", name="Undo").click()
    assert values(page)["painted"] == 0


@pytest.mark.browser
def test_keys_paint_and_absent_cells_cannot_be_painted(page):
    page.evaluate("attnFigures.painter.set({ n_q: 1 })")
    square = page.get_by_role("application").first
    square.focus()
    page.keyboard.press("Enter")  # the corner is no query
    assert values(page)["painted"] == 0
    for _ in range(5):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert (values(page)["painted"], values(page)["last_sees"]) == (2**30, 5)


@pytest.mark.browser
def test_empty_rows_say_so(page):
    page.evaluate("attnFigures.painter.set({ n_k: 3 })")
    page.evaluate(NOW)
    words = page.locator(".attn-sum-word")
    assert words.all_text_contents() == ["NaN"] * 3 + [""] * 3
    numbers = page.locator(".attn-rail .attn-readout").inner_text()
    assert "NaN" in numbers and "rows without a number: 3" in numbers
    page.evaluate("attnFigures.painter.set({ method: 'multiply' })")
    assert words.all_text_contents()[:3] == ["no key"] * 3
    page.evaluate("attnFigures.painter.set({ method: 'large' })")
    leaked = page.locator(".attn-leaked").evaluate_all(
        "(x) => x.map((e) => e.style.width)"
    )
    assert leaked[:3] == ["100%"] * 3
    assert page.locator(".attn-mark-nan").count() == 0


@pytest.mark.browser
def test_a_finger_taps_and_paints_strokes(chromium, tmp_path):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    with painter(chromium, tmp_path, is_mobile=True, **phone) as page:
        page.touchscreen.tap(*cell(page, 4, 1))
        assert values(page)["painted"] == 2**25
        page.touchscreen.tap(*cell(page, 4, 1))
        assert values(page)["painted"] == 0
        swipe(page, cell(page, 5, 5), cell(page, 5, 2))
        assert values(page)["last_sees"] == 2
        assert page.evaluate("scrollY") == 0


@pytest.mark.browser
def test_the_sum_of_a_row_stands_beside_its_row(page):
    page.evaluate("attnFigures.painter.set({ n_q: 1 })")
    bars = page.locator(".attn-sum-bar")
    _, y = cell(page, 5, 0)
    box = bars.nth(5).bounding_box()
    assert box["y"] < y < box["y"] + box["height"]
    assert not bars.nth(0).is_visible() and bars.nth(5).is_visible()


@pytest.mark.browser
def test_leaks_are_framed_and_hidden_zeros_print_nothing(page):
    page.set_viewport_size({"width": 1100, "height": 800})
    hidden = page.locator(".attn-heatmap-prints").first.locator(".attn-mark-hidden")
    assert hidden.all_text_contents() == [""] * 15
    page.evaluate("attnFigures.painter.set({ method: 'set_zero' })")
    leaks = page.locator(".attn-mark-leak")
    assert leaks.count() == 15 and hidden.count() == 0
    assert leaks.first.text_content() == "0.17"

"""WordPull: JavaScript against Python, sums by hand, and sentences typed."""

import itertools
import json

import numpy as np
import pytest
import traitlets
from test_widgets import ask

import figure_page
from attnbook import attention, toydata, vocabulary
from attnbook.widgets import WordPull
from attnbook.widgets.base import load_spec
from figure_page import NOW, opened
from twins import differences, javascript

DEFAULTS = WordPull().state
ARRAYS = ("scores", "weights", "V", "output")
TEXTS = [
    "the dog saw kim it barked",
    "the dog saw the cat it barked",
    "kim",
    "the girl heard a bird she called it",
    "a horse saw the boy he laughed",
    "it meowed",
    "the the kim",
    "the she the kim",
]


def states():
    """Return each sentence asked by all its words and one behind it, hot and cold."""
    grid = itertools.product(TEXTS, (None, *range(8)), (0.05, 0.3, 1.0, 20.0))
    names = ("text", "row", "temperature")
    return [{**DEFAULTS, **dict(zip(names, one, strict=True))} for one in grid]


def test_javascript_and_python_agree_at_every_corner():
    made = states()
    for state, answer in zip(made, javascript("word_pull", made), strict=True):
        assert differences(WordPull, state, answer, ARRAYS) == []
        assert tuple(answer["tokens"]) == WordPull(**state).sentence_vectors.tokens


def test_javascript_has_the_same_table_and_reads_the_same():
    theirs = ask("vocabulary", ["The FOX saw Kim; it barked!", ""])
    for kind, (asks, is_, tells) in vocabulary.KINDS.items():
        row = theirs["kinds"].pop(kind)
        assert row["words"] == vocabulary.WORDS[kind]
        assert [row[p] for p in ("asks", "is", "tells")] == [
            *map(list, (asks, is_, tells))
        ]
    assert theirs["kinds"] == {} and theirs["most"] == vocabulary.MOST
    first, second = theirs["read"]
    assert first["words"] == ["the", "fox", "saw", "kim", "it", "barked"]
    assert first["unknown"] == ["fox"]
    assert second == {"words": [], "unknown": []}


def test_the_address_takes_every_sentence_and_nothing_else():
    field = load_spec("word_pull")["state"]["text"]
    assert field["pattern"] == vocabulary.PATTERN
    for text in (
        "",
        "the fox",
        "The dog",
        "the  dog",
        " ".join(["the"] * 9),
        "the dog ",
    ):
        with pytest.raises(traitlets.TraitError):
            WordPull(text=text)


def test_the_first_state_is_it_in_the_running_sentence():
    tokens, Q, K, V = toydata.running_example()
    figure = WordPull()
    it = tokens.index("it")
    np.testing.assert_allclose(figure.output, attention(Q, K, V)[it])
    values = figure.values()
    assert values["winner"] == "dog" and values["largest_weight"] > 0.75
    gaps = np.linalg.norm(V - figure.output, axis=1)
    assert tokens[gaps.argmin()] == "dog"
    assert values["gap"] == pytest.approx(gaps.min())


def test_a_row_by_hand():
    """Two words: "it" scores 0 for "saw" and 1 for itself."""
    figure = WordPull(text="saw it")
    share = np.e / (1 + np.e)
    np.testing.assert_allclose(figure.scores, [0, 1])
    np.testing.assert_allclose(figure.weights, [1 - share, share])
    np.testing.assert_allclose(figure.output, [share, 2 - 3 * share])


def test_both_ends_of_the_dial():
    cold, hot = WordPull(temperature=0.05), WordPull(temperature=20)
    np.testing.assert_allclose(cold.output, cold.V[1], atol=1e-6)
    assert hot.values()["middle_gap"] < 0.1 < WordPull().values()["middle_gap"]


def test_two_animals_share_the_lead_and_two_articles_are_one_word():
    values = WordPull(text="the dog saw the cat it barked").values()
    assert (values["winner"], values["leaders"]) == ("dog and cat", 2)
    twice = WordPull(text="the the kim", row=2).values()  # both score above Kim
    assert (twice["winner"], twice["leaders"]) == ("The", 1)


def test_the_still_picture_names_values_weights_and_output():
    svg = WordPull().picture("a <pull>")
    for text in (">dog 0.77<", ">Kim 0.01<", ">output<"):
        assert text in svg
    assert 'aria-label="a &lt;pull&gt;"' in svg
    both = WordPull(text="the dog saw the cat it barked").picture("")
    assert ">dog 0.43, cat 0.43<" in both


# --- in a browser -------------------------------------------------------------------


@pytest.fixture
def page(chromium, tmp_path):
    size = {"width": 960, "height": 720}
    with opened(chromium, tmp_path, WordPull(id="pull"), viewport=size) as page:
        yield page


def values(page):
    return figure_page.values(page, "pull")


def test_the_words_of_the_test_are_those_of_the_spec():
    assert set(load_spec("word_pull")["state"]["text"]["samples"]) <= set(TEXTS)


@pytest.mark.browser
def test_a_sentence_is_typed_and_unknown_words_are_named(page):
    box = page.get_by_role("textbox")
    assert box.input_value() == "The dog saw Kim it barked"
    box.fill("The cat saw Ann; she waved.")
    box.press("Enter")
    now = values(page)
    assert (now["asker"], now["winner"]) == ("she", "Ann")
    assert box.input_value() == "The cat saw Ann she waved"
    box.fill("The fox saw Ann")
    box.press("Enter")
    assert values(page) == now
    assert page.get_by_text("Not in the vocabulary: fox").count() >= 1
    assert box.get_attribute("aria-invalid") == "true"
    box.fill("it " * 9)
    box.press("Enter")
    assert page.get_by_text("A sentence has 1 to 8 words").count() >= 1
    page.get_by_role("button", name="Undo").click()
    assert values(page)["winner"] == "dog"
    assert box.input_value() == "The dog saw Kim it barked"
    assert box.get_attribute("aria-invalid") == "false"


@pytest.mark.browser
def test_a_word_asks_by_a_tap_and_by_the_arrow_keys(page):
    page.get_by_role("radio", name="saw").click()
    assert (values(page)["row"], values(page)["winner"]) == (2, "Kim")
    page.get_by_role("radio", checked=True).focus()
    page.keyboard.press("ArrowDown")
    assert values(page)["asker"] == "Kim"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert values(page)["asker"] == "dog"


LINES = """() => [...document.querySelectorAll(".attn-flow.attn-value")]
  .filter((line) => line.getAttribute("d"))
  .map((line) => parseFloat(line.style.strokeWidth))"""
BARS = """() => [...document.querySelectorAll(".attn-looks-row:not([hidden])")].map(
  (row) => row.querySelector(".attn-cell-bar").getBoundingClientRect().width /
    row.querySelector(".attn-cell-track").getBoundingClientRect().width)"""


@pytest.mark.browser
def test_bars_and_lines_are_as_long_and_as_thick_as_the_weights(page):
    weights = WordPull().weights
    assert page.evaluate(BARS) == pytest.approx(weights, abs=0.01)
    assert page.evaluate(LINES) == pytest.approx(0.6 + 10 * weights, abs=0.01)
    page.evaluate("attnFigures.pull.set({ text: 'the dog saw the cat it barked' })")
    page.evaluate(NOW)
    assert len(page.evaluate(BARS)) == 7
    assert len(page.evaluate(LINES)) == 5  # the, dog and cat, saw, it, barked


@pytest.mark.browser
def test_the_fold_shows_the_whole_table(page):
    page.get_by_text("More", exact=True).first.click()
    shown = page.locator(".attn-features tbody tr").all_inner_texts()
    assert len(shown) == len(vocabulary.KINDS)
    for line, (kind, words) in zip(shown, vocabulary.WORDS.items(), strict=True):
        assert words in line
        for entry in itertools.chain(*vocabulary.KINDS[kind]):
            assert json.dumps(abs(entry)) in line

"""Numbers in the words of the figures are placeholders, or bound to what is shown."""

import json
from pathlib import Path

import pytest

from booktools.content import claims, figure_words

ROOT = Path(__file__).parents[2]
HERE = Path("dot_explorer/en.json")
TABLE = {
    "title": "One query, three keys",
    "guides": {"dot": {"break": "k₁ three times as long: {w2:.3f} of {2}, d = {d}"}},
    "presets": {"dot": {"half_query": "Query halved"}},
}
BOUND = """
"three keys" = "count('length_')"
["guides.dot.break"]
"three times as long" = "length_1 / start.length_1"
["presets.dot.half_query"]
"Query halved" = "q_length / start.q_length"
"""


def said(table=TABLE, bound=BOUND, here=HERE):
    text = json.dumps(table, indent=1)
    return [str(one) for one in figure_words.problems(here, text, bound)]


def test_words_that_are_bound_pass():
    assert said() == []


def test_without_a_binding_each_number_is_named():
    unbound = said(bound="")
    assert len(unbound) == 3
    assert unbound[0].startswith(
        "dot_explorer/en.json:2: three (a count): words hold no number"
    )
    assert '["guides.dot.break"]' in unbound[1]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("three times as", "twice as", "words hold no number"),
        ("three keys", "four keys", "no text there says so"),
        ("halved", "doubled", "words hold no number"),
        ("{2}", "1.5", "1.5 (a decimal): words hold no number"),
    ],
)
def test_a_changed_text_is_noticed(old, new, rule):
    changed = json.loads(json.dumps(TABLE).replace(old, new))
    assert any(rule in one for one in said(changed))


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("length_1 / start.length_1", "w2 / start.w2", "the text says three"),
        ("count('length_')", "count('z')", "the code computes 0"),
        ("q_length /", "k_length /", "has no value"),
        ("dot.break", "dot.breaks", "no text there says so"),
    ],
)
def test_a_false_binding_is_named(old, new, rule):
    assert any(rule in one for one in said(bound=BOUND.replace(old, new)))


def test_the_step_after_may_be_named_and_a_choice_may_be_ours():
    table = {"guides": {"cost": {"predict": "sixteen times"}}}
    bound = '["guides.cost.predict"]\n"sixteen times" = "%s"'
    here = Path("cost_calculator/en.json")
    assert said(table, bound % "next.d_model / d_model", here) == []
    assert said(table, bound % "defined: a task", here) == []
    assert said(table, bound % "next.n / n", here) != []


TABLES = [ROOT / path for path in claims.default_paths() if path.suffix == ".json"]


@pytest.mark.parametrize("path", TABLES, ids=[path.parent.name for path in TABLES])
def test_the_words_of_the_book_are_bound(path):
    assert list(map(str, figure_words.read(path))) == []


def test_no_bindings_stand_alone():
    for path in (ROOT / claims.WIDGETS).rglob(figure_words.BINDINGS):
        assert path.with_name("en.json") in TABLES

"""The rules for what would mislead, by the examples of ``prose_rules.md``."""

from pathlib import Path

import pytest

from booktools import ROOT
from booktools.gate.prose_changes import changes_of
from booktools.gate.prose_misleads import verdict

RULES = (ROOT / "tests" / "mutants" / "prose_rules.md").read_text("utf-8")
TITLES = {
    "seen at once": "Seen at once",
    "refers back": "Refers back",
    "name": "A name",
    "wrong choice": "A wrong choice",
    "leads right": "A link that leads right",
    "one of many": "One of many",
    "direction": "A name of a direction",
}


def of(text, path="page.md", place=0):
    """The verdict on one of the changes of a text: the first, the second ..."""
    path = Path(path)
    return verdict(changes_of(path, text)[place], text)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Three things happen as d grows.\n\n- a\n- b\n- c\n", "seen at once"),
        ("two speeds: FLOPs, and bytes", "seen at once"),
        ("all three shapes agree", "refers back"),
        ("the two products", "refers back"),
        ("in `float16` it", "name"),
        ("says D8 of", "name"),
        ("[chapter 5](05_why_divide.ipynb)", "leads right"),
        ("## 2. Products\n", "leads right"),
        ("for instance 7 keys", "one of many"),
        ("a 2-D array", "direction"),
    ],
)
def test_harmless(text, rule):
    assert of(text) == (False, rule)


@pytest.mark.parametrize(
    ("text", "belief"),
    [
        ("costs $8nd^2$ in all", "formula"),
        ("$n + d$", "formula"),
        ("from GPT-3 on", "version"),
        ("a card, the A100, has", "version"),
        ("it is 0.25", "result"),
        ("gives 7 in all", "result"),
        ("needs 60% of", "result"),
        ("twice as long", "factor"),
        ("the 64 matrices", "size"),
        ("as key 2 wins", "index"),
        ("two matrices meet", "count"),
        ("[o/r#12](https://github.com/o/r/issues/12)", "source"),
        ("[x](figure:f?a=2)", "state"),
        ("the two times it", "result"),
    ],
)
def test_misleading(text, belief):
    assert of(text) == (True, belief)


CHOICES = """[[quiz]]
name = "a"
prompt = "Which?"
[[quiz.choices]]
text = "{wrong}"
reason = "a"
[[quiz.choices]]
text = "8"
right = true
reason = "b"
"""


def test_a_wrong_choice_stays_wrong_unless_it_says_what_is_right():
    text = CHOICES.format(wrong="2")
    changes = [c for c in changes_of(Path("q.toml"), text) if c.field == "wrong choice"]
    (change,) = changes
    assert verdict(change._replace(new="5"), text) == (False, "wrong choice")
    assert verdict(change._replace(new="8"), text).misleads


def test_a_right_choice_and_an_answer_mislead():
    text = CHOICES.format(wrong="much")
    assert [verdict(c, text).rule for c in changes_of(Path("q.toml"), text)] == [
        "answer",
        "count",
    ]


def test_the_rules_are_those_that_are_written_down():
    from booktools.gate.prose_misleads import HARMLESS

    assert list(HARMLESS) == list(TITLES)
    for number, title in enumerate(TITLES.values(), 1):
        assert f"{number}. **{title}" in RULES

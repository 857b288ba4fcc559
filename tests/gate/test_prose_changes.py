"""The changes: each kind is made where a reader sees it, and nowhere else."""

from pathlib import Path

import pytest

from booktools.gate import prose_changes

PAGE = Path("page.md")


def made(text, path=PAGE):
    """(kind, the changed text) of each change."""
    found = prose_changes.changes_of(path, text)
    return [(one.kind, one.applied(text)) for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("half of it", [("word", "a quarter of it")]),
        ("one half", [("word", "one quarter")]),
        ("Twice as long", [("word", "Three times as long")]),
        ("a third of it", [("word", "a quarter of it")]),
        ("the third row", []),
        ("half precision", []),
        ("one in four", [("word", "one in five")]),
        ("a hundred", [("word", "a thousand")]),
        ("the sum is one.", [("word", "the sum is two.")]),
        ("one of them", []),
        ("doubled", [("word", "tripled")]),
        ("$a + b$", [("sign", "$a - b$")]),
        (r"$a \le b$", [("sign", r"$a \ge b$")]),
        (r"$\sqrt{d}$", [("sign", "${d}$")]),
        (r"$\text{a+b}$", []),
        ("$q_1$", []),
        ("$d_{k,2}$", []),
        ("below −x", []),
    ],
)
def test_words_and_signs(text, expected):
    assert made(text) == expected


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("$8nd^2$", ["digit", "power"]),
        ("$10^{-3}$", ["digit", "sign", "power"]),
        ("a m² of", ["power"]),
        ("a −3 here", ["sign", "digit"]),
        ("[o/r#12](https://github.com/o/r/issues/12)", ["issue", "issue"]),
        ("(Vaswani, 2017)", ["year"]),
        ("in 2017 it", ["year"]),
        ("[x](figure:f?a=2&b=on&drag=c)", []),
        ("[x](figure:f?a=2&b=on)", ["state", "state"]),
        ("[5](05_why.ipynb)", ["digit"]),
    ],
)
def test_kinds_of_numbers(text, kinds):
    assert [kind for kind, _ in made(text)] == kinds


def test_one_digit_changes_and_is_drawn_anew_in_every_place():
    for number in ("0", "7", "73,728", "0.063"):
        new = prose_changes.another_number(number, "here")
        assert sum(a != b for a, b in zip(number, new, strict=True)) == 1
        assert new == prose_changes.another_number(number, "here")
    drawn = {prose_changes.another_number("512", f"place {i}") for i in range(40)}
    assert len(drawn) > 10


def test_an_option_of_a_figure_becomes_another_of_its_own():
    text = "[x](figure:cost?phase=prefill)"
    assert made(text) == [("state", "[x](figure:cost?phase=decode)")]
    assert made("[x](figure:cost?phase=unknown)") == []


CHOICES = """[[quiz]]
name = "a"
prompt = "Which?"
[[quiz.choices]]
text = "A"
reason = "a"
[[quiz.choices]]
text = "B"
right = true
reason = "b"

[[quiz]]
name = "b"
prompt = "Which?"
[[quiz.choices]]
text = "C"
right = true
reason = "c"
[[quiz.choices]]
text = "D"
reason = "d"
"""


def test_another_choice_of_the_same_question_becomes_right():
    first, second = (text for _, text in made(CHOICES, Path("q.toml")))
    assert '[[quiz.choices]]\nright = true\ntext = "A"' in first
    assert '"B"\nreason' in first and first.count("right = true") == 2
    assert '[[quiz.choices]]\nright = true\ntext = "D"' in second
    assert '"C"\nreason' in second and second.count("right = true") == 2


def test_the_formula_of_an_answer_changes_by_a_digit():
    text = '[[predict]]\nname = "a"\nanswer = "sqrt(64)"\ncurve = "x / 4"\n'
    assert [kind for kind, _ in made(text, Path("q.toml"))] == ["answer", "answer"]

"""The answers of questions: each must be bound, in a form that proves something."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

from attnbook.questions import answers, holding, judged, model
from booktools.content import asked, claims
from booktools.content.literals import Values

HERE = Path("page.md")
FILE = r"""
chapter = "97"
[[predict]]
name = "a-number"
kind = "number"
prompt = "How many?"
answer = "2 * 32"
tolerance = 0.1
reason = "So many."
[[predict.wrong]]
value = "32"
reason = "Half of it."
[[predict]]
name = "a-sketch"
kind = "sketch"
prompt = "Draw it."
x = { label = "n", from = 1, to = 4, at = [1, 2, 4] }
y = { label = "m", from = 0, to = 4 }
curve = "sqrt(x)"
reason = "A root."
[[predict.wrong]]
says = "A line"
curve = "x"
reason = "No."
[[quiz]]
name = "a-choice"
prompt = "By how much?"
[[quiz.choices]]
text = "4 times, since both grow"
reason = "No."
[[quiz.choices]]
text = "8 times, since three do"
right = true
reason = "Yes."
"""
RIGHT = {
    "a-number": [64, 32],
    "a-sketch": [np.sqrt, lambda x: x],
    "a-choice": 8.0,
}


@pytest.fixture
def questions(tmp_path, monkeypatch):
    chapter = model.read(FILE, "97.toml")
    table = {q.name: q for q in chapter.predict + chapter.quiz}
    monkeypatch.setattr(model, "question", table.__getitem__)
    (tmp_path / "97.toml").write_text(FILE, encoding="utf-8")
    return claims.load_questions(tmp_path)


# --- when the page runs


@pytest.mark.parametrize(
    ("name", "given"),
    [
        *RIGHT.items(),
        ("a-number", [(66, 0.05), 32]),
        ("a-sketch", [lambda x: x**0.5, (lambda x: 1.01 * x, 0.02)]),
        ("a-choice", ("8 times", np.True_)),
        ("a-choice", ("8 times", judged("it is a definition"))),
    ],
)
def test_a_right_answer_passes(questions, name, given):
    answers({name: given})


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("a-number", [65, 32], "the file gives the answer 64, the code computes 65"),
        ("a-number", [64, 31], "'32' 32, the code computes 31"),
        ("a-sketch", [lambda x: x**0.6, lambda x: x], "at 2 the file draws the answer"),
        (
            "a-sketch",
            [np.sqrt, lambda x: 2 * x],
            "the file draws 'A line' 1, the code 2",
        ),
        ("a-choice", 4, "right is '8 times, since three do'"),
        ("a-choice", ("4 times", True), "marks '8 times, since three do' as right"),
        ("a-choice", ("8 times", False), "'8 times' does not hold"),
    ],
)
def test_a_wrong_answer_is_named(questions, name, given, said):
    with pytest.raises(AssertionError, match="the questions and the code differ") as e:
        answers({name: given})
    assert f"{name!r}: " in str(e.value)
    assert said in str(e.value)


def test_a_choice_that_two_texts_say_is_wrong(questions, monkeypatch):
    twice = model.read(FILE.replace("4 times", "8 more"), "97.toml").quiz[0]
    monkeypatch.setattr(model, "question", {"a-choice": twice}.__getitem__)
    with pytest.raises(AssertionError, match="8 more"):
        answers({"a-choice": 8})


@pytest.mark.parametrize(
    ("name", "given", "error", "said"),
    [
        ("a-number", 64, ValueError, "needs its answer and 1 wrong ones in a list"),
        ("a-number", [64], ValueError, "got 1 in all"),
        ("a-choice", ("8 times", 1), TypeError, "must be true or false, got 1"),
    ],
)
def test_a_form_that_does_not_fit_is_refused(questions, name, given, error, said):
    with pytest.raises(error, match=re.escape(said)):
        answers({name: given})


def test_judged_needs_a_reason():
    assert holding.Judged("why") == judged("why")
    with pytest.raises(TypeError, match="judged needs a reason"):
        judged(" ")


def test_any_question_of_the_book_is_found_by_its_name():
    assert model.question("twelve-share").kind == "number"
    assert model.question("twelve-quiz-heads").kind == "choice"
    with pytest.raises(ValueError, match="needs the name of a question, got 'none'"):
        model.question("none")


# --- when the page is checked


def found(questions, given, code=("n = 8\nx = f(n)",)):
    call = ast.parse(f"answers({given})", mode="eval").body
    tables = {**questions.tables["predict", "a-number"]}
    tables |= questions.tables["predict", "a-sketch"] | questions.tables["quiz", "97"]
    shown = {name: (3, table) for name, table in tables.items()}
    problems = asked.problems(HERE, shown, asked.read(call, 10), Values(code))
    return [str(problem) for problem in problems]


GOOD = '{"a-number": [x, 32], "a-sketch": [np.sqrt, line], "a-choice": ("8 t", x > 7)}'


def test_bound_answers_pass_the_check(questions):
    assert found(questions, GOOD) == []
    assert found(questions, GOOD.replace('("8 t", x > 7)', "x")) == []
    assert found(questions, GOOD.replace("x > 7", 'judged("why")')) == []
    assert found(questions, GOOD.replace('"8 t"', 'f"{x} t"')) == []


def test_each_question_needs_its_answer(questions):
    problems = found(questions, "{}")
    assert len(problems) == 3
    assert problems[0].startswith("page.md:3: the answer of 'a-number' is bound to no")
    assert 'answers({"a-number": [value, ...]})' in problems[0]
    assert '("start of the right choice", condition)' in problems[2]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"a-number"', '"a-name"', "this section asks no such question"),
        ("[x, 32]", "[64, 32]", "a literal is no computation"),
        ("[x, 32]", "[2 * 32, 32]", "a literal is no computation"),
        ('("8 t", x > 7)', "8", "a literal is no computation"),
        ('("8 t", x > 7)', "n", "a literal is no computation"),
        ('"8 t"', '"4 t"', "the right choice does not start with '4 t'"),
        ("x > 7", "True", "True is no condition"),
    ],
)
def test_an_answer_that_proves_nothing_is_refused(questions, old, new, said):
    assert any(said in one for one in found(questions, GOOD.replace(old, new)))


def test_a_question_that_a_page_asks_must_be_answered_there(questions):
    header = "---\njupytext: {}\n---\n"
    cell = "```{code-cell}\n%s\n```\n"
    asks = header + cell % 'predict("a-number")'
    kinds = [p.kind for p in claims.page_problems(HERE, asks, questions)]
    assert kinds.count("answer") == 1
    bound = cell % ':tags: [claims]\n\nx = f()\nanswers({"a-number": [x, 32]})'
    kinds = {p.kind for p in claims.page_problems(HERE, asks + bound, questions)}
    assert "answer" not in kinds
    broken = cell % ":tags: [claims]\n\nanswers(x)"
    problems = claims.page_problems(HERE, asks + broken, questions)
    assert any(asked.FORM in p.text for p in problems)

"""What checks report, and which pages are not held to the newest rules yet."""

from pathlib import Path

from booktools.content import claims, problem
from booktools.content.problem import ALWAYS, OPEN, Problem, is_open

ROOT = Path(__file__).parents[2]


def test_a_problem_is_one_line_that_an_editor_can_follow():
    assert str(Problem(Path("a/b.md"), 7, "what is wrong")) == "a/b.md:7: what is wrong"


def test_some_rules_hold_for_every_page(monkeypatch):
    assert not is_open("a_page", "word")
    monkeypatch.setattr(problem, "OPEN", {"a_page"})
    assert is_open("a_page", "word")
    assert not any(is_open("a_page", kind) for kind in ALWAYS)


def test_an_open_page_has_something_left_to_bind(monkeypatch):
    monkeypatch.chdir(ROOT)
    questions = claims.load_questions()
    for name in OPEN:
        paths = [path for path in claims.default_paths() if path.stem == name]
        found = claims.check(paths, questions, everything=True)
        assert any(is_open(name, one.kind) for one in found), f"take {name} out of OPEN"

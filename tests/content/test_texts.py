"""Numbers in exercises and in captions of diagrams are bound as those of chapters."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from attnbook.exercises import master
from booktools.content import texts
from booktools.content.problem import is_open

ROOT = Path(__file__).parents[2]
CODE = '''\
"""An exercise."""
from attnbook.exercises.master import Exercise

D = 4096


def solution():
    return 2.5


def wrong():
    return 2


EXERCISE = Exercise(
    type="predict",
    difficulty=1,
    minutes=1,
    stub="value = ...  # three times",
    answer="value",
    solution=solution,
    wrong=(wrong,),
    numbers=lambda: {
        "half of": solution() / 5,
        "is 2.5": solution(),
        "twice as": 5 / solution(),
        "three times": 7.5 / solution(),
    },
)
'''
WORDS = """\
# a title

With $d = 4096$ it takes half of the time.

## Objective

telling this from that.

## Explanation

It is 2.5.

## Hints

### wrong

Not twice
as much.
"""
FIGURE = '''\
PLACES = {4: 1}
ALT = """
A line for 4 keys. It rises to 2.5, and is 3 times as long.
"""


def numbers():
    return {"to 2.5": max(PLACES) * 0.625, "3 times": sum([max(PLACES), -1])}


def draw():
    return None
'''


@pytest.fixture
def said(tmp_path, monkeypatch):
    home = tmp_path / "97/a"
    home.mkdir(parents=True)
    monkeypatch.setattr(master, "BANK", tmp_path)

    def check(old="", new=""):
        (home / "exercise.py").write_text(CODE.replace(old, new), encoding="utf-8")
        (home / "en.md").write_text(WORDS.replace(old, new), encoding="utf-8")
        made = runpy.run_path(str(home / "exercise.py"))["EXERCISE"]
        monkeypatch.setattr(
            master, "import_module", lambda _: SimpleNamespace(EXERCISE=made)
        )
        master.master.cache_clear()
        return [
            str(problem)
            for problem in texts.text_problems(master.load.__wrapped__("97-a"))
        ]

    yield check
    master.master.cache_clear()


def test_an_exercise_with_all_numbers_bound_passes(said):
    assert said() == []


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("It is 2.5.", "It is 2.6.", "2.6 (a decimal) is bound to no code"),
        ("takes half", "takes a third", "a third (a number in words)"),
        ("Not twice", "Not thrice", "thrice (a number in words)"),
        ("# three times", "# four times", "four (a quantity with a unit)"),
        ("$d = 4096$", "$d = 4095$", "4095 (d is set)"),
        (
            "It is 2.5.",
            "It is that.",
            "no text since the last claims cell says 'is 2.5'",
        ),
        ('"is 2.5": solution()', '"is 2.5": 2.5', "a literal is no computation"),
        ("return 2.5", "return 2.4", "the code computes 2.4"),
        ("return 2.5", "return D / 0", "numbers() fails with ZeroDivisionError"),
        ('"half of": solution() / 5,', "", 'write numbers=lambda: {"takes half of"'),
    ],
)
def test_a_change_is_noticed(said, old, new, rule):
    problems = said(old, new)
    assert any(rule in one for one in problems), problems
    assert all("97/a/" in one for one in problems)


def test_a_problem_names_the_line(said):
    problems = said("With $d", "0.75 with $d")
    assert len(problems) == 1, problems
    (problem,) = problems
    line = WORDS[: WORDS.index("With $d")].count("\n") + 1
    assert f"97/a/en.md:{line}: 0.75 (a decimal)" in problem


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("", "", None),
        ("to 2.5, and", "to 2.6, and", "2.6 (a decimal) is bound to no code"),
        ("4 keys", "5 keys", "5 (a count)"),
        ("max(PLACES) * 0.625", "2.5", "a literal is no computation"),
        ("max(PLACES) * 0.625", "max(PLACES)", "the code computes 4"),
    ],
)
def test_captions_of_diagrams_are_bound(tmp_path, old, new, rule):
    script = tmp_path / "01_line.py"
    script.write_text(FIGURE.replace(old, new), encoding="utf-8")
    problems = [str(problem) for problem in texts.all_captions(tmp_path)]
    assert problems == [] if rule is None else any(rule in one for one in problems)


def test_the_captions_of_the_book_are_bound():
    assert list(map(str, texts.all_captions(ROOT / "figures"))) == []


PAGES = {page.name[:2]: page.stem for page in (ROOT / "chapters").glob("[0-9]*.md")}


@pytest.mark.parametrize("name", master.names())
def test_the_numbers_of_an_exercise_are_bound(name):
    found = texts.text_problems(master.load(name))
    assert [str(p) for p in found if not is_open(PAGES[name[:2]], p.kind)] == []

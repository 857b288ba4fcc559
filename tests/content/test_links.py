"""Links that set a figure show what the text says, in Python and in JavaScript."""

import re
from pathlib import Path

import pytest

import twins
from attnbook.widgets import conditions
from attnbook.widgets.conditions import holds
from booktools.content import claims, links
from booktools.content.problem import OPEN

ROOT = Path(__file__).parents[2]
HERE = Path("page.md")
VALUES = {"a": 2.0, "b": 6.0, "name": "dot", "on": True, "gone": None}
START = {"a": 8.0}
QUARTER = "[a quarter of its length](figure:dot?q_x=1.6&k2_x=1&k2_y=-0.75)"
PAGE = """\
---
jupytext: {}
---

```{code-cell}
DotExplorer(id="dot")
```

Shrink it to %s.

```{code-cell}
:tags: [claims]

links({%s})
```
"""
BOUND = '"a quarter of its length": "length_2 == start.length_2 / 4 and k2_x == 1"'


def said(link=QUARTER, bound=BOUND, kind="link"):
    found = claims.page_problems(HERE, PAGE % (link, bound), {})
    return [str(problem) for problem in found if problem.kind == kind]


# --- conditions


@pytest.mark.parametrize(
    "condition",
    [
        "a == start.a / 4",
        "b == 3 * a and name == 'dot'",
        "1.9 < a < 2.1",
        "not on or a != 3",
        "abs(a - 2.004) < 0.005",
        "round(b / 7, 2) == 0.86",
        "on",
        "gone == None",
        "-a**2 == -4",
        "a == 2 + 1e-12",
    ],
)
def test_a_condition_holds(condition):
    assert holds(condition, VALUES, START) is True


@pytest.mark.parametrize(
    "condition", ["a == start.a", "a > b", "not on", "name == 'x'"]
)
def test_a_condition_fails(condition):
    assert holds(condition, VALUES, START) is False


@pytest.mark.parametrize(
    ("condition", "rule"),
    [
        ("a ==", "must be an expression"),
        ("True", "must look at a value"),
        ("c == 2", "has no value"),
        ("gone > 2", "has no value"),
        ("a.real == 2", "is not allowed"),
        ("open('x')", "is not allowed"),
        ("a in (1, 2)", "is not allowed"),
    ],
)
def test_what_is_no_condition_is_refused(condition, rule):
    with pytest.raises(ValueError, match=rule):
        holds(condition, VALUES, START)


def test_in_a_notebook_the_form_counts():
    conditions.links({"text": "a == 2"})
    with pytest.raises(ValueError, match="must be an expression"):
        conditions.links({"text": "a ="})


# --- the check of a page


def test_a_link_that_shows_what_it_says_passes():
    assert said() == []
    named = BOUND.replace(" and k2_x == 1", "")
    assert said(bound=named) == []


def test_the_condition_holds_the_word_of_its_link():
    assert said(kind="word") == []
    third = (
        QUARTER.replace("a quarter", "a third"),
        BOUND.replace("a quarter", "a third"),
    )
    assert "a third (a number in words)" in said(*third, kind="word")[0]
    assert said(bound="", kind="word") != []


def test_another_length_fails():
    (problem,) = said(QUARTER.replace("k2_x=1", "k2_x=3"))
    assert problem.startswith(
        "page.md:9: [a quarter of its length]: the figure does not"
    )
    assert "length_2 = 3.09" in problem


@pytest.mark.parametrize("changed", ["q_x=1.7", "k2_x=2", "k2_y=-0.7", "k2_y=0.75"])
def test_each_changed_entry_is_noticed(changed):
    name = changed.split("=")[0]
    link = re.sub(rf"{name}=[-.\d]+", changed, QUARTER)
    bound = BOUND.replace("k2_x == 1", "k2_x == 1 and score_1 == 2 and score_2 == 1")
    assert said(bound=bound) == []
    assert len(said(link, bound)) == 1


def test_an_entry_that_does_not_matter_must_be_named():
    (problem,) = said(QUARTER.replace("q_x=1.6", "q_x=2"))
    assert "sets q_x = 2.0 where the figure starts with 1.6" in problem


@pytest.mark.parametrize(
    ("link", "bound", "rule"),
    [
        (QUARTER, "", "nothing says what it shows"),
        (QUARTER, BOUND.replace("quarter", "third"), "no link of this section has"),
        (QUARTER.replace(":dot", ":dots"), BOUND, "no figure with the id 'dots'"),
        (QUARTER.replace("q_x", "q_w"), BOUND, "no setting 'q_w'"),
        (QUARTER.replace("1.6", "160"), BOUND, "160"),
        (QUARTER.replace("1.6", "much"), BOUND, "much"),
        (QUARTER, BOUND.replace("length_2", "width_2"), "has no value"),
    ],
)
def test_a_link_that_cannot_be_checked_is_named(link, bound, rule):
    assert any(rule in one for one in said(link, bound))


def test_links_that_drag_or_show_need_no_condition():
    assert said("[4](figure:dot?drag=k2_x), [5.00](figure:dot?show=length_2)", "") == []


def test_links_must_be_written_out():
    page = (PAGE % (QUARTER, BOUND)).replace("links({" + BOUND + "})", "links(all)")
    found = claims.page_problems(HERE, page, {})
    assert any(links.FORM in problem.text for problem in found)


# --- all links of the book, in both languages


PAGES = sorted((ROOT / "chapters").glob("*.md"))
CASES = links.cases(PAGES)


def test_the_links_of_all_bound_pages_are_listed():
    shown = [
        link
        for path in PAGES
        if path.stem not in OPEN
        for link in links.in_text(path.read_text("utf-8"), 1)
    ]
    assert len(CASES) >= len(shown)


@pytest.mark.parametrize("name", sorted({case.figure.figure for case in CASES}))
def test_javascript_shows_what_each_link_says(name):
    these = [case for case in CASES if case.figure.figure == name]
    states = [state for case in these for state in (case.state, case.start)]
    answers = [answer["values"] for answer in twins.javascript(name, states)]
    for case, now, start in zip(these, answers[::2], answers[1::2], strict=True):
        assert holds(case.condition, now, start), case

"""What the static checks make of one changed file."""

from pathlib import Path

import pytest

from booktools import ROOT
from booktools.content import problem
from booktools.gate import prose_changes, prose_checks

PAGE = """---
jupytext: {}
---

# A page

The product is 12.5 here, twice as much as before. See
[o/r#12](https://github.com/o/r/issues/12). Three shapes of 0 stay.

```{code-cell} ipython3
:tags: [claims, hide-cell]

claims({"is 12.5 here": a * b, "twice as": 2 * a / a})
```
"""


@pytest.fixture
def page(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    path = tmp_path / "97_page.md"
    path.write_text(PAGE)
    return path


def outcomes(path, text=PAGE):
    checks = prose_checks.Checks([path])
    return {
        text[c.start : c.end]: prose_checks.outcome(checks, c, text)
        for c in prose_changes.changes_of(path, text)
    }


def test_what_is_bound_is_caught_and_what_is_not_survives(page):
    assert outcomes(page) == {
        "12.5": "caught",
        "twice": "caught",
        "12": "caught",
        "Three": "read",
        "0": "read",
    }


def test_what_neither_code_nor_a_list_holds_survives(page, monkeypatch):
    monkeypatch.setattr(prose_checks.reviewed, "problems", lambda *given: [])
    assert outcomes(page)["Three"] == outcomes(page)["0"] == "survived"


def test_what_an_open_page_is_not_held_to_is_open(page, monkeypatch):
    text = PAGE.replace(', "twice as": 2 * a / a', "")
    page.write_text(text)
    monkeypatch.setattr(problem, "OPEN", {"97_page"})
    assert outcomes(page, text)["twice"] == "open"
    assert outcomes(page, text)["12.5"] == "caught"


def test_an_unbound_link_of_an_open_page_is_open(page, monkeypatch):
    text = PAGE.replace("# A page", "# A page\n\n[far](figure:dot?q_x=3)")
    page.write_text(text)
    monkeypatch.setattr(problem, "OPEN", {"97_page"})
    assert outcomes(page, text)["3"] == "open"
    monkeypatch.setattr(problem, "OPEN", set())
    assert outcomes(page, text)["3"] == "survived"


def first(path, kind):
    text = Path(path).read_text("utf-8")
    found = prose_changes.changes_of(Path(path), text)
    return next(c for c in found if c.kind == kind), text


@pytest.fixture(scope="module")
def checks():
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        yield prose_checks.Checks(prose_checks.all_pages())


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("chapters/references.bib", "year"),
        ("chapters/references.bib", "address"),
        ("chapters/08_masks.md", "issue"),
        ("chapters/12_cost.md", "state"),
        ("chapters/12_cost.md", "power"),
        ("src/attnbook/exercises/bank/12/doubled/en.md", "word"),
    ],
)
def test_files_of_the_book(checks, path, kind, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert prose_checks.outcome(checks, *first(path, kind)) == "caught"


BANK = "src/attnbook/questions/bank/12_cost.toml"


def test_a_wrong_share_of_a_bound_question_is_left_to_a_run(checks, monkeypatch):
    monkeypatch.chdir(ROOT)
    change, text = first(BANK, "answer")
    assert prose_checks.question_of(change, text) == "twelve-share"
    assert prose_checks.outcome(checks, change, text) == "by a run"
    checks.bound.discard("twelve-share")
    try:
        assert prose_checks.outcome(checks, change, text) == "survived"
    finally:
        checks.bound.add("twelve-share")


def test_of_a_choice_only_the_number_of_the_right_one_is_left_to_a_run(monkeypatch):
    monkeypatch.chdir(ROOT)
    text = Path(BANK).read_text("utf-8")
    found = prose_changes.changes_of(Path(BANK), text)
    held = prose_checks.Checks(prose_checks.all_pages())
    names = {c.field for c in found if prose_checks.held_by_a_run(held, c, text)}
    assert names == {"answer", "right", "right choice"}


def test_a_file_that_breaks_a_rule_is_caught(checks, monkeypatch):
    monkeypatch.chdir(ROOT)
    path = Path(BANK)
    found = checks.problems(path, path.read_text().replace("right = true\n", ""))
    assert "exactly one choice must be right" in found[0][1].text


def test_a_change_is_no_problem_of_a_text_that_had_it_before(page):
    text = PAGE.replace("twice as much as before", "a third of it")
    page.write_text(text)
    checks = prose_checks.Checks([page])
    kinds = [p.kind for _, p in checks.standing(page)]
    assert kinds[:2] == ["word", "number"] and set(kinds[2:]) == {"reviewed"}
    assert checks.new_problems(page, text.replace("# A", "\n\n# A")) == []

"""Each rule on the form of chapters: the draft passes, and a broken copy does not."""

from pathlib import Path

import pytest

from booktools.content import skeleton
from booktools.content.drafts import drafts

PATH = Path("06_long_rows.md")
DRAFT = drafts("chapter", "06_long_rows")["chapters/06_long_rows.md"]
CELL = "```{code-cell} ipython3\n"


def said(text, path=PATH):
    return "\n".join(skeleton.problems(path, text))


def with_cell(code, tags=""):
    return DRAFT.replace("## Exercises", f"{CELL}{tags}{code}\n```\n\n## Exercises")


def test_the_draft_has_the_form():
    assert said(DRAFT) == ""


def test_a_core_path_takes_half_an_hour_at_most():
    assert skeleton.Size().minutes == 60 / 2
    at_most = DRAFT.replace("20 minutes", "30 minutes").replace(": 20\n", ": 30\n")
    assert said(at_most) == ""
    longer = at_most.replace("30 minutes", "31 minutes").replace(": 30\n", ": 31\n")
    assert "up to 30" in said(longer)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("mirrors: [B4, D4]", "mirrors: [B4, E1]", "got ['E1']"),
        ("mirrors: [B4, D4]", "mirrors: []", "mirrors lists source sections"),
        ("minutes: 20", "minutes: some", "minutes is a whole number"),
        ("minutes: 20", "minutes: 35", "minutes is a whole number up to 30"),
        ("seconds: 5", "seconds: 45", "up to 30"),
        ("seconds: 5", "training: true\n  seconds: 130", "up to 120"),
        ("memory: 300 MB", "memory: lots", "memory is written as"),
        ("needs: []", "needs: [3]", "needs lists chapters"),
        ("# Long rows", "Long rows", "opens with '# Title'"),
        ("## TODO: the simple", "# TODO: the simple", "has one title"),
        ("**Question.** Does", "Does", "starts with '**Question.**'"),
        ("**Before this:**", "Before", "lacks '**Before this:**'"),
        ("**Core path:** 20", "**Core path:** 25", "lacks '**Core path:** 20 minutes'"),
        (
            "5 seconds, 300 MB.",
            "5 seconds, 200 MB.",
            "lacks '**Cells:** 5 seconds, 300",
        ),
        ("## In this chapter we saw", "## The end", "no '## In this chapter we saw'"),
        ("## Quiz", "## Further reading\n\n## Quiz", "come in the order"),
        ("- TODO: another.", "", "list of two or more"),
        ("mirrors** B4, D4", "mirrors** B4", "names ['B4'], the header another"),
        (":tags: [hide-cell]\n\nimport", "\nimport", "setup cell has the tag"),
        ("style.use()", "style.use()\na = 1\nb = 2", "9 lines; this cell may have 8"),
        ("[claims, hide-cell]", "[claims]", "has the tag hide-cell too"),
        (', alt="TODO: one', ', title="TODO: one', "style.show needs alt="),
        ("</details>", "", "1 folds are opened and 0 closed"),
        ("Going deeper: TODO", "More", "a fold is"),
        ("TODO</summary>\n\n", "TODO</summary>\n", "a fold is"),
        ("> **Trap.** TODO", "> Trap. TODO", "a trap opens with bold"),
        ("## Quiz", "![plot](a.svg)\n\n## Quiz", "a.svg needs an alternative"),
    ],
)
def test_each_broken_rule_is_named(old, new, message):
    assert old in DRAFT
    found = said(DRAFT.replace(old, new, 1))
    assert message in found
    assert found.count("\n") <= 1  # nothing else is said to be wrong, or little


def test_a_chapter_has_claims():
    bare = DRAFT.replace("[claims, hide-cell]", "[hide-cell]")
    assert "no cell has the tag claims" in said(bare)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("\n".join(f"x{i} = 1" for i in range(16)), "16 lines; this cell may have 15"),
        ("%matplotlib inline", "no plain Python"),
        ("!pip install x", "no plain Python"),
        ("import urllib.request", "needs no network"),
        ("from http import client", "needs no network"),
        ('open("/etc/hosts")', "no absolute path"),
        ('open("~/data.csv")', "no absolute path"),
        ("interact(f, x=1)", "interact is dead"),
        ("import matplotlib.pyplot as plt", "draw with style.subplots"),
        ("from matplotlib import pyplot", "draw with style.subplots"),
        ("import time\nassert time.time() < 1", "depend on the clock"),
        ("a = 1\nx = " + "1 + " * 19 + "1", "a line has 81 characters, 80 at most"),
    ],
)
def test_each_broken_rule_on_cells_is_named(code, message):
    assert message in said(with_cell(code))


def test_cells_may_be_as_long_as_the_limit_and_claims_longer():
    assert said(with_cell("\n\n".join(f"x{i} = 1" for i in range(15)))) == ""
    entries = "".join(f'    "{i}.5": {i}.5,\n' for i in range(20))
    for name in ("claims", "answers", "links"):
        table = f"{name}({{\n{entries}}})"
        assert "lines" not in said(with_cell(table, ":tags: [claims, hide-cell]\n\n"))
    wide = "x = " + "1 + " * 19  # 80 characters, and more where the cell is folded
    assert (
        said(with_cell(wide[:-1] + "1"))
        == said(with_cell(wide + "0", ":tags: [hide-cell]\n\n"))
        == ""
    )


def test_two_visible_cells_need_words_between_them():
    two = DRAFT.replace("## Exercises", f"{CELL}a\n```\n\n{CELL}b\n```\n\n## Exercises")
    assert "say something between" in said(two)
    tagged = two.replace(f"{CELL}a", f"{CELL}:tags: [remove-input]\n\na")
    assert said(tagged) == ""


def test_the_core_path_has_a_limit_and_folds_are_left_out():
    long = "word " * 1500
    assert "1500 at most; fold some of it" in said(
        DRAFT.replace("## Exercises", f"{long}\n\n## Exercises")
    )
    assert said(DRAFT.replace("Going deeper: TODO", f"Going deeper: {long}")) == ""
    assert said(DRAFT.replace("## Quiz", f"{long}\n\n## Quiz")) == ""


def test_the_opening_is_shorter_in_all_and_no_other_chapter_is():
    assert set(skeleton.SIZES) == {"00"}
    short, usual = skeleton.size_of("00"), skeleton.size_of("06")
    assert short == (800, 10, 3, 3, 3) and usual == (1500, 30, 5, 5, 5)


@pytest.mark.parametrize(("name", "most"), [("00", 800), ("06", 1500)])
def test_words_and_minutes_go_by_the_chapter(name, most):
    path = Path(f"{name}_long_rows.md")
    short = DRAFT.replace("20 minutes", "10 minutes").replace(": 20\n", ": 10\n")
    room = most - skeleton.core_words(skeleton.Chapter(path, short))
    for extra, message in ((room, ""), (room + 1, f"{most} at most; fold some")):
        text = short.replace("## Exercises", f"{'word ' * extra}\n\n## Exercises")
        found = "\n".join(skeleton.problems(path, text))
        assert message in found and bool(message) == ("at most" in found)
    assert ("up to 10" in said(DRAFT, path)) == (name == "00")


def test_words_are_counted_as_read():
    def count(prose):
        chapter = skeleton.Chapter(PATH, f"# T\n\n{prose}\n\n## Exercises\n\nmore")
        return skeleton.core_words(chapter) - 1

    assert count("two words") == 2
    assert count(r"a formula $x + y$ and $$\sum_i x_i$$ here") == 5
    assert count("a remark <!-- is not read --> here") == 3
    assert count("don't count `code` or [links](a/b/c) twice") == 5


def test_needs_are_linked_where_the_chapter_is_there(tmp_path):
    path = tmp_path / "06_long_rows.md"
    text = DRAFT.replace("needs: []", 'needs: ["04"]')
    assert said(text, path) == ""
    (tmp_path / "04_softmax.md").write_text("")
    assert "lacks a link to 04_softmax.ipynb" in said(text, path)
    linked = text.replace("this:** TODO", "this:** [four](04_softmax.ipynb) TODO")
    assert said(linked, path) == ""


def test_a_finished_chapter_has_all_that_a_draft_may_lack():
    text = DRAFT.replace("  draft: true\n", "")
    found = said(text)
    assert "there is no exercise('name')" in found
    assert "TODO or @@" in found
    assert "nothing is predicted" in said(text.replace("predict(", "ask("))
    assert "no quiz('06')" in said(text.replace('quiz("06")', 'quiz("05")'))
    widgets = "from attnbook.widgets import AttentionExplorer, links\n"
    assert "no live figure" in said(text.replace(widgets, ""))


def test_the_name_of_the_file_counts():
    assert "named NN_slug.md" in said(DRAFT, Path("06-long.md"))


def test_a_broken_header_is_named():
    assert "never closed" in said("---\na: 1\n")


def test_drafts_mirror_nothing(tmp_path):
    path = tmp_path / "06_long_rows.md"
    path.write_text(DRAFT, encoding="utf-8")
    assert not any(skeleton.mirrored(tmp_path).values())
    path.write_text(DRAFT.replace("  draft: true\n", ""), encoding="utf-8")
    by = skeleton.mirrored(tmp_path)
    assert [section for section, numbers in by.items() if numbers] == ["B4", "D4"]
    assert by["B4"] == ["06"]


def test_the_command_line_counts_and_lists(tmp_path, monkeypatch, capsys):
    (tmp_path / "chapters").mkdir()
    page = tmp_path / "chapters" / "06_long_rows.md"
    page.write_text(DRAFT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert skeleton.main([]) == 0
    out = capsys.readouterr().out
    assert "words, a draft" in out
    assert "not mirrored yet: A1 A2" in out
    page.write_text(DRAFT.replace("## Quiz", "## Test"), encoding="utf-8")
    assert skeleton.main([]) == 1
    assert "there is no '## Quiz'" in capsys.readouterr().err

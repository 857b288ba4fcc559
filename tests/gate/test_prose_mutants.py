"""The program that changes texts: its sample, its table, its list, its verdict."""

from pathlib import Path

import pytest

from booktools import ROOT
from booktools.gate import check, prose_mutants
from booktools.gate.prose_changes import Change
from booktools.gate.prose_misleads import Verdict

TEXT = "The *product*\nis 12 here.\n"
CHANGE = Change(Path("a.md"), 17, 19, "13", "digit", "prose")


def result(outcome="survived", misleads=True, change=CHANGE):
    key = prose_mutants.key_of(change, TEXT)
    return prose_mutants.Tried(change, outcome, Verdict(misleads, "size"), key)


KEY = "a.md: The product is [12 → 13] here."


def test_a_change_is_named_by_its_words_whatever_its_line():
    assert result().key == KEY
    moved = CHANGE._replace(start=27, end=29)
    assert prose_mutants.key_of(moved, "Above it.\n" + TEXT).endswith(
        "product is [12 → 13] here."
    )


def test_the_sample_is_the_same_until_a_text_changes():
    changes = [CHANGE._replace(start=i) for i in range(200)]
    texts = {Path("a.md"): TEXT}
    first = prose_mutants.drawn(changes, 20, texts)
    assert len(first) == 20 and first == prose_mutants.drawn(changes, 20, texts)
    assert first == sorted(first)
    assert first != prose_mutants.drawn(changes, 20, {Path("a.md"): TEXT + "!"})
    assert prose_mutants.drawn(changes, 200, texts) == changes


def test_the_share_is_of_what_misleads_and_counts():
    results = [result("caught"), result("by a run"), result("survived")]
    assert prose_mutants.share_caught(results) == pytest.approx(2 / 3)
    assert prose_mutants.share_caught([*results, result("read")]) == 0.75
    rest = [result("open"), result("survived", misleads=False)]
    assert prose_mutants.share_caught(results + rest) == pytest.approx(2 / 3)
    assert prose_mutants.share_caught(rest) == 1


def test_the_table_has_a_row_for_each_file_and_kind_and_all():
    other = result("caught", change=CHANGE._replace(kind="word"))
    lines = prose_mutants.table([result(), result("caught"), other])
    assert lines[0].split()[:4] == ["file", "kind", "made", "caught"]
    rows = [line.split() for line in lines[1:]]
    assert ["a.md", "digit", "2", "1", ".", ".", ".", "1", "."] in rows
    assert rows[-1] == ["all", "all", "3", "2", ".", ".", ".", "1", "."]


def test_a_survivor_needs_a_reason():
    listed = prose_mutants.listed(f"# remark\n\n{KEY} :: counted elsewhere\n")
    assert listed == {KEY: "counted elsewhere"}
    with pytest.raises(ValueError, match="needs a reason"):
        prose_mutants.listed(KEY)


def test_only_misleading_survivors_must_be_listed():
    results = [result(), result("caught"), result("open"), result(misleads=False)]
    assert prose_mutants.unlisted(results, {}) == results[:1]
    assert prose_mutants.unlisted(results, {KEY: "why"}) == []
    assert prose_mutants.unlisted(results, {"a.md: *[12 → *": "why"}) == []
    assert prose_mutants.unlisted(results, {"b.md: *": "why"}) == results[:1]


def test_a_line_without_its_survivor_is_stale():
    known = {KEY: "why", "a.md: gone": "why"}
    assert prose_mutants.stale([result()], known) == ["a.md: gone"]
    assert prose_mutants.stale([result("caught")], known) == list(known)


@pytest.fixture
def one(monkeypatch, tmp_path):
    """One change, with the outcome that a test gives it."""
    monkeypatch.setattr(prose_mutants, "files", lambda: [])
    monkeypatch.setattr(prose_mutants, "SURVIVORS", tmp_path / "survivors.txt")

    def with_outcomes(*outcomes):
        made = [result(outcome) for outcome in outcomes]
        monkeypatch.setattr(prose_mutants, "tried", lambda *_: made)

    return with_outcomes


def test_it_fails_for_a_survivor_without_a_reason(one, capsys, tmp_path):
    one(*["caught"] * 99, "survived")
    assert prose_mutants.main([]) == 1
    assert f"survived without a reason (size): {KEY}" in capsys.readouterr().out
    (tmp_path / "survivors.txt").write_text(f"{KEY} :: it is a choice\n")
    assert prose_mutants.main([]) == 0


def test_it_fails_where_too_little_is_caught(one, capsys, tmp_path):
    one(*["caught"] * 18, *["survived"] * 2)
    (tmp_path / "survivors.txt").write_text(f"{KEY} :: it is a choice\n")
    assert prose_mutants.main([]) == 1
    assert "90.0% of what would mislead" in capsys.readouterr().out


def test_stale_lines_are_told_by_a_whole_run_alone(one, capsys, tmp_path):
    one("caught")
    (tmp_path / "survivors.txt").write_text("a.md: gone :: why\n")
    assert prose_mutants.main([]) == 0
    assert "drop the line" in capsys.readouterr().out
    prose_mutants.main(["--sample", "5"])
    assert "drop the line" not in capsys.readouterr().out


def test_a_run_that_does_not_refuse_fails_it(one, monkeypatch, capsys):
    one("by a run")
    assert prose_mutants.main([]) == 0
    monkeypatch.setattr(prose_mutants.prose_runs, "not_refused", lambda *_: ["here"])
    assert prose_mutants.main(["--run"]) == 1
    assert "not refused by a run: here" in capsys.readouterr().out


def test_the_list_in_the_repository_has_reasons():
    prose_mutants.listed(prose_mutants.SURVIVORS.read_text("utf-8"))


def test_the_gate_takes_a_sample_beside_the_other_steps():
    (step,) = [one for one in check.steps(ROOT) if one.name == "prose mutants"]
    assert step.beside and "--sample" in step.commands[0]

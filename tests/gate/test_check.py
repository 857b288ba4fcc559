"""The check runner: everything runs, failures are gathered, none is hidden."""

import pytest

from booktools.gate import check
from booktools.gate.check import Step


def fake(codes):
    def run(arguments, out=None):
        if out:
            out.write(f"said by {arguments[0]}\n".encode())
        return codes.get(arguments[0], 0), [f"== {arguments[0]} passed in 1s =="]

    return run


def test_all_failures_are_reported_and_independent_steps_still_run(capsys):
    todo = [Step("a", (("one",), ("two",))), Step("b", (("three",),))]
    results = check.run_all(todo, fake({"one": 1}))
    assert [result.verdict for result in results] == ["failed", "passed"]
    check.report(results)
    out = capsys.readouterr().out
    assert "failed: python one" in out and "failed: python two" not in out
    assert "== three passed in 1s ==" in out
    assert out.rstrip().endswith("FAILED: a")


def test_a_step_that_needs_a_failed_one_is_not_run_and_says_so():
    todo = [Step("a", (("one",),)), Step("b", (("two",),), needs=("a",))]
    results = check.run_all(todo, fake({"one": 1}))
    assert [result.verdict for result in results] == ["failed", "not run"]
    assert results[1].notes == ["needs: a"]


def test_a_step_beside_the_others_is_waited_for_and_heard(capfd):
    todo = [
        Step("a", (("one",),), beside=True),
        Step("b", (("two",),), beside=True),
        Step("c", (("three",),), needs=("b",)),
        Step("d", (("four",),), needs=("a",)),
    ]
    results = check.run_all(todo, fake({"one": 1}))
    verdicts = {result.name: result.verdict for result in results}
    assert verdicts == {"a": "failed", "b": "passed", "c": "passed", "d": "not run"}
    out = capfd.readouterr().out
    assert "=== a\nsaid by one\n" in out and "=== b\nsaid by two\n" in out
    assert out.index("=== b") < out.index("=== c")


def test_a_lane_that_breaks_is_no_endless_wait():
    def broken(arguments, out=None):
        raise OSError("no such program")

    with pytest.raises(RuntimeError, match="no result of"):
        check.run_all([Step("a", (("one",),), beside=True)], broken)


def test_the_status_is_that_of_the_worst_step(monkeypatch, capsys):
    monkeypatch.setattr(check, "steps", lambda: (Step("a", (("one",),)),))
    for code in (0, 1):
        assert check.main([], fake({"one": code})) == code


def test_slow_tests_run_by_name_alone(monkeypatch, capsys):
    asked = []

    def run(arguments):
        asked.append(arguments)
        return 0, []

    monkeypatch.setattr(check, "steps", lambda: (Step("a", (("one",),)),))
    assert check.main([], run) == 0
    assert asked == [("one",)]
    assert check.main(["slow-tests"], run) == 0
    assert asked[1][-3:] == ("-m", "slow", "tests")


def test_the_gate_leaves_slow_tests_out():
    calls = [command for step in check.steps() for command in step.commands]
    marks = [call[call.index("-m", 2) + 1] for call in calls if "tests" in call]
    assert len(marks) == 2 and all("not slow" in mark for mark in marks)


def test_an_unknown_step_is_named(capsys):
    assert check.main(["lnit"]) == 2
    assert "Unknown: lnit" in capsys.readouterr().out


def test_output_is_passed_on_and_pytests_last_line_is_kept(capfd):
    code = "print('hi'); print('===== 3 passed, 1 skipped in 0.1s ====='); exit(4)"
    status, closing = check.stream(("-c", code))
    assert status == 4
    assert closing == ["===== 3 passed, 1 skipped in 0.1s ====="]
    assert "hi" in capfd.readouterr().out


@pytest.mark.parametrize("name", ["unit tests", "notebooks", "strict build"])
def test_the_parts_of_the_check_are_there(name):
    assert name in {step.name for step in check.steps()}


def test_every_notebook_is_run(tmp_path):
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "07_new.ipynb").write_text("{}")
    step = next(step for step in check.steps(tmp_path) if step.name == "notebooks")
    assert "chapters/07_new.ipynb" in step.commands[0]


def test_no_notebook_at_all_is_no_pass(tmp_path):
    step = next(step for step in check.steps(tmp_path) if step.name == "notebooks")
    assert step.commands[0][-1] == "chapters"

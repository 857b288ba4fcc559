import shutil

import pytest

from booktools.gate import mutants

PATCHES = mutants.find_patches([])
KNOWN = """
no_scale divide_by_d_k divide_by_root_of_d_model softmax_over_queries
mask_after_softmax mask_multiplied_in polarity_inverted causal_top_left
diagonal_excluded
padding_on_the_query_axis keys_used_as_values heads_tiled_not_repeated
bias_before_scaling bias_twice temperature_on_the_stand_in maximum_not_subtracted
maximum_of_the_whole_array uniform_dead_rows minus_1e9_for_minus_infinity
finfo_min_for_minus_infinity input_of_softmax_changed queries_changed
logsumexp_without_the_maximum""".split()


def copy_of_package(folder):
    target = folder / "src" / "attnbook"
    target.mkdir(parents=True)
    for path in (mutants.ROOT / "src" / "attnbook").glob("*.py"):
        shutil.copy(path, target)
    return target


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.stem)
def test_each_mistake_still_applies_and_is_explained(patch, tmp_path):
    package = copy_of_package(tmp_path)
    before = {path.name: path.read_bytes() for path in package.glob("*.py")}
    assert mutants.apply(patch, tmp_path) == ""
    after = {path.name: path.read_bytes() for path in package.glob("*.py")}
    changed = [name for name in before if before[name] != after[name]]
    assert changed
    for name in changed:
        compile(after[name], name, "exec")
    assert mutants.description(patch).endswith(".")


def test_every_known_mistake_is_kept():
    assert set(KNOWN) <= {patch.stem for patch in PATCHES}


def test_a_stale_mistake_is_reported(tmp_path):
    package = copy_of_package(tmp_path)
    (package / "kernel.py").write_text("nothing of the old text\n")
    problem = mutants.apply(mutants.PATCHES / "no_scale.patch", tmp_path)
    assert problem.startswith("no longer applies: src/attnbook/kernel.py has 0 times:")


def test_how_answers_are_read():
    assert mutants.judge(0, "9 passed") == (False, "SURVIVED")
    said = (
        "F\nFAILED tests/kernel/test_masks.py::test_a[1] - AssertionError: x\n1 failed"
    )
    assert mutants.judge(1, said) == (True, "caught by test_masks.py::test_a[1]")
    caught, how = mutants.judge(2, "ImportError: boom")
    assert not caught and "did not run" in how and "boom" in how
    caught, how = mutants.judge(1, "ERROR tests/test_masks.py - boom")
    assert not caught and "did not run" in how


def test_one_survivor_fails_the_run(monkeypatch, capsys):
    answers = {"src": (0, "")}
    monkeypatch.setattr(mutants, "run_tests", lambda *_: answers["src"])
    assert mutants.main(["no_scale", "--jobs", "1"]) == 1
    out = capsys.readouterr().out
    assert "FAIL no_scale: SURVIVED" in out and "0 of 1 mistakes caught" in out
    answers["src"] = (1, "FAILED tests/kernel/test_kernel.py::test_a - no\n")
    assert mutants.main(["no_scale"]) == 1
    assert "fail without any mistake" in capsys.readouterr().out


def test_a_mistake_is_run_against_the_copy_that_has_it():
    name, caught, how, _ = mutants.try_patch(
        mutants.PATCHES / "keys_used_as_values.patch"
    )
    assert (name, caught) == ("keys_used_as_values", True)
    assert how.startswith("caught by test_kernel.py::")


def test_the_tests_of_what_is_changed_run_first(monkeypatch):
    orders = []
    monkeypatch.setattr(
        mutants, "run_tests", lambda _, order: orders.append(order) or (0, "")
    )
    for name in ("tiled_softcap_ignored", "bias_twice"):
        mutants.try_patch(mutants.PATCHES / f"{name}.patch")
    assert [order[0] for order in orders] == [
        "tests/kernel/test_tiled.py",
        "tests/kernel/test_kernel.py",
    ]
    assert all(sorted(order) == sorted(mutants.TESTS) for order in orders)


def test_a_killer_is_tried_alone_and_all_where_it_passes(monkeypatch):
    asked = []
    answers = iter([(0, "1 passed"), (1, "FAILED tests/kernel/test_tiled.py::test_b")])
    monkeypatch.setattr(
        mutants, "run_tests", lambda _, tests: asked.append(tests) or next(answers)
    )
    patch = mutants.PATCHES / "bias_twice.patch"
    _, caught, how, _ = mutants.try_patch(patch, "test_kernel.py::test_a")
    assert (caught, how) == (True, "caught by test_tiled.py::test_b")
    assert asked == [["tests/kernel/test_kernel.py::test_a"], mutants.in_order(patch)]


def test_killers_are_recorded_and_used(monkeypatch, tmp_path):
    monkeypatch.setattr(mutants, "KILLERS", tmp_path / "killers.txt")
    assert mutants.killers() == {}
    mutants.remember([("b", True, "caught by test_x.py::test_1[a: b]")])
    mutants.remember([("a", True, "caught by test_y.py::test_2")])
    assert mutants.killers() == {
        "a": "test_y.py::test_2",
        "b": "test_x.py::test_1[a: b]",
    }
    patches = [mutants.PATCHES / f"{name}.patch" for name in "ab"]
    assert mutants.first_tests(patches, mutants.killers()) == [
        "tests/kernel/test_x.py::test_1[a: b]",
        "tests/kernel/test_y.py::test_2",
    ]
    assert mutants.first_tests(patches, {}) == mutants.TESTS


def test_every_mistake_has_a_remembered_killer():
    assert set(mutants.killers()) == {patch.stem for patch in PATCHES}


def test_names_are_checked(capsys):
    with pytest.raises(SystemExit, match="no such mistake: no_such"):
        mutants.main(["no_such"])
    assert mutants.main(["bias_twice", "--list"]) == 0
    assert capsys.readouterr().out == "bias_twice: The bias is added twice.\n"

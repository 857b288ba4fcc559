"""The search for mutants that survive: what it prepares and how it judges."""

import ast
from types import SimpleNamespace

import pytest

from booktools.gate import mutation

SOURCE = '''\
import numpy as np


@np.errstate(all="ignore")
def first(x):
    """Return x."""
    return x


def second(x):
    return first(x)


@np.errstate(all="ignore")
def third(x):
    return x
'''


def test_decorators_become_assignments_at_the_end():
    text = mutation.undecorated(SOURCE)
    functions = [n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)]
    assert [f.name for f in functions] == ["first", "second", "third"]
    assert not any(f.decorator_list for f in functions)
    assert text.endswith(
        'first = np.errstate(all="ignore")(first)\n'
        'third = np.errstate(all="ignore")(third)\n'
    )


@pytest.mark.parametrize("name", mutation.MODULES)
def test_every_decorator_of_the_kernel_is_moved(name):
    path = mutation.ROOT / "src" / "attnbook" / f"{name}.py"
    text = mutation.undecorated(path.read_text("utf-8"))
    assert "\n@np.errstate" not in text  # an indented one has no name to assign to
    ast.parse(text)


def test_the_copy_is_fresh_and_names_what_to_mutate(tmp_path, monkeypatch):
    monkeypatch.setattr(mutation, "WORK", tmp_path / "work")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "old_result").write_text("stale")
    mutation.prepare(["masks"])
    assert not (tmp_path / "work" / "old_result").exists()
    config = (tmp_path / "work" / "pyproject.toml").read_text()
    assert "only_mutate = ['src/attnbook/masks.py']" in config
    assert (tmp_path / "work" / "tests" / "kernel" / "test_masks.py").exists()
    for test in mutation.TESTS:
        name = f"tests/kernel/test_{test}.py"
        assert name in config and (tmp_path / "work" / name).exists()


def fake_mutmut(verdicts, code=0):
    def call(command, *arguments, **options):
        out = {"results": verdicts, "show": "--- a\n+++ b\n-old\n+new\n"}
        return SimpleNamespace(returncode=code, stdout=out.get(command, ""))

    return call


@pytest.mark.parametrize(
    ("killed", "survived", "expected"), [(19, 1, 0), (18, 2, 1), (20, 0, 0)]
)
def test_95_in_100_must_die(killed, survived, expected, monkeypatch, capsys):
    lines = [f"    m{i}: killed" for i in range(killed)]
    lines += [f"    s{i}: survived" for i in range(survived)]
    monkeypatch.setattr(mutation, "prepare", lambda modules: None)
    monkeypatch.setattr(mutation, "mutmut", fake_mutmut("\n".join(lines)))
    assert mutation.main(["masks"]) == expected
    said = capsys.readouterr().out
    assert f"{killed} of {killed + survived} killed" in said
    assert said.count("-old\n+new") == survived


def test_a_run_that_failed_is_no_success(monkeypatch):
    monkeypatch.setattr(mutation, "prepare", lambda modules: None)
    monkeypatch.setattr(mutation, "mutmut", fake_mutmut("", code=1))
    assert "could not run" in mutation.main(["masks"])

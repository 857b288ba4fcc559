"""Setting up: what is run, what is skipped, what is said where something lacks."""

import pytest

from booktools.setup import environment, progress


class Recorder:
    """Stand in for `progress.run`; remember the commands, fail on demand."""

    def __init__(self):
        self.commands = []
        self.fail_on = "nothing at all"

    def __call__(self, label, command, **_):
        self.commands.append([str(part) for part in command])
        if any(self.fail_on in part for part in self.commands[-1]):
            raise progress.CommandFailed("planted")

    def having(self, word):
        return [line for line in self.commands if word in line]


@pytest.fixture
def place(tmp_path):
    (tmp_path / "requirements.txt").write_text("-c constraints.txt\ntorch==2.13.0\n")
    for name in ("constraints.txt", "pyproject.toml", "package-lock.json"):
        (tmp_path / name).write_text("")
    (tmp_path / ".venv").mkdir()
    return tmp_path


@pytest.fixture
def linux(monkeypatch):
    monkeypatch.setattr(environment.platform, "system", lambda: "Linux")


def test_torch_comes_first_from_the_cpu_index_and_alone(place, linux):
    run = Recorder()
    environment.Environment(place, run).prepare("serve")
    _, torch, rest, node = run.commands
    for word in ("--no-deps", environment.TORCH_INDEX, "torch==2.13.0"):
        assert word in torch
    assert torch[torch.index("--retries") + 1] == "0"
    assert torch[torch.index("--timeout") + 1] == "10"
    assert rest[-2:] == ["-r", "requirements.txt"]
    assert node[3] == "ci" and "--ignore-scripts" in node


def test_a_silent_cpu_index_falls_back_to_the_plain_wheel(place, linux, capsys):
    run = Recorder()
    run.fail_on = environment.TORCH_INDEX
    environment.Environment(place, run).prepare("serve")
    assert run.having("requirements.txt")
    assert "CUDA" in capsys.readouterr().out


def test_elsewhere_than_on_linux_torch_needs_no_index(place, monkeypatch):
    monkeypatch.setattr(environment.platform, "system", lambda: "Darwin")
    run = Recorder()
    environment.Environment(place, run).prepare("serve")
    assert not run.having(environment.TORCH_INDEX)


def test_check_adds_the_test_tools(place, linux):
    run = Recorder()
    environment.Environment(place, run).prepare("check")
    assert run.having(".[dev]")


def test_unchanged_nothing_runs_again_and_a_change_reruns_its_step(place, linux):
    run = Recorder()
    environment.Environment(place, run).prepare("check")
    run.commands.clear()
    environment.Environment(place, run).prepare("check")
    assert run.commands == []
    (place / "package-lock.json").write_text("{}")
    environment.Environment(place, run).prepare("check")
    assert [line[3] for line in run.commands] == ["ci"]


def test_settings_of_the_linter_reinstall_nothing_but_a_dependency_does(place, linux):
    project = '[project]\ndependencies = ["numpy"]\n'
    (place / "pyproject.toml").write_text(project)
    run = Recorder()
    environment.Environment(place, run).prepare("check")
    run.commands.clear()
    (place / "pyproject.toml").write_text(project + "[tool.ruff]\nline-length = 88\n")
    environment.Environment(place, run).prepare("check")
    assert run.commands == []
    (place / "pyproject.toml").write_text(project.replace("numpy", "scipy"))
    environment.Environment(place, run).prepare("check")
    assert run.having(".[dev]")


def test_a_step_that_failed_is_tried_again(place, linux):
    run = Recorder()
    run.fail_on = "requirements.txt"
    with pytest.raises(progress.CommandFailed):
        environment.Environment(place, run).prepare("serve")
    run.fail_on = "nothing at all"
    run.commands.clear()
    environment.Environment(place, run).prepare("serve")
    assert run.having("requirements.txt")


def test_a_working_venv_is_kept_and_a_moved_one_is_made_anew(place, linux):
    run = Recorder()
    here = environment.Environment(place, run)
    here.bin.mkdir()
    (here.bin / "python").write_text("")
    (here.bin / "pip").write_text(f"#!{here.bin}/python\n")
    here.make_venv()
    assert run.commands == []
    (here.bin / "pip").write_text("#!/elsewhere/.venv/bin/python\n")
    here.make_venv()
    assert run.having("venv")


def test_a_venv_below_a_folder_with_a_space_is_kept(tmp_path):
    root = tmp_path / "Bücher & Kurs (1)"
    here = environment.Environment(root, Recorder())
    here.bin.mkdir(parents=True)
    (here.bin / "python").write_text("")
    start = f"#!/bin/sh\n'''exec' \"{here.bin}/python3\" \"$0\" \"$@\"\n' '''\n"
    (here.bin / "pip").write_text(start, encoding="utf-8")
    assert here.usable()
    (here.bin / "pip").write_text(start.replace("Kurs", "Kurse"), encoding="utf-8")
    assert not here.usable()


def test_a_missing_venv_module_is_named_with_the_package(place):
    run = Recorder()
    run.fail_on = "venv"
    with pytest.raises(environment.Missing, match=r"apt-get install python3\.\d+-venv"):
        environment.Environment(place, run).make_venv()


@pytest.mark.parametrize("name", ["a:b", "a\\b"])
def test_a_folder_that_no_environment_can_stand_in_is_refused(tmp_path, name):
    run = Recorder()
    with pytest.raises(environment.Missing, match="in its name"):
        environment.Environment(tmp_path / name, run).prepare("serve")
    assert run.commands == []


def test_an_old_python_is_told_which_to_use():
    with pytest.raises(environment.Missing, match=r"is 3\.9\.\n.*PYTHON=python3.13"):
        environment.check_python((3, 9, 2), exists=lambda name: name == "python3.13")
    with pytest.raises(environment.Missing, match=r"python\.org"):
        environment.check_python((3, 9, 2), exists=lambda name: None)
    environment.check_python((3, 11, 0))

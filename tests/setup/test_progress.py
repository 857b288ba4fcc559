"""Long commands: shown while they run, explained when they fail."""

import io
import sys

import pytest

from booktools.setup import progress


def python(code):
    return [sys.executable, "-c", code]


def test_a_good_command_is_named_and_timed():
    out = io.StringIO()
    progress.run("Doing it", python("print('hello')"), stream=out)
    assert "Doing it: done (" in out.getvalue()


def test_a_failure_carries_the_end_of_the_output():
    code = "print('first'); print('the reason'); raise SystemExit(3)"
    out = io.StringIO()
    with pytest.raises(progress.CommandFailed, match="the reason"):
        progress.run("Doing it", python(code), stream=out)
    assert "Doing it: failed" in out.getvalue()


def test_a_missing_program_is_named():
    with pytest.raises(progress.CommandFailed, match="no-such-program"):
        progress.run("Doing it", ["no-such-program"], stream=io.StringIO())


def test_a_silent_command_is_stopped():
    code = "import time; time.sleep(60)"
    with pytest.raises(progress.CommandFailed, match="no output for"):
        progress.run("Waiting", python(code), idle_timeout=0.5, stream=io.StringIO())


def test_a_long_command_shows_signs_of_life(monkeypatch):
    monkeypatch.setattr(progress, "BEAT", 0.1)
    out = io.StringIO()
    code = "import time; print('step one', flush=True); time.sleep(1.5)"
    progress.run("Doing it", python(code), stream=out)
    assert "s  step one" in out.getvalue()


def test_tools_first_puts_the_folder_before_all_others():
    assert progress.tools_first("/my/tools")["PATH"].split(":")[0] == "/my/tools"

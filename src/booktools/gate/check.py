"""Run every check of the book, and say at the end which failed.

``python -m booktools.gate.check`` runs all steps, or those that are named behind it.
A step that needs a failed one is reported as not run; all others run, so
that one visit to a failing check shows everything that there is to mend.
"""

import functools
import io
import os
import re
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from booktools import ROOT
from booktools.setup import progress

COLOUR = re.compile(r"\x1b\[[\d;]*m")
UNIT = "not browser and not slow"
CLOSING = re.compile(
    r"^=+ (?:(?:no tests ran|\d+ [a-z]+.*) in [\d.]+s.*|left out: .*) =+$"
)


@dataclass(frozen=True)
class Step:
    """One check: its name, the Python commands, the steps that it stands on.

    A step that uses one processor may run `beside` the others, which use all.
    """

    name: str
    commands: tuple
    needs: tuple = ()
    beside: bool = False


def module(name, *arguments):
    """Return the arguments of Python that run a module."""
    return ("-m", name, *arguments)


def pytest(*arguments):
    """Return the arguments of Python that run pytest, which tells its slowest tests."""
    colour = "yes" if sys.stdout.isatty() else "no"
    slowest = ("--durations=10", "--durations-min=0.5")
    return module("pytest", f"--color={colour}", *slowest, *arguments)


def spread(how):
    """Return the options that let tests run on all processors, on four at most."""
    count = min(4, os.cpu_count() or 1)
    return (f"-n{count}", f"--dist={how}") if count > 1 else ()


def steps(root=ROOT):
    """Return all steps in their order: the quick ones first."""
    notebooks = sorted(str(p.relative_to(root)) for p in root.glob("chapters/*.ipynb"))
    notebooks = notebooks or ["chapters"]  # none at all is an error, not a pass
    # What the notebooks give here is what the site shows: they run once.
    shared = ("-p", "booktools.gate.shared_runs")
    nbval = pytest("--nbval", "--nbval-current-env", *shared, *notebooks)
    return (
        Step("lint", (module("ruff", "check"), module("ruff", "format", "--check"))),
        Step("notebooks", (nbval,), beside=True),
        Step(
            "prose mutants",
            (module("booktools.gate.prose_mutants", "--sample", "600"),),
            beside=True,
        ),
        Step(
            "generated files",
            (
                module("booktools.content.notebooks", "--check"),
                module("booktools.content.claims", "--check"),
                module("booktools.content.figures", "--check"),
                module("booktools.content.api", "--check"),
                module("booktools.content.mask_semantics", "--check"),
                module("booktools.setup.vendor", "--check"),
                module("booktools.setup.repository", "--check"),
            ),
        ),
        Step(
            "strict build", (module("booktools.site.build", "--strict"),), beside=True
        ),
        Step(
            "Firefox",
            (module("booktools.gate.firefox"),),
            needs=("strict build",),
            beside=True,
        ),
        Step("unit tests", (pytest("-m", UNIT, *spread("worksteal"), "tests"),)),
        Step("mutants", (module("booktools.gate.mutants"),)),
        Step("browser", (module("booktools.setup.browser"),)),
        Step(
            "site tests",
            (pytest("-m", "browser and not slow", *spread("worksteal"), "tests"),),
            needs=("strict build", "browser"),
        ),
    )


def slow_tests():
    """Return the step that only `make check-all` runs."""
    return Step("slow tests", (pytest("-m", "slow", "tests"),))


@dataclass
class Result:
    """How a step ended: "passed", "failed" or "not run"; why; how long it took."""

    name: str
    verdict: str
    notes: list
    seconds: float = 0.0


def stream(arguments, root=ROOT, out=None):
    """Run Python with these arguments, passing its output on; return (code, lines).

    The lines are those with which pytest closes. With `out`, a binary file, the output
    goes there.
    """
    out = out or sys.stdout.buffer
    command = [sys.executable, *arguments]
    env = dict(progress.tools_first(Path(sys.executable).parent), PYTHONUNBUFFERED="1")
    with subprocess.Popen(
        command, cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        output = []
        while chunk := os.read(process.stdout.fileno(), 65536):
            out.write(chunk)
            out.flush()
            output.append(chunk)
    text = b"".join(output).decode(errors="replace")
    lines = COLOUR.sub("", text).splitlines()
    return process.returncode, [line for line in lines if CLOSING.match(line)]


def run_step(step, failed, run=stream):
    """Run one step, or tell which failed step it waits for."""
    missing = [name for name in step.needs if name in failed]
    if missing:
        return Result(step.name, "not run", ["needs: " + ", ".join(missing)])
    start, notes, bad = time.monotonic(), [], False
    for command in step.commands:
        code, closing = run(command)
        notes += closing
        if code != 0:
            bad = True
            notes.append(f"failed: python {' '.join(map(str, command))[:100]}")
    verdict = "failed" if bad else "passed"
    return Result(step.name, verdict, notes, time.monotonic() - start)


class Lane:
    """Steps that run one after another beside the others; their output is held back."""

    def __init__(self, todo, run=stream):
        self.todo, self.run = todo, run
        self.texts = {step.name: io.BytesIO() for step in todo}
        self.results, self.error = {}, None
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        """Run the steps; an error waits for the one who waits for a result."""
        failed = set()
        try:
            for step in self.todo:
                run = functools.partial(self.run, out=self.texts[step.name])
                self.results[step.name] = result = run_step(step, failed, run)
                if result.verdict != "passed":
                    failed.add(step.name)
        except Exception as error:
            self.error = error

    def finished(self, names):
        """Wait for those of these steps that are here; show what they said."""
        wanted = [name for name in self.texts if name in names]
        while any(name not in self.results for name in wanted):
            if self.error:
                raise RuntimeError(f"no result of {wanted}") from self.error
            self.thread.join(0.1)
        for name in wanted:
            said = self.texts.pop(name).getvalue()
            print(f"\n=== {name}", flush=True)
            sys.stdout.buffer.write(said)
            sys.stdout.buffer.flush()
        return [self.results[name] for name in wanted]


def run_all(todo, run=stream):
    """Run the steps in order, some beside the others; return their results."""
    lane = Lane([step for step in todo if step.beside], run)
    results, failed = [], set()

    def note(result):
        results.append(result)
        if result.verdict != "passed":
            failed.add(result.name)

    for step in (step for step in todo if not step.beside):
        for result in lane.finished([*step.needs, *lane.results]):
            note(result)
        print(f"\n=== {step.name}", flush=True)
        note(run_step(step, failed, run))
    for result in lane.finished(list(lane.texts)):
        note(result)
    return results


def report(results):
    """Print one line for each step, pytest's closing lines under it."""
    print("\n=== summary")
    for result in results:
        print(f"{result.verdict:8} {result.name:16} {result.seconds:6.0f} s")
        for note in result.notes:
            print("         " + note)
    bad = [result.name for result in results if result.verdict != "passed"]
    print("FAILED: " + ", ".join(bad) if bad else "All checks passed.")


def main(arguments=None, run=stream):
    """Run the named steps, or all; return a status for the shell."""
    names = sys.argv[1:] if arguments is None else arguments
    gate = steps()
    known = {step.name.replace(" ", "-"): step for step in (*gate, slow_tests())}
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"Unknown: {', '.join(unknown)}. Steps: {', '.join(known)}")
        return 2
    todo = [known[name] for name in names] or list(gate)
    try:
        results = run_all(todo, run)
    except KeyboardInterrupt:
        return 130
    report(results)
    return int(any(result.verdict != "passed" for result in results))


if __name__ == "__main__":
    sys.exit(main())

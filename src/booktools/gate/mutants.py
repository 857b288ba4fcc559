"""Break the kernel on purpose: each kept mistake must make a test fail.

Every file ``tests/mutants/NAME.patch`` is a mistake that people do make: a sentence
about it, then a unified diff against the top folder. Each is applied to a copy of the
package, and the fast, torch-free tests are run against that copy, first the one test
that ``killers.txt`` remembers::

    python -m booktools.gate.mutants               all of them
    python -m booktools.gate.mutants NAME ...      only these
    python -m booktools.gate.mutants --list        what each one is
    python -m booktools.gate.mutants --record      remember which test catches which

It fails if a mistake survives, no longer applies, or does not even import.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from booktools import ROOT

PATCHES = ROOT / "tests" / "mutants"
MODULES = (
    *("kernel", "masks", "heads", "backward", "scores"),
    *("positions", "stats", "cost", "tiled"),
)
ROOM = "tests/kernel/"
TESTS = [f"{ROOM}test_{name}.py" for name in MODULES]
KILLERS = PATCHES / "killers.txt"
LIMIT = 600  # seconds; the unbroken package takes a small part of it
CAUGHT, SURVIVED = 1, 0  # what pytest returns


def main(arguments=None):
    """Run the mistakes; return 1 if one of them was not caught."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="mistakes to try (default: all)")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--list", action="store_true", help="only say what they are")
    parser.add_argument("--record", action="store_true", help="remember who caught it")
    options = parser.parse_args(arguments)
    patches = find_patches(options.names)
    if options.list:
        for patch in patches:
            print(f"{patch.stem}: {description(patch)}")
        return 0
    known = {} if options.record else killers()
    code, said = run_tests(ROOT / "src", first_tests(patches, known))
    if code != SURVIVED:
        print(f"The tests fail without any mistake:\n{said}")
        return 1
    with ThreadPoolExecutor(options.jobs) as pool:
        tried = [pool.submit(try_patch, one, known.get(one.stem)) for one in patches]
        results = [report(*one.result()) for one in tried]
    wrong = sum(not caught for _, caught, _ in results)
    print(f"{len(patches) - wrong} of {len(patches)} mistakes caught")
    if options.record and not wrong:
        remember(results)
    return int(wrong > 0)


def killers():
    """Return the test that caught each mistake when that was last recorded."""
    lines = KILLERS.read_text("utf-8").splitlines() if KILLERS.exists() else []
    return dict(line.split(": ", 1) for line in lines)


def remember(results):
    """Record which test caught which mistake."""
    caught = {name: how.removeprefix("caught by ") for name, _, how in results}
    lines = [
        f"{name}: {test}" for name, test in sorted({**killers(), **caught}.items())
    ]
    KILLERS.write_text("\n".join(lines) + "\n", "utf-8")


def first_tests(patches, known):
    """Return the tests that must pass without a mistake: the killers, or else all."""
    if any(patch.stem not in known for patch in patches):
        return TESTS
    return sorted({ROOM + known[patch.stem] for patch in patches})


def find_patches(names):
    """Return the patch files of these names, or all."""
    patches = sorted(PATCHES.glob("*.patch"))
    unknown = set(names) - {patch.stem for patch in patches}
    if unknown:
        raise SystemExit(f"no such mistake: {', '.join(sorted(unknown))}")
    if not patches:
        raise SystemExit(f"no mistakes in {PATCHES}")
    return [patch for patch in patches if not names or patch.stem in names]


def description(patch):
    """Return the sentence that stands above the diff."""
    return patch.read_text("utf-8").partition("\n--- ")[0].strip()


def try_patch(patch, killer=None):
    """Apply a mistake to a copy and test that; say whether it was caught, and how.

    The killer, a test that caught it before, is run alone; where it passes, all are.
    """
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        skip = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / "src" / "attnbook", source / "attnbook", ignore=skip)
        problem = apply(patch, folder)
        caught, how = False, problem
        if killer and not problem:
            caught, how = judge(*run_tests(source, [ROOM + killer]))
        if not caught and not problem:
            caught, how = judge(*run_tests(source, in_order(patch)))
    return patch.stem, caught, how, time.monotonic() - started


def in_order(patch):
    """Return the test files, those of the changed modules first."""
    return sorted(TESTS, key=lambda test: Path(test).stem[5:] not in touched(patch))


def touched(patch):
    """Return the names of the modules that a patch changes, whose tests come first."""
    return re.findall(
        r"^\+\+\+ b/src/attnbook/(\w+)\.py", patch.read_text("utf-8"), re.M
    )


def apply(patch, folder):
    """Apply a patch inside a folder; return what went wrong, if anything.

    Each part of the diff must be found once, at whatever line: git is not needed.
    """
    _, *files = re.split(
        r"^--- .*\n\+\+\+ b/(.*)\n", patch.read_text("utf-8"), flags=re.M
    )
    for name, diff in zip(files[::2], files[1::2], strict=True):
        path = Path(folder) / name
        text = path.read_text("utf-8")
        for part in re.split(r"^@@.*\n", diff, flags=re.M)[1:]:
            old, new = (side(part, sign) for sign in "-+")
            if text.count(old) != 1:
                return f"no longer applies: {name} has {text.count(old)} times:\n{old}"
            text = text.replace(old, new)
        path.write_text(text, "utf-8")
    return ""


def side(part, sign):
    """Return the text before ("-") or after ("+") a part of a diff."""
    lines = part.splitlines(keepends=True)
    return "".join(line[1:] or "\n" for line in lines if line[0] in (sign, " ", "\n"))


def run_tests(source, tests=TESTS):
    """Run the fast tests against the package in `source`, up to the first failure."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=line", "-rfE"]
    try:
        result = subprocess.run(
            [*command, "-p", "no:cacheprovider", *tests],
            cwd=ROOT,
            env=os.environ
            | {"PYTHONPATH": str(source), "ATTNBOOK_TESTS": "fast"}
            | {"PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"}
            | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # a third of each start
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        return CAUGHT, f"FAILED by taking over {LIMIT} s - "
    return result.returncode, result.stdout + result.stderr


def judge(code, said):
    """Read pytest's answer: caught or not, and by which test."""
    if code == SURVIVED:
        return False, "SURVIVED"
    failed = re.search(rf"^FAILED (?:{ROOM})?(.+?)(?: - |$)", said, re.MULTILINE)
    if code != CAUGHT or not failed:
        return False, f"did not run: {said[-800:]}"
    return True, f"caught by {failed[1]}"


def report(name, caught, how, seconds):
    """Print one line about a mistake; return its name, and whether and how caught."""
    print(f"{'ok  ' if caught else 'FAIL'} {name}: {how} ({seconds:.0f} s)", flush=True)
    return name, caught, how


if __name__ == "__main__":
    sys.exit(main())

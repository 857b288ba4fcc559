"""Break the kernel on purpose: each kept mistake must make a test fail.

Every file ``tests/mutants/NAME.patch`` is a mistake that people do make: a sentence
about it, then a unified diff against the top folder. Each is applied to a copy of the
package, and the fast, torch-free tests are run against that copy::

    python -m booktools.gate.mutants               all of them
    python -m booktools.gate.mutants NAME ...      only these
    python -m booktools.gate.mutants --list        what each one is

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
MODULES = ("kernel", "masks", "heads", "backward", "scores", "stats", "cost", "tiled")
TESTS = [f"tests/test_{name}.py" for name in MODULES]
LIMIT = 600  # seconds; the unbroken package takes a small part of it
CAUGHT, SURVIVED = 1, 0  # what pytest returns


def main(arguments=None):
    """Run the mistakes; return 1 if one of them was not caught."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="mistakes to try (default: all)")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--list", action="store_true", help="only say what they are")
    options = parser.parse_args(arguments)
    patches = find_patches(options.names)
    if options.list:
        for patch in patches:
            print(f"{patch.stem}: {description(patch)}")
        return 0
    code, said = run_tests(ROOT / "src")
    if code != SURVIVED:
        print(f"The tests fail without any mistake:\n{said}")
        return 1
    with ThreadPoolExecutor(options.jobs) as pool:
        wrong = sum(not report(*result) for result in pool.map(try_patch, patches))
    print(f"{len(patches) - wrong} of {len(patches)} mistakes caught")
    return int(wrong > 0)


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


def try_patch(patch):
    """Apply a mistake to a copy and test that; say whether it was caught, and how."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        skip = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / "src" / "attnbook", source / "attnbook", ignore=skip)
        problem = apply(patch, folder)
        order = sorted(
            TESTS, key=lambda test: Path(test).stem[5:] not in touched(patch)
        )
        caught, how = (False, problem) if problem else judge(*run_tests(source, order))
    return patch.stem, caught, how, time.monotonic() - started


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
            [*command, "-p", "no:cacheprovider", *filter(exists, tests)],
            cwd=ROOT,
            env=os.environ
            | {"PYTHONPATH": str(source), "ATTNBOOK_TESTS": "fast"}
            | {"PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        return CAUGHT, f"FAILED by taking over {LIMIT} s - "
    return result.returncode, result.stdout + result.stderr


def exists(test):
    """Say whether a test file is there."""
    return (ROOT / test).exists()


def judge(code, said):
    """Read pytest's answer: caught or not, and by which test."""
    if code == SURVIVED:
        return False, "SURVIVED"
    failed = re.search(r"^FAILED (?:tests/)?(.+?)(?: - |$)", said, re.MULTILINE)
    if code != CAUGHT or not failed:
        return False, f"did not run: {said[-800:]}"
    return True, f"caught by {failed[1]}"


def report(name, caught, how, seconds):
    """Print one line about a mistake."""
    print(f"{'ok  ' if caught else 'FAIL'} {name}: {how} ({seconds:.0f} s)", flush=True)
    return caught


if __name__ == "__main__":
    sys.exit(main())

"""A new figure, exercise or chapter is one new file or folder: no list knows it."""

import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from booktools import ROOT
from booktools.content import drafts

SKIPPED = (".*", "_build", "node_modules", "my_work", "mutants", "*.egg-info")
FIGURE, EXERCISE, CHAPTER = "scratch_figure", "04-scratch-lead", "11_scratch"


def contents(folder):
    """Return the bytes of all files below a folder but what running leaves behind."""
    left = {"__pycache__", ".pytest_cache", ".hypothesis", "node_modules", "_build"}
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not left & set(path.relative_to(folder).parts)
    }


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """Copy the repository, and start one of each kind in the copy."""
    copy = tmp_path_factory.mktemp("scratch") / "book"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*SKIPPED))
    (copy / "node_modules").symlink_to(ROOT / "node_modules")
    before = contents(copy)
    made = []
    for kind, name in zip(drafts.KINDS, (CHAPTER, EXERCISE, FIGURE), strict=True):
        made += drafts.create(kind, name, copy)
    after = contents(copy)
    assert {path: after[path] for path in before} == before, "drafts only add"
    assert set(after) - set(before) == set(made)
    return copy


def python(folder, *arguments):
    """Run Python on the copy's own packages; return what it printed."""
    env = {
        **os.environ,
        "PYTHONPATH": str(folder / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def pytest_in(folder, *arguments):
    """Run tests of the copy; return how many passed."""
    options = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not browser")
    said = python(folder, *options, *arguments)
    return int(said.rsplit(" passed", 1)[0].split()[-1])


def test_a_new_figure_is_tested_and_offered_to_pages(scratch):
    assert pytest_in(scratch, "tests/figures", "-k", FIGURE) >= 8
    code = (
        "from pathlib import Path; from booktools.site import assets;"
        "from attnbook import widgets; from booktools.content import api;"
        "made = assets.make(Path('_build/assets'));"
        "print(sorted(p.stem for p in (made.folder / 'figures').iterdir()));"
        "print('ScratchFigure' in widgets.__all__, 'ScratchFigure' in api.page());"
        "print(widgets.ScratchFigure(lead=0).html())"
    )
    scripts, known, html = python(scratch, "-c", code).splitlines()
    assert f"'{FIGURE}'" in scripts and scripts.count(",") >= 7
    assert known == "True True"
    assert f'data-figure="{FIGURE}"' in html


def test_a_new_exercise_is_listed_and_proven(scratch):
    assert pytest_in(scratch, "tests/exercises", "-k", EXERCISE) >= 8
    code = (
        "from attnbook.exercises import check, names;"
        f"print('{EXERCISE}' in names(), check('{EXERCISE}', ...).status)"
    )
    assert python(scratch, "-c", code).strip() == "True not attempted"


def test_a_new_chapter_has_its_place_and_passes(scratch):
    python(scratch, "-m", "booktools.content.claims", "--check")
    python(scratch, "-m", "booktools.content.notebooks", "--check")
    assert pytest_in(scratch, "tests/content/test_chapters.py") >= 5


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel, and install it alone."""
    work = tmp_path_factory.mktemp("wheel")
    source = work / "source"
    skipped = shutil.ignore_patterns(*SKIPPED, "tests", "chapters")
    shutil.copytree(ROOT, source, ignore=skipped)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "-q", "-w", str(work)]
    subprocess.run([*pip, *build, str(source)], check=True, timeout=240)
    shutil.rmtree(source)
    with zipfile.ZipFile(next(work.glob("*.whl"))) as packed:
        packed.extractall(work / "installed")
    return work


EVERYTHING = """
import sys
sys.path.insert(0, sys.argv[1])
import attnbook
from attnbook import exercises, questions, widgets
from attnbook.exercises.master import load
from attnbook.questions import model
assert attnbook.__file__.startswith(sys.argv[1]), attnbook.__file__
for figure in widgets.every_figure():
    shown = figure()
    assert shown.values() and "attn-figure" in shown.html() and len(shown._esm) > 10**4
for name in exercises.names():
    master = load(name)
    answer = master.solution if master.probes else master.solution()
    assert exercises.check(name, answer), name
    exercises.exercise(name)
for number in model.chapter_numbers():
    for question in model.chapter(number).predict:
        questions.predict(question.name)
print(len(widgets.every_figure()), len(exercises.names()), len(model.chapter_numbers()))
"""


def test_a_wheel_holds_every_figure_question_and_exercise(wheel, tmp_path):
    """The wheel's files, with this environment's NumPy, matplotlib and anywidget."""
    count_in(sys.executable, wheel / "installed", tmp_path)


@pytest.mark.slow
def test_a_wheel_in_an_empty_environment_holds_all(wheel, tmp_path):
    """Nothing but what the wheel itself asks for is installed."""
    make = [sys.executable, "-m", "venv", tmp_path / "empty"]
    subprocess.run(make, check=True, timeout=240)
    python = tmp_path / "empty" / "bin" / "python"
    wanted = f"{next(wheel.glob('*.whl'))}[widgets]"
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, wanted], check=True, timeout=900)
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    where = subprocess.run(
        [python, "-c", code], capture_output=True, text=True, timeout=60
    )
    count_in(python, where.stdout.strip(), tmp_path)


def count_in(python, packages, folder):
    """Run everything that these packages hold, and see that it is all there."""
    done = subprocess.run(
        [python, "-I", "-c", EVERYTHING, str(packages)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    there = [
        len(list(ROOT.glob(f"src/attnbook/{pattern}")))
        for pattern in (
            "widgets/figures/*/figure.py",
            "exercises/bank/*/*/exercise.py",
            "questions/bank/*.toml",
        )
    ]
    assert [int(count) for count in done.stdout.split()] == there

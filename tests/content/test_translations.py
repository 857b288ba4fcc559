"""A second language: what is missing, and where it says another number."""

import json
import shutil

import pytest

from booktools.content import translations
from mini_site import ROOT

EXERCISE = "src/attnbook/exercises/bank/03/tie"
FIGURE = "src/attnbook/widgets/figures/dot_explorer"
QUESTIONS = "src/attnbook/questions/bank"


@pytest.fixture
def root(tmp_path):
    """A book of one exercise, one figure and one chapter's questions, twice."""
    for folder in (EXERCISE, FIGURE):
        shutil.copytree(ROOT / folder, tmp_path / folder)
        for path in (tmp_path / folder).glob("en.*"):
            shutil.copy(path, path.with_stem("de"))
    (tmp_path / QUESTIONS / "de").mkdir(parents=True)
    name = "04_softmax.toml"
    shutil.copy(ROOT / QUESTIONS / name, tmp_path / QUESTIONS / name)
    shutil.copy(ROOT / QUESTIONS / name, tmp_path / QUESTIONS / "de" / name)
    return tmp_path


def change(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_a_faithful_copy_has_no_differences(root, capsys):
    assert translations.main(["de"], root) == 0
    assert capsys.readouterr().out == "0 differences from en\n"


@pytest.mark.parametrize(
    ("path", "old", "new", "told"),
    [
        (f"{EXERCISE}/de.md", "at temperature 1", "bei 2 Grad", "en says 1, 1, 2"),
        (f"{EXERCISE}/de.md", "{query}", "(2, 1)", "statement: en says"),
        (f"{EXERCISE}/de.md", "### by_cosine", "### nach", "hint by_cosine: missing"),
        (f"{EXERCISE}/de.md", "## Objective", "## Ziel", "cannot be read"),
        (f"{FIGURE}/de.json", "{score_2:.2f}", "{score_3:.2f}", "summary.dot: en says"),
        (f"{FIGURE}/de.json", '"title": ', '"titel": ', "title: missing"),
        (f"{FIGURE}/de.json", '"title": ', '"titel": ', "titel: not in en"),
        (f"{QUESTIONS}/de/04_softmax.toml", "Add 1,000", "1.001 dazu", "four-shift"),
    ],
)
def test_a_difference_is_named_with_its_place(root, path, old, new, told):
    change(root / path, old, new)
    lines = translations.differences(root, "de")
    assert any(told in line and line.startswith(path) for line in lines), lines


def test_numbers_may_be_written_as_the_country_does(root):
    change(root / QUESTIONS / "de/04_softmax.toml", "Add 1,000", "1.000 dazu")
    assert translations.differences(root, "de") == []
    assert translations.said("0.39 of 98,304") == translations.said("0,39 von 98.304")


def test_the_words_of_a_question_are_enough(root):
    path = root / QUESTIONS / "de/04_softmax.toml"
    lines = path.read_text("utf-8").split("\n")
    kept = [t for t in lines if not t.startswith(("answer", "tolerance", "digits"))]
    path.write_text("\n".join(kept), "utf-8")
    assert translations.differences(root, "de") == []


def test_every_file_that_is_missing_is_listed(root):
    for path in (
        EXERCISE + "/de.md",
        FIGURE + "/de.json",
        QUESTIONS + "/de/04_softmax",
    ):
        assert (root / path).with_suffix((root / path).suffix or ".toml").exists()
    lines = translations.differences(root, "fr")
    assert len(lines) == 3 and all(line.endswith(": missing") for line in lines)
    real = list(translations.pairs(ROOT, "fr"))
    assert {read.__name__ for *_, read in real} == {
        "of_exercise",
        "of_figure",
        "of_questions",
    }
    assert len(real) > 40
    words = json.loads((ROOT / FIGURE / "en.json").read_text("utf-8"))
    assert len(translations.of_table(words)) > 20


@pytest.mark.parametrize("arguments", [[], ["german"], ["de", "fr"]])
def test_a_language_is_named_by_two_letters(arguments, capsys):
    assert translations.main(arguments) == 2
    assert "LANGUAGE" in capsys.readouterr().err

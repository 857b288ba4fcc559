"""Where keys hold the numbers of a file, each kind of file by its own keys."""

from pathlib import Path

import pytest

from booktools.content import held
from booktools.content.claims import EXERCISES, QUESTIONS, WIDGETS


def shown(path, text=None):
    """The words that keys hold in a file."""
    text = path.read_text("utf-8") if text is None else text
    return [text[a:b] for a, b in held.spans(path, text)]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (Path("chapters/04_softmax.md"), "60.6%"),
        (QUESTIONS / "04_softmax.toml", "0.345"),
        (EXERCISES / "04/three_keys/en.md", r"$\sum_i w_i^2 = 3/5$"),
        (WIDGETS / "figures/dot_explorer/en.json", "three times"),
    ],
    ids=str,
)
def test_the_keys_of_each_kind_of_file_are_found(path, words):
    assert any(words in one for one in shown(path)), shown(path)


def test_a_number_that_changed_is_held_no_more():
    path = Path("chapters/04_softmax.md")
    text = path.read_text("utf-8").replace("60.6%", "61.9%", 1)
    assert not any("61.9%" in one for one in shown(path, text))


def test_of_a_phrase_that_is_said_twice_none_is_held():
    script = (
        'ALT = """Of 12 keys. Of 12."""\n\ndef numbers():\n    return {"Of 12": n}\n'
    )
    assert shown(Path("figures/x.py"), script) == []


def test_the_function_numbers_holds_a_caption():
    script = 'ALT = """Of 12 keys."""\n\ndef numbers():\n    return {"Of 12": n}\n'
    assert shown(Path("figures/x.py"), script)[0] == "Of 12"


def test_other_files_and_broken_pages_are_held_by_nothing():
    assert held.spans(Path("chapters/references.bib"), "1") == []
    assert held.spans(Path("chapters/x.md"), "---\na: b\n") == []

"""What a reader sees of a file: regions in their places, all else blank."""

import re
from pathlib import Path

import pytest

from booktools import ROOT
from booktools.content import prose, regions

PAGE = """---
kernelspec: {name: python3}
attnbook: {minutes: 25}
---

# Title 1

Text 2, `code 3`, {cite:t}`key2004`, section 4 and `5`. [Six](figure:dot?k=6) or
[seven](https://example.org/7), [eight](08_masks.ipynb).

1. item <!-- 9 --> <img width="10" alt="eleven 11">

```{code-cell} ipython3
x = 12
plot("ää", alt="an ä " "picture of 13")
```

```sh
make 14
```
"""


def seen(path, text):
    """(field, what its mask shows) of each region that shows a digit or a word."""
    return [
        (region.field, region.mask.replace(prose.BLANK, "").strip())
        for region in regions.regions(Path(path), text)
    ]


def test_a_page_shows_its_prose_without_code_addresses_and_marks():
    prose = [text for field, text in seen("page.md", PAGE) if field == "prose"]
    whole = " ".join(prose)
    assert re.findall(r"\d+", whole) == ["1", "2", "4", "11", "13"]
    assert "[Six]" in whole and "item" in whole and "1." not in whole


def test_code_spans_states_and_addresses_are_regions_of_their_own():
    found = seen("page.md", PAGE)
    assert [text for field, text in found if field == "code"] == ["code 3", "5"]
    assert ("state", "figure:dot?k=6") in found
    assert ("address", "https://example.org/7") in found


def test_an_alternative_text_in_code_is_found_in_its_place():
    (region,) = [r for r in regions.regions(Path("p.md"), PAGE) if "13" in r.mask]
    there = PAGE[region.start : region.start + len(region.mask)]
    assert there == '"an ä " "picture of 13"'


QUESTIONS = """chapter = "97"

[[predict]]
name = "one"
kind = "number"
prompt = '''
How many 1?
'''
answer = "2 * 3"
digits = 4
reason = "So 5."
[[predict.wrong]]
says = "six"
value = "7"

[[quiz]]
name = "two"
prompt = "Which?"
[[quiz.choices]]
text = "8"
right = true
reason = "9"
[[quiz.choices]]
text = "10"
reason = "11"
"""


def test_the_fields_of_a_question_are_told_apart():
    assert seen("q.toml", QUESTIONS) == [
        ("prompt", "How many 1?"),
        ("answer", "2 * 3"),
        ("reason", "So 5."),
        ("says", "six"),
        ("answer", "7"),
        ("prompt", "Which?"),
        ("right choice", "8"),
        ("reason", "9"),
        ("wrong choice", "10"),
        ("reason", "11"),
    ]


def test_words_of_a_figure_lose_their_placeholders():
    words = '{"a": {"b": "half of {n:,d} keys"}}'
    assert seen("figures/f/en.json", words) == [("words", "half of  keys")]


def test_a_bibliography_shows_fields_not_keys():
    text = "@article{a2020b,\n  year    = {2021},\n  volume = {3},\n}\n"
    assert seen("r.bib", text) == [("source year", "2021"), ("source volume", "3")]


def test_a_caption_is_the_alt_of_its_script():
    assert seen("f.py", 'N = 3\nALT = """Four 5"""\n')[0][1].strip('"') == "Four 5"


def test_marks_of_an_exercise_are_no_text():
    text = "# a title\n\nText 1.\n\n## Hints\n\n### two_2\n\nHint 3.\n"
    (region,) = regions.regions(Path("bank/05/x/en.md"), text)
    assert "2" not in region.mask and "3" in region.mask and region.field == "exercise"


@pytest.fixture
def here(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_every_region_lies_on_its_text(here):
    for path in regions.files():
        text = path.read_text("utf-8")
        for region in regions.regions(path, text):
            for i, sign in enumerate(region.mask):
                assert sign in (prose.BLANK, text[region.start + i]), path


def test_pages_that_a_program_makes_are_left_out(here):
    names = {path.name for path in regions.files()}
    assert {"README.md", "12_cost.md", "references.bib", "05_shadow.py"} <= names
    assert not {"api.md", "mask_semantics.md"} & names

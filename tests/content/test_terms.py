"""Each technical term is explained before it is used."""

from pathlib import Path

import pytest

from booktools import ROOT
from booktools.content import terms
from booktools.content.skeleton import Chapter

PAGE = """# Notation

## Terms

Each is explained.

| term | meaning | explained in |
|---|---|---|
| entropy | How evenly weight is spread. | [chapter 4](04_softmax.ipynb) |
| head, heads | One of several attentions. | [chapter 10](10_heads.ipynb) |
"""
ENTROPY, HEAD = terms.read(PAGE)


def test_the_table_is_read():
    assert ENTROPY == ("entropy", (), "How evenly weight is spread.", "04_softmax")
    assert HEAD.forms == ("heads",)
    assert HEAD.anchor == "term-head"


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("# Notation", "no table of terms"),
        (PAGE.replace("(04_softmax.ipynb)", "(api.md)"), "got .*entropy"),
        (PAGE.replace("| head, heads |", "| head, heads | more |"), "got .*heads"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(page, message):
    with pytest.raises(ValueError, match=message):
        terms.read(page)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The *entropy* falls. Low entropy is sharp.", None),
        ("The **Shannon entropy** falls.", None),
        ("Low entropy: *entropy* is a spread.", "Low entropy: *entropy*"),
        ("the low\nentropy of it", "the low entropy of it"),
        ("Entropy, an *idea*.", "Entropy, an"),
        ("negentropy, entropy-like", None),
        ("nothing of it", None),
    ],
)
def test_the_first_use_stands_in_emphasis(text, words):
    said = terms.unexplained(ENTROPY, text)
    assert said == words if words is None else words in said


def test_all_forms_of_a_term_are_known():
    assert terms.unexplained(HEAD, "with heads and a *head*")
    assert terms.unexplained(HEAD, "several *heads* and a head") is None


CHAPTER = """---
attnbook:
  mirrors: [A4]
---

# On heads and entropy

**Question.** What is entropy?

**What you'll learn.** After this chapter you can

- tell the entropy of a row
  from its heads;
- stop.

A row.

$$
\\mathrm{entropy}(w)
$$

## The entropy

<details><summary>Going deeper</summary>
entropy
</details>

```{code-cell} ipython3
predict("low")
```

Then `entropy`.

## Exercises

Find the entropy.
"""


@pytest.fixture
def chapter(tmp_path):
    """Return a function that writes a chapter and checks it."""

    def check(name, text, questions):
        running = terms.running_text(Chapter(tmp_path / name, text), questions)
        return terms.unexplained(ENTROPY, running)

    return check


class Question:
    """A prediction, as far as it is read here."""

    choices = ()

    def __init__(self, prompt):
        self.prompt = prompt


def test_headings_aims_formulas_folds_code_and_exercises_may_name_what_is_to_come(
    chapter,
):
    asked = {"low": Question("Which one?")}
    assert chapter("04_softmax.md", CHAPTER, asked) is None


def test_a_prediction_may_not(chapter):
    asked = {"low": Question("Which entropy?")}
    assert "Which entropy?" in chapter("04_softmax.md", CHAPTER, asked)
    here = CHAPTER.replace("A row.", "Its *entropy* is how evenly it is spread.")
    assert chapter("04_softmax.md", here, asked) is None


@pytest.mark.parametrize(
    ("name", "count"), [("03_first.md", 1), ("04_softmax.md", 1), ("05_later.md", 0)]
)
def test_a_term_is_explained_in_its_chapter_and_before(tmp_path, name, count):
    path = tmp_path / name
    path.write_text(CHAPTER.replace("A row.", "A row of low entropy."))
    assert len(terms.problems([path], [ENTROPY])) == count


def test_a_draft_is_left_alone(tmp_path):
    path = tmp_path / "03_draft.md"
    text = CHAPTER.replace("A row.", "A row of low entropy.")
    path.write_text(text.replace("mirrors: [A4]", "draft: true"))
    assert terms.problems([path], [ENTROPY]) == []


def test_the_books_own_terms_stand_in_finished_chapters():
    table = terms.table_of(ROOT)
    names = [form.lower() for term in table for form in (term.name, *term.forms)]
    assert len(names) == len(set(names))
    for term in table:
        path = ROOT / "chapters" / f"{term.chapter}.md"
        chapter = Chapter(path, path.read_text(encoding="utf-8"))
        shown = terms.running_text(chapter, {})
        assert term.pattern().search(shown), f"{path.name} never says {term.name}"
        assert len(term.meaning.split()) <= 25


def test_no_chapter_uses_a_term_before_it_is_explained(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert terms.problems(sorted(Path("chapters").glob("[0-9]*.md"))) == []


def test_a_book_without_a_page_of_notation_has_no_terms(tmp_path):
    assert terms.table_of(tmp_path) == []
    assert len(terms.table_of(ROOT)) > 20

import numpy as np
import pytest

from booktools.content import mask_semantics
from booktools.content.mask_semantics import Case, Refused

HEADS = "`MultiheadAttention`, {}, {}, {} heads"


@pytest.fixture(scope="module")
def answers():
    return mask_semantics.cells()


def cell(answers, question, library):
    (found,) = (v for k, v in answers.items() if k[1:] == (library, question))
    return found


def test_the_page_says_what_the_libraries_do(answers):
    text = mask_semantics.PAGE.read_text(encoding="utf-8")
    assert mask_semantics.changes(mask_semantics.parse(text), answers) == []
    assert text == mask_semantics.page(answers)


def test_a_changed_cell_fails_the_check_with_the_old_and_the_new_value(
    answers, monkeypatch, tmp_path, capsys
):
    page = tmp_path / "page.md"
    text = mask_semantics.page(answers)
    monkeypatch.setattr(mask_semantics, "PAGE", page)
    monkeypatch.setattr(mask_semantics, "cells", lambda: answers)

    page.write_text(text, encoding="utf-8")
    assert mask_semantics.main(["--check"]) == 0
    assert capsys.readouterr().out == ""

    page.write_text(text.replace("keys 0, 1 and 2", "key 7", 1), encoding="utf-8")
    assert mask_semantics.main(["--check"]) == 1
    said = capsys.readouterr().out
    assert "Causal masks / `attnbook.attention` / `n_q = 2, n_k = 4`" in said
    assert "was 'key 7', is 'keys 0, 1 and 2'" in said
    assert mask_semantics.COMMAND in said

    page.write_text(text.replace("filled in by", "guessed"), encoding="utf-8")
    assert mask_semantics.main(["--check"]) == 1
    page.unlink()
    assert mask_semantics.main(["--check"]) == 1
    assert "was '(no cell)'" in capsys.readouterr().out
    assert mask_semantics.main([]) == 0
    assert page.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("question", "library", "expected"),
    [
        ("True in a boolean mask", "`attnbook.attention`", "may attend"),
        ("True in a boolean mask", "`scaled_dot_product_attention`", "may attend"),
        (
            "True in a boolean mask",
            HEADS.format("train", "weights", "odd"),
            "hidden",
        ),
        ("0/1 integers", "`attnbook.attention`", "refused: TypeError"),
        ("output, boolean mask", "`attnbook.attention`", "zeros"),
        ("output, boolean mask", HEADS.format("train", "weights", "even"), "NaN"),
        ("output, boolean mask", HEADS.format("train", "no weights", "even"), "zeros"),
        ("output, boolean mask", HEADS.format("eval", "no weights", "even"), "NaN"),
        ("`n_q = 2, n_k = 4`", "`attnbook.attention`", "keys 0, 1 and 2"),
        ("`n_q = 2, n_k = 4`", "`scaled_dot_product_attention`", "key 0"),
        ("hidden value", "`attnbook.attention`", "no influence"),
        ("hidden value", "`scaled_dot_product_attention`", "NaN in the output"),
        (
            "flag beside a mask",
            HEADS.format("train", "weights", "even"),
            "the mask alone",
        ),
        (
            "flag beside a mask",
            HEADS.format("train", "no weights", "even"),
            "the flag alone",
        ),
    ],
)
def test_facts_that_the_book_states(answers, question, library, expected):
    assert cell(answers, question, library) == expected


def test_no_answer_is_left_open(answers):
    assert len(answers) == len(mask_semantics.LIBRARIES) * 15
    assert not [key for key, value in answers.items() if value in ("?", "", None)]


def test_what_was_seen_is_read_off_the_average():
    assert mask_semantics.seen(np.float32(2.0), 3) == "key 1"
    assert mask_semantics.seen(np.float32(7 / 3), 3) == "keys 0, 1 and 2"
    assert mask_semantics.seen(np.float32(0), 3) == "no key"
    assert mask_semantics.seen(np.float32("nan"), 3) == "NaN"
    assert mask_semantics.seen(np.float32(1.1), 3) == "unequal weights"


class Wrong:
    """A library that has each habit that the questions ask about."""

    name = "wrong"

    def run(self, case):
        if case.causal and case.mask is not None:
            raise Refused("refused: ValueError")
        V = 2.0 ** np.arange(case.n_k)
        mask = np.ones((case.n_q, case.n_k)) if case.mask is None else case.mask
        if mask.dtype.kind == "i":
            mask = mask == 0
        output = (mask * V).sum(axis=1) / mask.sum(axis=1).clip(1)
        output[mask.sum(axis=1) == 0] = V.mean()
        gradient = np.full(case.n_k, np.nan)
        return output, (gradient, np.zeros(1), gradient)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (mask_semantics.numbers_mean(np.int64), "1 = hidden"),
        (mask_semantics.numbers_mean(np.float32), "1 = may attend"),
        (mask_semantics.infinity_means, "does not hide"),
        (mask_semantics.dead_values("bool"), "average of all"),
        (mask_semantics.dead_gradients("bool"), "NaN for Q, V"),
        (mask_semantics.causal_sees(2, 4), "keys 0, 1, 2 and 3"),
        (mask_semantics.causal_and_mask, "refused: ValueError"),
        (mask_semantics.hidden_nan(nan_keys=(2,)), "no influence"),
    ],
)
def test_questions_can_have_other_answers(question, expected):
    with np.errstate(all="ignore"):
        assert mask_semantics.answer(question, Wrong()) == expected


def test_nan_is_put_where_the_case_says():
    case = Case(1, 3, nan_keys=(1,), nan_values=(2,))
    Q, K, V = mask_semantics.arrays(case, 2)
    assert Q.shape == (1, 8) and not Q.any()
    assert np.isnan(K).all(axis=1).tolist() == [False, True, False]
    assert np.isnan(V).all(axis=1).tolist() == [False, False, True]

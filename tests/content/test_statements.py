"""Formulas of a text: where they stand, what they state, which of it is a result."""

import pytest

from attnbook.statements import Statement, find_formulas, results, statements


def test_formulas_are_found_inline_and_displayed():
    text = "cost $8nd^2$, a\n\n$$\nx = 1 .\n$$\n\n5\\$ and $a$\nor $b\n+ c$, 7$ 8"
    assert [one.tex for one in find_formulas(text)] == [
        "8nd^2",
        "x = 1 .",
        "a",
        "b\n+ c",
    ]
    first = find_formulas(text)[0]
    assert text[first.start : first.end] == "$8nd^2$"


@pytest.mark.parametrize(
    ("tex", "found"),
    [
        ("a = b", [Statement(("a", "b"), ("=",))]),
        (r"a = b \le 1/2 .", [Statement(("a", "b", "1/2"), ("=", "<="))]),
        (r"f(a = b)", [Statement(("f(a = b)",), ())]),
        (r"\sum_{j = 1} w_j", [Statement((r"\sum_{j = 1} w_j",), ())]),
        (
            r"E = 0, \qquad V = d_k .",
            [Statement(("E", "0"), ("=",)), Statement(("V", "d_k"), ("=",))],
        ),
        (
            r"a > 1,\qquad\text{so}\qquad b \approx 2",
            [Statement(("a", "1"), (">",)), Statement(("b", "2"), ("~",))],
        ),
        ("a ≤ b", [Statement(("a", "b"), ("<=",))]),
    ],
)
def test_a_formula_is_split_into_statements(tex, found):
    assert statements(tex) == found
    assert statements(f"$${tex}$$") == found


RESULTS = [
    "8nd^2",
    "nd",
    "n^2",
    "4d",
    "n - 1",
    "n = 6d",
    "d_k = d/h",
    r"\sqrt{d_k}",
    r"\sqrt{512}",
    "1/d_k",
    "e^c",
    r"\ln n",
    "8192^2",
    r"\pm\sqrt d",
    "-w_i w_j",
    "(d, 4d)",
    r"\lVert q\rVert^2",
    r"1/\sum_j w_j^2",
    r"\mathrm{Var}(q\cdot k) = d_k",
    r"\mathbb{E}[q_i]\,\mathbb{E}[k_i] = 0",
    r"0\cdot\text{NaN}",
    r"-\infty - (-\infty)",
    r"dq = \text{scale}\cdot K^\top\, dS",
    r"q\cdot k = x\,M\,y^\top",
    "f(a + b) = f(a) f(b)",
    r"n_q - n_k",
]
NO_RESULTS = [
    "n",
    "d_{\\text{model}}",
    "z_1",
    r"\tilde S",
    r"\ln",
    r"\mathbb{E}",
    "QK^\\top",
    r"q\cdot k",
    "q_i k_i",
    "dX",
    r"x^\top W_Q^\top W_K\,y",
    r"\mathrm{tr}\,\Sigma_q",
    r"\partial f/\partial z_1",
    "S = QK^\\top",
    "q = xW_Q",
    "d_k = 512",
    "n = 8, 64, 512",
    r"\tau > 0",
    "i = j",
    "n = d",
    r"n_q \ne n_k",
    "p = 1/2",
    r"p = \tfrac12",
    r"z = (2,\; 1,\; 0.1,\; -0.5,\; -1)",
    r"d \in \{16, 64\}",
    "(n, d)",
    r"(1, \dots, 1)",
    "(d, 11008)",
    r"n\times n",
    r"512\times 64",
    "+1",
    r"-\infty",
    "-10^9",
    r"4.5\times10^{-5}",
    r"60\,\%",
    r"4\times",
    r"1/4",
    r"8\,\text{KiB}",
]


@pytest.mark.parametrize("tex", RESULTS)
def test_these_are_results(tex):
    assert len(results(tex)) == 1


@pytest.mark.parametrize("tex", NO_RESULTS)
def test_these_are_names_numbers_and_settings(tex):
    assert results(tex) == []

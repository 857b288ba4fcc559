"""The grammar of formulas: what it reads, what that is worth, what it refuses."""

import numpy as np
import pytest

from attnbook.formulas import FormulaError, code_name, evaluate, symbols

n, d, h = 7.0, 3.0, 2.0
W = np.array([0.1, 0.2, 0.7])
Z = np.array([2.0, -1.0, 0.5])
Q, K = np.array([1.0, 2.0, -2.0]), np.array([3.0, -1.0, 0.0])


@pytest.mark.parametrize(
    ("tex", "value"),
    [
        # numbers, and what TeX makes of digits without braces
        ("0.5", 0.5),
        (r"12{,}288", 12288),
        ("1,000", 1000),
        (r"\frac12", 0.5),
        (r"\tfrac{3}{4}", 0.75),
        ("2^{10}", 1024),
        ("2^3d", 8 * d),
        ("-3", -3),
        (r"\pm 4", 4),
        # products without a sign, from left to right
        ("8nd^2", 8 * n * d**2),
        ("2n^2d", 2 * n**2 * d),
        (r"h\cdot 2n^2\,d/h", 2 * n**2 * d),
        (r"n - d + h", n - d + h),
        ("-n^2", -(n**2)),
        ("n/d/h", n / d / h),
        (r"1/\sqrt d \cdot n", n / np.sqrt(d)),
        ("5/(4d)", 5 / (4 * d)),
        (r"\frac{n}{n + 6d}", n / (n + 6 * d)),
        (r"n \times d · h × 2", n * d * h * 2),
        # powers and roots
        ("d^{-1/4}", d**-0.25),
        (r"\sqrt[3]{n^3}", n),
        ("(n^2)^3", n**6),
        # functions take what stands beside them, up to the next sign or function
        (r"2\ln n", 2 * np.log(n)),
        (r"\sqrt{2\ln n}", np.sqrt(2 * np.log(n))),
        (r"\ln nd + 1", np.log(n * d) + 1),
        (r"\ln n \ln d", np.log(n) * np.log(d)),
        (r"\ln(n/d)h", np.log(n / d) * h),
        (r"\exp\left(-d\right)", np.exp(-d)),
        ("e^{n - d}", np.exp(n - d)),
        (r"\cos\pi", -1),
        (r"\max(n, d)", n),
        (r"\min\{n, d\}", d),
        # brackets of all sizes, lists
        (r"\bigl(n + d\bigr)[h]", (n + d) * h),
        (r"(1, 2, 0)\cdot(3, -1, 5)", 1),
        (r"\lvert d - n\rvert", n - d),
        # what is not finite
        (r"-\infty", -np.inf),
        (r"0\cdot\text{NaN}", np.nan),
        (r"-\infty - (-\infty)", np.nan),
    ],
)
def test_a_formula_of_numbers_is_worth(tex, value):
    given = {name: globals()[name] for name in symbols(tex)}
    np.testing.assert_allclose(evaluate(tex, **given), value, rtol=1e-14)


@pytest.mark.parametrize(
    ("tex", "value"),
    [
        (r"q\cdot k", Q @ K),
        (r"\lVert q\rVert^2", Q @ Q),
        (r"\lVert q - k\rVert", np.linalg.norm(Q - K)),
        (r"\sum_j w_j^2", (W**2).sum()),
        (r"1/\sum_{j} w_j^2", 1 / (W**2).sum()),
        (r"-\sum_i w_i \ln w_i", -(W * np.log(W)).sum()),
        (r"\sum_i w_i z_i - 1", W @ Z - 1),
        (r"\sum\lvert z_i\rvert", 3.5),
        (r"\sum_{j\ne i} w_j", 1 - W[1]),
        (r"\ln\sum_k e^{z_k}", np.log(np.exp(Z).sum())),
        (r"w_i(\delta_{ij} - w_j)", -W[1] * W[2]),
        (r"\delta_{ij}", 0),
        (r"e^{\max z}", np.exp(2)),
    ],
)
def test_a_formula_of_vectors_is_worth(tex, value):
    values = {"q": Q, "k": K, "w": W, "z": Z, "i": 1, "j": 2}
    np.testing.assert_allclose(evaluate(tex, **values), value, rtol=1e-14)


def test_a_function_is_applied_to_the_brackets_that_follow():
    assert evaluate("f(a)f(b)", f=np.exp, a=1, b=2) == pytest.approx(np.exp(3))
    assert evaluate(r"2f(a + b)\,a", f=np.exp, a=1, b=2) == pytest.approx(2 * np.exp(3))
    assert evaluate("f(a)", f=5, a=2) == 10


def test_symbols_have_the_names_of_the_code():
    assert code_name(r"d_{\text{model}}") == "d_model"
    assert code_name(r"\lambda") == "lambda_"
    tex = r"d_{\text{model}}\,\sigma^2 + \mu_q + h_{kv} + \text{rows} + z_1 + z_{12}"
    names = ["d_model", "sigma", "mu_q", "h_kv", "rows", "z_1", "z_12"]
    assert list(symbols(tex)) == names
    assert symbols("2e^{x}") == {"x": "number"}


def test_symbols_say_what_they_are():
    assert symbols(r"w_i\sum_{j\ne i} x_j") == {
        "w": "vector",
        "i": "index",
        "x": "vector",
    }
    assert symbols(r"q\cdot k") == {"q": "vector", "k": "vector"}
    assert symbols(r"n\cdot d") == {"n": "number", "d": "number"}
    assert symbols(r"\lVert q\rVert\cos\theta") == {"q": "vector", "theta": "number"}
    assert symbols(r"\mathrm{Var}[z]/\tau^3") == {"Var_z": "quantity", "tau": "number"}
    assert symbols(r"\mathbb{E}[q\cdot k]") == {"E_q_k": "quantity"}


@pytest.mark.parametrize(
    ("tex", "what"),
    [
        ("1/2n", "may be read in two ways"),
        ("2^10", "a number after a factor"),  # TeX raises the first digit only
        ("n2", "a number after a factor"),
        (r"K^\top", r"\top"),
        (r"\frac{d}{d\beta}\ln Z", "a derivative"),
        (r"\frac{dH}{d\tau}", "a derivative"),
        (r"\frac{\partial w_i}{\partial z_j}", r"\partial"),
        (r"q_1 + \dots", r"\dots"),
        ("f'(x)", "a prime"),
        (r"\sum_{i=1}^n w_i", "'='"),
        (r"\sum w^2", "a sum over i of what has no entry i"),
        (r"\ln^2 n", "'^' after"),
        ("x_{i+1}", "the subscript '+'"),
        ("(n + d", "the end"),
        ("n +", "an end too early"),
        ("n = d", "'='"),
        ("", "an end too early"),
        (r"\mathrm{Var}[z", "never closes"),
    ],
)
def test_what_is_outside_of_the_grammar_is_named(tex, what):
    with pytest.raises(FormulaError, match="outside of the grammar") as caught:
        symbols(tex)
    assert what in str(caught.value)


def test_a_symbol_without_a_value_is_named():
    with pytest.raises(FormulaError, match=r"'nd' needs a value for d"):
        evaluate("nd", n=1)

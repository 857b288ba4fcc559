"""Formulas against code and against each other, at random points."""

import re

import numpy as np
import pytest

import attnbook as ab
from attnbook.formulas import FormulaError
from attnbook.statements import statements
from attnbook.trials import (
    counterexample,
    definition,
    equal,
    mismatch,
    over,
    proved,
)


def cost(n, d):
    return ab.attention_cost(n, n, d, d, d_model=d)


def angle(q, k):
    return np.arccos(q @ k / np.linalg.norm(q) / np.linalg.norm(k))


# formula, the code, and in how many places a digit or a sign may be changed
BOUND = {
    "8nd^2": lambda n, d: cost(n, d).projections.flops,
    "4n^2d": lambda n, d: cost(n, d).products.flops,
    "24nd^2 + 4n^2d": lambda n, d: (
        3 * cost(n, d).projections.flops + cost(n, d).products.flops
    ),
    r"\text{share} = \frac{n}{n + 6d}": lambda n, d: (
        cost(n, d).products.flops
        / (3 * cost(n, d).projections.flops + cost(n, d).products.flops)
    ),
    "n = 6d": lambda d: next(
        n
        for n in range(1, 1000)
        if cost(n, d).products.flops >= 3 * cost(n, d).projections.flops
    ),
    "1/\\sum_j w_j^2": lambda w: ab.effective_keys(w),
    r"H = -\sum_i w_i \ln w_i": lambda w: ab.entropy(w),
    r"w_i(\delta_{ij} - w_j)": lambda w, i, j: ab.softmax_jacobian(w)[i, j],
    r"w_i = \frac{e^{z_i}}{\sum_j e^{z_j}}": lambda z, i: ab.softmax(z)[i],
    r"d_k(1 + \mu_q^2 + \mu_k^2)": lambda d_k, mu_q, mu_k: sum(
        (1 + mu_q**2) * (1 + mu_k**2) - mu_q**2 * mu_k**2 for _ in range(d_k)
    ),
    r"\lVert q - k\rVert^2": lambda q, k: (q - k) @ (q - k),
    "(d, 4d)": lambda d: np.empty((d, d)).repeat(4, axis=1).shape,
    "e^{32}": lambda: np.prod(np.full(32, np.e)),
}


@pytest.mark.parametrize("tex", BOUND)
def test_a_formula_agrees_with_its_code(tex):
    (statement,) = statements(tex)
    assert mismatch(statement, BOUND[tex]) == ""


def changes(tex):
    # each digit one higher, each sign turned over
    for found in re.finditer(r"\d|[-+]", tex):
        old = found[0]
        new = {"+": "-", "-": "+"}.get(old) or str((int(old) + 1) % 10)
        yield tex[: found.start()] + new + tex[found.end() :]


@pytest.mark.parametrize("tex", BOUND)
def test_any_changed_digit_exponent_or_sign_disagrees(tex):
    tried = list(changes(tex))
    assert tried or tex == r"w_i = \frac{e^{z_i}}{\sum_j e^{z_j}}"
    missed = [new for new in tried if mismatch(statements(new)[0], BOUND[tex]) == ""]
    assert missed == []


@pytest.mark.parametrize(
    ("tex", "code"),
    [
        (
            r"\frac{w_i}{w_j} = e^{(z_i - z_j)/\tau}",
            over(
                lambda z, i, j, tau: np.exp(z[i] / tau) / np.exp(z[j] / tau),
                w=lambda z, tau: ab.softmax(z / tau),
            ),
        ),
        ("f(a + b) = f(a)f(b)", over(lambda a, b: np.exp(a + b), f=lambda: np.exp)),
        (r"q\cdot k = \lVert q\rVert\,\lVert k\rVert\cos\theta",
         over(lambda q, k: (q * k).sum(), theta=angle)),
        ("d_k = d/h", over(lambda d, h: ab.split_heads(np.ones((2, d)), h).shape[-1],
                           d=[24, 48], h=[2, 4])),
        (r"x^\top J x = \sum_i w_i x_i^2 - \bigl(\sum_i w_i x_i\bigr)^2",
         lambda w, x: x @ ab.softmax_jacobian(w) @ x),
        (r"\mathrm{Var}(q\cdot k) = d_k", lambda d_k: sum([1] * d_k)),
        (r"0\cdot\text{NaN}", lambda: np.float64(0) * np.nan),
        (r"2w_i(1 - w_i) \le 1/2",
         lambda w, i: np.abs(ab.softmax_jacobian(w)[i]).sum()),
    ],
)  # fmt: skip
def test_more_that_code_can_be_bound_to(tex, code):
    (statement,) = statements(tex)
    assert mismatch(statement, code) == ""


def test_every_side_and_every_relation_counts():
    def row(w, i):
        return np.abs(ab.softmax_jacobian(w)[i]).sum()

    for false in (r"2w_i(1 - w_i) \le 1/9", r"3w_i(1 - w_i) \le 1/2"):
        assert mismatch(statements(false)[0], row)
    ratio = over(lambda z, i, j: np.exp(z[i]) / np.exp(z[j]), w=lambda z: ab.softmax(z))
    assert mismatch(statements(r"\frac{w_i}{w_j} = e^{z_i - z_j}")[0], ratio) == ""
    assert mismatch(statements(r"\frac{w_j}{w_i} = e^{z_i - z_j}")[0], ratio)


def test_the_message_has_the_point_the_text_and_the_code():
    said = mismatch(statements("9nd^2")[0], lambda n, d: 8 * n * d * d)
    found = re.fullmatch(
        r"at n = (\d+), d = (\d+) the text gives (\d+)\., the code computes (\d+)", said
    )
    n, d, text, code = map(int, found.groups())
    assert text == 9 * n * d * d
    assert code == 8 * n * d * d
    assert mismatch(statements("e^3")[0], lambda: 3.0).startswith("the text gives 20.")


def test_a_value_may_be_bounded_or_measured():
    (root,) = statements(r"\sqrt{2\ln n}")
    assert mismatch(root, ab.expected_max, relation="<") == ""
    assert "the code computes" in mismatch(root, ab.expected_max, relation=">")
    near = {"tolerance": 0.02}
    assert mismatch(root, lambda n: 1.01 * np.sqrt(2 * np.log(n)), **near) == ""
    assert mismatch(root, lambda n: 1.03 * np.sqrt(2 * np.log(n)), **near)


@pytest.mark.parametrize(
    ("tex", "code", "said"),
    [
        ("nd", lambda n: n, "'nd' has d, which the function does not take"),
        ("nd", lambda n, d, h: n, "'nd' has no symbol h"),
        (r"K^\top dS", lambda n: n, "name its test"),
        (
            r"\mathbb{E}[x^3] = 1",
            over(lambda: 1.0, E_x_2=lambda: 1.0),
            r"has no symbol E_x_2",
        ),
        ("3g", lambda g: g, "no domain is known for g"),
        (r"\ln(-n^2)", lambda n: n, "no value at nearly all points"),
    ],
)
def test_what_does_not_fit_is_refused(tex, code, said):
    with pytest.raises(FormulaError) as caught:
        mismatch(statements(tex)[0], code)
    assert said in str(caught.value)


def test_domains_are_kept():
    seen = []

    def look(n, x, g, both):
        seen.append((n, x, g, both))
        return n

    code = over(look, n=(3, 5), x=(0.5, 1), g=["a", "b"], both=lambda n: 2 * n)
    assert mismatch(statements("n")[0], code) == ""
    for n, x, g, both in seen:
        assert isinstance(n, int) and 3 <= n <= 5 and both == 2 * n
        assert 0.5 <= x <= 1 and g in ("a", "b")


TRUE = [
    "2n^2d + 2n^2d = 4n^2d",
    r"\sqrt{4096} = 64",
    r"\sqrt{512} \approx 22.6",
    r"\sqrt{512} = 22.63",
    r"\sqrt{512} \approx 23",
    "e^{a+b} = e^a e^b",
    r"\ln e^a = a",
    r"\ln(xy) = \ln x + \ln y",
    r"\sqrt d\cdot\sqrt d\cdot 1/\sqrt d = \sqrt d",
    r"\lVert q - k\rVert^2 = \lVert q\rVert^2 + \lVert k\rVert^2 - 2\,q\cdot k",
    r"w_i(1 - w_i) + w_i\sum_{j\ne i} w_j = 2w_i(1 - w_i) \le 1/2",
    r"p(1 - p) \le \tfrac14 < 1",
    r"(1, 2, 0)\cdot(3, -1, 5) = 1",
    r"e^0 = 1 \ne 2",
]
FALSE = [
    "2n^2d + 2n^2d = 5n^2d",
    r"\sqrt{4096} = 63",
    r"\sqrt{512} \approx 22.5",
    r"\sqrt{512} = 22.7",
    "e^{a+b} = e^a + e^b",
    r"\ln(xy) = \ln x - \ln y",
    r"p(1 - p) \le \tfrac15",
    "4n^2d = 8nd^2",
    r"2^{10} = 1023",
]


@pytest.mark.parametrize("tex", TRUE)
def test_a_true_equation_is_tried_and_holds(tex):
    assert counterexample(statements(tex)[0]) == (True, "")


@pytest.mark.parametrize("tex", FALSE)
def test_a_false_equation_has_a_counterexample(tex):
    tried, said = counterexample(statements(tex)[0])
    assert tried
    assert "its sides are" in said


@pytest.mark.parametrize("tex", [one for one in TRUE if "ne 2" not in one])
def test_any_changed_digit_of_an_equation_is_noticed(tex):
    kept = [r"p(1 - p)", r"\approx", "le 1/2", "2, 0)"]  # bounds, rounded, times 0
    for new in changes(tex):
        if not any(one in tex for one in kept):
            assert counterexample(statements(new)[0])[1], new


@pytest.mark.parametrize(
    "tex",
    [
        "n = 6d",
        r"c = 1/\tau",
        r"\frac{w_i}{w_j} = e^{z_i - z_j}",
        r"w_1 = \sigma(z_1 - z_2)",
        r"x^\top J x = \sum_i w_i x_i^2",
        "f(a + b) = f(a)f(b)",
        r"\mathrm{Var}(q\cdot k) = d_k",
        r"x \in 2y",
        "8nd^2",
    ],
)
def test_what_needs_code_is_not_tried(tex):
    assert counterexample(statements(tex)[0]) == (False, "")


def test_equal_expressions():
    assert equal("2n^2d + 2n^2d", "4n^2d")
    assert not equal("4n^2d", "4nd^2")


def test_a_proof_names_a_test():
    assert proved("tests/test_trials.py::test_equal_expressions").test.endswith("ions")
    for wrong in ("test_x", "src/a.py::test_x", "tests/a.py::x", "tests/a.py", None):
        with pytest.raises(ValueError, match="proved needs"):
            proved(wrong)
    assert repr(definition) == "definition"


def test_a_parameter_with_a_default_keeps_it():
    def spread(d, times=2, *, seed=7):
        return times * d if seed == 7 else 0

    assert mismatch(statements("2d")[0], spread) == ""
    assert mismatch(statements("3d")[0], over(spread, times=[3])) == ""
    assert mismatch(statements("d^2")[0], lambda d, n=5: d * d) == ""


def test_a_value_of_another_shape_disagrees():
    (square,) = statements("(d, 4d)")
    assert mismatch(square, lambda d: (d, 4 * d)) == ""
    assert mismatch(statements("d")[0], lambda d: np.full(3, d))

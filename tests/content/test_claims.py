"""Numbers of the text: how they are read, and when a value agrees with one."""

import numpy as np
import pytest

import attnbook as ab
from attnbook.claims import (
    claims,
    comparison,
    defined,
    definition,
    find_numbers,
    key_numbers,
    key_statements,
    over,
    proved,
    quoted,
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("22.6", [22.6]),
        ("1,500 words, 134{,}217{,}728 bytes", [1500, 134217728]),
        ("8, 64, 512", [8, 64, 512]),
        ("-0.5, (−0.5) and d-0.5", [-0.5, -0.5, 0.5]),
        ("4.54e-5", [4.54e-5]),
        (
            r"$4.5\times10^{-5}$ or 4.5×10⁻⁵ or $4.5 \cdot 10^{5}$",
            [4.5e-5, 4.5e-5, 4.5e5],
        ),
        ("$10^{-3}$ and 10^5", [1e-3, 1e5]),
        (r"1/4, \frac{1}{4}, \tfrac14", [0.25, 0.25, 0.25]),
        (r"60 %, 60%, $60\,\%$, 60 percent", [0.6, 0.6, 0.6, 0.6]),
        ("128 MiB, 24KiB, 3 GB", [128 * 2**20, 24 * 2**10, 3e9]),
        ("4x, 4× and 10ms", [4, 4, 10]),
        ("64 x 64", [64, 64]),
        ("0.55-0.65 and 1–2", [0.55, 0.65, 1, 2]),
        (r"x^{1.98}", [1.98]),
        (r"d_2 x_{12} n^2 n^{2} n^-2 float16 2d 4x4 B2 W1", []),
        ("2.13.0", []),
        (r"0/0 and 1/0, \frac{1}{0}", [0, 0, 1, 0, 1, 0]),
        ("ends in 5. Then", [5]),
    ],
)
def test_numbers_are_read_as_printed(text, values):
    np.testing.assert_allclose([n.value for n in find_numbers(text)], values)


def test_a_number_knows_its_place_and_its_last_digit():
    (number,) = find_numbers("about 22.60 keys")
    assert "about 22.60 keys"[number.start : number.end] == "22.60"
    assert number.step == pytest.approx(0.01)
    assert find_numbers("4.5e-5")[0].step == pytest.approx(1e-6)
    assert find_numbers("60 %")[0].step == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("about 5", "~"),
        (r"$\approx 5$", "~"),
        ("at most **5**", "<="),
        (r"$x \le 5$", "<="),
        ("more than $5$", ">"),
        ("less than 5", "<"),
        ("x < 5", "<"),
        ("at least 5", ">="),
        ("thereabout 5", ""),
        (r"\left(5", ""),
        ("is 5", ""),
    ],
)
def test_the_comparison_before_a_number(text, name):
    assert comparison(text, find_numbers(text)[-1]) == name


@pytest.mark.parametrize(
    ("phrase", "value"),
    [
        ("22.6", np.sqrt(512)),
        ("22.63", np.sqrt(512)),
        ("typically 16", (16.4, 0.05)),
        ("about 200 keys", (190.5, 0.05)),
        ("about 200 keys", (150.0, 0.5, "the order of magnitude is the point")),
        ("at most 24 MiB", 20 * 2**20),
        ("less than 3", 2.99),
        ("more than 3", 3.01),
        ("at least 3", 3),
        ("60 %", 0.604),
        ("128 MiB", 134217728),
        ("2 to 4", 3.2),
        ("between 0.55 and 0.65", 0.55),
        ("0.335 ± 0.015", 0.348),
        ("60 to 70 %", 0.65),
        ("[0.356, 0.333, 0.311]", np.array([0.3563, 0.3333, 0.3107])),
        ("| 64 | 8 | 16 |", [64, 8, 16]),
        (r"\tfrac14", 0.25),
        ("4.54e-5", 4.5396e-5),
        ("2, 0.5", quoted("C2")),
        ("64 samples", defined(64)),
        ("4 of 9.5", [defined(4), 9.5]),
        ("half of all", 0.497),
        ("about three times", (3.1, 0.05)),
        ("three times", 2.9),
        ("a quarter of its length", 1 / 4),
        ("one query 0.5", 0.5),
        ("one query 0.5", [1, 0.5]),
        ("more than half", 0.51),
        ("over a hundred", 153),
        ("hundreds of bytes", 512),
        ("it is 0", 1e-12),
        ("0 %", 0.004),
        ("ten percent", 0.1),
        ("1.6 of `keys[2]`", 1.6),
        ("[at 512](figure:explorer?d_k=64)", 512),
    ],
)
def test_a_right_claim_passes(phrase, value):
    claims({phrase: value})


@pytest.mark.parametrize(
    ("phrase", "value", "said"),
    [
        ("22.6", 22.66, "'22.6': the text says 22.6, the code computes 22.66"),
        ("22.6", np.nan, "nan"),
        ("1.6 keys", 1.7, "1.7"),
        ("about 200 keys", (189.0, 0.05), "189"),
        ("about 200 keys", 198.0, "198"),
        ("at most 24 MiB", 25 * 2**20, "says <= 24 MiB, the code computes 25 MiB"),
        ("less than 3", 3, "< 3"),
        ("more than 3", np.inf, "inf"),
        ("at least 3", 2.999, ">= 3"),
        ("60 %", 0.606, "60.6 %"),
        ("60 %", 60, "a percentage as a fraction"),
        ("2 to 4", 4.6, "4.6"),
        ("0.335 ± 0.015", 0.352, "0.352"),
        ("60 to 70 %", 0.75, "75 %"),
        ("[0.356, 0.333, 0.311]", [0.3563, 0.3333, 0.3207], "0.3207"),
        (r"\tfrac14", 0.26, "0.26"),
        ("-0.5", 0.5, "says -0.5"),
        ("half of all", 0.52, "0.52"),
        ("a third of it", 0.25, "says a third"),
        ("about three times", (9.0, 0.05), "9"),
        ("more than half", 0.49, "> half"),
        ("over a hundred", 99, "99"),
        ("hundreds of bytes", 1500, "1500"),
        ("it is 0", 0.3, "0.3"),
        ("64 samples", defined(65), "65"),
    ],
)
def test_a_wrong_claim_fails_and_says_both_numbers(phrase, value, said):
    with pytest.raises(AssertionError, match="the text and the code differ") as caught:
        claims({phrase: value})
    assert said in str(caught.value)


def test_all_wrong_claims_are_named_at_once():
    with pytest.raises(AssertionError) as caught:
        claims({"1.5 a": 2, "2.5 b": 2.5, "3.5 c": 1})
    assert "'1.5 a'" in str(caught.value)
    assert "'3.5 c'" in str(caught.value)
    assert "'2.5 b'" not in str(caught.value)


@pytest.mark.parametrize(
    ("phrase", "value", "error", "said"),
    [
        ("no digit", 1, ValueError, "a key needs a number"),
        ("only `d[2]`", 2, ValueError, "a key needs a number"),
        ("1 and 2 and 3", [1, 2], ValueError, "has 3 numbers, its value 2"),
        ("1.5, 2.5", 1.5, ValueError, "has 2 numbers, its value 1"),
        ("200 keys", (200, 0.05), ValueError, "needs a word such as 'about'"),
        ("about 200", (200, 0.1), ValueError, "needs a reason, got 0.1"),
        ("about 200", (200, 0.1, " "), ValueError, "needs a reason"),
        ("about 200", (1, 2, 3, 4), ValueError, "a tuple is"),
        ("1.5", "1.5", TypeError, "real numbers, got '1.5'"),
        ("1.5", True, TypeError, "real numbers, got True"),
        ("1.5", quoted, TypeError, "needs its source"),
    ],
)
def test_a_claim_that_says_nothing_is_refused(phrase, value, error, said):
    with pytest.raises(error, match=r"key|tolerance|real|tuple|source") as caught:
        claims({phrase: value})
    assert said in str(caught.value)


@pytest.mark.parametrize("digit", range(10))
@pytest.mark.parametrize("place", [0, 1, 3])
def test_any_other_digit_fails(digit, place):
    printed = list("22.6")
    if printed[place] == str(digit):
        return
    printed[place] = str(digit)
    with pytest.raises(AssertionError, match="differ"):
        claims({"".join(printed): np.sqrt(512)})


def test_the_numbers_of_a_key_skip_code_and_addresses():
    phrase = "[at 512](figure:explorer?d_k=64) with `seed=3`"
    assert [number.text for number in key_numbers(phrase)] == ["512"]


@pytest.mark.parametrize("source", ["", " ", None, 5])
def test_quoted_needs_a_source(source):
    with pytest.raises(TypeError, match="quoted needs its source"):
        quoted(source)


# --- formulas


def projections(n, d):
    return ab.attention_cost(n, n, d, d, d_model=d).projections.flops


def shaken(n, d):
    return projections(n, d) * 1.01


@pytest.mark.parametrize(
    ("phrase", "value"),
    [
        ("4 projections cost $8nd^2$ FLOPs", projections),
        ("$$ 8nd^2 . $$", projections),
        ("about $8nd^2$", (shaken, 0.02)),
        ("is $8nd^2$", (shaken, 0.1, "a reason")),
        (r"stays below $\sqrt{2\ln n}$", over(lambda n: ab.expected_max(n))),
        (r"at least $\ln n$", lambda n: np.log(n)),
        ("| $nd$ | $8nd^2$ |", [lambda n, d: np.ones((n, d)).size, projections]),
        (r"$V = 2d, \qquad E = d^2$", [lambda d: d + d, definition]),
        ("at $n = d$", lambda d: d),
        ("$8nd^2$", definition),
        ("$8nd^2$", proved("tests/content/test_claims.py::test_right")),
    ],
)
def test_a_right_formula_passes(phrase, value):
    claims({phrase: value})


@pytest.mark.parametrize(
    ("phrase", "value", "said"),
    [
        ("cost $9nd^2$", projections, "'cost $9nd^2$': at n = 41, d = 31 the text"),
        ("about $8nd^2$", (shaken, 0.009), "the code computes"),
        ("about $8nd^2$", shaken, "the code computes"),
        (r"stays above $\sqrt{2\ln n}$", lambda n: ab.expected_max(n), "computes"),
        ("| $nd$ | $9nd^2$ |", [lambda n, d: n * d, projections], "354609"),
    ],
)
def test_a_wrong_formula_fails(phrase, value, said):
    with pytest.raises(AssertionError, match="the text and the code differ") as caught:
        claims({phrase: value})
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("phrase", "value", "said"),
    [
        ("8 FLOPs", projections, "a function binds a formula, there is none"),
        ("$nd$ and $2n$", lambda n, d: 1, "states 2 results, its value 1"),
        ("$8nd^2$", (shaken, 0.01), "a tolerance for a formula needs a reason"),
        ("about $8nd^2$", (shaken, 0.1), "a tolerance for a formula needs a reason"),
        ("$8nd^2$", lambda n: 1, "has d, which the function does not take"),
    ],
)
def test_a_formula_that_is_not_bound_well_is_refused(phrase, value, said):
    with pytest.raises(ValueError, match=r"formula|results|has d") as caught:
        claims({phrase: value})
    assert said in str(caught.value)


def test_a_key_states_its_results_or_else_all_it_has():
    sides = [said.sides for _, said in key_statements("of $d$, $2d$ and $n^2$")]
    assert sides == [("2d",), ("n^2",)]
    assert [said.sides for _, said in key_statements("at $n = d$")] == [("n", "d")]

"""Which numbers of the prose count: each rule with a case on either side of it."""

import pytest

from booktools.content.scope import code_names, in_scope

CLAIMS = [
    # decimals, percentages, powers of ten
    ("the share is 0.53 there", ["0.53"]),
    ("60 % of rows, 60% or 60 percent", ["60", "60", "60"]),
    (r"about $60\,\%$", ["60"]),
    (r"only $4.5\times10^{-5}$, 4.54e-5, 4.5×10⁻⁵", None),
    (r"below $10^{-3}$", ["10^{-3}"]),
    ("a weight of −0.5", ["−0.5"]),
    # units and factors
    ("128 MiB and 3 GFLOPs, 5 ms", ["128", "3", "5"]),
    ("2 nats, 16 bits, 3 standard errors", ["2", "16", "3"]),
    ("1 second but 1 key", ["1"]),
    (r"$8\,\text{KiB}$ a row", ["8"]),
    ("4 times as long, 4x, 4×, 4-fold, $4\\times$ more", ["4"] * 5),
    ("a factor of 8, a factor of $16$", ["8", "16"]),
    ("18 trillion operations", ["18"]),
    # comparisons
    ("about 200, nearly **7**, typically $16$", ["200", "7", "16"]),
    ("at most 64, at least 3, up to 5", ["64", "3", "5"]),
    ("more than 4, fewer than 9, less than 12", ["4", "9", "12"]),
    ("it exceeds 18 and stays below 30", ["18", "30"]),
    (r"$\mathrm{Var}(q) \approx 5$, ≈ 23, ≥ 2, < 7", ["5", "23", "2", "7"]),
    # results of formulas
    (r"$\sqrt{64} = 8$", ["8"]),
    (r"it equals 64", ["64"]),
    # headings, emphasis, quotes, folds, captions
    ("## A row of 0.5\n\n**0.6** and *0.7*", ["0.5", "0.6", "0.7"]),
    ("<details><summary>Going deeper: 2.5</summary>", ["2.5"]),
    ('![1.6 keys](a_2.5.png "Shows 3.5")', ["1.6", "3.5"]),
    ('<img src="1.5.png" alt="It is 2.5">', ["2.5"]),
    ("[at 0.5](page.ipynb)", ["0.5"]),
    ("> **Trap.** Not 0.7", ["0.7"]),
    ("| 0.25 | about 3 |", ["0.25", "3"]),
    ("{math}`2.5 x`", ["2.5"]),
]
WORDS = [
    ("half of all rows, twice as long, a third of them", ["half", "twice", "a third"]),
    ("nearly four times as much, tenfold", ["four", "ten"]),
    ("it doubles; lengths double and cosines halve", ["doubles", "double", "halve"]),
    ("more than three, at most five", ["three", "five"]),
    ("one in four, over a hundred FLOPs", ["one in four", "a hundred"]),
    ("below one FLOP for each byte", ["one"]),
    # 0 and 1 where they are results
    ("the weight is 0, the sum becomes 1", ["0", "1"]),
    ("the sum is one, and the last is zero.", ["one", "zero"]),
    ("weights add up to 1", ["1"]),
    ("it gives exactly $0$", ["0"]),
    (r"$e^0 = 1$ and $\mathrm{Var}(q) = 1$", ["1", "1"]),
    ("| what | got |\n|---|---|\n| a | 1 |\n| b | 0 |\n", ["1", "0"]),
    ("| what | got |\n|---|---|\n| a | none |\n", ["none"]),
]
SETTINGS = [
    ("three keys and four entries", ["three", "four"]),
    ("doubling all; Double the width, then halve it", ["doubling", "Double", "halve"]),
    ("the scores are doubled", ["doubled"]),
    ("with $d_k = 512$", ["512"]),
    (r"$d_{\text{model}} = 768$ and $\tau=0.1$", ["768", "0.1"]),
    ("with n = 512 in text", ["512"]),
    ("$n = 8, 64, 512$ and $8192$", ["8", "64", "512", "8192"]),
    (r"$d \in \{16, 64\}$", ["16", "64"]),
    (r"once $d_k > 18$ or $n \ge 2$", ["18", "2"]),
    ("64 keys, 8 heads and 3 random queries", ["64", "8", "3"]),
    ("ends at 65,504 there, 6516 before", ["65,504", "6516"]),
    (r"\begin{bmatrix} 2 & 1 \\ 0 & 3 \end{bmatrix}", ["2", "3"]),
    ("| $d_k$ | root |\n|---|---|\n| 64 | 8 |\n", ["64", "8"]),
    ("With $d = 512$ and 8 heads", ["512", "8"]),
]
FREE = [
    "two of 5 and 7",
    "two matrices, six steps, for two vectors, one query",
    "the key says that it is one. It is one of them, this is one that lasts",
    "half precision, double-check, a second",
    "one operation, zero times NaN",
    "$x = 0$, `0`, row 0, key 1 and $\\mu = 1$",
    "a mean that is not 0, no more than that",
    "| step | what |\n|---|---|\n| 1 | this |\n",
    "mean 0 and variance 1, at most 1, above 0, $x \\ge 0$, $n > 1$",
    "`0.5` and ``d = 512`` stay code",
    "```\n0.5\n```\n",
    "chapter 3.2, sections 3.1 and 3.2, § 4.5, eq. 2.1, table 4.5",
    "chapters 3.1, 3.2 to 3.4 and 3.5",
    "row 2 about key 12, step 3",
    "Python 3.11, NumPy 2.0, v1.5, version 2.5, CC BY 4.0, torch 2.13.0",
    "in 2017, (Vaswani et al., 2017), since 2024",
    "[text](https://x.org/1.5/2.5) and https://x.org/4.5",
    "[1]: https://x.org/1.5",
    "arXiv:1706.03762 and doi:10.1000/182.5",
    "owner/repo#12, PR #4.5 and #27114, #41508",
    "<!-- 0.5 of 60 % -->",
    "(label-1.5)=",
    "05 and 012",
    "on 2017-06-12",
    "A3, B2, D4, float16, W1, x_1, x_{12}, d2",
    r"$2d$, $4n$, $3 d_k$, $= 2 \ln n$, $> 2\sigma$, $= 3 + n$, $\le 2n$",
    r"$n^2 = n \cdot n$, $d^{2}$, $x_{12} = y$, $n^{10}$",
    "a 3 x 4 matrix, 3 × 4, $3 \\times 4$, 64 x 64",
    r"\tag{1.5} \\[0.5em] \hspace{1.5em}",
    "{cite}`name2017` and {ref}`fig 2.5`",
    "16-bit floats",
    "1. first\n2. second\n10. tenth",
    "| chapter | what |\n|---|---|\n| 5 | this |\n",
    "| step | what |\n|---|---|\n| 3 | this |\n",
    "| a | b |\n|---|---|\n| 5 of them | x |\n",
    "1/4 of the rows",
    "Jupyter Book 1.x",
    "at least 2-D, 512 x 512 blocks",
    "d_k > 2 ln n, d = 3 sqrt(n), n > 2 d_k, V -> [[3, 4]]",
    '<a href="x?v=0.5" class="w-2.5">text</a>',
    ":width: 50%",
]


@pytest.mark.parametrize(("text", "numbers"), WORDS)
def test_words_and_results_are_in_scope(text, numbers):
    found = in_scope(text)
    assert [one.text for one in found] == numbers
    assert not any(one.setting for one in found)


@pytest.mark.parametrize(("text", "numbers"), CLAIMS)
def test_claims_are_in_scope(text, numbers):
    found = in_scope(text)
    assert all(not one.setting for one in found)
    if numbers is not None:
        assert [one.text for one in found] == numbers
    assert len(found) == (3 if numbers is None else len(numbers))
    assert all(text[one.start : one.end] == one.text for one in found)


@pytest.mark.parametrize(("text", "numbers"), SETTINGS)
def test_settings_are_in_scope_as_settings(text, numbers):
    found = in_scope(text)
    assert [one.text for one in found] == numbers
    assert all(one.setting for one in found)


@pytest.mark.parametrize("text", FREE)
def test_the_rest_is_free(text):
    assert [(one.text, one.why) for one in in_scope(text)] == []


def test_a_setting_knows_the_names_of_code():
    assert in_scope("$d_k = 512$")[0].names[0] == "d_k"
    assert "temperature" in in_scope(r"$\tau = 2$")[0].names
    assert "n_heads" in in_scope("8 heads")[0].names
    assert in_scope("| $n_k$ |\n|---|\n| 64 |\n")[0].names[0] == "n_k"
    assert code_names(r"d_{\text{model}}") == ("d_model",)
    assert "d" in code_names("d_k")


def test_a_setting_with_a_unit_or_comparison_word_is_a_claim():
    assert not in_scope("$x = 5$ %")[0].setting
    assert not in_scope("about 64 keys")[0].setting
    assert not in_scope("| a |\n|---|\n| 50 % |\n")[0].setting


def test_values_are_those_printed():
    assert in_scope("60 %")[0].value == 60
    assert in_scope("128 MiB")[0].value == 128
    assert in_scope("1,500 rows")[0].value == 1500

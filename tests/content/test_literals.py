"""A literal is no computation: which values of claims are refused, and why."""

import ast

import pytest

from booktools.content.literals import RULE, Values

CODE = [
    "n = 64\npair = (2, 5)\ngrid = np.array([1.0, 2.0])\nx = f(n)",
    "for step in grid:\n    pass",
    "def g(n):\n    return 2 * n\n\ng(n, count=300, sizes=pair)",
]
CITED = frozenset({"brown2020language"})


def said(value, bound=()):
    node = ast.parse(value, mode="eval").body
    return Values(CODE, bound, [], CITED).problem(node)


@pytest.mark.parametrize(
    "value",
    [
        "22.6",
        "-1",
        "1 / 4",
        "64 * (1 + 1**2)",
        "[1, 2]",
        "(200, 0.05)",
        "n",
        "pair",
        "grid",
        "[n, x]",
        "[5, g(4)]",
        "np.array([1, 2])",
        "float(3)",
    ],
)
def test_a_literal_is_refused(value):
    assert said(value).startswith(RULE)


@pytest.mark.parametrize(
    "value",
    [
        "np.sqrt(512)",
        "x",
        "6 * n",
        "grid[0]",
        "(x, 0.05)",
        "len(pair)",
        "[4, g(4)]",
        "step",
        "unknown",
        "lambda n: 2 * n",
        'quoted("C2")',
        'quoted("brown2020language")',
        "defined(n)",
        "defined(300)",
        "defined(pair)",
        "[x, defined(300)]",
    ],
)
def test_what_is_computed_cited_or_defined_passes(value):
    assert said(value) is None


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("quoted", "quoted needs its source"),
        ("quoted()", "quoted needs its source"),
        ("quoted(5)", "quoted needs its source"),
        ('quoted("brown2021language")', "the bibliography has no such key"),
        ("defined(301)", "the section's code has no 301"),
        ("defined([2, 301])", "has no 301"),
        ("defined(m)", "the code uses no such name"),
        ("defined()", "takes a number or a name"),
    ],
)
def test_a_word_that_vouches_must_say_for_what(value, problem):
    assert problem in said(value)


def test_what_the_claims_compute_with_is_code_too():
    assert "no 10" in said("defined(10)")
    assert said("defined(10)", ["h(10)"]) is None
    assert "no 10" in said("defined(10)", ["10", "defined(10)", "[10, 11]"])
    assert said("defined(10)", ["[10, h(10)]"]) is None

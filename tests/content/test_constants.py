"""Constants of code cells, and the names that code gives them."""

import pytest

from booktools.content.constants import Constants


@pytest.mark.parametrize(
    ("code", "name", "values"),
    [
        ("d_k = 512", "d_k", {512}),
        ("d_model, d_k = 768, 64", "d_k", {64}),
        ("d_model, d_k = 768, 64", "d_model", {768}),
        ("n: int = 8", "n", {8}),
        ("explorer.d_k = 64", "d_k", {64}),
        ("f(d_k=64)", "d_k", {64}),
        ("for d in (16, 64):\n    pass", "d", {16, 64}),
        ("[f(n) for n in (8, 9)]", "n", {8, 9}),
        ("def f(a, d=64, *, n=3):\n    pass", "d", {64}),
        ("def f(a, d=64, *, n=3):\n    pass", "n", {3}),
        ("def f(d, n):\n    pass\nf(16, 5)", "d", {16}),
        ("x = -3", "x", {-3}),
        ("x = 2**20", "x", {2, 20, 2**20}),
        ("x = 1 / 4", "x", {1, 4, 0.25}),
        ("x = True", "x", set()),
    ],
)
def test_names_get_their_values(code, name, values):
    named = Constants([code]).named.get(name, set())
    assert {abs(value) for value in named} == {abs(value) for value in values}
    assert values <= named


def test_loose_constants_are_all_of_them():
    assert Constants(["f(7)", "x = 2 * 8"]).loose == {7, 2, 8, 16}
    assert Constants(["1 / 0"]).loose == {1, 0}
    assert Constants(["%magic 5"]).loose == set()


def test_a_function_may_be_defined_in_an_earlier_cell():
    constants = Constants(["def f(width):\n    pass", "f(512)"])
    assert constants.named["width"] == {512}

"""What an exercise promises holds for every student's own numbers and inputs."""

import re
from functools import cache

import numpy as np
import pytest

from attnbook import exercises
from attnbook.exercises import check, exercise, judge
from attnbook.exercises.hints import _alike
from attnbook.exercises.judge import Outcome
from attnbook.exercises.master import load, master

NAMES = exercises.names()
COSTLY = {"03-best-stranger", "05-init-deviation", "05-keys-heard"}
MEASURED = [name for name in NAMES if master(name).recipe]
SEEDS, SAMPLE, RECIPES = 50, 2, 200


def several(names, all_of_them, few):
    """A sample of seeds for the gate, and all of them for who asks."""
    few = [pytest.param(name, few, id=name) for name in names]
    return few + [
        pytest.param(name, all_of_them(name), id=f"{name}-all", marks=pytest.mark.slow)
        for name in names
    ]


def seeds_of(name):
    return SEEDS // 2 if name in COSTLY else SEEDS


def given(bound, answer):
    return answer if bound.probes else answer()


@pytest.mark.parametrize(("name", "seeds"), several(NAMES, seeds_of, SAMPLE))
def test_every_variant_judges_as_the_book_does(name, seeds):
    for seed in range(seeds):
        bound = load(name, seed)
        assert check(name, given(bound, bound.solution), seed), seed
        for wrong in bound.wrong:
            report = check(name, given(bound, wrong.answer), seed)
            assert (report.status, report.hint) == ("wrong", wrong.hint), (
                seed,
                wrong.name,
            )


@pytest.mark.parametrize("name", NAMES)
def test_every_variant_hands_out_a_stub_that_is_untouched(name):
    for seed in (None, *range(3)):
        *stub, last = load(name, seed).stub_cell.split("\n")
        space = {"np": np, "check": check}
        exec("\n".join(stub), space)
        assert eval(last, space).status == "not attempted"


@pytest.mark.parametrize("name", NAMES)
def test_a_function_is_tried_on_other_inputs_for_every_seed(name):
    if not master(name).probes:
        return
    standard, one, two = (repr(load(name, seed).inputs()) for seed in (None, 1, 2))
    assert one != two and repr(load(name, 1).inputs()) == one
    first = repr(load(name).inputs()[0])
    assert repr(load(name, 1).inputs()[0]) == first and first in standard


@pytest.mark.parametrize("name", [n for n in NAMES if not master(n).probes])
def test_a_value_has_other_numbers_for_other_seeds_and_all_texts_print_them(name):
    bound = [load(name, seed) for seed in range(8)]
    values = {repr(np.round(np.array(e.solution(), float), 6)) for e in bound}
    assert len(values) >= 3
    assert len({e.statement + e.stub for e in bound}) >= 3
    for e in bound:
        texts = [e.title, e.statement, e.explanation, e.objective, e.stub]
        left = re.findall(r"(?<![\\\w}^_])\{[a-z]\w+\}", " ".join(texts))
        assert left == []
        shown = exercise(name, seed=e.seed)._repr_mimebundle_()["text/markdown"]
        assert e.statement.strip() in shown
        assert f"seed={e.seed}" in e.stub_cell


# --- tolerances


@pytest.mark.parametrize(
    ("name", "seeds"), several(MEASURED, lambda name: RECIPES, few=3)
)
def test_a_tolerance_is_wide_enough_for_the_recipe_of_the_statement(name, seeds):
    bound = load(name)
    for seed in range(seeds):
        numbers = bound.standard
        measured = master(name).recipe(np.random.default_rng(seed), **numbers)
        assert check(name, measured), (seed, measured)


@cache
def apart(name, seed):
    """How many tolerances the nearest wrong answer lies from the right one."""
    bound = load(name, seed)
    right = judge.run(bound.solution, ()).value.ravel()
    gaps = []
    for wrong in bound.wrong:
        value = judge.run(wrong.answer, ()).value.ravel()
        with np.errstate(invalid="ignore"):
            share = np.abs(value - right) / np.maximum(np.abs(right), 1e-3)
        gaps.append((np.nanmax(share) / bound.tolerance, wrong.name))
    return min(gaps)


@pytest.mark.parametrize("name", [n for n in NAMES if not master(n).probes])
def test_a_tolerance_is_too_narrow_for_the_nearest_wrong_answer(name):
    for seed in (None, *range(SAMPLE if name in COSTLY else 20)):
        gap, wrong = apart(name, seed)
        assert gap > 1.25, (seed, wrong, gap)


@pytest.mark.parametrize("name", NAMES)
def test_no_two_mistakes_do_the_same(name):
    bound = load(name)
    inputs = bound.inputs() if bound.probes else [()]
    done = {w.name: [judge.run(w.answer, i) for i in inputs] for w in bound.wrong}
    for a in done:
        for b in done:
            pairs = list(zip(done[a], done[b], strict=True))
            alike = [_alike(x, y, bound) and x.dtype == y.dtype for x, y in pairs]
            assert a == b or not all(alike), (a, b)


def test_what_is_alike_is_so_within_the_tolerance_and_errors_by_their_text():
    bound = load("03-tie")
    one, near = (Outcome("value", np.array(x)) for x in (1.0, 1.004))
    assert _alike(one, near, bound)
    assert not _alike(Outcome("raised", text="a"), Outcome("raised", text="b"), bound)

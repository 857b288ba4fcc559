"""The examples in the docstrings: there, and right."""

import doctest
import importlib

import pytest

import attnbook
from booktools.content.api import FIRST, THEN, public

NEEDS_NONE = {"AttentionGradients"}  # only returned; shown where it is


def examples(module, name):
    """The examples of a public name: of a function, or a class and its methods.

    By itself doctest passes over functions that errstate wraps, as if from elsewhere.
    """
    thing, names = getattr(module, name), vars(module).copy()
    found = doctest.DocTestFinder().find(thing, name, module=False, globs=names)
    return [test for test in found if test.examples]


@pytest.mark.parametrize("name", [*FIRST, *THEN])
def test_the_examples_of_a_module_say_what_happens(name):
    module = importlib.import_module(f"attnbook.{name}")
    runner = doctest.DocTestRunner()
    for one in public(module):
        for test in examples(module, one):
            runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("name", sorted({*attnbook.__all__} - NEEDS_NONE))
def test_every_public_name_of_the_kernel_has_an_example_that_is_run(name):
    home = importlib.import_module(getattr(attnbook, name).__module__)
    assert name in public(home)
    assert examples(home, name)

"""Predict: how many outputs change when a word moves under a causal mask."""

from attnbook.exercises.master import Exercise


def counts(n, a, b):
    """Return how many outputs change after one layer, and after two."""
    return b - a + 1, n - a


def just_two(n, a, b):
    """Change the two places, as a swap would."""
    return 2, n - a


def same_in_two(n, a, b):
    """Let nothing leak in the second layer."""
    return b - a + 1, b - a + 1


def all_that_follow(n, a, b):
    """Let everything after the first place change at once."""
    return n - a, n - a


def without_itself(n, a, b):
    """Leave the moved word out."""
    return b - a, n - a


def everything(n, a, b):
    """Change all outputs in the second layer, those before the place too."""
    return b - a + 1, n


def after_the_move(n, a, b):
    """Let the second layer reach only what stands after the new place."""
    return b - a + 1, n - b


def a_set(n, a, b):
    """Treat it as a set in spite of the mask."""
    return 0, 0


def variant(rng):
    """Draw a length and two places that are not neighbours."""
    n = int(rng.choice([20, 22, 25]))
    a = int(rng.integers(3, 6))
    return {"n": n, "a": a, "b": a + int(rng.choice([3, 4, 6]))}


def said(n, a, b):
    """Print the numbers and the results."""
    one, two = counts(n, a, b)
    return {"length": n, "from": a, "to": b, "one": one, "two": two, "between": b - a}


EXERCISE = Exercise(
    type="predict",
    difficulty=2,
    minutes=10,
    stub="""
after_one = ...  # outputs that change after one layer
after_two = ...  # outputs that change after two layers
""",
    answer="(after_one, after_two)",
    solution=counts,
    wrong=(
        just_two,
        same_in_two,
        all_that_follow,
        without_itself,
        everything,
        after_the_move,
        a_set,
    ),
    standard={"n": 21, "a": 4, "b": 8},
    variant=variant,
    said=said,
    tolerance=0.0001,
)

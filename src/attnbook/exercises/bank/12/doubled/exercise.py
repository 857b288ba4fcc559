"""Predict three factors for a doubled length."""

from attnbook.exercises.master import Exercise


def factors():
    """Count in units of d squared, for one token times its n."""
    before, after = (
        (n * 4 * n, n * (8 + 4 * n), n * (24 + 4 * n)) for n in (2, 4)
    )  # n in units of d
    return tuple(a / b for a, b in zip(after, before, strict=True))


def all_four():
    """Believe that everything is quadratic."""
    return (4, 4, 4)


def all_two():
    """Believe that everything is linear."""
    return (2, 2, 2)


def of_the_chapter():
    """Take the factors of the chapter, which start at n = d."""
    return (4, 8 / 3, 16 / 7)


def swapped():
    """Exchange block and layer."""
    return (4, 2.5, 3)


def inverse():
    """Give the halves."""
    return (1 / 4, 1 / 3, 2 / 5)


EXERCISE = Exercise(
    type="predict",
    difficulty=1,
    minutes=6,
    stub="""
products = ...
block = ...
layer = ...
""",
    answer="(products, block, layer)",
    solution=factors,
    wrong=(
        all_four,
        all_two,
        of_the_chapter,
        swapped,
        inverse,
    ),
    tolerance=0.01,
)

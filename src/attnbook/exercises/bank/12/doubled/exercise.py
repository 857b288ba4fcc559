"""Predict three factors for a doubled length."""

from attnbook.claims import defined
from attnbook.cost import attention_cost
from attnbook.exercises.master import Exercise

WIDTH, WIDE = 4096, 16384  # of the model, and in its feed-forward part
SHORT, LONG = 8192, 16384  # tokens


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


def bill(n):
    """Count the FLOPs of products, block and layer in full."""
    cost = attention_cost(n, n, 128, 128, n_heads=WIDTH // 128, d_model=WIDTH)
    block = cost.products.flops + cost.projections.flops
    return cost.products.flops, block, block + 2 * 2 * n * WIDTH * WIDE


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
    numbers=lambda: {
        "twice as long": LONG / SHORT,
        "width 4096": defined(WIDTH),
        "16,384 tokens": defined(LONG),
        "of 8,192": defined(SHORT),
        "four times as wide": WIDE / WIDTH,
        "counts twice": LONG / SHORT,
        "products twice again": bill(LONG)[0] / bill(SHORT)[0] / (LONG / SHORT),
        "= 2.5$": bill(LONG)[2] / bill(SHORT)[2],
        "meets twice as": LONG / SHORT,
    },
)

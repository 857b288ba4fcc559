"""Predict three factors for a doubled length."""

from attnbook.claims import defined
from attnbook.cost import attention_cost
from attnbook.exercises.master import Exercise, Wrong

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
    name="12-doubled",
    title="twice as long, how much dearer?",
    type="predict",
    difficulty=1,
    minutes=6,
    objective="telling a term that is quadratic from a cost that contains one.",
    statement=r"""
A model of width 4096 reads 16,384 tokens instead of 8,192. By which factors grow the
FLOPs of the two products, of the attention block (projections and products), and of the
layer (with a feed-forward four times as wide)? Work them out on paper. They are round.
""",
    stub="""
products = ...
block = ...
layer = ...
""",
    answer="(products, block, layer)",
    solution=factors,
    explanation=r"""
Here $n = 2d$, so in units of $nd^2$ the block is $8 + 8$ and the layer $24 + 8$. After
doubling, $n$ counts twice in front and the products twice again inside: $2(8 + 16)/16 =
3$ and $2(24 + 16)/32 = 2.5$. Both tend to 4 as $n$ goes on growing.
""",
    wrong=(
        Wrong(all_four, "Only the two products are quadratic. All else is linear."),
        Wrong(all_two, "Each token meets twice as many keys. What does that square?"),
        Wrong(
            of_the_chapter,
            "These are the factors for n = d doubled. Here you start at n = 2d.",
        ),
        Wrong(swapped, "The layer has more that is linear, so it grows by less."),
        Wrong(inverse, "These are the factors for going back to the shorter length."),
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

"""Predict three factors for a doubled length."""

from attnbook.claims import definition
from attnbook.cost import attention_cost
from attnbook.exercises.master import Exercise, by_part

WIDTH, WIDE = 4096, 16384  # of the model, and in its feed-forward part
SHORT, LONG = 8192, 16384  # tokens


def factors(d_model, n):
    """Count FLOPs for n tokens and for twice as many."""
    before, after = (
        (
            4 * length**2 * d_model,
            8 * length * d_model**2 + 4 * length**2 * d_model,
            24 * length * d_model**2 + 4 * length**2 * d_model,
        )
        for length in (n, 2 * n)
    )
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


def no_way_back(d_model, n):
    """Forget the projection of the output."""
    r = n / d_model
    return 4, 2 * (6 + 8 * r) / (6 + 4 * r), 2 * (22 + 8 * r) / (22 + 4 * r)


def one_matrix(d_model, n):
    """Count one of the two matrices of the feed-forward part."""
    r = n / d_model
    return *factors(d_model, n)[:2], 2 * (16 + 8 * r) / (16 + 4 * r)


def swapped(d_model, n):
    """Exchange block and layer."""
    products, block, layer = factors(d_model, n)
    return products, layer, block


@by_part
def inverse(d_model, n):
    """Give the halves."""
    return tuple(1 / factor for factor in factors(d_model, n))


def variant(rng):
    """Draw a width, and a length that is another multiple of it than the chapter's."""
    d_model = int(rng.choice([1024, 2048, 4096, 8192]))
    return {"d_model": d_model, "n": int(d_model * rng.choice([0.5, 2, 3, 4, 6]))}


def said(d_model, n):
    """Print lengths and the terms in units of n times d squared."""
    r = n / d_model
    _, block, layer = factors(d_model, n)
    return {
        "wide": f"{d_model}",
        "long": n,
        "longer": 2 * n,
        "multiple": f"{r:g}d",
        "square": f"{4 * r:g}",
        "squares": f"{8 * r:g}",
        "block_before": f"{8 + 4 * r:g}",
        "layer_before": f"{24 + 4 * r:g}",
        "block": f"{block:.3g}",
        "layer": f"{layer:.3g}",
    }


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
        no_way_back,
        one_matrix,
        swapped,
        inverse,
    ),
    standard={"d_model": 4096, "n": 8192},
    variant=variant,
    said=said,
    tolerance=0.01,
    numbers=lambda: {
        "twice as long": LONG / SHORT,
        "four times as wide": WIDE / WIDTH,
        "counts twice": LONG / SHORT,
        "products twice again": bill(LONG)[0] / bill(SHORT)[0] / (LONG / SHORT),
        "meets twice as": LONG / SHORT,
        "units of $nd^2$": definition,
    },
)

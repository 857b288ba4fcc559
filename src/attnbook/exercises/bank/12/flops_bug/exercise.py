"""Find the bug: heads that are counted twice."""

from attnbook.exercises.master import Exercise


def product_flops(n, d_model, n_heads):
    """Return the FLOPs of the two products, for all heads."""
    d_head = d_model // n_heads
    return n_heads * 2 * (2 * n * n * d_head)


def as_given(n, d_model, n_heads):
    """Give every head the whole width."""
    return n_heads * 2 * (2 * n * n * d_model)


def one_product(n, d_model, n_heads):
    """Count scores only."""
    return 2 * n * n * d_model


def one_head(n, d_model, n_heads):
    """Forget the other heads."""
    return 4 * n * n * (d_model // n_heads)


def divided_twice(n, d_model, n_heads):
    """Divide where nothing is multiplied."""
    return 4 * n * n * d_model / n_heads**2


def linear(n, d_model, n_heads):
    """Count one key a query."""
    return 4 * n * d_model


def probes(rng):
    """Try one head, two, real sizes, and a length that equals a width."""
    n, heads = int(rng.integers(30, 300)), int(rng.choice([3, 5, 7]))
    fresh = [(n, 64 * heads, heads), (48, 48, 6)]
    return [(3, 4, 1), (5, 8, 2), (1024, 768, 12), (2048, 12288, 96), *fresh]


EXERCISE = Exercise(
    type="bug",
    difficulty=2,
    minutes=8,
    stub='''
def product_flops(n, d_model, n_heads):
    """Return the FLOPs of the two products, for all heads."""
    return n_heads * 2 * (2 * n * n * d_model)
''',
    answer="product_flops",
    solution=product_flops,
    given=as_given,
    wrong=(
        one_product,
        one_head,
        divided_twice,
        linear,
    ),
    probes=probes,
    numbers=lambda: {
        "96 times": as_given(2048, 12288, 96) / product_flops(2048, 12288, 96),
        "Half of it": one_product(5, 8, 2) / product_flops(5, 8, 2),
        "is 2 FLOPs": one_product(1, 1, 1),
        "factor of 4": product_flops(1, 1, 1),
        "cancels: $4n^2d$": lambda n, d: product_flops(n, d, 1),
    },
)

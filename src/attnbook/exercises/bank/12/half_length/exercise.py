"""Derive the length at which the two products do half of a layer's work."""

from attnbook.claims import definition, over
from attnbook.cost import attention_cost
from attnbook.exercises.master import Exercise


def half_length(d_model, d_head, n_kv_heads, factor):
    """Return the n at which the two products do half of the work."""
    shared = n_kv_heads * d_head
    return d_model + shared + factor * d_model


def for_four(d_model, d_head, n_kv_heads, factor):
    """Take the factor of the chapter."""
    return half_length(d_model, d_head, n_kv_heads, 4)


def unshared(d_model, d_head, n_kv_heads, factor):
    """Give every head its own keys and values."""
    return 2 * d_model + factor * d_model


def block_only(d_model, d_head, n_kv_heads, factor):
    """Leave the feed-forward out."""
    return d_model + n_kv_heads * d_head


def one_matrix(d_model, d_head, n_kv_heads, factor):
    """Count one of the two matrices of the feed-forward."""
    return d_model + n_kv_heads * d_head + factor * d_model / 2


def no_way_back(d_model, d_head, n_kv_heads, factor):
    """Forget the projection of the output."""
    return half_length(d_model, d_head, n_kv_heads, factor) - d_model / 2


def one_product(d_model, d_head, n_kv_heads, factor):
    """Count one of the two products."""
    return 2 * half_length(d_model, d_head, n_kv_heads, factor)


def probes(rng):
    """Try widths, groups and factors."""
    d_head, factor = int(rng.choice([16, 32, 64])), int(rng.choice([1, 3, 6]))
    fresh = (12 * d_head, d_head, int(rng.choice([1, 3, 6])), factor)
    fixed = [(8, 4, 2, 4), (512, 64, 8, 4), (4096, 128, 8, 4), (4096, 128, 32, 2)]
    return [*fixed, (768, 64, 1, 8 / 3), fresh]


def share_at(n):
    """Count the share of the two products in a layer of width 512, heads of 64."""
    cost = attention_cost(n, n, 64, 64, n_heads=8, d_model=512)
    rest = cost.projections.flops + 2 * 2 * n * 512 * (4 * 512)
    return cost.products.flops / (cost.products.flops + rest)


_WIDTHS = {"d": [8, 16, 32], "s": [2, 4]}


def _terms(d, s, n=1, f=4):
    """Count the work of one token: both pairs of projections, feed-forward, products.

    All heads share keys and values of width s. There are n keys.
    """
    cost = attention_cost(1, 1, s, s, n_heads=d // s, n_kv_heads=1, d_model=d)
    products = attention_cost(1, n, d, d).products.flops
    own = 2 * 2 * d * d  # W_Q and W_O, a multiply-add for each entry
    return own, cost.projections.flops - own, 2 * 2 * f * d * d, products


EXERCISE = Exercise(
    type="derive",
    difficulty=2,
    minutes=12,
    stub='''
def half_length(d_model, d_head, n_kv_heads, factor):
    """Return the n at which the two products do half of the work."""
    return ...
''',
    answer="half_length",
    solution=half_length,
    wrong=(
        for_four,
        unshared,
        block_only,
        one_matrix,
        no_way_back,
        one_product,
    ),
    probes=probes,
    numbers=lambda: {
        "exactly half": share_at(half_length(512, 64, 8, 4)),
        "do half": share_at(half_length(512, 64, 8, 4)),
        r"$2\cdot 2d^2$": lambda d: _terms(d, d)[0],
        r"$2\cdot 2ds$": over(lambda d, s: _terms(d, s)[1], **_WIDTHS),
        r"$2\cdot 2fd^2$": over(lambda d, f: _terms(d, d, f=f)[2], f=(1, 8)),
        "products take $4nd$": lambda n, d: _terms(d, d, n)[3],
        "$4nd = 4d^2 + 4ds + 4fd^2$": over(
            lambda d, s, f: sum(_terms(d, s, f=f)[:3]),
            **_WIDTHS,
            f=(1, 8),
            n=lambda d, s, f: half_length(d, s, 1, f),
        ),
        "by $4d$": definition,
        "it is $6d$": lambda d: half_length(d, d, 1, 4),
    },
)

"""Measure the share of the two products in a layer with one shared head."""

import numpy as np

from attnbook.cost import attention_cost
from attnbook.exercises.master import Exercise
from attnbook.meter import count_layer


def share():
    """Run the layer on counting arrays and read off the terms."""
    rng = np.random.default_rng(0)
    X, W_Q, W_O = (rng.standard_normal((n, 64)) for n in (256, 64, 64))
    W_K, W_V = rng.standard_normal((2, 64, 16))
    _, cost, _ = count_layer(X, W_Q, W_K, W_V, W_O, n_heads=4, n_kv_heads=1)
    products = cost.products.flops
    return products / (products + cost.projections.flops)


def unshared():
    """Give each head its own keys and values."""
    return 256 / (256 + 2 * 64)


def with_feed_forward():
    """Count a feed-forward part."""
    return 256 / (256 + 64 + 16 + 4 * 64)


def one_product():
    """Count the scores only, among all."""
    return share() / 2


def ratio():
    """Divide by the projections."""
    return 256 / (64 + 16)


def rest():
    """Return the projections' share."""
    return 1 - share()


def of_bytes():
    """Count bytes instead of FLOPs."""
    products, projections = 8 * (4 * 256**2 + 256 * 64), 8 * 256 * (64 + 32 + 64)
    return products / (products + projections)


def cache(n_kv_heads):
    """Count the bytes of keys and values, which the projections make."""
    shape = {"n_heads": 4, "n_kv_heads": n_kv_heads, "d_model": 64}
    return attention_cost(256, 256, 16, 16, **shape).cache.bytes


EXERCISE = Exercise(
    type="measure",
    difficulty=2,
    minutes=10,
    stub="""
from attnbook.meter import count_layer

rng = np.random.default_rng(0)
share = ...
""",
    answer="share",
    solution=share,
    wrong=(
        unshared,
        with_feed_forward,
        one_product,
        ratio,
        rest,
        of_bytes,
    ),
    tolerance=1e-3,
    numbers=lambda: {"four times smaller": cache(4) / cache(1)},
)

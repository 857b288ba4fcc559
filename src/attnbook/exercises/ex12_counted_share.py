"""Measure the share of the two products in a layer with one shared head."""

import numpy as np

from attnbook.cost import attention_cost
from attnbook.exercises.master import Exercise, Wrong
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
    name="12-counted-share",
    title="count a layer that shares",
    type="measure",
    difficulty=2,
    minutes=10,
    objective="reading a cost off an instrument instead of a formula.",
    statement=r"""
Take 256 random rows of width 64 and a layer with 4 heads of width 16 that all share
*one* head of keys and values: `W_Q` and `W_O` have shape `(64, 64)`, `W_K` and `W_V`
have `(64, 16)`. Run it with `attnbook.meter.count_layer`. Which share of the FLOPs of
projections and products together do the two products have?
""",
    stub="""
from attnbook.meter import count_layer

rng = np.random.default_rng(0)
share = ...
""",
    answer="share",
    solution=share,
    explanation=r"""
The two products are as large as ever: queries are not shared. The projections to keys
and values are four times smaller. Per token, in units of $4d$: $n = 256$ against
$d + s = 64 + 16$, so $256/336$.
""",
    wrong=(
        Wrong(unshared, "Keys and values have width 16 here: `n_kv_heads=1`."),
        Wrong(with_feed_forward, "There is no feed-forward part in this layer."),
        Wrong(one_product, "Scores *and* output: `cost.products` has both."),
        Wrong(ratio, "A share is a part of the whole: add the products below too."),
        Wrong(rest, "That is the projections' share."),
        Wrong(of_bytes, "Those are bytes. Take `.flops`."),
    ),
    tolerance=1e-3,
    numbers=lambda: {"four times smaller": cache(4) / cache(1)},
)

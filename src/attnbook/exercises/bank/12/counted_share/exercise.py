"""Measure the share of the two products in a layer with one shared head."""

import numpy as np

from attnbook.claims import definition, over
from attnbook.cost import attention_cost
from attnbook.exercises.master import Exercise
from attnbook.meter import count_layer

WIDTH = 16  # of a head


def share(n, n_heads):
    """Run the layer on counting arrays and read off the terms."""
    rng = np.random.default_rng(0)
    d = n_heads * 16
    X, W_Q, W_O = (rng.standard_normal((rows, d)) for rows in (n, d, d))
    W_K, W_V = rng.standard_normal((2, d, 16))
    _, cost, _ = count_layer(X, W_Q, W_K, W_V, W_O, n_heads=n_heads, n_kv_heads=1)
    products = cost.products.flops
    return products / (products + cost.projections.flops)


def unshared(n, n_heads):
    """Give each head its own keys and values."""
    return n / (n + 2 * n_heads * WIDTH)


def with_feed_forward(n, n_heads):
    """Count a feed-forward part."""
    d = n_heads * WIDTH
    return n / (n + d + WIDTH + 4 * d)


def in_percent(n, n_heads):
    """Give percent."""
    return 100 * share(n, n_heads)


def one_product(n, n_heads):
    """Count the scores only, among all."""
    return share(n, n_heads) / 2


def ratio(n, n_heads):
    """Divide by the projections."""
    return n / (n_heads * WIDTH + WIDTH)


def rest(n, n_heads):
    """Return the projections' share."""
    return 1 - share(n, n_heads)


def of_bytes(n, n_heads):
    """Count bytes instead of FLOPs."""
    d = n_heads * WIDTH
    products, projections = n_heads * n**2 + n * d, n * (d + 2 * WIDTH + d)
    return products / (products + projections)


def variant(rng):
    """Draw a length and a number of heads."""
    return {
        "n": int(rng.choice([100, 150, 200, 256])),
        "n_heads": int(rng.choice([3, 4, 5, 6])),
    }


def said(n, n_heads):
    """Print the widths, and what they come to."""
    d = n_heads * WIDTH
    counts = {3: "three", 4: "four", 5: "five", 6: "six"}
    return {"rows": n, "heads": n_heads, "wide": d, "times": counts[n_heads]} | {
        "whole": n + d + WIDTH
    }


def _projections(d, s):
    """Count those of one token, in units of 4d, with keys and values of width s."""
    cost = attention_cost(1, 1, s, s, n_heads=d // s, n_kv_heads=1, d_model=d)
    return cost.projections.flops / (4 * d)


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
        in_percent,
        one_product,
        ratio,
        rest,
        of_bytes,
    ),
    standard={"n": 256, "n_heads": 4},
    variant=variant,
    said=said,
    tolerance=1e-3,
    numbers=lambda: {
        "units of $4d$": definition,
        "$d + s$": over(_projections, d=[8, 16, 32], s=[2, 4]),
    },
)

"""Find the bug: heads that are counted twice."""

from attnbook.exercises.master import Exercise, Wrong


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


def probes():
    """Try one head, two, and a real size."""
    return [(3, 4, 1), (5, 8, 2), (1024, 768, 12), (2048, 12288, 96)]


EXERCISE = Exercise(
    name="12-flops-bug",
    title="a bill with too many heads",
    type="bug",
    difficulty=2,
    minutes=8,
    objective="saying what heads cost, and what they do not.",
    statement=r"""
A colleague estimates the two products of GPT-3, and the bill is 96 times too high.
The function is right for one head. Mend it.
""",
    stub='''
def product_flops(n, d_model, n_heads):
    """Return the FLOPs of the two products, for all heads."""
    return n_heads * 2 * (2 * n * n * d_model)
''',
    answer="product_flops",
    solution=product_flops,
    explanation=r"""
A head has width `d_model / n_heads`, so the number of heads cancels: $4n^2d$, however
the width is cut up. In FLOPs, heads are free. In memory they are not: each has an
$n \times n$ matrix of scores.
""",
    wrong=(
        Wrong(as_given, "How wide is one head?", True),
        Wrong(
            one_product,
            "Half of it. Two products, and a multiply-add is 2 FLOPs: a factor of 4.",
        ),
        Wrong(one_head, "That is a single head. There are `n_heads` of them."),
        Wrong(
            divided_twice, "You divided once too often. A head has `d_model / n_heads`."
        ),
        Wrong(linear, "Every query meets every key: n times n pairs."),
    ),
    probes=probes,
    numbers=lambda: {
        "96 times": as_given(2048, 12288, 96) / product_flops(2048, 12288, 96),
        "Half of it": one_product(5, 8, 2) / product_flops(5, 8, 2),
        "is 2 FLOPs": one_product(1, 1, 1),
        "factor of 4": product_flops(1, 1, 1),
    },
)

"""Derive the length at which the two products do half of a layer's work."""

from attnbook.cost import attention_cost
from attnbook.exercises.master import Exercise, Wrong


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


def one_product(d_model, d_head, n_kv_heads, factor):
    """Count one of the two products."""
    return 2 * half_length(d_model, d_head, n_kv_heads, factor)


def probes():
    """Try widths, groups and factors."""
    return [(8, 4, 2, 4), (512, 64, 8, 4), (4096, 128, 8, 4), (4096, 128, 32, 2)]


def share_at(n):
    """Count the share of the two products in a layer of width 512, heads of 64."""
    cost = attention_cost(n, n, 64, 64, n_heads=8, d_model=512)
    rest = cost.projections.flops + 2 * 2 * n * 512 * (4 * 512)
    return cost.products.flops / (cost.products.flops + rest)


EXERCISE = Exercise(
    name="12-half-length",
    title="where the square wins",
    type="derive",
    difficulty=2,
    minutes=12,
    objective="setting up a cost, term by term, for a layer that is not standard.",
    statement=r"""
A layer has width `d_model`. Its heads have width `d_head`, and `n_kv_heads` of them
have keys and values of their own; the others share these. The feed-forward part has two
matrices and is `factor` times as wide in between. At which $n$ do the two products of
attention do exactly half of all matrix products? Derive it, and return it.
""",
    stub='''
def half_length(d_model, d_head, n_kv_heads, factor):
    """Return the n at which the two products do half of the work."""
    return ...
''',
    answer="half_length",
    solution=half_length,
    explanation=r"""
For one token: $W_Q$ and $W_O$ take $2\cdot 2d^2$ FLOPs, $W_K$ and $W_V$ take
$2\cdot 2ds$ with $s$ = `n_kv_heads * d_head`, the feed-forward takes $2\cdot 2fd^2$
with $f$ = `factor`. The two products take $4nd$. So $4nd = 4d^2 + 4ds + 4fd^2$: divide
by $4d$. With $s = d$ and $f = 4$ it is $6d$.
""",
    wrong=(
        Wrong(for_four, "Right where `factor` is 4. Keep it as a letter."),
        Wrong(
            unshared,
            "$W_K$ and $W_V$ have `n_kv_heads * d_head` columns each, not `d_model`.",
        ),
        Wrong(block_only, "That is where they overtake the projections alone."),
        Wrong(one_matrix, "The feed-forward goes up *and* down: two matrices."),
        Wrong(
            one_product,
            "There are two products of one size: scores, and weights times values.",
        ),
    ),
    probes=probes,
    numbers=lambda: {
        "exactly half": share_at(half_length(512, 64, 8, 4)),
        "do half": share_at(half_length(512, 64, 8, 4)),
    },
)

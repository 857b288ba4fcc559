"""Predict: how many parameters three scoring functions have."""

from attnbook.exercises.master import Exercise, Wrong


def parameters():
    """Count for d_model = 768 and d_k = d_a = 64."""
    d_model, d_k = 768, 64
    dot_product = 2 * d_model * d_k  # W_Q and W_K
    additive = 2 * d_model * d_k + d_k  # W_q, W_k and v
    free_bilinear = d_model * d_model  # M
    return dot_product, additive, free_bilinear


def none_at_all():
    """Count what stands in the product itself."""
    return 0, 98_368, 589_824


def one_matrix():
    """Forget the second projection."""
    return 49_152, 49_216, 589_824


def vector_forgotten():
    """Forget v."""
    return 98_304, 98_304, 589_824


def projected_twice():
    """Let the additive score act on queries and keys that are projected already."""
    return 98_304, 98_304 + 2 * 64 * 64 + 64, 589_824


def rank_taken():
    """Take M to be a product of thin matrices."""
    return 98_304, 98_368, 98_304


def small_square():
    """Give M the width of the keys."""
    return 98_304, 98_368, 4096


EXERCISE = Exercise(
    name="03-parameters",
    title="count what is learned",
    type="predict",
    difficulty=1,
    minutes=10,
    objective="counting parameters from the tokens on, not from the query on.",
    statement=r"""
Tokens are vectors of 768 entries. How many learned numbers stand between a pair of
tokens and its score,

1. for a dot product of queries and keys with 64 entries;
2. for an additive score $v\cdot\tanh(xW_q + yW_k)$ with 64 hidden entries;
3. for a bilinear form $x\,M\,y^\top$ with a free matrix $M$?
""",
    stub="""
dot_product = ...
additive = ...
free_bilinear = ...
""",
    answer="(dot_product, additive, free_bilinear)",
    solution=parameters,
    explanation=r"""
Two matrices of $768\times 64$ entries make 98,304; the additive score adds the vector
$v$, 64 more. A free $M$ has $768^2$ = 589,824: six times as many. Going through 64
entries is not only cheaper to compute, it is also a choice of fewer parameters.
""",
    wrong=(
        Wrong(
            none_at_all,
            "The product itself has none. But the query and the key are made from the "
            "tokens, by two learned matrices.",
        ),
        Wrong(one_matrix, "There are two matrices: one for each side."),
        Wrong(vector_forgotten, "The additive score has the vector $v$ as well."),
        Wrong(
            projected_twice,
            "In the additive score $W_q$ and $W_k$ act on the tokens themselves: "
            "nothing is projected twice.",
        ),
        Wrong(
            rank_taken,
            "That $M$ is a product of two thin matrices. A free one has an entry for "
            "each pair of entries of the two tokens.",
        ),
        Wrong(
            small_square,
            "Here $M$ stands between two *tokens*, not between a query and a key. How "
            "many entries does a token have?",
        ),
    ),
)

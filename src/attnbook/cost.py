"""What attention costs: floating-point operations and bytes, term by term.

One multiply-add is 2 FLOPs. Bytes are those of what a step leaves behind, in a kernel
that stores the whole matrix of scores.
"""

from typing import NamedTuple

from attnbook.heads import _kv_heads
from attnbook.masks import _flag, _whole

__all__ = ["AttentionCost", "Term", "attention_cost"]

SOFTMAX_FLOPS = 5  # an entry: compare, subtract, exponentiate, add up, divide


class Term(NamedTuple):
    """The cost of one step."""

    flops: int
    bytes: int


class AttentionCost(NamedTuple):
    """The cost of each step of an attention layer, and of its cache."""

    projections: Term
    scores: Term
    softmax: Term
    output: Term
    cache: Term

    @property
    def products(self):
        """The two products that grow with n_q * n_k: scores and output."""
        a, b = self.scores, self.output
        return Term(a.flops + b.flops, a.bytes + b.bytes)

    @property
    def total(self):
        """All terms together."""
        return Term(sum(term.flops for term in self), sum(term.bytes for term in self))


def attention_cost(
    n_q,
    n_k,
    d_k,
    d_v,
    *,
    n_heads=1,
    n_kv_heads=None,
    d_model=None,
    batch=1,
    itemsize=2,
    causal=False,
):
    """Count the FLOPs and bytes of one attention layer, exactly.

    Parameters
    ----------
    n_q, n_k : int
        Queries and keys.
    d_k, d_v : int
        Widths of one head.
    n_heads, n_kv_heads : int
        Heads of queries, and of keys and values; as many of these by default.
    d_model : int
        Width of the rows that are projected to queries (n_q of them) and to keys and
        values (n_k), and of the result. Without it projections cost nothing.
    batch : int
        Independent sequences.
    itemsize : int
        Bytes of a number: 2 for half precision.
    causal : bool
        Count the FLOPs of the pairs under the (bottom-right) diagonal only. The bytes
        stay: a plain kernel stores the whole square.

    Returns
    -------
    AttentionCost
        Terms projections, scores, softmax, output, cache, each with flops and bytes.

        - projections: to Q, K and V and back to d_model; bytes of the four results
        - scores: Q Kᵀ; softmax: 5 FLOPs an entry; output: weights times V
        - cache: no FLOPs; bytes of all keys and values

    Raises
    ------
    TypeError
        If a count is not an integer, or `causal` is not a bool.
    ValueError
        If a count is out of its range, or n_heads not divisible by n_kv_heads.

    References
    ----------
    Kaplan et al., "Scaling Laws for Neural Language Models", 2020, table 1 (with half
    of the products: 2 n d a token); Shazeer, "Fast Transformer Decoding", 2019 (the
    cache).

    Examples
    --------
    >>> cost = attention_cost(n_q=1, n_k=1000, d_k=64, d_v=64)
    >>> cost.scores.flops, cost.cache.bytes
    (128000, 256000)
    """
    n_q, n_k = _whole("n_q", n_q, 0), _whole("n_k", n_k, 0)
    d_k, d_v = _whole("d_k", d_k, 1), _whole("d_v", d_v, 0)
    heads = _whole("n_heads", n_heads, 1)
    kv_heads = _kv_heads(heads, n_kv_heads)
    width = 0 if d_model is None else _whole("d_model", d_model, 1)
    batch, itemsize = _whole("batch", batch, 1), _whole("itemsize", itemsize, 1)
    causal = _flag("causal", causal)
    pairs = batch * heads * (_causal_pairs(n_q, n_k) if causal else n_q * n_k)
    square = batch * heads * n_q * n_k * itemsize
    queries, outputs = batch * heads * n_q * d_k, batch * heads * n_q * d_v
    cache = batch * kv_heads * n_k * (d_k + d_v)
    projected = queries + cache + outputs
    results = queries + cache + batch * n_q * width if width else 0
    return AttentionCost(
        projections=Term(2 * projected * width, results * itemsize),
        scores=Term(2 * pairs * d_k, square),
        softmax=Term(SOFTMAX_FLOPS * pairs, square),
        output=Term(2 * pairs * d_v, outputs * itemsize),
        cache=Term(0, cache * itemsize),
    )


def _causal_pairs(n_q, n_k):
    """Count the True entries of ``causal_mask(n_q, n_k)`` without building it."""
    rows = min(n_q, n_k)  # the last rows see n_k - rows + 1 up to n_k keys
    return rows * n_k - rows * (rows - 1) // 2

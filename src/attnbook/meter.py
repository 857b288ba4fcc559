"""Count what the kernel really does, instead of what a formula says that it does.

`kernel.attention` itself runs, on arrays that write down every operation in which they
take part. `cost.attention_cost` must say the same, term by term.
"""

import math
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from attnbook import kernel
from attnbook.cost import AttentionCost, Term
from attnbook.heads import grouped_attention, merge_heads, split_heads

__all__ = ["Counted", "Operation", "count_attention", "count_layer"]


class Operation(NamedTuple):
    """One operation on arrays: its name and FLOPs, entries and bytes of its result."""

    name: str
    flops: int
    entries: int
    bytes: int


class Counted(np.ndarray):
    """An array that writes down the operations it takes part in.

    Results are `Counted` too and write into the same list, `log`. A product of matrices
    counts 2 FLOPs a multiply-add; every other operation counts 1 for each entry that
    it makes or, where it runs along an axis, that it reads.
    """

    log = None

    def __array_finalize__(self, source):
        """Let views write into the list of their source."""
        self.log = getattr(source, "log", None)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        """Run the operation on plain arrays and write it down."""
        log = next(x.log for x in (*inputs, *(out or ())) if isinstance(x, Counted))
        plain = [_plain(x) for x in inputs]
        if out is not None:
            options["out"] = tuple(_plain(x) for x in out)
        result = getattr(ufunc, method)(*plain, **options)
        name, flops = f"{ufunc.__name__}.{method}", _flops(ufunc, method, plain, result)
        log.append(Operation(name, flops, result.size, result.nbytes))
        return out[0] if out is not None else _counted(result, log)


def _plain(x):
    return x.view(np.ndarray) if isinstance(x, Counted) else x


def _counted(array, log):
    """Return a view of an array that writes into `log`; a lone number stays plain."""
    if not isinstance(array, np.ndarray):
        return array
    view = array.view(Counted)
    view.log = log
    return view


def _flops(ufunc, method, inputs, result):
    if ufunc is np.matmul:
        return 2 * inputs[0].shape[-1] * math.prod(np.shape(result))
    return np.size(inputs[0]) if method == "reduce" else np.size(result)


def count_attention(Q, K, V, **options):
    """Run attention and count it, step by step.

    Parameters
    ----------
    Q, K, V : array-like
        As in `kernel.attention`, for more than one key; the head axis may be grouped
        as in `heads.grouped_attention`.
    **options
        As in `kernel.attention`; a softcap, a bias or a temperature adds operations to
        the softmax.

    Returns
    -------
    output : ndarray
        What `kernel.attention` or `heads.grouped_attention` returns.
    cost : AttentionCost
        FLOPs and bytes that were counted. Nothing is projected here.
    rest : int
        FLOPs that belong to no term: scaling the queries, and a few for each row.

    References
    ----------
    Kaplan et al., "Scaling Laws for Neural Language Models", 2020, table 1 (another
    count of the same steps, with half of the two products).

    Examples
    --------
    >>> Q, K, V = np.ones((2, 4)), np.ones((3, 4)), np.ones((3, 5))
    >>> output, cost, rest = count_attention(Q, K, V)
    >>> cost.scores.flops, cost.output.flops  # 2 * 2 * 3 times 4, and times 5
    (48, 60)
    """
    attend = grouped_attention if np.ndim(Q) > 2 else kernel.attention
    with _counting() as log:
        output = attend(Q, K, V, **options)
    cost, rest = _terms(log, np.asarray(K).nbytes + np.asarray(V).nbytes)
    return _plain(output), cost, rest


class _CountingNumPy:
    """NumPy, but what comes in as an array comes in as a `Counted` one."""

    def __init__(self, log):
        self.log = log

    def __getattr__(self, name):
        return getattr(np, name)

    def asarray(self, *args, **options):
        return _counted(np.asarray(*args, **options), self.log)


@contextmanager
def _counting():
    """Let the kernel see `Counted` arrays; not for several threads at once."""
    log = []
    kernel.np = _CountingNumPy(log)
    try:
        yield log
    finally:
        kernel.np = np


def _terms(log, cache):
    """Sort what was logged into the terms of `attention_cost`."""
    first, second = (k for k, one in enumerate(log) if one.name.startswith("matmul"))
    scores, output = log[first], log[second]
    between = [one for one in log[first + 1 : second] if one.flops == scores.entries]
    cost = AttentionCost(
        projections=Term(0, 0),
        scores=Term(scores.flops, scores.bytes),
        softmax=Term(sum(one.flops for one in between), between[-1].bytes),
        output=Term(output.flops, output.bytes),
        cache=Term(0, cache),
    )
    return cost, sum(one.flops for one in log) - cost.total.flops


def count_layer(X, W_Q, W_K, W_V, W_O, *, n_heads, n_kv_heads=None, **options):
    """Run a whole attention layer, projections included, and count it.

    Parameters
    ----------
    X : array-like, shape (..., n, d_model)
        The rows that come in.
    W_Q, W_K, W_V, W_O : array-like, 2-D
        The four projections: to queries, keys and values, and back.
    n_heads, n_kv_heads : int
        Heads of queries, and of keys and values; as many of these by default.
    **options
        As in `count_attention`.

    Returns
    -------
    output : ndarray, shape (..., n, d_model)
        The rows that go out, in the dtype of all inputs together. float16 and bfloat16
        are kept between the steps, each of which is computed in float32.
    cost : AttentionCost
        FLOPs and bytes that were counted.
    rest : int
        FLOPs that belong to no term.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.2.2.
    """
    log, kv_heads = [], n_kv_heads or n_heads
    arrays = [np.asarray(x) for x in (X, W_Q, W_K, W_V, W_O)]
    dtype, work = kernel._dtypes(*arrays)
    X, *weights, W_O = (np.asarray(x, work) for x in arrays)
    X = _counted(X, log)
    projected = [(X @ W).astype(dtype) for W in weights]
    counts = (n_heads, kv_heads, kv_heads)
    heads = [split_heads(x, h) for x, h in zip(projected, counts, strict=True)]
    mixed, cost, rest = count_attention(*heads, **options)
    merged = np.asarray(merge_heads(mixed), work)
    output = (_counted(merged, log) @ W_O).astype(dtype)
    size = sum(array.nbytes for array in (*projected, output))
    projections = Term(sum(one.flops for one in log), size)
    return _plain(output), cost._replace(projections=projections), rest

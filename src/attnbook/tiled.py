"""Attention without the n_q x n_k matrix: the online softmax, plain and fast.

`online_softmax` is the idea, to be read first. `tiled_attention` is the same sum made
fast; it takes every option of `attention`, and windows and grouped heads besides.

In this module a *block* is a run of queries of one head, which one thread works on, and
a *tile* is the piece of the score matrix where a block meets a run of keys. Only one
tile for each thread is in memory at any time.
"""

import functools
import math
import os
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from attnbook.heads import _merge_groups, _to_groups
from attnbook.kernel import (
    _Call,
    _divide,
    _dtypes,
    _narrow,
    _real,
    _soft_cap,
    _times,
    _visible_matmul,
)
from attnbook.masks import _whole, _window

__all__ = ["online_softmax", "tiled_attention"]

BLOCK_Q, BLOCK_K = 1024, 704  # the largest tile, unless told otherwise
SPARE_BITS = 32  # how often a weight may double and leave room for sum and value
EDGE_K = 192  # keys of a tile on the edge of a window, much of which is hidden


@np.errstate(all="ignore")
def online_softmax(tiles):
    """Average values with the softmax of scores that arrive a few keys at a time.

    Three things are kept for each query: the largest score so far and, relative to it,
    the sum of the weights and the weighted sum of the values. When a larger score turns
    up, both sums shrink by the same factor.

    Parameters
    ----------
    tiles : iterable of (scores, V) pairs, at least one
        `scores` has shape (n_q, any number of keys), with -inf for a hidden key; `V`
        holds the values of these keys, shape (the same number of keys, d_v).

    Returns
    -------
    output : ndarray, shape (n_q, d_v)
        What ``softmax(all scores) @ all V`` gives; zeros for a query with no key. The
        dtype is that of all tiles together, as in `attention`.
    logsumexp : ndarray, shape (n_q,)
        Logarithm of the sum of ``exp(scores)``; -inf for a query with no key.

    Raises
    ------
    ValueError
        If there is no tile, or shapes do not fit together.

    References
    ----------
    Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018,
    algorithm 3; Dao et al., "FlashAttention", 2022, algorithm 1.

    Examples
    --------
    >>> first = [[0.0, 0.0]], [[3.0], [5.0]]
    >>> second = [[np.log(2)]], [[8.0]]  # arrives later, weighs as much as both
    >>> output, logsumexp = online_softmax([first, second])
    >>> output.round(3), np.exp(logsumexp).round(3)
    (array([[6.]]), array([4.]))
    """
    top, total, weighted, dtype = -np.inf, 0.0, 0.0, np.int8
    for scores, V in tiles:
        scores, V = _check_tile(scores, V, np.shape(weighted))
        dtype, work = _dtypes(scores, V, np.empty(0, dtype))
        scores, V = np.asarray(scores, work), np.asarray(V, work)
        largest = np.max(scores, axis=1, keepdims=True, initial=-np.inf)
        new_top = np.maximum(top, largest)
        level = np.where(new_top == -np.inf, 0, new_top)  # as -inf - -inf is NaN
        shrink = np.exp(top - level)
        weights = np.exp(scores - level)
        total = shrink * total + weights.sum(axis=1, keepdims=True)
        weighted = shrink * weighted + weights @ V
        top = new_top
    if np.ndim(top) == 0:
        raise ValueError("there must be at least one tile, got none")
    output = weighted / np.where(total == 0, 1, total)
    return np.asarray(output, dtype), (top + np.log(total))[:, 0]


def _check_tile(scores, V, so_far):
    """Check that scores and values fit together, and to the sums of other tiles."""
    scores, V = _real("scores", scores), _real("V", V)
    fits = scores.ndim == V.ndim == 2 and scores.shape[1] == len(V)
    if not fits or so_far not in ((), (len(scores), V.shape[1])):
        raise ValueError(f"a tile is (n_q, n), (n, d_v); got {scores.shape}, {V.shape}")
    return scores, V


@np.errstate(all="ignore")
def tiled_attention(
    Q,
    K,
    V,
    *,
    mask=None,
    bias=None,
    causal=False,
    align="bottom_right",
    left=None,
    right=None,
    scale=None,
    temperature=1.0,
    softcap=None,
    block_q=None,
    block_k=None,
    workers=None,
    return_logsumexp=False,
):
    """Average the values, each query with its own weights, one tile at a time.

    Agrees with `attention` to the accuracy of the dtype, and takes less time and far
    less memory for long sequences. Tiles that no query sees are skipped. The result is
    the same to the last bit for any number of workers.

    Parameters
    ----------
    Q : array-like, shape (..., n_q, d_k)
        One query a row. Leading axes of `Q`, `K` and `V` broadcast. The head axis, the
        third from the end, may also be a multiple of that of `K` and `V`: the heads are
        then grouped as in `grouped_attention`.
    K : array-like, shape (..., n_k, d_k)
        One key a row.
    V : array-like, shape (..., n_k, d_v)
        One value a row.
    mask, bias, causal, align, scale, temperature, softcap
        As in `attention`.
    left, right : int or None
        A query sees this many keys before and after its own position, as in
        `window_mask`; None is no limit. A side that is not given has none: only
        ``right=0`` or `causal` hides the future. A causal window of W tokens, the
        query's own among them, is ``left=W - 1, right=0``. No mask is made of it.
    block_q, block_k : int
        Queries and keys of one tile.
    workers : int
        Threads, one for each processor by default. Without threadpoolctl, which keeps
        the threads of the matrix product out of the way, it is always one.
    return_logsumexp : bool
        Return the logarithm of each query's sum of ``exp(scores / temperature)`` too.

    Returns
    -------
    output : ndarray, shape (..., n_q, d_v)
        The dtype is ``result_type(Q, K, V)``, as in `attention`; zeros for a query with
        no key.
    logsumexp : ndarray, shape (..., n_q)
        If asked for; float32 for float16 and bfloat16 inputs. -inf for a query with no
        key.

    Raises
    ------
    TypeError
        If an input is not real, `mask` is not boolean, or `bias` is; if a block, a side
        or `workers` is not an integer.
    ValueError
        If shapes do not match, or an option is out of its range.

    Notes
    -----
    Beyond inputs and outputs, memory is proportional to
    ``workers * block_q * (block_k + d_k + d_v)``.

    Weights may be as small as ``2 ** -32`` before they are divided by their sum, so a
    value less than ``2 ** 32`` times the smallest normal number may lose digits.

    References
    ----------
    Dao et al., "FlashAttention", 2022, algorithm 1; Dao, "FlashAttention-2", 2023,
    section 3.1.

    Examples
    --------
    >>> Q, K, V = np.zeros((3, 1)), np.zeros((3, 1)), [[1.0], [3.0], [7.0]]
    >>> tiled_attention(Q, K, V, left=1, right=0, block_k=2)  # the mean of two values
    array([[1.],
           [2.],
           [5.]])
    """
    Q, K, V = _real("Q", Q), _real("K", K), _real("V", V)
    grouped = _is_grouped(Q, K, V)
    if grouped:
        Q, K, V, hiding = _to_groups(Q, K, V, mask=mask, bias=bias)
        mask, bias = hiding["mask"], hiding["bias"]
    options = mask, bias, causal, align, scale, temperature, softcap
    call = _Call((Q, K, V), *options, cast=False)
    job = _Job(call, left, right, block_q, block_k)
    _run(job, _worker_count(workers, job))
    results = job.output, job.logsumexp
    output, logsumexp = map(_merge_groups, results) if grouped else results
    return (output, logsumexp[..., 0]) if return_logsumexp else output


def _is_grouped(Q, K, V):
    """Say whether the head axes differ in a way that broadcasting does not cover."""
    heads = [array.shape[-3] for array in (Q, K, V) if array.ndim > 2]
    return len(heads) == 3 and len({*heads} - {1}) > 1


class _Job:
    """What all threads share: a checked call, how to cut it up, and the results."""

    def __init__(self, call, left, right, block_q, block_k):
        n_q, n_k, d_v = call.Q.shape[-2], *call.V.shape[-2:]
        left, right = _window(left, right, n_q + n_k)
        self.call = call  # its arrays keep their own dtypes
        self.first = call.own - left  # query i sees key j if first <= j - i <= last
        self.last = call.own + (min(right, 0) if call.causal else right)
        # Tall blocks waste least, but there must be enough of them to share out.
        default = _even(n_q, min(BLOCK_Q, max(128, -(-n_q // 4))))
        self.block_q = default if block_q is None else _whole("block_q", block_q, 1)
        self.block_k = BLOCK_K if block_k is None else _whole("block_k", block_k, 1)
        self.output = np.empty((*call.batch, n_q, d_v), call.dtype)
        self.logsumexp = np.empty((*call.batch, n_q, 1), call.work)
        self.longest = {}  # head: the length of its longest key


def _even(n, most):
    """Split n into parts of about the same size, at most `most`; return that size.

    Rows of 16 numbers start on a cache line.
    """
    parts = max(1, -(-n // most))
    size = -(-n // parts)
    return max(1, min(most, -(-size // 16) * 16))


class _Tile(NamedTuple):
    """Where some queries of a block meet some keys, and who sees whom."""

    rows: slice  # of the block
    keys: slice
    queries: slice  # the same rows, counted from query 0
    shades: list  # pairs (rows of the tile, which keys they see)


class _Block:
    """The online softmax of one block of queries.

    What makes it fast, beside working in place:

    1. If no score can be large, no maximum is subtracted: `top` is None. By Cauchy and
       Schwarz no score exceeds the longest query times the longest key.
    2. Then ``exp(x)`` is computed as ``2 ** (x log2(e))``, with that factor put in the
       scale. It takes half the time, but would be slow where it underflows.
    3. Otherwise `top` is lazy: the largest score of a row's first tile is kept. Later
       weights may exceed 1, which does no harm until they overflow.
    4. Rows are added up by a product with a column of ones.
    5. Hidden weights are multiplied by 0 after the exponential. Setting scattered
       scores to -inf before it takes longer than the exponential.
    6. Neither scores nor values are inspected. Where NaN or an overflow spoils a sum,
       the block is computed again with care.
    """

    def __init__(self, job, room, head, start):
        call = job.call
        self.job, self.call, self.room, self.start = job, call, room, start
        self.stop = min(start + job.block_q, call.Q.shape[-2])
        self.Q, self.K, self.V, self.mask, self.bias = (
            _matrix(array, call.batch, head)
            for array in (call.Q, call.K, call.V, call.mask, call.bias)
        )
        self.output, self.logsumexp = job.output[head], job.logsumexp[head]
        if head not in job.longest:
            job.longest[head] = _longest(self.K, job)
        self.longest_key = job.longest[head]

    def attend(self):
        """Visit the tiles that the block can see, then write its part of the output."""
        self._sweep(careful=False)
        if not (np.isfinite(self.total).all() and np.isfinite(self.weighted).all()):
            self._sweep(careful=True)
        self._finish()

    def _sweep(self, careful):
        """Visit all tiles; `careful` expects NaN and numbers near the dtype's limit."""
        self._begin(careful)
        for start, stop in self._runs():
            tile = self._tile(start, stop)
            if all(seen.any() for _, seen in tile.shades):
                self._take_in(tile)

    def _begin(self, careful):
        """Scale the queries, and choose between the two kinds of exponential."""
        self.careful = careful
        call, n = self.call, self.stop - self.start
        queries = np.asarray(self.Q[self.start : self.stop], call.work)
        self.weighted = np.zeros((n, self.V.shape[1]), call.work)
        self.total = np.zeros((n, 1), call.work)
        base_2 = call.scale / call.temperature / math.log(2)
        reach = abs(base_2) * _longest(queries, self.job) * self.longest_key
        # False for NaN, and where a float64 such as log(2) is not exact enough.
        bounded = reach <= SPARE_BITS and call.work.itemsize <= 8
        if bounded and not careful and self.bias is None and call.softcap is None:
            self.top, self.exp, factor = None, np.exp2, base_2
        else:
            self.top, self.exp, factor = self.total - np.inf, np.exp, call.scale
        self.queries = _times(queries, factor)
        # Values near the dtype's limit are made smaller, lest their sum overflow.
        self.shrink = 0.5 ** len(self.K).bit_length() if careful else 1.0

    def _runs(self):
        """Yield runs of keys in reach, short ones where the window has its edges."""
        job = self.job
        start = max(0, self.start + job.first)
        stop = min(len(self.K), self.stop + job.last)
        inner = self.stop - 1 + job.first, self.start + job.last + 1  # all rows see it
        while start < stop:
            if inner[0] <= start < inner[1]:
                end = min(inner[1], stop)
                size = _even(end - start, job.block_k)
            else:
                end, size = stop, min(EDGE_K, job.block_k)
            yield start, min(start + size, end)
            start = min(start + size, end)

    def _tile(self, start, stop):
        """Cut the rows that see none of the keys start..stop off the block."""
        job = self.job
        low = max(self.start, start - job.last)
        high = min(self.stop, stop - job.first)
        queries, keys = slice(low, high), slice(start, stop)
        shades = []
        if self.mask is not None:
            shades.append((slice(None), _cut(self.mask, queries, keys)))
        if self.bias is not None:
            shades.append((slice(None), _cut(self.bias, queries, keys) != -np.inf))
        shades = [shade for shade in shades if not shade[1].all()]
        # The rows on the edges of the window see a part of the keys.
        right, left = min(high, stop - 1 - job.last), max(low, start - job.first + 1)
        for some in (slice(low, right), slice(left, high)):
            if some.start < some.stop:
                rows = slice(some.start - low, some.stop - low)
                shades.append((rows, _band(some, keys, job.first, job.last)))
        rows = slice(low - self.start, high - self.start)
        return _Tile(rows, keys, queries, shades)

    def _take_in(self, tile):
        """Add the keys of a tile to the sums."""
        weights = self._weights(tile)
        ones = np.ones((weights.shape[1], 1), weights.dtype)
        self.total[tile.rows] += weights @ ones
        self.weighted[tile.rows] += self._product(weights, tile)

    def _weights(self, tile):
        """Return the weights of a tile, relative to `top`."""
        scores = self._scores(tile)
        lazy = self.top is None or (self.top[tile.rows] != -np.inf).all()
        if self.careful or not lazy:
            for rows, seen in tile.shades:
                np.copyto(scores[rows], -np.inf, where=~seen)
            self._raise_top(tile.rows, scores)
        if self.top is not None:
            scores -= _level(self.top[tile.rows])
            _divide(scores, self.call.temperature)
        weights = self.exp(scores, out=scores)
        if lazy and not self.careful:
            for rows, seen in tile.shades:
                np.multiply(weights[rows], seen, out=weights[rows])
        return weights

    def _scores(self, tile):
        """Return the scores of a tile; hidden ones may hold anything."""
        queries, K = self.queries[tile.rows], self.K[tile.keys]
        scores = self.room[: len(queries) * len(K)].reshape(len(queries), len(K))
        np.matmul(queries, K.T, out=scores)
        if self.call.softcap is not None:
            scores[...] = _soft_cap(scores, self.call.softcap)
        if self.bias is not None:
            scores += _narrow(_cut(self.bias, tile.queries, tile.keys), self.call.work)
        return scores

    def _raise_top(self, rows, scores):
        """Let `top` reach the largest score; shrink the sums so far accordingly."""
        new = np.maximum(self.top[rows], scores.max(axis=1, keepdims=True))
        gap = _divide(self.top[rows] - _level(new), self.call.temperature)
        shrink = np.exp(gap)
        self.total[rows] *= shrink
        self.weighted[rows] *= shrink
        self.top[rows] = new

    def _product(self, weights, tile):
        """Return weights @ V, in which a hidden value adds nothing, even if NaN."""
        V = np.asarray(self.V[tile.keys], self.call.work)
        if not self.careful:
            return weights @ V
        visible = np.ones(weights.shape, bool)
        for rows, seen in tile.shades:
            visible[rows] &= seen
        return _visible_matmul(weights, V * self.shrink, visible)

    def _finish(self):
        """Divide by the sum of the weights; a query with no key gets zeros."""
        rows = slice(self.start, self.stop)
        total = np.where(self.total == 0, 1, self.total) * self.shrink
        np.divide(self.weighted, total, out=self.output[rows])
        logsumexp = np.log(self.total)
        if self.top is not None:
            top = _divide(self.top, self.call.temperature)
            logsumexp += top
            logsumexp[top == np.inf] = np.inf  # where inf - inf made it NaN
        self.logsumexp[rows] = logsumexp


def _matrix(array, batch, head):
    """Return the last two axes of an array, for one head."""
    if array is None:
        return None
    array = np.atleast_2d(array)
    return np.broadcast_to(array, batch + array.shape[-2:])[head]


def _cut(array, rows, columns):
    """Index a matrix whose axes may have size 1 and stand for any number."""
    n_rows, n_columns = array.shape
    every = slice(None)
    return array[rows if n_rows > 1 else every, columns if n_columns > 1 else every]


def _band(rows, keys, first, last):
    """Return where ``first <= key - row <= last``, as a view of a short vector.

    Along a diagonal all entries are equal. So each row is the one below it, read from
    one place further on.
    """
    gaps = np.arange(keys.start - rows.stop + 1, keys.stop - rows.start)
    inside = (first <= gaps) & (gaps <= last)
    return sliding_window_view(inside, keys.stop - keys.start)[::-1]


def _longest(rows, job):
    """Return the Euclidean length of the longest row; NaN if there is one in it."""
    longest = 0.0
    for start in range(0, len(rows), job.block_q):
        some = np.asarray(rows[start : start + job.block_q], job.call.work)
        longest = np.maximum(longest, np.einsum("ij,ij->i", some, some).max())
    return math.sqrt(longest)


def _level(top):
    """Return what to subtract: 0 for a row with no key, as -inf - -inf is NaN."""
    return np.where(top == -np.inf, 0, top)


def _worker_count(workers, job):
    """Return how many threads to use: no more than there are blocks."""
    workers = _processors() if workers is None else _whole("workers", workers, 1)
    blocks = math.prod(job.call.batch) * -(-job.output.shape[-2] // job.block_q)
    return 1 if _blas_threads() is None else max(1, min(workers, blocks))


def _processors():
    """Count the processors that this process may use."""
    known = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1


def _run(job, workers):
    """Let threads take blocks off a list until none is left."""
    starts = range(0, job.output.shape[-2], job.block_q)
    # From the right: under a causal mask the last blocks take longest, and the short
    # ones at the end let all threads finish at about the same time. A thread that comes
    # upon None is done.
    blocks = deque([None] * workers)
    heads = np.ndindex(job.call.batch)
    blocks.extend((head, start) for head in heads for start in starts)

    @np.errstate(all="ignore")  # which a thread does not inherit
    def drain():
        # There is room for the scores of one tile.
        n_q, n_k = job.call.Q.shape[-2], job.call.K.shape[-2]
        room = np.empty(min(job.block_q, n_q) * min(job.block_k, n_k), job.call.work)
        try:
            for head, start in iter(blocks.pop, None):
                _Block(job, room, head, start).attend()
        except BaseException:
            blocks.extend([None] * workers)  # so that the others stop too
            raise

    with _one_blas_thread, ThreadPoolExecutor(workers) as pool:
        others = [pool.submit(drain) for _ in range(workers - 1)]
        drain()
    for other in others:
        other.result()


@functools.cache
def _blas_threads():
    """Return threadpoolctl's view of the BLAS libraries; finding them takes a while."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController().select(user_api="blas")


class _OneBlasThread:
    """Limit BLAS to one thread while any call is at work; calls may overlap."""

    def __init__(self):
        self.lock, self.depth, self.limit = threading.Lock(), 0, None

    def __enter__(self):
        with self.lock:
            if self.depth == 0 and _blas_threads() is not None:
                self.limit = _blas_threads().limit(limits=1)
            self.depth += 1

    def __exit__(self, *error):
        with self.lock:
            self.depth -= 1
            if self.depth == 0 and self.limit is not None:
                self.limit.restore_original_limits()
                self.limit = None


_one_blas_thread = _OneBlasThread()

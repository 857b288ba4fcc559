"""Several heads: splitting and merging, grouped keys and values, the key-value cache.

With heads the axes are ``(..., n_heads, n, d)``. Grouped-query attention lets several
query heads share one head of keys and values; one shared head for all of them is
multi-query attention, one each is plain multi-head attention.
"""

import copy

import numpy as np

from attnbook.kernel import FLOATS, _bias, _mask, _real, _score_shape, attention
from attnbook.masks import _plain, _whole

__all__ = ["KVCache", "grouped_attention", "merge_heads", "split_heads"]


def split_heads(X, n_heads):
    """Cut each row into `n_heads` equal pieces, one a head.

    Parameters
    ----------
    X : array-like, shape (..., n, width)
        Head h gets the columns ``h * width / n_heads`` and on.
    n_heads : int
        Must divide the width.

    Returns
    -------
    ndarray, shape (..., n_heads, n, width / n_heads)
        A view of `X` where possible.

    Raises
    ------
    TypeError
        If `n_heads` is not an integer, or `X` is a masked array.
    ValueError
        If `n_heads` is below 1 or does not divide the width, or `X` is not 2-D or more.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.2.2.

    Examples
    --------
    >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], 2)
    array([[[1, 2],
            [5, 6]],
    <BLANKLINE>
           [[3, 4],
            [7, 8]]])
    """
    X = _plain("X", X)
    n_heads = _whole("n_heads", n_heads, 1)
    if X.ndim < 2:
        raise ValueError(f"X must be at least 2-D, got shape {X.shape}")
    if X.shape[-1] % n_heads:
        raise ValueError(
            f"the width must be divisible by n_heads, got {X.shape[-1]} and {n_heads}"
        )
    heads = X.reshape(*X.shape[:-1], n_heads, X.shape[-1] // n_heads)
    return heads.swapaxes(-3, -2)


def merge_heads(X):
    """Put the heads side by side again: the inverse of `split_heads`.

    Parameters
    ----------
    X : array-like, shape (..., n_heads, n, d)
        One matrix a head.

    Returns
    -------
    ndarray, shape (..., n, n_heads * d)
        The columns of head 0 come first.

    Raises
    ------
    TypeError
        If `X` is a masked array.
    ValueError
        If `X` is not 3-D or more.

    Examples
    --------
    >>> merge_heads([[[1, 2], [5, 6]], [[3, 4], [7, 8]]])
    array([[1, 2, 3, 4],
           [5, 6, 7, 8]])
    """
    X = _plain("X", X)
    if X.ndim < 3:
        raise ValueError(f"X must be at least 3-D, got shape {X.shape}")
    *batch, n_heads, n, d = X.shape
    return X.swapaxes(-3, -2).reshape(*batch, n, n_heads * d)


def grouped_attention(Q, K, V, **options):
    """Attend with several query heads to each head of keys and values.

    Query head h uses group ``h // (n_heads / n_kv_heads)``: the first few query heads
    share the first group. Nothing is repeated in memory.

    Parameters
    ----------
    Q : array-like, shape (..., n_heads, n_q, d_k)
        The queries of all heads.
    K : array-like, shape (..., n_kv_heads, n_k, d_k)
        `n_kv_heads` must divide `n_heads`.
    V : array-like, shape (..., n_kv_heads, n_k, d_v)
        As many heads as `K`.
    **options
        As in `kernel.attention`; mask and bias broadcast to
        (..., n_heads, n_q, n_k).

    Returns
    -------
    ndarray, shape (..., n_heads, n_q, d_v)
        The output of each query head; `merge_heads` puts them side by side.

    Raises
    ------
    TypeError
        If an input is not real, `mask` is not boolean, or `bias` is.
    ValueError
        If shapes or head counts do not match, or an option is out of its range.

    References
    ----------
    Ainslie et al., "GQA", 2023, section 2.2; Shazeer, "Fast Transformer Decoding",
    2019, section 3 (multi-query).

    Examples
    --------
    >>> Q, K = np.zeros((4, 1, 1)), np.zeros((2, 1, 1))
    >>> V = np.array([[[5.0]], [[7.0]]])  # one key a group: its value is the output
    >>> grouped_attention(Q, K, V).ravel()
    array([5., 5., 7., 7.])
    """
    Q, K, V, options = _to_groups(Q, K, V, **options)
    return _merge_groups(attention(Q, K, V, **options))


class KVCache:
    """Keep the keys and values of the tokens so far, so that none is computed twice.

    Room doubles when it runs out, so that appending costs the same on average.

    Parameters
    ----------
    n_kv_heads : int
        Heads of keys and values.
    d_k, d_v : int
        Width of a key and of a value.
    batch : int or tuple of int
        Leading axes.
    capacity : int
        Tokens to reserve room for at first.
    dtype : dtype
        A float type, ``ml_dtypes.bfloat16`` included; what is appended is cast to it.
        What leaves its range is infinite.

    Raises
    ------
    TypeError
        If a count is not an integer or `dtype` is not a float type.
    ValueError
        If a count is out of its range.

    Examples
    --------
    >>> cache = KVCache(n_kv_heads=2, d_k=4, d_v=4)
    >>> keys, values = cache.append(np.ones((2, 3, 4)), np.ones((2, 3, 4)))
    >>> len(cache), keys.shape, cache.nbytes
    (3, (2, 3, 4), 384)
    >>> other = copy.copy(cache)  # to continue the text in two ways
    >>> keys, values = other.append(np.zeros((2, 1, 4)), np.zeros((2, 1, 4)))
    >>> len(cache), len(other)
    (3, 4)
    """

    def __init__(self, n_kv_heads, d_k, d_v, *, batch=(), capacity=64, dtype=float):
        heads = _whole("n_kv_heads", n_kv_heads, 1)
        batch = batch if np.iterable(batch) else (batch,)
        self._shape = (*(_whole("batch", axis, 0) for axis in batch), heads)
        self._widths = _whole("d_k", d_k, 1), _whole("d_v", d_v, 0)
        self.dtype = np.dtype(dtype)
        if self.dtype.name not in FLOATS:
            raise TypeError(f"dtype must be a float type, got {self.dtype}")
        room = _whole("capacity", capacity, 1)
        shapes = [(*self._shape, room, width) for width in self._widths]
        self._stores = [np.empty(shape, self.dtype) for shape in shapes]
        self._length = 0

    @np.errstate(all="ignore")
    def append(self, K, V):
        """Add keys and values; return read-only views of all so far.

        Parameters
        ----------
        K : array-like, shape (*batch, n_kv_heads, n_new, d_k)
            Keys of the new tokens.
        V : array-like, shape (*batch, n_kv_heads, n_new, d_v)
            Values of the new tokens.

        Returns
        -------
        keys, values : ndarray
            Shapes (*batch, n_kv_heads, len, d_k) and (*batch, n_kv_heads, len, d_v).

        Raises
        ------
        TypeError
            If `K` or `V` is not real.
        ValueError
            If a shape does not fit; the cache is then as it was.
        """
        arrays = _real("K", K), _real("V", V)
        n_new = arrays[0].shape[-2] if arrays[0].ndim > 1 else "n_new"
        for name, array, width in zip("KV", arrays, self._widths, strict=True):
            expected = (*self._shape, n_new, width)
            if array.shape != expected:
                raise ValueError(f"{name} must be {expected}, got {array.shape}")
        end = self._length + n_new
        while end > self._stores[0].shape[-2]:
            self._stores = [
                np.concatenate([store, np.empty_like(store)], axis=-2)
                for store in self._stores
            ]
        for store, array in zip(self._stores, arrays, strict=True):
            store[..., self._length : end, :] = array
        self._length = end
        return self._views()

    def __len__(self):
        """Count the tokens so far."""
        return self._length

    def __copy__(self):
        """Return a cache with room of its own, to continue a text in two ways."""
        return copy.deepcopy(self)

    @property
    def nbytes(self):
        """Bytes that the tokens so far take; reserved room is not counted."""
        return sum(view.nbytes for view in self._views())

    def _views(self):
        views = (store[..., : self._length, :] for store in self._stores)
        return tuple(np.broadcast_to(view, view.shape) for view in views)  # read-only


def _to_groups(Q, K, V, *, mask=None, bias=None, **options):
    """Give queries and masks a group axis, for which keys and values have size 1."""
    Q, K, V = _real("Q", Q), _real("K", K), _real("V", V)
    for name, array in (("Q", Q), ("K", K), ("V", V)):
        if array.ndim < 3:
            raise ValueError(f"{name} needs a head axis, got shape {array.shape}")
    n_kv_heads = _kv_heads(Q.shape[-3], K.shape[-3])
    if V.shape[-3] != n_kv_heads:
        raise ValueError(f"K and V must share n_kv_heads, got {K.shape} and {V.shape}")
    shape = _score_shape({"Q": Q, "K": K[..., :1, :, :], "V": V[..., :1, :, :]})
    Q, options["mask"], options["bias"] = (
        _head_axis_to_groups(array, n_kv_heads)
        for array in (Q, _mask(mask, shape), _bias(bias, shape))
    )
    return Q, K[..., None, :, :], V[..., None, :, :], options


def _kv_heads(n_heads, n_kv_heads):
    """Check the numbers of heads; return how many there are of keys and values."""
    n_heads = _whole("n_heads", n_heads, 1)
    n_kv_heads = n_heads if n_kv_heads is None else _whole("n_kv_heads", n_kv_heads, 1)
    if n_heads % n_kv_heads:
        raise ValueError(
            f"n_heads must be divisible by n_kv_heads, got {n_heads} and {n_kv_heads}"
        )
    return n_kv_heads


def _head_axis_to_groups(array, n_kv_heads):
    """Split axis -3 into groups and members; size 1 broadcasts over both."""
    if array is None or array.ndim < 3:
        return array
    *batch, n_heads, rows, columns = array.shape
    groups = 1 if n_heads == 1 else n_kv_heads
    return array.reshape(*batch, groups, n_heads // groups, rows, columns)


def _merge_groups(array):
    """Undo `_head_axis_to_groups`."""
    *batch, groups, members, rows, columns = array.shape
    return array.reshape(*batch, groups * members, rows, columns)

"""Several heads: splitting and merging, grouped keys and values, the key-value cache.

With heads the axes are ``(..., n_heads, n, d)``. Grouped-query attention lets several
query heads share one head of keys and values; one shared head for all of them is
multi-query attention, one each is plain multi-head attention.
"""

import numpy as np

from attnbook.kernel import _bias, _mask, _real, _score_shape, attention
from attnbook.masks import _whole

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
        If `n_heads` is not an integer.
    ValueError
        If `n_heads` is below 1 or does not divide the width, or `X` is not 2-D or more.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.2.2.
    """
    X = np.asarray(X)
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
    ValueError
        If `X` is not 3-D or more.
    """
    X = np.asarray(X)
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
    """
    Q, K, V, options = _to_groups(Q, K, V, **options)
    output = attention(Q, K, V, **options)
    *batch, n_kv_heads, group, n_q, d_v = output.shape
    return output.reshape(*batch, n_kv_heads * group, n_q, d_v)


class KVCache:
    """Keep the keys and values of the tokens so far, so that none is computed twice.

    Room doubles when it runs out, so that appending costs the same on average.

    Parameters
    ----------
    n_kv_heads : int
        Heads of keys and values.
    d_k, d_v : int
        Width of a key and of a value.
    batch : tuple of int
        Leading axes.
    capacity : int
        Tokens to reserve room for at first.
    dtype : dtype
        A float type; what is appended is cast to it.

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
    """

    def __init__(
        self, n_kv_heads, d_k, d_v, *, batch=(), capacity=64, dtype=np.float64
    ):
        self.n_kv_heads = _whole("n_kv_heads", n_kv_heads, 1)
        self.d_k, self.d_v = _whole("d_k", d_k, 1), _whole("d_v", d_v, 0)
        self.batch = tuple(_whole("batch", axis, 0) for axis in batch)
        self.dtype = np.dtype(dtype)
        if self.dtype.kind != "f":
            raise TypeError(f"dtype must be a float type, got {self.dtype}")
        self._length = 0
        room = _whole("capacity", capacity, 1)
        self._keys, self._values = (
            self._store(room, self.d_k),
            self._store(room, self.d_v),
        )

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
        K, V = _real("K", K), _real("V", V)
        n_new = K.shape[-2] if K.ndim > 1 else 0
        for name, array, width in (("K", K, self.d_k), ("V", V, self.d_v)):
            expected = (*self.batch, self.n_kv_heads, n_new, width)
            if array.shape != expected:
                raise ValueError(f"{name} must be {expected}, got {array.shape}")
        end = self._length + n_new
        self._reserve(end)
        self._keys[..., self._length : end, :] = K
        self._values[..., self._length : end, :] = V
        self._length = end
        return self._view(self._keys), self._view(self._values)

    def __len__(self):
        """Count the tokens so far."""
        return self._length

    @property
    def nbytes(self):
        """Bytes that the tokens so far take; reserved room is not counted."""
        return self._view(self._keys).nbytes + self._view(self._values).nbytes

    def _store(self, n, width):
        return np.empty((*self.batch, self.n_kv_heads, n, width), self.dtype)

    def _view(self, store):
        view = store[..., : self._length, :]
        view.flags.writeable = False
        return view

    def _reserve(self, n):
        room = self._keys.shape[-2]
        if n <= room:
            return
        old = self._keys, self._values
        room = max(n, 2 * room)
        self._keys, self._values = (
            self._store(room, self.d_k),
            self._store(room, self.d_v),
        )
        for store, kept in zip((self._keys, self._values), old, strict=True):
            store[..., : self._length, :] = kept[..., : self._length, :]


def _to_groups(Q, K, V, *, mask=None, bias=None, **options):
    """Give queries and masks a group axis, for which keys and values have size 1."""
    Q, K, V = _real("Q", Q), _real("K", K), _real("V", V)
    n_kv_heads = _check_heads(Q, K, V)
    first = slice(0, 1)
    shape = _score_shape({"Q": Q, "K": K[..., first, :, :], "V": V[..., first, :, :]})
    options["mask"] = _head_axis_to_groups(_mask(mask, shape), n_kv_heads)
    options["bias"] = _head_axis_to_groups(_bias(bias, shape), n_kv_heads)
    Q = _head_axis_to_groups(Q, n_kv_heads)
    return Q, K[..., None, :, :], V[..., None, :, :], options


def _check_heads(Q, K, V):
    """Check the head axes; return the number of key-value heads."""
    for name, array in (("Q", Q), ("K", K), ("V", V)):
        if array.ndim < 3:
            raise ValueError(f"{name} needs a head axis, got shape {array.shape}")
    n_heads, n_kv_heads = Q.shape[-3], K.shape[-3]
    if V.shape[-3] != n_kv_heads:
        raise ValueError(f"K and V must share n_kv_heads, got {K.shape} and {V.shape}")
    if n_heads < 1 or n_kv_heads < 1 or n_heads % n_kv_heads:
        raise ValueError(
            "n_heads must be a positive multiple of n_kv_heads, "
            f"got {n_heads} and {n_kv_heads}"
        )
    return n_kv_heads


def _head_axis_to_groups(array, n_kv_heads):
    """Split axis -3 into groups and members; size 1 broadcasts over both."""
    if array is None or array.ndim < 3:
        return array
    *batch, n_heads, rows, columns = array.shape
    groups = 1 if n_heads == 1 else n_kv_heads
    return array.reshape(*batch, groups, n_heads // groups, rows, columns)

"""Boolean masks: causal, padding, sliding window, and how they combine.

In every mask True means "may attend", queries are rows and keys are columns. Masks
combine with ``&``: a key is seen only when every mask allows it. They stay boolean
until the softmax, because two finite stand-ins for minus infinity can add up to a real
one.
"""

import numbers

import numpy as np

__all__ = ["causal_mask", "padding_mask", "window_mask"]

ALIGNMENTS = ("bottom_right", "top_left")


def causal_mask(n_q, n_k=None, *, align="bottom_right"):
    """Let each query see the keys up to its own position.

    With ``n_q == n_k`` this is the lower triangle, diagonal included. Otherwise there
    are two ways to lay the queries along the keys, and libraries differ:

    - ``bottom_right``: the last query sees every key. This is what decoding with a
      key-value cache needs, and what FlashAttention (since 2.1) does. With more queries
      than keys, the first ``n_q - n_k`` rows see nothing.
    - ``top_left``: the first query sees the first key. PyTorch's
      ``scaled_dot_product_attention(is_causal=True)`` and FlashAttention before 2.1 do
      this. With one query and many cached keys it sees only the oldest key.

    Parameters
    ----------
    n_q, n_k : int
        How many queries and keys; `n_k` defaults to `n_q`.
    align : {"bottom_right", "top_left"}
        Which corner of the score matrix the diagonal runs through.

    Returns
    -------
    ndarray of bool, shape (n_q, n_k)
        True = may attend.

    Raises
    ------
    TypeError
        If a count is not an integer.
    ValueError
        If a count is negative, or `align` is not one of the two.

    See Also
    --------
    window_mask : the same with a limit on how far back a query sees.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.2.3.

    Examples
    --------
    >>> causal_mask(2, 3)
    array([[ True,  True, False],
           [ True,  True,  True]])
    >>> causal_mask(2, 3, align="top_left")
    array([[ True, False, False],
           [ True,  True, False]])
    """
    return window_mask(n_q, n_k, left=None, right=0, align=align)


def window_mask(n_q, n_k=None, *, left, right, align="bottom_right"):
    """Let each query see a window of keys around its own position.

    Query ``i`` stands at key position ``p = i + (n_k - n_q)`` (bottom right) or
    ``p = i`` (top left), and sees the keys ``p - left`` to ``p + right``, both of them
    included. A causal window of W tokens, the query's own among them, is
    ``left=W - 1, right=0``. Both sides must be named, so that none sees the future by
    an oversight.

    Parameters
    ----------
    n_q, n_k : int
        How many queries and keys; `n_k` defaults to `n_q`.
    left, right : int or None
        How many keys before and after its own position a query sees; None is no limit.
    align : {"bottom_right", "top_left"}
        Which corner of the score matrix the diagonal runs through; see `causal_mask`.

    Returns
    -------
    ndarray of bool, shape (n_q, n_k)
        True = may attend. A window of 0 keys to each side is the diagonal.

    Raises
    ------
    TypeError
        If a count or a side is not an integer.
    ValueError
        If a count or a side is negative, or `align` is not one of the two.

    References
    ----------
    Beltagy et al., "Longformer", 2020, section 3.1 (sliding window).

    Examples
    --------
    >>> window_mask(4, left=1, right=0).astype(int)  # a causal window of 2 tokens
    array([[1, 0, 0, 0],
           [1, 1, 0, 0],
           [0, 1, 1, 0],
           [0, 0, 1, 1]])
    """
    n_q = _whole("n_q", n_q, 0)
    n_k = n_q if n_k is None else _whole("n_k", n_k, 0)
    left, right = _window(left, right, n_q + n_k)
    own = np.arange(n_q)[:, None] + _offset(n_q, n_k, align)
    key = np.arange(n_k)
    return (key >= own - left) & (key <= own + right)


def padding_mask(lengths, n_k, *, heads=None, side="right"):
    """Hide the padding of each sequence, for all of its queries.

    Padding is a property of keys, so the mask has one row, which broadcasts over the
    queries. Scores may have an axis of heads between the sequences and the queries. A
    mask that lacks it would give each *head* the length of a sequence, unnoticed where
    there are as many heads as sequences. So several lengths need the word `heads`.

    Parameters
    ----------
    lengths : int array-like, shape (...)
        How many of the keys are real, for each sequence.
    n_k : int
        How many keys there are, padding included.
    heads : bool
        Whether the scores have a head axis. One length alone fits either.
    side : {"right", "left"}
        Where the padding is: after the real keys, or before them. With it on the left
        all sequences end at the same key, which batched decoding needs.

    Returns
    -------
    ndarray of bool, shape (..., 1, 1, n_k) with `heads`, (..., 1, n_k) without
        True = a real key. A length of 0 leaves no key.

    Raises
    ------
    TypeError
        If `lengths` or `n_k` is not of an integer type, or `heads` is not told.
    ValueError
        If a length is not in 0..n_k, or `side` is not one of the two.

    Examples
    --------
    >>> padding_mask(2, 4)
    array([[ True,  True, False, False]])
    >>> padding_mask(2, 4, side="left")
    array([[False, False,  True,  True]])
    >>> padding_mask([2, 4, 1], 4, heads=True).shape
    (3, 1, 1, 4)
    """
    n_k = _whole("n_k", n_k, 0)
    lengths = _plain("lengths", lengths)
    if lengths.size and not np.issubdtype(lengths.dtype, np.integer):
        raise TypeError(f"lengths must be integers, got dtype {lengths.dtype}")
    if not np.all((lengths >= 0) & (lengths <= n_k)):
        raise ValueError(f"lengths must be in 0..n_k = {n_k}, got {lengths.tolist()}")
    if lengths.ndim or heads is not None:  # one length alone needs no word
        heads = _flag("heads (have the scores an axis of them?)", heads)
    _one_of("side", side, ("right", "left"))
    before = np.arange(n_k)[:: 1 if side == "right" else -1]  # real keys, at most
    return before < lengths[(..., *[None] * (3 if heads else 2))]


def _offset(n_q, n_k, align):
    """Give the key position that query 0 stands at."""
    _one_of("align", align, ALIGNMENTS)
    return n_k - n_q if align == "bottom_right" else 0


def _window(left, right, reach):
    """Check the sides of a window; cut them to `reach`, so that no sum overflows."""
    return tuple(
        reach if side is None else min(_whole(name, side, 0), reach)
        for name, side in (("left", left), ("right", right))
    )


def _whole(name, value, least):
    """Return `value` as an int of at least `least`; bool and float are no counts."""
    value = value[()] if isinstance(value, np.ndarray) else value  # a 0-d array's
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    return int(value)


def _flag(name, value):
    """Return `value` as a bool; nothing else counts as true or false."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def _one_of(name, value, choices):
    """Check a word."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {choices}, got {value!r}")


def _plain(name, value):
    """Return `value` as an array; the mask of a masked array would be lost."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} must be a plain array, got a masked one: use mask=")
    try:
        return np.asarray(value)
    except (RuntimeError, TypeError, ValueError) as error:  # the first two by tensors
        kind = ValueError if isinstance(error, ValueError) else TypeError
        hint = "tensors as x.detach().cpu(), bfloat16 as x.detach().float()"
        raise kind(f"{name} must be readable by NumPy ({hint}): {error}") from error

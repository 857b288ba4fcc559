"""Positions: five ways of telling attention in which order its tokens stand.

Attention sees a set. What it is to know of order comes in at one of three places:

- *added to the tokens*, before the projections: `sinusoidal_positions`, a fixed table,
  or a learned one, which `learned_positions` reads;
- *turned into queries and keys*, after the projections: `rotary`;
- *added to the scores*, as ``bias=`` of `attention`: `alibi_bias`, or a learned number
  for each of the `relative_buckets` of distances.

Positions count from 0. Where a cache holds the earlier keys, the new tokens do not
stand at 0 any more: say so with ``positions=``, or by `n_k` above `n_q`.
"""

import math

import numpy as np

from attnbook.kernel import _dtypes, _positive, _real
from attnbook.masks import _flag, _offset, _one_of, _plain, _whole

__all__ = [
    "alibi_bias",
    "alibi_slopes",
    "convert_rotary",
    "learned_positions",
    "relative_buckets",
    "rotary",
    "sinusoidal_positions",
]

LAYOUTS = ("interleaved", "half_split")


def sinusoidal_positions(n, d, *, start=0, base=10000.0):
    """Give each position a row of sines and cosines, from fast waves to slow ones.

    Columns ``2i`` and ``2i + 1`` hold ``sin(p w)`` and ``cos(p w)`` of position p, with
    ``w = base ** (-2i / d)``. The row of position p + k is that of p, each pair turned
    by the angle ``k w``: a matrix that depends on k alone.

    Parameters
    ----------
    n : int
        How many positions.
    d : int
        Width of a row, even: that of a token.
    start : int
        The first position; any number at or above 0, since no table ends.
    base : float
        Above 0. The slowest wave is nearly `base` times as long as the fastest.

    Returns
    -------
    ndarray of float64, shape (n, d)
        To be added to the tokens, before the projections.

    Raises
    ------
    TypeError
        If a count is not an integer, or `base` no real number.
    ValueError
        If a count is negative, `d` odd or 0, or `base` not above 0.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5.

    Examples
    --------
    >>> sinusoidal_positions(2, 4).round(2)
    array([[0.  , 1.  , 0.  , 1.  ],
           [0.84, 0.54, 0.01, 1.  ]])
    """
    n, start = _whole("n", n, 0), _whole("start", start, 0)
    angles = _angles(np.arange(start, start + n), _even("d", d), base)
    return _joined((np.sin(angles), np.cos(angles)), "interleaved")


def learned_positions(table, positions):
    """Look positions up in a learned table, and refuse what it does not hold.

    Plain indexing would take position -1 from the end of the table, and some libraries
    return anything at all for a position past its end.

    Parameters
    ----------
    table : array-like, shape (n_max, d)
        One learned row for each position.
    positions : int or int array-like, shape (...)
        0 to n_max - 1.

    Returns
    -------
    ndarray, shape (..., d)
        A copy of the rows, to be added to the tokens.

    Raises
    ------
    TypeError
        If `table` is not real, or `positions` are not integers.
    ValueError
        If `table` is not a matrix.
    IndexError
        If a position is outside the table.

    Examples
    --------
    >>> learned_positions([[0.5, 0.0], [0.0, 0.5]], [1, 0, 1])
    array([[0. , 0.5],
           [0.5, 0. ],
           [0. , 0.5]])
    """
    table, positions = _real("table", table), _integers("positions", positions)
    if table.ndim != 2:
        raise ValueError(f"table must have shape (n_max, d), got {table.shape}")
    if not np.all((positions >= 0) & (positions < len(table))):
        raise IndexError(
            f"positions must be in 0..{len(table) - 1}, as the table has {len(table)} "
            f"rows, got {positions.tolist()}"
        )
    return table[positions.astype(np.intp)]


def rotary(X, positions=None, *, layout, base=10000.0):
    """Turn queries or keys by angles that grow with their position.

    Entries are taken in pairs, and pair i of a token at position p is turned by
    ``p * base ** (-2i / d)``. The product of a query at p with a key at r then depends
    on p and r through ``r - p`` alone. Values are not turned.

    Which two entries are a pair is the *layout*, and models differ: `interleaved`
    pairs 2i with 2i + 1 (Meta's Llama code, GPT-J), `half_split` pairs i with
    i + d / 2 (GPT-NeoX, and Llama as Hugging Face stores it). With the wrong one shapes
    and lengths are right, and the model is not: so it must be named. `convert_rotary`
    takes projections from one to the other.

    Parameters
    ----------
    X : array-like, shape (..., n, d)
        Queries or keys of one head (not of all heads side by side), d even.
    positions : int array-like, broadcasts to (..., n)
        Where the tokens stand, ``0 .. n - 1`` by default. With a cache, give the new
        tokens their own: one new token after 7 has position 7.
    layout : {"interleaved", "half_split"}
        Which entries are a pair.
    base : float
        Above 0.

    Returns
    -------
    ndarray, shape (..., n, d)
        Of the dtype of `X`; integers become float64. Half precision is computed in
        float32, the angles always in float64.

    Raises
    ------
    TypeError
        If `X` is not real, `positions` are not integers, or `layout` is not told.
    ValueError
        If `X` is no matrix or its width odd, `positions` do not fit, or `layout` is not
        one of the two.

    References
    ----------
    Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021,
    section 3.2.

    Examples
    --------
    >>> q = [[1.0, 0.0], [1.0, 0.0]]
    >>> rotary(q, layout="interleaved").round(2)
    array([[1.  , 0.  ],
           [0.54, 0.84]])
    """
    X = _real("X", X)
    if X.ndim < 2:
        raise ValueError(f"X must have shape (..., n, d), got {X.shape}")
    dtype, work = _dtypes(X)
    angles = _angles(_places(positions, X.shape), _even("d", X.shape[-1]), base)
    cos, sin = (wave.astype(work) for wave in (np.cos(angles), np.sin(angles)))
    first, second = _pairs(X.astype(work), layout)
    turned = (first * cos - second * sin, first * sin + second * cos)
    return _joined(turned, layout).astype(dtype)


def convert_rotary(W, *, n_heads, to, axis):
    """Reorder a projection of queries or keys from one rotary layout to the other.

    Done to the projections of queries *and* keys, this changes no score. Those of the
    values stay as they are. A bias vector of the projection is reordered too.

    Parameters
    ----------
    W : array-like
        A matrix of all heads side by side, or its bias vector.
    n_heads : int
        How many heads `W` makes: for keys, the number of *key* heads.
    to : {"interleaved", "half_split"}
        The layout that is wanted; `W` is in the other one.
    axis : int
        Along which axis the heads lie: -1 for this book's ``X @ W``, 0 for the rows of
        PyTorch's ``nn.Linear(...).weight``.

    Returns
    -------
    ndarray
        A copy of `W` in another order.

    Raises
    ------
    TypeError
        If `W` is not real, or `n_heads` or `axis` is no integer.
    ValueError
        If the axis does not divide into heads of even width, or `to` is not one of the
        two.

    Examples
    --------
    >>> convert_rotary([0, 1, 2, 3], n_heads=1, to="half_split", axis=0)
    array([0, 2, 1, 3])
    >>> convert_rotary([0, 2, 1, 3], n_heads=1, to="interleaved", axis=0)
    array([0, 1, 2, 3])
    """
    W, n_heads = _real("W", W), _whole("n_heads", n_heads, 1)
    axis = _axis_of(W, axis)
    width = W.shape[axis]
    if width % n_heads or (width // n_heads) % 2:
        raise ValueError(
            f"W must have {n_heads} heads of even width along axis {axis}, got {width}"
        )
    _one_of("to", to, LAYOUTS)
    heads = np.arange(width).reshape(n_heads, -1)
    source = LAYOUTS[1 - LAYOUTS.index(to)]
    order = _joined(_pairs(heads, source), to)
    return np.take(W, order.ravel(), axis=axis)


def alibi_slopes(n_heads):
    """Give each head its slope: how much a score loses with each step of distance.

    For a power of two they are ``2 ** (-8 h / n_heads)``, h = 1 .. n_heads. For other
    numbers the list of the next lower power is followed by every second slope of the
    next higher one, as in the authors' code.

    Parameters
    ----------
    n_heads : int
        At least 1.

    Returns
    -------
    ndarray of float64, shape (n_heads,)

    Raises
    ------
    TypeError
        If `n_heads` is not an integer.
    ValueError
        If it is below 1.

    References
    ----------
    Press, Smith and Lewis, "Train Short, Test Long", 2021, section 3.

    Examples
    --------
    >>> alibi_slopes(4)
    array([0.25      , 0.0625    , 0.015625  , 0.00390625])
    """
    n_heads = _whole("n_heads", n_heads, 1)
    power = 2 ** (n_heads.bit_length() - 1)  # the next lower power of two
    lower = 2.0 ** (-8 / power * np.arange(1, power + 1))
    higher = 2.0 ** (-4 / power * np.arange(1, 2 * power, 2))
    return np.concatenate([lower, higher])[:n_heads]


def alibi_bias(n_q, n_k=None, *, n_heads, align="bottom_right"):
    """Make each score lose in proportion to the distance of query and key.

    It goes in as ``bias=`` of `attention` or `grouped_attention`: after the scale, and
    beside a mask, which it does not replace. Distances count alike to both sides, so
    without a causal mask it cannot tell a row from its mirror image.

    Parameters
    ----------
    n_q, n_k : int
        How many queries and keys; `n_k` defaults to `n_q`.
    n_heads : int
        How many heads.
    align : {"bottom_right", "top_left"}
        Where the queries stand along the keys, as in `causal_mask`: by default the last
        query stands at the last key, which decoding with a cache needs.

    Returns
    -------
    ndarray of float64, shape (n_heads, n_q, n_k)
        Nowhere above 0.

    Raises
    ------
    TypeError
        If a count is not an integer.
    ValueError
        If a count is too small, or `align` is not one of the two.

    See Also
    --------
    alibi_slopes : how much each head loses a step.

    Examples
    --------
    >>> alibi_bias(1, 4, n_heads=8)[0]  # one new token, three in the cache
    array([[-1.5, -1. , -0.5,  0. ]])
    """
    distance = np.abs(_steps(n_q, n_k, align))
    return 0.0 - distance * alibi_slopes(n_heads)[:, None, None]  # no minus zero


def relative_buckets(
    n_q,
    n_k=None,
    *,
    causal,
    n_buckets=32,
    max_distance=128,
    align="bottom_right",
):
    """Sort distances into buckets: small ones each by itself, larger ones together.

    A model learns a number for each bucket and head, ``table`` of shape (n_heads,
    n_buckets); ``table[:, relative_buckets(...)]`` is then a ``bias`` of `attention`.
    All distances from `max_distance` on share the last bucket: no length is too long.

    Parameters
    ----------
    n_q, n_k : int
        How many queries and keys; `n_k` defaults to `n_q`.
    causal : bool
        True: all buckets are for keys before the query, and later ones count as
        distance 0 (a mask has to hide them). False: the upper half is for later keys.
    n_buckets : int
        At least 2, and a multiple of 4 if not `causal`, of 2 if so.
    max_distance : int
        Above the number of distances that have a bucket of their own.
    align : {"bottom_right", "top_left"}
        As in `alibi_bias`.

    Returns
    -------
    ndarray of int, shape (n_q, n_k)
        0 to n_buckets - 1.

    Raises
    ------
    TypeError
        If a count is not an integer, or `causal` is not told.
    ValueError
        If a count does not fit, or `align` is not one of the two.

    References
    ----------
    Raffel et al., "Exploring the Limits of Transfer Learning with a Unified
    Text-to-Text Transformer", 2020, section 2.1.

    Examples
    --------
    >>> relative_buckets(1, 10, causal=True, n_buckets=8, max_distance=16)
    array([[6, 6, 5, 5, 4, 4, 3, 2, 1, 0]])
    """
    causal = _flag("causal", causal)
    n_buckets, far = (
        _whole("n_buckets", n_buckets, 2),
        _whole("max_distance", max_distance, 1),
    )
    sides = 1 if causal else 2
    single, rest = divmod(n_buckets, 2 * sides)
    if rest:
        raise ValueError(f"n_buckets must divide by {2 * sides}, got {n_buckets}")
    if far <= single:
        raise ValueError(f"max_distance must be above {single}, got {far}")
    steps = _steps(n_q, n_k, align)
    distance = np.maximum(-steps, 0) if causal else np.abs(steps)
    buckets = np.searchsorted(_edges(single, far), distance, side="right") - 1
    return buckets if causal else buckets + 2 * single * (steps > 0)


def _edges(single, far):
    """Return the distance with which each bucket of one side begins.

    From `single` on the edges grow by a constant factor, so that the bucket after the
    last would begin at `far`. A whole number that rounding leaves just above itself is
    that number.
    """
    growth = far / single
    grown = [single * growth ** (k / single) for k in range(single)]
    return [*range(single), *(math.ceil(edge - 1e-9 * edge) for edge in grown)]


def _steps(n_q, n_k, align):
    """Return how far each key lies after each query, negative before it."""
    n_q = _whole("n_q", n_q, 0)
    n_k = n_q if n_k is None else _whole("n_k", n_k, 0)
    return np.arange(n_k) - (np.arange(n_q) + _offset(n_q, n_k, align))[:, None]


def _angles(positions, d, base):
    """Return position times frequency, shape (..., d / 2)."""
    return positions[..., None] * _positive("base", base) ** (-np.arange(0, d, 2) / d)


def _pairs(X, layout):
    """Take the first and the second entries of all pairs apart."""
    _one_of("layout", layout, LAYOUTS)
    if layout == "interleaved":
        return X[..., 0::2], X[..., 1::2]
    return np.split(X, 2, axis=-1)


def _joined(pairs, layout):
    """Put what `_pairs` took apart together again."""
    if layout == "half_split":
        return np.concatenate(pairs, axis=-1)
    joined = np.stack(pairs, axis=-1)
    return joined.reshape(*joined.shape[:-2], 2 * joined.shape[-2])


def _places(positions, shape):
    """Return the positions of the tokens of an array of this shape."""
    if positions is None:
        return np.arange(shape[-2])
    positions = _integers("positions", positions)
    try:
        return np.broadcast_to(positions, shape[:-1])
    except ValueError:
        raise ValueError(
            f"positions must broadcast to {shape[:-1]}, got {positions.shape}"
        ) from None


def _integers(name, values):
    """Return whole numbers as an array."""
    values = _plain(name, values)
    if values.size and values.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, got dtype {values.dtype}")
    return values


def _even(name, value):
    """Return a width that divides into pairs."""
    width = _whole(name, value, 2)
    if width % 2:
        raise ValueError(f"{name} must be even, as entries come in pairs, got {width}")
    return width


def _axis_of(W, axis):
    """Return an axis of `W`, counted from the front."""
    if isinstance(axis, bool) or not isinstance(axis, int | np.integer):
        raise TypeError(f"axis must be an integer, got {axis!r}")
    if not -W.ndim <= axis < W.ndim:
        raise ValueError(f"axis must be one of the {W.ndim} axes of W, got {axis}")
    return int(axis) % W.ndim

"""Scaled dot-product attention, and the masked softmax that it rests on.

The order of the steps::

    scores  = Q Kᵀ * scale                      scale is 1 / sqrt(d_k) unless given
    scores  = softcap * tanh(scores / softcap)  if a softcap is given
    scores  = scores + bias                     once; a bias of -inf hides the key
    weights = exp((scores - max) / temperature) for the keys that a query may attend
              to, divided by their sum
    output  = weights V

ONNX's Attention operator has this order since version 1.22 (onnx/onnx#7867, April
2026); before that it added the bias first and bent the sum. It knows no temperature.

Inputs are float16, float32, float64, long double, integers, or the bfloat16 of the
package ml_dtypes (which is not needed for anything else). float16 and bfloat16 are
computed in float32 and rounded once, at the end; integers are computed in float64.

Masking is removal: a hidden key has no influence at all, even if it holds NaN. A query
with no key left gets zero weights and a zero output.
"""

import functools
import math
import numbers

import numpy as np

from attnbook.masks import _flag, _offset, _plain, _whole, causal_mask

__all__ = ["attention", "attention_weights", "log_softmax", "logsumexp", "softmax"]

# By name, in any byte order; the last is that of ml_dtypes, which need not be there.
FLOATS = {np.dtype(code).name for code in "efdg"} | {"bfloat16"}


@np.errstate(all="ignore")
def attention_weights(
    Q,
    K,
    *,
    mask=None,
    bias=None,
    causal=False,
    align="bottom_right",
    scale=None,
    temperature=1.0,
    softcap=None,
):
    """Say how much each query attends to each key.

    Parameters
    ----------
    Q : array-like, shape (..., n_q, d_k)
        One query a row. Leading axes of `Q` and `K` broadcast.
    K : array-like, shape (..., n_k, d_k)
        One key a row.
    mask : bool array-like, broadcasts to (..., n_q, n_k)
        True = may attend. Axes are matched from the right: a mask for each sequence of
        (batch, n_heads, n_q, n_k) has shape (batch, 1, 1, n_k).
    bias : array-like, broadcasts to (..., n_q, n_k)
        Added to the scaled scores, after the softcap and before the temperature. Where
        it is -inf the key is hidden.
    causal : bool
        Let each query see the keys up to its own position only.
    align : {"bottom_right", "top_left"}
        Where the causal diagonal lies when ``n_q != n_k``; see `masks.causal_mask`.
    scale : float
        Factor of the raw scores, ``1 / sqrt(d_k)`` by default.
    temperature : float
        Above 0. Divides scores and bias alike. Near 0 the largest score takes all (ties
        share); large values even out.
    softcap : float
        Above 0. Keeps the scores within ``-softcap .. softcap``; a bias comes on top.

    Returns
    -------
    ndarray, shape (..., n_q, n_k)
        Rows sum to 1 (within 4 units in the last place, for up to 65536 keys), or to 0
        where a query may attend to nothing. The dtype is ``result_type(Q, K)``;
        integers become float64. float16 and bfloat16 are computed in float32; where
        NumPy has no common dtype for bfloat16 and another one, it counts as float32.

    Raises
    ------
    TypeError
        If an input is not real, `mask` is not boolean, or `bias` is.
    ValueError
        If shapes do not match, or an option is out of its range.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, equation 1. Softcap: Gemma 2
    report, 2024, section 2.

    Examples
    --------
    >>> Q, K = [[1.0, 0.0]], [[2.0, 0.0], [0.0, 2.0]]
    >>> attention_weights(Q, K).round(3)
    array([[0.804, 0.196]])
    >>> attention_weights(Q, K, mask=[False, True])
    array([[0., 1.]])
    """
    call = _Call((Q, K), mask, bias, causal, align, scale, temperature, softcap)
    return np.asarray(_weights(call, _visible(call)), call.dtype)


@np.errstate(all="ignore")
def attention(
    Q,
    K,
    V,
    *,
    mask=None,
    bias=None,
    causal=False,
    align="bottom_right",
    scale=None,
    temperature=1.0,
    softcap=None,
):
    """Average the values, each query with its own weights.

    Parameters
    ----------
    Q : array-like, shape (..., n_q, d_k)
        One query a row. Leading axes of `Q`, `K` and `V` broadcast.
    K : array-like, shape (..., n_k, d_k)
        One key a row.
    V : array-like, shape (..., n_k, d_v)
        One value a row.
    mask, bias, causal, align, scale, temperature, softcap
        As in `attention_weights`.

    Returns
    -------
    ndarray, shape (..., n_q, d_v)
        The dtype is ``result_type(Q, K, V)``. A query that may attend to nothing gets
        zeros. A NaN or infinity in a hidden key or value reaches no output; in a key or
        value that a query sees, it reaches that query's row only.

    Raises
    ------
    TypeError
        If an input is not real, `mask` is not boolean, or `bias` is; if NumPy cannot
        read it: a tensor that requires grad is given as ``x.detach()``.
    ValueError
        If shapes do not match, or an option is out of its range.

    See Also
    --------
    heads.grouped_attention : several query heads to each head of keys and values.
    tiled.tiled_attention : the same for long sequences, windows and groups included.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, equation 1.

    Examples
    --------
    >>> Q, K, V = [[1.0]], [[0.0], [np.log(3)]], [[8.0], [4.0]]
    >>> attention(Q, K, V).round(3)  # a quarter of 8 and three quarters of 4
    array([[5.]])
    >>> attention(Q, K, [[8.0], [np.nan]], mask=[True, False])
    array([[8.]])
    """
    call = _Call((Q, K, V), mask, bias, causal, align, scale, temperature, softcap)
    visible = _visible(call)
    output = _visible_matmul(_weights(call, visible), call.V, visible)
    return np.asarray(output, call.dtype)


@np.errstate(all="ignore")
def softmax(x, *, mask=None, axis=-1):
    """Turn scores into weights that sum to 1.

    Parameters
    ----------
    x : array-like
        Scores, divided by a temperature if there is one. An entry of -inf gets weight
        0. A visible inf or NaN makes all visible entries of its row NaN.
    mask : bool array-like, broadcasts to x's shape
        True = takes part. A hidden entry gets weight 0, whatever it holds.
    axis : int
        The axis that sums to 1.

    Returns
    -------
    ndarray, same shape and dtype as x
        All zeros where nothing takes part, be it that all is hidden or all is -inf.
        Integers become float64.

    Raises
    ------
    TypeError
        If `x` is not real or `mask` is not boolean.
    ValueError
        If `mask` does not broadcast to x's shape, or `axis` does not exist.

    References
    ----------
    Goodfellow et al., "Deep Learning", 2016, section 4.1 (subtracting the maximum).

    Examples
    --------
    >>> softmax(np.log([1, 3])).round(3)
    array([0.25, 0.75])
    >>> softmax([0.0, 0.0, np.nan], mask=[True, True, False])
    array([0.5, 0.5, 0. ])
    >>> softmax([[-np.inf, -np.inf], [np.inf, 0.0]])
    array([[ 0.,  0.],
           [nan, nan]])
    """
    x, visible, dtype = _softmax_input(x, mask, axis)
    weights = _softmax_rows(x, visible, 1.0)
    return np.asarray(np.moveaxis(weights, -1, axis), dtype)


@np.errstate(all="ignore")
def log_softmax(x, *, mask=None, axis=-1):
    """Give the logarithm of `softmax`, without leaving the range of the dtype.

    Parameters
    ----------
    x : array-like
        Scores. inf or NaN makes its row NaN, as in `softmax`.
    mask : bool array-like, broadcasts to x's shape
        True = takes part.
    axis : int
        The axis that `softmax` sums over.

    Returns
    -------
    ndarray, same shape and dtype as x
        -inf for hidden entries, and for all of them where nothing takes part.

    Raises
    ------
    TypeError
        If `x` is not real or `mask` is not boolean.
    ValueError
        If `mask` does not broadcast to x's shape, or `axis` does not exist.

    Examples
    --------
    >>> log_softmax([0.0, -1000.0])  # the weight itself would be 0
    array([    0., -1000.])
    """
    x, visible, dtype = _softmax_input(x, mask, axis)
    x -= _hide_and_max(x, visible)
    total = np.exp(x).sum(axis=-1, keepdims=True)
    x -= np.log(np.where(total == 0, 1, total))
    if visible is not None:
        np.copyto(x, -np.inf, where=~visible)
    return np.asarray(np.moveaxis(x, -1, axis), dtype)


@np.errstate(all="ignore")
def logsumexp(x, *, mask=None, axis=-1):
    """Give ``log(sum(exp(x)))`` without overflow: a smooth maximum.

    Parameters
    ----------
    x : array-like
        Scores. inf makes the result inf, -inf adds nothing, NaN makes it NaN.
    mask : bool array-like, broadcasts to x's shape
        True = takes part.
    axis : int
        The axis to sum over.

    Returns
    -------
    ndarray, the shape of x without `axis`
        -inf where nothing takes part.

    Raises
    ------
    TypeError
        If `x` is not real or `mask` is not boolean.
    ValueError
        If `mask` does not broadcast to x's shape, or `axis` does not exist.

    Examples
    --------
    >>> logsumexp([1000.0, 1000.0]).round(3)
    np.float64(1000.693)
    >>> logsumexp([[0.0], [np.inf]], axis=0)
    array([inf])
    """
    x, visible, dtype = _softmax_input(x, mask, axis)
    top = _hide_and_max(x, visible)
    top[top == np.inf] = 0  # inf - inf is NaN, but the sum of an infinity is infinite
    total = np.exp(x - top).sum(axis=-1)
    return np.asarray(np.log(total) + top[..., 0], dtype)


# What follows is shared with heads, backward and tiled.


class _Call:
    """A call to attention, checked; its arrays in the dtype of the work.

    Without `cast` they keep their own: the tiled kernel casts a tile at a time.
    """

    def __init__(
        self,
        arrays,  # Q, K and maybe V
        mask=None,
        bias=None,
        causal=False,
        align="bottom_right",
        scale=None,
        temperature=1.0,
        softcap=None,
        cast=True,
    ):
        arrays = {name: _real(name, x) for name, x in zip("QKV", arrays, strict=False)}
        shape = _score_shape(arrays)
        self.batch = _batch_shape(arrays)  # of the output
        self.dtype, self.work = _dtypes(*arrays.values())  # of the result; to work in
        if cast:
            arrays = {name: np.asarray(x, self.work) for name, x in arrays.items()}
        self.Q, self.K, self.V = (arrays.get(name) for name in "QKV")
        self.mask = _mask(mask, shape)
        self.bias = _bias(bias, shape)  # in its own dtype: _narrow it before use
        self.causal, self.align = _flag("causal", causal), align
        self.own = _offset(*shape[-2:], align)  # the key position of query 0
        default = 1 / math.sqrt(self.Q.shape[-1])
        self.scale = default if scale is None else _number("scale", scale)
        self.temperature = _positive("temperature", temperature)
        self.softcap = None if softcap is None else _positive("softcap", softcap)


def _batch_shape(arrays):
    """Check that named arrays are matrices; broadcast their leading axes."""
    for name, array in arrays.items():
        if array.ndim < 2:
            raise ValueError(f"{name} must be at least 2-D, got shape {array.shape}")
    shapes = [array.shape for array in arrays.values()]
    try:
        return np.broadcast_shapes(*(shape[:-2] for shape in shapes))
    except ValueError:
        names, got = ", ".join(arrays), ", ".join(map(str, shapes))
        message = f"leading axes of {names} must broadcast, got {got}"
        hint = "heads that share keys and values: grouped_attention"
        raise ValueError(f"{message} ({hint})") from None


def _score_shape(arrays):
    """Check how queries, keys and maybe values fit; return the shape of the scores."""
    _batch_shape(arrays)
    names, (Q, K, *values) = [*arrays], arrays.values()
    if Q.shape[-1] != K.shape[-1]:
        both = " and ".join(names[:2])
        raise ValueError(f"{both} must share d_k, got {Q.shape} and {K.shape}")
    if Q.shape[-1] == 0:
        raise ValueError(f"d_k must be at least 1, got {names[0]} of {Q.shape}")
    for V in values:
        if V.shape[-2] != K.shape[-2]:
            raise ValueError(f"K and V must share n_k, got {K.shape} and {V.shape}")
    batch = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2])
    return (*batch, Q.shape[-2], K.shape[-2])


def _real(name, value):
    """Return `value` as an array of floats or integers."""
    array = _plain(name, value)
    if array.dtype.name not in FLOATS and array.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold real numbers, got dtype {array.dtype}")
    return array


def _dtypes(*arrays):
    """Return the dtype of the result, and the one to work in."""
    dtypes = [array.dtype for array in arrays]
    try:
        result = np.result_type(*dtypes)
    except TypeError:  # bfloat16 and one that NumPy cannot join with it
        result = np.result_type(*("f4" if x.name == "bfloat16" else x for x in dtypes))
    result = result.newbyteorder("=") if result.name in FLOATS else np.dtype("float64")
    return result, np.promote_types(result, np.float32)


def _mask(mask, shape):
    """Check a mask: boolean, and no larger than the scores."""
    if mask is None:
        return None
    mask = _plain("mask", mask)
    if mask.dtype != bool:
        raise TypeError(
            f"mask must be boolean, True = may attend, got dtype {mask.dtype}; convert "
            "0/1 with mask.astype(bool), or pass terms to be added as bias"
        )
    return _fits("mask", mask, shape)


def _bias(bias, shape):
    """Check a bias: real numbers, and no larger than the scores."""
    if bias is None:
        return None
    bias = _plain("bias", bias)
    if bias.dtype == bool:
        raise TypeError("bias must hold real numbers: pass booleans as mask")
    return _fits("bias", _real("bias", bias), shape)


def _fits(name, array, shape, owner="scores'"):
    """Let an array broadcast to the owner's shape, but not enlarge it."""
    try:
        fits = np.broadcast_shapes(array.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"{name} must broadcast to the {owner} shape {shape}, got {array.shape}"
        )
    return array


def _number(name, value):
    """Return a finite real number as a float."""
    if isinstance(value, np.ndarray | np.generic) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a real number, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {value}")
    return number


def _positive(name, value):
    """Return a finite number above 0 as a float."""
    number = _number(name, value)
    if number <= 0:
        raise ValueError(f"{name} must be above 0, got {value}")
    return number


def _visible(call):
    """Combine all that can hide a key; None if every query may attend to every key.

    The result broadcasts to the scores' shape. It is kept as small as its parts.
    """
    parts = [] if call.mask is None else [call.mask]
    if call.causal:
        parts.append(causal_mask(call.Q.shape[-2], call.K.shape[-2], align=call.align))
    if call.bias is not None and (call.bias == -np.inf).any():
        parts.append(call.bias != -np.inf)
    return functools.reduce(np.logical_and, parts) if parts else None


def _weights(call, visible):
    """Return the attention weights of a checked call."""
    return _softmax_rows(_scores(call), visible, call.temperature)


def _scores(call):
    """Return the scores before any masking: hidden entries may hold anything."""
    scores = _raw_scores(call)
    if call.softcap is not None:
        scores = _soft_cap(scores, call.softcap)
    if call.bias is not None:
        scores += _narrow(call.bias, scores.dtype)
    return scores


def _raw_scores(call):
    """Return Q Kᵀ * scale. A small scale goes to Q: it costs less, overflows later."""
    if abs(call.scale) > 1:
        return _times(call.Q @ call.K.mT, call.scale)
    return _times(call.Q, call.scale) @ call.K.mT


def _soft_cap(scores, cap):
    """Bend the scores so that they stay within -cap .. cap."""
    cap = _factor(cap, scores.dtype)
    return np.asarray(cap * np.tanh(scores / cap), scores.dtype)


def _times(array, number):
    """Multiply by a number that the array's dtype may be too narrow for."""
    return np.asarray(array * _factor(number, array.dtype), array.dtype)


def _divide(array, number):
    """Divide in place by a number that the array's dtype may be too narrow for."""
    if number != 1:
        array /= _factor(number, array.dtype)
    return array


def _factor(number, dtype):
    """Keep a number that would become 0 or infinite in `dtype` a float64."""
    least, largest = float(np.finfo(dtype).tiny), float(np.finfo(dtype).max)
    fits = number == 0 or least <= abs(number) <= largest
    return number if fits else np.float64(number)


def _narrow(bias, dtype):
    """Bring a bias to `dtype`; what is finite stays finite, so it hides nothing."""
    if np.can_cast(bias.dtype, dtype):
        return bias
    limit = np.finfo(dtype).max
    inside = np.where(np.isinf(bias), bias, np.clip(bias, -limit, limit))
    return np.asarray(inside, dtype)


def _softmax_rows(scores, visible, temperature):
    """Softmax over the last axis, in place. Hidden scores may hold anything."""
    scores -= _hide_and_max(scores, visible)
    np.exp(_divide(scores, temperature), out=scores)
    total = scores.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    scores /= total
    if visible is not None and np.isnan(total).any():
        np.copyto(scores, 0, where=~visible)  # NaN that a query sees is not for these
    return scores


def _hide_and_max(scores, visible):
    """Set hidden scores to -inf, in place; return the maximum of each row.

    A row with no key has maximum 0, so that ``exp(-inf - 0)`` is 0 and not NaN.
    """
    if visible is not None:
        np.copyto(scores, -np.inf, where=~visible)
    top = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    top[top == -np.inf] = 0
    return top


def _softmax_input(x, mask, axis):
    """Copy x, with `axis` last, to the dtype of the work; check the mask against it."""
    x = _real("x", x)
    axis = _axis(axis, x)
    mask = _mask(mask, x.shape)
    if mask is not None:
        mask = np.moveaxis(np.broadcast_to(mask, x.shape), axis, -1)
    dtype, work = _dtypes(x)
    return np.array(np.moveaxis(x, axis, -1), dtype=work), mask, dtype


def _axis(axis, array):
    """Check the number of an axis."""
    if not -array.ndim <= _whole("axis", axis, -math.inf) < array.ndim:
        raise ValueError(f"axis {axis} is out of bounds for shape {array.shape}")
    return axis


def _visible_matmul(A, B, visible):
    """Return A @ B in which hidden pairs add nothing, where 0 * NaN would add NaN.

    `A` (..., m, n) must be 0 where `visible`, which broadcasts to it, is False.
    """
    if visible is None:
        return A @ B
    finite = np.isfinite(B).all(axis=-1)
    if finite.all():
        return A @ B
    product = A @ np.where(finite[..., None], B, 0)
    batch, pairs = product.shape[:-2], A.shape[-2:]
    A, B = (np.broadcast_to(x, batch + x.shape[-2:]) for x in (A, B))
    finite = np.broadcast_to(finite, batch + pairs[1:])
    visible = np.broadcast_to(visible, batch + pairs)
    touched = (visible & ~finite[..., None, :]).any(axis=-1)
    for *b, row in np.argwhere(touched):  # rows that do see a non-finite one
        seen = visible[*b, row]
        product[*b, row] = A[*b, row, seen] @ B[*b, seen]
    return product

"""The gradients of attention, worked out by hand.

With P the weights, O = P V the output, and dX short for the gradient of the loss by X::

    dV = Pᵀ dO
    dP = dO Vᵀ
    dS = P * (dP - sum_j P_j dP_j) / temperature     each row: the softmax Jacobian
    dS = dS * (1 - tanh²)                            if a softcap is given
    dQ = dS K * scale          dK = dSᵀ Q * scale

The bias is added after the softcap, so its gradient is dS before that factor. A pair of
query and key that is hidden takes no part in any of the sums, even if it holds NaN.
"""

from typing import NamedTuple

import numpy as np

from attnbook.heads import _head_axis_to_groups, _merge_groups, _to_groups
from attnbook.kernel import (
    _Call,
    _divide,
    _fits,
    _raw_scores,
    _real,
    _times,
    _visible,
    _visible_matmul,
    _weights,
)

__all__ = ["AttentionGradients", "attention_backward", "grouped_attention_backward"]


class AttentionGradients(NamedTuple):
    """The gradient by each input, in that input's shape."""

    dQ: np.ndarray
    dK: np.ndarray
    dV: np.ndarray
    dbias: np.ndarray | None


@np.errstate(all="ignore")
def attention_backward(Q, K, V, *, dO, **options):
    """Say how the loss changes with each input of `kernel.attention`.

    Parameters
    ----------
    Q, K, V : array-like
        As given to `kernel.attention`.
    dO : array-like, shape (..., n_q, d_v)
        Gradient of the loss by the output; leading axes broadcast to the output's. It
        is given by name, since all four may have one shape.
    **options
        As given to `kernel.attention`.

    Returns
    -------
    AttentionGradients
        dQ, dK, dV in the shapes of their inputs (summed over broadcast axes), and
        dbias, None without a bias. The dtype is ``result_type(Q, K, V)``; what leaves
        the range of float16 becomes inf. Hidden keys and queries without keys get and
        give zeros.

    Raises
    ------
    TypeError
        If an input is not real, the mask is not boolean, or the bias is.
    ValueError
        If shapes do not match, or an option is out of its range.

    References
    ----------
    Dao et al., "FlashAttention", 2022, appendix B.2.

    Examples
    --------
    >>> Q, K, V = [[1.0]], [[0.0], [0.0]], [[2.0], [4.0]]
    >>> gradients = attention_backward(Q, K, V, dO=[[1.0]])
    >>> gradients.dV  # the weights, since the output is their sum of values
    array([[0.5],
           [0.5]])
    >>> gradients.dK  # the key with the larger value should score more
    array([[-0.5],
           [ 0.5]])
    """
    call = _Call((Q, K, V), **options)
    dO = _upstream(dO, call)
    visible = _visible(call)
    weights = _weights(call, visible)
    visible = np.broadcast_to(True if visible is None else visible, weights.shape)
    dV = _visible_matmul(weights.mT, dO, visible.mT)
    dS = _softmax_backward(weights, dO @ call.V.mT, visible, call.temperature)
    dbias = dS
    if call.softcap is not None:
        dS = np.where(visible, dS * _soft_cap_slope(call), 0)
    dQ = _times(_visible_matmul(dS, call.K, visible), call.scale)
    dK = _times(_visible_matmul(dS.mT, call.Q, visible.mT), call.scale)
    inputs, gradients = (call.Q, call.K, call.V, call.bias), (dQ, dK, dV, dbias)
    pairs = zip(inputs, gradients, strict=True)
    return AttentionGradients(*(_like(x, dx, call.dtype) for x, dx in pairs))


def grouped_attention_backward(Q, K, V, *, dO, **options):
    """Say how the loss changes with each input of `heads.grouped_attention`.

    The gradient of a shared head of keys or values is the sum over its query heads.

    Parameters
    ----------
    Q, K, V : array-like
        As given to `heads.grouped_attention`.
    dO : array-like, shape (..., n_heads, n_q, d_v)
        Gradient of the loss by the output; leading axes broadcast to the output's.
    **options
        As given to `heads.grouped_attention`.

    Returns
    -------
    AttentionGradients
        Each in its input's shape; see `attention_backward`.

    Raises
    ------
    TypeError
        If an input is not real, the mask is not boolean, or the bias is.
    ValueError
        If shapes or head counts do not match, or an option is out of its range.

    Examples
    --------
    >>> Q, K, V = np.zeros((4, 1, 1)), np.zeros((2, 1, 1)), np.ones((2, 1, 1))
    >>> gradients = grouped_attention_backward(Q, K, V, dO=np.ones((4, 1, 1)))
    >>> gradients.dV.ravel()  # two query heads to each
    array([2., 2.])
    """
    Q, K, V, options = _to_groups(Q, K, V, **options)
    dO = _real("dO", dO)
    n_heads = Q.shape[-4] * Q.shape[-3]
    if dO.ndim > 2 and dO.shape[-3] not in (1, n_heads):
        raise ValueError(f"dO must have {n_heads} heads, got shape {dO.shape}")
    dO = _head_axis_to_groups(dO, K.shape[-4])
    gradients = attention_backward(Q, K, V, dO=dO, **options)
    return AttentionGradients(*map(_ungrouped, gradients))


def _upstream(dO, call):
    """Check the gradient by the output, and give it the output's full shape."""
    shape = (*call.batch, call.Q.shape[-2], call.V.shape[-1])
    dO = _real("dO", dO)
    if dO.shape[-2:] != shape[-2:]:
        raise ValueError(f"dO must have the output's shape {shape}, got {dO.shape}")
    return np.broadcast_to(_fits("dO", dO, shape, "output's"), shape)


def _softmax_backward(weights, dweights, visible, temperature):
    """Multiply each row by the Jacobian of the softmax, diag(p) - p pᵀ."""
    dweights = np.where(visible, dweights, 0)
    mean = (weights * dweights).sum(axis=-1, keepdims=True)
    return np.where(visible, _divide(weights * (dweights - mean), temperature), 0)


def _soft_cap_slope(call):
    """Return the derivative of softcap * tanh(scores / softcap)."""
    return 1 - np.tanh(_divide(_raw_scores(call), call.softcap)) ** 2


def _like(x, gradient, dtype):
    """Sum a gradient over the axes along which its input `x`, if any, was broadcast."""
    if x is None:
        return None
    extra = gradient.ndim - x.ndim
    spread = (axis for axis, size in enumerate(x.shape, extra) if size == 1)
    total = gradient.sum(axis=(*range(extra), *spread))
    return np.asarray(total.reshape(x.shape), dtype)


def _ungrouped(gradient):
    """Merge groups and members, if there are such axes: a bias may have none."""
    grouped = gradient is not None and gradient.ndim > 3
    return _merge_groups(gradient) if grouped else gradient

"""What weights look like, and what chance alone would give.

Entropy and the number of keys in effect measure how flat a row of weights is. The
Jacobian says how weights answer to scores. The expected maximum says how far the best
of n random scores stands out.
"""

import math

import numpy as np

from attnbook.kernel import _axis, _dtypes, _real
from attnbook.masks import _plain

__all__ = ["effective_keys", "entropy", "expected_max", "softmax_jacobian"]


@np.errstate(all="ignore")
def entropy(weights, axis=-1):
    """Measure in nats how spread out weights are.

    Parameters
    ----------
    weights : array-like
        Not negative, summing to 1 (or to 0) along `axis`.
    axis : int
        The axis that is summed over.

    Returns
    -------
    ndarray, the shape of weights without `axis`
        ``-sum(w log w)`` with ``0 log 0 = 0``: from 0 (one key, or none) to ``log(n)``.

    Raises
    ------
    TypeError
        If `weights` is not real, or `axis` no integer.
    ValueError
        If a weight is negative, or `axis` does not exist.

    References
    ----------
    Shannon, "A Mathematical Theory of Communication", 1948, section 6.

    Examples
    --------
    >>> entropy([[0.5, 0.5], [1.0, 0.0]]).round(3)
    array([0.693, 0.   ])
    """
    weights, dtype = _weights(weights)
    logs = np.log(weights, out=np.zeros_like(weights), where=weights != 0)
    return np.asarray(0 - (weights * logs).sum(axis=_axis(axis, weights)), dtype)


@np.errstate(all="ignore")
def effective_keys(weights, axis=-1):
    """Count how many keys share the attention: ``1 / sum(w²)``.

    Parameters
    ----------
    weights : array-like
        Not negative, summing to 1 (or to 0) along `axis`.
    axis : int
        The axis that is summed over.

    Returns
    -------
    ndarray, the shape of weights without `axis`
        n for equal weights on n keys, 1 if one key has all, 0 if there is no key.

    Raises
    ------
    TypeError
        If `weights` is not real, or `axis` no integer.
    ValueError
        If a weight is negative, or `axis` does not exist.

    References
    ----------
    Simpson, "Measurement of Diversity", 1949 (the sum of squares).

    Examples
    --------
    >>> effective_keys([[0.5, 0.5], [1.0, 0.0]])
    array([2., 1.])
    """
    weights, dtype = _weights(weights)
    together = np.square(weights).sum(axis=_axis(axis, weights))
    count = np.divide(1, together, out=np.zeros_like(together), where=together != 0)
    return np.asarray(count, dtype)


@np.errstate(all="ignore")
def softmax_jacobian(p):
    """Say how each weight answers to each score: ``diag(p) - p pᵀ``.

    Parameters
    ----------
    p : array-like, shape (..., n)
        Weights, as `kernel.softmax` gives them at temperature 1.

    Returns
    -------
    ndarray, shape (..., n, n)
        Entry (i, j) is the derivative of weight i by score j. Rows sum to 0.

    Raises
    ------
    TypeError
        If `p` is not real.
    ValueError
        If a weight is negative, or `p` has no axis.

    Examples
    --------
    >>> softmax_jacobian([0.25, 0.75])
    array([[ 0.1875, -0.1875],
           [-0.1875,  0.1875]])
    """
    p, dtype = _weights(p, "p")
    if p.ndim == 0:
        raise ValueError("p must be at least 1-D, got shape ()")
    jacobian = -p[..., :, None] * p[..., None, :]
    diagonal = np.arange(p.shape[-1])
    jacobian[..., diagonal, diagonal] += p
    return np.asarray(jacobian, dtype)


@np.errstate(all="ignore")
def expected_max(n):
    """Average the largest of `n` independent standard normal scores.

    It grows like ``sqrt(2 log n)``, and stays below it.

    Parameters
    ----------
    n : int array-like
        How many scores, at least 1.

    Returns
    -------
    float or ndarray, the shape of n
        0 for one score, ``1 / sqrt(pi)`` for two.

    Raises
    ------
    TypeError
        If `n` is not of an integer type.
    ValueError
        If `n` is below 1.

    References
    ----------
    Tippett, 1925 (expected range of normal samples); the integral used is
    ``E[max] = integral of x d(Phi(x)^n)``, taken by parts.

    Examples
    --------
    >>> expected_max([1, 10, 1000]).round(3)
    array([0.   , 1.539, 3.241])
    """
    n = _plain("n", n)
    if n.dtype.kind not in "iu":
        raise TypeError(f"n must be an integer, got dtype {n.dtype}")
    if (n < 1).any():
        raise ValueError(f"n must be at least 1, got {n.tolist()}")
    step = 1 / 64
    x = np.arange(step / 2, 16, step)  # the midpoint rule is exact to rounding here
    tail = np.array([math.erfc(value / math.sqrt(2)) / 2 for value in x])
    below = np.exp(n[..., None] * np.log(tail))
    above = -np.expm1(n[..., None] * np.log1p(-tail))
    return (above - below).sum(axis=-1)[()] * step


def _weights(weights, name="weights"):
    """Return weights in the dtype of the work, and the dtype of the result."""
    weights = _real(name, weights)
    if (weights < 0).any():
        raise ValueError(f"{name} must not be negative, got {weights.min()}")
    dtype, work = _dtypes(weights)
    return np.asarray(weights, work), dtype

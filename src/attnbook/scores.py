"""Scoring functions from the papers, behind one interface: `score(queries, keys)`.

Each takes queries (..., n_q, d_q) and keys (..., n_k, d_k) and returns raw scores
(..., n_q, n_k), to which `kernel.softmax` gives weights. Vectors are rows, so a
source's ``W q`` is ``q @ W`` here, with the matrix transposed.
"""

import math
from dataclasses import dataclass

import numpy as np

from attnbook.kernel import _batch_shape, _dtypes, _number, _real, _times

__all__ = ["Additive", "Concat", "Dot", "General", "ScaledDot"]


class _Score:
    """Let a scoring function be called: ``Dot()(q, k)`` is ``Dot().score(q, k)``."""

    def __call__(self, queries, keys):
        return self.score(queries, keys)


@dataclass(frozen=True, eq=False)
class Dot(_Score):
    """Score by ``q · k``.

    References
    ----------
    Luong et al., 2015, equation 8 (dot).
    """

    @np.errstate(all="ignore")
    def score(self, queries, keys):
        """Score every query against every key.

        Parameters
        ----------
        queries : array-like, shape (..., n_q, d_k)
            One query a row.
        keys : array-like, shape (..., n_k, d_k)
            One key a row.

        Returns
        -------
        ndarray, shape (..., n_q, n_k)
            Raw scores.

        Raises
        ------
        TypeError
            If an input is not real.
        ValueError
            If the widths differ.
        """
        dtype, queries, keys = _arrays(queries=queries, keys=keys)
        return np.asarray(_match(queries, keys), dtype)


@dataclass(frozen=True, eq=False)
class ScaledDot(_Score):
    """Score by ``q · k * scale``; the scale is ``1 / sqrt(d_k)`` unless given.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, equation 1.
    """

    scale: float | None = None

    @np.errstate(all="ignore")
    def score(self, queries, keys):
        """Score every query against every key; shapes and errors as in `Dot`."""
        dtype, queries, keys = _arrays(queries=queries, keys=keys)
        _check_widths(queries, keys)
        default = 1 / math.sqrt(queries.shape[-1])
        scale = default if self.scale is None else _number("scale", self.scale)
        return np.asarray(_match(_times(queries, scale), keys), dtype)


@dataclass(frozen=True, eq=False)
class General(_Score):
    """Score by ``q W k``: a learned bilinear form; widths may differ.

    Parameters
    ----------
    W : array-like, shape (d_q, d_k)
        Maps a query into the space of the keys.

    References
    ----------
    Luong et al., 2015, equation 8 (general).
    """

    W: np.ndarray

    @np.errstate(all="ignore")
    def score(self, queries, keys):
        """Score every query against every key; shapes and errors as in `Dot`."""
        dtype, queries, keys, W = _arrays(queries=queries, keys=keys, W=self.W)
        _check_shape("W", W, (queries.shape[-1], keys.shape[-1]))
        return np.asarray(_match(queries @ W, keys), dtype)


@dataclass(frozen=True, eq=False)
class Additive(_Score):
    """Score by ``v · tanh(q W_q + k W_k)``: bounded by the sum of ``|v|``.

    Parameters
    ----------
    W_q : array-like, shape (d_q, d_a)
        Maps a query to the hidden layer.
    W_k : array-like, shape (d_k, d_a)
        Maps a key to the hidden layer.
    v : array-like, shape (d_a,)
        Weighs the hidden layer.

    References
    ----------
    Bahdanau et al., 2015, appendix A.1.2.
    """

    W_q: np.ndarray
    W_k: np.ndarray
    v: np.ndarray

    @np.errstate(all="ignore")
    def score(self, queries, keys):
        """Score every query against every key; shapes and errors as in `Dot`."""
        dtype, queries, keys, W_q, W_k, v = _arrays(
            queries=queries, keys=keys, W_q=self.W_q, W_k=self.W_k, v=self.v
        )
        _check_shape("v", v, (v.size,))
        _check_shape("W_q", W_q, (queries.shape[-1], *v.shape))
        _check_shape("W_k", W_k, (keys.shape[-1], *v.shape))
        _batch_shape({"queries": queries, "keys": keys})
        hidden = (queries @ W_q)[..., :, None, :] + (keys @ W_k)[..., None, :, :]
        return np.asarray((np.tanh(hidden, out=hidden) @ v), dtype)


@dataclass(frozen=True, eq=False)
class Concat(_Score):
    """Score by ``v · tanh([q; k] W)``, the query's columns first.

    One matrix over both is the same as one for each: the top ``d_q`` rows of `W` act on
    the query, the rest on the key. So this is `Additive` under another name.

    Parameters
    ----------
    W : array-like, shape (d_q + d_k, d_a)
        Maps query and key, side by side, to the hidden layer.
    v : array-like, shape (d_a,)
        Weighs the hidden layer.

    References
    ----------
    Luong et al., 2015, equation 8 (concat).
    """

    W: np.ndarray
    v: np.ndarray

    def score(self, queries, keys):
        """Score every query against every key; shapes and errors as in `Dot`."""
        arrays = _arrays(queries=queries, keys=keys, W=self.W, v=self.v)
        d_q, d_k = arrays[1].shape[-1], arrays[2].shape[-1]
        _check_shape("W", arrays[3], (d_q + d_k, arrays[4].size))
        return Additive(self.W[:d_q], self.W[d_q:], self.v)(queries, keys)


def _arrays(**named):
    """Check named arrays; return the result's dtype, and the arrays in the work's."""
    arrays = {name: _real(name, value) for name, value in named.items()}
    for name in ("queries", "keys"):
        if arrays[name].ndim < 2:
            got = arrays[name].shape
            raise ValueError(f"{name} must be at least 2-D, got shape {got}")
    dtype, work = _dtypes(*arrays.values())
    return dtype, *(np.asarray(array, work) for array in arrays.values())


def _check_shape(name, array, shape):
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {array.shape}")


def _match(queries, keys):
    """Return the dot product of every query with every key."""
    _check_widths(queries, keys)
    _batch_shape({"queries": queries, "keys": keys})
    return queries @ keys.mT


def _check_widths(queries, keys):
    if queries.shape[-1] < 1:
        raise ValueError(f"d_k must be at least 1, got queries of {queries.shape}")
    if queries.shape[-1] != keys.shape[-1]:
        raise ValueError(
            f"queries and keys must share d_k, got {queries.shape} and {keys.shape}"
        )

"""Scoring functions from the papers, behind one interface: `score(queries, keys)`.

Each takes queries (..., n_q, d_q) and keys (..., n_k, d_k) and returns raw scores
(..., n_q, n_k), to which `kernel.softmax` gives weights. Vectors are rows, so a
source's ``W q`` is ``q @ W`` here, with the matrix transposed.
"""

import math
from dataclasses import dataclass

import numpy as np

from attnbook.kernel import _batch_shape, _dtypes, _number, _real, _score_shape, _times

__all__ = ["Additive", "Concat", "Dot", "General", "ScaledDot", "Score"]


class Score:
    """A scoring function: each subclass adds its formula, and holds its parameters.

    It may be called: ``Dot()(queries, keys)`` is ``Dot().score(queries, keys)``.
    """

    @np.errstate(all="ignore")
    def score(self, queries, keys):
        """Score every query against every key.

        Parameters
        ----------
        queries : array-like, shape (..., n_q, d_q)
            One query a row.
        keys : array-like, shape (..., n_k, d_k)
            One key a row; as wide as a query, unless a matrix lies between them.

        Returns
        -------
        ndarray, shape (..., n_q, n_k)
            Raw scores.

        Raises
        ------
        TypeError
            If an input is not real.
        ValueError
            If shapes do not match.
        """
        arrays = {"queries": _real("queries", queries), "keys": _real("keys", keys)}
        _batch_shape(arrays)
        arrays |= {name: _real(name, array) for name, array in self._weights().items()}
        dtype, work = _dtypes(*arrays.values())
        scores = self._formula(*(np.asarray(x, work) for x in arrays.values()))
        return np.asarray(scores, dtype)

    __call__ = score

    def _weights(self):
        """Return the arrays among the parameters, by name."""
        return vars(self)


@dataclass(frozen=True, eq=False)
class Dot(Score):
    """Score by ``q · k``.

    References
    ----------
    Luong et al., 2015, equation 8 (dot).

    Examples
    --------
    >>> Dot()([[1.0, 2.0]], [[3.0, 4.0], [0.0, 1.0]])
    array([[11.,  2.]])
    """

    def _formula(self, queries, keys):
        return ScaledDot(scale=1).score(queries, keys)


@dataclass(frozen=True, eq=False)
class ScaledDot(Score):
    """Score by ``q · k * scale``; the scale is ``1 / sqrt(d_k)`` unless given.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, equation 1.

    Examples
    --------
    >>> ScaledDot()([[1.0, 2.0, 0.0, 0.0]], [[3.0, 4.0, 5.0, 6.0]])
    array([[5.5]])
    """

    scale: float | None = None

    def _weights(self):
        return {}

    def _formula(self, queries, keys):
        _score_shape({"queries": queries, "keys": keys})
        default = 1 / math.sqrt(queries.shape[-1])
        scale = default if self.scale is None else _number("scale", self.scale)
        return _times(queries, scale) @ keys.mT


@dataclass(frozen=True, eq=False)
class General(Score):
    """Score by ``q W k``: a learned bilinear form; widths may differ.

    Parameters
    ----------
    W : array-like, shape (d_q, d_k)
        Maps a query into the space of the keys.

    References
    ----------
    Luong et al., 2015, equation 8 (general).

    Examples
    --------
    >>> General([[0.0, 1.0, 0.0]])([[2.0]], [[3.0, 4.0, 5.0]])
    array([[8.]])
    """

    W: np.ndarray

    def _formula(self, queries, keys, W):
        _check_shape("W", W, (queries.shape[-1], keys.shape[-1]))
        return queries @ W @ keys.mT


@dataclass(frozen=True, eq=False)
class Additive(Score):
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

    Examples
    --------
    >>> score = Additive(W_q=[[1.0]], W_k=[[1.0], [0.0]], v=[2.0])
    >>> score([[0.5]], [[-0.5, 9.0], [100.0, 9.0]])
    array([[0., 2.]])
    """

    W_q: np.ndarray
    W_k: np.ndarray
    v: np.ndarray

    def _formula(self, queries, keys, W_q, W_k, v):
        _check_shape("v", v, (v.size,))
        _check_shape("W_q", W_q, (queries.shape[-1], v.size))
        _check_shape("W_k", W_k, (keys.shape[-1], v.size))
        hidden = (queries @ W_q)[..., :, None, :] + (keys @ W_k)[..., None, :, :]
        return np.tanh(hidden, out=hidden) @ v


@dataclass(frozen=True, eq=False)
class Concat(Score):
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

    Examples
    --------
    >>> score = Concat(W=[[1.0], [1.0], [0.0]], v=[2.0])
    >>> score([[0.5]], [[-0.5, 9.0], [100.0, 9.0]])
    array([[0., 2.]])
    """

    W: np.ndarray
    v: np.ndarray

    def _formula(self, queries, keys, W, v):
        d_q, d_k = queries.shape[-1], keys.shape[-1]
        _check_shape("W", W, (d_q + d_k, v.size))
        return Additive(W[:d_q], W[d_q:], v).score(queries, keys)


def _check_shape(name, array, shape):
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {array.shape}")

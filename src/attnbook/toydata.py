"""Toy data: the running example, and the random stream that JavaScript shares.

The stream is counter-based: entry (row, column) is a function of the seed, the
number of the stream and the entry's own place. So the first n rows and the first
d columns are one and the same draw for every n and d, in Python and in the live
figures (``widgets/random_stream.js`` is the twin of this file).
"""

from typing import NamedTuple

import numpy as np

# Constants of Philox2x32: the multiplier, and the step of the key from round to round.
_MULTIPLIER = np.uint64(0xD256D193)
_KEY_STEP = 0x9E3779B9
_ROUNDS = 10
_LOW = np.uint64(0xFFFFFFFF)
_WORD = 2**32

MAX_ROWS = 2**16
MAX_STREAMS = 2**16


class RunningExample(NamedTuple):
    """The sentence that the book computes again and again, with its Q, K and V."""

    tokens: tuple[str, ...]
    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray


def running_example():
    """Return the six tokens of the running sentence with hand-set Q, K and V.

    The sentence is "The dog saw Kim; it barked." The columns of K say what a
    token is: an animal, a doing, a person, a small grammar word. The columns of Q say
    what a token looks for, in the same order. "it" looks for an animal and not for
    a person, so it finds "dog", although "Kim" is nearer. The columns of V say what
    a token hands over: animal (+) or person (-), doing (+) or grammar word (-).

    Returns
    -------
    RunningExample
        ``tokens`` (6 strings), ``Q`` and ``K`` of shape (6, 4), ``V`` of shape (6, 2),
        float64 arrays that are new at each call.

    Examples
    --------
    >>> tokens, Q, K, V = running_example()
    >>> tokens[4], Q[4]  # "it" looks for an animal, and not for a person
    ('it', array([ 2.,  0., -1.,  0.]))
    """
    tokens = ("The", "dog", "saw", "Kim", "it", "barked")
    Q = [
        [2, 0, 0, 0],  # The: which noun do I introduce?
        [0, 2, 0, 1],  # dog: what did I do?
        [1, 0, 2, 0],  # saw: who takes part?
        [0, 2, -1, 0],  # Kim: what was done to me?
        [2, 0, -1, 0],  # it: which animal am I?
        [2, -1, 0, 0],  # barked: who did it?
    ]
    K = [
        [0, 0, 0, 2],  # The
        [3, 0, 0, 0],  # dog
        [0, 3, 0, 0],  # saw
        [0, 0, 3, 0],  # Kim
        [1, 0, 0, 1],  # it
        [0, 2, 0, 0],  # barked
    ]
    V = [[0, -1], [2, 0], [0, 2], [-2, 0], [1, -1], [1, 2]]
    return RunningExample(tokens, *(np.array(X, dtype=float) for X in (Q, K, V)))


def philox2x32(c0, c1, key):
    """Mix two counter words and a key into two words that look random.

    Philox2x32 with ten rounds, of Salmon, Moraes, Dror and Shaw, "Parallel random
    numbers: as easy as 1, 2, 3" (SC 2011).

    Parameters
    ----------
    c0, c1 : array-like of int
        The counter, two words of 32 bits; they broadcast.
    key : int
        The key, 32 bits.

    Returns
    -------
    tuple of two ndarray of uint64
        Values from 0 to 2**32 - 1.

    """
    c0, c1 = np.broadcast_arrays(np.asarray(c0, np.uint64), np.asarray(c1, np.uint64))
    for _ in range(_ROUNDS):
        product = c0 * _MULTIPLIER
        c0, c1 = (product >> np.uint64(32)) ^ np.uint64(key) ^ c1, product & _LOW
        key = (key + _KEY_STEP) % _WORD
    return c0, c1


def _check_stream(seed, stream, n_rows, n_columns):
    """Refuse what would leave the counter's 32-bit words."""
    limits = {
        "seed": (seed, _WORD),
        "stream": (stream, MAX_STREAMS),
        "n_rows": (n_rows, MAX_ROWS + 1),
        "n_columns": (n_columns, _WORD),
    }
    for name, (value, limit) in limits.items():
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise TypeError(f"{name} must be an integer, got {value!r}")
        if not 0 <= value < limit:
            raise ValueError(f"{name} must be from 0 to {limit - 1}, got {value}")


def _words(seed, stream, n_rows, n_pairs):
    """Return two words for each row and each pair of columns, (n_rows, n_pairs)."""
    rows = np.arange(n_rows)[:, None] + int(stream) * MAX_ROWS
    return philox2x32(np.arange(n_pairs)[None, :], rows, int(seed))


def _interleave(even, odd):
    """Put two arrays (n, m) together as the even and odd columns of one (n, 2 m)."""
    n, m = even.shape
    return np.stack([even, odd], axis=-1).reshape(n, 2 * m)


def uniforms(seed, stream, n_rows, n_columns):
    """Draw numbers that are uniform in the open interval from 0 to 1.

    The entries of one (seed, stream) are functions of the same words here and in
    `normals`, so draw uniforms and normals from different streams.

    Parameters
    ----------
    seed, stream, n_rows, n_columns : int
        As for `normals`.

    Returns
    -------
    ndarray of shape (n_rows, n_columns), float64

    Examples
    --------
    >>> uniforms(seed=1, stream=0, n_rows=1, n_columns=3).round(3)
    array([[0.576, 0.366, 0.873]])
    """
    _check_stream(seed, stream, n_rows, n_columns)
    words = _words(seed, stream, n_rows, (n_columns + 1) // 2)
    return _interleave(*((word + 0.5) / _WORD for word in words))[:, :n_columns]


def normals(seed, stream, n_rows, n_columns):
    """Draw standard normal numbers whose every entry depends on its place alone.

    Two uniforms make two normals (Box and Muller, "A note on the generation of random
    normal deviates", 1958): columns 2j and 2j + 1 share a radius.

    Parameters
    ----------
    seed : int
        From 0 to 2**32 - 1.
    stream : int
        Which of the 65,536 independent streams of the seed. The figures use 0 for
        queries, 1 for keys, 2 for values.
    n_rows, n_columns : int
        The shape; at most 65,536 rows.

    Returns
    -------
    ndarray of shape (n_rows, n_columns), float64
        ``normals(s, k, n, d)`` is the top left corner of ``normals(s, k, N, D)``.

    Raises
    ------
    TypeError, ValueError
        For an argument that is no integer, or out of range.

    Examples
    --------
    >>> normals(seed=1, stream=0, n_rows=2, n_columns=3).round(2)
    array([[-0.7 ,  0.78,  0.5 ],
           [-1.17, -0.2 , -0.43]])
    >>> bool((normals(1, 0, 2, 3) == normals(1, 0, 50, 64)[:2, :3]).all())
    True
    """
    _check_stream(seed, stream, n_rows, n_columns)
    u = uniforms(seed, stream, n_rows, n_columns + n_columns % 2)
    radius = np.sqrt(-2 * np.log(u[:, 0::2]))
    angle = 2 * np.pi * u[:, 1::2]
    pairs = _interleave(radius * np.cos(angle), radius * np.sin(angle))
    return pairs[:, :n_columns]


def random_qk(seed, n_q, n_k, d_k):
    """Draw queries and keys with independent standard normal entries.

    Parameters
    ----------
    seed : int
        As for `normals`.
    n_q, n_k : int
        How many queries and keys.
    d_k : int
        Their width.

    Returns
    -------
    Q : ndarray of shape (n_q, d_k)
    K : ndarray of shape (n_k, d_k)
        The same draw that the figures show for this seed: a smaller shape is the top
        left corner of a larger one.

    Raises
    ------
    TypeError, ValueError
        As `normals`.

    Examples
    --------
    >>> Q, K = random_qk(seed=1, n_q=2, n_k=3, d_k=4)
    >>> Q.shape, K.shape
    ((2, 4), (3, 4))
    """
    return normals(seed, 0, n_q, d_k), normals(seed, 1, n_k, d_k)

"""Squeeze: a memory of fixed size beside attention, asked for every token."""

import math
from html import escape
from typing import NamedTuple

import numpy as np

from attnbook.kernel import attention
from attnbook.toydata import normals
from attnbook.widgets import words
from attnbook.widgets.base import LiveFigure, load_spec

DRAW, DRAWS = 7, 200  # the seed of the recall's draws, and how many they are
KEYS, VALUES = 1, 2  # streams


class Recall(NamedTuple):
    """The shares of tokens whose own value is nearest to what comes back."""

    memory: float
    attention: float


def directions(seed, stream, n, d):
    """Draw n vectors of length 1 in random directions.

    Parameters
    ----------
    seed, stream, n, d : int
        As for `attnbook.toydata.normals`.

    Returns
    -------
    ndarray of shape (n, d)

    """
    drawn = normals(seed, stream, n, d)
    return drawn / np.sqrt((drawn**2).sum(axis=-1, keepdims=True))


def answers(asked, K, V):
    """Ask the memory and attention with the same vectors.

    Parameters
    ----------
    asked : array of shape (..., m, d)
        Vectors of length 1 to ask with.
    K, V : array of shape (..., n, d)
        Keys and values, of length 1.

    Returns
    -------
    tuple of two arrays of shape (..., m, d)
        From the memory, the sum of k vᵀ; from attention, whose scores are d times the
        cosine, as they are for vectors with entries of size 1.

    """
    memory = np.swapaxes(K, -1, -2) @ V
    return asked @ memory, attention(asked, K, V, scale=float(K.shape[-1]))


def measured_recall(n_tokens, d, keys="random"):
    """Measure the two recalls over many draws.

    Parameters
    ----------
    n_tokens, d : int
    keys : {"random", "perpendicular"}

    Returns
    -------
    Recall

    """
    K, V = (
        directions(DRAW, stream, DRAWS * n_tokens, d).reshape(DRAWS, n_tokens, d)
        for stream in (KEYS, VALUES)
    )
    K = perpendicular(K) if keys == "perpendicular" else K
    own = np.arange(n_tokens)
    found = [(a @ V.mT).argmax(axis=-1) for a in answers(K, K, V)]
    return Recall(*(float(np.mean(nearest == own)) for nearest in found))


def perpendicular(K):
    """Give the first keys, as many as there are dimensions, an axis each."""
    count = min(K.shape[-2:])
    K = K.copy()
    K[..., :count, :] = np.eye(K.shape[-1])[:count]
    return K


def recall_table():
    """Return what ``spec.json`` holds as its constant "recall"."""
    state = load_spec("squeeze")["state"]
    stops = state["d_k"]["stops"], state["n_tokens"]["stops"]
    made = {}
    for keys in state["key_directions"]["options"]:
        cells = [[measured_recall(n, d, keys) for n in stops[1]] for d in stops[0]]
        made[keys] = {
            name: [[round(getattr(cell, name), 4) for cell in row] for row in cells]
            for name in Recall._fields
        }
    return made


def between(stops, value):
    """Return the two stops beside a value, and how far it is along, on a log scale."""
    low = max(k for k, stop in enumerate(stops) if stop <= value)
    if stops[low] == value:
        return low, low, 0.0
    share = math.log(value / stops[low]) / math.log(stops[low + 1] / stops[low])
    return low, low + 1, share


class Squeeze(LiveFigure, figure="squeeze"):
    """A memory C = sum of k vᵀ and attention, asked for what was stored.

    Keys and values are vectors of length 1. A token asks with its own key; it is
    recalled if no other value is nearer to what comes back than its own.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    n_tokens : int
        How many tokens are stored, 2 to 256.
    d_k : int
        Width of keys and values, 4 to 64: the memory is a square of that width.
    key_directions : {"random", "perpendicular"}
        Random directions; or the first keys lie on an axis each, as long as there are
        axes, and the others are random.
    asked : int
        Which token asks, from 1 on; the last one if there are fewer.
    seed : int
        Which draw the asking token is shown in, 0 to 9999.

    """

    @property
    def own(self):
        """The number of the token that asks, from 0 on."""
        return min(self.asked, self.n_tokens) - 1

    @property
    def cosines(self):
        """Cosines of both answers with each value: two arrays of shape (n_tokens,)."""
        shape = self.n_tokens, self.d_k
        K, V = (directions(self.seed, stream, *shape) for stream in (KEYS, VALUES))
        K = perpendicular(K) if self.key_directions == "perpendicular" else K
        for answer in answers(K[[self.own]], K, V):
            yield (V @ answer[0]) / np.sqrt((answer[0] ** 2).sum())

    @property
    def memory(self):
        """Cosine of the memory's answer with each value, shape (n_tokens,)."""
        return next(iter(self.cosines))

    @property
    def attention(self):
        """Cosine of attention's answer with each value, shape (n_tokens,)."""
        return list(self.cosines)[1]

    def recall(self, name):
        """Return the measured recall of "memory" or "attention" in this state."""
        spec = load_spec("squeeze")
        table = spec["constants"]["recall"][self.key_directions][name]
        rows = between(spec["state"]["d_k"]["stops"], self.d_k)
        columns = between(spec["state"]["n_tokens"]["stops"], self.n_tokens)
        (a, b, down), (c, d, across) = rows, columns
        ends = [table[k][c] + across * (table[k][d] - table[k][c]) for k in (a, b)]
        return ends[0] + down * (ends[1] - ends[0])

    def measure(self):
        """Return the measured numbers, a flat dictionary."""
        memory, attention = self.cosines
        n, d = self.n_tokens, self.d_k
        return {
            "memory_recall": self.recall("memory"),
            "attention_recall": self.recall("attention"),
            "memory_numbers": d * d,
            "attention_numbers": 2 * n * d,
            "n_recalled": self.recall("memory") * n,
            "noise": (n - 1) / d,
            "token": self.own + 1,
            "memory_own": float(memory[self.own]),
            "attention_own": float(attention[self.own]),
            "memory_nearest": int(memory.argmax()) + 1,
            "attention_nearest": int(attention.argmax()) + 1,
            "summary": "right" if memory.argmax() == self.own else "wrong",
        }

    def picture(self, alt):
        """Return the curve of the memory's recall and attention's, a still SVG."""
        stops = load_spec("squeeze")["state"]["n_tokens"]["stops"]
        lines = [_line(self, stops, name) for name in Recall._fields]
        x, y = _place(self.n_tokens, self.recall("memory"))
        ticks = "".join(
            f'<text x="{_place(n, 0)[0]}" y="186">{n}</text>' for n in (4, 16, 64, 256)
        )
        title = escape(words.template("squeeze.curve.title"))
        return (
            '<svg viewBox="0 0 360 192" width="360" height="192" role="img" '
            'font-family="inherit" font-size="13" fill="currentColor" '
            f'aria-label="{escape(alt)}"><text x="10" y="14">{title}</text>'
            f'{"".join(lines)}<circle cx="{x}" cy="{y}" r="5" fill="var(--attn-now)"/>'
            f'<path d="M10 168H350" stroke="currentColor"/>'
            f'<g text-anchor="middle">{ticks}</g></svg>'
        )


def _place(n, share):
    return round(16 + 320 * math.log2(n / 2) / 7, 1), round(168 - 136 * share, 1)


def _line(figure, stops, name):
    row = [Squeeze(**{**figure.state, "n_tokens": n}).recall(name) for n in stops]
    places = zip(stops, row, strict=True)
    d = "L".join("{} {}".format(*_place(*place)) for place in places)
    colour = {"memory": "--attn-now", "attention": "--attn-other"}[name]
    dash = ' stroke-dasharray="5 4"' if name == "attention" else ""
    return f'<path d="M{d}" fill="none" stroke="var({colour})" stroke-width="2"{dash}/>'

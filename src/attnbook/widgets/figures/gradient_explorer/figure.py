"""GradientExplorer: how long the query's gradient is, and how many keys it hears."""

import math
from html import escape
from typing import NamedTuple

import numpy as np

from attnbook.toydata import normals
from attnbook.widgets import words
from attnbook.widgets.base import LiveFigure
from attnbook.widgets.histogram import Bins, density

ROWS = 200
SHORT = 1e-6  # shorter gradients share the first bin
BINS = Bins(low=-6.25, width=0.25, count=31, bar=0.25, per=1.0)  # of log10(length)


class Gradients(NamedTuple):
    """The gradients of the queries of many rows."""

    lengths: np.ndarray  # of dq, for each unit of dO; shape (rows,)
    heard: np.ndarray  # keys that a row's gradient hears; shape (rows,)


def query_gradients(seed, n_keys, d_k, scale, rows=ROWS):
    """Draw rows of attention, each with a query and keys of its own, and go back.

    All entries of queries, keys, values and of dO are standard normal. No key is
    made: a row needs the keys' shadows on the query (standard normal numbers), what
    each value is worth to the loss, for each unit of dO (likewise), and the parts of
    the keys at right angles to the query. Those are independent of the scores, so
    their sum, weighted with dS, is as long as dS times a normal vector of
    ``d_k - 1`` entries.

    Parameters
    ----------
    seed, n_keys, d_k : int
    scale : float
        What the products are multiplied by.
    rows : int

    Returns
    -------
    Gradients

    """
    query, shadow, worth, rest = (
        normals(seed, stream, rows, columns)
        for stream, columns in enumerate((d_k, n_keys, n_keys, max(d_k - 1, 1)))
    )
    # Against the best key: then dS of a winner that leads by far keeps its digits.
    best = shadow.argmax(axis=-1)[:, None]
    behind = shadow - np.take_along_axis(shadow, best, -1)
    better = worth - np.take_along_axis(worth, best, -1)
    weights = np.exp(scale * np.linalg.norm(query, axis=-1, keepdims=True) * behind)
    weights /= weights.sum(axis=-1, keepdims=True)
    dS = weights * (better - (weights * better).sum(axis=-1, keepdims=True))
    squares = (dS**2).sum(axis=-1)
    across = (rest**2).sum(axis=-1) if d_k > 1 else 0.0
    lengths = scale * np.sqrt((dS * behind).sum(axis=-1) ** 2 + squares * across)
    return Gradients(lengths, np.abs(dS).sum(axis=-1) ** 2 / squares)


def share_of_longest(lengths):
    """Return which share of all squared lengths the longest tenth of them has."""
    squares = np.sort(lengths**2)[::-1]
    return float(squares[: len(squares) // 10].sum() / squares.sum())


class GradientExplorer(LiveFigure, figure="gradient_explorer"):
    """Histograms of the length of the query's gradient, with the factor and without.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    n_keys : int
        Keys in a row, 2 to 512: the first ``n_keys`` of one draw.
    d_k : int
        Width of queries and keys, 1 to 512.
    seed : int
        Which draw, 0 to 9999.

    """

    @property
    def raw(self):
        """Lengths and keys heard where nobody divides."""
        return query_gradients(self.seed, self.n_keys, self.d_k, 1.0)

    @property
    def scaled(self):
        """Lengths and keys heard with the factor."""
        scale = 1 / math.sqrt(self.d_k)
        return query_gradients(self.seed, self.n_keys, self.d_k, scale)

    @property
    def raw_digits(self):
        """The raw lengths as powers of ten, shape (rows,)."""
        return np.log10(self.raw.lengths)

    @property
    def scaled_digits(self):
        """The scaled lengths as powers of ten, shape (rows,)."""
        return np.log10(self.scaled.lengths)

    def measure(self):
        """Return the measured numbers, a flat dictionary."""
        raw, scaled = self.raw, self.scaled
        measured = {}
        for name, (lengths, heard) in {"raw": raw, "scaled": scaled}.items():
            measured[f"{name}_median"] = float(np.median(lengths))
            measured[f"{name}_mean"] = float(np.mean(lengths))
            measured[f"{name}_heard"] = float(np.median(heard))
            measured[f"{name}_top"] = share_of_longest(lengths)
        ratio = measured["raw_median"] / measured["scaled_median"]
        below = float(np.mean(raw.lengths < SHORT))
        return {**measured, "ratio": ratio, "below": below, "summary": told(ratio)}

    def picture(self, alt):
        """Return the two histograms as a still SVG."""
        bars = [("raw", self.raw_digits, 70), ("scaled", self.scaled_digits, 150)]
        parts = [_bars(name, heights(digits), base) for name, digits, base in bars]
        return (
            '<svg viewBox="0 0 360 184" width="360" height="184" role="img" '
            f'font-family="inherit" aria-label="{escape(alt)}">{"".join(parts)}'
            f'<g font-size="13" fill="currentColor" text-anchor="middle">{_axis()}</g>'
            "</svg>"
        )


def heights(digits):
    """Return the share of rows in each bin; what is too short is in the first."""
    return density(np.maximum(digits, BINS.low), BINS)


def told(ratio):
    """Name the sentence for a ratio of the typical lengths, raw over scaled."""
    if ratio < 1e-4:
        return "gone"
    return "shorter" if ratio < 2 / 3 else "alike" if ratio < 3 / 2 else "longer"


def _across(power):
    return round(10 + 340 * (power - BINS.low) / (BINS.width * BINS.count), 1)


def _bars(name, shares, base):
    # Each histogram is as high as its tallest bar; the numbers stand in the sentence.
    colour = {"raw": "--attn-other", "scaled": "--attn-now"}[name]
    d = ""
    for k in np.flatnonzero(shares):
        start, end = (_across(BINS.low + (k + by) * BINS.width) for by in (0, 1))
        d += f"M{start} {base}V{base - 50 * shares[k] / shares.max():.1f}H{end}V{base}Z"
    title = escape(words.template(f"gradient_explorer.{name}.title"))
    return (
        f'<path d="{d}" fill="var({colour})"/>'
        f'<path d="M10 {base}H350" stroke="currentColor"/>'
        f'<text x="10" y="{base - 54}" font-size="13" fill="currentColor">'
        f"{title}</text>"
    )


def _axis():
    ticks = {-6.125: words.template("gradient_explorer.shorter"), -4: "0.0001"}
    ticks |= {-2: "0.01", 0: "1"}
    anchor = {-6.125: ' text-anchor="start"'}
    return "".join(
        f'<text x="{_across(at if at > -6 else BINS.low)}" y="167"'
        f"{anchor.get(at, '')}>{escape(words_)}</text>"
        for at, words_ in ticks.items()
    )

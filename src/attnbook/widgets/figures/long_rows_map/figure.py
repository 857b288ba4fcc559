"""LongRowsMap: how sharp a row of random scores is, over its length and deviation."""

import math
from functools import cache
from html import escape

import numpy as np

from attnbook.kernel import softmax
from attnbook.stats import effective_keys, entropy
from attnbook.toydata import normals
from attnbook.widgets import picture, words
from attnbook.widgets.base import LiveFigure, load_spec

DRAW, DRAWS = 6, 200  # the seed of the map's draws, and how many rows each has
SCORES = 1  # the stream of the one row that is shown
TOP = 12  # so many bars; all other keys are one bar


def map_axes():
    """Return the lengths and the deviations for which the map was measured."""
    constants = load_spec("long_rows_map")["constants"]
    return constants["lengths"], constants["deviations"]


def measured_largest(n_keys, deviation):
    """Draw rows of normal scores, and average the largest weight.

    Parameters
    ----------
    n_keys : int
        How many scores a row has.
    deviation : float
        Their standard deviation.

    Returns
    -------
    float
        The mean over `DRAWS` rows.

    """
    return float(softmax(deviation * _draws(n_keys)).max(axis=-1).mean())


@cache
def _draws(n_keys):
    """Draw standard normal rows: each length is the start of the same rows."""
    return normals(DRAW, SCORES, DRAWS, n_keys)


def largest_table():
    """Return what ``spec.json`` holds as its constant "largest": a row a deviation."""
    lengths, deviations = map_axes()
    return [[round(measured_largest(n, s), 4) for n in lengths] for s in deviations]


def between(stops, value, scale=float):
    """Return the two stops beside a value, and how far it is along."""
    low = max(k for k, stop in enumerate(stops) if stop <= value)
    if stops[low] == value:
        return low, low, 0.0
    start, end = scale(stops[low]), scale(stops[low + 1])
    return low, low + 1, (scale(value) - start) / (end - start)


class LongRowsMap(LiveFigure, figure="long_rows_map"):
    """The largest weight of a row, over its length and the deviation of its scores.

    The map was measured: at each length and deviation, the mean over 200 rows of
    normal scores. The bars are one row of the draw `seed`.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    n_keys : int
        How many keys the row has, 2 to 8192.
    deviation : float
        Standard deviation of the scores as softmax gets them, 0 to 8.
    seed : int
        Which draw the row is, 0 to 9999.

    """

    @property
    def ranked(self):
        """The weights of the row, the largest first, shape (n_keys,)."""
        drawn = np.sort(normals(self.seed, SCORES, 1, self.n_keys)[0])[::-1]
        return softmax(self.deviation * drawn)

    @property
    def top(self):
        """The largest weights, at most `TOP` of them."""
        return self.ranked[:TOP]

    def mean_largest(self):
        """Return the mean largest weight, from the table or between its cells."""
        table = load_spec("long_rows_map")["constants"]["largest"]
        lengths, deviations = map_axes()
        a, b, down = between(deviations, self.deviation)
        c, d, across = between(lengths, self.n_keys, math.log)
        ends = [table[k][c] + across * (table[k][d] - table[k][c]) for k in (a, b)]
        return ends[0] + down * (ends[1] - ends[0])

    def measure(self):
        """Return the measured numbers, a flat dictionary."""
        weights, freezing = self.ranked, math.sqrt(2 * math.log(self.n_keys))
        spread = float(entropy(weights))
        return {
            "mean_largest": self.mean_largest(),
            "largest": float(weights[0]),
            "effective_keys": float(effective_keys(weights)),
            "entropy": spread,
            "entropy_share": spread / math.log(self.n_keys),
            "rest": float(weights[TOP:].sum()),
            "freezing": freezing,
            "summary": "above" if self.deviation > freezing else "below",
        }

    def picture(self, alt):
        """Return the map with the point on it, a still SVG."""
        table = load_spec("long_rows_map")["constants"]["largest"]
        box = (30, 24, 310, 180)
        image = picture._pixels(np.sqrt(table[::-1]), box, 0.0, 1.0, "cividis")
        x, y = _place(self.n_keys, self.deviation)
        lengths = map_axes()[0]
        line = "L".join(
            "{} {}".format(*_place(n, min(math.sqrt(2 * math.log(n)), 8)))
            for n in lengths
        )
        ticks = "".join(
            f'<text x="{_place(n, 0)[0]}" y="220">{n}</text>' for n in (8, 64, 512)
        ) + "".join(
            f'<text x="16" y="{_place(2, s)[1] + 4}">{s}</text>' for s in (1, 8)
        )
        title = escape(words.template("long_rows_map.map.title"))
        return (
            '<svg viewBox="0 0 360 226" width="360" height="226" role="img" '
            'font-family="inherit" font-size="13" fill="currentColor" '
            f'aria-label="{escape(alt)}"><text x="10" y="14">{title}</text>{image}'
            f'<path d="M{line}" fill="none" stroke="#fff" stroke-width="2" '
            f'stroke-dasharray="6 4"/><circle cx="{x}" cy="{y}" r="6" stroke="#fff" '
            f'stroke-width="2" fill="var(--attn-now)"/>'
            f'<g text-anchor="middle">{ticks}</g></svg>'
        )


def _place(n, deviation):
    across = (math.log2(n) - 1) / 12
    return round(30 + 310 * across, 1), round(204 - 180 * deviation / 8, 1)

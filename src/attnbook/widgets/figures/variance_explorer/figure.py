"""VarianceExplorer: how far apart dot products of random vectors lie."""

import math

import numpy as np

from attnbook.toydata import normals, uniforms
from attnbook.widgets import words
from attnbook.widgets.base import LiveFigure
from attnbook.widgets.histogram import bins_for, density, histogram_svg

KEYS_A_QUERY = 4
LIMIT = 4.0  # the end of the axis after the division, and the width of a bin there
BIN = 0.2
_RARE = 1 / 18
_STEPS = {"normal": 0.0, "coin": 2.0, "uniform": 0.0, "sparse": 9.0}


def draw_entries(entries, seed, stream, n_rows, n_columns):
    """Draw independent entries with mean 0 and variance 1, of four distributions.

    Parameters
    ----------
    entries : {"normal", "coin", "uniform", "sparse"}
        Normal; +1 or -1 alike; uniform between -sqrt(3) and sqrt(3); 0, but +3 or -3
        once in nine times.
    seed, stream, n_rows, n_columns : int
        As for `attnbook.toydata.normals`.

    Returns
    -------
    ndarray of shape (n_rows, n_columns), float64

    """
    if entries == "normal":
        return normals(seed, stream, n_rows, n_columns)
    u = uniforms(seed, stream, n_rows, n_columns)
    if entries == "coin":
        return np.where(u < 0.5, -1.0, 1.0)
    if entries == "uniform":
        return math.sqrt(3) * (2 * u - 1)
    return np.where(u < _RARE, -3.0, np.where(u > 1 - _RARE, 3.0, 0.0))


class VarianceExplorer(LiveFigure, figure="variance_explorer"):
    """Histograms of many q·k, as they are and divided, over the normal density.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    d_k : int
        Width of queries and keys, 1 to 1024: the first ``d_k`` columns of one draw.
    entries : {"normal", "coin", "uniform", "sparse"}
        What the entries of queries and keys are drawn from; mean 0 and variance 1 in
        each case (`draw_entries`).
    divide_by : {"sqrt_d_k", "d_k", "nothing"}
        What the products are divided by.
    n_pairs : int
        How many products, 100 to 1000. Each query meets four keys and each key four
        queries; products of different pairs are uncorrelated all the same.
    seed : int
        Which draw, 0 to 9999.

    """

    @property
    def queries_and_keys(self):
        """The queries and keys of each pair, two arrays of shape (n_pairs, d_k)."""
        rows = math.ceil(self.n_pairs / KEYS_A_QUERY)
        Q, K = (
            draw_entries(self.entries, self.seed, s, rows, self.d_k) for s in (0, 1)
        )
        rounds, query = np.divmod(np.arange(self.n_pairs), rows)
        return Q[query], K[(query + rounds) % rows]

    @property
    def products(self):
        """The products q·k, shape (n_pairs,)."""
        Q, K = self.queries_and_keys
        return (Q * K).sum(axis=-1)

    @property
    def divisor(self):
        """What the products are divided by."""
        return {"sqrt_d_k": math.sqrt(self.d_k), "d_k": self.d_k, "nothing": 1}[
            self.divide_by
        ]

    @property
    def divided(self):
        """The products after the division, shape (n_pairs,)."""
        return self.products / self.divisor

    @property
    def bins(self):
        """The bins of the histogram after the division."""
        between = self.entries == "coin" and self.d_k % 2 == 1
        step = _STEPS[self.entries] / self.divisor
        width = min(BIN, math.sqrt(self.d_k) / self.divisor / 2)
        bins = bins_for(LIMIT, width, step=step, between=between)
        return bins._replace(bar=min(bins.width, BIN))

    def measure(self):
        """Return the measured numbers, a flat dictionary."""
        products, root = self.products, math.sqrt(self.d_k)
        deviation = float(products.std())
        return {
            "raw_deviation": deviation,
            "raw_theory": root,
            "raw_ratio": deviation / root,
            "deviation": deviation / self.divisor,
            "theory": root / self.divisor,
            "beyond": float(np.mean(np.abs(products) > 2 * root)),
            "normal_beyond": math.erfc(math.sqrt(2)),
            "outside": float(np.mean(np.abs(self.divided) > LIMIT)),
            "n_values": len(np.unique(products)),
            "summary": self.divide_by,
        }

    def picture(self, alt):
        """Return the histogram after the division as a still SVG."""
        return histogram_svg(
            self.bins,
            density(self.divided, self.bins),
            alt,
            limit=LIMIT,
            deviation=math.sqrt(self.d_k) / self.divisor,
            title=words.template("variance_explorer.after.x"),
        )

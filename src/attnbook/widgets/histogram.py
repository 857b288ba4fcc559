"""Histograms as densities, for the figures: the twin of ``kit/histogram.js``."""

import math
from html import escape
from typing import NamedTuple

import numpy as np


class Bins(NamedTuple):
    """Where the bins of a histogram are, and how its bars are drawn.

    Bin b goes from ``low + b * width`` to ``low + (b + 1) * width``. A bar is ``bar``
    wide; its height is the share of values in the bin, divided by ``per``.
    """

    low: float
    width: float
    count: int
    bar: float
    per: float


def bins_for(limit, width, *, step=0.0, between=False):
    """Place bins from about ``-limit`` to ``limit``, symmetric about 0.

    Parameters
    ----------
    limit, width : float
        The end of the axis, and the width that a bin should have.
    step : float
        How far values on a lattice lie apart (0: not on a lattice). Each bin then
        holds the same odd number of lattice points, or heights would jump from bin to
        bin; where the points lie further apart than `width`, bars are narrow.
    between : bool
        Whether 0 lies halfway between two lattice points, instead of on one.

    Returns
    -------
    Bins

    """
    whole = math.floor(width / step + 1e-9) if step else 0
    cell = step * max(whole - (whole + 1) % 2, 1) if step else width
    bar, per = min(cell, width), cell
    if step and not between:
        half = math.floor(limit / cell + 0.5)
        return Bins(-(half + 0.5) * cell, cell, 2 * half + 1, bar, per)
    half = math.ceil(limit / cell - 1e-9)
    return Bins(-half * cell, cell, 2 * half, bar, per)


def density(values, bins):
    """Return the height of each bin: its share of all values, divided by ``per``."""
    place = np.floor((np.asarray(values, dtype=float) - bins.low) / bins.width)
    inside = place[(place >= 0) & (place < bins.count)].astype(int)
    return np.bincount(inside, minlength=bins.count) / (np.size(values) * bins.per)


def normal_density(x, deviation):
    """Return the density at x of normal values with mean 0."""
    z = np.asarray(x, dtype=float) / deviation
    return np.exp(-0.5 * z**2) / (deviation * math.sqrt(2 * math.pi))


def _bars(bins, heights, across, down, limit):
    """Return the path of all bars within the axis."""
    d, base = "", down(0)
    for b in np.flatnonzero(heights):
        middle = bins.low + (b + 0.5) * bins.width
        start, end = (
            max(middle - bins.bar / 2, -limit),
            min(middle + bins.bar / 2, limit),
        )
        if start < end:
            d += f"M{across(start)} {base}V{down(heights[b])}H{across(end)}V{base}Z"
    return d


def _ticks(limit, across, base):
    """Return the axis with its ends and its middle."""
    parts = [f'<path d="M{across(-limit)} {base}H{across(limit)}" fill="none" ']
    parts.append('stroke="currentColor"/>')
    for value in (-limit, 0, limit):
        words = f"{value:g}".replace("-", "−")
        parts.append(f'<text x="{across(value)}" y="{base + 17}">{words}</text>')
    return "".join(parts)


def histogram_svg(bins, heights, alt, *, limit, deviation, title=""):
    """Return a histogram over the normal density as a small SVG.

    Parameters
    ----------
    bins : Bins
    heights : array of shape (bins.count,)
    alt : str
        What a reader should conclude, for those who cannot see it.
    limit : float
        The end of the axis.
    deviation : float
        Of the normal density that is drawn.
    title : str
        Of the axis.

    Returns
    -------
    str

    """
    reach = min(limit, 5 * deviation)
    x = np.linspace(-reach, reach, 61)
    y = normal_density(x, deviation)
    top = 1.05 * max(float(np.max(heights)), float(y.max()))

    def across(value):
        return round(180 + 170 * value / limit, 1)

    def down(value):
        return round(180 - 170 * value / top, 1)

    points = " ".join(f"{across(a)},{down(b)}" for a, b in zip(x, y, strict=True))
    words = f'<text x="180" y="216">{escape(title)}</text>'
    return (
        '<svg viewBox="0 0 360 222" width="360" height="222" role="img" '
        f'text-anchor="middle" font-family="inherit" aria-label="{escape(alt)}">'
        f'<path d="{_bars(bins, heights, across, down, limit)}" '
        'fill="var(--attn-now)" opacity="0.72"/>'
        f'<polyline points="{points}" fill="none" stroke="var(--attn-other)" '
        'stroke-width="2" stroke-dasharray="5 4"/>'
        '<g font-size="13" fill="currentColor">'
        f"{_ticks(limit, across, 180)}{words}</g></svg>"
    )

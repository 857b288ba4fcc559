"""Still pictures for readers without JavaScript: small SVG that follows the theme."""

import base64
import struct
import zlib
from html import escape

import matplotlib
import numpy as np


def _chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png(pixels):
    """Return an RGB array of shape (height, width, 3), uint8, as the bytes of a PNG."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def colours(values, low=0.0, high=1.0, name="cividis"):
    """Return the RGB bytes that matplotlib gives to values, shape (..., 3)."""
    share = (np.asarray(values, dtype=float) - low) / (high - low)
    return matplotlib.colormaps[name](share, bytes=True)[..., :3]


def luminance(rgb):
    """Return the relative luminance (WCAG 2) of RGB bytes, shape (..., 3) -> (...)."""
    share = rgb / 255
    linear = np.where(share <= 0.04, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def _pixels(values, box, *scale):
    """Return an SVG image with one pixel to a cell."""
    x, y, width, height = box
    data = base64.b64encode(png(colours(values, *scale))).decode("ascii")
    return (
        f'<image x="{x}" y="{y}" width="{width}" height="{height}" '
        f'preserveAspectRatio="none" style="image-rendering:pixelated" '
        f'href="data:image/png;base64,{data}"/>'
    )


def _numbers(values, box, *scale):
    """Print each value in its cell, in black or white, whichever can be read."""
    x, y, width, height = box
    n_rows, n_columns = values.shape
    light = luminance(colours(values, *scale)) > 0.179  # black stands out more
    cells = []
    for (i, j), value in np.ndenumerate(values):
        at = f'x="{x + (j + 0.5) * width / n_columns:.0f}" '
        at += f'y="{y + (i + 0.5) * height / n_rows + 4:.0f}"'
        ink = "#000" if light[i, j] else "#fff"
        cells.append(f'<text {at} fill="{ink}">{value:.2f}</text>')
    return '<g font-size="12">' + "".join(cells) + "</g>"


def _labels(names, box):
    """Return the names of columns above and of rows to the left."""
    x, y, width, height = box
    n = len(names)
    parts = []
    for k, name in enumerate(names):
        across, down = x + (k + 0.5) * width / n, y + (k + 0.5) * height / n
        parts.append(f'<text x="{across:.0f}" y="{y - 6}">{escape(name)}</text>')
        parts.append(
            f'<text x="{x - 5}" y="{down + 4:.0f}" text-anchor="end">'
            f"{escape(name)}</text>"
        )
    return '<g font-size="12" fill="currentColor">' + "".join(parts) + "</g>"


def matrix_svg(
    values,
    alt,
    *,
    low=0.0,
    high=1.0,
    name="cividis",
    names=None,
    rows="",
    columns="",
):
    """Return a heatmap of a matrix as a small SVG.

    Parameters
    ----------
    values : array of shape (n_rows, n_columns)
        Values are printed in the cells when both counts are 8 or less.
    alt : str
        What a reader should conclude, for those who cannot see it.
    low, high : float
        The values at the two ends of the colours.
    name : {"cividis", "PuOr"}
        The colours: of weights, or of signed values (with ``low = -high``).
    names : sequence of str, optional
        Names of rows and columns of a square matrix.
    rows, columns : str
        Titles of the axes, used when there are no names.

    Returns
    -------
    str

    """
    values = np.asarray(values, dtype=float)
    box = (56, 24, 300, 300)
    parts = [_pixels(values, box, low, high, name)]
    if max(values.shape) <= 8:
        parts.append(_numbers(values, box, low, high, name))
    if names:
        parts.append(_labels(names, box))
    else:
        style = 'font-size="13" fill="currentColor"'
        parts.append(f'<text x="206" y="16" {style}>{escape(columns)}</text>')
        turn = 'transform="translate(46 174) rotate(-90)"'
        parts.append(f"<text {turn} {style}>{escape(rows)}</text>")
    return (
        '<svg viewBox="0 0 360 328" width="360" height="328" role="img" '
        f'text-anchor="middle" font-family="inherit" aria-label="{escape(alt)}">'
        + "".join(parts)
        + "</svg>"
    )

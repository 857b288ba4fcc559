"""Two ways to lay queries along keys, for fewer and for more queries than keys."""

import numpy as np
from matplotlib.patches import Rectangle

from attnbook import style
from attnbook.masks import causal_mask

SHAPES = ((2, 5), (5, 3))
ROOM = {"gridspec_kw": {"height_ratios": [n_q + 2.9 for n_q, _ in SHAPES]}}
NAMES = {"bottom_right": "bottom right", "top_left": "top left"}
ALT = """
Causal masks for 2 queries and 5 keys, and for 5 queries and 3 keys, in both alignments.
Aligned to the bottom right, the last query sees every key, and with more queries than
keys the first 2 queries see none. Aligned to the top left, query 0 sees key 0 only.
Filled cells may be seen.
"""


def grid(axes, mask):
    """Draw one mask: filled cells may be seen; say where a query has no key."""
    for (i, j), visible in np.ndenumerate(mask):
        look = {"fc": style.INK if visible else "none", "ec": style.INK, "lw": 0.8}
        axes.add_patch(Rectangle((j + 0.06, i + 0.06), 0.88, 0.88, alpha=0.75, **look))
    for i in np.flatnonzero(~mask.any(axis=1)):
        axes.text(mask.shape[1] + 0.2, i + 0.5, "no key", va="center", style="italic")


def panel(axes, shape, align):
    """Draw one mask with the numbers of its queries and keys."""
    n_q, n_k = shape
    grid(axes, causal_mask(n_q, n_k, align=align))
    for j in range(n_k):
        axes.text(j + 0.5, -0.3, f"k{j}", ha="center")
    for i in range(n_q):
        axes.text(-0.2, i + 0.5, f"q{i}", ha="right", va="center")
    axes.text(0, -2.1, NAMES[align], weight="bold")
    axes.text(0, -1.2, f"{n_q} queries, {n_k} keys")
    axes.set(xlim=(-1, 5.3), ylim=(n_q + 0.1, -2.8), aspect="equal")
    axes.axis("off")


def legend(axes):
    """Say at the bottom what a filled cell means."""
    style_of = {"transform": axes.transAxes, "va": "top", "style": "italic"}
    axes.text(0.16, -0.04, "filled: the query may see the key", **style_of)


def draw():
    """Draw a panel for each shape and alignment."""
    figure, panels = style.subplots(2, 2, size=(4.4, 4.1), **ROOM)
    cases = [(shape, align) for shape in SHAPES for align in NAMES]
    for axes, case in zip(panels.flat, cases, strict=True):
        panel(axes, *case)
    legend(panels[-1, 0])
    return figure

"""The geometric bridge: two lengths of sqrt(d), one cosine of 1/sqrt(d)."""

import numpy as np

from attnbook import style

WIDTHS = (4, 16, 64)
ALT = """
Three pairs of arrows q and k for widths 4, 16 and 64. The arrows get longer and stand
more nearly at right angles, but the shadow of k on q keeps its length of 1. So the
product, the shadow times the length of q, grows as the length of q.
"""


def arrow(axes, x, y, name, label):
    """Draw an arrow from the origin and write its name beside the tip."""
    color = style.ROLES[name].color
    look = {"arrowstyle": "-|>", "color": color, "lw": 2, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", (x, y), (0, 0), arrowprops=look)
    axes.annotate(label, (x, y), xytext=(4, 5), textcoords="offset points", color=color)


def pair(axes, d):
    """Draw q and k as they typically lie in d dimensions, and k's shadow on q."""
    length, cosine = np.sqrt(d), 1 / np.sqrt(d)
    shadow = length * cosine
    height = length * np.sqrt(1 - cosine**2)
    axes.plot([shadow, shadow], [0, height], color=style.INK, lw=0.8, ls=":")
    arrow(axes, length, 0, "Q", "q")
    arrow(axes, shadow, height, "K", "k")
    axes.plot([0, shadow], [-0.5, -0.5], color=style.INK, lw=3, solid_capstyle="butt")
    axes.text(0, -1.2, f"shadow {shadow:g}", va="top")
    axes.text(0, -2.7, f"length of q  {length:g}", va="top")
    axes.text(
        0, -4.2, f"product  {shadow:g} × {length:g} = {shadow * length:g}", va="top"
    )
    axes.set_title(f"d = {d}")


def draw():
    """Draw one panel for each width, all on one scale."""
    figure, panels = style.subplots(1, len(WIDTHS), size=(4.9, 2.9))
    for axes, d in zip(panels, WIDTHS, strict=True):
        pair(axes, d)
        axes.set(xlim=(-0.4, 9.6), ylim=(-5.6, 9.9), aspect="equal")
        axes.axis("off")
    return figure

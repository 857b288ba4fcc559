"""The geometric bridge: two lengths of sqrt(d), one cosine of 1/sqrt(d)."""

import numpy as np

from attnbook import style

PLACES = {4: 18.4, 16: 11.6, 64: 1}  # width: where its pair stands, from below
WORDS = 10.6  # where the words begin: the picture is as wide as a phone
ALT = """
Three pairs of arrows q and k for widths 4, 16 and 64. The arrows get longer and stand
more nearly at right angles, but the shadow of k on q keeps its length of 1. So the
product, the shadow times the length of q, grows as the length of q.
"""


def arrow(axes, start, end, name, label):
    """Draw an arrow and write its name beside the tip."""
    color = style.ROLES[name].color
    look = {"arrowstyle": "-|>", "color": color, "lw": 2, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", end, start, arrowprops=look)
    axes.annotate(label, end, xytext=(4, 3), textcoords="offset points", color=color)


def pair(axes, d, y):
    """Draw q and k as they typically lie in d dimensions, and k's shadow on q."""
    length, cosine = np.sqrt(d), 1 / np.sqrt(d)
    shadow = length * cosine
    height = length * np.sqrt(1 - cosine**2)
    axes.plot([shadow, shadow], [y, y + height], color=style.INK, lw=0.8, ls=":")
    arrow(axes, (0, y), (length, y), "Q", "q")
    arrow(axes, (0, y), (shadow, y + height), "K", "k")
    bar = {"color": style.INK, "lw": 3, "ls": "-", "solid_capstyle": "butt"}
    axes.plot([0, shadow], [y - 0.5, y - 0.5], **bar)
    axes.text(WORDS, y + 2.2, f"d = {d}", weight="bold")
    axes.text(WORDS, y + 1.1, f"shadow {shadow:g}")
    axes.text(WORDS, y, f"length of q  {length:g}")
    axes.text(WORDS, y - 1.1, f"product  {shadow:g} × {length:g} = {shadow * length:g}")


def draw():
    """Draw one pair for each width, one below the other and all on one scale."""
    figure, axes = style.subplots(size=(3.4, 3.75))
    for d, y in PLACES.items():
        pair(axes, d, y)
    axes.set(xlim=(-0.3, 20.2), ylim=(-0.5, 21.8), aspect="equal")
    axes.axis("off")
    return figure

"""Four scores over the plane of queries: three go on for ever, one levels off."""

import numpy as np

from attnbook import style
from attnbook.scores import Additive, Dot, General, ScaledDot

KEY = np.array([2.0, 1.0])
REACH = 4  # the plane goes from -4 to 4
TURN = np.array([[0.0, 1.0], [-1.0, 0.0]])  # a quarter turn
SCORES = {
    "dot": Dot(),
    "scaled dot": ScaledDot(),
    "general": General(TURN),
    "additive": Additive(W_q=np.eye(2), W_k=-0.5 * np.eye(2), v=[1.0, 1.0]),
}
LEVELS = {"additive": np.array([-1.8, -1, 0, 1, 1.8])}
ALT = """
Four pictures of the plane of queries with one key as an arrow and lines of equal score.
The lines of dot and scaled dot stand at right angles to the key and go on evenly, those
of general lie in another direction. The lines of additive bend around a corner; beyond
the last of them the score is nearly flat.
"""


def heights(score):
    """Score each query of a grid against the key."""
    at = np.linspace(-REACH, REACH, 33)
    x, y = np.meshgrid(at, at)
    queries = np.stack([x.ravel(), y.ravel()], axis=1)
    return at, score.score(queries, KEY[None]).reshape(x.shape)


def panel(axes, name):
    """Draw the lines of equal score and the key."""
    at, values = heights(SCORES[name])
    levels = LEVELS.get(name, np.arange(-9, 10, 3))
    look = {"colors": style.INK, "linewidths": 1, "linestyles": "solid"}
    lines = axes.contour(at, at, values, levels=levels, **look)
    axes.clabel(
        lines,
        levels[levels != 0],
        fmt=lambda level: f"{level:g}".replace("-", "−"),
        fontsize=8,
    )
    arrow = {"arrowstyle": "-|>", "color": style.ROLES["K"].color, "lw": 2}
    axes.annotate("", KEY, (0, 0), arrowprops={**arrow, "shrinkA": 0, "shrinkB": 0})
    label = {"xytext": (1, -11), "textcoords": "offset points"}
    axes.annotate("k", KEY, **label, color=arrow["color"])
    axes.set(title=name, aspect="equal", xticks=[-4, 0, 4], yticks=[-4, 0, 4])


def draw():
    """Draw the four scores, two beside each other."""
    figure, axes = style.subplots(2, 2, size=(3.6, 3.9))
    for one, name in zip(axes.flat, SCORES, strict=True):
        panel(one, name)
    return figure

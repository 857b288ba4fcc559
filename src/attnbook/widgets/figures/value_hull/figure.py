"""ValueHull: a query among keys, and the values with their hull and the output."""

from html import escape

import numpy as np

from attnbook.kernel import attention_weights
from attnbook.toydata import normals, running_example
from attnbook.widgets import words
from attnbook.widgets.base import LiveFigure

TIE = 1e-9  # scores nearer than this are equal: 0.1 + 0.2 is not 0.3
TOKENS, _, K_WIDE, V_TRUE = running_example()
LEAST = 0.001  # what is nearer to the edge is still inside: no 0.000 may stand there
# Four entries in two: animal against person across, doing against grammar word up.
FOLD = np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1]])


class ValueHull(LiveFigure, figure="value_hull"):
    """A query among six keys; the values, their convex hull, and the output inside.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    q_x, q_y : float
        The query: first entry -4 to 4, second entry -3 to 3.
    noise : {"none", "values", "keys"}
        What is replaced by noise.
    shift_x, shift_y : float
        A vector that is added to every key, each entry from -1 to 1.
    seed : int
        Draw of the noise, 1 to 99.

    """

    @property
    def query(self):
        """The query, shape (2,)."""
        return np.array([self.q_x, self.q_y], dtype=float)

    @property
    def K(self):
        """The keys, one a row, shape (6, 2)."""
        keys = K_WIDE @ FOLD
        if self.noise == "keys":  # noise spreads about as far as what it stands for
            keys = 1.8 * normals(self.seed, 1, *keys.shape)
        return keys + np.array([self.shift_x, self.shift_y])

    @property
    def V(self):
        """The values, one a row, shape (6, 2)."""
        return 1.1 * normals(self.seed, 2, 6, 2) if self.noise == "values" else V_TRUE

    @property
    def weights(self):
        """The six weights, shape (6,)."""
        return attention_weights(self.query[None], self.K)[0]

    @property
    def output(self):
        """The weighted mean of the values, shape (2,)."""
        return self.weights @ self.V

    @property
    def hull(self):
        """The corners of the values' convex hull, against the clock, shape (n, 2)."""
        points = sorted(self.V.tolist())
        return np.array(_chain(points) + _chain(points[::-1]))

    def measure(self):
        """Return the measured numbers, a flat dictionary."""
        weights, output = self.weights, self.output
        scores = self.K @ self.query / np.sqrt(2)
        leaders = np.flatnonzero(scores >= scores.max() - TIE)
        alone = len(leaders) == 1
        margin = _margin(self.hull, output)
        named = zip(TOKENS, weights, strict=True)
        return {
            **{f"w_{token.lower()}": float(weight) for token, weight in named},
            "out_x": float(output[0]),
            "out_y": float(output[1]),
            "margin": margin,
            "edge": f"< {LEAST}" if margin < LEAST else f"{margin:.3f}",
            "off": float(np.linalg.norm(output - weights @ V_TRUE)),
            "winner": TOKENS[leaders[0]] if alone else "",
            "largest_weight": float(weights.max()),
            "summary": self.noise if alone else "tie",
        }

    def picture(self, alt):
        """Return the values with their hull, their weights and the output, an SVG."""
        dots = [
            _dot(value, f"{token} {weight:.2f}")
            for token, value, weight in zip(TOKENS, self.V, self.weights, strict=True)
        ]
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(_place, self.hull))
        x, y = _place(self.output)
        name = escape(words.template("value_hull.delivery.output"))
        return (
            '<svg viewBox="0 0 360 260" width="360" height="260" role="img" '
            'text-anchor="middle" font-family="inherit" font-size="13" '
            f'aria-label="{escape(alt)}"><polygon points="{corners}" fill="none" '
            f'stroke="var(--attn-v)"/>{"".join(dots)}<circle cx="{x:.1f}" cy="{y:.1f}" '
            f'r="6" fill="currentColor"/><text x="{x - 34:.1f}" y="{y + 4:.1f}" '
            f'fill="currentColor">{name}</text></svg>'
        )


def _turn(start, one, two):
    """Return above 0 if the way from start to one to two bends to the left."""
    (x0, y0), (x1, y1), (x2, y2) = start, one, two
    return (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)


def _chain(points):
    """Return one side of a hull, without its last corner."""
    kept = []
    for point in points:
        while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= 0:
            kept.pop()
        kept.append(point)
    return kept[:-1]


def _margin(hull, point):
    """Return how far a point lies inside a hull, negative outside."""
    edges = zip(hull, np.roll(hull, -1, axis=0), strict=True)
    return float(min(_turn(a, b, point) / np.hypot(*(b - a)) for a, b in edges))


def _place(point):
    """Return where a value stands in the still picture."""
    return 180 + 52 * point[0], 130 - 44 * point[1]


def _dot(value, text):
    """Return a value as a dot with its name and weight."""
    x, y = _place(value)
    below = 18 if value[1] < 0 else -8
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="var(--attn-v)"/><text '
        f'x="{min(max(x, 40), 316):.1f}" y="{y + below:.1f}" fill="var(--attn-v)">'
        f"{escape(text)}</text>"
    )

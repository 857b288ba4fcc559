"""DotExplorer: one query and three keys in the plane, their scores and weights."""

from html import escape

import numpy as np

from attnbook.kernel import softmax
from attnbook.scores import Dot
from attnbook.widgets import words
from attnbook.widgets.base import LiveFigure

KEYS = (1, 2, 3)
TIE = 1e-9  # what is nearer than this is equal: 0.1 + 0.2 is not 0.3


class DotExplorer(LiveFigure, figure="dot_explorer"):
    """One query and three keys in the plane; lengths, angles, scores and weights.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    q_x, q_y : float
        The query: first entry -4 to 4, second entry -3 to 3.
    k1_x, k1_y, k2_x, k2_y, k3_x, k3_y : float
        The keys, in the same ranges.
    score : {"dot", "cosine"}
        What a score is: the dot product, or the cosine alone.
    temperature : float
        0.1 to 10, no unit: scores are divided by it before softmax.

    """

    @property
    def query(self):
        """The query, shape (2,)."""
        return np.array([self.q_x, self.q_y], dtype=float)

    @property
    def K(self):
        """The three keys, one a row, shape (3, 2)."""
        pairs = [[getattr(self, f"k{k}_{axis}") for axis in "xy"] for k in KEYS]
        return np.array(pairs, dtype=float)

    @property
    def dots(self):
        """The dot product of the query with each key, shape (3,)."""
        dots = Dot().score(self.query[None], self.K)[0]
        return np.where(np.abs(dots) < TIE, 0, dots)

    @property
    def cosines(self):
        """The cosine of each key's angle to the query; 0 for a vector of zeros."""
        lengths = np.linalg.norm(self.query) * np.linalg.norm(self.K, axis=-1)
        return np.divide(self.dots, lengths, out=np.zeros(3), where=lengths > 0)

    @property
    def scores(self):
        """The three scores, shape (3,)."""
        return self.cosines if self.score == "cosine" else self.dots

    @property
    def weights(self):
        """The three weights, shape (3,)."""
        return softmax(self.scores / self.temperature)

    def _angle(self, key):
        """Return the angle of a key to the query in degrees; None for zeros."""
        (x, y), (kx, ky) = self.query, key
        if not (np.any(self.query) and np.any(key)):
            return None
        return float(np.degrees(np.arctan2(abs(x * ky - y * kx), x * kx + y * ky)))

    def measure(self):
        """Return the measured numbers, a flat dictionary."""
        scores, lengths = self.scores, np.linalg.norm(self.K, axis=-1)
        leaders = [k for k in KEYS if scores[k - 1] >= scores.max() - TIE]
        tables = {"length_": lengths, "cosine_": self.cosines, "score_": scores}
        tables["w"] = self.weights
        numbers = {f"{n}{k}": float(t[k - 1]) for n, t in tables.items() for k in KEYS}
        return {
            **numbers,
            **{f"angle_{k}": self._angle(self.K[k - 1]) for k in KEYS},
            "q_length": float(np.linalg.norm(self.query)),
            "winner": leaders[0] if len(leaders) == 1 else 0,
            "largest_weight": float(self.weights.max()),
            "summary": "tie" if len(leaders) > 1 else self.score,
        }

    def picture(self, alt):
        """Return the arrows with the weight of each key, a still SVG."""
        parts = [_arrow(self.query, "--attn-q", words.template("dot_explorer.names.q"))]
        for k, key, weight in zip(KEYS, self.K, self.weights, strict=True):
            name = words.template(f"dot_explorer.names.{k}")
            parts.append(_arrow(key, "--attn-k", f"{name}: {weight:.3f}"))
        axes = '<path d="M10 130H350M180 10V250" stroke="currentColor" opacity="0.3"/>'
        return (
            '<svg viewBox="0 0 360 260" width="360" height="260" role="img" '
            'text-anchor="middle" font-family="inherit" font-size="13" '
            f'aria-label="{escape(alt)}">{axes}{"".join(parts)}</svg>'
        )


def _arrow(vector, colour, text):
    """Return an arrow from the middle of the picture, with its name at the tip."""
    x, y = 180 + 38 * vector[0], 130 - 38 * vector[1]
    ux, uy = np.asarray(vector) / max(np.linalg.norm(vector), TIE)
    left, right = ((-9 * ux - t * uy, 9 * uy - t * ux) for t in (4, -4))
    head = f"M{x + left[0]:.1f} {y + left[1]:.1f}L{x:.1f} {y:.1f}"
    head += f"L{x + right[0]:.1f} {y + right[1]:.1f}"
    at = f'x="{min(max(x, 40), 320):.1f}" y="{y + (18 if vector[1] < 0 else -8):.1f}"'
    line = f'<path d="M180 130L{x:.1f} {y:.1f}{head}" fill="none" '
    return (
        f'{line}stroke="var({colour})" stroke-width="2.5"/>'
        f'<text {at} fill="var({colour})">{escape(text)}</text>'
    )

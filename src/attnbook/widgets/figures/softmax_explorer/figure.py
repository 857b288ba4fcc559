"""SoftmaxExplorer: five scores, their weights, and how the weights answer."""

from html import escape

import numpy as np

from attnbook.kernel import softmax
from attnbook.stats import effective_keys, entropy, softmax_jacobian
from attnbook.widgets import words
from attnbook.widgets.base import LiveFigure

N = 5


class SoftmaxExplorer(LiveFigure, figure="softmax_explorer"):
    """Five scores and one temperature: weights, ratios, derivative, entropy.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    z1, z2, z3, z4, z5 : float
        The scores, -5 to 5.
    temperature : float
        0 to 20, no unit. 0 stands for the limit: the largest score has all the weight,
        and tied ones share it.
    view : {"weights", "slopes", "entropy"}
        What stands beside the bars: nothing, how the weights answer to the scores, or
        the entropy at every temperature.

    """

    @property
    def scores(self):
        """The five scores, shape (5,)."""
        return np.array([getattr(self, f"z{k}") for k in range(1, N + 1)], dtype=float)

    @property
    def weights(self):
        """The five weights, shape (5,)."""
        gaps = self.scores - self.scores.max()
        if self.temperature == 0:
            leads = gaps == 0
            return leads / leads.sum()
        with np.errstate(over="ignore"):  # a tiny temperature: a gap becomes -inf
            return softmax(gaps / self.temperature)

    @property
    def jacobian(self):
        """How weight i answers to score j over the temperature, shape (5, 5)."""
        return softmax_jacobian(self.weights)

    @property
    def entropy(self):
        """Entropy of the weights in nats."""
        return float(entropy(self.weights))

    def _ratio(self, i, j):
        """Return weight i over weight j; None where it is no finite number."""
        gap = self.scores[i] - self.scores[j]
        if self.temperature == 0:
            return 1.0 if gap == 0 else None
        with np.errstate(over="ignore"):
            ratio = float(np.exp(gap / self.temperature))
        return ratio if np.isfinite(ratio) else None

    def measure(self):
        """Return the measured numbers, a flat dictionary."""
        weights, top = self.weights, float(self.weights.max())
        leaders = int((self.scores == self.scores.max()).sum())
        pairs = [(i, i + 1) for i in range(N - 1)]
        return {
            **{f"w{k + 1}": float(weights[k]) for k in range(N)},
            **{f"ratio_{i + 1}{j + 1}": self._ratio(i, j) for i, j in pairs},
            "largest_weight": top,
            "others_weight": 1 - top,
            "response": top * (1 - top),
            "response_share": 4 * top * (1 - top),
            "quarter": 0.25,
            "entropy": self.entropy,
            "max_entropy": float(np.log(N)),
            "entropy_share": self.entropy / float(np.log(N)),
            "limit_entropy": float(np.log(leaders)),
            "effective_keys": float(effective_keys(weights)),
            "n_keys": N,
            "n_leaders": leaders,
            "summary": self._summary(leaders),
        }

    def _summary(self, leaders):
        if self.temperature > 0:
            return "default"
        return "limit_tie" if leaders > 1 else "limit"

    def picture(self, alt):
        """Return scores and weights as bars, a still SVG."""
        scores = _bars(self.scores, 118, 15, "score_names", ".3g")
        weights = _bars(self.weights, 298, 110, "weight_names", ".3f")
        return (
            '<svg viewBox="0 0 360 328" width="360" height="328" role="img" '
            f'text-anchor="middle" font-family="inherit" font-size="13" '
            f'fill="currentColor" aria-label="{escape(alt)}">{scores}{weights}</svg>'
        )


def _bars(values, base, unit, names, digits):
    """Return five bars with their values and names; base and unit are pixels."""
    parts = [f'<path d="M20 {base}H340" stroke="currentColor"/>']
    for k, value in enumerate(values):
        x, end = 52 + 64 * k, base - unit * value
        top, height = min(base, end), abs(base - end)
        parts.append(
            f'<rect x="{x - 20}" y="{top:.1f}" width="40" height="{height:.1f}" '
            'fill="var(--attn-now)"/>'
        )
        number = format(value, digits).replace("-", "−")
        above, below = (top - 5, base + 15) if value >= 0 else (base - 5, end + 15)
        name = words.template(f"softmax_explorer.{names}.{k + 1}")
        number_at, name_at = (above, below) if value >= 0 else (below, above)
        parts.append(f'<text x="{x}" y="{number_at:.1f}">{number}</text>')
        parts.append(f'<text x="{x}" y="{name_at:.1f}">{escape(name)}</text>')
    return "".join(parts)

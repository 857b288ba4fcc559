"""AttentionExplorer: what scaling and temperature do to rows of attention weights."""

import numpy as np

from attnbook.kernel import attention_weights
from attnbook.stats import effective_keys, entropy
from attnbook.toydata import random_qk, running_example
from attnbook.widgets import words
from attnbook.widgets.base import LiveFigure
from attnbook.widgets.picture import matrix_svg


class AttentionExplorer(LiveFigure, figure="attention_explorer"):
    """Weights of n queries over n keys, for every width, temperature and draw.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    d_k : int
        Width of queries and keys, 1 to 1024: the first ``d_k`` columns of one draw.
    n_keys : int
        Number of queries and of keys, 2 to 64.
    temperature : float
        0.05 to 20, no unit.
    scaling : bool
        Whether scores are divided by sqrt(d_k).
    seed : int
        Which draw, 0 to 9999.
    data : {"random", "example"}
        A random draw, or the running sentence (6 tokens, d_k = 4: ``d_k``, ``n_keys``
        and ``seed`` then wait).
    row : int or None
        The query whose numbers are shown; None for the mean over all. A row past
        the last one stands for the last one.
    color_scale : {"fixed", "row_max"}
        Colours and bars from 0 to 1, or to the row's maximum.
    view : {"maps", "curve"}
        The weights with and without the scale, or a row and the entropy curve.
    guide : {"scaling", "sentence"}
        Which steps and presets go with the figure; "sentence" where ``data`` is
        "example", unless you say otherwise.

    """

    def __init__(self, **state):
        own = {"guide": "sentence"} if state.get("data") == "example" else {}
        super().__init__(**{**own, **state})

    @property
    def queries_and_keys(self):
        """The queries and keys shown, two arrays of shape (n, d_k)."""
        if self.data == "example":
            return running_example()[1:3]
        return random_qk(self.seed, self.n_keys, self.n_keys, self.d_k)

    @property
    def weights(self):
        """The attention weights, shape (n, n); rows are queries."""
        return self._weights(self.scaling)

    @property
    def shown_row(self):
        """The row whose numbers are shown, or None for the mean over all."""
        last = len(self.queries_and_keys[0]) - 1
        return None if self.row is None else min(self.row, last)

    @property
    def entropy(self):
        """Entropy in nats: of the shown row, or the mean over all rows."""
        return self._numbers(self.scaling)["entropy"]

    @property
    def effective_keys(self):
        """Effective number of keys: of the shown row, or the mean over all rows."""
        return self._numbers(self.scaling)["effective_keys"]

    @property
    def largest_weight(self):
        """Largest weight: of the shown row, or the mean over all rows."""
        return self._numbers(self.scaling)["largest_weight"]

    def _weights(self, scaling):
        Q, K = self.queries_and_keys
        scale = None if scaling else 1.0
        return attention_weights(Q, K, scale=scale, temperature=self.temperature)

    def _numbers(self, scaling):
        """Return entropy, effective keys and largest weight: of a row, or the mean."""
        weights = self._weights(scaling)
        if self.shown_row is not None:
            weights = weights[[self.shown_row]]
        return {
            "entropy": float(np.mean(entropy(weights))),
            "effective_keys": float(np.mean(effective_keys(weights))),
            "largest_weight": float(np.mean(weights.max(axis=-1))),
        }

    def measure(self):
        """Return the measured numbers and names, a flat dictionary."""
        n, d_k = self.queries_and_keys[0].shape
        now, other = self._numbers(self.scaling), self._numbers(not self.scaling)
        kind = "scaled" if self.scaling else "unscaled"
        return {
            **now,
            **{f"other_{name}": value for name, value in other.items()},
            "other_name": words.template(f"attention_explorer.other.{kind}"),
            "n_keys": n,
            "d_k": d_k,
            "row": self.shown_row,
            "max_entropy": float(np.log(n)),
            "uniform_weight": 1 / n,
            "entropy_share": now["entropy"] / float(np.log(n)),
            "root_d_k": float(np.sqrt(d_k)),
            "divisor": self.temperature * (float(np.sqrt(d_k)) if self.scaling else 1),
            "scaled_effective_keys": self._numbers(True)["effective_keys"],
            "unscaled_effective_keys": self._numbers(False)["effective_keys"],
            "scaling_gap": abs(now["entropy"] - other["entropy"]),
            **self._names(),
            "summary": self._summary(),
        }

    def _names(self):
        """Return the names of the shown row and of its strongest key."""
        row = self.shown_row
        weights = self.weights if row is None else self.weights[row]
        top = int(np.argmax(weights)) % self.weights.shape[1]
        is_example = self.data == "example"
        name = running_example().tokens.__getitem__ if is_example else str
        row_token = "" if row is None else name(row)
        return {"top_key": top, "top_token": name(top), "row_token": row_token}

    def _summary(self):
        kind = "scaled" if self.scaling else "unscaled"
        kind = "example" if self.data == "example" else kind
        return kind if self.shown_row is None else f"{kind}_row"

    def picture(self, alt):
        """Return the weights as a still SVG."""
        weights = self.weights
        return matrix_svg(
            weights,
            alt,
            high=1.0 if self.color_scale == "fixed" else float(weights.max()),
            names=running_example().tokens if self.data == "example" else None,
            rows=words.template("attention_explorer.map.rows"),
            columns=words.template("attention_explorer.map.columns"),
        )

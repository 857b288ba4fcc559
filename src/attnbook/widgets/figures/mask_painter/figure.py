"""MaskPainter: who may look where, and what five ways of hiding a key do."""

import numpy as np

from attnbook.kernel import softmax
from attnbook.masks import causal_mask, padding_mask, window_mask
from attnbook.toydata import running_example
from attnbook.widgets.base import LiveFigure, load_spec
from attnbook.widgets.picture import matrix_svg

N = len(running_example().tokens)
_LARGE = -1e9
_REPLACED = {"set_zero": 0.0, "large": _LARGE, "infinite": -np.inf}


class MaskPainter(LiveFigure, figure="mask_painter"):
    """A mask on the running sentence, a way to apply it, and the right answer.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    method : {"set_zero", "add_zero", "multiply", "large", "infinite"}
        How a score is hidden: set to 0, 0 added, its weight multiplied by 0, set to
        -1e9, set to minus infinity.
    causal : bool
        Hide the keys after the query.
    window : int
        How far from the query a key may lie, 0 to 5; 5 is no limit.
    padding : int
        How many keys at the end are padding, 0 to 6.
    n_q, n_k : int
        Queries are the last `n_q` tokens, keys the last `n_k`; 1 to 6.
    align : {"bottom_right", "top_left"}
        Where the diagonal lies if ``n_q != n_k``.
    boost : float
        Added to every hidden score, 0 to 6. It ought to change nothing.
    painted : int
        Bit ``6 i + j`` turns over what token i may do with token j.

    """

    @property
    def example(self):
        """The tokens of queries and keys, and Q, K, V: a part of the sentence."""
        tokens, Q, K, V = running_example()
        i, j = N - self.n_q, N - self.n_k
        return tokens[i:], tokens[j:], Q[i:], K[j:], V[j:]

    @property
    def mask(self):
        """What the rules and the paint allow, bool (n_q, n_k), True = may attend."""
        shape, align = (self.n_q, self.n_k), self.align
        allowed = padding_mask(max(self.n_k - self.padding, 0), self.n_k)
        if self.causal:
            allowed = allowed & causal_mask(*shape, align=align)
        if self.window < load_spec(self.figure)["state"]["window"]["max"]:
            side = self.window
            allowed = allowed & window_mask(*shape, left=side, right=side, align=align)
        return allowed ^ self._turned

    @property
    def _turned(self):
        """What is painted over, for the queries and keys that there are."""
        bits = self.painted >> np.arange(N * N).reshape(N, N) & 1
        return bits[N - self.n_q :, N - self.n_k :].astype(bool)

    @property
    def scores(self):
        """Scaled scores, the hidden ones raised, shape (n_q, n_k)."""
        _, _, Q, K, _ = self.example
        return Q @ K.T / np.sqrt(Q.shape[-1]) + self.boost * ~self.mask

    @property
    def used(self):
        """What softmax gets under the method, shape (n_q, n_k)."""
        if self.method not in _REPLACED:
            return self.scores
        return np.where(self.mask, self.scores, _REPLACED[self.method])

    @property
    def weights(self):
        """The weights as the method makes them, without a rule for empty rows."""
        weights, mask = softmax(self.used), self.mask
        if self.method == "multiply":
            return weights * mask
        if self.method == "infinite":
            weights[~mask.any(axis=1)] = np.nan  # 0 / 0
        return weights

    @property
    def oracle(self):
        """The weights when hidden keys are deleted, shape (n_q, n_k)."""
        return softmax(self.scores, mask=self.mask)

    def measure(self):
        """Return the measured numbers, a flat dictionary."""
        queries, _, _, _, V = self.example
        mask, lost = self.mask, np.isnan(self.weights).any(axis=1)
        weights = np.where(lost[:, None], 0, self.weights)
        leaks = (weights * ~mask).sum(axis=1)
        gaps = np.abs((weights - self.oracle) @ V).max(axis=1)
        sums = weights.sum(axis=1)[~lost & mask.any(axis=1)]
        leak = float(leaks[~lost].max(initial=0))
        worst = int(np.argmax(~lost & (leaks >= leak - 1e-12)))
        measured = {
            "n_pairs": mask.size,
            "n_hidden": int((~mask).sum()),
            "n_dead": int((~mask.any(axis=1)).sum()),
            "n_nan": int(lost.sum()),
            "leak": leak,
            "leak_token": queries[worst] if leak > 0 else "–",
            "row_sum_min": float(min(sums, default=0)),
            "row_sum_max": float(max(sums, default=0)),
            "row_sum_shown": f"{min(sums):.3f}" if len(sums) else "–",
            "output_gap": float(gaps[~lost].max(initial=0)),
            "first_token": queries[0],
            "first_sees": int(mask[0].sum()),
            "last_sees": int(mask[-1].sum()),
        }
        return {**measured, "summary": _summary(measured)}

    def picture(self, alt):
        """Return the method's weights as a still SVG."""
        queries, keys, *_ = self.example
        return matrix_svg(
            np.nan_to_num(self.weights),
            alt,
            **({"names": queries} if queries == keys else _AXES),
        )


_AXES = {"rows": "query", "columns": "key"}


def _summary(measured):
    """Name the sentence that says what the figure shows."""
    if measured["n_nan"]:
        return "nan"
    if measured["leak"] > 1e-9:
        return "leak"
    spread = measured["row_sum_max"] - measured["row_sum_min"]
    return "short" if spread > 1e-9 else "exact"

"""OrderExplorer: the running sentence in another order, and which outputs change."""

from html import escape
from itertools import permutations

import numpy as np

from attnbook.kernel import attention
from attnbook.positions import alibi_bias, rotary, sinusoidal_positions
from attnbook.toydata import running_example
from attnbook.widgets.base import LiveFigure

TOKENS, W_Q, W_K, W_V = running_example()
N = len(TOKENS)
ORDERS = list(permutations(range(N)))  # as in a dictionary: the first is the sentence
CHANGED = 1e-9  # rounding alone stays far below it
# What arrives is written back into the tokens: a value gains about half the output.
W_O = W_V.T / 20
HEADS = 8  # ALiBi's slope is that of the first of eight heads, one half


class OrderExplorer(LiveFigure, figure="order_explorer"):
    """Six tokens in any order, and how far each output is from the original one.

    A token comes in as one of six directions; the sentence's Q, K and V are the
    matrices that make its query, key and value.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    order : int
        0 to 719: which of all orders, sorted as in a dictionary. 0 is the sentence.
    causal : bool
        Whether a token sees only itself and what stands before it.
    positions : {"none", "sinusoidal", "rotary", "alibi"}
        How positions come in.
    layers : {"one", "two"}
        How many attention layers, one after the other.

    """

    @property
    def places(self):
        """Which token stands at each place, shape (6,)."""
        return np.array(ORDERS[self.order])

    @property
    def outputs(self):
        """The output of each token, in the sentence's own order, shape (6, 2)."""
        return self._run(self.places)

    @property
    def original(self):
        """The outputs of the sentence in its own order, shape (6, 2)."""
        return self._run(np.arange(N))

    @property
    def change(self):
        """How far each token's output is from its original one, shape (6,)."""
        return np.linalg.norm(self.outputs - self.original, axis=1)

    def _run(self, places):
        """Send tokens through the layers; return the last outputs, token by token."""
        X = np.eye(N)[places]
        if self.positions == "sinusoidal":
            X = X + sinusoidal_positions(N, N)
        for _ in range(1 if self.layers == "one" else 2):
            output = self._layer(X)
            X = X + output @ W_O
        by_token = np.empty_like(output)
        by_token[places] = output
        return by_token

    def _layer(self, X):
        """Attend once, with positions in queries and keys or in the scores."""
        Q, K, bias = X @ W_Q, X @ W_K, None
        if self.positions == "rotary":
            Q, K = (rotary(x, layout="interleaved") for x in (Q, K))
        if self.positions == "alibi":
            bias = alibi_bias(N, n_heads=HEADS)[0]
        return attention(Q, K, X @ W_V, bias=bias, causal=self.causal)

    def measure(self):
        """Return the measured numbers, a flat dictionary."""
        change = self.change
        changed = [j for j in range(N) if change[j] > CHANGED]
        each = zip(TOKENS, change, strict=True)
        return {
            **{f"change_{token.lower()}": float(size) for token, size in each},
            "sentence": " ".join(TOKENS[j] for j in self.places),
            "n_changed": len(changed),
            "n_kept": N - len(changed),
            "largest_change": float(change.max()),
            "changed": ", ".join(TOKENS[j] for j in changed),
            "summary": _summary(self.order, len(changed)),
        }

    def picture(self, alt):
        """Return the tokens in their order, with a bar for each change, an SVG."""
        change = self.change
        tall = 120 / max(change.max(), 1)
        columns = "".join(
            _column(place, TOKENS[token], change[token], tall)
            for place, token in enumerate(self.places)
        )
        return (
            '<svg viewBox="0 0 360 200" width="360" height="200" role="img" '
            'text-anchor="middle" font-family="inherit" font-size="13" '
            f'aria-label="{escape(alt)}">{columns}</svg>'
        )


def _summary(order, n_changed):
    """Return which sentence tells what is seen."""
    if order == 0:
        return "original"
    return "changed" if n_changed else "same"


def _column(place, token, change, tall):
    """Return one token with the bar and the number of its change."""
    x, height = 30 + 60 * place, tall * change
    return (
        f'<rect x="{x - 18}" y="{170 - height:.1f}" width="36" height="{height:.1f}" '
        f'fill="var(--attn-now)"/><text x="{x}" y="{164 - height:.1f}" '
        f'fill="currentColor">{change:.2f}</text><text x="{x}" y="190" '
        f'fill="currentColor">{escape(token)}</text>'
    )

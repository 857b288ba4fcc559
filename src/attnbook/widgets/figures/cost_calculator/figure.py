"""CostCalculator: what a layer of attention costs, term by term."""

import math
from html import escape

import numpy as np

from attnbook.cost import attention_cost
from attnbook.widgets import words
from attnbook.widgets.base import LiveFigure, load_spec

_SPEC = load_spec("cost_calculator")
LENGTHS = tuple(_SPEC["state"]["n"]["stops"])
WINDOW, TILE, GROUP = (_SPEC["constants"][k] for k in ("window", "tile", "group"))
ITEMSIZE = _SPEC["constants"]["itemsize"]
RIDGE = _SPEC["constants"]["peak_flops"] / _SPEC["constants"]["bandwidth"]
FEED_FORWARD = 8  # its weights, in squares of the width, if it is four times as wide
SCORE_TRIPS = 4  # written; read and written by softmax; read by the output
ROW_TRIPS = 16  # widths of a row in and out of all products, keys and values apart
BYTES = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
FLOPS = tuple(f"{prefix}FLOP" for prefix in ("", *"kMGTPEZ"))


class _Layer:
    """Sizes and costs of one length; FLOPs of one layer, bytes as the names say."""

    def __init__(self, n, state):
        heads, width, batch = state["n_heads"], state["d_head"], state["batch"]
        groups = math.gcd(heads, GROUP) if state["remedy"] == "shared" else 1
        self.d_model, self.n_kv_heads = heads * width, heads // groups
        self.n_q = 1 if state["phase"] == "decode" else n
        self.n_seen = min(n, WINDOW) if state["remedy"] == "window" else n
        options = {"n_heads": heads, "n_kv_heads": self.n_kv_heads, "batch": batch}
        options |= {"d_model": self.d_model, "itemsize": ITEMSIZE}
        new = attention_cost(self.n_q, self.n_q, width, width, **options)
        cost = attention_cost(self.n_q, self.n_seen, width, width, **options)
        weights = FEED_FORWARD * self.d_model**2
        self.projections = new.projections.flops  # of the new rows only
        self.forward = 2 * batch * self.n_q * weights
        self.products = cost.products.flops
        self.scores = cost.scores.bytes
        if state["remedy"] == "tiled":
            tile = min(self.n_q, TILE), min(self.n_seen, TILE)
            self.scores = attention_cost(*tile, 1, 1, **options).scores.bytes
        layers = state["n_layers"]
        self.cache = layers * cost.cache.bytes
        weights += self.projections // (2 * batch * self.n_q)
        self.weights = layers * weights * ITEMSIZE
        shared = self.n_kv_heads * width
        self.rows = (
            batch * self.n_q * (ROW_TRIPS * self.d_model + 2 * shared) * ITEMSIZE
        )

    @property
    def work(self):
        """FLOPs of all matrix products of a layer."""
        return self.projections + self.forward + self.products

    @property
    def share(self):
        """The two products' part of it."""
        return self.products / self.work


class CostCalculator(LiveFigure, figure="cost_calculator"):
    """FLOPs and bytes of the layers of a transformer, over the length of its input.

    Counted are matrix products, in half precision: four projections, the two products
    of attention over all pairs, and a feed-forward part four times as wide.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    n : int
        Tokens of the input or, in decoding, in the cache: 128 to 1,048,576.
    n_heads, d_head : int
        Heads, 1 to 128, and the width of one, 8 to 256. Their product is the width of
        the model.
    n_layers : int
        Layers, 1 to 128.
    batch : int
        Sequences at once, 1 to 512.
    phase : {"prefill", "decode"}
        All tokens at once, or one new token that asks a cache.
    remedy : {"none", "shared", "window", "tiled"}
        Keys and values shared by up to 8 heads; a window of 1,024 keys; scores that are
        never stored, but for a tile of 128 x 128 a head.
    view : {"work", "memory"}
        Shares of the work, or bytes.

    """

    @property
    def layer(self):
        """Sizes and costs at the length n."""
        return _Layer(self.n, self.state)

    def _curve(self, cost):
        return np.array([cost(_Layer(n, self.state)) for n in LENGTHS], dtype=float)

    @property
    def product_shares(self):
        """The two products' share of the work, at each of LENGTHS."""
        return self._curve(lambda layer: layer.share)

    @property
    def projection_shares(self):
        """The projections' share of the work, at each of LENGTHS."""
        return self._curve(lambda layer: layer.projections / layer.work)

    @property
    def forward_shares(self):
        """The feed-forward's share of the work, at each of LENGTHS."""
        return self._curve(lambda layer: layer.forward / layer.work)

    @property
    def score_bytes(self):
        """Bytes of the score matrices of one layer, at each of LENGTHS."""
        return self._curve(lambda layer: layer.scores)

    @property
    def cache_bytes(self):
        """Bytes of the keys and values of all layers, at each of LENGTHS."""
        return self._curve(lambda layer: layer.cache)

    @property
    def weight_bytes(self):
        """Bytes of all weights, at each of LENGTHS."""
        return self._curve(lambda layer: layer.weights)

    def measure(self):
        """Return the measured numbers, a flat dictionary."""
        layer, shared = self.layer, self.layer.n_kv_heads * self.d_head
        trips = 0 if self.remedy == "tiled" else SCORE_TRIPS
        per_layer = layer.rows + trips * layer.scores
        moved = layer.weights + layer.cache + self.n_layers * per_layer
        flops = self.n_layers * layer.work
        sizes = ("d_model", "n_kv_heads", "n_q", "n_seen", "share")
        return {
            **{name: getattr(layer, name) for name in sizes},
            "block_share": layer.products / (layer.projections + layer.products),
            "share_limit": _Layer(LENGTHS[-1], self.state).share,
            "n_half": 5 * layer.d_model + shared,
            "n_block": layer.d_model + shared,
            **_amount("flops", flops, 1000, FLOPS),
            **_amount("score", layer.scores, 1024, BYTES),
            **_amount("cache", layer.cache, 1024, BYTES),
            **_amount("weights", layer.weights, 1024, BYTES),
            "intensity": flops / moved,
            "ridge": RIDGE,
            "summary": self.phase if self.remedy == "none" else self.remedy,
        }

    def picture(self, alt):
        """Return the shares over the length, a still SVG."""
        curves = {
            "forward": ("attn-other", self.forward_shares),
            "projections": ("attn-other", self.projection_shares),
            "products": ("attn-now", self.product_shares),
        }
        parts = [_frame()]
        for name, (colour, shares) in curves.items():
            dash = "" if colour == "attn-now" else ' stroke-dasharray="5 4"'
            points = zip(map(_across, LENGTHS), map(_down, shares), strict=True)
            path = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
            line = f'fill="none" stroke="var(--{colour})" stroke-width="2"{dash}'
            parts.append(f'<polyline points="{path}" {line}/>')
            parts.append(_name(name, colour, shares))
        parts.append(
            f'<circle cx="{_across(self.n):.0f}" cy="{_down(self.layer.share):.0f}" '
            'r="5" fill="var(--attn-now)"/>'
        )
        return (
            '<svg viewBox="0 0 360 250" width="360" height="250" role="img" '
            'font-family="inherit" font-size="12" fill="currentColor" '
            f'aria-label="{escape(alt)}">{"".join(parts)}</svg>'
        )


def _amount(name, number, base, units):
    """Return a number with a unit, as two values."""
    at = 0
    number = float(number)
    while number >= base and at < len(units) - 1:
        number, at = number / base, at + 1
    return {f"{name}_amount": number, f"{name}_unit": units[at]}


def _across(n):
    return 40 + 310 * math.log(n / LENGTHS[0]) / math.log(LENGTHS[-1] / LENGTHS[0])


def _down(share):
    return 210 - 195 * share


def _frame():
    """Return the axes: shares upwards, lengths to the right, logarithmically."""
    ticks = {10**3: "1k", 10**4: "10k", 10**5: "100k", 10**6: "1M"}
    parts = ['<path d="M40 15V210H350" fill="none" stroke="currentColor"/>']
    for share in (0, 0.5, 1):
        y = _down(share) + 4
        parts.append(f'<text x="35" y="{y:.0f}" text-anchor="end">{share:.0%}</text>')
    for n, label in ticks.items():
        at = f'x="{_across(n):.0f}" y="226" text-anchor="middle"'
        parts.append(f"<text {at}>{label}</text>")
    title = escape(words.template("cost_calculator.work.x"))
    return "".join(parts) + f'<text x="195" y="244" text-anchor="middle">{title}</text>'


def _name(name, colour, shares):
    """Return a curve's name, at its right end for the products, else at its left."""
    last = name == "products"
    x, share = (346, shares[-1]) if last else (46, shares[0])
    y = _down(share) + (20 if last and share > 0.2 else -7)
    text = escape(words.template(f"cost_calculator.work.{name}"))
    anchor = "end" if last else "start"
    return (
        f'<text x="{x}" y="{y:.0f}" text-anchor="{anchor}" '
        f'fill="var(--{colour})">{text}</text>'
    )

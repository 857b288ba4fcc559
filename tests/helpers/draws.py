"""What Hypothesis draws: whole calls to attention, hidden poison included.

The environment variable ATTNBOOK_TESTS picks how hard to look: ``check`` (the default),
``fast`` (for mutation testing) or ``search`` (new random examples, many of them).
"""

import os
from dataclasses import dataclass

import numpy as np
from hypothesis import Phase, settings
from hypothesis import strategies as st
from ml_dtypes import bfloat16, finfo

import oracle

settings.register_profile(
    "check", max_examples=150, deadline=None, derandomize=True, database=None
)
settings.register_profile(  # for mutants: a failure need not be made small
    "fast",
    settings.get_profile("check"),
    max_examples=40,
    phases=[Phase.explicit, Phase.generate],
)
settings.register_profile("search", max_examples=3000, deadline=None, database=None)
settings.load_profile(os.environ.get("ATTNBOOK_TESTS", "check"))

POISON = (np.nan, np.inf, -np.inf)
HALVES = (np.float16, bfloat16)
EPS = {np.dtype(t): float(finfo(t).eps) for t in (*HALVES, np.float32, np.float64)}


@dataclass
class Case:
    """A call: arrays and options, and the generator that made them."""

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    options: dict
    rng: np.random.Generator
    grouped: bool = False

    @property
    def arrays(self):
        return self.Q, self.K, self.V

    @property
    def pairs(self):
        """The visible keys of every query, over the batch of the scores."""
        names = ("mask", "bias", "causal", "align")
        chosen = {k: v for k, v in self.options.items() if k in names}
        return oracle.visible_pairs(score_shape(self.Q, self.K), **chosen)

    def hidden_everywhere(self):
        """Keys that no query sees, in any batch: those may be poisoned."""
        seen = {j for keys in self.pairs.values() for j in keys}
        return [j for j in range(self.K.shape[-2]) if j not in seen]

    def output_gradient(self):
        K, V = (x[..., :1, :, :] if self.grouped else x for x in (self.K, self.V))
        batch = np.broadcast_shapes(*(x.shape[:-2] for x in (self.Q, K, V)))
        shape = (*batch, self.Q.shape[-2], V.shape[-1])
        return values(self.rng, shape, self.Q.dtype, 1.0)


def score_shape(Q, K):
    batch = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2])
    return (*batch, Q.shape[-2], K.shape[-2])


def values(rng, shape, dtype, size):
    """Quarters: exact in every dtype, with ties; `size` spreads them."""
    return np.asarray(rng.integers(-8, 9, shape) * (size / 4), dtype)


@st.composite
def cases(draw, dtypes=(np.float32, np.float64), groups=False, min_keys=0):
    """Draw a call; with `groups`, Q has several heads for each head of K and V."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    batch = draw(st.sampled_from([(), (), (2,), (1,), (2, 3), (3, 1), (0,)]))
    dtype = draw(st.sampled_from(dtypes))
    n_q = draw(st.sampled_from([2, 3, 1, 4, 5, 0]))
    n_k = draw(st.sampled_from([2, 3, 1, 4, 5, 6, min_keys]))
    d_k, d_v = draw(st.integers(1, 4)), draw(st.integers(0, 3))
    size = draw(st.sampled_from([1.0, 1.0, 4.0]))
    kv = draw(st.integers(1, 3)) if groups else None
    heads = () if kv is None else (kv * draw(st.integers(1, 3)),)
    kv_heads = () if kv is None else (kv,)
    Q = values(rng, (*draw(_part(batch)), *heads, n_q, d_k), dtype, size)
    K = values(rng, (*draw(_part(batch)), *kv_heads, n_k, d_k), dtype, size)
    V = values(rng, (*draw(_part(batch)), *kv_heads, n_k, d_v), dtype, 1.0)
    scores = (
        *np.broadcast_shapes(Q.shape[: -2 - len(heads)], K.shape[: -2 - len(heads)]),
    )
    shape = (*scores, *heads, n_q, n_k)
    return Case(Q, K, V, draw(options(shape, rng)), rng, groups)


@st.composite
def options(draw, shape, rng):
    """Draw the options of a call whose scores have this shape."""
    chosen = {
        "causal": draw(st.booleans()),
        "align": draw(st.sampled_from(["bottom_right", "top_left"])),
        "scale": draw(st.sampled_from([None, None, 0.5, -0.75, 0.0])),
        "temperature": draw(st.sampled_from([1.0, 1.0, 0.5, 2.0])),
        "softcap": draw(st.sampled_from([None, None, 0.5, 2.0])),
    }
    if draw(st.sampled_from([False, True, True])):
        share = draw(st.sampled_from([0.7, 0.3, 0.5, 0.0, 1.0]))
        chosen["mask"] = np.asarray(rng.random(draw(_inside(shape))) < share)
    if draw(st.sampled_from([False, True])):
        bias = values(rng, draw(_inside(shape)), np.float64, 1.0)
        hide = rng.random(bias.shape) < draw(st.sampled_from([0.3, 0.0, 0.6, 1.0]))
        chosen["bias"] = np.where(hide, -np.inf, bias)
    left_out = draw(st.sampled_from([None, *chosen]))
    return {name: value for name, value in chosen.items() if name != left_out}


@st.composite
def _part(draw, batch):
    """Draw leading axes that broadcast to `batch`: fewer of them, or some of size 1."""
    kept = batch[draw(st.integers(0, len(batch))) :]
    return tuple(draw(st.sampled_from([size, size, 1])) for size in kept)


@st.composite
def _inside(draw, shape):
    """Draw a shape that broadcasts to `shape` without enlarging it."""
    kept = shape[draw(st.sampled_from([0, 0, 0, 1, len(shape)])) :]
    return tuple(draw(st.sampled_from([size, size, size, 1])) for size in kept)


def poison_hidden(case):
    """Put NaN and infinities where no query looks; return new arrays and options."""
    Q, K, V = (x.copy() for x in case.arrays)
    rng, options = case.rng, dict(case.options)
    for j in case.hidden_everywhere():
        K[..., j, :] = rng.choice(POISON, K[..., j, :].shape)
        V[..., j, :] = rng.choice(POISON, V[..., j, :].shape)
    if "mask" in options and "bias" in options:
        shape = score_shape(Q, K)
        bias = np.broadcast_to(options["bias"], shape).copy()
        hidden = ~np.broadcast_to(options["mask"], shape)
        bias[hidden] = rng.choice(POISON, hidden.sum())
        options["bias"] = bias
    return Q, K, V, options


def tolerance(case, dtype=None):
    """Bound the rounding: each unit of score costs its eps, over the temperature."""
    dtype = np.dtype(dtype or case.Q.dtype)
    temperature = case.options.get("temperature", 1.0)
    size = 1 + np.abs(case.Q).max(initial=0) * np.abs(case.K).max(initial=0)
    return 16 * EPS[dtype] * case.Q.shape[-1] * size / min(temperature, 1)


def poison_key(case, j, value, *, in_values):
    """Put one non-finite number into key j, or into its value; return K, V."""
    K, V = case.K.copy(), case.V.copy()
    (V if in_values else K)[..., j, 0] = value
    return K, V


def rows_that_see(case, j, shape):
    """Say for each row of an output of this shape whether its query sees key j."""
    sees = np.zeros(score_shape(case.Q, case.K)[:-1], bool)
    for row, keys in case.pairs.items():
        sees[row] = j in keys
    return np.broadcast_to(sees, shape[:-1])


def check_rounded(got, function, *arrays, **options):
    """Half precision gives the bits of single precision, rounded once at the end."""
    with np.errstate(all="ignore"):
        singles = function(*(x.astype(np.float32) for x in arrays), **options)
        expected = np.asarray(singles, arrays[0].dtype)
    assert got.dtype == arrays[0].dtype and got.dtype.itemsize == 2
    np.testing.assert_array_equal(got, expected)

"""Scaled dot-product attention, in NumPy, for reading.

The names here are the whole public interface of the kernel. `attnbook.toydata`,
`attnbook.plots`, `attnbook.style`, `attnbook.widgets`, `attnbook.questions`,
`attnbook.exercises` and `attnbook.claims` are imported by name, since the kernel
needs NumPy alone and some of them need more.
"""

from attnbook.backward import (
    AttentionGradients,
    attention_backward,
    grouped_attention_backward,
)
from attnbook.cost import attention_cost
from attnbook.heads import KVCache, grouped_attention, merge_heads, split_heads
from attnbook.kernel import (
    attention,
    attention_weights,
    log_softmax,
    logsumexp,
    softmax,
)
from attnbook.masks import causal_mask, padding_mask, window_mask
from attnbook.positions import (
    alibi_bias,
    alibi_slopes,
    convert_rotary,
    learned_positions,
    relative_buckets,
    rotary,
    sinusoidal_positions,
)
from attnbook.scores import Additive, Concat, Dot, General, ScaledDot
from attnbook.stats import effective_keys, entropy, expected_max, softmax_jacobian
from attnbook.tiled import online_softmax, tiled_attention

__all__ = [
    "Additive",
    "AttentionGradients",
    "Concat",
    "Dot",
    "General",
    "KVCache",
    "ScaledDot",
    "alibi_bias",
    "alibi_slopes",
    "attention",
    "attention_backward",
    "attention_cost",
    "attention_weights",
    "causal_mask",
    "convert_rotary",
    "effective_keys",
    "entropy",
    "expected_max",
    "grouped_attention",
    "grouped_attention_backward",
    "learned_positions",
    "log_softmax",
    "logsumexp",
    "merge_heads",
    "online_softmax",
    "padding_mask",
    "relative_buckets",
    "rotary",
    "sinusoidal_positions",
    "softmax",
    "softmax_jacobian",
    "split_heads",
    "tiled_attention",
    "window_mask",
]

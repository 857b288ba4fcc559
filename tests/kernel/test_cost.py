import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import draws  # noqa: F401  loads the profile
from attnbook.cost import Term, attention_cost
from attnbook.heads import KVCache
from attnbook.masks import causal_mask


def test_a_small_case_counted_by_hand():
    cost = attention_cost(2, 3, 4, 5, n_heads=6, n_kv_heads=2, d_model=7, batch=8)
    assert cost.scores == Term(8 * 6 * 2 * 3 * (2 * 4), 8 * 6 * 2 * 3 * 2)
    assert cost.softmax == Term(8 * 6 * 2 * 3 * 5, 8 * 6 * 2 * 3 * 2)
    assert cost.output == Term(8 * 6 * 2 * (2 * 3 * 5), 8 * 6 * 2 * 5 * 2)
    assert cost.cache == Term(0, 8 * 2 * 3 * (4 + 5) * 2)
    to_q, to_kv, back = 2 * 7 * (6 * 4), 3 * 7 * 2 * (4 + 5), 2 * (6 * 5) * 7
    results = 2 * 6 * 4 + 3 * 2 * (4 + 5) + 2 * 7
    assert cost.projections == Term(8 * 2 * (to_q + to_kv + back), 8 * results * 2)


def test_sums():
    cost = attention_cost(2, 3, 4, 5, d_model=7)
    assert cost.products.flops == cost.scores.flops + cost.output.flops
    assert cost.products.bytes == cost.scores.bytes + cost.output.bytes
    terms = (cost.projections, cost.scores, cost.softmax, cost.output, cost.cache)
    assert cost.total.flops == sum(term.flops for term in terms)
    assert cost.total.bytes == sum(term.bytes for term in terms)


def test_without_d_model_nothing_is_projected():
    assert attention_cost(2, 3, 4, 5).projections == Term(0, 0)


def test_doubling_the_sequence_at_width_4096():
    def block(n):
        cost = attention_cost(n, n, 128, 128, n_heads=32, d_model=4096)
        return cost.products.flops, cost.products.flops + cost.projections.flops

    (products, whole), (products_2, whole_2) = block(4096), block(8192)
    assert products_2 / products == 4
    assert round(whole_2 / whole, 2) == 2.67


def test_the_share_of_the_products_in_a_large_layer():
    cost = attention_cost(2048, 2048, 128, 128, n_heads=96, d_model=12288)
    feed_forward = 2 * cost.projections.flops  # four times as wide
    layer = cost.products.flops + cost.projections.flops + feed_forward
    assert round(100 * cost.products.flops / layer, 1) == 2.7


def test_doubling_the_width_at_fixed_head_width_doubles_the_heads():
    small = attention_cost(1024, 1024, 64, 64, n_heads=8, d_model=512)
    large = attention_cost(2048, 2048, 64, 64, n_heads=16, d_model=1024)
    assert large.scores.bytes == 8 * small.scores.bytes


@given(st.integers(0, 9), st.integers(0, 9))
def test_causal_counts_the_visible_pairs(n_q, n_k):
    plain, causal = (attention_cost(n_q, n_k, 1, 1, causal=c) for c in (False, True))
    pairs = int(causal_mask(n_q, n_k).sum())
    assert causal.scores == Term(2 * pairs, plain.scores.bytes)
    assert causal.softmax == Term(5 * pairs, plain.softmax.bytes)
    assert causal.output == Term(2 * pairs, plain.output.bytes)
    assert causal.cache == plain.cache


def test_the_cache_has_the_bytes_that_a_cache_uses():
    cache = KVCache(2, 4, 5, batch=(3,), dtype=np.float16)
    cache.append(np.ones((3, 2, 7, 4)), np.ones((3, 2, 7, 5)))
    cost = attention_cost(1, 7, 4, 5, n_heads=8, n_kv_heads=2, batch=3)
    assert cost.cache.bytes == cache.nbytes
    assert (
        attention_cost(1, 7, 4, 5, n_heads=8, batch=3).cache.bytes == 4 * cache.nbytes
    )


def test_narrow_integers_are_counted_as_exactly():
    heads = {"n_heads": 100, "n_kv_heads": 50, "d_model": 100, "batch": 100}
    narrow = {name: np.int8(n) for name, n in heads.items()}
    sizes = 100, 100, 100, 100
    expected = attention_cost(*sizes, **heads)
    assert attention_cost(*map(np.int8, sizes), **narrow) == expected


def test_item_size_scales_bytes_only():
    two, four = (attention_cost(2, 3, 4, 5, d_model=6, itemsize=i) for i in (2, 4))
    assert four.total == Term(two.total.flops, 2 * two.total.bytes)


def test_counts_are_exact_however_large():
    cost = attention_cost(10**9, 10**9, 128, 128, n_heads=128, batch=10**6)
    assert cost.scores.flops == 2 * 128 * 128 * 10**24


NAMES = ["n_q", "n_k", "d_k", "d_v", "n_heads", "n_kv_heads", "d_model", "batch"]


@pytest.mark.parametrize("name", [*NAMES, "itemsize"])
def test_counts_are_checked(name):
    good = {"n_q": 2, "n_k": 3, "d_k": 4, "d_v": 5}
    least = 0 if name in ("n_q", "n_k", "d_v") else 1
    with pytest.raises(ValueError, match=f"{name} must be at least {least}, got"):
        attention_cost(**(good | {name: least - 1}))
    for bad in (2.0, True, "2"):
        with pytest.raises(TypeError, match=f"{name} must be an integer, got"):
            attention_cost(**(good | {name: bad}))
    attention_cost(**(good | {name: least}))


def test_groups_must_divide_the_heads():
    with pytest.raises(ValueError, match="divisible by n_kv_heads, got 4 and 3"):
        attention_cost(2, 3, 4, 5, n_heads=4, n_kv_heads=3)


@pytest.mark.parametrize("causal", ["no", 1, None])
def test_causal_is_true_or_false(causal):
    with pytest.raises(
        TypeError, match=f"causal must be True or False, got {causal!r}"
    ):
        attention_cost(2, 2, 1, 1, causal=causal)

"""The instrumented kernel: it counts what runs, and it is the kernel that runs."""

import ml_dtypes
import numpy as np
import pytest

from attnbook import kernel
from attnbook.cost import Term, attention_cost
from attnbook.heads import grouped_attention
from attnbook.kernel import attention
from attnbook.meter import Counted, Operation, count_attention, count_layer


def draw(*shapes):
    rng = np.random.default_rng(0)
    return [rng.standard_normal(shape, dtype=np.float32) for shape in shapes]


def counted(array):
    made = array.view(Counted)
    made.log = []
    return made


# --- the counter, by hand


def test_a_product_counts_two_flops_a_multiply_add():
    A, B = draw((2, 3), (3, 4))
    A = counted(A)
    product = A @ B
    assert A.log == [Operation("matmul.__call__", 2 * 2 * 3 * 4, 8, 32)]
    assert isinstance(product, Counted) and product.log is A.log
    np.testing.assert_array_equal(product.view(np.ndarray), A.view(np.ndarray) @ B)


def test_entries_made_and_entries_read():
    A = counted(np.ones((2, 3)))
    A -= A.max(axis=-1, keepdims=True)
    np.exp(A, out=A)
    assert [(one.name, one.flops, one.bytes) for one in A.log] == [
        ("maximum.reduce", 6, 16),
        ("subtract.__call__", 6, 48),
        ("exp.__call__", 6, 48),
    ]
    assert A.tolist() == [[1.0] * 3] * 2


def test_views_write_into_the_same_list_and_lone_numbers_are_plain():
    A = counted(np.ones((2, 3)))
    assert A.T[0].log is A.log
    assert type(A.sum()) is np.float64
    assert A.log[-1].flops == 6


# --- the kernel, counted

CASES = [(8, 9, 4, 5), (1, 7, 3, 2), (64, 64, 16, 16), (5, 2, 1, 1)]


@pytest.mark.parametrize("shape", CASES, ids=str)
def test_the_count_is_that_of_the_formula_term_by_term(shape):
    n_q, n_k, d_k, d_v = shape
    Q, K, V = draw((n_q, d_k), (n_k, d_k), (n_k, d_v))
    output, cost, rest = count_attention(Q, K, V)
    assert cost == attention_cost(*shape, itemsize=4)
    np.testing.assert_array_equal(output, attention(Q, K, V))
    assert type(output) is np.ndarray
    assert rest == n_q * d_k + 2 * n_q  # the scaling, and two questions to each row


@pytest.mark.parametrize("n_kv_heads", [1, 2, 6])
def test_grouped_heads_and_a_batch(n_kv_heads):
    Q, K, V = draw((3, 6, 8, 4), (3, n_kv_heads, 9, 4), (3, n_kv_heads, 9, 5))
    output, cost, _ = count_attention(Q, K, V)
    options = {"n_heads": 6, "n_kv_heads": n_kv_heads, "batch": 3, "itemsize": 4}
    assert cost == attention_cost(8, 9, 4, 5, **options)
    np.testing.assert_array_equal(output, grouped_attention(Q, K, V))


def test_a_layer_with_its_projections():
    X, *weights = draw((2, 8, 12), (12, 24), (12, 8), (12, 8), (24, 12))
    output, cost, _ = count_layer(X, *weights, n_heads=6, n_kv_heads=2)
    options = {"n_heads": 6, "n_kv_heads": 2, "d_model": 12, "batch": 2, "itemsize": 4}
    assert cost == attention_cost(8, 8, 4, 4, **options)
    assert output.shape == X.shape and type(output) is np.ndarray
    assert cost.projections.flops == 2 * 16 * 12 * (24 + 8 + 8 + 24)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_a_layer_of_half_precision_stores_two_bytes_and_computes_in_single(dtype):
    X, *weights = (x.astype(dtype) for x in draw((8, 12), *[(12, 12)] * 4))
    output, cost, _ = count_layer(X, *weights, n_heads=3)
    assert output.dtype == dtype
    halves = attention_cost(8, 8, 4, 4, n_heads=3, d_model=12, itemsize=2)
    assert cost.projections == halves.projections and cost.cache == halves.cache
    singles = [x.astype(np.float32) for x in (X, *weights)]
    exact, _, _ = count_layer(*singles, n_heads=3)
    close = 2 * float(ml_dtypes.finfo(dtype).eps) * np.abs(exact).max()
    np.testing.assert_allclose(output.astype("f4"), exact, atol=close)


def test_heads_are_as_many_for_keys_unless_told():
    X, *weights = draw((8, 12), (12, 12), (12, 12), (12, 12), (12, 12))
    _, cost, _ = count_layer(X, *weights, n_heads=3)
    assert cost == attention_cost(8, 8, 4, 4, n_heads=3, d_model=12, itemsize=4)


def test_a_plain_kernel_saves_nothing_under_a_causal_mask():
    Q, K, V = draw((16, 4), (16, 4), (16, 4))
    _, plain, rest = count_attention(Q, K, V)
    output, causal, more = count_attention(Q, K, V, causal=True)
    assert causal == plain == attention_cost(16, 16, 4, 4, itemsize=4)
    assert causal != attention_cost(16, 16, 4, 4, itemsize=4, causal=True)
    assert more >= rest
    np.testing.assert_array_equal(output, attention(Q, K, V, causal=True))


def test_a_temperature_is_one_more_operation_an_entry():
    Q, K, V = draw((8, 4), (9, 4), (9, 4))
    _, cost, _ = count_attention(Q, K, V, temperature=2.0)
    assert cost.softmax == Term(6 * 8 * 9, 8 * 9 * 4)


def test_the_kernel_is_as_before_afterwards():
    Q, K, V = draw((2, 3), (2, 3), (2, 3))
    count_attention(Q, K, V)
    with pytest.raises(ValueError, match="must share d_k"):
        count_attention(Q, K[:, :2], V)
    assert kernel.np is np
    assert type(attention(Q, K, V)) is np.ndarray

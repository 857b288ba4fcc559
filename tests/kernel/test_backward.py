import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import draws
import oracle
from attnbook.backward import attention_backward, grouped_attention_backward
from attnbook.heads import grouped_attention
from attnbook.kernel import attention, attention_weights
from attnbook.stats import softmax_jacobian

STRICT = {"over": "raise", "invalid": "raise", "divide": "raise", "under": "raise"}
NAN, INF = np.nan, np.inf


def normal(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def close(got, expected, tol):
    """Compare gradients; sums over a batch may cancel, so `tol` is absolute too."""
    for name, a, b in zip(("dQ", "dK", "dV", "dbias"), got, expected, strict=True):
        if b is None:
            assert a is None, name
            continue
        assert a.shape == b.shape, name
        assert_allclose(a, b, rtol=tol, atol=100 * tol, err_msg=name)


def differences(function, dO, inputs, step=1e-5):
    """Give the gradient of ``sum(dO * function(*inputs))`` by central differences."""
    gradients = []
    for x in inputs:
        gradient = np.zeros(x.shape)
        for index in np.ndindex(*x.shape):
            kept = x[index]
            sides = []
            for moved in (kept + step, kept - step):
                x[index] = moved
                sides.append((dO * function(*inputs)).sum())
            x[index] = kept
            gradient[index] = (sides[0] - sides[1]) / (2 * step)
        gradients.append(gradient)
    return gradients


# Closed forms.


def trained(W_Q, rate, scale, n_steps=20):
    """Walk down the gradient of W_Q alone; return all outputs on the way."""
    X, K, V, wanted = (normal(6, 5, seed=k) for k in range(4))
    outputs = []
    for _ in range(n_steps):
        outputs.append(attention(X @ W_Q, K, V, scale=scale))
        dO = outputs[-1] - wanted
        dQ = attention_backward(X @ W_Q, K, V, dO=dO, scale=scale).dQ
        W_Q = W_Q - rate * X.T @ dQ
    return np.array(outputs)


def test_a_raw_layer_is_a_scaled_one_with_another_start_and_rate():
    d_k = 5
    W_Q, root = normal(5, d_k, seed=4), np.sqrt(d_k)
    raw = trained(W_Q, 0.05, 1.0)
    assert_allclose(trained(root * W_Q, d_k * 0.05, 1 / root), raw, atol=1e-12)
    assert np.abs(raw[-1] - raw[0]).max() > 0.1
    assert np.abs(trained(W_Q, 0.05, 1 / root) - raw).max() > 0.1
    once = trained(W_Q / root, 0.0, 1.0, n_steps=1)
    assert_allclose(once, trained(W_Q, 0.0, 1 / root, n_steps=1), atol=1e-14)


def test_the_gradient_of_the_scores_is_weight_times_advantage():
    # p = (.7, .2, .1), g = (1, 3, 2): p * (g - p . g) = (-.35, .3, .05), sums to 0
    p, g = np.array([0.7, 0.2, 0.1]), np.array([[1.0], [3], [2]])
    got = attention_backward([[1.0]], np.zeros((3, 1)), g, dO=[[1.0]], bias=np.log(p))
    assert_allclose(got.dbias, [-0.35, 0.3, 0.05], atol=1e-15)
    assert_allclose(got.dK, [[-0.35], [0.3], [0.05]], atol=1e-15)
    assert_allclose(got.dV, p[:, None], rtol=1e-15)
    assert_array_equal(got.dQ, [[0]])


def test_the_softmax_step_is_the_jacobian():
    K, V, dO = normal(5, 3), normal(5, 4, seed=1), normal(1, 4, seed=2)
    Q, bias = normal(1, 3, seed=3), np.zeros(5)
    got = attention_backward(Q, K, V, dO=dO, bias=bias)
    p = attention_weights(Q, K)[0]
    assert_allclose(got.dbias, softmax_jacobian(p) @ V @ dO[0], atol=1e-15)


def test_scale_temperature_and_width_in_the_gradient_of_a_query():
    V, K = np.array([[0.0], [1]]), np.array([[0.0, 0, 0, 0], [1, 0, 0, 0]])
    got = attention_backward(np.zeros((1, 4)), K, V, dO=[[1.0]])
    assert_allclose(got.dQ, [[0.25 / 2, 0, 0, 0]])
    got = attention_backward(np.zeros((1, 4)), K, V, dO=[[1.0]], scale=3, temperature=5)
    assert_allclose(got.dQ, [[0.25 * 3 / 5, 0, 0, 0]])


def test_no_bias_no_gradient_of_one():
    assert attention_backward([[1.0]], [[1.0]], [[1.0]], dO=[[1.0]]).dbias is None


# Every option at once.


@given(draws.cases())
def test_gradients_agree_with_the_definition(case):
    dO = case.output_gradient()
    got = attention_backward(*case.arrays, dO=dO, **case.options)
    expected = oracle.backward(dO, *case.arrays, **case.options)
    assert all(x is None or x.dtype == case.Q.dtype for x in got)
    close(got, expected, draws.tolerance(case))


@given(draws.cases(groups=True))
def test_gradients_of_groups_agree_with_repeated_heads(case):
    dO, groups = case.output_gradient(), case.K.shape[-3]
    times = case.Q.shape[-3] // groups
    got = grouped_attention_backward(*case.arrays, dO=dO, **case.options)
    expected = oracle.grouped(oracle.backward, *case.arrays, dO, **case.options)
    dQ, dK, dV, dbias = expected
    dK, dV = (
        x.reshape(*x.shape[:-3], groups, times, *x.shape[-2:]).sum(-3) for x in (dK, dV)
    )
    close(got, (dQ, dK, dV, dbias), 4 * draws.tolerance(case))


@given(draws.cases(dtypes=(np.float64,)))
def test_gradients_agree_with_central_differences(case):
    if sum(x.size for x in case.arrays) > 60:
        return
    dO, options = case.output_gradient(), dict(case.options)
    got = attention_backward(*case.arrays, dO=dO, **options)
    inputs = [x.copy() for x in case.arrays]
    if "bias" in options:
        inputs.append(options.pop("bias").copy())

    def forward(Q, K, V, *bias):
        return attention(Q, K, V, **options, bias=bias[0] if bias else None)

    slopes = differences(forward, dO, inputs)
    for a, b in zip(got, [*slopes, None], strict=False):
        if a is not None:
            assert_allclose(a, b, rtol=2e-5, atol=2e-5)


@given(draws.cases(dtypes=(np.float16,)))
def test_half_precision_gradients_are_computed_in_single(case):
    dO = case.output_gradient()
    got = attention_backward(*case.arrays, dO=dO, **case.options)
    expected = oracle.backward(dO, *case.arrays, **case.options)
    assert all(x is None or x.dtype == np.float16 for x in got)
    close(got, expected, 1e-3)


@pytest.mark.parametrize("function", [attention_backward, grouped_attention_backward])
@given(case=draws.cases(dtypes=draws.HALVES, groups=True))
def test_half_precision_gradients_are_those_of_single_rounded_once(function, case):
    if function is attention_backward and case.Q.shape[-3] != case.K.shape[-3]:
        return
    arrays = *case.arrays, case.output_gradient()
    for k in range(3):

        def kth(Q, K, V, dO, k=k):
            return function(Q, K, V, dO=dO, **case.options)[k]

        draws.check_rounded(kth(*arrays), kth, *arrays)


def test_the_gradient_by_the_output_is_given_by_name():
    """All four may have one shape, so an order could be wrong and go unnoticed."""
    Q, K, V, dO = (normal(2, 3, 3, seed=s) for s in range(4))
    for function in (attention_backward, grouped_attention_backward):
        for order in ((dO, Q, K, V), (Q, K, V, dO)):
            with pytest.raises(TypeError, match="takes 3 positional arguments"):
                function(*order)
        with pytest.raises(TypeError, match="required keyword-only argument: 'dO'"):
            function(Q, K, V)


@given(draws.cases())
def test_inputs_are_never_changed(case):
    dO = case.output_gradient()
    arrays = [dO, *case.arrays, case.options.get("mask"), case.options.get("bias")]
    arrays = [x for x in arrays if x is not None]
    before = [x.copy() for x in arrays]
    for x in arrays:
        x.flags.writeable = False
    attention_backward(*case.arrays, dO=dO, **case.options)
    for x, copy in zip(arrays, before, strict=True):
        assert_array_equal(x, copy)


# Promise 1: what is hidden takes no part.


@given(draws.cases())
def test_what_no_query_sees_gets_and_gives_no_gradient(case):
    dO = case.output_gradient()
    Q, K, V, options = draws.poison_hidden(case)
    wide = dict(case.options)
    if "bias" in wide and "mask" in wide:
        wide["bias"] = np.broadcast_to(wide["bias"], options["bias"].shape)
    clean = attention_backward(*case.arrays, dO=dO, **wide)
    got = attention_backward(Q, K, V, dO=dO, **options)
    close(got, clean, draws.tolerance(case))
    hidden = case.hidden_everywhere()
    assert_array_equal(got.dK[..., hidden, :], 0)
    assert_array_equal(got.dV[..., hidden, :], 0)


@given(draws.cases(min_keys=1), st.sampled_from(draws.POISON), st.data())
def test_poison_in_a_key_or_value_reaches_only_those_who_see_it(case, value, data):
    in_values = data.draw(st.booleans())
    if in_values and case.V.shape[-1] == 0:
        return
    j = data.draw(st.integers(0, case.K.shape[-2] - 1))
    value = value if in_values else NAN
    K, V = draws.poison_key(case, j, value, in_values=in_values)
    dO = np.ones_like(case.output_gradient())
    clean = attention_backward(*case.arrays, dO=dO, **case.options)
    got = attention_backward(case.Q, K, V, dO=dO, **case.options)
    check_reach(case, clean, got, lambda row, keys: j in keys)
    if dO.size and got.dQ.shape[:-1] == draws.score_shape(case.Q, K)[:-1]:
        sees = draws.rows_that_see(case, j, got.dQ.shape)
        assert not np.isfinite(got.dQ[sees]).all(axis=-1).any()


@given(draws.cases(min_keys=1), st.sampled_from(draws.POISON), st.data())
def test_poison_in_a_query_or_in_its_upstream_gradient_stays_with_what_it_sees(
    case, value, data
):
    if case.Q.shape[-2] == 0:
        return
    i = data.draw(st.integers(0, case.Q.shape[-2] - 1))
    Q, dO, bad = case.Q.copy(), case.output_gradient(), case.output_gradient()
    clean = attention_backward(*case.arrays, dO=dO, **case.options)
    bad[:] = dO
    if data.draw(st.booleans()):
        Q[..., i, :] = value
    else:
        bad[..., i, :] = value
    got = attention_backward(Q, case.K, case.V, dO=bad, **case.options)
    check_reach(case, clean, got, lambda row, keys: row[-1] == i and keys)


def check_reach(case, clean, got, poisoned):
    """Only rows of poisoned queries, and keys that they see, may have changed."""
    tol = draws.tolerance(case)
    shape = draws.score_shape(case.Q, case.K)
    queries = np.zeros(shape[:-1], bool)
    keys_hit = np.zeros((*shape[:-2], shape[-1]), bool)
    for row, keys in case.pairs.items():
        if poisoned(row, keys):
            queries[row] = True
            keys_hit[row[:-1]][keys] = True
    for name, hit in (("dQ", queries), ("dK", keys_hit), ("dV", keys_hit)):
        a, b = getattr(got, name), getattr(clean, name)
        free = ~folded(hit, a.shape[:-1])
        assert_allclose(a[free], b[free], rtol=tol, atol=100 * tol, err_msg=name)


def folded(hit, shape):
    """Say which rows of an input of this shape any of its broadcast copies hit."""
    batch = np.broadcast_shapes(hit.shape[:-1], shape[:-1])
    hit = np.broadcast_to(hit, (*batch, hit.shape[-1]))
    return oracle.summed_to(hit.astype(float), shape) > 0


@pytest.mark.parametrize("value", draws.POISON)
def test_a_dead_query_reaches_no_gradient_whatever_it_holds(value):
    Q, K, V, dO = normal(3, 2), normal(4, 2), normal(4, 5), normal(3, 5)
    options = {"mask": [[True] * 4, [False] * 4, [True] * 4], "bias": normal(3, 4)}
    options["softcap"] = 2.0
    clean = attention_backward(Q, K, V, dO=dO, **options)
    rest = np.array([True, False, True])
    alive = attention_backward(
        Q[rest], K, V, dO=dO[rest], bias=options["bias"][rest], softcap=2.0
    )
    Q[1], dO[1], options["bias"][1] = value, value, value
    got = attention_backward(Q, K, V, dO=dO, **options)
    close(got, clean, 1e-14)
    assert_array_equal(got.dQ[1], 0)
    assert_array_equal(got.dbias[1], 0)
    assert_allclose(got.dK, alive.dK, atol=1e-14)
    assert_allclose(got.dV, alive.dV, atol=1e-14)


def test_poison_of_the_future_stays_there_under_a_causal_mask():
    Q, K, V, dO = normal(3, 2), normal(3, 2), normal(3, 2), normal(3, 2)
    clean = attention_backward(Q, K, V, dO=dO, causal=True, softcap=3.0)
    K[2] = V[2] = Q[2] = dO[2] = NAN
    got = attention_backward(Q, K, V, dO=dO, causal=True, softcap=3.0)
    assert_allclose(got.dQ[:2], clean.dQ[:2], rtol=1e-14)
    assert np.isnan(got.dQ[2]).all()
    assert np.isnan(got.dV).all() and np.isnan(got.dK).all()  # query 2 saw them all
    mask = np.eye(3, dtype=bool)
    got = attention_backward(Q, K, V, dO=dO, mask=mask)
    clean = attention_backward(Q[:2], K[:2], V[:2], dO=dO[:2], mask=mask[:2, :2])
    for a, b in zip(got[:3], clean[:3], strict=True):
        assert_allclose(a[:2], b, atol=1e-14)


def test_an_infinite_value_gives_infinite_gradients_to_its_row_only():
    V = np.array([[1.0], [INF]])
    got = attention_backward(
        np.ones((2, 1)), np.ones((2, 1)), V, dO=np.ones((2, 1)), causal=True
    )
    assert_array_equal(got.dQ[0], 0)
    assert not np.isfinite(got.dQ[1]).any()
    assert_array_equal(got.dV, [[1.5], [0.5]])


# Promise 2: queries without keys.


@pytest.mark.parametrize("options", [{"mask": False}, {"bias": np.full(4, -INF)}])
def test_queries_without_keys_give_zero_gradients(options):
    Q, K, V = normal(3, 2), np.full((4, 2), NAN), np.full((4, 5), INF)
    with np.errstate(all="raise"):
        got = attention_backward(
            Q, K, V, dO=np.full((3, 5), NAN), softcap=1.0, **options
        )
    for gradient, x in zip(got, (Q, K, V, options.get("bias")), strict=True):
        if x is not None:
            assert_array_equal(gradient, np.zeros(x.shape))


def test_no_keys_no_queries_no_batch():
    for n_q, n_k, batch in ((0, 3, 2), (3, 0, 2), (3, 4, 0), (0, 0, 0)):
        Q, K, V = normal(batch, n_q, 2), normal(n_k, 2), normal(batch, n_k, 5)
        got = attention_backward(Q, K, V, dO=normal(batch, n_q, 5), bias=np.zeros(n_k))
        for gradient, x in zip(got, (Q, K, V, np.zeros(n_k)), strict=True):
            assert_array_equal(gradient, np.zeros(x.shape))


# Promise 5 and dtypes.


def test_gradients_that_leave_half_precision_are_infinite():
    half = np.float16
    Q, K, V = np.zeros((1, 1), half), np.full((2, 1), 500, half), np.ones((2, 1), half)
    K[0] = 0
    with np.errstate(**STRICT):
        got = attention_backward(
            Q, K, [[0], [1]], dO=np.full((1, 1), 60000, half), scale=1
        )
        assert got.dQ.dtype == np.float64
        assert_allclose(got.dQ, [[7.5e6]])
        V[0] = 0
        got = attention_backward(Q, K, V, dO=np.full((1, 1), 60000, half), scale=1)
    assert got.dQ.dtype == half
    assert_array_equal(got.dQ, [[INF]])
    assert_array_equal(got.dV, [[30000], [30000]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("temperature", [1e-39, 1e-300, 5e-324])
def test_gradients_in_the_argmax_limit(dtype, temperature):
    Q, K = np.ones((1, 1), dtype), np.array([[1], [3], [2]], dtype)
    with np.errstate(**STRICT):
        got = attention_backward(
            Q, K, K, dO=np.ones((1, 1)), temperature=temperature, bias=[0, 0, 0]
        )
    assert_array_equal(got.dV, [[0], [1], [0]])
    assert_array_equal(got.dbias, [0, 0, 0])


@pytest.mark.parametrize("softcap", [1e-300, 1e-40, 1e39, 1e300])
def test_gradients_with_a_softcap_beyond_the_range_of_the_dtype(softcap):
    Q, K, V = (normal(3, 2, seed=s, dtype=np.float32) for s in range(3))
    with np.errstate(**STRICT):
        got = attention_backward(Q, K, V, dO=V, softcap=softcap)
        plain = attention_backward(Q, K, V, dO=V)
    assert got.dQ.dtype == np.float32
    if softcap > 1:
        close(got, plain, 1e-6)
    else:
        assert_array_equal(got.dQ, 0)


@pytest.mark.parametrize("scale", [1e-300, 1e39])
def test_gradients_with_a_scale_beyond_the_range_of_the_dtype(scale):
    size = np.float32(1e20 if scale < 1 else 1e-20)
    Q, K, V = np.full((1, 1), size), np.array([[0], [size]]), np.array([[0], [1]])
    V = V.astype(np.float32)
    got = attention_backward(Q, K, V, dO=np.ones((1, 1)), scale=scale)
    p = 1 / (1 + math.exp(-(float(size) ** 2) * scale))
    assert_allclose(got.dQ, [[p * (1 - p) * scale * float(size)]], rtol=1e-5)


@pytest.mark.parametrize(
    ("dtypes", "result"),
    [("f2 f2 f2", "f2"), ("f4 f4 f4", "f4"), ("f4 f4 f8", "f8"), ("i4 i4 i4", "f8")],
)
def test_gradients_have_the_dtype_of_the_output(dtypes, result):
    Q, K, V = (np.ones((2, 2), dtype) for dtype in dtypes.split())
    got = attention_backward(Q, K, V, dO=np.ones((2, 2)), bias=np.ones((2, 2)))
    assert all(x.dtype == np.dtype(result) for x in got)
    got = grouped_attention_backward(
        Q[None], K[None], V[None], dO=np.ones((1, 2, 2)), bias=[1, 2]
    )
    assert all(x.dtype == np.dtype(result) for x in got)


# Shapes and checks.


def test_gradients_are_summed_over_broadcast_axes():
    Q, K, V = normal(5, 1, 3, 2), normal(4, 6, 2, seed=1), normal(6, 7, seed=2)
    bias, dO = normal(1, 3, 1, seed=3), normal(5, 4, 3, 7, seed=4)
    got = attention_backward(Q, K, V, dO=dO, bias=bias)
    assert [x.shape for x in got] == [x.shape for x in (Q, K, V, bias)]
    parts = [
        attention_backward(Q[a, 0], K[b], V, dO=dO[a, b], bias=bias[0])
        for a in range(5)
        for b in range(4)
    ]
    assert_allclose(got.dV, sum(part.dV for part in parts), atol=1e-12)
    assert_allclose(got.dK[2], sum(part.dK for part in parts[2::4]), atol=1e-12)
    assert_allclose(got.dQ[1, 0], sum(part.dQ for part in parts[4:8]), atol=1e-12)
    assert_allclose(got.dbias, sum(part.dbias for part in parts)[None], atol=1e-12)


def test_the_upstream_gradient_may_broadcast_to_the_output():
    Q, K, V = normal(5, 3, 2), normal(4, 2, seed=1), normal(4, 7, seed=2)
    one = normal(3, 7, seed=3)
    close(
        attention_backward(Q, K, V, dO=one),
        attention_backward(Q, K, V, dO=np.broadcast_to(one, (5, 3, 7))),
        1e-15,
    )
    close(
        grouped_attention_backward(Q[None], K[None, None], V[None, None], dO=one),
        grouped_attention_backward(
            Q[None], K[None, None], V[None, None], dO=np.broadcast_to(one, (1, 5, 3, 7))
        ),
        1e-15,
    )


@pytest.mark.parametrize("shape", [(3, 6), (2, 7), (1, 7), (7,), (2, 3, 7), (1, 3, 7)])
def test_an_upstream_gradient_of_another_shape_is_refused(shape):
    inputs = normal(3, 2), normal(4, 2), normal(4, 7)
    with pytest.raises(
        ValueError, match=r"^dO must .*the output's shape \(3, 7\), got"
    ):
        attention_backward(*inputs, dO=np.ones(shape))


@pytest.mark.parametrize("heads", [2, 3, 5])
def test_an_upstream_gradient_of_other_heads_is_refused(heads):
    inputs = normal(4, 3, 2), normal(2, 5, 2), normal(2, 5, 7)
    says = rf"dO must have 4 heads, got shape \({heads}, 3, 7\)"
    with pytest.raises(ValueError, match=says):
        grouped_attention_backward(*inputs, dO=np.ones((heads, 3, 7)))


def test_kinds_and_options_are_checked():
    inputs = normal(3, 2), normal(4, 2), normal(4, 7)
    for dO in (np.ones((3, 7)) > 0, np.ones((3, 7)) * 1j):
        with pytest.raises(TypeError, match="dO must hold real numbers"):
            attention_backward(*inputs, dO=dO)
        with pytest.raises(TypeError, match="dO must hold real numbers"):
            grouped_attention_backward(*(x[None] for x in inputs), dO=dO[None])
    with pytest.raises(ValueError, match="temperature must be above 0"):
        attention_backward(*inputs, dO=np.ones((3, 7)), temperature=0)
    with pytest.raises(TypeError, match="unexpected keyword argument 'dropout'"):
        attention_backward(*inputs, dO=np.ones((3, 7)), dropout=0.1)
    with pytest.raises(TypeError, match="mask must be boolean"):
        attention_backward(*inputs, dO=np.ones((3, 7)), mask=[1, 0, 1, 0])


def test_values_must_be_given():
    with pytest.raises(TypeError, match="V must hold real numbers, got dtype object"):
        attention_backward(normal(2, 4), normal(5, 4), None, dO=normal(2, 3))


def test_lists_and_other_layouts_of_memory():
    Q, K, V, dO = normal(3, 4), normal(5, 4, seed=1), normal(5, 2, seed=2), normal(3, 2)
    expected = attention_backward(Q, K, V, dO=dO)
    lists = attention_backward(*(x.tolist() for x in (Q, K, V)), dO=dO.tolist())
    close(lists, expected, 1e-15)
    *other, last = map(np.asfortranarray, (Q, K, V, dO))
    close(attention_backward(*other, dO=last), expected, 1e-13)
    *far, last = (np.repeat(np.repeat(x, 2, 0), 3, 1)[::2, ::3] for x in (Q, K, V, dO))
    close(attention_backward(*far, dO=last), expected, 1e-13)


def test_groups_take_lists():
    Q, K, V = normal(4, 3, 2), normal(2, 5, 2, seed=1), normal(2, 5, 3, seed=2)
    dO = normal(4, 3, 3, seed=3)
    for bias in (None, normal(5, seed=4), normal(4, 1, 5, seed=4)):
        got = grouped_attention_backward(
            *(x.tolist() for x in (Q, K, V)),
            dO=dO.tolist(),
            bias=None if bias is None else bias.tolist(),
        )
        assert [x.shape for x in got[:3]] == [x.shape for x in (Q, K, V)]
        assert bias is None or got.dbias.shape == bias.shape
        close(got, grouped_attention_backward(Q, K, V, dO=dO, bias=bias), 1e-15)


def test_groups_of_one_head_equal_plain_attention():
    Q, K, V = normal(3, 4, 2), normal(3, 5, 2, seed=1), normal(3, 5, 6, seed=2)
    dO = normal(3, 4, 6, seed=3)
    close(
        grouped_attention_backward(Q, K, V, dO=dO, causal=True),
        attention_backward(Q, K, V, dO=dO, causal=True),
        1e-15,
    )


def test_groups_agree_with_central_differences():
    inputs = [normal(4, 2, 3), normal(2, 3, 3, seed=1), normal(2, 3, 2, seed=2)]
    dO = normal(4, 2, 2, seed=3)
    options = {"causal": True, "softcap": 2.0, "temperature": 0.7}
    got = grouped_attention_backward(*inputs, dO=dO, **options)

    def forward(*arrays):
        return grouped_attention(*arrays, **options)

    for a, b in zip(got, differences(forward, dO, inputs), strict=False):
        assert_allclose(a, b, rtol=1e-6, atol=1e-8)

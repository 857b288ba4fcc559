"""PyTorch as the second oracle: its attention, its softmax, its automatic gradients."""

import numpy as np
import pytest
import torch
from hypothesis import given
from numpy.testing import assert_allclose
from torch.nn.functional import scaled_dot_product_attention as sdpa

import draws
from attnbook.backward import attention_backward, grouped_attention_backward
from attnbook.heads import grouped_attention
from attnbook.kernel import (
    attention,
    attention_weights,
    log_softmax,
    logsumexp,
    softmax,
)

TOLERANCE = {np.float32: 2e-5, np.float64: 1e-12}
dtypes = pytest.mark.parametrize("dtype", list(TOLERANCE))


def normal(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def tensors(*arrays):
    return [torch.tensor(x, requires_grad=True) for x in arrays]


def explicit(Q, K, V, bias, visible, options):
    """Attention in torch, with every option, for autograd; dead rows are cut out."""
    scale = options.get("scale")
    scores = Q @ K.mT * (Q.shape[-1] ** -0.5 if scale is None else scale)
    if options.get("softcap"):
        scores = options["softcap"] * torch.tanh(scores / options["softcap"])
    if bias is not None:
        scores = scores + torch.where(torch.isinf(bias), 0, bias)
    lowest = torch.where(visible, scores, -torch.inf)
    alive = visible.any(-1, keepdim=True)
    lowest = torch.where(alive, lowest, 0.0)
    weights = torch.softmax(lowest / options.get("temperature", 1.0), -1)
    return torch.where(alive & visible, weights, 0.0) @ V


def visible_array(case):
    visible = np.zeros(draws.score_shape(case.Q, case.K), bool)
    for row, keys in case.pairs.items():
        visible[row][keys] = True
    return torch.tensor(visible)


def compare_all(ours, theirs, tolerance):
    for a, b in zip(ours, theirs, strict=True):
        if b is not None:
            assert_allclose(a, b.numpy(force=True), rtol=tolerance, atol=tolerance)


def test_a_tensor_that_numpy_cannot_read_is_answered_in_our_words():
    plain = normal(3, 4)
    for tensor in (
        torch.ones(3, 4, requires_grad=True),
        torch.ones(3, 4, dtype=torch.bfloat16),
        torch.ones(3, 4, device="meta"),
        list(torch.ones(3, 4, requires_grad=True)),
    ):
        with pytest.raises(TypeError, match=r"^K must .*as x\.detach\(\)\.cpu\(\)"):
            attention(plain, tensor, plain)
        with pytest.raises(TypeError, match=r"^dO must .*as x\.detach\(\)\.float\(\)"):
            attention_backward(plain, plain, plain, dO=tensor)
    with pytest.raises(TypeError, match=r"^K must be readable by NumPy "):
        grouped_attention_backward(plain[None], tensor, plain[None], dO=plain[None])
    ready = torch.ones(3, 4, dtype=torch.bfloat16, requires_grad=True).detach().float()
    assert attention(plain, ready, plain).shape == (3, 4)


@dtypes
@pytest.mark.parametrize("kind", ["none", "boolean", "float", "causal", "dead"])
def test_outputs_and_gradients_agree_with_sdpa(dtype, kind):
    arrays = [normal(2, 3, 5, 4, seed=s, dtype=dtype) for s in range(3)]
    mask = np.random.default_rng(3).random((2, 1, 5, 5)) < 0.6
    mask[..., 0] = True
    if kind == "dead":
        mask[:, :, 2] = False
    bias = normal(3, 5, 5, seed=4, dtype=dtype)
    ours, theirs = {
        "none": ({}, {}),
        "boolean": ({"mask": mask}, {"attn_mask": torch.tensor(mask)}),
        "dead": ({"mask": mask}, {"attn_mask": torch.tensor(mask)}),
        "float": ({"bias": bias}, {"attn_mask": torch.tensor(bias)}),
        "causal": ({"causal": True}, {"is_causal": True}),
    }[kind]
    dO = normal(2, 3, 5, 4, seed=5, dtype=dtype)
    Q, K, V = tensors(*arrays)
    output = sdpa(Q, K, V, **theirs)
    output.backward(torch.tensor(dO))
    tolerance = TOLERANCE[dtype]
    compare_all([attention(*arrays, **ours)], [output], tolerance)
    got = attention_backward(*arrays, dO=dO, **ours)
    compare_all(got[:3], (Q.grad, K.grad, V.grad), 4 * tolerance)


@pytest.mark.parametrize("align", ["top_left", "bottom_right"])
@pytest.mark.parametrize(("n_q", "n_k"), [(3, 5), (5, 3), (1, 4)])
def test_causal_masks_of_both_alignments_agree_with_sdpa(align, n_q, n_k):
    arrays = normal(n_q, 4), normal(n_k, 4, seed=1), normal(n_k, 2, seed=2)
    Q, K, V = tensors(*arrays)
    shift = n_k - n_q if align == "bottom_right" else 0
    mask = torch.ones(n_q, n_k, dtype=torch.bool).tril(shift)
    output = sdpa(Q, K, V, attn_mask=mask)
    dO = normal(n_q, 2, seed=3)
    output.backward(torch.tensor(dO))
    options = {"causal": True, "align": align}
    compare_all([attention(*arrays, **options)], [output], 1e-12)
    got = attention_backward(*arrays, dO=dO, **options)
    compare_all(got[:3], (Q.grad, K.grad, V.grad), 1e-12)


@dtypes
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("groups", [1, 2, 4])
def test_grouped_heads_agree_with_sdpa(dtype, causal, groups):
    shape = (2, groups, 5, 4)
    arrays = [normal(2, 4, 5, 4, dtype=dtype)]
    arrays += [normal(*shape, seed=s, dtype=dtype) for s in (1, 2)]
    Q, K, V = tensors(*arrays)
    output = sdpa(Q, K, V, is_causal=causal, enable_gqa=True)
    dO = normal(2, 4, 5, 4, seed=3, dtype=dtype)
    output.backward(torch.tensor(dO))
    tolerance = 4 * TOLERANCE[dtype]
    compare_all([grouped_attention(*arrays, causal=causal)], [output], tolerance)
    got = grouped_attention_backward(*arrays, dO=dO, causal=causal)
    compare_all(got[:3], (Q.grad, K.grad, V.grad), tolerance)


@given(draws.cases(dtypes=(np.float64,)))
def test_every_option_agrees_with_autograd(case):
    bias = case.options.get("bias")
    inputs = [*case.arrays, *([] if bias is None else [bias])]
    leaves = tensors(*inputs)
    given_bias = leaves[3] if bias is not None else None
    output = explicit(*leaves[:3], given_bias, visible_array(case), case.options)
    dO = case.output_gradient()
    output.backward(torch.tensor(dO))
    assert_allclose(
        attention(*case.arrays, **case.options), output.numpy(force=True), atol=1e-12
    )
    got = attention_backward(*case.arrays, dO=dO, **case.options)
    theirs = [leaf.grad for leaf in leaves] + [None] * (4 - len(leaves))
    compare_all(got, theirs, 1e-11)


@given(draws.cases(dtypes=(np.float64,)))
def test_weights_agree_with_torch_softmax(case):
    keys = torch.eye(case.K.shape[-2], dtype=torch.float64)
    Q, K = (torch.tensor(x) for x in (case.Q, case.K))
    bias = case.options.get("bias")
    bias = None if bias is None else torch.tensor(bias)
    weights = explicit(Q, K, keys, bias, visible_array(case), case.options)
    got = attention_weights(case.Q, case.K, **case.options)
    assert_allclose(got, weights.numpy(), atol=1e-12)


@dtypes
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_and_its_kin_agree(dtype, axis):
    x = 20 * normal(4, 5, 6, dtype=dtype)
    tolerance = TOLERANCE[dtype]
    for ours, theirs in (
        (softmax, torch.softmax),
        (log_softmax, torch.log_softmax),
        (logsumexp, torch.logsumexp),
    ):
        expected = theirs(torch.tensor(x), axis).numpy()
        assert_allclose(ours(x, axis=axis), expected, rtol=tolerance, atol=tolerance)


def test_initialisations_are_those_of_the_book():
    # uniform within 1/sqrt(d_model), and with variance 2/(rows + columns)
    torch.manual_seed(0)
    for columns, rows in ((64, 512), (256, 128)):
        weight = torch.nn.Linear(columns, rows).weight.detach().numpy()
        assert_allclose(np.abs(weight).max(), 1 / np.sqrt(columns), rtol=1e-3)
        assert_allclose(weight.var(), 1 / (3 * columns), rtol=0.03)
        square = torch.nn.init.xavier_uniform_(torch.empty(rows, columns)).numpy()
        assert_allclose(square.var(), 2 / (rows + columns), rtol=0.03)

"""Attention by its definition, one query and one key at a time, in float64.

Nothing here comes from the package, and no array operation stands for more than one
number's arithmetic: a key that a query may not attend to is never looked at.
"""

import math

import numpy as np


def visible_pairs(shape, mask=None, bias=None, causal=False, align="bottom_right"):
    """List, for each index into the scores, the keys that the query may attend to."""
    *batch, n_q, n_k = shape
    mask = np.broadcast_to(True if mask is None else np.asarray(mask), shape)
    bias = np.broadcast_to(0 if bias is None else np.asarray(bias), shape)
    first = n_k - n_q if align == "bottom_right" else 0
    pairs = {}
    for row in np.ndindex(*batch, n_q):
        last = row[-1] + first if causal else n_k
        pairs[row] = [
            j
            for j in range(n_k)
            if j <= last and mask[row][j] and bias[row][j] != -math.inf
        ]
    return pairs


def scores_of(q, K, keys, bias, scale, softcap):
    """Score one query against its visible keys."""
    scale = 1 / math.sqrt(len(q)) if scale is None else scale
    scores = []
    for j in keys:
        score = np.float64(0)
        for a, b in zip(q, K[j], strict=True):
            score += np.float64(a) * np.float64(b)
        score *= scale
        if softcap is not None:
            score = softcap * np.tanh(score / softcap)
        scores.append(score + np.float64(bias[j]))
    return scores


def softmax_of(scores, temperature=1.0):
    """Weigh a list of scores; -inf weighs nothing."""
    if not scores or all(score == -math.inf for score in scores):
        return [0.0] * len(scores)
    top = max(scores) if not any(np.isnan(scores)) else math.nan
    raised = [np.exp((score - top) / np.float64(temperature)) for score in scores]
    return [
        value / math.fsum(raised) if finite(raised) else math.nan for value in raised
    ]


def finite(values):
    return all(math.isfinite(value) for value in values)


def full(Q, K, *more):
    """Give all inputs the leading axes of the whole problem, as float64."""
    arrays = [np.asarray(x, dtype=np.float64) for x in (Q, K, *more)]
    batch = np.broadcast_shapes(*(x.shape[:-2] for x in arrays))
    return [np.broadcast_to(x, batch + x.shape[-2:]) for x in arrays]


def attention(
    Q,
    K,
    V,
    *,
    mask=None,
    bias=None,
    causal=False,
    align="bottom_right",
    scale=None,
    temperature=1.0,
    softcap=None,
):
    """Return weights (..., n_q, n_k) and output (..., n_q, d_v)."""
    with np.errstate(all="ignore"):
        Q, K, V = full(Q, K, V)
        shape = (*Q.shape[:-1], K.shape[-2])
        added = np.broadcast_to(0.0 if bias is None else np.asarray(bias), shape)
        weights, output = np.zeros(shape), np.zeros((*Q.shape[:-1], V.shape[-1]))
        pairs = visible_pairs(shape, mask, bias, causal, align)
        for row, keys in pairs.items():
            batch = row[:-1]
            scores = scores_of(Q[row], K[batch], keys, added[row], scale, softcap)
            for j, weight in zip(keys, softmax_of(scores, temperature), strict=True):
                weights[(*row, j)] = weight
                for c in range(V.shape[-1]):
                    output[(*row, c)] += weight * V[(*batch, j, c)]
    return weights, output


def backward(
    dO,
    Q,
    K,
    V,
    *,
    mask=None,
    bias=None,
    causal=False,
    align="bottom_right",
    scale=None,
    temperature=1.0,
    softcap=None,
):
    """Return dQ, dK, dV, dbias in the shapes of the inputs, summed pair by pair."""
    shapes = [np.shape(x) for x in (Q, K, V)]
    options = {"mask": mask, "bias": bias, "causal": causal, "align": align}
    weights, output = attention(
        Q, K, V, **options, scale=scale, temperature=temperature, softcap=softcap
    )
    with np.errstate(all="ignore"):
        Q, K, V, dO = full(Q, K, V, dO)
        factor = 1 / math.sqrt(Q.shape[-1]) if scale is None else scale
        dQ, dK, dV = np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
        dbias = np.zeros(weights.shape)
        for row, keys in visible_pairs(weights.shape, **options).items():
            b = row[:-1]
            raw = scores_of(Q[row], K[b], keys, np.zeros(len(K[b])), scale, None)
            for j, score in zip(keys, raw, strict=True):
                weight = weights[(*row, j)]
                gain = math.fsum(dO[row] * (V[(*b, j)] - output[row]))
                slope = weight * gain / np.float64(temperature)
                dV[(*b, j)] += weight * dO[row]
                dbias[(*row, j)] += slope
                if softcap is not None:
                    slope *= 1 - np.tanh(score / softcap) ** 2
                dQ[row] += slope * factor * K[(*b, j)]
                dK[(*b, j)] += slope * factor * Q[row]
        dbias = None if bias is None else summed_to(dbias, np.shape(bias))
        return *map(summed_to, (dQ, dK, dV), shapes), dbias


def summed_to(gradient, shape):
    """Add up what an input of this shape was broadcast to."""
    total = np.zeros(shape)
    padded = (1,) * (gradient.ndim - len(shape)) + tuple(shape)
    view = total.reshape(padded)
    for index in np.ndindex(*gradient.shape):
        home = tuple(
            0 if size == 1 else i for i, size in zip(index, padded, strict=True)
        )
        view[home] += gradient[index]
    return total


def grouped(function, Q, K, V, *more, **options):
    """Run `function` with each head of K and V repeated for its query heads."""
    times = np.shape(Q)[-3] // np.shape(K)[-3]
    K, V = (np.repeat(np.asarray(x), times, axis=-3) for x in (K, V))
    return function(*more, Q, K, V, **options)

"""The random stream and the running example."""

import json

import numpy as np
import pytest

from attnbook import toydata
from booktools import ROOT

VECTORS = json.loads((ROOT / "tests" / "js" / "stream_vectors.json").read_text())


@pytest.mark.parametrize("line", VECTORS["philox2x32_10"])
def test_philox_gives_the_published_answers(line):
    c0, c1, key, *expected = (int(word, 16) for word in line)
    words = toydata.philox2x32(c0, c1, key)
    assert [int(word) for word in words] == expected


@pytest.mark.parametrize("entry", VECTORS["normals"])
def test_the_numbers_of_the_stream_never_change(entry):
    seed, stream, row, column = entry["place"]
    normal = toydata.normals(seed, stream, row + 1, column + 1)[row, column]
    uniform = toydata.uniforms(seed, stream, row + 1, column + 1)[row, column]
    assert normal == pytest.approx(entry["normal"], abs=1e-12)
    assert uniform == pytest.approx(entry["uniform"], abs=1e-15)


@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (8, 8), (0, 4), (5, 0)])
@pytest.mark.parametrize("draw", [toydata.normals, toydata.uniforms])
def test_a_smaller_draw_is_the_corner_of_a_larger_one(draw, shape):
    n, d = shape
    np.testing.assert_array_equal(draw(4, 2, n, d), draw(4, 2, 20, 21)[:n, :d])


def test_normals_are_standard_and_independent():
    X = np.stack([toydata.normals(1, stream, 200, 500) for stream in (0, 1)])
    n = X[0].size
    assert np.abs(X.mean(axis=(1, 2))).max() < 5 / np.sqrt(n)
    assert np.abs((X**2).mean(axis=(1, 2)) - 1).max() < 5 * np.sqrt(2 / n)
    assert np.abs((X**4).mean(axis=(1, 2)) - 3).max() < 5 * np.sqrt(96 / n)
    assert abs((X[0] * X[1]).mean()) < 5 / np.sqrt(n)  # two streams
    assert abs((X[:, :, 0::2] * X[:, :, 1::2]).mean()) < 5 / np.sqrt(n)  # a pair
    assert abs((X[:, 1:] * X[:, :-1]).mean()) < 5 / np.sqrt(2 * n)  # two rows


def test_seeds_and_streams_differ():
    draws = [toydata.normals(s, k, 2, 3) for s in (0, 1) for k in (0, 1, 2)]
    assert len({draw.tobytes() for draw in draws}) == len(draws)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((-1, 0, 1, 1), ValueError),
        ((2**32, 0, 1, 1), ValueError),
        ((0, 2**16, 1, 1), ValueError),
        ((0, 0, 2**16 + 1, 1), ValueError),
        ((0, 0, 1, -1), ValueError),
        ((0.5, 0, 1, 1), TypeError),
        ((True, 0, 1, 1), TypeError),
        ((0, 0, 2.0, 1), TypeError),
    ],
)
def test_what_the_counter_cannot_hold_is_refused(arguments, error):
    with pytest.raises(error, match="must be"):
        toydata.normals(*arguments)


def test_random_qk_is_the_draw_of_the_figures():
    Q, K = toydata.random_qk(3, 4, 6, 5)
    np.testing.assert_array_equal(Q, toydata.normals(3, 0, 4, 5))
    np.testing.assert_array_equal(K, toydata.normals(3, 1, 6, 5))


def softmax_rows(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def test_the_sentence_means_what_its_docstring_says():
    tokens, Q, K, V = toydata.running_example()
    weights = softmax_rows(Q @ K.T / 2)
    picks = {
        token: tokens[j] for token, j in zip(tokens, weights.argmax(1), strict=True)
    }
    assert picks["it"] == "dog"
    assert picks["saw"] == "Kim"
    assert picks["barked"] == "dog"
    assert picks["dog"] == "saw"
    it = tokens.index("it")
    assert weights[it].max() > 0.7
    output = weights[it] @ V
    distances = np.linalg.norm(V - output, axis=1)
    assert tokens[int(distances.argmin())] == "dog"


def test_the_example_is_small_whole_and_new_at_each_call():
    first, second = toydata.running_example(), toydata.running_example()
    assert len(first.tokens) == 6
    assert (first.Q.shape, first.K.shape, first.V.shape) == ((6, 4), (6, 4), (6, 2))
    assert all((X == X.round()).all() and X.dtype == float for X in first[1:])
    first.Q[0, 0] = 99
    assert second.Q[0, 0] == 2
    assert toydata.running_example().Q[0, 0] == 2

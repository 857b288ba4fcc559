import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import draws  # noqa: F401  loads the profile
from attnbook.masks import causal_mask, padding_mask, window_mask

T, F = True, False
counts = st.integers(0, 7)
sides = st.one_of(st.none(), st.integers(0, 8))
aligns = st.sampled_from(["bottom_right", "top_left"])


def test_causal_is_the_lower_triangle_with_its_diagonal():
    assert_array_equal(causal_mask(3), [[T, F, F], [T, T, F], [T, T, T]])
    assert_array_equal(causal_mask(3), causal_mask(3, 3, align="top_left"))


def test_the_two_alignments():
    assert_array_equal(causal_mask(2, 3), [[T, T, F], [T, T, T]])
    assert_array_equal(causal_mask(2, 3, align="top_left"), [[T, F, F], [T, T, F]])
    assert_array_equal(causal_mask(3, 2), [[F, F], [T, F], [T, T]])
    assert_array_equal(causal_mask(3, 2, align="top_left"), [[T, F], [T, T], [T, T]])


def test_a_window_of_one_before_and_one_after():
    expected = [[T, T, F, F], [T, T, T, F], [F, T, T, T], [F, F, T, T]]
    assert_array_equal(window_mask(4, left=1, right=1), expected)
    assert_array_equal(window_mask(3, left=0, right=0), np.eye(3))
    assert_array_equal(
        window_mask(3, left=1, right=0), [[T, F, F], [T, T, F], [F, T, T]]
    )
    assert_array_equal(window_mask(2, 4, left=1, right=0), [[F, T, T, F], [F, F, T, T]])


@given(counts, counts, sides, sides, aligns)
def test_a_window_agrees_with_its_definition(n_q, n_k, left, right, align):
    mask = window_mask(n_q, n_k, left=left, right=right, align=align)
    assert mask.shape == (n_q, n_k) and mask.dtype == bool
    for i in range(n_q):
        own = i + n_k - n_q if align == "bottom_right" else i
        for j in range(n_k):
            before, after = own - j, j - own
            expected = (left is None or before <= left) and (
                right is None or after <= right
            )
            assert mask[i, j] == expected


@given(counts, st.one_of(st.none(), counts), aligns)
def test_causal_is_a_window_without_a_left_limit(n_q, n_k, align):
    mask = causal_mask(n_q, n_k, align=align)
    expected = window_mask(n_q, n_k, left=10**30, right=0, align=align)
    assert_array_equal(mask, expected)


def test_no_limit_on_either_side_hides_nothing():
    assert window_mask(3, 5, left=None, right=None).all()
    assert window_mask(5, 3, left=2**63, right=2**64, align="top_left").all()


def test_a_causal_window_of_w_tokens_has_w_minus_one_to_its_left():
    for tokens in (1, 2, 3):
        mask = window_mask(8, left=tokens - 1, right=0)
        assert_array_equal(mask[3:].sum(axis=1), tokens)
        assert not (mask & ~causal_mask(8)).any()


def test_both_sides_of_a_window_must_be_named():
    for side in ("left", "right"):
        with pytest.raises(TypeError, match="missing 1 required keyword-only argument"):
            window_mask(3, **{side: 1})


def test_padding_hides_the_end_of_each_sequence():
    mask = padding_mask([2, 0, 3], 3, heads=False)
    assert_array_equal(mask, [[[T, T, F]], [[F] * 3], [[T] * 3]])
    assert padding_mask(2, 3).shape == (1, 3)
    assert padding_mask(np.array([[2], [1]]), 4, heads=False).shape == (2, 1, 1, 4)
    assert padding_mask([], 4, heads=False).shape == (0, 1, 4)
    assert padding_mask(np.array([1, 300], np.uint16), 300, heads=False).sum() == 301
    assert padding_mask([0], 0, heads=False).shape == (1, 1, 0)


def test_padding_on_the_left_hides_the_beginning_of_each_sequence():
    mask = padding_mask([2, 0, 3], 3, heads=False, side="left")
    assert_array_equal(mask, [[[F, T, T]], [[F] * 3], [[T] * 3]])
    assert_array_equal(padding_mask(1, 4, side="left"), [[F, F, F, T]])
    wide = padding_mask(np.array([200], np.uint8), 300, heads=False, side="left")
    assert_array_equal(wide, [[[F] * 100 + [T] * 200]])
    assert padding_mask([0], 0, heads=False, side="left").shape == (1, 1, 0)


@given(st.lists(counts, max_size=4), st.integers(0, 2), st.booleans())
def test_the_two_sides_of_padding_are_mirror_images(lengths, more, heads):
    n_k = max(lengths, default=0) + more
    right = padding_mask(lengths, n_k, heads=heads)
    left = padding_mask(lengths, n_k, heads=heads, side="left")
    assert_array_equal(left, right[..., ::-1])
    assert_array_equal(left.sum(axis=-1).ravel(), lengths)


def test_with_heads_there_is_an_axis_for_them():
    """As many heads as sequences: a mask without their axis would fit, wrongly."""
    mask = padding_mask([1, 2], 3, heads=True)
    assert mask.shape == (2, 1, 1, 3)
    seen = np.broadcast_to(mask, (2, 2, 5, 3))
    assert_array_equal(seen.sum(axis=-1), np.repeat([1, 2], 10).reshape(2, 2, 5))
    assert padding_mask(1, 3, heads=True).shape == (1, 1, 3)
    assert padding_mask([1], 3, heads=np.bool_(True)).shape == (1, 1, 1, 3)


@pytest.mark.parametrize("heads", [None, 2, "yes"])
def test_several_lengths_must_say_whether_there_are_heads(heads):
    says = rf"^heads \(have .*\) must be True or False, got {heads!r}$"
    with pytest.raises(TypeError, match=says):
        padding_mask([1, 2], 3, heads=heads)


@pytest.mark.parametrize("side", ["both", None, "LEFT"])
def test_the_side_of_padding_is_one_of_two(side):
    with pytest.raises(ValueError, match=f"^side must be one of .*, got {side!r}$"):
        padding_mask(2, 3, side=side)


@pytest.mark.parametrize("lengths", [[-1], [4], [0, 5]])
def test_lengths_must_be_in_range(lengths):
    with pytest.raises(ValueError, match=r"in 0\.\.n_k = 3, got \["):
        padding_mask(lengths, 3, heads=False)


def test_lengths_that_numpy_cannot_read_are_named():
    with pytest.raises(ValueError, match=r"^lengths must be readable by NumPy "):
        padding_mask([[1, 2], [3]], 3, heads=False)


@pytest.mark.parametrize("lengths", [[1.0], [True], [None], ["1"]])
def test_lengths_must_be_integers(lengths):
    with pytest.raises(TypeError, match="lengths must be integers, got dtype"):
        padding_mask(lengths, 3, heads=False)


@pytest.mark.parametrize(
    "bad",
    [
        *(1.0, True, "2", None, np.bool_(True), np.float32(1)),
        *(np.array(2.0), np.array(True), np.array([2]), np.ones((2, 2))),
    ],
)
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("n_q", lambda bad: causal_mask(bad)),
        ("n_q", lambda bad: window_mask(bad, 2, left=1, right=0)),
        ("n_k", lambda bad: padding_mask([0], bad)),
    ],
)
def test_counts_must_be_integers(name, call, bad):
    with pytest.raises(TypeError, match=f"{name} must be an integer, got"):
        call(bad)


@pytest.mark.parametrize("bad", [1.5, True, "2"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_sides_must_be_integers(bad, side):
    with pytest.raises(TypeError, match=f"{side} must be an integer, got"):
        window_mask(3, **({"left": 1, "right": 1} | {side: bad}))
    with pytest.raises(ValueError, match=f"{side} must be at least 0, got -1"):
        window_mask(3, **({"left": 1, "right": 1} | {side: -1}))


def test_counts_may_be_numpy_integers_but_not_negative():
    assert causal_mask(np.uint8(2), np.int64(3)).shape == (2, 3)
    assert causal_mask(np.array(2), 3).shape == (2, 3)
    for call in (lambda: causal_mask(-1), lambda: padding_mask([0], -1)):
        with pytest.raises(ValueError, match="must be at least 0, got -1"):
            call()
    with pytest.raises(ValueError, match="n_k must be at least 0, got -2"):
        causal_mask(1, -2)


@pytest.mark.parametrize("align", ["lower_right", None, "top_right"])
def test_align_is_one_of_two(align):
    says = rf"align must be one of \('bottom_right', 'top_left'\), got {align!r}"
    with pytest.raises(ValueError, match=says):
        causal_mask(2, align=align)
    with pytest.raises(ValueError, match=says):
        window_mask(2, 3, left=1, right=0, align=align)


def test_masks_of_no_queries_or_no_keys():
    assert causal_mask(0).shape == (0, 0)
    assert window_mask(0, 3, left=1, right=0).shape == (0, 3)
    assert_array_equal(causal_mask(2, 0), np.zeros((2, 0)))

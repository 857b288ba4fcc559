"""Squeeze: both languages, the table of recalls against experiments, and its story."""

import itertools

import numpy as np
import pytest

from attnbook.kernel import attention
from attnbook.widgets import Squeeze
from attnbook.widgets.base import load_spec
from attnbook.widgets.figures.squeeze.figure import (
    DRAWS,
    answers,
    between,
    directions,
    measured_recall,
    perpendicular,
    recall_table,
)
from twins import differences, javascript

DEFAULTS = Squeeze().state
ARRAYS = ("memory", "attention")
STOPS = {key: load_spec("squeeze")["state"][key].get("stops") for key in DEFAULTS}
GRID = {
    "n_tokens": (2, 5, 64, 255, 256),
    "d_k": (4, 5, 16, 64),
    "key_directions": ("random", "perpendicular"),
    "asked": (1, 64, 256),
    "seed": (14, 9999),
}


def states():
    return [dict(zip(GRID, v, strict=True)) for v in itertools.product(*GRID.values())]


def test_javascript_and_python_agree():
    made = states()
    for state, answer in zip(made, javascript("squeeze", made), strict=True):
        assert differences(Squeeze, state, answer, ARRAYS) == []


def test_a_state_reached_by_steps_is_that_state():
    """Draws are kept from move to move: whatever came before must not show."""
    steps = [("random", 16), ("perpendicular", 16), ("random", 16), ("random", 64)]
    made = [{**DEFAULTS, "key_directions": keys, "d_k": d} for keys, d in steps]
    for state, answer in zip(made, javascript("squeeze", made), strict=True):
        assert differences(Squeeze, state, answer, ARRAYS) == []


# --- the table ------------------------------------------------------------------------


CELLS = [(4, 16), (16, 16), (64, 16), (256, 16), (256, 8), (12, 4), (96, 32), (64, 64)]


@pytest.mark.parametrize("keys", ["random", "perpendicular"])
@pytest.mark.parametrize(("n", "d"), CELLS)
def test_the_table_holds_what_is_measured(n, d, keys):
    """The table is that of `measured_recall`, to the digits that it has."""
    figure = Squeeze(n_tokens=n, d_k=d, key_directions=keys)
    for name, share in measured_recall(n, d, keys)._asdict().items():
        assert abs(figure.recall(name) - share) <= 0.5e-4 + 1e-9, name


@pytest.mark.slow
def test_the_whole_table_is_what_recall_table_makes():
    made, kept = recall_table(), load_spec("squeeze")["constants"]["recall"]
    for keys, name in itertools.product(kept, ("memory", "attention")):
        np.testing.assert_allclose(made[keys][name], kept[keys][name], atol=1e-4)


def test_the_table_has_a_cell_for_each_pair_of_stops():
    for by_name in load_spec("squeeze")["constants"]["recall"].values():
        for table in by_name.values():
            assert np.shape(table) == (len(STOPS["d_k"]), len(STOPS["n_tokens"]))
            assert 0 <= np.min(table) <= np.max(table) <= 1


def loop_recall(seed, n, d):
    """Ask each token by the words of the book: a loop over all pairs."""
    K, V = (directions(seed, stream, n, d) for stream in (1, 2))
    right = np.zeros(2)
    for own in range(n):
        memory, blend = np.zeros(d), np.zeros(d)
        for key, value in zip(K, V, strict=True):
            memory += (K[own] @ key) * value
            blend += np.exp(d * (K[own] @ key)) * value
        for side, answer in enumerate((memory, blend / np.linalg.norm(blend))):
            gaps = [np.linalg.norm(answer - value) for value in V]
            right[side] += int(np.argmin(gaps) == own)
    return right / n


def test_recall_is_the_share_whose_own_value_is_nearest():
    """Distances, one pair after another, in other draws than the table's."""
    found = np.mean([loop_recall(seed, 24, 16) for seed in range(20)], axis=0)
    figure = Squeeze(n_tokens=24, d_k=16)
    room = 5 * np.sqrt(0.25 / (20 * 24))
    assert abs(found[0] - figure.recall("memory")) < room
    assert found[1] == figure.recall("attention") == 1


def test_between_stops_the_recall_goes_from_one_to_the_other():
    ends = [Squeeze(n_tokens=n).recall("memory") for n in (16, 24)]
    middle = Squeeze(n_tokens=20).recall("memory")
    share = np.log(20 / 16) / np.log(24 / 16)
    assert middle == pytest.approx(ends[0] + share * (ends[1] - ends[0]))
    assert between([2, 4, 8], 8) == (2, 2, 0.0)
    assert between([2, 4, 8], 2) == (0, 0, 0.0)


# --- why ------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d"), [(17, 16), (65, 16), (33, 64)])
def test_the_noise_is_n_minus_1_over_d(n, d):
    """The squared length of what the others add, for a value of length 1."""
    shape = 100, n, d
    K, V = (directions(3, s, 100 * n, d).reshape(shape) for s in (1, 2))
    noise = answers(K, K, V)[0] - V
    measured = (noise**2).sum(axis=-1).mean()
    wanted = Squeeze(n_tokens=n, d_k=d).values()["noise"]
    assert wanted == (n - 1) / d
    assert measured == pytest.approx(wanted, rel=0.05)


def test_the_memory_adds_values_by_their_raw_scores():
    K, V = directions(1, 1, 6, 4), directions(1, 2, 6, 4)
    np.testing.assert_allclose(answers(K, K, V)[0], (K @ K.T) @ V)
    np.testing.assert_allclose(answers(K, K, V)[1], attention(K, K, V, scale=4.0))


def test_perpendicular_keys_give_back_exactly_and_only_as_many_as_there_are():
    full = Squeeze(n_tokens=16, key_directions="perpendicular").values()
    assert full["memory_own"] == pytest.approx(1) and full["memory_recall"] == 1
    K = perpendicular(directions(1, 1, 20, 16))
    np.testing.assert_array_equal(K[:16] @ K[:16].T, np.eye(16))
    assert np.abs(K[16:] @ K[:16].T).max(axis=1).min() > 0.1
    over = Squeeze(n_tokens=24, key_directions="perpendicular").values()
    assert over["memory_recall"] < 0.95


# --- what it is there to show ---------------------------------------------------------


def test_recall_dies_with_length_and_attention_s_does_not():
    made = [Squeeze(n_tokens=n) for n in (4, 16, 64, 256)]
    memory = [figure.recall("memory") for figure in made]
    np.testing.assert_allclose(memory, [1.00, 0.89, 0.27, 0.03], atol=0.005)
    assert min(figure.recall("attention") for figure in made) > 0.999


@pytest.mark.parametrize("d", STOPS["d_k"])
def test_more_tokens_never_help_and_attention_is_never_worse(d):
    rows = {
        name: [Squeeze(n_tokens=n, d_k=d).recall(name) for n in STOPS["n_tokens"]]
        for name in ("memory", "attention")
    }
    noise = 2 / np.sqrt(2 * DRAWS)
    assert (np.diff(rows["memory"]) < noise).all()
    assert (np.array(rows["attention"]) >= np.array(rows["memory"])).all()


@pytest.mark.parametrize("seed", range(6))
def test_the_story_is_no_matter_of_the_draw(seed):
    """Over the tokens of one draw: 64 drown in the memory, attention finds them."""
    asked = [Squeeze(seed=seed, asked=token).values() for token in range(1, 65)]
    right = np.mean([v["memory_nearest"] == v["token"] for v in asked])
    assert 0.1 < right < 0.5
    assert all(v["attention_nearest"] == v["token"] for v in asked)


def test_who_asks_is_the_last_token_where_there_are_fewer():
    values = Squeeze(n_tokens=4, asked=9).values()
    assert values["token"] == 4 and values["memory_nearest"] == 4


@pytest.mark.parametrize("state", [{}, {"n_tokens": 2}, {"n_tokens": 256, "d_k": 4}])
def test_the_still_picture_is_small_and_says_its_sentence(state):
    figure = Squeeze(id="squeeze", **state)
    html = figure.html()
    assert len(html) < 5_000
    assert html.count(figure.sentence()) == 2
    assert "nan" not in html and "currentColor" in html

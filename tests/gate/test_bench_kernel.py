import time

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attnbook import tiled
from attnbook.kernel import attention
from booktools.gate import bench_kernel

# No time is asserted here: only that the right things are timed, and added up right.


class Fake:
    """A kernel whose turns are known beforehand."""

    def __init__(self, name, *rounds):
        self.name, self.left, self.closed = name, list(rounds), False

    def turn(self):
        return self.left.pop(0)

    def close(self):
        self.closed = True


@pytest.fixture
def times():
    fakes = [
        Fake("tiled", [2.0, 3.0, 9.0], [4.0], [1.0]),
        Fake("torch", [1.0, 1.5], [4.0], [2.0]),
        Fake("products", [2.0], [2.0], [1.0]),
    ]
    found = bench_kernel.Times(fakes, 3, "test")
    assert all(fake.closed and not fake.left for fake in fakes)
    return found


@pytest.mark.parametrize("causal", [False, True])
def test_the_kernels_that_are_compared_agree(causal):
    arrays = bench_kernel.draw(96)
    expected = attention(*arrays, causal=causal)
    for name in ("plain", "tiled", "torch") + ("textbook",) * (not causal):
        got = bench_kernel.KERNELS[name](*arrays, causal)()
        assert_allclose(got, expected, rtol=1e-4, atol=1e-5)
        assert got.dtype == np.float32


def test_products_are_the_two_of_every_tile_and_nothing_else(monkeypatch):
    monkeypatch.setattr(tiled._Block, "_take_in", tiled._Block._take_in)
    called = []
    for name in ("_scores", "_product", "_weights"):
        method = getattr(tiled._Block, name)

        def watched(*inputs, name=name, method=method):
            called.append(name)
            return method(*inputs)

        monkeypatch.setattr(tiled._Block, name, watched)
    call = bench_kernel.products(*bench_kernel.draw(64), False)
    assert not call().any()  # nothing is added up
    assert called == ["_scores", "_product"]


def test_draws_depend_on_the_size_alone():
    first, second = bench_kernel.draw(8), bench_kernel.draw(8, 4.0)
    assert_allclose(second[0], 4 * first[0])
    assert all((a == b).all() for a, b in zip(first[1:], second[1:], strict=True))
    assert first[0].shape == (8, bench_kernel.D) and first[0].dtype == np.float32


def test_medians_and_ratios(times):
    assert times.median("tiled") == 3.0
    assert times.ratio("tiled", "torch") == 1.0  # of 3 / 1.25, 4 / 4 and 1 / 2
    assert times.best("tiled", "torch") == 1.0
    assert times.ratio("tiled", "products") == 1.5


def test_a_row_of_the_table(times):
    cells = bench_kernel.row(2048, "causal", times).strip("| ").split(" | ")
    assert len(cells) == len(bench_kernel.COLUMNS)
    assert cells[:6] == ["2048", "causal", "-", "3000.00", "1750.00", "2000.00"]
    assert cells[6:8] == ["1.00 (1.00)", "1.05: met"]
    assert cells[8] == "1.50 (1.00): missed"


def test_a_kernel_runs_in_its_own_process_and_takes_turns():
    runner = bench_kernel.Runner("tiled", 64, True)
    try:
        runner.calls = 3
        found = runner.turn()
    finally:
        runner.close()
    assert len(found) == 3 and all(seconds > 0 for seconds in found)
    assert runner.process.returncode == 0


def test_a_turn_begins_with_a_rest_that_is_not_timed(monkeypatch):
    runner = bench_kernel.Runner("tiled", 64)
    try:
        monkeypatch.setattr(bench_kernel, "REST", 0.5)
        runner.calls, start = 2, time.perf_counter()
        found = runner.turn()
        assert time.perf_counter() - start >= 0.5 + sum(found)
    finally:
        runner.close()


def test_memory_is_that_of_one_call(capsys):
    bench_kernel.memory_child("plain", 512, True)
    used = int(capsys.readouterr().out)
    assert 512 * 512 * 4 <= used < 3 * 512 * 512 * 4


def test_accuracy_prints_each_kernel_for_both_masks(capsys):
    bench_kernel.accuracy(64)
    lines = [x for x in capsys.readouterr().out.splitlines() if x.startswith("| ")]
    assert len(lines) == 1 + 6
    assert sum("1.00 |" in line for line in lines) >= 2  # the plain kernel over itself

"""What this machine can do: measured, shown, and refused before it is too late."""

import math
import sys
import tracemalloc

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from attnbook import machine
from attnbook.cost import attention_cost
from attnbook.machine import (
    available_memory,
    best_time,
    exponent,
    fitting_lengths,
    measure_lengths,
    one_thread,
    peak_memory,
    readable_bytes,
    require_memory,
)

# --- how much there is


@pytest.fixture
def files(monkeypatch, tmp_path):
    """Stand-ins for the files in which a system says what it has."""
    pair = (tmp_path / "limit", tmp_path / "used")
    monkeypatch.setattr(machine, "_CGROUPS", (pair,))
    return pair


def test_memory_is_there():
    assert 2**20 < available_memory() < 2**50


def test_the_limit_of_a_container_counts(files):
    without = available_memory()
    files[0].write_text("5000\n")
    files[1].write_text("2000\n")
    assert available_memory() == 3000
    files[1].write_text("9000\n")
    assert available_memory() == 0
    files[0].write_text("max\n")
    assert available_memory() == pytest.approx(without, rel=0.2)


def test_a_system_that_says_nothing_gets_a_cautious_number(files, monkeypatch):
    monkeypatch.setattr(machine, "_free_of_system", lambda: None)
    assert available_memory() == 2**30


def test_half_of_the_physical_memory_where_nothing_better_is_known(monkeypatch):
    monkeypatch.setattr(machine, "Path", lambda name: tmp_missing)
    tmp_missing = type("Missing", (), {"read_text": missing})()
    physical = machine.os.sysconf("SC_PHYS_PAGES") * machine.os.sysconf("SC_PAGE_SIZE")
    assert available_memory() == physical // 2


def missing(self, encoding):
    raise FileNotFoundError


@pytest.mark.parametrize(
    ("n_bytes", "text"),
    [
        (0, "0 B"),
        (1023, "1,023 B"),
        (1024, "1.00 KiB"),
        (8192**2 * 2, "128 MiB"),
        (4 * 10**12, "3.64 TiB"),
        (15 * 2**30, "15.0 GiB"),
        (2**80, "1,048,576 EiB"),
    ],
)
def test_bytes_are_written_with_a_unit(n_bytes, text):
    assert readable_bytes(n_bytes) == text


# --- what is refused


def test_what_is_too_large_is_refused_with_both_numbers():
    require_memory(250, available=1000)
    with pytest.raises(MemoryError, match=r"251 B; of 1,000 B free .* take 250 B"):
        require_memory(251, available=1000)
    with pytest.raises(MemoryError, match="EiB"):
        require_memory(2**80)


def test_a_length_that_is_too_large_costs_no_memory(monkeypatch):
    monkeypatch.setattr(machine, "available_memory", lambda: 2**30)
    peaks = []
    for _ in range(3):  # other threads of the process are counted too, now and then
        tracemalloc.start()
        (run,) = measure_lengths([10**6])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert min(peaks) < 2**20
    assert math.isnan(run.seconds) and run.bytes == 0
    assert str(run).startswith("n = 1000000: not measured\n")
    assert "needs 3.64 TiB; of 1.00 GiB free here it may take 256 MiB" in str(run)


def test_a_bad_length_is_marked_and_the_others_are_measured():
    bad = ["many", 2.5, -1, None, True]
    runs = measure_lengths([16, *bad, 32], d=8)
    assert [run.note == "" for run in runs] == [True, *[False] * 5, True]
    assert "not measured\n    n must be an integer, got 'many'" in str(runs[1])
    assert "not measured\n    n must be at least 1, got -1" in str(runs[3])
    assert [run.n for run in (runs[0], runs[-1])] == [16, 32]


@pytest.mark.parametrize("d", ["8", 2.0])
def test_the_width_is_checked(d):
    with pytest.raises(TypeError, match="d must be an integer"):
        measure_lengths([4], d=d)
    with pytest.raises(ValueError, match="d must be at least 1, got 0"):
        measure_lengths([4], d=0)


def test_lengths_are_taken_from_the_memory_that_is_there(monkeypatch):
    square = 4096**2 * 4 + 4 * 4096 * 64 * 4  # and queries, keys, values, output
    for free, last in ((4 * square, 4096), (4 * square - 4, 2048), (0, 256)):
        monkeypatch.setattr(machine, "available_memory", lambda free=free: free)
        assert fitting_lengths()[-1] == last
    monkeypatch.setattr(machine, "available_memory", lambda: 2**50)
    assert fitting_lengths(first=100, last=900) == [100, 200, 400, 800]
    with pytest.raises(ValueError, match="first must be at least 1"):
        fitting_lengths(first=0)


# --- what is measured


def test_the_kernel_asked_for_is_the_one_that_is_measured():
    shapes = set()
    runs = measure_lengths([16] * 3, d=4, kernel=lambda *x: shapes.add(x[0].shape))
    assert shapes == {(16, 4)}
    # The least of three: what other threads take is counted too, now and then.
    assert min(run.bytes for run in runs) < 16 * 16 * 4
    assert all(run.seconds > 0 for run in runs)


def blas_threads():
    return {
        pool["num_threads"] for pool in threadpool_info() if "blas" in pool["user_api"]
    }


def test_products_have_one_thread_while_they_are_measured():
    before, seen = blas_threads(), set()
    measure_lengths([16], d=4, kernel=lambda *x: seen.update(blas_threads()))
    assert seen == {1} and blas_threads() == before


def test_without_threadpoolctl_nothing_changes(monkeypatch):
    before = blas_threads()
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    with one_thread():
        assert blas_threads() == before


def test_the_peak_is_what_a_call_holds():
    kept = np.ones(10**6)
    size = 8 * 10**6
    peaks = [peak_memory(lambda: kept + kept) for _ in range(3)]
    assert size <= min(peaks) < 1.05 * size
    assert not tracemalloc.is_tracing()


def test_tracing_that_runs_already_goes_on():
    tracemalloc.start()
    try:
        kept = np.ones(1000)
        assert min(peak_memory(lambda: None) for _ in range(3)) < kept.nbytes
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()


def test_attention_holds_one_square():
    """The one that `attention_cost` names; nothing depends on the clock."""
    runs = [measure_lengths([512])[0].bytes for _ in range(3)]
    square = attention_cost(512, 512, 64, 64, itemsize=4).scores.bytes
    assert square < min(runs) < 1.6 * square


def test_the_best_of_several_calls(monkeypatch):
    clock = iter([0.0, 5.0, 10.0, 12.0, 20.0, 29.0])
    monkeypatch.setattr(machine.time, "perf_counter", lambda: next(clock))
    assert best_time(lambda: None, repeats=3, seconds=0) == 2.0
    clock = iter([0.0, 1.0, 5.0, 7.0, 9.0, 10.5])
    assert best_time(lambda: None, repeats=1, seconds=4) == 1.0
    assert next(clock, None) is None
    with pytest.raises(ValueError, match="repeats must be at least 1"):
        best_time(lambda: None, repeats=0)


def test_the_exponent_of_a_power_law():
    n = np.array([1, 2, 4, 8])
    assert exponent(n, 3 * n**2) == pytest.approx(2)
    assert exponent([1, 2, 4], [5, math.nan, 80]) == pytest.approx(2)
    assert math.isnan(exponent([2, 3], [1, math.nan]))

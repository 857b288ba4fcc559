"""What attention costs on this machine: time, memory, and what does not fit.

Nothing here is allocated before it is known to fit.
"""

import contextlib
import math
import os
import time
import tracemalloc
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attnbook.cost import attention_cost
from attnbook.kernel import attention
from attnbook.masks import _whole

__all__ = [
    "Run",
    "available_memory",
    "best_time",
    "exponent",
    "fitting_lengths",
    "measure_lengths",
    "one_thread",
    "peak_memory",
    "readable_bytes",
    "require_memory",
]

SHARE = 0.25  # of the memory that is free, which an experiment may take
FALLBACK = 2**30  # bytes, where a system does not say what it has
_CGROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


def available_memory():
    """Say how many bytes a program can still take on this machine.

    The limit of a container counts, where there is one: in a hub the machine is large
    and your part of it small.

    Returns
    -------
    int
        Bytes; a cautious 1 GiB where the system does not tell.
    """
    known = [_free_of_system(), *(_free_of_container(*files) for files in _CGROUPS)]
    return min((free for free in known if free is not None), default=FALLBACK)


def _free_of_system():
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        line = next(x for x in text.splitlines() if x.startswith("MemAvailable:"))
        return 1024 * int(line.split()[1])
    except (OSError, StopIteration, ValueError):
        return _half_of_physical()


def _half_of_physical():
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, OSError, ValueError):
        return None


def _free_of_container(limit_file, used_file):
    try:
        limit = int(Path(limit_file).read_text(encoding="ascii"))
        used = int(Path(used_file).read_text(encoding="ascii"))
    except (OSError, ValueError):  # no container, or its limit is "max"
        return None
    return max(limit - used, 0)


def readable_bytes(n_bytes):
    """Write a number of bytes with a unit.

    Parameters
    ----------
    n_bytes : int

    Returns
    -------
    str
        Three digits and a binary unit, for instance ``"3.64 TiB"``.
    """
    units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    power = min(max(int(n_bytes).bit_length() - 1, 0) // 10, len(units) - 1)
    amount = n_bytes / 1024**power
    digits = 0 if power == 0 or amount >= 100 else 1 if amount >= 10 else 2
    return f"{amount:,.{digits}f} {units[power]}"


def require_memory(n_bytes, *, available=None, share=SHARE):
    """Refuse a cost that is larger than the machine, before anything is allocated.

    Parameters
    ----------
    n_bytes : int
        What is to be allocated.
    available : int
        Bytes that there are; by default what `available_memory` says.
    share : float
        The part of them that may be taken.

    Raises
    ------
    MemoryError
        If it is too much. The message has both numbers.
    """
    available = available_memory() if available is None else available
    if n_bytes > share * available:
        raise MemoryError(
            f"this needs {readable_bytes(n_bytes)}; of {readable_bytes(available)} "
            f"free here it may take {readable_bytes(share * available)}"
        )


@contextlib.contextmanager
def one_thread():
    """Let matrix products use one thread only, so that times can be compared.

    Threads that wait for each other on a busy machine can take a hundred times as long.
    Without threadpoolctl nothing changes.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    with threadpool_limits(1, user_api="blas"):
        yield


def best_time(function, *, repeats=3, seconds=0.2):
    """Time a function: the best of several calls, since noise only ever adds.

    Parameters
    ----------
    function : callable
        Called without arguments.
    repeats : int
        How often at least.
    seconds : float
        For how long at least.

    Returns
    -------
    float
        Seconds.

    Raises
    ------
    TypeError
        If `repeats` is not an integer.
    ValueError
        If it is below 1.
    """
    best, calls, spent = math.inf, 0, 0.0
    while calls < _whole("repeats", repeats, 1) or spent < seconds:
        began = time.perf_counter()
        function()
        took = time.perf_counter() - began
        best, calls, spent = min(best, took), calls + 1, spent + took
    return best


def peak_memory(function):
    """Measure the most memory that a call holds at one time, besides what is there.

    Parameters
    ----------
    function : callable
        Called without arguments.

    Returns
    -------
    int
        Bytes of Python and NumPy, as tracemalloc counts them.
    """
    ours = not tracemalloc.is_tracing()
    if ours:
        tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        function()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if ours:
            tracemalloc.stop()


class Run(NamedTuple):
    """One length, measured, or the reason why it was not."""

    n: object
    seconds: float
    bytes: int
    note: str

    def __str__(self):
        """Write a line of a table."""
        if self.note:
            return f"n = {self.n}: not measured\n    {self.note}"
        time, size = f"{1e3 * self.seconds:8.2f} ms", readable_bytes(self.bytes)
        return f"n = {self.n:5d}   {time}   {size}"


def measure_lengths(lengths, *, d=64, kernel=attention, share=SHARE):
    """Time attention at several lengths, and measure its memory.

    One head, float32, and one thread for the matrix products.

    A length that is no number, or too large for the machine, is marked in its place;
    all others are measured.

    Parameters
    ----------
    lengths : iterable
        Numbers of queries, which are also the keys.
    d : int
        Width of queries, keys and values.
    kernel : callable
        Takes Q, K and V.
    share : float
        The part of the free memory that one length may take.

    Returns
    -------
    list of Run
        One for each length, in order.

    Raises
    ------
    TypeError
        If `d` is not an integer.
    ValueError
        If it is below 1.
    """
    d = _whole("d", d, 1)
    with one_thread():
        return [_measure(n, d, kernel, share) for n in lengths]


def _measure(n, d, kernel, share):
    try:
        n = _whole("n", n, 1)
        require_memory(_bytes_needed(n, d), share=share)
    except (TypeError, ValueError, MemoryError) as why:
        return Run(repr(n), math.nan, 0, str(why))
    rng = np.random.default_rng(0)
    Q, K, V = rng.standard_normal((3, n, d), dtype=np.float32)
    seconds = best_time(lambda: kernel(Q, K, V))  # its first call warms up
    return Run(n, seconds, peak_memory(lambda: kernel(Q, K, V)), "")


def fitting_lengths(*, first=256, last=4096, share=SHARE):
    """Choose lengths for `measure_lengths` from the memory that is really there.

    Parameters
    ----------
    first, last : int
        The smallest length, which is doubled as long as it fits, and a limit.
    share : float
        The part of the free memory that one length may take.

    Returns
    -------
    list of int
        At least one, the first.

    Raises
    ------
    TypeError
        If a length is not an integer.
    ValueError
        If a length is below 1.
    """
    n, last = _whole("first", first, 1), _whole("last", last, 1)
    room, found = share * available_memory(), [n]
    while 2 * n <= last and _bytes_needed(2 * n, 64) <= room:
        n *= 2
        found.append(n)
    return found


def _bytes_needed(n, d):
    """Bytes of one head in float32: a square of scores, and four arrays of rows."""
    cost = attention_cost(n, n, d, d, itemsize=4)
    return cost.scores.bytes + 4 * cost.output.bytes


def exponent(x, y):
    """Fit ``y = c * x**p`` and return p, the slope on doubly logarithmic paper.

    Parameters
    ----------
    x, y : array-like, shape (n,)
        Above 0; pairs with a NaN are left out.

    Returns
    -------
    float
        NaN if fewer than two pairs are left.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    good = np.isfinite(x) & np.isfinite(y)
    if good.sum() < 2:
        return math.nan
    return float(np.polyfit(np.log(x[good]), np.log(y[good]), 1)[0])

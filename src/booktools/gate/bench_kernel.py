"""Measure the kernels: time, accuracy and memory, beside PyTorch and bare products.

``python -m booktools.gate.bench_kernel`` prints its tables to standard output and its
progress to standard error. Each kernel runs in a process of its own, and the processes
take turns: PyTorch's threads spin for a while after a call and slow whatever comes next
in the same process. A turn begins with a rest, since OpenBLAS's threads spin for about
0.1 s after the last product of the process before, on a processor that the next one
needs; then comes a call that is not timed, in which threads wake.

Ratios are medians over the rounds, each of one kernel's time over another's in the same
round; "best" compares the fastest call of each. Times depend on what else the machine
does.
"""

import argparse
import itertools
import json
import os
import platform
import statistics
import subprocess
import sys
import time
import tracemalloc

import numpy as np

from attnbook import tiled
from attnbook.kernel import attention
from attnbook.tiled import tiled_attention

SIZES = (2048, 4096, 8192, 16384)
LARGEST_PLAIN = 4096  # beyond it, the score matrix takes too much memory
D = 64
MEMORY_N = 32768
GOALS = {  # tiled over PyTorch: full, causal
    2048: (1.15, 1.05),
    4096: (1.15, 1.05),
    8192: (1.05, 0.85),
    16384: (1.05, 0.85),
}
PRODUCTS_GOAL, MEMORY_GOAL, ERROR_GOAL, PLAIN_GOAL = 1.25, 24, 1.2, 1.3
TURN = 0.3  # seconds that a kernel's turn should take
REST = 0.3  # seconds in which the threads of the turn before go to sleep
COLUMNS = (
    *("n", "mask", "plain ms", "tiled ms", "PyTorch ms", "products ms"),
    *("tiled / PyTorch (best)", "goal", "tiled / products (best)"),
    "products / PyTorch",
)


def draw(n, size=1.0):
    """Return Q, K and V of standard normal numbers, Q times `size`, in float32."""
    rng = np.random.default_rng(n)
    Q, K, V = (rng.standard_normal((n, D), dtype=np.float32) for _ in range(3))
    return Q * np.float32(size), K, V


# The kernels. Each takes Q, K, V and `causal`, and returns a function to be timed.


def plain(Q, K, V, causal):
    """Make a call to the plain kernel."""
    return lambda: attention(Q, K, V, causal=causal)


def textbook(Q, K, V, causal):
    """Make a call to the five lines of a textbook, without any check."""

    def five_lines():
        S = Q @ K.T * Q.dtype.type(1 / np.sqrt(Q.shape[-1]))
        S -= S.max(axis=1, keepdims=True)
        np.exp(S, out=S)
        S /= S.sum(axis=1, keepdims=True)
        return S @ V

    return five_lines


def tiled_kernel(Q, K, V, causal):
    """Make a call to the tiled kernel."""
    return lambda: tiled_attention(Q, K, V, causal=causal)


def products(Q, K, V, causal):
    """Make a call to the tiled kernel cut down to its two matrix products."""

    def only_products(block, tile):
        block._product(block._scores(tile), tile)

    tiled._Block._take_in = only_products
    return tiled_kernel(Q, K, V, causal)


def torch(Q, K, V, causal):
    """Make a call to PyTorch; with 2-D tensors it would be three times slower."""
    import torch

    torch.set_num_threads(tiled._processors())
    q, k, v = (torch.from_numpy(x)[None, None] for x in (Q, K, V))
    attend = torch.nn.functional.scaled_dot_product_attention
    return lambda: attend(q, k, v, is_causal=causal)[0, 0].numpy()


KERNELS = {
    "plain": plain,
    "textbook": textbook,
    "tiled": tiled_kernel,
    "products": products,
    "torch": torch,
}


# The processes that take turns.


def child(kernel, n, causal, size):
    """Serve a kernel: each line of input asks for one turn of so many calls."""
    call = KERNELS[kernel](*draw(n, size), causal)
    for line in sys.stdin:
        call()
        times = []
        for _ in range(int(line)):
            start = time.perf_counter()
            call()
            times.append(time.perf_counter() - start)
        print(json.dumps(times), flush=True)


class Runner:
    """A kernel in a process of its own."""

    def __init__(self, kernel, n, causal=False, size=1.0):
        self.name = kernel
        command = [sys.executable, "-m", "booktools.gate.bench_kernel", "--child"]
        command.append(json.dumps([kernel, n, causal, size]))
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.calls, self.rounds = 1, []
        self.calls = max(1, min(20, round(TURN / self.turn()[0])))

    def turn(self):
        """Let it run for one turn, after a rest; return the times of its calls."""
        time.sleep(REST)
        self.process.stdin.write(f"{self.calls}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        """End the process."""
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()


class Times:
    """The times of several kernels that took turns."""

    def __init__(self, runners, rounds, label):
        self.rounds = {runner.name: [] for runner in runners}
        for k in range(rounds):
            say(f"{label}: round {k + 1} of {rounds}")
            for runner in runners:
                self.rounds[runner.name].append(runner.turn())
        for runner in runners:
            runner.close()

    def median(self, name):
        """Return the median time of a kernel's calls."""
        return statistics.median(itertools.chain(*self.rounds[name]))

    def ratio(self, name, other):
        """Return the median over the rounds of one time over another."""
        pairs = zip(self.rounds[name], self.rounds[other], strict=True)
        return statistics.median(
            statistics.median(a) / statistics.median(b) for a, b in pairs
        )

    def best(self, name, other):
        """Return the ratio of the fastest calls."""
        return min(map(min, self.rounds[name])) / min(map(min, self.rounds[other]))


def say(text):
    """Show progress."""
    print(f"  {text}", file=sys.stderr, flush=True)


# The tables.


def speed(sizes, rounds):
    """Print the table of times and ratios."""
    print("\n## Time: float32, d = 64, one head\n")
    print(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
    for n in sizes:
        for causal in (False, True):
            names = ["tiled", "torch", "products"]
            names += ["plain"] if n <= LARGEST_PLAIN else []
            mask = "causal" if causal else "full"
            runners = [Runner(name, n, causal) for name in names]
            print(row(n, mask, Times(runners, rounds, f"n = {n}, {mask}")), flush=True)


def row(n, mask, times):
    """Return a row of the table of times."""
    ms = [
        f"{times.median(name) * 1e3:.2f}" if name in times.rounds else "-"
        for name in ("plain", "tiled", "torch", "products")
    ]
    ratio, best = times.ratio("tiled", "torch"), times.best("tiled", "torch")
    goal = GOALS.get(n, (None, None))[mask == "causal"]
    bound, bound_best = (
        times.ratio("tiled", "products"),
        times.best("tiled", "products"),
    )
    cells = [
        n,
        mask,
        *ms,
        f"{ratio:.2f} ({best:.2f})",
        f"{goal}: {verdict(ratio, goal)}" if goal else "-",
        f"{bound:.2f} ({bound_best:.2f}): {verdict(bound, PRODUCTS_GOAL)}",
        f"{times.ratio('products', 'torch'):.2f}",
    ]
    return "| " + " | ".join(map(str, cells)) + " |"


def verdict(value, goal):
    """Say whether a goal is met."""
    return "met" if value <= goal else "missed"


def large_scores(n, rounds):
    """Print what scores cost that are too large to do without a maximum."""
    runners = [Runner("tiled", n, size=8.0), Runner("torch", n, size=8.0)]
    times = Times(runners, rounds, "large scores")
    print(f"\nWith queries eight times as long, n = {n}: tiled / PyTorch", end=" ")
    print(f"{times.ratio('tiled', 'torch'):.2f} ({times.best('tiled', 'torch'):.2f})")


def against_textbook(rounds):
    """Print the plain kernel against five lines without checks."""
    runners = [Runner("plain", 1024), Runner("textbook", 1024)]
    times = Times(runners, rounds, "plain against textbook")
    ratio, best = times.ratio("plain", "textbook"), times.best("plain", "textbook")
    print(
        f"\nPlain / textbook's five lines, n = 1024: {ratio:.2f} ({best:.2f})", end=""
    )
    print(f", goal {PLAIN_GOAL}: {verdict(ratio, PLAIN_GOAL)}")


def accuracy(n=2048):
    """Print errors against the plain kernel in float64."""
    print(f"\n## Error against float64, n = {n}, outputs of about 0.02 to 1\n")
    print("| mask | kernel | rms | largest | rms / plain's |\n|---|---|---|---|---|")
    for causal in (False, True):
        say("accuracy")
        arrays = draw(n)
        exact = attention(*(x.astype(np.float64) for x in arrays), causal=causal)
        errors = {
            name: KERNELS[name](*arrays, causal)() - exact
            for name in ("plain", "tiled", "torch")
        }
        rms = {name: np.sqrt(np.mean(error**2)) for name, error in errors.items()}
        for name, error in errors.items():
            ratio = rms[name] / rms["plain"]
            goal = f": {verdict(ratio, ERROR_GOAL)}" if name == "tiled" else ""
            mask = "causal" if causal else "full"
            print(
                f"| {mask} | {name} | {rms[name]:.2e} | {abs(error).max():.2e} "
                f"| {ratio:.2f}{goal} |"
            )


def memory_child(kernel, n, traced):
    """Print the bytes that one call takes: traced, or by the growth of the process."""
    KERNELS[kernel](*draw(64), False)()
    call = KERNELS[kernel](*draw(n), False)
    if traced:
        tracemalloc.start()
        call()
        print(tracemalloc.get_traced_memory()[1])
        return
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # forget the highest value so far
    before = resident("VmRSS")
    call()
    print(resident("VmHWM") - before)


def resident(name):
    """Return a count of bytes from Linux's view of this process."""
    with open("/proc/self/status") as file:
        (line,) = (line for line in file if line.startswith(name))
    return int(line.split()[1]) * 1024


def memory():
    """Print the peak memory of one call at n = 32768."""
    print(f"\n## Peak memory of one call, n = {MEMORY_N}, result of 8 MiB included\n")
    ways = [("tiled", True), ("tiled", False), ("torch", False)]
    for name, traced in ways if sys.platform == "linux" else ways[:1]:
        say(f"memory of {name}")
        command = [sys.executable, "-m", "booktools.gate.bench_kernel", "--memory"]
        command.append(json.dumps([name, MEMORY_N, traced]))
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        mib = int(out) / 2**20
        how = "tracemalloc" if traced else "growth of the process"
        goal = f", goal {MEMORY_GOAL}: {verdict(mib, MEMORY_GOAL)}" if traced else ""
        print(f"- {name}, {how}: {mib:.1f} MiB{goal}")


def machine():
    """Print what the numbers were measured on."""
    import torch

    print("## Machine\n")
    print(f"- {processor()}, {tiled._processors()} processors, {platform.platform()}")
    print(f"- Python {platform.python_version()}, NumPy {np.__version__}")
    for library in tiled._blas_threads().info():
        print(
            f"- BLAS: {library['internal_api']} {library['version']}, "
            f"architecture {library.get('architecture')}"
        )
    print(f"- PyTorch {torch.__version__}, {torch.backends.cpu.get_cpu_capability()}")
    print(f"- load average before: {os.getloadavg()[0]:.2f}")


def processor():
    """Return the name of the processor, where the system tells it."""
    try:
        with open("/proc/cpuinfo") as file:
            names = [line for line in file if line.startswith("model name")]
        return names[0].split(":")[1].strip()
    except (OSError, IndexError):
        return platform.processor() or "unknown processor"


def main():
    """Read the command line and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--child", type=json.loads, help=argparse.SUPPRESS)
    parser.add_argument("--memory", type=json.loads, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(*options.child)
    if options.memory:
        return memory_child(*options.memory)
    machine()
    speed(options.sizes, options.rounds)
    large_scores(4096, options.rounds)
    against_textbook(options.rounds)
    accuracy()
    memory()


if __name__ == "__main__":
    main()

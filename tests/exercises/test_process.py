"""Answers run in a child: what it is sent, when it is ended, that none is left over."""

import functools
import math
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest

import attnbook as ab
from attnbook import exercises
from attnbook import softmax as clever
from attnbook.exercises import check, judge, process
from attnbook.exercises.process import run_all
from attnbook.scores import ScaledDot
from processes import started

FACTOR = 3.0
TABLE = {"shift": np.ones(2)}
LOCK = threading.Lock()
ONE = [(1.0,)]


def result(answer, *inputs):
    (outcome,) = run_all(answer, [inputs or (1.0,)], seconds=5)
    return outcome


# --- what is sent


def helper(x):
    return FACTOR * x


def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


class Scale:
    """Written by the student, with a method that calls its parent's."""

    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return self.factor * x

    @staticmethod
    def twice(x):
        return 2 * x

    @property
    def half(self):
        return self.factor / 2


class Shifted(Scale):
    def __call__(self, x):
        return super().__call__(x) + 1


@dataclass
class Pair:
    a: float
    b: float = 2.0


@functools.cache
def remembered(n):
    return 1.0 if n < 2 else n * remembered(n - 1)


def factorial(n):
    return 1.0 if n < 2 else n * factorial(n - 1)


def closure(power):
    def raised(x):
        return x**power if x < 10 else raised(x / 10)

    return raised


def nested(x):
    return sum(math.sqrt(helper(y)) for y in [x, x])


SENT = {
    "a variable": (lambda x: FACTOR + x, 4),
    "a dictionary of arrays": (lambda x: (TABLE["shift"] + x)[0], 2),
    "a helper": (lambda x: helper(x), 3),
    "helpers that call each other": (lambda x: float(even(4)), 1),
    "itself": (lambda x: factorial(4), 24),
    "a remembered function": (lambda x: remembered(4), 24),
    "a closure that calls itself": (closure(2), 1),
    "a module under another name": (lambda x: ab.entropy(np.ones(1)), 0),
    "a function of a package": (lambda x: clever(np.ones(2))[0], 0.5),
    "an object": (Scale(5.0), 5),
    "an object with a parent": (Shifted(5.0), 6),
    "a method": (Scale(5.0).__call__, 5),
    "a static method": (lambda x: Scale.twice(x), 2),
    "a property": (lambda x: Scale(5.0).half, 2.5),
    "a dataclass": (lambda x: Pair(x).b, 2),
    "a partial": (functools.partial(lambda a, x: a - x, 3), 2),
    "a default": (lambda x, y=FACTOR: x + y, 4),
    "a function in a comprehension": (nested, 2 * math.sqrt(3)),
    "a ufunc": (np.sqrt, 1),
    "a vectorised function": (np.vectorize(lambda x: x + FACTOR), 4),
}


@pytest.mark.parametrize("kind", SENT)
def test_an_answer_takes_along_what_it_uses(kind):
    answer, value = SENT[kind]
    outcome = result(answer)
    assert outcome.kind == "value", outcome.text
    assert np.allclose(outcome.value, value, rtol=1e-12)


def test_the_functions_of_one_notebook_share_their_variables():
    space = {}
    exec(
        "count = 0\ndef step():\n    global count\n    count += 1\n"
        "def answer(x):\n    step()\n    step()\n    return count",
        space,
    )
    assert result(space["answer"]).value == 2
    assert space["count"] == 0  # the notebook's own is left alone


def test_a_name_that_cannot_be_sent_is_told_only_where_it_is_used():
    def reads(Q, K):
        return LOCK.locked()

    def might_read(x):
        return 1.0 if x else LOCK.locked()

    message = check("05-scaled-scores", reads).message
    assert "cannot be sent" in message and "LOCK: lock" in message
    assert result(might_read).value == 1


def test_a_name_that_nobody_defined_is_a_mistake_of_the_answer():
    assert result(lambda x: no_such_name).text.startswith("NameError")  # noqa: F821


# --- what it may call

SCORES = np.array([1.0, 2.0]), 1.0, -1


def by_pipeline(scores, temperature, axis):
    return functools.reduce(lambda x, f: f(x), [clever], scores)


BARRED = {
    "directly": lambda s, t, a: ab.softmax(s),
    "an alias": lambda s, t, a: clever(s),
    "imported within": lambda s, t, a: __import__("attnbook.kernel").softmax(s),
    "an alias in a chain": by_pipeline,
    "a method": lambda s, t, a: ScaledDot()(s[None], s[None]),
    "another function that calls it": lambda s, t, a: ab.entropy(s),
}


@pytest.mark.parametrize("kind", BARRED)
def test_a_call_of_what_is_barred_is_told(kind):
    report = check("04-stable-softmax", BARRED[kind])
    assert report.status == "wrong" and report.hint == ""
    assert "calls `attnbook." in report.message


def test_a_barred_call_does_not_hide_behind_an_except():
    def sly(scores, temperature, axis):
        try:
            return clever(scores)
        except BaseException:
            return np.ones_like(scores)

    assert "calls `attnbook.kernel.softmax`" in str(check("04-stable-softmax", sly))


def test_torch_is_barred_where_numpy_alone_is_asked_for():
    torch = pytest.importorskip("torch")

    def borrowed(scores, temperature, axis):
        return torch.softmax(torch.tensor(scores / temperature), axis).numpy()

    assert "calls `torch" in check("04-stable-softmax", borrowed).message


def test_what_is_allowed_may_be_called():
    bound = exercises.master.load("05-heads-bug")
    assert bound.may_use is None
    assert exercises.check(
        "05-heads-bug", exercises.master.load("05-heads-bug").solution
    )


# --- what comes back


def test_tensors_are_read_with_and_without_gradients():
    torch = pytest.importorskip("torch")
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        one = torch.ones(2, dtype=dtype, requires_grad=True)
        assert judge.read(one).value.tolist() == [1, 1]
        assert judge.read((one[0], 2.0)).value.tolist() == [1, 2]
    outcome = result(lambda x: torch.full((2,), x, requires_grad=True), 3.0)
    assert outcome.value.tolist() == [3, 3]


def test_a_child_that_writes_what_it_likes_gets_no_further_than_a_report():
    def forge(x):
        for number in range(3, 20):
            try:
                os.write(number, b'{"kind": "value"}\n[]\n{"number": 1}\n')
            except OSError:
                pass
        os._exit(0)

    for outcome in run_all(forge, ONE, seconds=5):
        assert outcome.kind == "ended" and outcome.value is None
    assert result(abs, -2.0).value == 2


# --- when it is ended


def c_loop(x):
    return sum(range(10**15))


def test_a_loop_in_c_is_ended_and_the_next_answer_runs():
    run_all(abs, ONE)
    first, *rest = run_all(c_loop, [(1.0,), (2.0,)], seconds=0.5)
    assert first.kind == "endless" and "0.5 seconds" in first.text and rest == []
    assert result(abs, -2.0).value == 2


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="a system without signals")
def test_a_child_that_ended_unseen_is_replaced(monkeypatch):
    child = process._warm_child()
    seen = iter([True])
    alive = process.Child.is_alive
    monkeypatch.setattr(
        process.Child, "is_alive", lambda self: next(seen, None) or alive(self)
    )
    os.kill(child.process.pid, signal.SIGKILL)
    child.process.wait()
    assert result(abs, -2.0).value == 2


def test_an_interrupt_ends_the_check_and_the_child():
    code = (
        "import _thread, signal, threading;"
        "from attnbook.exercises import check, process;"
        # where a start in the background has taken it away
        "signal.signal(signal.SIGINT, signal.default_int_handler);"
        "process.run_all(abs, [(1.0,)]);"
        "threading.Timer(1, _thread.interrupt_main).start();"
        "print(check('08-visible-pairs', lambda n, left: sum(range(10**15))));"
        "print(process.run_all(abs, [(-2.0,)])[0].value)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert b"interrupted" in done.stdout and b"2.0\n" in done.stdout, done


def test_one_warm_child_serves_many_checks():
    answer = exercises.master.load("05-scaled-scores").solution
    assert check("05-scaled-scores", answer)
    number = process._warm_child().process.pid
    for _ in range(5):
        assert check("05-scaled-scores", answer)
    assert process._warm_child().process.pid == number


def test_threads_may_check_at_the_same_time():
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda n: result(lambda x: n * x).value, range(8)))
    assert done == list(range(8))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_that_was_forked_starts_a_child_of_its_own():
    run_all(abs, ONE)
    if (number := os.fork()) == 0:
        right = result(abs, -2.0).value == 2 and len(process._children) == 2
        process.end()
        os._exit(0 if right else 1)
    assert os.waitpid(number, 0)[1] == 0
    assert result(abs, -2.0).value == 2


def is_running(number):
    try:
        with open(f"/proc/{number}/stat") as stat:
            return stat.read().split()[2] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="reads /proc")
@pytest.mark.parametrize("busy", [False, True])
def test_a_child_does_not_outlive_its_parent(busy):
    work = "lambda x: sum(range(10**15))" if busy else "abs"
    code = (
        "import threading, time; from attnbook.exercises import process, worker;"
        "process.run_all(abs, [(1.0,)]);"
        "print(process._warm_child().process.pid, flush=True);"
        f"threading.Thread(target=process.run_all, args=({work}, [(1.0,)], 2),"
        "daemon=True).start(); time.sleep(60)"
    )
    with started([sys.executable, "-c", code]) as parent:
        child = int(parent.stdout.readline())
        time.sleep(0.5)
        assert is_running(child)
        parent.kill()
    for _ in range(100):
        if not is_running(child):
            return
        time.sleep(0.1)
    pytest.fail("the child still runs")


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="reads /proc")
def test_a_script_that_ends_leaves_no_child():
    code = (
        "from attnbook.exercises import process; process.run_all(abs, [(1.0,)]);"
        "print(process._warm_child().process.pid)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert done.stderr == b"" and not is_running(int(done.stdout))


# --- where it is called

SCRIPT = """
import numpy as np
from attnbook.exercises import check
half = 0.5

def power(x):
    return x ** half

def scaled_scores(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / power(Q.shape[-1])

print(check("05-scaled-scores", scaled_scores))
"""


def test_a_script_needs_no_main_guard_and_runs_once(tmp_path):
    path = tmp_path / "script.py"
    path.write_text("print('start')\n" + SCRIPT)
    done = subprocess.run([sys.executable, str(path)], capture_output=True, timeout=60)
    assert done.stdout.decode().split("\n")[0] == "start"
    assert done.stdout.count(b"start") == 1 and b"Right." in done.stdout, done.stderr


@pytest.mark.parametrize("flags", [["-"], ["-i", "-q"]])
def test_a_plain_prompt_has_no_source_and_needs_none(flags):
    done = subprocess.run(
        [sys.executable, *flags], input=SCRIPT.encode(), capture_output=True, timeout=60
    )
    assert b"Right." in done.stdout, done


def test_a_real_kernel_checks_what_its_cells_define():
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    cells = SCRIPT.strip().split("\n\n")
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in cells]
    client.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    assert "Right." in notebook.cells[-1].outputs[0].text


def test_a_browser_has_no_processes_and_needs_none(monkeypatch):
    monkeypatch.setattr(process.sys, "platform", "emscripten")
    monkeypatch.setattr(process, "_warm_child", None)
    assert check("05-scaled-scores", exercises.master.load("05-scaled-scores").solution)
    assert check("04-stable-softmax", BARRED["an alias"]).status == "wrong"

"""Run answers in a child process, where any of them can be ended.

The child is a fresh Python that imports the judge and nothing of the notebook: neither
forked, since threads of a matrix library would hang it, nor made by `multiprocessing`,
which would run the student's script again. It is started once and stays warm.
"""

import atexit
import contextlib
import json
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading

from attnbook.exercises import judge
from attnbook.exercises.judge import Outcome
from attnbook.exercises.transfer import pack
from attnbook.exercises.worker import from_plain

SECONDS = 10  # for one call
START = 60  # seconds to start, or to import what an answer needs
_CODE = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    "from attnbook.exercises.worker import main; main()"
)


def run_all(answer, all_inputs, seconds=SECONDS, may_use=None):
    """Call an answer on each of several inputs, up to the first without an end.

    Parameters
    ----------
    answer : callable
    all_inputs : list of tuple
    seconds : float
        The time for each call.
    may_use : tuple of str, optional
        The packages that it may call; left out, any.

    Returns
    -------
    list of Outcome
        One for each input, fewer if one of them is ``endless`` or the answer could not
        be sent.
    """
    if sys.platform == "emscripten":  # no processes; the page ends its own worker
        return [judge.run(answer, inputs, may_use) for inputs in all_inputs]
    try:
        data, missing = pack(answer)
    except Exception as why:  # the answer's own code takes part in packing it
        return [Outcome("unsent", text=judge.describe(why))]
    request = {"answer": data, "inputs": all_inputs}
    request |= {"seconds": seconds, "may_use": may_use}
    with _LOCK:
        outcomes = _ask(request)
    return [_explained(outcome, missing) for outcome in outcomes]


def _ask(request):
    child = _warm_child()
    begun = child.begin(request)
    if begun.kind == "ended":  # by the answer before, unnoticed until now
        child = _warm_child()
        begun = child.begin(request)
    if begun.kind != "ready":
        return [begun]
    outcomes = []
    for _ in request["inputs"]:
        outcomes.append(child.reply(request["seconds"]))
        if outcomes[-1].kind in ("endless", "ended"):
            _warm_child()  # ready for the next answer
            break
    return outcomes


def _explained(outcome, missing):
    """Say of a missing name that it could not be sent, if it was missed."""
    if outcome.kind == "raised" and outcome.text.startswith("NameError"):
        for name, kind in missing.items():
            if f"'{name}'" in outcome.text:
                return Outcome("unsent name", text=f"{name}: {kind}")
    return outcome


class Child:
    """A process that runs answers, and the thread that reads its replies."""

    def __init__(self):
        apart = {"start_new_session": True}  # an interrupt is for the parent alone
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _CODE, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"OPENBLAS_NUM_THREADS": "1", **os.environ},
            **apart,
        )
        self.number, self.replies = 0, queue.Queue()
        self.reader = threading.Thread(target=self._listen, daemon=True)
        self.reader.start()

    def _listen(self):
        with self.process.stdout as pipe:
            for line in pipe:
                self.replies.put(line)
        self.replies.put(b"")

    def is_alive(self):
        """Whether it can take a request."""
        return self.process.poll() is None

    def begin(self, request):
        """Send a request; the first reply says whether the answer can be called."""
        self.number += 1
        with contextlib.suppress(OSError):  # a child that has ended is told by `reply`
            pickle.dump({**request, "number": self.number}, self.process.stdin)
            self.process.stdin.flush()
        return self.reply(START)

    def reply(self, seconds):
        """Return the next outcome; what is not one, or is late, ends the child."""
        try:
            plain = json.loads(self.replies.get(timeout=seconds))
            if plain["number"] == self.number:
                return from_plain(plain)
        except queue.Empty:
            self.end()
            return Outcome("endless", text=f"no end after {seconds:g} seconds")
        except (ValueError, TypeError, LookupError):  # an answer may write anything
            pass
        except BaseException:  # KeyboardInterrupt: nobody waits any longer
            self.end()
            raise
        self.end()
        return Outcome("ended")

    def end(self):
        """Kill it, with all that an answer has started, and leave no zombie."""
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        if self.is_alive() and hasattr(os, "killpg"):
            with contextlib.suppress(OSError):  # and what it may have started
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        self.reader.join(timeout=1)


_LOCK = threading.Lock()
_children = {}  # by the process that started them: one that was forked starts its own


def _warm_child():
    me = os.getpid()
    if me in _children and not _children[me].is_alive():
        end()
    return _children.get(me) or _children.setdefault(me, Child())


@atexit.register
def end():
    """End the child, if there is one; the next answer starts another."""
    if child := _children.pop(os.getpid(), None):
        child.end()

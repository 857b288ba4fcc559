"""Run a long command so that a reader sees that it is alive, and why it failed.

Standard library only: `environment` uses this before anything is installed.
"""

import collections
import os
import subprocess
import sys
import threading
import time

TAIL = 40  # lines of output shown when a command fails
BEAT = 15.0  # seconds between two signs of life where there is no terminal


class CommandFailed(Exception):
    """A command ended badly; the message holds the end of its output."""


class _Ticker:
    """Show the newest line of output: in place on a terminal, else now and then."""

    def __init__(self, label, stream):
        self.label = label
        self.stream = stream
        self.start = self.shown = time.monotonic()
        self.terminal = stream.isatty()
        self.write("  " + label + " ...\n")

    def seconds(self):
        return time.monotonic() - self.start

    def write(self, text):
        self.stream.write(text)
        self.stream.flush()

    def tick(self, line):
        now = time.monotonic()
        if now - self.shown < (0.1 if self.terminal else BEAT):
            return
        self.shown = now
        text = f"    {self.seconds():4.0f} s  {line.strip()[:90]}"
        self.write(f"\r\033[K{text}" if self.terminal else text + "\n")

    def close(self, verdict):
        clear = "\r\033[K" if self.terminal else ""
        self.write(f"{clear}  {self.label}: {verdict} ({self.seconds():.0f} s)\n")


def run(label, command, idle_timeout=None, stream=None, **popen):
    """Run a command, showing its newest line; raise where it fails.

    Parameters
    ----------
    label : str
        What the command does, for a reader.
    command : list of str
        Program and arguments.
    idle_timeout : float, optional
        Seconds without a line of output after which the command is stopped.
    stream : file, optional
        Where progress is written; standard output by default.
    **popen
        Passed to `subprocess.Popen` (``cwd``, ``env``).

    Raises
    ------
    CommandFailed
        If the program is missing, ends with an error, or says nothing for too long.
    """
    ticker = _Ticker(label, stream or sys.stdout)
    tail = collections.deque(maxlen=TAIL)
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            **popen,
        )
    except OSError as error:
        ticker.close("failed")
        raise CommandFailed(f"{command[0]}: {error.strerror}") from error
    code = _follow(process, ticker, tail, idle_timeout)
    ticker.close("done" if code == 0 else "failed")
    if code != 0:
        raise CommandFailed("\n".join(tail) or f"{command[0]} ended with {code}")


def _follow(process, ticker, tail, idle_timeout):
    heard = [time.monotonic()]
    done = threading.Event()

    def watch():
        while not done.wait(0.2):
            quiet = time.monotonic() - heard[0]
            if idle_timeout and quiet > idle_timeout:
                tail.append(f"(stopped: no output for {idle_timeout:.0f} s)")
                process.kill()
                return
            ticker.tick(tail[-1] if tail else "")

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        for line in process.stdout:
            heard[0] = time.monotonic()
            tail.append(line.rstrip())
        return process.wait()
    except KeyboardInterrupt:
        process.kill()
        raise
    finally:
        done.set()
        watcher.join()
        process.stdout.close()
        process.wait()


def tools_first(folder):
    """Return a copy of the environment whose PATH begins with `folder`."""
    path = str(folder) + os.pathsep + os.environ.get("PATH", "")
    return dict(os.environ, PATH=path)

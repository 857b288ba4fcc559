"""Start programs in tests so that no test can wait for ever, and as shells do."""

import contextlib
import subprocess
import threading

# A shell starts what runs in the background with SIGINT ignored.
BEHIND = ("sh", "-c", 'trap "" INT; exec "$@"', "sh")
LIMIT = 120  # seconds; a machine that is busy with other things takes long


@contextlib.contextmanager
def started(command, *, behind=False, limit=LIMIT):
    """Start a program with pipes; it is killed at the end, at the latest after `limit`.

    A killed program closes its pipes, so what waits for a line then gets an empty one.
    """
    command = [*(BEHIND if behind else ()), *map(str, command)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:
        timer = threading.Timer(limit, process.kill)
        timer.start()
        try:
            yield process
        finally:
            timer.cancel()
            process.kill()


def ended(process):
    """Wait for the end of a started program; return (code, output, errors)."""
    out, errors = process.communicate()
    return process.returncode, out, errors


def stop(process):
    """Ask a program to end; one that does not is killed."""
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

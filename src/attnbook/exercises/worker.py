"""The child in which answers run: it reads requests and writes what happened.

Requests are pickles from the parent, which is trusted. Replies are JSON, since an
answer could write them: the parent never unpickles what a child has sent.
"""

import base64
import json
import os
import pickle
import sys

import numpy as np

from attnbook.exercises import judge
from attnbook.exercises.transfer import unpack

GRACE = 5  # seconds after its limit, then the child ends itself: the parent is gone


def main():
    """Serve requests until the parent closes the pipe."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "w")
    _close_the_usual_ones()
    while True:
        try:
            request = pickle.load(requests)
        except EOFError:
            return
        for reply in serve(request):
            reply = to_plain(reply) | {"number": request["number"]}
            replies.write(json.dumps(reply) + "\n")
            replies.flush()


def _close_the_usual_ones():
    """Give an answer that prints or reads nothing of the pipes."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    sys.stdout = sys.stderr = open(os.devnull, "w")


def serve(request):
    """Run one answer on its inputs.

    Parameters
    ----------
    request : dict
        ``answer`` as `transfer.pack` made it, ``inputs``, ``seconds``, ``may_use``.

    Yields
    ------
    Outcome
        First of kind ``ready``, or what keeps the answer from being called; then one
        for each input.
    """
    import faulthandler  # a browser has no use for it, and reads this module too

    try:
        answer = unpack(request["answer"])
    except BaseException as why:
        yield judge.Outcome("raised", text=judge.describe(why))
        return
    yield judge.Outcome("ready")
    for inputs in request["inputs"]:
        # A loop in C hears no signal and no thread. This watch needs neither.
        faulthandler.dump_traceback_later(
            request["seconds"] + GRACE, exit=True, file=sys.stderr
        )
        outcome = judge.run(answer, inputs, request["may_use"])
        faulthandler.cancel_dump_traceback_later()
        yield outcome


def to_plain(outcome):
    """Turn an outcome into what JSON holds.

    Parameters
    ----------
    outcome : Outcome

    Returns
    -------
    dict
    """
    plain = {"kind": outcome.kind, "text": outcome.text, "dtype": outcome.dtype}
    if outcome.value is not None:
        numbers = np.ascontiguousarray(outcome.value, dtype="<f8")
        plain["shape"] = outcome.value.shape
        plain["numbers"] = base64.b64encode(numbers.tobytes()).decode()
    return plain


def from_plain(plain):
    """Turn what a child has sent into an outcome; it may have sent anything.

    Parameters
    ----------
    plain : dict

    Returns
    -------
    Outcome
    """
    value = None
    if "numbers" in plain:
        raw = base64.b64decode(plain["numbers"])
        value = np.frombuffer(raw, "<f8").astype(float).reshape(plain["shape"])
    texts = {key: str(plain.get(key, "")) for key in ("kind", "text", "dtype")}
    return judge.Outcome(value=value, **texts)


if __name__ == "__main__":
    main()

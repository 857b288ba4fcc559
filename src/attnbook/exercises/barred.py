"""Hold an exercise's rule on what its answer may call.

Every call that an answer makes is looked at while it runs, so an alias, a method or a
function behind a function is seen as the call it is.
"""

import contextlib
import sys

# Packages that would do the work of an exercise. What is in none of them is free.
WATCHED = ("attnbook", "scipy", "torch")
_JUDGE = "attnbook.exercises."


class Barred(BaseException):
    """No Exception, so that an answer's own ``except`` does not swallow it."""


@contextlib.contextmanager
def watch(may_use, called):
    """Stop the body when it calls a package that it may not use.

    Parameters
    ----------
    may_use : tuple of str or None
        The packages that may be called; None for any.
    called : list of str
        Gets the name of the function that was called.

    Raises
    ------
    Barred
        From within the body, at the call.
    """
    if may_use is None:
        yield
        return
    barred = tuple(name for name in WATCHED if name not in may_use)

    def look(frame, event, what):
        name = _name_of(frame, event, what)
        if name.split(".")[0] in barred and not name.startswith(_JUDGE):
            called.append(_plain(name))
            raise Barred(name)

    former = sys.getprofile()
    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(former)


def _plain(name):
    """Leave out what Python calls it: an import runs `<module>`, a class `__init__`."""
    owner, _, last = name.rpartition(".")
    return owner if last.startswith(("<", "__")) else name


def _name_of(frame, event, what):
    """Return what is called, with its module; an empty text if nothing is."""
    if event == "call":
        module, name = frame.f_globals.get("__name__"), frame.f_code.co_name
    elif event == "c_call":
        owner = getattr(what, "__self__", None)
        owner = owner if isinstance(owner, type) else type(owner)
        module = getattr(what, "__module__", None) or owner.__module__
        name = getattr(what, "__name__", "")
    else:
        return ""
    return f"{module}.{name}" if isinstance(module, str) else ""

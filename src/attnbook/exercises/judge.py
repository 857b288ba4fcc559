"""Try an answer on inputs and compare what it does with what is right.

An answer is a stranger's code: it gets copies, it may raise, hang, print or return
anything. NumPy's functions are bound here at import, and numbers are compared with
plain operators, so an answer that replaces ``np.allclose`` gains nothing.
"""

import contextlib
import io
import signal
import threading
import warnings
from dataclasses import dataclass
from numbers import Real

from numpy import array, errstate, ndarray

SECONDS = 10  # for one call
LARGEST = 10**6  # numbers in an answer


class TooSlow(BaseException):
    """No Exception, so that an answer's own ``except`` does not swallow it."""


@dataclass(frozen=True)
class Outcome:
    """What one call did.

    Attributes
    ----------
    kind : str
        ``value``, ``raised``, ``changed`` (its input), ``odd`` (no numbers), ``stub``.
    value : ndarray or None
        The numbers, as float64.
    dtype : str
        The type that they came in.
    text : str
        What was raised or returned, for a message.
    """

    kind: str
    value: object = None
    text: str = ""
    dtype: str = ""


@contextlib.contextmanager
def time_limit(seconds=SECONDS):
    """Raise `TooSlow` in the body after a time; does nothing where signals can't.

    Parameters
    ----------
    seconds : float
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_):
        raise TooSlow

    former = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def run(answer, inputs, seconds=SECONDS):
    """Call an answer on copies of the inputs.

    Parameters
    ----------
    answer : callable
    inputs : tuple
        Arrays and plain values.
    seconds : float
        The time it may take.

    Returns
    -------
    Outcome
    """
    copies = [_copy(value) for value in inputs]
    try:
        with _quiet(), time_limit(seconds):
            result = answer(*copies)
    except TooSlow:
        return Outcome("raised", text=f"no end after {seconds:g} seconds")
    except BaseException as why:  # SystemExit and the like come from the answer too
        return Outcome("raised", text=describe(why))
    if result is ...:
        return Outcome("stub")
    changed = [not same(a, b) for a, b in zip(inputs, copies, strict=True)]
    if any(changed):
        return Outcome("changed")
    return read(result)


def read(result):
    """Read whatever an answer is as numbers.

    Parameters
    ----------
    result : object

    Returns
    -------
    Outcome
    """
    try:
        with _quiet(), time_limit():
            numbers = _floats(array(result, subok=False))
            kinds = "fiub" if numbers.ndim else "fiu"  # masks, but no lone True
            if numbers.dtype.kind not in kinds or numbers.size > LARGEST:
                return Outcome("odd", text=_type_name(result))
            return Outcome("value", numbers.astype(float), dtype=str(numbers.dtype))
    except BaseException:  # an odd object may raise anything while it is read
        return Outcome("odd", text=_type_name(result))


def _floats(numbers):
    """Turn fractions, alone or among other numbers, into what can be compared."""
    if numbers.dtype.kind != "O" or numbers.size > LARGEST:
        return numbers
    real = (isinstance(x, Real) and not isinstance(x, bool) for x in numbers.flat)
    return numbers.astype(float) if all(real) else numbers


def same(a, b, tolerance=0.0):
    """Whether two inputs or results agree, shapes included; NaN agrees with NaN.

    Parameters
    ----------
    a, b : object
    tolerance : float
        As a share of the size of each number of `b`, and absolutely below 1e-3 of it.

    Returns
    -------
    bool
    """
    if not isinstance(a, ndarray) or not isinstance(b, ndarray):
        return type(a) is type(b) and a == b
    if a.shape != b.shape:
        return False
    pairs = zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)
    return all(_close(x, y, tolerance) for x, y in pairs)


def _close(x, y, tolerance):
    if x == y or (x != x and y != y):
        return True
    size = y if y > 0 else -y
    gap = x - y if x > y else y - x
    finite = size < float("inf") and gap < float("inf")
    return finite and gap <= tolerance * (size if size > 1e-3 else 1e-3)


def describe(why):
    """Return an exception as one short line.

    Parameters
    ----------
    why : BaseException

    Returns
    -------
    str
    """
    try:
        text = str(why).split("\n")[0][:200]
    except BaseException:  # its __str__ may raise as well
        text = ""
    name = type(why).__name__
    return f"{name}: {text}" if text else name


def _type_name(value):
    return type(value).__name__


def _copy(value):
    return value.copy() if isinstance(value, ndarray) else value


@contextlib.contextmanager
def _quiet():
    silent = contextlib.redirect_stdout(io.StringIO())
    with silent, warnings.catch_warnings(), errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield

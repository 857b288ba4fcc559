"""Try an answer on inputs and compare what it does with what is right.

An answer is a stranger's code: it gets copies, it may raise, print or return anything.
NumPy's functions are bound here at import, and numbers are compared with plain
operators, so an answer that replaces ``np.allclose`` gains nothing.

Nothing here starts or ends a process. In a notebook, `attnbook.exercises.process` calls
`run` in a child that can be ended; in a browser, the page's worker is that child.
"""

import contextlib
import io
import sys
import warnings
from dataclasses import dataclass

from numpy import array, errstate, ndarray

from attnbook.exercises.barred import Barred, watch

LARGEST = 10**6  # numbers in an answer
COARSE = {"float32": 3e-5}  # what a type can promise: some hundred of its own steps


@dataclass(frozen=True)
class Outcome:
    """What one call did.

    Attributes
    ----------
    kind : str
        ``value``, ``raised``, ``endless``, ``barred`` (it called what it may not),
        ``changed`` (its input), ``nothing``, ``odd`` (no numbers) or ``stub``. Where it
        runs in a child, also ``ready``, ``ended`` or ``unsent``.
    value : ndarray or None
        The numbers, as float64.
    text : str
        What was raised, called or returned, for a message.
    dtype : str
        The type that the numbers came in.
    """

    kind: str
    value: object = None
    text: str = ""
    dtype: str = ""


def run(answer, inputs, may_use=None):
    """Call an answer on copies of the inputs.

    Parameters
    ----------
    answer : callable
    inputs : tuple
        Arrays and plain values.
    may_use : tuple of str, optional
        The packages that it may call; left out, any.

    Returns
    -------
    Outcome
    """
    copies = [_copy(value) for value in inputs]
    called = []
    try:
        with _quiet(), watch(may_use, called):
            result = answer(*copies)
    except Barred:
        result = None
    except TimeoutError as why:  # a typical wrong answer says so instead of waiting
        return Outcome("endless", text=describe(why))
    except BaseException as why:  # SystemExit and the like come from the answer too
        return Outcome("raised", text=describe(why))
    if called:
        return Outcome("barred", text=called[0])
    return _seen(result, inputs, copies)


def _seen(result, inputs, copies):
    if result is ...:
        return Outcome("stub")
    if result is None:
        return Outcome("nothing")
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
    if type(result) in (list, tuple) and len(result) > LARGEST:
        return Outcome("odd", text=_odd(result))  # reading it would take seconds
    try:
        with _quiet():
            numbers = _floats(array(_without_torch(result), subok=False))
            kinds = "fiub" if numbers.ndim else "fiu"  # masks, but no lone True
            if numbers.dtype.kind not in kinds or numbers.size > LARGEST:
                return Outcome("odd", text=_odd(result))
            return Outcome("value", numbers.astype(float), dtype=str(numbers.dtype))
    except BaseException:  # an odd object may raise anything while it is read
        return Outcome("odd", text=_odd(result))


def _without_torch(value):
    """Turn tensors, alone or in a list, into arrays, gradients or not."""
    if isinstance(value, list | tuple):
        return [_without_torch(part) for part in value]
    if "torch" in sys.modules and isinstance(value, sys.modules["torch"].Tensor):
        value = value.detach().cpu().resolve_conj()
        return (value.float() if "bfloat16" in str(value.dtype) else value).numpy()
    return value


def _floats(numbers):
    """Turn fractions and the like into what can be compared."""
    if numbers.dtype.kind != "O" or numbers.size > LARGEST:
        return numbers
    real = all(hasattr(type(x), "__float__") for x in numbers.flat)
    truths = any(isinstance(x, bool) for x in numbers.flat)
    return numbers.astype(float) if real and not truths else numbers


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


def _odd(result):
    """Name the type of what cannot be read, and that of the part that is no number."""
    whole = f"`{type(result).__name__}`"
    listed = type(result) in (list, tuple)
    size = result.size if type(result) is ndarray else len(result) if listed else 0
    if size > LARGEST:
        return f"{whole} of more than a million entries"
    if type(result) is ndarray:
        return f"{whole} of `{result.dtype}`"
    parts = result[:9] if listed else ()
    single = (part for part in parts if type(part) not in (list, tuple))
    name = next((type(part).__name__ for part in single if not _is_number(part)), "")
    return f"{whole} with a `{name}` in it" if name else whole


def _is_number(part):
    outcome = read(part)
    return outcome.kind == "value" and outcome.value.ndim == 0


def _copy(value):
    return value.copy() if isinstance(value, ndarray) else value


@contextlib.contextmanager
def _quiet():
    silent = contextlib.redirect_stdout(io.StringIO())
    with silent, warnings.catch_warnings(), errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield

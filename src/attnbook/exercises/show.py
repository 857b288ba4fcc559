"""Inputs and results as short text."""

import numpy as np


def block(value, digits=4):
    """Return a value as a block of code.

    Parameters
    ----------
    value : object
    digits : int
        Of a number's fraction, in an array.

    Returns
    -------
    str
    """
    return f"```\n{show(value, digits)}\n```"


def told_apart(got, wanted):
    """Return two arrays as blocks, with as many digits as it takes to see a difference.

    Parameters
    ----------
    got, wanted : ndarray

    Returns
    -------
    tuple of str
    """
    for digits in (4, 8, 12, 17):  # saturated weights need more
        pair = block(got, digits), block(wanted, digits)
        if pair[0] != pair[1]:
            break
    return pair


def show(value, digits=4):
    """Return an input or result as short text.

    Parameters
    ----------
    value : object
    digits : int
        Of a number's fraction, in an array.

    Returns
    -------
    str
    """
    if not isinstance(value, np.ndarray):
        return repr(value)
    if value.ndim == 0:
        number = float(value)
        return f"{number:,.0f}" if number.is_integer() else f"{number:.6g}"
    plain = not _looks_like_zeros(value, digits)
    text = np.array2string(value, precision=digits, threshold=40, suppress_small=plain)
    half = ", float16" if value.dtype == np.float16 else ""
    large = f"  (shape {value.shape}{half})" if value.size > 40 or half else ""
    return text + large


def _looks_like_zeros(value, digits):
    """Whether all of a row that is not 0 would be printed as 0."""
    rows = np.abs(np.nan_to_num(value.astype(float))).max(axis=-1, initial=0)
    return bool(((rows > 0) & (rows < 0.5 * 10.0**-digits)).any())

"""Small inputs that print well, and numbers as a text prints them."""

import numpy as np


def pattern(*shape, step=7, dtype=float):
    """Return whole numbers from -2 to 2 in an irregular order.

    Parameters
    ----------
    *shape : int
    step : int
        Another step gives another order.
    dtype : data type

    Returns
    -------
    ndarray
    """
    count = np.arange(np.prod(shape, dtype=int))
    return ((count * count + step * count + step) % 5 - 2).astype(dtype).reshape(shape)


def drawn(rng, *shape, digits=1):
    """Draw normal numbers with few digits, none of them 0.

    Parameters
    ----------
    rng : numpy.random.Generator
    *shape : int
    digits : int
        After the point.

    Returns
    -------
    ndarray
    """
    numbers = np.round(rng.normal(size=shape), digits)
    return np.where(numbers == 0, 1.0, numbers)


def listed(values):
    """Return numbers as a sentence lists them.

    Parameters
    ----------
    values : iterable of float

    Returns
    -------
    str
        Such as ``"2, 0.1, −0.5"``.
    """
    return ", ".join(f"{value:g}".replace("-", "−") for value in values)


def point(values, gap=", "):
    """Return numbers as a formula lists them.

    Parameters
    ----------
    values : iterable of float
    gap : str
        Between two numbers.

    Returns
    -------
    str
        Such as ``"(4, -1.5)"``.
    """
    return f"({gap.join(f'{value:g}' for value in values)})"

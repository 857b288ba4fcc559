"""Small inputs that print well."""

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

"""True values for questions, computed from the kernel by experiment.

Each function here may be called in a formula of a question file.
"""

from functools import cache

import numpy as np

from attnbook.kernel import attention_weights, softmax
from attnbook.stats import effective_keys


@cache
def median_effective_keys(n, d, divisor):
    """How many keys share a typical row, when queries and keys are random.

    Parameters
    ----------
    n : int
        Number of keys.
    d : int
        Width of queries and keys, whose entries are independent standard normals.
    divisor : float
        What the dot products are divided by.

    Returns
    -------
    float
        The median of ``1 / sum w**2`` over 1,000 queries with keys of their own
        for each hundred.
    """
    rng = np.random.default_rng(5)
    sizes = []
    for _ in range(10):
        Q, K = rng.standard_normal((100, d)), rng.standard_normal((n, d))
        sizes.append(effective_keys(attention_weights(Q, K, scale=1 / divisor)))
    return float(np.median(sizes))


def runner_up(temperature):
    """Return the weight of the second of the five scores 2, 1.5, -1, -1, -1.

    Parameters
    ----------
    temperature : float
        From 0 on; 0 stands for the limit, where the leader has everything.

    Returns
    -------
    float
        The weight.
    """
    gaps = np.array([0.0, -0.5, -3.0, -3.0, -3.0])
    if temperature == 0:
        return 0.0
    return float(softmax(gaps / temperature)[1])


TRUTHS = {f.__name__: f for f in (median_effective_keys, runner_up)}

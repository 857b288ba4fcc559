"""TODO: say what the student does, in one line."""

import numpy as np

from attnbook.claims import over
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax


def half_weight_lead(n_keys):
    """Return the lead over n_keys - 1 tied keys that earns a weight of one half."""
    number_of_rivals = n_keys - 1
    return np.log(number_of_rivals)


def counts_itself(n_keys):
    """Count the leader among its rivals."""
    return np.log(n_keys)


def one_rival(n_keys):
    """Forget that there are several rivals."""
    return 0.0 * n_keys


def without_log(n_keys):
    """Forget the logarithm."""
    return n_keys - 1.0


def in_bits(n_keys):
    """Take the logarithm to base 2."""
    return np.log2(n_keys - 1)


def probes(rng):
    """Try the same rows for everybody, the smallest first, then a fresh one."""
    return [(2,), (3,), (11,), (8192,), (int(rng.integers(20, 900)),)]


def weight_of_leader(lead, n_keys):
    """Work the weight out, to bind the texts."""
    return softmax(np.r_[lead, np.zeros(n_keys - 1)])[0]


EXERCISE = Exercise(
    type="implement",
    difficulty=1,
    minutes=5,
    stub='''
def half_weight_lead(n_keys):
    """Return the lead over n_keys - 1 tied keys that earns a weight of one half."""
    return ...
''',
    answer="half_weight_lead",
    solution=half_weight_lead,
    wrong=(counts_itself, one_rival, without_log, in_bits),
    probes=probes,
    numbers=lambda: {  # what the texts say in numbers and formulas
        "half of the weight": weight_of_leader(half_weight_lead(8), 8),
        "one half": weight_of_leader(half_weight_lead(8), 8),
        "weight is $e^c/(e^c + n - 1)$": lambda c, n: weight_of_leader(c, n),
        "where $e^c$ is $n - 1$": [
            over(lambda c: np.divide(*softmax([c, 0]))),
            lambda n: np.exp(half_weight_lead(n)),
        ],
    },
)

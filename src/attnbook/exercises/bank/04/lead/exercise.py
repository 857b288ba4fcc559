"""Derive the lead that a key needs, over any number of rivals."""

import numpy as np

from attnbook.claims import defined, over
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax


def lead(weight, n_keys):
    """Return by how much one key must lead the others, which are all tied."""
    return np.log(weight / (1 - weight)) + np.log(n_keys - 1)


def two_keys(weight, n_keys):
    """Forget the other rivals."""
    return np.log(weight / (1 - weight))


def counts_itself(weight, n_keys):
    """Count the leader among its rivals."""
    return np.log(weight / (1 - weight)) + np.log(n_keys)


def odds_without_log(weight, n_keys):
    """Forget the logarithm."""
    return weight / (1 - weight) * (n_keys - 1)


def weight_alone(weight, n_keys):
    """Take the weight for its odds."""
    return np.log(weight * (n_keys - 1))


def other_way(weight, n_keys):
    """Let many rivals make it easier."""
    return np.log(weight / (1 - weight)) - np.log(n_keys - 1)


def rivals_alone(weight, n_keys):
    """Find the lead for one half, whatever was asked."""
    return np.log(n_keys - 1)


def odds_upside_down(weight, n_keys):
    """Take the odds of the rivals."""
    return np.log((1 - weight) / weight) + np.log(n_keys - 1)


def rivals_multiply(weight, n_keys):
    """Multiply the lead by the number of rivals."""
    return (n_keys - 1) * np.log(weight / (1 - weight))


def never_behind(weight, n_keys):
    """Refuse to let the key lie behind."""
    return max(lead(weight, n_keys), 0)


def without_sign(weight, n_keys):
    """Give how far the key lies from the others, on whichever side."""
    return abs(lead(weight, n_keys))


def in_bits(weight, n_keys):
    """Take the logarithm to base 2."""
    return lead(weight, n_keys) / np.log(2)


def probes(rng):
    """Try a tie of two first, then more keys, other weights, a key that lies behind."""
    more = [(0.9, 11), (0.25, 64), (0.5, 8192), (0.1, 3), (0.999, 10**6), (1e-6, 4)]
    fresh = [(float(rng.uniform(0.02, 0.98)), int(rng.integers(3, 500)))]
    return [(0.5, 2), (0.75, 2), (0.5, 3), *more, *fresh]


HALF, MANY = 1 / 2, 8192


def _tied(lead, n_keys):
    """Return the weights of a key that leads and of the others."""
    return softmax(np.r_[lead, np.zeros(n_keys - 1)])


EXERCISE = Exercise(
    type="derive",
    difficulty=2,
    minutes=15,
    stub='''
def lead(weight, n_keys):
    """Return by how much one key must lead the others, which are all tied."""
    return ...
''',
    answer="lead",
    solution=lead,
    wrong=(
        two_keys,
        counts_itself,
        odds_without_log,
        weight_alone,
        other_way,
        rivals_alone,
        odds_upside_down,
        rivals_multiply,
        never_behind,
        without_sign,
        in_bits,
    ),
    probes=probes,
    numbers=lambda: {
        "for one half of": defined(HALF),
        "For one half the first term is 0": [HALF, two_keys(HALF, MANY)],
        "and 8,191 rivals": MANY - 1,
        "a lead of 9.01": lead(HALF, MANY),
        "lead for one half": defined(HALF),
        "other $n - 1$ keys": lambda n: _tied(0, n)[1:].size,
        "$p = e^c/(e^c + n - 1)$": lambda c, n: _tied(c, n)[0],
        r"$c = \ln\frac{p}{1-p} + \ln(n-1)$": lambda p, n: lead(p, n),
        "rival. $n - 1$ rivals": lambda n: _tied(0, n)[1:].size,
        "have $n - 1$ times its": lambda n: _tied(0, n)[1:].sum() / _tied(0, n)[1],
        "there are $n - 1$.": lambda n: _tied(0, n)[1:].size,
        "This is $e^c$": over(lambda c: np.divide(*_tied(c, 2))),
        "share $1 - p$": over(lambda p, n: _tied(lead(p, n), n)[1:].sum(), n=(2, 48)),
        "so $p/(1-p)$": lambda p: odds_without_log(p, 2),
        "below $1/n$": lambda n: _tied(-1, n)[0],
    },
)

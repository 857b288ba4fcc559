"""Derive the lead that a key needs, over any number of rivals."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong


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


def probes():
    """Try a tie of two first, then more keys, other weights, a key that lies behind."""
    more = [(0.9, 11), (0.25, 64), (0.5, 8192), (0.1, 3)]
    return [(0.5, 2), (0.75, 2), (0.5, 3), *more]


EXERCISE = Exercise(
    name="04-lead",
    title="how far must a key lead?",
    type="derive",
    difficulty=2,
    minutes=15,
    objective="seeing that a long row needs a larger lead.",
    statement=r"""
One key leads, and the other $n - 1$ keys are tied behind it. By how much must its score
lead theirs, at temperature 1, so that it gets the weight $p$? Write it as a function of
$p$ (between 0 and 1) and $n \ge 2$. How much is it for one half of a row of 8,192 keys?
""",
    stub='''
def lead(weight, n_keys):
    """Return by how much one key must lead the others, which are all tied."""
    return ...
''',
    answer="lead",
    solution=lead,
    explanation=r"""
With the lead $c$ the weight is $p = e^c/(e^c + n - 1)$. Solved for $c$ this is
$c = \ln\frac{p}{1-p} + \ln(n-1)$. For one half the first term is 0, and 8,191 rivals
ask for a lead of 9.01. Each rival is weak, but all of them together are not. Chapter 6
looks at long rows.
""",
    wrong=(
        Wrong(
            two_keys,
            "This holds for one rival. $n - 1$ rivals together have $n - 1$ times its "
            "weight.",
        ),
        Wrong(counts_itself, "The leader is no rival of itself: there are $n - 1$."),
        Wrong(odds_without_log, "This is $e^c$. Take its logarithm to get the lead."),
        Wrong(
            weight_alone,
            "The rivals share $1 - p$, so $p/(1-p)$ belongs where you have $p$.",
        ),
        Wrong(other_way, "More rivals make it harder. Check the sign."),
        Wrong(rivals_alone, "This is the lead for one half. Where is $p$?"),
        Wrong(odds_upside_down, "A larger weight needs a larger lead: check the odds."),
        Wrong(
            rivals_multiply,
            "The rivals' *powers* add up, so their number stands under the logarithm.",
        ),
        Wrong(
            never_behind,
            "A weight below $1/n$ belongs to a key that lies *behind*: the lead is "
            "negative.",
        ),
        Wrong(without_sign, "Keep the sign: a key with little weight lies behind."),
        Wrong(in_bits, "Softmax uses $e$: take the natural logarithm."),
    ),
    probes=probes,
)

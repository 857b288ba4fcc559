"""Predict, then run: entropy at both ends of the temperature, with a tie."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong


def limits():
    """Return the limits of the entropy for scores 3, 3, 3, 1, -1: cold, then hot."""
    return np.log(3), np.log(5)


def winner_takes_all():
    """Let one of the tied scores win."""
    return 0, np.log(5)


def two_tied():
    """Count the rivals of the first."""
    return np.log(2), np.log(5)


def counts():
    """Give the numbers of keys."""
    return 3, 5


def bits():
    """Take logarithms to base 2."""
    return np.log2(3), np.log2(5)


def other_way_round():
    """Confuse cold and hot."""
    return np.log(5), np.log(3)


def weights():
    """Give the weights of the leaders."""
    return 1 / 3, 1 / 5


def endless():
    """Let entropy grow as the temperature does."""
    return np.log(3), np.inf


def losers_left_out():
    """Forget one of the losers when it is hot."""
    return np.log(3), np.log(4)


def never_even():
    """Let the row freeze when it is hot, too."""
    return np.log(3), 0


def no_end():
    """Think that heat removes the losers."""
    return np.log(3), np.log(2)


EXERCISE = Exercise(
    name="04-ties",
    title="three in front",
    type="predict",
    difficulty=1,
    minutes=5,
    objective="knowing both ends of the temperature, ties included.",
    statement=r"""
The scores are 3, 3, 3, 1, −1. What does the entropy of the weights tend to, in nats,

1. as the temperature tends to 0;
2. as the temperature grows without end?

Write your two numbers down (`np.log` may help). Then measure at the temperatures 0.01
and 1,000 with `ab.entropy(ab.softmax(scores / temperature))`.
""",
    stub="""
cold = ...  # the temperature tends to 0
hot = ...  # the temperature grows without end
""",
    answer="(cold, hot)",
    solution=limits,
    explanation=r"""
Cold, the three leaders share: one third each, and the entropy is $\ln 3$. Hot, all
ratios tend to 1: one fifth each, and the entropy is $\ln 5$.
""",
    wrong=(
        Wrong(
            winner_takes_all,
            "No winner takes all here: the ratio of two tied scores is 1 at every "
            "temperature.",
        ),
        Wrong(two_tied, "Count again: how many scores are tied in front?"),
        Wrong(counts, "These are numbers of keys. Entropy is the logarithm of them."),
        Wrong(bits, "These are bits. For nats take the natural logarithm."),
        Wrong(other_way_round, "You have cold and hot the wrong way round."),
        Wrong(
            weights,
            "These are the weights. The entropy of $n$ equal weights is $\\ln n$.",
        ),
        Wrong(endless, "Entropy has a ceiling: no row is more even than an equal one."),
        Wrong(losers_left_out, "How many keys are there in all?"),
        Wrong(never_even, "Hot means even weights. Entropy is 0 when one has all."),
        Wrong(
            no_end,
            "Heat makes all weights alike, the losers' too: at the end five keys "
            "share.",
        ),
    ),
    tolerance=0.003,
)

"""Measure: the best cosine among a thousand random keys."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong


def largest():
    """Draw queries and keys, and take the mean of the largest cosine in each row."""
    rng = np.random.default_rng(0)
    Q, K = rng.standard_normal((400, 64)), rng.standard_normal((1000, 64))
    Q /= np.linalg.norm(Q, axis=1, keepdims=True)
    K /= np.linalg.norm(K, axis=1, keepdims=True)
    return (Q @ K.T).max(axis=1).mean()


def one_key():
    """Take the deviation of one cosine."""
    return 1 / np.sqrt(64)


def bound():
    """Take the bound for the expected value."""
    return np.sqrt(2 * np.log(1000)) / np.sqrt(64)


def product():
    """Forget to divide by the lengths."""
    return 8.0 * 3.24


def queries_normalised():
    """Cut the queries to length 1 and leave the keys."""
    return 3.24


def usual_size():
    """Take the mean size of a cosine."""
    return np.sqrt(2 / np.pi) / np.sqrt(64)


def of_all_pairs():
    """Take the largest of all 400,000 cosines."""
    return 0.56


EXERCISE = Exercise(
    name="03-best-stranger",
    title="how good is the best of a thousand strangers?",
    type="measure",
    difficulty=2,
    minutes=15,
    objective="knowing how large a cosine must be before it says anything.",
    statement=r"""
Draw queries and 1000 keys with 64 independent standard normal entries each. None of
them have anything to do with each other. Take the *largest cosine* that a query has
with any of the 1000 keys, and average this over some hundred queries. Your value may be
off by three parts in a hundred.
""",
    stub="""
rng = np.random.default_rng(0)
largest = ...  # the mean, over many queries, of the largest of 1000 cosines
""",
    answer="largest",
    solution=largest,
    explanation=r"""
About 0.39. One cosine spreads by $1/8$; the largest of 1000 lies more than three such
deviations out. So in 64 dimensions a best match with a cosine of 0.4, picked from a
thousand keys, is what chance gives. In the plane every angle is hit; in 1024 dimensions
0.1 is the best that chance can do.
""",
    wrong=(
        Wrong(
            one_key,
            "That is how far *one* cosine spreads. The largest of 1000 lies further "
            "out: take `max(axis=1)` and then the mean.",
        ),
        Wrong(
            bound,
            "That is the bound $\\sqrt{2\\ln n}$ in deviations. The mean lies below "
            "it: measure.",
        ),
        Wrong(
            product,
            "These are dot products. Divide by the lengths of both vectors.",
        ),
        Wrong(
            queries_normalised,
            "You have divided by the length of the query only. Divide by the keys' "
            "lengths too.",
        ),
        Wrong(
            usual_size,
            "That is the mean size of *a* cosine. Take the largest of each row first.",
        ),
        Wrong(
            of_all_pairs,
            "That is the largest over *all* pairs. Take the largest of each row, then "
            "the mean over the rows.",
        ),
    ),
    tolerance=0.03,
)

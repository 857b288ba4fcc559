"""Implement: the slope of a loss by the temperature."""

from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise
from attnbook.kernel import softmax


def _back(X, V, dO, tau):
    """Return the gradient by the divided scores."""
    P = softmax(X / tau)
    dP = dO @ V.T
    return P * (dP - (P * dP).sum(axis=-1, keepdims=True))


def slope(X, V, dO, tau):
    """Return the derivative of the loss by tau."""
    P, dP = softmax(X / tau), dO @ V.T
    dS = P * (dP - (P * dP).sum(axis=-1, keepdims=True))
    return -(dS * X).sum() / tau**2


def by_the_factor(X, V, dO, tau):
    """Take the derivative by one over tau."""
    return (_back(X, V, dO, tau) * X).sum()


def by_the_logarithm(X, V, dO, tau):
    """Take the derivative by the logarithm of tau."""
    return -(_back(X, V, dO, tau) * X).sum() / tau


def sign_lost(X, V, dO, tau):
    """Forget that a larger temperature makes scores smaller."""
    return (_back(X, V, dO, tau) * X).sum() / tau**2


def blend_forgotten(X, V, dO, tau):
    """Leave out what the blend is worth."""
    return -(softmax(X / tau) * (dO @ V.T) * X).sum() / tau**2


def softmax_skipped(X, V, dO, tau):
    """Go back from the output to the scores without softmax."""
    return -((dO @ V.T) * X).sum() / tau**2


def mean_of_rows(X, V, dO, tau):
    """Take the mean over the queries."""
    return slope(X, V, dO, tau) / len(X)


def weights_at_one(X, V, dO, tau):
    """Forget the temperature in the weights."""
    return -(_back(X, V, dO, 1.0) * X).sum() / tau**2


def probes(rng):
    """One query and two keys first; no temperature is 1."""
    shapes = [(1, 2, 1, 2.0), (2, 3, 2, 0.5), (3, 4, 2, 4.0)]
    whole = [
        (
            pattern(m, n) + 0.5,
            pattern(n, v, step=3) + 0.3,
            pattern(m, v, step=4) + 0.2,
            t,
        )
        for m, n, v, t in shapes
    ]
    return [*whole, (drawn(rng, 3, 5), drawn(rng, 5, 2), drawn(rng, 3, 2), 1.5)]


EXERCISE = Exercise(
    type="implement",
    difficulty=3,
    minutes=20,
    stub='''
from attnbook.kernel import softmax

def slope(X, V, dO, tau):
    """Return the loss's slope by tau, where O = softmax(X / tau) V."""
    return ...
''',
    answer="slope",
    solution=slope,
    wrong=(
        by_the_factor,
        by_the_logarithm,
        sign_lost,
        blend_forgotten,
        softmax_skipped,
        mean_of_rows,
        weights_at_one,
    ),
    probes=probes,
)

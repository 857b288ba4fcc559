"""Find the bug: a triangle that starts in the wrong corner."""

import numpy as np

from attnbook.claims import over
from attnbook.exercises.master import Exercise


def cached_mask(n_q, n_k):
    """Let the last queries of a sequence see what came before them."""
    return np.tril(np.ones((n_q, n_k), dtype=bool), k=n_k - n_q)


def as_given(n_q, n_k):
    """Start in the top left corner."""
    return np.tril(np.ones((n_q, n_k), dtype=bool))


def strict(n_q, n_k):
    """Hide the diagonal too."""
    return np.tril(np.ones((n_q, n_k), dtype=bool), k=n_k - n_q - 1)


def wrong_sign(n_q, n_k):
    """Move the diagonal the other way."""
    return np.tril(np.ones((n_q, n_k), dtype=bool), k=n_q - n_k)


def without_sign(n_q, n_k):
    """Move to the right, whichever is more."""
    return np.tril(np.ones((n_q, n_k), dtype=bool), k=abs(n_k - n_q))


def all_seen(n_q, n_k):
    """Give up the mask."""
    return np.ones((n_q, n_k), dtype=bool)


def blocked(n_q, n_k):
    """Mark what is hidden."""
    return ~cached_mask(n_q, n_k)


def never_backwards(n_q, n_k):
    """Mend it for more keys than queries only."""
    return np.tril(np.ones((n_q, n_k), dtype=bool), k=max(n_k - n_q, 0))


def one_query_alone(n_q, n_k):
    """Let a single query see everything, and leave the rest as it was."""
    return all_seen(n_q, n_k) if n_q == 1 else as_given(n_q, n_k)


def rows_of_a_square(n_q, n_k):
    """Take the last rows of the mask of all keys, as many as there are."""
    return np.tril(np.ones((n_k, n_k), dtype=bool))[max(n_k - n_q, 0) :]


def one_too_many(n_q, n_k):
    """Let each query see the key after it."""
    return np.tril(np.ones((n_q, n_k), dtype=bool), k=n_k - n_q + 1)


def upper(n_q, n_k):
    """Keep the other triangle."""
    return np.triu(np.ones((n_q, n_k), dtype=bool), k=n_k - n_q)


def no_empty_rows(n_q, n_k):
    """Let a query with no key see the first one."""
    mask = cached_mask(n_q, n_k)
    mask[~mask.any(axis=1), 0] = True
    return mask


def complaint(n_q, n_k, value):
    """Say which pair is wrong."""
    wanted = cached_mask(n_q, n_k)
    if value.shape != wanted.shape:
        return f"the mask has shape {value.shape}, expected {wanted.shape}"
    wrong = np.argwhere(value != wanted)
    if not len(wrong):
        return None
    i, j = wrong[0]
    verb = "see" if wanted[i, j] else "not see"
    return f"query {i} should {verb} key {j}"


def probes(rng):
    """Try a single pair, one query with a cache, and both shapes of rectangle."""
    fresh = [tuple(int(n) for n in rng.integers(2, 9, 2)) for _ in range(3)]
    return [(1, 1), (3, 3), (1, 5), (2, 5), (5, 3), (4, 0), (3, 4), (7, 1), *fresh]


EXERCISE = Exercise(
    type="bug",
    difficulty=2,
    minutes=8,
    stub='''
def cached_mask(n_q, n_k):
    """Let the last queries of a sequence see what came before them."""
    return np.tril(np.ones((n_q, n_k), dtype=bool))
''',
    answer="cached_mask",
    solution=cached_mask,
    given=as_given,
    wrong=(
        strict,
        wrong_sign,
        without_sign,
        all_seen,
        blocked,
        never_backwards,
        one_query_alone,
        rows_of_a_square,
        one_too_many,
        upper,
        no_empty_rows,
    ),
    probes=probes,
    complaint=complaint,
    may_use=("scipy", "torch"),
    numbers=lambda: {
        "it is 0: a test": np.flatnonzero(cached_mask(3, 3)[0])[-1],
        "Of 5 keys, which does the last of 2 queries": list(as_given(2, 5).T.shape),
        "with five keys": as_given(2, 5).shape[1],
        "$i + n_k - n_q$": over(
            lambda i, n_k, n_q: np.flatnonzero(cached_mask(n_q, n_k)[i])[-1],
            n_q=(5, 9),
            n_k=(9, 20),
        ),
    },
)

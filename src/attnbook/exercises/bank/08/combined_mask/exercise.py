"""Implement a mask that is causal, has a window, and hides padding."""

import numpy as np

from attnbook.exercises.master import Exercise


def combined_mask(n, length, left):
    """Return which of n queries may see which of n keys, True = may attend."""
    query, key = np.arange(n)[:, None], np.arange(n)
    causal = key <= query
    window = key >= query - left
    real = key < length
    return causal & window & real


def no_window(n, length, left):
    """Forget the window."""
    return combined_mask(n, length, n)


def no_padding(n, length, left):
    """Forget the padding."""
    return combined_mask(n, n, left)


def padded_queries(n, length, left):
    """Hide rows instead of columns."""
    real = (np.arange(n) < length)[:, None]
    return combined_mask(n, n, left) & real


def any_of_them(n, length, left):
    """Combine with or."""
    query, key = np.arange(n)[:, None], np.arange(n)
    return ((key <= query) & (key >= query - left)) | (key < length)


def one_too_few(n, length, left):
    """Count the query itself as one of the keys before it."""
    return combined_mask(n, length, left - 1)


def one_too_many(n, length, left):
    """Look back one key too far."""
    return combined_mask(n, length, left + 1)


def one_key_of_padding(n, length, left):
    """Count the keys from 1."""
    return combined_mask(n, length + 1, left)


def without_itself(n, length, left):
    """Hide the diagonal."""
    return combined_mask(n, length, left) & ~np.eye(n, dtype=bool)


def itself_always(n, length, left):
    """Let padding look at itself."""
    return combined_mask(n, length, left) | np.eye(n, dtype=bool)


def both_ways(n, length, left):
    """Forget that the mask is causal."""
    query, key = np.arange(n)[:, None], np.arange(n)
    return (abs(query - key) <= left) & (key < length)


def no_future(n, length, left):
    """Let each query see all that comes later."""
    query, key = np.arange(n)[:, None], np.arange(n)
    return (key >= query - left) & (key < length)


def padding_first(n, length, left):
    """Look for the padding at the start."""
    return combined_mask(n, n, left) & (np.arange(n) >= n - length)


def transposed(n, length, left):
    """Take rows for keys."""
    return combined_mask(n, length, left).T


def hidden(n, length, left):
    """Mark what is hidden."""
    return ~combined_mask(n, length, left)


def complaint(n, length, left, value):
    """Say which pair is wrong."""
    wanted = combined_mask(n, length, left)
    if value.shape != wanted.shape:
        return f"the mask has shape {value.shape}, expected {wanted.shape}"
    wrong = np.argwhere(value != wanted)
    if not len(wrong):
        return None
    i, j = wrong[0]
    return f"query {i} should {'see' if wanted[i, j] else 'not see'} key {j}"


def probes(rng):
    """One token, then windows and padding alone and together."""
    fresh = []
    for n in (5, 7):
        length, left = rng.integers(1, n + 1), rng.integers(0, n - 1)
        fresh.append((n, int(length), int(left)))
    fixed = [
        (1, 1, 0),
        (4, 4, 1),
        (4, 2, 4),
        (6, 5, 2),
        (6, 3, 1),
        (3, 0, 2),
        (5, 5, 0),
    ]
    return [*fixed, (4, 3, 99), *fresh]


EXERCISE = Exercise(
    type="implement",
    difficulty=2,
    minutes=10,
    stub='''
def combined_mask(n, length, left):
    """Return which of n queries may see which of n keys, True = may attend."""
    return ...
''',
    answer="combined_mask",
    solution=combined_mask,
    wrong=(
        no_window,
        no_padding,
        padded_queries,
        any_of_them,
        one_too_few,
        one_too_many,
        one_key_of_padding,
        without_itself,
        itself_always,
        both_ways,
        no_future,
        padding_first,
        transposed,
        hidden,
    ),
    probes=probes,
    complaint=complaint,
    may_use=(),
    numbers=lambda: {
        "keys are 0 to": np.flatnonzero(combined_mask(4, 2, 4)[3])[0],
    },
)

"""Implement a mask that is causal, has a window, and hides padding."""

import numpy as np

from attnbook.exercises.master import Exercise, Wrong


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
    """Say which pair is wrong; a mask may come as 0 and 1."""
    wanted = combined_mask(n, length, left)
    if value.shape != wanted.shape:
        return f"the mask has shape {value.shape}, expected {wanted.shape}"
    wrong = np.argwhere(value != wanted)
    if not len(wrong):
        return None
    i, j = wrong[0]
    return f"query {i} should {'see' if wanted[i, j] else 'not see'} key {j}"


def probes():
    """One token, then windows and padding alone and together."""
    return [(1, 1, 0), (4, 4, 1), (4, 2, 4), (6, 5, 2), (6, 3, 1), (3, 0, 2)]


EXERCISE = Exercise(
    name="08-combined-mask",
    title="three masks in one",
    type="implement",
    difficulty=2,
    minutes=10,
    objective="writing rules for pairs, and combining them.",
    statement=r"""
`n` tokens attend to each other. The first `length` of them are real, the others are
padding, at the end. Each query may see itself and up to `left` keys *before* it, no key
after it, and no padding. Return a boolean array of shape `(n, n)`, queries in rows,
`True` = may attend, for padding queries by the same rules. Use NumPy alone.
""",
    stub='''
def combined_mask(n, length, left):
    """Return which of n queries may see which of n keys, True = may attend."""
    return ...
''',
    answer="combined_mask",
    solution=combined_mask,
    explanation=r"""
A column of query numbers against a row of key numbers gives every pair at once. Each
rule is one comparison, and `&` combines them: a key is seen if *every* rule allows it.
Rows of padding queries may end up empty; that is for the softmax to cope with.
""",
    wrong=(
        Wrong(no_window, "How far back may a query look? Use `left`."),
        Wrong(no_padding, "Padding keys are still seen. Use `length`."),
        Wrong(
            padded_queries,
            "You emptied the rows of padding *queries*. Padding is hidden as a key: a "
            "column.",
        ),
        Wrong(any_of_them, "You combined with *or*. A key is seen if all rules agree."),
        Wrong(one_too_few, "The query itself does not count among the `left` keys."),
        Wrong(one_too_many, "A query may see `left` keys before it, and no more."),
        Wrong(
            one_key_of_padding,
            "The first padding key is still seen: real keys are 0 to `length - 1`.",
        ),
        Wrong(without_itself, "Each query may see itself: keep the diagonal."),
        Wrong(
            itself_always,
            "Padding is hidden from *every* query, from itself too. Its row may be "
            "empty; that is for the softmax to cope with.",
        ),
        Wrong(both_ways, "No key after the query: the mask is causal as well."),
        Wrong(no_future, "The keys after the query are still seen."),
        Wrong(padding_first, "The padding stands at the *end*."),
        Wrong(transposed, "Queries are rows, keys are columns: yours are swapped."),
        Wrong(hidden, "You marked what is hidden. `True` means may attend here."),
    ),
    probes=probes,
    complaint=complaint,
)

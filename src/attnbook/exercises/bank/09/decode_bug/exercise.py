"""Find the bug: rotary positions while a cache is in use."""

import numpy as np

from attnbook.exercises.inputs import drawn, pattern
from attnbook.exercises.master import Exercise
from attnbook.kernel import attention
from attnbook.positions import rotary

LAYOUT = "half_split"


def next_output(q, K, V):
    """Return the newest token's output; its own key and value come last."""
    last = len(K) - 1
    Q = rotary(q[None], [last], layout="half_split")
    return attention(Q, rotary(K, layout="half_split"), V)[0]


def as_given(q, K, V):
    """Let the newest token stand at place 0."""
    Q = rotary(q[None], layout=LAYOUT)
    return attention(Q, rotary(K, layout=LAYOUT), V)[0]


def one_too_far(q, K, V):
    """Put the query one place after its own key."""
    Q = rotary(q[None], [len(K)], layout=LAYOUT)
    return attention(Q, rotary(K, layout=LAYOUT), V)[0]


def other_layout(q, K, V):
    """Turn the query in the other layout."""
    Q = rotary(q[None], [len(K) - 1], layout="interleaved")
    return attention(Q, rotary(K, layout=LAYOUT), V)[0]


def keys_left(q, K, V):
    """Turn the query alone."""
    return attention(rotary(q[None], [len(K) - 1], layout=LAYOUT), K, V)[0]


def values_turned(q, K, V):
    """Turn the values as well."""
    Q = rotary(q[None], [len(K) - 1], layout=LAYOUT)
    return attention(Q, rotary(K, layout=LAYOUT), rotary(V, layout=LAYOUT))[0]


def nothing_turned(q, K, V):
    """Leave positions out."""
    return attention(q[None], K, V)[0]


def counted_back(q, K, V):
    """Count the keys back from the newest, upwards."""
    back = np.arange(len(K))[::-1]
    return attention(rotary(q[None], layout=LAYOUT), rotary(K, back, layout=LAYOUT), V)[
        0
    ]


def probes(rng):
    """One key, two, three of width 2; then wider ones."""
    small = [
        (pattern(d), pattern(n, d, step=3), pattern(n, 2, step=4))
        for n, d in ((1, 2), (2, 2), (3, 2), (3, 4))
    ]
    fresh = [(drawn(rng, 6), drawn(rng, n, 6), drawn(rng, n, 4)) for n in (4, 7)]
    return small + fresh


EXERCISE = Exercise(
    type="bug",
    difficulty=2,
    minutes=10,
    stub='''
from attnbook import attention, rotary

def next_output(q, K, V):
    """Return the newest token's output; its own key and value come last."""
    Q = rotary(q[None], layout="half_split")
    return attention(Q, rotary(K, layout="half_split"), V)[0]
''',
    answer="next_output",
    solution=next_output,
    given=as_given,
    wrong=(
        one_too_far,
        other_layout,
        keys_left,
        values_turned,
        nothing_turned,
        counted_back,
    ),
    probes=probes,
)

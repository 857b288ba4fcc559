"""Implement the size of the cache of keys and values."""

from attnbook.exercises.master import Exercise


def cache_bytes(n, n_layers, n_heads, n_kv_heads, d_head, itemsize):
    """Return the bytes of all keys and values of n tokens."""
    return n * n_layers * 2 * n_kv_heads * d_head * itemsize


def one_layer(n, n_layers, n_heads, n_kv_heads, d_head, itemsize):
    """Count one layer."""
    return n * 2 * n_kv_heads * d_head * itemsize


def keys_only(n, n_layers, n_heads, n_kv_heads, d_head, itemsize):
    """Forget the values."""
    return n * n_layers * n_kv_heads * d_head * itemsize


def every_head(n, n_layers, n_heads, n_kv_heads, d_head, itemsize):
    """Let every query head have its own."""
    return n * n_layers * 2 * n_heads * d_head * itemsize


def numbers(n, n_layers, n_heads, n_kv_heads, d_head, itemsize):
    """Count numbers instead of bytes."""
    return n * n_layers * 2 * n_kv_heads * d_head


def with_queries(n, n_layers, n_heads, n_kv_heads, d_head, itemsize):
    """Keep the queries too."""
    return n * n_layers * (2 * n_kv_heads + n_heads) * d_head * itemsize


def scores(n, n_layers, n_heads, n_kv_heads, d_head, itemsize):
    """Count the scores."""
    return n * n * n_layers * n_heads * itemsize


def probes(rng):
    """Try a tiny model, a large one, and one that shares its keys and values."""
    fresh = (int(rng.integers(50, 999)), 7, 12, int(rng.choice([2, 3])), 80, 4)
    return [
        (1, 1, 2, 1, 4, 2),
        (4096, 32, 32, 32, 128, 2),
        (8192, 80, 64, 8, 128, 2),
        (100, 3, 8, 1, 64, 4),
        (77, 5, 6, 3, 11, 1),
        fresh,
    ]


EXERCISE = Exercise(
    type="implement",
    difficulty=1,
    minutes=6,
    stub='''
def cache_bytes(n, n_layers, n_heads, n_kv_heads, d_head, itemsize):
    """Return the bytes of all keys and values of n tokens."""
    return ...
''',
    answer="cache_bytes",
    solution=cache_bytes,
    wrong=(
        one_layer,
        keys_only,
        every_head,
        numbers,
        with_queries,
        scores,
    ),
    probes=probes,
)

"""Implement the size of the cache of keys and values."""

from attnbook.exercises.master import Exercise, Wrong


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


def probes():
    """Try a tiny model, a large one, and one that shares its keys and values."""
    return [
        (1, 1, 2, 1, 4, 2),
        (4096, 32, 32, 32, 128, 2),
        (8192, 80, 64, 8, 128, 2),
        (100, 3, 8, 1, 64, 4),
    ]


EXERCISE = Exercise(
    name="12-cache-bytes",
    title="what a conversation weighs",
    type="implement",
    difficulty=1,
    minutes=6,
    objective="saying what a cache holds, for every layer and for shared heads.",
    statement=r"""
While a model writes, it keeps the keys and the values of all `n` tokens, in every
layer. Of its `n_heads` heads, `n_kv_heads` have keys and values of their own; the
others share these. Return the bytes.
""",
    stub='''
def cache_bytes(n, n_layers, n_heads, n_kv_heads, d_head, itemsize):
    """Return the bytes of all keys and values of n tokens."""
    return ...
''',
    answer="cache_bytes",
    solution=cache_bytes,
    explanation=r"""
Two vectors of width `d_head`, a key and a value, for each token, layer and head that
has its own. `n_heads` does not occur: queries are used once and never kept.
""",
    wrong=(
        Wrong(one_layer, "Each layer has keys and values of its own."),
        Wrong(keys_only, "Values are kept too."),
        Wrong(every_head, "Heads that share keys and values keep them once."),
        Wrong(numbers, "That is how many numbers. How many bytes does one take?"),
        Wrong(with_queries, "No later token asks with an old query: none is kept."),
        Wrong(scores, "Those are the scores. A cache holds keys and values."),
    ),
    probes=probes,
)

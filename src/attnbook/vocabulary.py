"""A small vocabulary: sentences of these words get Q, K and V from one table.

Words of one kind have the same three vectors, so the whole table fits on a page. It
holds the running sentence of `attnbook.toydata`, with the same numbers.
`widgets/kit/vocabulary.js` is the twin of this file.
"""

import re
from typing import NamedTuple

import numpy as np

from attnbook.toydata import RunningExample

MOST = 8  # words in a sentence


class Kind(NamedTuple):
    """What words of one kind ask for, what they are found by, and what they tell."""

    asks: tuple  # animal, doing, person, grammar word
    is_: tuple  # the same four
    tells: tuple  # animal (+) or person (-), doing (+) or grammar word (-)


KINDS = {
    "article": Kind((2, 0, 0, 0), (0, 0, 0, 2), (0, -1)),
    "animal": Kind((0, 2, 0, 1), (3, 0, 0, 0), (2, 0)),
    "person": Kind((0, 2, -1, 0), (0, 0, 3, 0), (-2, 0)),
    "meeting": Kind((1, 0, 2, 0), (0, 3, 0, 0), (0, 2)),
    "animal's doing": Kind((2, -1, 0, 0), (0, 2, 0, 0), (1, 2)),
    "person's doing": Kind((0, -1, 2, 0), (0, 2, 0, 0), (-1, 2)),
    "animal's pronoun": Kind((2, 0, -1, 0), (1, 0, 0, 1), (1, -1)),
    "person's pronoun": Kind((-1, 0, 2, 0), (0, 0, 1, 1), (-1, -1)),
}
WORDS = {
    "article": "the a",
    "animal": "dog cat horse bird",
    "person": "Kim Ann girl boy",
    "meeting": "saw fed heard called",
    "animal's doing": "barked meowed neighed chirped",
    "person's doing": "laughed waved wrote",
    "animal's pronoun": "it",
    "person's pronoun": "she he",
}
# What a word is written as, and its kind, by its small letters.
_WORDS = {
    word.lower(): (word, kind)
    for kind, words in WORDS.items()
    for word in words.split()
}
PATTERN = "(?:{0})(?: (?:{0})){{0,{1}}}".format("|".join(_WORDS), MOST - 1)


def read(text):
    """Return the words of a sentence in small letters, without punctuation.

    Parameters
    ----------
    text : str
        One to eight words of the vocabulary.

    Returns
    -------
    tuple of str

    Raises
    ------
    ValueError
        If a word is not in the vocabulary, or there are too few or too many.

    Examples
    --------
    >>> read("The dog saw Kim; it barked.")
    ('the', 'dog', 'saw', 'kim', 'it', 'barked')
    """
    words = tuple(re.findall(r"[^\W\d_]+", text.lower()))
    unknown = [word for word in words if word not in _WORDS]
    if unknown:
        raise ValueError(f"words must be of the vocabulary, got {', '.join(unknown)}")
    if not 1 <= len(words) <= MOST:
        raise ValueError(f"a sentence must have 1 to {MOST} words, got {len(words)}")
    return words


def sentence(text):
    """Return a sentence with the Q, K and V that the table gives its words.

    Parameters
    ----------
    text : str
        As for `read`.

    Returns
    -------
    RunningExample
        ``tokens``, and ``Q``, ``K`` of shape (n, 4), ``V`` of shape (n, 2).

    Raises
    ------
    ValueError
        As `read`.

    Examples
    --------
    >>> tokens, Q, K, V = sentence("Ann fed the cat.")
    >>> tokens[3], K[3]
    ('cat', array([3., 0., 0., 0.]))
    """
    words = read(text)
    names, kinds = zip(*(_WORDS[word] for word in words), strict=True)
    columns = zip(*(KINDS[kind] for kind in kinds), strict=True)
    first = names[0][0].upper() + names[0][1:]
    return RunningExample(
        (first, *names[1:]), *(np.array(X, dtype=float) for X in columns)
    )


def asker(text):
    """Return the place of the word whose look back is shown: a pronoun, or the last.

    Parameters
    ----------
    text : str
        As for `read`.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        As `read`.

    Examples
    --------
    >>> asker("The dog saw Kim; it barked."), asker("Kim waved")
    (4, 1)
    """
    words = read(text)
    pronouns = [i for i, word in enumerate(words) if _WORDS[word][1].endswith("noun")]
    return pronouns[0] if pronouns else len(words) - 1

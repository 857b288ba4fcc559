"""WordPull: a sentence, who looks where, and the values that pull the output."""

from html import escape

import numpy as np

from attnbook import vocabulary
from attnbook.kernel import attention_weights
from attnbook.widgets import words
from attnbook.widgets.base import LiveFigure

TIE = 1e-9  # scores nearer than this are equal


class WordPull(LiveFigure, figure="word_pull"):
    """One word's look back: scores, weights, and the output among the values.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    text : str
        One to eight words of `attnbook.vocabulary`, in small letters, without
        punctuation.
    row : int or None
        The word that asks, from 0 to 7; by default a pronoun, or the last word. A place
        behind the sentence is its last word.
    temperature : float
        0.05 to 20, no unit: scores are divided by it before softmax.

    """

    @property
    def sentence_vectors(self):
        """The tokens with their Q, K and V."""
        return vocabulary.sentence(self.text)

    @property
    def asking(self):
        """The place of the word that asks."""
        if self.row is None:
            return vocabulary.asker(self.text)
        return min(self.row, len(self.sentence_vectors.tokens) - 1)

    @property
    def V(self):
        """The values, one a row, shape (n, 2)."""
        return self.sentence_vectors.V

    @property
    def scores(self):
        """The scaled scores of the word that asks, shape (n,)."""
        _, Q, K, _ = self.sentence_vectors
        return K @ Q[self.asking] / np.sqrt(K.shape[1])

    @property
    def weights(self):
        """Its weights, shape (n,)."""
        _, Q, K, _ = self.sentence_vectors
        query = Q[[self.asking]]
        return attention_weights(query, K, temperature=self.temperature)[0]

    @property
    def output(self):
        """The mean of the values by these weights, shape (2,)."""
        return self.weights @ self.V

    def measure(self):
        """Return the measured numbers and names, a flat dictionary."""
        tokens, scores, output = self.sentence_vectors.tokens, self.scores, self.output
        leaders = np.flatnonzero(scores >= scores.max() - TIE)
        names = _unique([tokens[j] for j in leaders])
        middle = self.V.mean(axis=0)
        return {
            "asker": tokens[self.asking],
            "winner": " and ".join(names),
            "leaders": len(names),
            "n_words": len(tokens),
            "largest_weight": float(self.weights.max()),
            "out_x": float(output[0]),
            "out_y": float(output[1]),
            "gap": float(np.linalg.norm(output - self.V[leaders[0]])),
            "middle_gap": float(np.linalg.norm(output - middle)),
            "summary": "tie" if len(names) > 1 else "default",
        }

    def _places(self):
        """Return for each value the words that have it, with their weights."""
        found = {}
        triples = zip(self.sentence_vectors.tokens, self.V, self.weights, strict=True)
        for token, value, weight in triples:
            found.setdefault(tuple(value), []).append(f"{token} {weight:.2f}")
        return found

    def picture(self, alt):
        """Return the values with their weights and the output, a still SVG."""
        dots = [_dot(value, ", ".join(said)) for value, said in self._places().items()]
        x, y = _place(self.output)
        name = escape(words.template("word_pull.plane.output"))
        return (
            '<svg viewBox="0 0 360 260" width="360" height="260" role="img" '
            'text-anchor="middle" font-family="inherit" font-size="13" '
            f'aria-label="{escape(alt)}">{"".join(dots)}<circle cx="{x:.1f}" '
            f'cy="{y:.1f}" r="6" fill="currentColor"/><text x="{x:.1f}" '
            f'y="{y + 20:.1f}" fill="currentColor">{name}</text></svg>'
        )


def _unique(tokens):
    """Return words without repetition, "The" and "the" being one."""
    found = {}
    for token in tokens:
        found.setdefault(token.lower(), token)
    return list(found.values())


def _place(point):
    """Return where a value stands in the still picture."""
    return 180 + 56 * point[0], 140 - 46 * point[1]


def _dot(value, text):
    """Return a value as a dot with the names and weights of its words."""
    x, y = _place(value)
    below = 18 if abs(value[0]) == 1 else -9
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="var(--attn-v)"/><text '
        f'x="{min(max(x, 60), 300):.1f}" y="{y + below:.1f}" fill="var(--attn-v)">'
        f"{escape(text)}</text>"
    )

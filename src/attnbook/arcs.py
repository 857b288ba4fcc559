"""Arcs over a sentence: from the word that asks to those that answer.

Plain HTML and SVG: radio buttons choose the word that asks, so the arcs live without a
script, on a page, in a notebook and from the keyboard.
"""

import itertools

import numpy as np

_COLUMN = 100  # units of the drawing for each word
_HEIGHT = 150
_FOOT = 144  # where arcs end, above the words
_THICK = 20  # of an arc with all the weight
_THIN = 0.8  # of one that would not be seen otherwise
_numbers = itertools.count()  # names that are not used twice in one notebook

_STYLE = """
.attn-arcs {{ max-width: 38rem; margin: 0.5rem auto 1.5rem; text-align: center; }}
.attn-arcs input {{ position: absolute; opacity: 0; pointer-events: none; }}
.attn-arcs svg {{ display: block; width: 100%; height: auto; overflow: visible; }}
.attn-arcs svg g, .attn-arcs small span {{ display: none; }}
.attn-arcs path {{ fill: none; stroke: var(--attn-k, #c24e00); stroke-linecap: round; }}
.attn-arcs-words {{ display: grid; grid-template-columns: repeat({n}, 1fr); }}
.attn-arcs label {{ padding: 0.3em 0; border-radius: 6px; color: var(--soft, #56606b);
  font-size: clamp(0.95rem, 0.55rem + 2vw, 1.7rem); font-weight: 600;
  cursor: pointer; }}
.attn-arcs label:hover {{ color: inherit; }}
.attn-arcs small {{ display: block; min-height: 1.4em; font-size: 0.85rem;
  font-weight: 400; }}
.attn-arcs figcaption {{ color: var(--soft, #56606b); font-size: 0.9rem; }}
@media print {{ .attn-arcs path {{ print-color-adjust: exact; }} }}
"""
_ROW = """
.attn-arcs input:nth-of-type({i}):checked ~ svg g:nth-of-type({i}),
.attn-arcs input:nth-of-type({i}):checked ~ .attn-arcs-words small span:nth-of-type({i})
  {{ display: inline; }}
.attn-arcs input:nth-of-type({i}):checked ~ .attn-arcs-words label:nth-of-type({best})
  {{ color: var(--attn-k, #c24e00); }}
.attn-arcs input:nth-of-type({i}):checked ~ .attn-arcs-words label:nth-of-type({i})
  {{ color: var(--attn-q, #0072b2); }}
.attn-arcs input:nth-of-type({i}):focus-visible ~ div label:nth-of-type({i})
  {{ outline: 2px solid var(--attn-q, #0072b2); }}
"""


class _Drawing:
    """A sentence with arcs, as a notebook and a page show it."""

    def __init__(self, html, text):
        self.html, self.text = html, text

    def _repr_html_(self):
        return self.html

    def __repr__(self):
        """Say what the arcs show."""
        return self.text


def arcs(tokens, weights, *, row=0, shown=None):
    """Draw who looks at whom over a sentence; a tap on a word lets it ask.

    Parameters
    ----------
    tokens : sequence of str, length n
        The words.
    weights : array_like, shape (n, n)
        Attention weights: one asking word a row, each row with the sum 1.
    row : int
        The word that asks at first.
    shown : sequence of str, optional
        The words as they are written, with their punctuation; `tokens` by default.

    Returns
    -------
    object
        With the HTML, to be left at the end of a cell.

    Raises
    ------
    ValueError
        If the weights do not fit the words, a row does not sum to 1, or there is no
        such row.

    Examples
    --------
    >>> from attnbook import attention_weights
    >>> from attnbook.toydata import running_example
    >>> tokens, Q, K, _ = running_example()
    >>> arcs(tokens, attention_weights(Q, K), row=4)
    it looks at dog 77%, it 10%, The 4%, saw 4%, barked 4%, Kim 1%
    """
    weights = np.asarray(weights, dtype=float)
    _check(tokens, weights, row)
    name = f"attn-arcs-{next(_numbers)}"
    shown = shown or tokens
    n = len(tokens)
    buttons = "".join(_button(name, i, row, tokens) for i in range(n))
    drawn = "".join(_group(weights[i], i) for i in range(n))
    words = "".join(_label(name, j, shown, weights) for j in range(n))
    best = weights.argmax(axis=1) + 1
    style = _STYLE.format(n=n)
    style += "".join(_ROW.format(i=i + 1, best=best[i]) for i in range(n))
    text = _said(tokens, weights, row)
    html = (
        f'<figure class="attn-arcs" role="radiogroup" aria-label="Who asks? {text}">'
        f"<style>{style}</style>{buttons}"
        f'<svg viewBox="0 0 {n * _COLUMN} {_HEIGHT}" aria-hidden="true">{drawn}</svg>'
        f'<div class="attn-arcs-words">{words}</div>'
        "<figcaption>Tap a word: it asks, and each arc is as thick as its weight."
        "</figcaption></figure>"
    )
    return _Drawing(html, text)


def _said(tokens, weights, row):
    # the largest weight first
    order = np.argsort(-weights[row], kind="stable")
    shares = ", ".join(f"{tokens[j]} {weights[row, j]:.0%}" for j in order)
    return f"{tokens[row]} looks at {shares}"


def _check(tokens, weights, row):
    n = len(tokens)
    if weights.shape != (n, n):
        raise ValueError(f"{n} words need weights ({n}, {n}), got {weights.shape}")
    if not np.allclose(weights.sum(axis=1), 1):
        raise ValueError(f"rows of weights sum to 1, got {weights.sum(axis=1)}")
    if row not in range(n):
        raise ValueError(f"row is one of 0 to {n - 1}, got {row!r}")


def _button(name, i, row, tokens):
    checked = " checked" if i == row else ""
    return (
        f'<input type="radio" name="{name}" id="{name}-{i}" '
        f'aria-label="{tokens[i]}"{checked}>'
    )


def _label(name, j, shown, weights):
    shares = "".join(f"<span>{row[j]:.0%}</span>" for row in weights)
    return f'<label for="{name}-{j}">{shown[j]}<small>{shares}</small></label>'


def _group(weights, i):
    # thin arcs first, so that the thickest lies on top
    order = np.argsort(weights, kind="stable")
    return f"<g>{''.join(_arc(i, int(j), weights[j]) for j in order)}</g>"


def _arc(i, j, weight):
    start, end = ((k + 0.5) * _COLUMN for k in (i, j))
    width = max(_THIN, _THICK * weight)
    high = _FOOT - 34 - 18 * abs(i - j)
    if i == j:  # a small loop over the word itself
        start, end = start - 14, end + 14
    path = f"M{start:g} {_FOOT} C{start:g} {high:g} {end:g} {high:g} {end:g} {_FOOT}"
    return f'<path d="{path}" stroke-width="{width:.1f}"/>'

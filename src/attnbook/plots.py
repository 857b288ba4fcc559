"""Plots of the book: arrays in, Axes out. Nothing here computes attention."""

import numpy as np
from matplotlib.ticker import FormatStrFormatter

from attnbook import style

PRINTED = 8  # up to this many rows and columns the values stand in the cells
_DARK, _LIGHT = "#111111", "#ffffff"  # text on a colour map, the same in both themes


def heatmap(
    matrix, *, kind="weights", queries=None, keys=None, scale="fixed", axes=None
):
    """Draw weights or scores: one query a row, one key a column.

    Parameters
    ----------
    matrix : array_like, shape (n_q, n_k)
        Weights, in 0..1, or scores of either sign.
    kind : {"weights", "scores"}
        Weights are drawn in cividis, brighter for more; scores in a map that is white
        at 0 and reaches as far down as up.
    queries, keys : sequence of str, optional
        Names of rows and columns; numbers by default.
    scale : {"fixed", "row_max"}
        ``"fixed"`` draws weights on 0..1; ``"row_max"`` divides each row by its largest
        weight first. Printed values stay what they are.
    axes : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If the matrix is no matrix, a weight lies outside 0..1, a name is missing, or if
        `kind` or `scale` is not one of those above.
    """
    matrix = np.asarray(matrix, dtype=float)
    _check_heatmap(matrix, kind, scale)
    axes = axes if axes is not None else style.subplots(size=(4.0, 3.4))[1]
    drawn, low, high = _drawn(matrix, kind, scale)
    cmap = style.WEIGHTS if kind == "weights" else style.SCORES
    image = axes.imshow(drawn, cmap=cmap, vmin=low, vmax=high, aspect="equal")
    _name_axis(axes, "y", "query", queries, matrix.shape[0])
    _name_axis(axes, "x", "key", keys, matrix.shape[1])
    axes.spines[:].set_visible(False)
    if max(matrix.shape) <= PRINTED:
        _print_values(axes, matrix, image)
    return axes


def _check_heatmap(matrix, kind, scale):
    if matrix.ndim != 2 or not matrix.size:
        raise ValueError(f"a heatmap needs shape (n_q, n_k), got {matrix.shape}")
    if kind not in ("weights", "scores"):
        raise ValueError(f"kind must be 'weights' or 'scores', got {kind!r}")
    if scale not in ("fixed", "row_max"):
        raise ValueError(f"scale must be 'fixed' or 'row_max', got {scale!r}")
    if kind == "weights" and not (matrix.min() >= 0 and matrix.max() <= 1 + 1e-6):
        raise ValueError(f"weights lie in 0..1, got {matrix.min()} to {matrix.max()}")


def _drawn(matrix, kind, scale):
    if kind == "scores":
        finite = np.abs(matrix[np.isfinite(matrix)])
        reach = finite.max() if finite.size and finite.max() else 1.0
        return matrix, -reach, reach
    largest = matrix.max(axis=1, keepdims=True) if scale == "row_max" else 1.0
    return matrix / np.where(largest == 0, 1.0, largest), 0.0, 1.0


def _name_axis(axes, which, noun, names, count):
    axis = getattr(axes, f"{which}axis")
    axis.set_label_text(f"{noun} ({'rows' if which == 'y' else 'columns'})")
    if names is None and count > PRINTED:
        return
    names = range(count) if names is None else names
    if len(names) != count:
        raise ValueError(f"{count} {noun} names are needed, got {len(names)}")
    axis.set_ticks(range(count), labels=[str(name) for name in names])
    axis.set_tick_params(length=0)


def _print_values(axes, matrix, image):
    colors = image.to_rgba(image.get_array(), norm=True)
    for (i, j), value in np.ndenumerate(matrix):
        bright = colors[i, j, :3] @ (0.299, 0.587, 0.114) > 0.5
        color = _DARK if bright else _LIGHT
        if not np.isfinite(value):  # no colour is drawn there
            color = style.INK
        text = f"{value:.2f}" if np.isfinite(value) else str(value)
        axes.text(j, i, text, ha="center", va="center", color=color)


def row_bars(weights, *, keys=None, axes=None):
    """Draw one row of weights as bars, one for each key, on a fixed 0..1 axis.

    Parameters
    ----------
    weights : array_like, shape (n_k,)
        The weights of one query.
    keys : sequence of str, optional
        Names of the keys; numbers by default.
    axes : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If `weights` is no row of weights in 0..1, or if a name is missing.
    """
    weights = np.asarray(weights, dtype=float)
    if weights.ndim != 1 or not weights.size:
        raise ValueError(f"row_bars needs shape (n_k,), got {weights.shape}")
    _check_heatmap(weights[np.newaxis], "weights", "fixed")
    axes = axes if axes is not None else style.subplots(size=(4.8, 2.4))[1]
    bars = axes.bar(range(len(weights)), weights, color=style.ROLES["K"].color)
    if len(weights) <= PRINTED:
        axes.bar_label(bars, [f"{weight:.2f}" for weight in weights], fontsize=9)
    _name_axis(axes, "x", "key", keys, len(weights))
    axes.set(xlabel="key", ylabel="weight", ylim=(0, 1))
    return axes


def entropy_curve(temperatures, entropies, *, n_keys, point=None, axes=None):
    """Draw entropy against temperature, with its ceiling ln n.

    Parameters
    ----------
    temperatures : array_like, shape (m,)
        Above 0; drawn on a logarithmic axis.
    entropies : array_like, shape (m,)
        In nats.
    n_keys : int
        The number of keys n.
    point : tuple of float, optional
        A temperature and its entropy, to be marked.
    axes : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If the two arrays differ in shape, or a temperature is not above 0.
    """
    temperatures, entropies = np.asarray(temperatures), np.asarray(entropies)
    if temperatures.shape != entropies.shape or temperatures.ndim != 1:
        raise ValueError(
            "temperatures and entropies must share a shape (m,), got "
            f"{temperatures.shape} and {entropies.shape}"
        )
    if not temperatures.min() > 0:
        raise ValueError(f"temperatures are above 0, got {temperatures.min()}")
    axes = axes if axes is not None else style.subplots(size=(4.8, 2.8))[1]
    axes.semilogx(temperatures, entropies, color=style.ROLES["Q"].color)
    axes.axhline(np.log(n_keys), color=style.INK, linestyle=":", linewidth=1)
    axes.annotate(f"ln {n_keys}", (temperatures.min(), np.log(n_keys)), va="bottom")
    if point is not None:
        axes.plot(*point, "o", color=style.INK)
    axes.xaxis.set_major_formatter(FormatStrFormatter("%g"))
    axes.set(xlabel="temperature", ylabel="entropy (nats)", ylim=(0, None))
    return axes


def score_histogram(scores, *, label=None, bins=41, reach=None, axes=None):
    """Draw the distribution of scores over the standard normal density.

    Parameters
    ----------
    scores : array_like
        Any shape.
    label : str, optional
        What the scores are, for the legend.
    bins : int
        Number of bars.
    reach : float, optional
        The axis goes from ``-reach`` to ``reach``; to the largest score by default.
    axes : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If there are no scores, or if one is not finite.
    """
    scores = np.ravel(np.asarray(scores, dtype=float))
    if not scores.size or not np.isfinite(scores).all():
        raise ValueError(f"a histogram needs finite scores, got {scores[:5]}")
    axes = axes if axes is not None else style.subplots(size=(4.8, 2.8))[1]
    reach = reach or max(4.0, np.abs(scores).max())
    look = {"color": style.ROLES["Q"].color, "alpha": 0.6}
    axes.hist(scores, bins, range=(-reach, reach), density=True, label=label, **look)
    at = np.linspace(-reach, reach, 401)
    density = np.exp(-(at**2) / 2) / np.sqrt(2 * np.pi)
    axes.plot(
        at, density, color=style.INK, linestyle="--", marker="", label="standard normal"
    )
    axes.set(xlabel="score", ylabel="density")
    axes.legend()
    return axes

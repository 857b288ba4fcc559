"""The grid of a sketch question as inline SVG, with or without its true curve."""

from html import escape

from attnbook.questions.render import WORDS

WIDTH, HEIGHT = 320, 220
LEFT, RIGHT, TOP, BOTTOM = 34, 310, 22, 182


def place(axis, value, start, end):
    """Where a value of an axis lies in the drawing.

    Parameters
    ----------
    axis : dict
        With the ends ``start`` and ``end`` of the axis.
    value : float
    start, end : float
        Where these ends lie in the drawing.

    Returns
    -------
    float
    """
    share = (value - axis["start"]) / (axis["end"] - axis["start"])
    return round(start + share * (end - start), 2)


def sketch_svg(data, answer=False):
    """Draw the axes, the given points and, if asked, the true curve.

    Parameters
    ----------
    data : dict
        A sketch question as plain data.
    answer : bool
        Whether to draw the true curve.

    Returns
    -------
    str
    """
    label = f"{data['y']['label']} / {data['x']['label']}"
    if answer:
        label = f"{WORDS['true_curve']}: {label}"
    parts = [*_grid(data), *_labels(data)]
    if answer:
        points = " ".join(_point(data, x, y) for x, y in data["curve"])
        parts.append(f'<polyline class="attn-q-curve" points="{points}"/>')
    for x, y in data["given"]:
        cx, cy = _point(data, x, y).split(",")
        parts.append(f'<circle class="attn-q-given" cx="{cx}" cy="{cy}" r="5"/>')
    inside = "".join(parts)
    return (
        f'<svg class="attn-q-grid" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">{inside}</svg>'
    )


def _point(data, x, y):
    across = place(data["x"], x, LEFT, RIGHT)
    return f"{across},{place(data['y'], y, BOTTOM, TOP)}"


def _grid(data):
    for tick in data["x"]["ticks"]:
        x = place(data["x"], tick, LEFT, RIGHT)
        yield f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{BOTTOM}"/>'
        yield f'<text x="{x}" y="{BOTTOM + 15}" text-anchor="middle">{tick:g}</text>'
    for tick in data["y"]["ticks"]:
        y = place(data["y"], tick, BOTTOM, TOP)
        yield f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y}" y2="{y}"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{tick:g}</text>'


def _labels(data):
    middle, low = (LEFT + RIGHT) / 2, HEIGHT - 6
    label = escape(data["x"]["label"])
    yield f'<text x="{middle}" y="{low}" text-anchor="middle">{label}</text>'
    yield f'<text x="{LEFT}" y="12">{escape(data["y"]["label"])}</text>'

"""Live figures: one Python object each, alive in a notebook and on a static page.

Each folder of ``figures`` is one figure, found by itself; its class is loaded when it
is asked for.
"""

from importlib import import_module

from attnbook.widgets.base import FIGURES, LiveFigure
from attnbook.widgets.conditions import links

# The class of the figure in the folder my_figure is called MyFigure.
_FOLDERS = {
    "".join(word.title() for word in path.parent.name.split("_")): path.parent.name
    for path in sorted(FIGURES.glob("*/figure.py"))
}
__all__ = ["LiveFigure", "links", *_FOLDERS]


def __getattr__(name):
    """Load the class of a figure."""
    if name not in _FOLDERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.figures.{_FOLDERS[name]}.figure"), name)


def __dir__():
    """List the figures too, as a reader's editor asks for them."""
    return sorted([*globals(), *_FOLDERS])


def every_figure():
    """Return all live figures.

    Returns
    -------
    list of type
        Their classes, by name.
    """
    return [__getattr__(name) for name in sorted(_FOLDERS)]

"""Live figures: one Python object each, alive in a notebook and on a static page."""

from attnbook.widgets.attention_explorer import AttentionExplorer
from attnbook.widgets.base import LiveFigure

__all__ = ["AttentionExplorer", "LiveFigure"]

"""Live figures: one Python object each, alive in a notebook and on a static page."""

from attnbook.widgets.attention_explorer import AttentionExplorer
from attnbook.widgets.base import LiveFigure
from attnbook.widgets.conditions import links
from attnbook.widgets.cost_calculator import CostCalculator
from attnbook.widgets.dot_explorer import DotExplorer
from attnbook.widgets.mask_painter import MaskPainter
from attnbook.widgets.softmax_explorer import SoftmaxExplorer
from attnbook.widgets.theorem_breaker import TheoremBreaker
from attnbook.widgets.variance_explorer import VarianceExplorer

__all__ = [
    "AttentionExplorer",
    "CostCalculator",
    "DotExplorer",
    "LiveFigure",
    "MaskPainter",
    "SoftmaxExplorer",
    "TheoremBreaker",
    "VarianceExplorer",
    "links",
]

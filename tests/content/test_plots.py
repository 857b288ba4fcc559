"""Plots draw the arrays that they are given, and name what they show."""

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_hex

from attnbook import plots, style


@pytest.fixture(autouse=True)
def book_style():
    with matplotlib.rc_context():
        style.use()
        yield


WEIGHTS = np.array([[0.2, 0.8, 0.0], [0.5, 0.25, 0.25]])


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_heatmap_has_queries_as_rows_and_keys_as_columns():
    axes = plots.heatmap(WEIGHTS, queries=["a", "b"], keys=["x", "y", "z"])
    image = axes.images[0]
    np.testing.assert_array_equal(image.get_array(), WEIGHTS)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["x", "y", "z"]
    assert axes.get_ylabel() == "query (rows)"
    assert axes.get_xlabel() == "key (columns)"
    assert axes.yaxis_inverted()


def test_heatmap_prints_values_up_to_eight():
    axes = plots.heatmap(WEIGHTS)
    assert texts(axes) == ["0.20", "0.80", "0.00", "0.50", "0.25", "0.25"]
    assert axes.texts[1].get_position() == (1, 0)
    assert not texts(plots.heatmap(np.full((9, 9), 1 / 9)))
    assert len(texts(plots.heatmap(np.full((8, 8), 1 / 8)))) == 64


def test_weights_are_cividis_on_a_fixed_scale():
    image = plots.heatmap(WEIGHTS).images[0]
    assert image.get_cmap().name == "cividis"
    assert image.get_clim() == (0, 1)


def test_row_max_divides_for_the_eye_and_prints_the_weights():
    axes = plots.heatmap(WEIGHTS, scale="row_max")
    drawn = axes.images[0].get_array()
    np.testing.assert_allclose(drawn, [[0.25, 1, 0], [1, 0.5, 0.5]])
    assert texts(axes)[0] == "0.20"
    dead = plots.heatmap(np.zeros((1, 3)), scale="row_max").images[0].get_array()
    np.testing.assert_array_equal(dead, 0)


def test_scores_are_puor_symmetric_and_may_be_hidden():
    scores = np.array([[1.0, -4.0], [2.0, -np.inf]])
    axes = plots.heatmap(scores, kind="scores")
    assert axes.images[0].get_cmap().name == "PuOr"
    assert axes.images[0].get_clim() == (-4, 4)
    assert texts(axes)[-1] == "-inf"


def test_printed_values_contrast_with_their_cells():
    axes = plots.heatmap([[0.02, 0.98]])
    assert [to_hex(text.get_color()) for text in axes.texts] == ["#ffffff", "#111111"]


@pytest.mark.parametrize(
    ("matrix", "options", "message"),
    [
        ([0.5, 0.5], {}, r"needs shape \(n_q, n_k\), got \(2,\)"),
        ([[1.2, 0.0]], {}, "weights lie in"),
        ([[1.0, -0.2]], {}, "weights lie in"),
        ([[np.nan]], {}, "weights lie in"),
        ([[0.5]], {"kind": "logits"}, "got 'logits'"),
        ([[0.5]], {"scale": "auto"}, "got 'auto'"),
        ([[0.5, 0.5]], {"keys": ["a"]}, "2 key names are needed, got 1"),
    ],
)
def test_heatmap_refuses_what_it_cannot_draw(matrix, options, message):
    with pytest.raises(ValueError, match=message):
        plots.heatmap(matrix, **options)


def test_row_bars_draw_each_weight_on_a_fixed_axis():
    axes = plots.row_bars(WEIGHTS[0], keys=["x", "y", "z"])
    np.testing.assert_allclose([bar.get_height() for bar in axes.patches], WEIGHTS[0])
    assert axes.get_ylim() == (0, 1)
    assert texts(axes) == ["0.20", "0.80", "0.00"]
    assert not texts(plots.row_bars(np.full(9, 1 / 9)))
    with pytest.raises(ValueError, match=r"needs shape \(n_k,\), got \(2, 3\)"):
        plots.row_bars(WEIGHTS)
    with pytest.raises(ValueError, match="weights lie in"):
        plots.row_bars([2.0])


def test_entropy_curve_shows_its_ceiling_and_the_point():
    temperatures = np.geomspace(0.05, 20, 9)
    entropies = np.linspace(0, 2, 9)
    axes = plots.entropy_curve(temperatures, entropies, n_keys=8, point=(1.0, 1.5))
    curve, ceiling, point = axes.lines
    np.testing.assert_array_equal(curve.get_xdata(), temperatures)
    np.testing.assert_array_equal(curve.get_ydata(), entropies)
    np.testing.assert_allclose(ceiling.get_ydata(), np.log(8))
    assert (point.get_xdata()[0], point.get_ydata()[0]) == (1.0, 1.5)
    assert axes.get_xscale() == "log"
    assert texts(axes) == ["ln 8"]
    with pytest.raises(ValueError, match="share a shape"):
        plots.entropy_curve(temperatures, entropies[:3], n_keys=8)
    with pytest.raises(ValueError, match="above 0, got 0"):
        plots.entropy_curve([0.0, 1.0], [0.0, 1.0], n_keys=8)


def test_histogram_has_area_one_over_the_normal_density():
    scores = np.linspace(-6, 6, 1000)
    axes = plots.score_histogram(scores, label="raw")
    area = sum(bar.get_height() * bar.get_width() for bar in axes.patches)
    assert area == pytest.approx(1)
    x, y = axes.lines[0].get_data()
    assert np.trapezoid(y, x) == pytest.approx(1, abs=1e-3)
    assert y.max() == pytest.approx(1 / np.sqrt(2 * np.pi))
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert sorted(labels) == ["raw", "standard normal"]
    with pytest.raises(ValueError, match="finite scores"):
        plots.score_histogram([1.0, np.inf])
    with pytest.raises(ValueError, match="finite scores"):
        plots.score_histogram([])


def test_plots_draw_where_they_are_told():
    _, (left, right) = style.subplots(1, 2)
    assert plots.heatmap(WEIGHTS, axes=left) is left
    assert plots.row_bars(WEIGHTS[0], axes=right) is right

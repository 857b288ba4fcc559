"""The arithmetic of the measurements; the numbers themselves need a browser."""

import gzip
from types import SimpleNamespace

from booktools.gate import bench_pages as bench


def answer(url, kind, body, ok=True):
    request = SimpleNamespace(resource_type=kind)
    return SimpleNamespace(url=url, request=request, body=lambda: body, ok=ok)


def test_percentiles_are_values_that_occurred():
    times = list(range(100, 0, -1))
    assert bench.percentile(times, 0.5) == 51
    assert bench.percentile(times, 0.95) == 96
    assert bench.percentile([7.0], 0.95) == 7.0


def test_weight_is_gzipped_and_lazy_pictures_stand_apart():
    page, picture = b"page " * 1000, b"\x89PNG" * 10
    found = bench.tally(
        [answer("a", "document", page), answer("b", "image", picture)], lazy={"b"}
    )
    assert found["total"] == len(gzip.compress(page, 6)) < 200
    assert found["pictures"] == len(gzip.compress(picture, 6))
    assert found["requests"] == 1


def test_figures_and_their_script_are_taken_out():
    text = (
        '<p>a</p><attn-figure id="x"><svg></svg></attn-figure><p>b</p>'
        '<script async src="../_static/attn.js?v=1"></script>'
    )
    assert bench.without_figures(text) == "<p>a</p><p>b</p>"


def test_a_line_names_the_goal_that_fits_the_kind():
    assert "within the goal of 4 ms" in bench.move_line("d_k", [1.0, 3.9])
    assert "above the goal of 4 ms" in bench.move_line("d_k", [1.0, 4.1])
    assert "within the goal of 30 ms" in bench.move_line("seed", [12.0])


def test_the_first_figure_has_the_goal_and_the_last_one_stands_beside_it():
    assert bench.readiness(None, None) == "no figure"
    assert "ready +60 ms (within the goal of +60 ms), the last +190" in (
        bench.readiness(60, 190)
    )
    assert "ready +61 ms (above the goal" in bench.readiness(61, 61)


def test_requests_are_told_apart_by_host():
    root = "http://127.0.0.1:1/"
    assert bench.own(root + "x.js", root) and bench.own("data:,x", root)
    assert not bench.own("https://cdn.example/x.js", root)


def test_a_first_paint_is_told_as_a_ratio_with_its_goal():
    line = bench.ratio_line("chapters/05", 140.0, 100.0)
    assert "140 ms, 1.40 x (within the goal of 1.4 x)" in line
    assert "1.41 x (above the goal" in bench.ratio_line("chapters/05", 141.0, 100.0)

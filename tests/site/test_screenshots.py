"""The README's pictures: small files, the whole figure and no more."""

import io

import numpy as np
import pytest
from PIL import Image

from booktools.setup import serve
from booktools.site import screenshots

PAGE = """<header style="position: fixed; top: 0; left: 0; width: 100%; height: 60px;
background: red"></header><attn-figure data-ready style="display: block; width: 300px">
<p style="height: 100px; margin: 0; background: rgb(0, 114, 178)"></p>
<p style="height: 50px; margin: 0; background: rgb(0, 158, 115)"></p></attn-figure>
<p style="height: 900px; margin: 0; background: black"></p>"""


def pixels(png):
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def test_a_shrunk_picture_is_smaller_and_looks_the_same():
    rows, columns = np.mgrid[0:200, 0:200]
    picture = np.stack([rows, rows, columns * 0 + 90], axis=-1).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(picture).save(out, "PNG", compress_level=0)
    small = screenshots.shrunk(out.getvalue())
    assert len(small) < len(out.getvalue()) / 3
    assert np.abs(pixels(small) - picture).max() <= 4


@pytest.mark.browser
def test_the_picture_is_the_whole_figure_and_shows_no_header(chromium, tmp_path):
    (tmp_path / "index.html").write_text(PAGE)
    with serve.running(tmp_path) as root:
        shown = pixels(screenshots.picture(chromium, root, "light"))
    height, width = shown.shape[:2]
    assert width == 600  # two pixels to a point
    assert height == 300
    assert shown[10, 10].tolist() == [0, 114, 178]
    assert shown[290, 10].tolist() == [0, 158, 115]

"""A name that is used twice fails the build, and both places are named."""

import pytest

from booktools.content import claims, names

PAGE = """# A page

```{code-cell} ipython3
%s
```
"""


def written(folder, **pages):
    """Write pages with one code cell each; return their paths."""
    paths = [folder / f"{name}.md" for name in pages]
    for path, code in zip(paths, pages.values(), strict=True):
        path.write_text(PAGE % code, encoding="utf-8")
    return paths


@pytest.mark.parametrize(
    "code",
    ['predict("a-first")', 'quiz("05")', 'exercise("05-x")'],
)
def test_a_question_that_is_shown_twice_is_refused_with_both_places(tmp_path, code):
    (said,) = map(str, names.problems(written(tmp_path, a=code, b=code)))
    assert f"{tmp_path / 'b'}.md:4:" in said and f"{tmp_path / 'a'}.md:4" in said


def test_a_figure_has_its_name_alone_on_its_page(tmp_path):
    code = 'DotExplorer(id="dot")'
    assert names.problems(written(tmp_path, a=code, b=code)) == []
    (said,) = names.problems(written(tmp_path, a=f"{code}\n{code}"))
    assert "the figure 'dot' stands at" in said.text


def test_what_a_cell_computes_with_is_no_second_figure(tmp_path):
    code = 'DotExplorer(id="dot")\nx = DotExplorer(id="dot").values()'
    assert names.problems(written(tmp_path, a=code)) == []
    variant = 'exercise("05-x")\nexercise("05-x", seed=7)'
    assert names.problems(written(tmp_path, a=variant)) == []


def test_the_names_of_the_book_are_its_own():
    pages = [path for path in claims.default_paths() if path.suffix == ".md"]
    found = [place for path in pages for place in names.places(path, path.read_text())]
    assert len(found) > 60
    assert names.problems(pages) == []

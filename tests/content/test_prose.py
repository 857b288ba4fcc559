"""Pages are read as cells with the right lines; what is no prose is blanked."""

import ast

import pytest

from booktools.content.notebooks import NotebookError
from booktools.content.prose import BLANK, parse, read_page, visible

PAGE = """\
---
jupytext: {}
---

# Title

```{code-cell} ipython3
:tags: [hide-cell]

x = 1
```
```{code-cell} ipython3
---
mystnb:
  image:
    alt: A curve.
  figure:
    caption: A caption.
tags: [claims]
---
show(f, alt=f"It is {x} wide")
```

```python
y = 2
```

Last.
"""


def test_cells_have_their_kinds_tags_and_lines():
    header, cells = read_page(PAGE)
    assert header == {"jupytext": {}}
    kinds = [cell.kind for cell in cells]
    assert kinds == ["prose", "code", "code", "spoken", "spoken", "spoken", "prose"]
    lines = PAGE.splitlines()
    for cell in cells:
        if cell.kind in ("prose", "code"):
            assert lines[cell.line - 1] == cell.text.split("\n")[0]
    assert cells[1].tags == {"hide-cell"}
    assert cells[2].tags == {"claims"}
    assert cells[1].text == "x = 1\n"


def test_what_code_says_to_people_is_prose():
    _, cells = read_page(PAGE)
    spoken = [cell.text for cell in cells if cell.kind == "spoken"]
    assert spoken == ["A curve.", "A caption.", f"It is {BLANK} wide"]
    line = PAGE[: PAGE.index("show(")].count("\n") + 1
    assert cells[5].line == line


def test_a_fence_that_is_never_closed_runs_to_the_end():
    _, cells = read_page("```{code-cell}\nx = 1\n")
    assert [(cell.kind, cell.text) for cell in cells] == [("code", "x = 1\n")]


def test_a_broken_header_is_refused():
    with pytest.raises(NotebookError, match="never closed"):
        read_page("---\na: 1\n")


def test_code_that_is_no_python_counts_as_empty():
    assert ast.dump(parse("%magic")) == ast.dump(ast.Module(body=[], type_ignores=[]))
    assert len(parse("x = 1").body) == 1


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "the feed-forward part $16nd^2$; see chapter $3$ now",
            "the feed-forward part $16nd^2$; see  now",
        ),
        ("a `code` b", "a  b"),
        ("``a ` b`` c", " c"),
        ("a ` b\n\nc ` d", "a ` b\n\nc ` d"),
        ("{math}`x + 1`", "{math}`x + 1`"),
        ("[text](address) end", "[text] end"),
        ('![alt](a.png "title")', '![alt] "title")'),
        ('<img src="a" alt="words">', "words"),
        ("<b>bold</b> x<y", "bold x<y"),
        ("see chapter 3 now", "see  now"),
        ("```python\nx\n```\nend", "\n\n\nend"),
        ("```{note}\nx\n```", "\nx\n"),
        ("<!-- a\nb -->c", "\nc"),
    ],
)
def test_visible_leaves_what_people_read(text, left):
    assert visible(text).replace(BLANK, "") == left


def test_visible_keeps_every_place():
    text = "a `code` [b](c)\n<!-- d\ne --> chapter 3, 0.5 <i>f</i>"
    shown = visible(text)
    assert len(shown) == len(text)
    kept = [(a, b) for a, b in zip(text, shown, strict=True) if b != BLANK]
    assert all(a == b for a, b in kept)
    assert shown.count("\n") == text.count("\n")

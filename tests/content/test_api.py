import textwrap
import types

import pytest

from booktools.content import api


def test_the_page_says_what_the_docstrings_say():
    assert api.PAGE.read_text(encoding="utf-8") == api.page()


def test_the_page_is_the_same_on_every_run():
    assert api.page() == api.page()


def test_every_public_name_of_the_package_has_a_heading():
    import attnbook

    headings = {line for line in api.page().splitlines() if line.startswith("### ")}
    assert {f"### `{name}`" for name in attnbook.__all__} <= headings


def test_every_link_leads_to_a_heading():
    text = api.page()
    headings = [line.strip("# `") for line in text.splitlines() if line[:1] == "#"]
    targets = {f"#{heading.lower()}" for heading in headings}
    links = set(api.re.findall(r"\]\((#[^)]*)\)", text))
    assert links and links <= targets


def test_a_stale_page_fails_the_check_and_shows_what_changed(
    monkeypatch, tmp_path, capsys
):
    page = tmp_path / "api.md"
    monkeypatch.setattr(api, "PAGE", page)
    assert api.main([]) == 0
    assert api.main(["--check"]) == 0
    assert capsys.readouterr().out == ""
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("One key a row.", "One key.", 1), encoding="utf-8")
    assert api.main(["--check"]) == 1
    said = capsys.readouterr().out
    assert "-- `K : array-like, shape (..., n_k, d_k)`: One key." in said
    assert "+- `K : array-like, shape (..., n_k, d_k)`: One key a row." in said
    assert api.COMMAND in said
    page.unlink()
    assert api.main(["--check"]) == 1


EXAMPLE = '''
def scale(x, *, by=2.0, dtype=float):
    """Multiply ``x``, as `other` does; ``a * b`` stays, and so does 2 * 3 < 7.

    The steps::

        y = x * by
        return y

    Parameters
    ----------
    x : array-like, shape (..., n)
        What to scale. It may
        take two lines.
    by : float
        The factor; see `kernel.other`.

    Returns
    -------
    ndarray

    See Also
    --------
    other : the same.

    Examples
    --------
    >>> scale(1)
    2.0
    """


class Box:
    """Hold a thing."""

    def __init__(self, thing):
        self.thing = thing

    def __len__(self):
        """Count."""

    def open(self, how="gently"):
        """Open the box."""

    @property
    def weight(self):
        """In grams."""

    def _secret(self):
        """Not for users."""
'''

EXPECTED = """\
### `scale`

```python
scale(x, *, by=2.0, dtype=float)
```

Multiply `x`, as [`other`](#other) does; `a * b` stays, and so does 2 \\* 3 \\< 7.

The steps:

```text
y = x * by
return y
```

**Parameters**

- `x : array-like, shape (..., n)`: What to scale. It may take two lines.
- `by : float`: The factor; see [`kernel.other`](#other).

**Returns**

- `ndarray`

**See Also**

- [`other`](#other): the same.

**Examples**

```python
>>> scale(1)
2.0
```"""

BOX = """\
### `Box`

```python
Box(thing)
```

Hold a thing.

#### `Box.__len__`

```python
__len__()
```

Count.

#### `Box.open`

```python
open(how='gently')
```

Open the box.

#### `Box.weight`

In grams."""


@pytest.fixture
def module():
    made = types.ModuleType("made")
    exec(textwrap.dedent(EXAMPLE), made.__dict__)
    return made


def test_a_function_in_markdown(module):
    parts = api.entry("scale", module.scale, {"other"})
    assert "\n\n".join(parts) == EXPECTED


def test_a_class_in_markdown(module):
    assert "\n\n".join(api.entry("Box", module.Box, set())) == BOX


def test_without_all_a_module_offers_what_it_defines(module):
    module.borrowed = api.page
    assert api.public(module) == ["scale", "Box"]
    module.__all__ = ["Box"]
    assert api.public(module) == ["Box"]


def test_long_signatures_take_several_lines():
    def long(first_of_many, second_of_many, third_of_many, fourth_of_many="x" * 30):
        pass

    lines = api.signature("long", long).splitlines()
    assert lines[0] == "long(" and lines[-1] == ")"
    assert len(lines) > 2 and max(map(len, lines)) <= api.WIDTH

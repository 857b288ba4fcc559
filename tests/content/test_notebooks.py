"""Notebooks are made from their Markdown sources, the same bytes each time."""

import json

import nbformat
import pytest

from booktools.content import notebooks

HEADER = """\
---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
attnbook:
  mirrors: [A3]
---
"""
PAGE = (
    HEADER
    + """
# Why divide

Some text with $d_k = 64$.

```{code-cell} ipython3
:tags: [hide-cell]

x = 1
```

More text.

+++

A second text cell.

```{code-cell} ipython3
x = 1
```
"""
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "01_page.md").write_text(PAGE, encoding="utf-8")
    (tmp_path / "plain.md").write_text("# No code here\n", encoding="utf-8")
    return tmp_path


def run(*arguments):
    return notebooks.main([str(argument) for argument in arguments])


def test_a_page_becomes_a_valid_notebook_without_outputs(folder):
    assert run(folder) == 0
    made = nbformat.read(folder / "01_page.ipynb", as_version=4)
    nbformat.validate(made)
    kinds = [cell.cell_type for cell in made.cells]
    assert kinds == ["markdown", "code", "markdown", "markdown", "code"]
    assert made.cells[1].metadata.tags == ["hide-cell"]
    assert made.cells[1].outputs == []
    assert made.cells[1].execution_count is None
    assert made.metadata.attnbook.mirrors == ["A3"]
    assert not (folder / "plain.ipynb").exists()


def test_the_bytes_are_the_same_twice_and_name_no_version(folder):
    run(folder)
    first = (folder / "01_page.ipynb").read_bytes()
    (folder / "01_page.ipynb").unlink()
    run(folder)
    assert (folder / "01_page.ipynb").read_bytes() == first
    assert first.endswith(b"}\n")
    metadata = json.loads(first)["metadata"]
    assert set(metadata) == {"attnbook", "kernelspec", "language_info", "made_with"}
    assert b"version" not in json.dumps(metadata).encode()


def test_ids_are_unique_and_survive_a_cell_added_before(folder):
    def ids(text):
        return [cell["id"] for cell in json.loads(notebooks.render(text))["cells"]]

    before = ids(PAGE)
    after = ids(PAGE.replace("# Why divide", "# Title\n\n+++\n\n# Why divide"))
    assert len(set(before)) == len(before)
    assert after[-4:] == before[-4:]
    twice = PAGE.replace("A second text cell.", "More text.")
    assert len(set(ids(twice))) == 5


def test_check_names_the_file_and_the_command(folder, capsys):
    assert run("--check", folder) == 1
    assert "01_page.ipynb is missing; run: python -m booktools.content.notebooks" in (
        capsys.readouterr().err
    )
    assert not (folder / "01_page.ipynb").exists()
    run(folder)
    assert run("--check", folder) == 0


def test_check_sees_one_changed_byte_and_writes_nothing(folder, capsys):
    run(folder)
    target = folder / "01_page.ipynb"
    edited = target.read_bytes().replace(b"x = 1", b"x = 2", 1)
    target.write_bytes(edited)
    assert run("--check", target) == 1
    assert "differs from its source" in capsys.readouterr().err
    assert target.read_bytes() == edited
    assert run(target) == 0
    assert run("--check", folder) == 0


@pytest.fixture
def saved(tmp_path):
    # chapters/01_page.ipynb, and how JupyterLab saves it after a reader's work
    chapters = tmp_path / "chapters"
    chapters.mkdir()
    (chapters / "01_page.md").write_text(PAGE, encoding="utf-8")
    assert run(chapters) == 0
    path = chapters / "01_page.ipynb"

    def save(source):
        notebook = nbformat.read(path, as_version=4)
        cell = notebook.cells[-1]
        cell.source = source
        cell.outputs = [nbformat.v4.new_output("stream", text="Right.")]
        cell.execution_count = 3
        nbformat.write(notebook, path)
        return path

    return save


def test_work_that_was_saved_in_a_notebook_is_kept(saved, capsys):
    for name, answer in (("01_page.ipynb", "x = 2"), ("01_page-2.ipynb", "x = 3")):
        path = saved(answer)
        assert run(path.parent) == 0
        kept = path.parents[1] / "my_work" / name
        assert nbformat.read(kept, as_version=4).cells[-1].source == answer
        assert f"your version of it is now {kept}" in capsys.readouterr().out
    assert nbformat.read(path, as_version=4).cells[-1].source == "x = 1"


def test_a_notebook_that_was_only_run_leaves_no_copy(saved):
    path = saved("x = 1")
    assert run(path.parent) == 0
    assert not (path.parents[1] / "my_work").exists()


def test_a_new_source_leaves_no_copy_and_a_broken_notebook_does(saved):
    path = saved("x = 1")
    source = path.with_suffix(".md")
    source.write_text(source.read_text("utf-8") + "\nMore.\n", encoding="utf-8")
    assert run(path.parent) == 0
    assert not (path.parents[1] / "my_work").exists()
    path.write_text("half writ")
    assert run(path.parent) == 0
    assert (path.parents[1] / "my_work" / "01_page.ipynb").read_text() == "half writ"


def test_the_source_is_never_written(folder):
    run(folder)
    (folder / "01_page.ipynb").write_text("{}", encoding="utf-8")
    run(folder)
    assert (folder / "01_page.md").read_text(encoding="utf-8") == PAGE


def test_a_notebook_without_its_source_is_an_error(folder, capsys):
    run(folder)
    (folder / "02_lost.ipynb").write_text("{}", encoding="utf-8")
    assert run(folder) == 1
    assert "02_lost.ipynb has no source; write 02_lost.md" in capsys.readouterr().err
    assert run("--check", folder / "02_lost.ipynb") == 1
    (folder / "plain.ipynb").write_text("{}", encoding="utf-8")
    assert [path.name for path in notebooks.orphans(folder)] == [
        "02_lost.ipynb",
        "plain.ipynb",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("name: python3", "name: ir", "must be python3, got 'ir'"),
        ("mirrors: [A3]\n---", "mirrors: [A3]", "never closed"),
        ("mirrors: [A3]", "mirrors: [A3", "not valid YAML"),
    ],
)
def test_a_broken_source_is_named_with_the_reason(folder, capsys, old, new, message):
    (folder / "01_page.md").write_text(PAGE.replace(old, new), encoding="utf-8")
    assert run(folder) == 1
    assert message in capsys.readouterr().err


def test_code_cells_without_a_header_are_an_error(folder, capsys):
    (folder / "plain.md").write_text("```{code-cell}\nx\n```\n", encoding="utf-8")
    assert run(folder) == 1
    assert "code cells but no jupytext header" in capsys.readouterr().err


def test_a_page_without_a_header_cannot_be_asked_for(folder, capsys):
    assert run(folder / "plain.md") == 1
    assert "no jupytext header" in capsys.readouterr().err
    assert run(folder / "nowhere.md") == 1
    assert "no such file" in capsys.readouterr().err

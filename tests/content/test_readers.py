"""Notebooks are readable where no site is built from them."""

import base64
import json
import re
from pathlib import Path

import nbformat
import pytest
from nbconvert import HTMLExporter, PythonExporter, SlidesExporter

from attnbook.exercises.master import load
from attnbook.questions.render import WORDS
from attnbook.widgets import AttentionExplorer
from booktools.content import notebooks, readers

ROOT = Path(__file__).parents[2]
CHAPTERS = ROOT / "chapters"
SOURCES = notebooks.notebook_sources(CHAPTERS)
FOLD = f"<details><summary>{WORDS['covered_fold']}</summary>\n\n"
LINK = re.compile(r"\]\((?P<page>[\w./]*?)(?:\.ipynb)?#(?P<name>[^):]+)\)")


def markdown(text):
    return nbformat.v4.new_markdown_cell(text)


def code(text, *tags):
    return nbformat.v4.new_code_cell(text, metadata={"tags": list(tags)})


def cells_of(source):
    return json.loads(notebooks.render(source.read_text("utf-8"), CHAPTERS))["cells"]


def texts_of(source):
    return ["".join(c["source"]) for c in cells_of(source) if c["cell_type"] != "code"]


# --- references, links, pictures ----------------------------------------------------


@pytest.mark.parametrize(
    ("how", "keys", "said"),
    [
        (
            ":t",
            "vaswani2017attention",
            "[Vaswani et al. (2017)](https://arxiv.org/abs/1706.03762)",
        ),
        (
            None,
            "yang2022tensor, bridle1990probabilistic",
            "([Yang et al., 2022](https://arxiv.org/abs/2203.03466); "
            "[Bridle, 1990](https://doi.org/10.1007/978-3-642-76153-9_28))",
        ),
    ],
)
def test_a_reference_says_who_and_when_and_leads_to_the_text(how, keys, said):
    assert readers.cited(how, keys, CHAPTERS) == said


def test_two_authors_are_both_named_and_accents_are_letters(tmp_path):
    (tmp_path / "references.bib").write_text(
        "@book{x,\n  author = {M{\\\"u}ller, A. and Souli{\\'e}, B.},\n"
        "  year = {1999},\n  title = {T},\n}\n"
    )
    (tmp_path / "references.toml").write_text('[x]\nid = ""\n')
    assert readers.cited(":t", "x", tmp_path) == (
        "[Müller and Soulié (1999)](references.md)"
    )


def test_a_reference_or_a_picture_that_is_missing_is_named():
    header = SOURCES[0].read_text("utf-8").split("\n# ")[0]
    for text, named in (
        ("{cite}`nobody1999`", "nobody1999"),
        ("![A.](x.svg)", "x.svg"),
    ):
        with pytest.raises(notebooks.NotebookError, match=named):
            notebooks.render(f"{header}\n# T\n\n{text}\n", CHAPTERS)


def test_links_that_set_a_figure_are_kept_for_its_script():
    text = "[8](figure:a?d_k=8&scaling=off), [64](figure:a?drag=d_k)"
    written = readers.written_out(text, CHAPTERS)
    assert written == "[8](#figure:a?d_k=8&scaling=off), 64"


def test_a_link_to_a_page_with_code_leads_to_its_notebook():
    text = "[a](sources.md), [b](self_test.md#x), [c](notation.md)"
    written = readers.written_out(text, CHAPTERS)
    assert written == "[a](sources.ipynb), [b](self_test.ipynb#x), [c](notation.md)"


def test_a_picture_lies_in_the_notebook(tmp_path):
    (tmp_path / "a.svg").write_text("<svg/>")
    written = readers.written_out('![Say "so".](a.svg)', tmp_path)
    found = re.fullmatch(
        r'<img alt="(.*)" src="data:image/svg\+xml;base64,(.*)">', written
    )
    assert found[1] == "Say &quot;so&quot;."
    assert base64.b64decode(found[2]) == b"<svg/>"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_nothing_in_a_notebook_needs_a_builder_or_a_file_beside_it(source):
    for text in texts_of(source):
        text = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)
        assert not re.search(r"\{[a-z:]+\}`|^:::|^```\{|\]\(figure:", text, re.M), text
        assert not re.search(r"!\[[^\]]*\]\(|src=\"(?!data:)", text), text


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_every_link_to_a_heading_finds_it(source):
    for found in LINK.finditer("\n".join(texts_of(source))):
        page = CHAPTERS / f"{found['page'] or source.stem}.md"
        if page in SOURCES:
            anchors = re.findall(r'<a id="([^"]+)"', "\n".join(texts_of(page)))
            assert found["name"] in anchors, found[0]


# --- what is folded -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("tags", "shut"),
    [
        (["claims", "hide-cell"], {"source_hidden", "outputs_hidden"}),
        (["remove-input"], {"source_hidden"}),
        (["hide-output"], {"outputs_hidden"}),
        ([], set()),
    ],
)
def test_what_the_site_folds_a_notebook_folds_too(tags, shut):
    cell = code("x", *tags)
    readers.shut(cell)
    assert set(cell.metadata.get("jupyter", {})) == shut
    assert cell.metadata.tags == tags


def test_what_follows_a_prediction_is_in_folds_up_to_the_next_heading():
    cells = [
        markdown("Before."),
        code('predict("a")', "remove-input"),
        markdown("It is 4.\n\nAnd more."),
        code("print(4)"),
        markdown("So 4.\n\n## Next\n\nOpen."),
        markdown("Open too."),
    ]
    readers.cover(cells)
    assert [cell.source for cell in cells if cell.cell_type == "markdown"] == [
        "Before.",
        f"{FOLD}It is 4.\n\nAnd more.\n\n</details>",
        f"{FOLD}So 4.\n\n</details>\n\n## Next\n\nOpen.",
        "Open too.",
    ]


@pytest.mark.parametrize(
    "end",
    [markdown(f"{readers.END}\n\nOpen."), code("MyFigure(id='x')", "remove-input")],
)
def test_a_fold_ends_at_a_mark_or_a_figure_to_which_a_paragraph_leads(end):
    cells = [
        code('predict("a")'),
        markdown("It is 4.\n\nMove it."),
        end,
        markdown("B."),
    ]
    readers.cover(cells)
    lead = "" if end.cell_type == "markdown" else "\n\nMove it."
    hidden = "It is 4." if lead else "It is 4.\n\nMove it."
    assert cells[1].source == f"{FOLD}{hidden}\n\n</details>{lead}"
    assert FOLD not in cells[2].source and cells[3].source == "B."


def test_what_follows_a_figure_that_answers_is_in_a_fold_too():
    cells = [
        code('predict("a")'),
        markdown(f"Move it.\n\n{readers.ANSWERS}"),
        code("MyFigure(id='x')", "remove-input"),
        markdown("It is 4.\n\nMove the next one."),
        code("MyFigure(id='y')", "remove-input"),
        markdown("Open."),
    ]
    readers.cover(cells)
    assert cells[1].source.startswith(f"{FOLD}Move it.")
    assert cells[3].source == f"{FOLD}It is 4.\n\n</details>\n\nMove the next one."
    assert cells[5].source == "Open."


def test_a_fold_goes_on_after_an_open_figure_where_a_mark_says_so():
    cells = [
        code('predict("a")'),
        code("MyFigure(id='x')", "remove-input"),
        markdown(f"{readers.RESUMES}\n\nIt is 4."),
        code("print(4)"),
        markdown("So 4.\n\n## Next\n\nOpen."),
    ]
    readers.cover(cells)
    assert cells[2].source == f"{FOLD}{readers.RESUMES}\n\nIt is 4.\n\n</details>"
    assert cells[4].source == f"{FOLD}So 4.\n\n</details>\n\n## Next\n\nOpen."


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_every_prediction_of_a_chapter_is_followed_by_a_fold(source):
    cells = cells_of(source)
    asks = [k for k, c in enumerate(cells) if "predict(" in "".join(c["source"])[:8]]
    for k in asks:
        text = next(
            "".join(c["source"]) for c in cells[k + 1 :] if c["cell_type"] == "markdown"
        )
        lead = "\n" not in text.strip()  # a sentence that leads up to a figure
        assert text.startswith((FOLD, '<a id="')) or lead, text[:80]
    for cell in cells:
        if "claims" in cell["metadata"].get("tags", []):
            assert cell["metadata"]["jupyter"]["source_hidden"]


# --- how long, and exports ----------------------------------------------------------


def test_a_chapter_says_how_long_its_exercises_take():
    cells = [markdown("**Core path:** 25 minutes. **Cells:** 1 second."), code("")]
    notebooks.tell_exercise_time(cells)
    assert "Exercises" not in cells[0].source
    cells[1].source = 'exercise("08-three-ways")\nexercise("08-cached-mask")'
    minutes = sum(load(n).minutes for n in ("08-three-ways", "08-cached-mask"))
    notebooks.tell_exercise_time(cells)
    assert cells[0].source.startswith(
        f"**Core path:** 25 minutes. **Exercises:** {minutes} minutes. **Cells:**"
    )


@pytest.fixture
def shown(monkeypatch):
    """Return a notebook in which a figure was shown, as it is saved."""
    outputs = []

    def display(data, metadata=None, raw=False):
        outputs.append(
            nbformat.v4.new_output("display_data", data, metadata=metadata or {})
        )

    monkeypatch.setattr("IPython.display.display", display)
    AttentionExplorer(id="explorer")._ipython_display_()
    notebook = json.loads(notebooks.render(SOURCES[0].read_text("utf-8"), CHAPTERS))
    notebook = nbformat.from_dict(notebook)
    notebook.cells = [code("AttentionExplorer()", "remove-input")]
    notebook.cells[0].outputs = outputs
    return notebook


@pytest.mark.parametrize("exporter", [HTMLExporter, SlidesExporter])
def test_an_export_shows_the_still_picture_once(shown, exporter):
    text, _ = exporter().from_notebook_node(shown)
    assert text.count('class="attn-') == 1
    assert text.count("This is a still picture") == 1
    assert "widget-view" not in text and "<attn-figure" not in text


def test_an_export_to_a_script_is_a_python_file(shown):
    _, resources = PythonExporter().from_notebook_node(shown)
    assert resources["output_extension"] == ".py"
    assert shown.metadata.language_info.file_extension == ".py"

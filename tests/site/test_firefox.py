"""The visit in Firefox sees a page that does not work there."""

import shutil

import pytest

from booktools.gate import check, firefox

PAGE = "chapters/12_cost.html"


def test_the_landing_page_and_each_chapter_are_visited(tmp_path):
    (tmp_path / "chapters").mkdir()
    for name in ("index", "03_first", "10_later", "notation"):
        (tmp_path / "chapters" / f"{name}.html").write_text("")
    names = ["index", "03_first", "10_later"]
    assert firefox.pages(tmp_path) == [f"chapters/{name}.html" for name in names]


def test_without_firefox_the_summary_says_so(monkeypatch, capsys):
    monkeypatch.setattr(firefox, "ensure", lambda: None)
    assert firefox.main() == 0
    line = capsys.readouterr().out.strip()
    assert check.CLOSING.match(line)
    assert "there is no Firefox" in line


def test_a_problem_fails_the_step(monkeypatch, capsys):
    monkeypatch.setattr(firefox, "ensure", lambda: "/a/firefox")
    monkeypatch.setattr(firefox, "visit", lambda program: ["a page: broken"])
    assert firefox.main() == 1
    assert "a page: broken" in capsys.readouterr().out


def test_a_visit_that_breaks_off_is_a_problem(tmp_path):
    (tmp_path / "chapters").mkdir()
    problems = firefox.visit("/no/such/firefox", tmp_path, [PAGE])
    assert len(problems) == 1
    assert "broke off" in problems[0]


@pytest.mark.browser
def test_broken_pages_are_seen(site, tmp_path):
    program = firefox.installed()
    if not program:
        pytest.skip("there is no Firefox here")
    copy = tmp_path / "html"
    shutil.copytree(site, copy)
    page = (copy / PAGE).read_text("utf-8")
    (copy / PAGE).write_text(
        page.replace('data-figure="cost_calculator"', 'data-figure="no_such"')
    )
    script = copy / "_static/attn.js"
    script.write_text("throw new Error('older');" + script.read_text("utf-8"), "utf-8")
    said = "\n".join(firefox.visit(program, copy, [PAGE]))
    for problem in ("older", "does not come alive"):
        assert problem in said

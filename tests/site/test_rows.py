"""Exercises are rows that open, with their code inside."""

import pytest
from docutils import nodes

from booktools.setup import serve
from booktools.site import rows
from booktools.site.questions import h

PAGE = "chapters/04_softmax.html"


def cell(*children):
    made = nodes.container(classes=["cell"])
    made += list(children)
    return made


def shown(name):
    title = h("p", {"class": "attn-ex-title"}, name)
    facts = h("p", {"class": "attn-ex-facts"}, "easy")
    return cell(h("section", {"class": "attn-ex", "id": name}, title, facts, "state"))


def test_an_exercise_takes_the_code_that_follows_it():
    parts = [nodes.title(), cell(), shown("a"), cell(), cell(), shown("b"), cell()]
    parts += [nodes.paragraph(), cell()]
    assert [len(group) for group in rows.grouped(parts)] == [1, 1, 3, 2, 1, 1]


def test_the_title_and_the_facts_stand_on_the_row_and_the_rest_inside():
    made = rows.row([shown("a"), cell()])
    head, body = made.children
    assert head.astext().split() == ["a", "easy"]
    assert body.astext().split() == ["state"]
    assert len(body.children) == 2


@pytest.fixture
def page(chromium, site):
    with serve.running(site) as root:
        context = chromium.new_context(viewport={"width": 1280, "height": 900})
        made = context.new_page()
        made.goto(root + PAGE, wait_until="load")
        yield made
        context.close()


@pytest.mark.browser
def test_rows_are_closed_and_a_link_opens_its_own(page):
    closed = page.locator("details.attn-ex-row:not([open])")
    total = closed.count()
    assert total >= 5
    page.evaluate("location.hash = 'exercise-04-ties'")
    page.wait_for_function("document.querySelector('.attn-ex-row[open]')")
    assert closed.count() == total - 1
    assert page.locator("#exercise-04-ties").is_visible()
    assert page.locator(".attn-ex-row[open] .cell_input").first.is_visible()


@pytest.mark.browser
def test_on_paper_rows_are_open(page):
    page.emulate_media(media="print")
    tall = page.locator(".attn-ex-row-body").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().height)"
    )
    assert min(tall) > 100


@pytest.mark.browser
def test_the_claims_are_a_tick_in_the_margin_until_they_are_opened(page):
    fold = page.locator(".tag_claims").first
    assert fold.bounding_box()["height"] == 0
    page.get_by_text("Check the numbers above").first.focus()
    page.locator(".tag_claims summary").first.click()
    assert fold.bounding_box()["height"] > 100

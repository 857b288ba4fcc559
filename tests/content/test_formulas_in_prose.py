"""Formulas of the prose: which need a key, what counts as one, what is noticed."""

import ast
import re
from pathlib import Path

import pytest

from booktools import ROOT
from booktools.content import claims
from booktools.content import formulas_in_prose as found
from booktools.content.formulas_in_prose import Mark

PAGES = [
    path
    for path in sorted((ROOT / "chapters").glob("*.md"))
    if not claims._MADE.match(path.read_text("utf-8"))
]
HERE = Path("page.md")
HEADER = """\
---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {name: python3, display_name: Python 3, language: python}
---
"""
PROVED = "tests/content/test_formulas_in_prose.py::test_an_unbound_formula_is_named"


def said(text):
    return bound(claims.page_problems(HERE, text, {}))


def bound(problems):
    # what is bound to nothing; what it is bound to is another test's affair
    return [str(one) for one in problems if one.kind in ("number", "formula")]


def cell(code, tags=""):
    return f"\n```{{code-cell}} ipython3\n{tags}{code}\n```\n"


def claimed(keys):
    return cell(f"claims({keys})", ":tags: [claims, hide-cell]\n\n")


def test_an_unbound_formula_is_named():
    (problem,) = said(HEADER + "One.\n\nIt costs $8nd^2$.\n" + claimed("{}"))
    assert problem.startswith("page.md:7: $8nd^2$ states a result and is bound to no")
    assert 'write claims({"$8nd^2$": lambda n, d: ...}) in the claims cell' in problem
    (problem,) = said(HEADER + r"It is $x^\top S y + 1$.")
    assert r'proved("tests/...::test_...") in a claims cell below' in problem


@pytest.mark.parametrize(
    "value",
    [
        "lambda n, d: 8 * n * d**2",
        "over(lambda n, d: f(n, d), d=[2, 4])",
        "trials.over(f)",
        '(lambda n, d: f(n, d), 0.1, "from draws")',
        "definition",
        f'proved("{PROVED}")',
        "[f]",
        "g",
    ],
)
def test_what_binds_a_formula(value):
    code = cell("def f(n, d):\n    return 1\ng = lambda n, d: 2")
    text = HEADER + code + "It costs $8nd^2$.\n" + claimed(f'{{"$8nd^2$": {value}}}')
    assert said(text) == []


@pytest.mark.parametrize("value", ["8", "x", "quoted", "share(1, 2)", "[8]"])
def test_a_number_binds_no_formula(value):
    text = HEADER + "It costs 2.7 or $8nd^2$ more.\n"
    problems = said(text + claimed(f'{{"costs 2.7 or $8nd^2$": {value}}}'))
    assert len(problems) == 1
    assert "$8nd^2$ states a result" in problems[0]


def test_a_key_for_a_formula_binds_no_number_beside_it():
    text = HEADER + "It costs 2.7 or $2.5nd^2$ more.\n"
    (problem,) = said(text + claimed('{"costs 2.7 or $2.5nd^2$": lambda n, d: 1}'))
    assert "2.7 (a decimal)" in problem


def test_a_displayed_formula_has_an_inline_key():
    text = HEADER + "So\n\n$$\n\\text{share} = \\frac{n}{n + 6d} .\n$$\n"
    key = claimed(r'{r"$\text{share} = \frac{n}{n + 6d}$": lambda n, d: 1}')
    assert len(said(text)) == 1
    assert said(text + key) == []
    assert said(text.replace("share}", "part}") + key) != []


def test_words_around_a_formula_belong_to_its_key():
    text = HEADER + "The products take $4n^2d$ of it, and\nthe scores $2n^2d$.\n"
    keys = '{"products take $4n^2d$": lambda n, d: 1, "the scores $2n^2d$": f}'
    code = cell("def f(n, d):\n    return 1")
    assert said(text + code + claimed(keys)) == []
    swapped = text.replace("$4n", "$9n").replace("$2n", "$4n").replace("$9n", "$2n")
    assert len(said(swapped + code + claimed(keys))) == 4  # two open, two stale


def test_a_key_alone_must_not_cover_another_formula_with_a_changed_digit():
    text = HEADER + "It is $2n^2d$ twice, $4n^2d$.\n"
    keys = '{"$2n^2d$": lambda n, d: 1, "twice, $4n^2d$": lambda n, d: 1}'
    (problem,) = said(text + claimed(keys))
    assert "'$2n^2d$' and $4n^2d$ differ by a digit: give the key words" in problem


def test_several_results_take_several_values():
    text = HEADER + "| $2n^2d$ | $hn^2$ |\n\n$$\nV = 2d, \\qquad E = 3d .\n$$\n"
    key = '"| $2n^2d$ | $hn^2$ |": [lambda n, d: 1, f]'
    both = r'r"$V = 2d, \qquad E = 3d$": [lambda d: 1, definition]'
    text += cell("def f(h, n):\n    return 1")
    assert said(text + claimed(f"{{{key}, {both}}}")) == []
    problems = said(text + claimed(f"{{{key.replace(', f', '')}, {both}}}"))
    assert any("states 2 results, its value 1" in problem for problem in problems)


def test_equations_are_tried():
    assert said(HEADER + r"As $2n^2d + 2n^2d = 4n^2d$ and $\sqrt{4096} = 64$.") == []
    (problem,) = said(HEADER + "As $2n^2d + 2n^2d = 5n^2d$.")
    assert "page.md:5: $2n^2d + 2n^2d = 5n^2d$ is false: at n = " in problem
    assert "its sides are" in problem
    key = claimed('{"$4n^2d = 8nd^2$": over(lambda d: 1, n=lambda d: 2 * d)}')
    assert said(HEADER + "Where $4n^2d = 8nd^2$.\n" + key) == []


@pytest.mark.parametrize(
    ("key", "what"),
    [
        ('"no formula": lambda n: 1', "a function binds a formula, there is none"),
        ('"$2n$": proved("tests/content/test_nothing.py::test_a")', "there is no test"),
        (
            '"$2n$": proved("tests/content/test_claims.py::test_nothing")',
            "there is no test",
        ),
        ('"$3n$": lambda n: 1', "the text says '$2n$', its claim '$3n$'"),
        ('"$n^2$": lambda n: 1', "no text since the last claims cell says"),
    ],
)
def test_keys_are_kept_in_form(key, what):
    problems = said(HEADER + "It is $2n$.\n" + claimed(f"{{{key}}}"))
    assert any(what in problem for problem in problems)


def test_a_page_without_code_names_its_keys_in_the_header():
    page = "---\nattnbook:\n  formulas:\n    $2n$: {}\n---\n\n# Plain\n\nIt is $2n$.\n"
    assert said(page.format("definition")) == []
    assert said(page.format(PROVED)) == []
    assert "there is no test" in said(page.format("tests/a.py::test_b"))[0]
    assert len(said(page.format("definition").replace("is $2n$", "is $3n$"))) == 2


def test_formulas_in_code_and_after_the_word_part():
    text = "`$2n$` <!-- $3n$ --> part $16nd^2$, and $4n$"
    assert [one.tex for one in found.formulas(text)] == ["16nd^2", "4n"]


def test_the_formulas_of_questions_are_read_too():
    segment = claims.Segment(Path("a.toml"), 3, "It is $2n$.")
    section = claims.Section.new([])._replace(segments=[segment])
    (problem,) = claims.section_problems(HERE, section)
    assert str(problem).startswith("a.toml:3: $2n$ states a result")


def test_marks_are_read_from_the_code():
    call = ast.parse('claims({"$a$": definition, "$b$": 1, "$c$": x.over(f)})')
    marks = found.marks(call.body[0].value.args[0], set())
    assert marks == {"$a$": [Mark("definition")], "$c$": [Mark("code")]}


def test_formulas_are_counted_by_what_binds_them(tmp_path, capsys):
    page = tmp_path / "page.md"
    text = HEADER + "It is $2n$, $3n$, $4n$, $1 + 1 = 2$, $1 + 1 = 3$ and $n = 5$.\n"
    keys = f'{{"is $2n$": lambda n: 1, "$3n$, $4n$": [definition, proved("{PROVED}")]}}'
    page.write_text(text.replace("$4n$,", "$4n$, $5n^2$,") + claimed(keys))
    assert claims.main(["--formulas", str(page)]) == 0
    last = capsys.readouterr().out.splitlines()[-1].split()
    assert last == ["together", "1", "1", "1", "1", "1", "1"]


# --- the book


def sections(page):
    questions = claims.load_questions(ROOT / claims.QUESTIONS)
    text = page.read_text("utf-8")
    header, parts, _ = claims.read_sections(page, text, questions)
    assert list(claims.vouched(page, header, parts)) == []
    return parts


def stated(page):
    for section in sections(page):
        for segment in section.segments:
            if segment.path == page:
                for one, kind in found.kinds(segment.text, section.formulas):
                    yield section, segment, one, kind


def test_no_more_than_a_tenth_of_the_results_needs_a_test_of_its_own():
    kinds = [kind for page in PAGES for *_, kind in stated(page)]
    assert len(kinds) > 150
    assert set(kinds) <= {"code", "tried", "proved", "definition"}
    computed = kinds.count("code") + kinds.count("tried") + kinds.count("proved")
    assert kinds.count("proved") <= 0.1 * computed


def changed(tex):
    # each digit and each sign in turn
    for match in re.finditer(r"\d|(?<=[\w})] )[-+](?= )", tex):
        other = {"+": "-", "-": "+"}.get(match[0]) or str((int(match[0]) + 1) % 10)
        yield tex[: match.start()] + other + tex[match.end() :]


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_each_changed_digit_of_a_formula_is_noticed(page):
    missed = []
    for section, segment, one, _ in stated(page):
        for tex in changed(one.tex):
            at = segment.text.index(one.tex, one.start)
            text = segment.text[:at] + tex + segment.text[at + len(one.tex) :]
            others = [s for s in section.segments if s is not segment]
            new = section._replace(segments=[*others, segment._replace(text=text)])
            if not bound(claims.section_problems(page, new)):
                missed.append((segment.line, one.tex, tex))
    assert missed == []

"""The static check: every number in scope is bound, and every change is noticed."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

from attnbook.claims import claims as run_claims
from attnbook.claims import quoted
from booktools import ROOT
from booktools.content import claims
from booktools.content.problem import is_open
from booktools.content.prose import read_page
from booktools.gate import check

ALL = sorted((ROOT / "chapters").glob("*.md"))
MADE = {path: claims._MADE.match(path.read_text("utf-8")) for path in ALL}
PAGES = [path for path in ALL if not MADE[path]]
HERE = Path("page.md")
HEADER = """\
---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {name: python3, display_name: Python 3, language: python}
attnbook: {minutes: 20, seconds: 5, memory: 300 MB}
---
"""
CHAPTER = (
    HEADER
    + r"""
# Divide

**Question.** Why? **Core path:** 20 minutes. **Cells:** 5 seconds, 300 MB.

```{code-cell} ipython3
:tags: [hide-cell]

d_k = 512
keys = np.array([190.0, 204.0])
AttentionExplorer(id="f", d_k=64)
```

At $d_k = 512$ the deviation is 22.6, so about 200 keys share a
row. In `float16`, 0.5 of `x[0.7]` is 50 %. See chapter 3.2 and
[at 512](figure:f?d_k=512).

![Less than 25 of 512 keys.](picture.svg)

| $d_k$ | deviation | note |
|---:|---:|---|
| 512 | 22.63 | $4.5\times10^{-5}$ |

<details class="deeper"><summary>Going deeper: 1.5 times</summary>

The share is at most $\tfrac14$, and $-0.5$ at worst.

</details>

```{code-cell} ipython3
:tags: [claims, hide-cell]

claims({
    "22.6": np.sqrt(d_k),
    "about 200 keys": (keys.mean(), 0.05),
    "0.5 of": np.cos(np.pi / 3),
    "50 %": np.cos(np.pi / 3),
    "Less than 25": np.sqrt(d_k),
    "| 22.63 |": np.sqrt(d_k),
    r"$4.5\times10^{-5}$": np.exp(-10),
    "1.5 times": np.sqrt(2.25),
    r"at most $\tfrac14$": np.sqrt(0.04),
    "$-0.5$": np.cos(2 * np.pi / 3),
})
links({"at 512": "d_k == 512"})
```

Later, with $d_k = 512$ again.
"""
)
QUESTION = """
chapter = "05"
[[predict]]
name = "five-a"
prompt = "At $d_k = 512$, is it 22.6?"
answer = "sqrt(512.5)"
[[predict.wrong]]
says = "about 7.5"
[[quiz]]
name = "five-quiz-b"
prompt = "Is 0.25 right?"
"""


def said(text, questions=None, kinds=("number", "word", "result", "literal", "link")):
    found = claims.page_problems(HERE, text, questions or {})
    return [str(problem) for problem in found if problem.kind in kinds]


@pytest.fixture
def questions(tmp_path):
    (tmp_path / "05.toml").write_text(QUESTION, encoding="utf-8")
    return claims.load_questions(tmp_path)


def cell(code, tags=""):
    return f"\n```{{code-cell}} ipython3\n{tags}{code}\n```\n"


def claimed(keys):
    return cell(f"claims({keys})", ":tags: [claims, hide-cell]\n\n")


def test_a_chapter_with_all_numbers_bound_passes():
    assert said(CHAPTER) == []


def test_an_unbound_number_is_named_with_line_and_advice():
    text = CHAPTER.replace("so about", "not 17.3, so about")
    (problem,) = said(text)
    line = text[: text.index("17.3")].count("\n") + 1
    assert problem.startswith(f"page.md:{line}: 17.3 (a decimal) is bound to no code")
    at = text[: text.index("claims({")].count("\n") + 1
    assert re.search(
        r'write claims\(\{".*17\.3.*": value\}\) in the claims cell', problem
    )
    assert f"on line {at}" in problem


def test_a_changed_number_is_named_with_what_its_claim_says():
    problems = said(CHAPTER.replace("about 200 keys", "about 300 keys", 1))
    assert any(
        "the text says 'about 300 keys', its claim 'about 200 keys'" in one
        for one in problems
    )


def test_a_number_after_the_last_claims_cell_asks_for_a_cell():
    (problem,) = said(CHAPTER + "\nNow 17.3.\n")
    assert "add a cell with the tags [claims, hide-cell] below" in problem


def test_a_stale_key_is_named():
    (problem,) = said(CHAPTER.replace('"22.6": np', '"22.7 keys": x[0], "22.6": np'))
    assert "no text since the last claims cell says '22.7 keys'" in problem
    line = CHAPTER[: CHAPTER.index('"22.6": np')].count("\n") + 1
    assert problem.startswith(f"page.md:{line}:")


def test_a_key_binds_only_text_since_the_last_claims_cell():
    text = HEADER + "One 1.5.\n" + claimed('{"1.5": x}') + "Two 1.5.\n"
    assert len(said(text)) == 1
    assert said(text + claimed('{"1.5": x}')) == []


@pytest.mark.parametrize(
    ("prose", "key", "bound"),
    [
        ("has 11.6 keys", "1.6 keys", False),
        ("has 1.65 of", "1.6", False),
        ("has -1.6 of", "1.6", False),
        ("has 1.6 of", "1.6", True),
        ("about\n1.6   keys", "about 1.6 keys", True),
        ("> about\n> 1.6 keys", "about 1.6 keys", True),
        ("at thereabout 1.6 keys", "about 1.6 keys", False),
        ("has 1.6 keysets", "1.6 keys", False),
        ("has **1.6** keys", "1.6", True),
    ],
)
def test_keys_match_whole_words_and_whole_numbers(prose, key, bound):
    text = HEADER + prose + "\n" + claimed(f'{{"{key}": x}}')
    stale = [one for one in said(text) if "no text since" in one or "claim '" in one]
    assert (said(text) == []) is bound
    assert (stale == []) is bound


def test_settings_must_have_the_value_that_the_code_gives_the_name():
    code = cell("for d_k in (64, 512):\n    f(n=8)")
    assert said(HEADER + code + "With $d_k = 64$ and $n = 8$.\n") == []
    (problem,) = said(HEADER + code + "With $d_k = 8$.\n")
    assert "8 (d_k is set), but the code gives d_k the values 64, 512" in problem
    (problem,) = said(HEADER + code + "With $m = 5$.\n")
    assert "5 (m is set) is bound to no code" in problem
    assert said(HEADER + code + "With $m = 64$.\n") == []  # any constant will do


def test_settings_may_stand_in_a_list_and_in_a_key():
    code = cell("for n in (8, 64):\n    pass")
    assert said(HEADER + code + "For $n = 8, 64$ or $1$.\n") == []
    assert len(said(HEADER + code + "For $n = 8, 65$.\n")) == 1
    text = HEADER + code + "For $n = 8, 65$.\n" + claimed('{"65": x}')
    assert said(text) == []


def test_settings_know_the_parameters_of_functions():
    code = cell("def f(d, n=3):\n    return d\n\nf(16, 5)")
    assert said(HEADER + code + "With $d = 16$, $n = 3$ and 5 keys.\n") == []
    assert len(said(HEADER + code + "With $d = 5$.\n")) == 1


def test_constants_within_claims_bind_no_setting():
    text = HEADER + "With $m = 5$ it is 1.5.\n" + claimed('{"1.5": x[5]}')
    assert len(said(text)) == 1


def test_links_set_the_numbers_that_they_show():
    figure = "(figure:f?d_k=512&scaling=off)"
    assert said(HEADER + f"Set it [to 512]{figure}.\n", kinds=["number"]) == []
    (problem,) = said(HEADER + f"Set it [to 64]{figure}.\n", kinds=["number"])
    assert "a number that its link does not set" in problem
    drag = cell("Figure(d_k=64)") + "Drag [64](figure:f?drag=d_k).\n"
    assert said(HEADER + drag) == []
    assert len(said(HEADER + drag.replace("[64]", "[65]"))) == 1
    shows = "It shows [16](figure:f?show=keys).\n"
    assert "a live value" in said(HEADER + cell("n = 16") + shows)[0]
    assert said(HEADER + shows + claimed('{"shows [16]": n}')) == []


def test_questions_count_where_they_are_asked(questions):
    asked = HEADER + cell('predict("five-a")')
    problems = said(asked, questions)
    assert [p.split(": ")[1].split(" ")[0] for p in problems] == ["512", "22.6", "7.5"]
    assert problems[1].split(":")[1] == "5"  # the line of the question file
    assert problems[2].split(":")[1] == "8"
    bound = claimed('{"22.6?": x, "about 7.5": y, "$d_k = 512$": z}')
    assert said(asked + bound, questions) == []
    (problem,) = said(HEADER + cell('quiz("05")'), questions)
    assert "0.25 (a decimal)" in problem
    (problem,) = said(HEADER + cell('predict("five-z")'), questions)
    assert "predict('five-z'): no file" in problem


def test_alternative_texts_in_code_count():
    code = cell('style.show(f, alt="It is 2.5 wide.")')
    assert "2.5 (a decimal)" in said(HEADER + code)[0]
    assert said(HEADER + code + claimed('{"2.5 wide": x}')) == []
    assert said(HEADER + cell('style.show(f, alt=f"It is {x:.1f} wide.")')) == []
    options = "---\nmystnb:\n  image: {alt: It is 2.5}\n---\nf"
    assert len(said(HEADER + cell(options))) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (cell("x", ":tags: [claims]\n\n"), "has the tag claims and no claims"),
        (cell('claims({"1.5": 1})'), "needs a cell with the tags"),
        ("1.5" + claimed('{"1.5": 1, "1.5": 2}'), "stands there twice"),
        (claimed('{"no digit": 1}'), "a key needs a number, got 'no digit'"),
        (claimed('{f"{x}": 1}'), "write the claims out"),
        (claimed("values"), "write the claims out"),
    ],
)
def test_claims_cells_are_kept_in_form(text, message):
    assert message in said(HEADER + text)[0]


def test_the_header_vouches_for_the_first_lines_only():
    (problem,) = said(CHAPTER.replace("20 minutes", "25 minutes"))
    assert "25 (a quantity with a unit)" in problem
    text = (
        HEADER + "Intro.\n" + claimed('{"1": 1}').replace("1", "1.5") + "20 minutes.\n"
    )
    assert any("20 (a quantity" in one for one in said(text))


def test_a_page_without_code_holds_no_number():
    assert (
        said("# Plain\n\nThree words, 5 of them, in 2017, see [section 3.2](x.md).\n")
        == []
    )
    (problem,) = said("# Plain\n\nIt is 1.5.\n")
    assert "page.md:3: 1.5 (a decimal): this page has no code" in problem


def test_a_page_that_is_made_is_left_to_its_maker():
    page = (
        "<!-- Made by python -m booktools.content.api: do not edit. -->\n\nIt is 1.5.\n"
    )
    assert said(page) == []
    assert said(page.replace("do not edit", "edit")) != []
    checked = {
        command[1]
        for step in check.steps(ROOT)
        for command in step.commands
        if "--check" in command
    }
    makers = {f"booktools.{made[1]}" for made in MADE.values() if made}
    assert makers <= checked


def test_a_broken_header_is_a_problem():
    assert "never closed" in said("---\na: b\n")[0]


def test_the_command_line_fails_and_lists(tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.md"
    page.write_text(CHAPTER, encoding="utf-8")
    assert claims.main(["--check", str(page)]) == 0
    assert claims.main([str(page)]) == 0
    assert "22.63 (a decimal)" in capsys.readouterr().out
    page.write_text(CHAPTER.replace("22.63", "22.64", 1), encoding="utf-8")
    assert claims.main(["--check", str(page)]) == 1
    assert "22.64 (a decimal) is bound to no code" in capsys.readouterr().err


def test_by_default_all_pages_and_words_are_checked(monkeypatch):
    monkeypatch.chdir(ROOT)
    paths = claims.default_paths()
    assert set(path.name for path in ALL) < set(path.name for path in paths)
    assert Path("README.md") in paths
    assert Path("src/attnbook/widgets/kit/en.json") in paths


# --- each digit of each number in scope


def changed(text, start, end):
    # The text with each digit of text[start:end] in turn one higher.
    for at in range(start, end):
        if text[at].isdigit():
            yield f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}"


def held(page, text, questions):
    # what is wrong with a page by the rules that it must keep by now
    found = claims.page_problems(HERE, text, questions)
    return [str(p) for p in found if not is_open(page.stem, p.kind)]


def prose_changes(text, name=""):
    # (the number, the whole page with one digit of it changed), for text and alt texts
    _, cells = read_page(text)
    for one in cells:
        place = text.find(one.text)
        if one.kind == "code" or place < 0:
            continue
        for found in claims._all_found(one.text):
            if found.why and not is_open(name, claims.kind_of(found)):
                span = place + found.start, place + found.end
                yield from ((found.text, new) for new in changed(text, *span))


def test_each_changed_digit_of_the_fixture_fails():
    changes = list(prose_changes(CHAPTER))
    assert {number for number, _ in changes} >= {"22.6", "200", "25", "512", "-0.5"}
    missed = [number for number, text in changes if not said(text)]
    assert missed == []


def test_changed_in_text_and_key_alike_it_fails_when_run():
    tree = ast.parse(CHAPTER[CHAPTER.index("claims({") : CHAPTER.index("\n})") + 3])
    scope = {"np": np, "d_k": 512, "keys": np.array([190.0, 204.0])}
    (call,) = [node for node in ast.walk(tree) if isinstance(node, ast.Call)][:1]
    pairs = zip(call.args[0].keys, call.args[0].values, strict=True)
    # These hold for other digits too: two bounds and a tolerance.
    wide = {"Less than 25", r"at most $\tfrac14$", "about 200 keys"}
    for key, value in pairs:
        given = eval(compile(ast.Expression(value), "cell", "eval"), scope)
        run_claims({key.value: given})
        for number in claims.key_numbers(key.value) if key.value not in wide else []:
            for new in changed(key.value, number.start, number.end):
                if (
                    new != key.value
                    and claims.key_numbers(new)[0].value != number.value
                ):
                    with pytest.raises(AssertionError, match="differ"):
                        run_claims({new: given})


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_each_changed_digit_of_a_page_fails(page):
    questions = claims.load_questions(ROOT / claims.QUESTIONS)
    text = page.read_text(encoding="utf-8")
    assert held(page, text, questions) == []
    missed = [
        number
        for number, new in prose_changes(text, page.stem)
        if not held(page, new, questions)
    ]
    assert missed == []


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_each_changed_digit_of_a_question_fails(page):
    questions = claims.load_questions(ROOT / claims.QUESTIONS)
    text = page.read_text(encoding="utf-8")
    missed = []
    for name, segments in questions.items():
        if not re.search(rf'\b{name[0]}\("{name[1]}"\)', text):
            continue  # this page does not ask it
        for i, segment in enumerate(segments):
            for found in claims._all_found(segment.text):
                if is_open(page.stem, claims.kind_of(found)):
                    continue
                for new in changed(segment.text, found.start, found.end):
                    other = [
                        *segments[:i],
                        segment._replace(text=new),
                        *segments[i + 1 :],
                    ]
                    if not held(page, text, {**questions, name: other}):
                        missed.append((name, found.text))
    assert missed == []


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_an_unbound_number_added_to_a_page_fails(page):
    questions = claims.load_questions(ROOT / claims.QUESTIONS)
    text = page.read_text(encoding="utf-8") + "\nAnd 8765.4321 more.\n"
    assert any(
        "8765.4321" in str(p) for p in claims.page_problems(HERE, text, questions)
    )


def test_quoted_is_a_value_that_claims_accepts():
    run_claims({"prints 0.53": quoted("C2")})


VOUCHED = (
    "---\nattnbook: {numbers: {is twice: %s}}\n---\n\n# Plain\n\nIt is twice that.\n"
)
TEST = "tests/content/test_booktools_claims.py::test_a_header_vouches_for_numbers"


@pytest.mark.parametrize("by", [TEST, "'quoted: a book'", "'defined: our choice'"])
def test_a_header_vouches_for_numbers(by):
    assert said(VOUCHED % by) == []
    assert len(said((VOUCHED % by).replace("It is twice", "It is thrice"))) == 2


@pytest.mark.parametrize("by", ["tests/a.py::test_b", "'quoted: '", "'yes'"])
def test_a_header_that_vouches_with_nothing_is_refused(by):
    (problem,) = said(VOUCHED % by)
    assert "'is twice':" in problem and "is no test; name one as" in problem

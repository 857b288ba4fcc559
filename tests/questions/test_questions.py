"""Question files, what a notebook shows of them, and the element on the site."""

import json
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from attnbook.kernel import softmax
from attnbook.questions import model, predict, quiz, render, truths
from attnbook.questions.expressions import evaluate
from booktools.content.skeleton import size_of
from booktools.site import sketch
from booktools.site.questions import QuestionRenderer
from mini_site import ROOT, SITE, build

FILES = sorted((ROOT / "src/attnbook/questions/bank").glob("*.toml"))
CHAPTERS = [model.chapter(number) for number in model.chapter_numbers()]
QUESTIONS = [q for chapter in CHAPTERS for q in chapter.predict + chapter.quiz]
GOOD = {
    "choice": """
chapter = "99"
[[predict]]
name = "one"
kind = "choice"
prompt = "Which?"
[[predict.choices]]
text = "this"
right = true
reason = "It is."
[[predict.choices]]
text = "that"
reason = "It is not."
""",
    "number": """
chapter = "99"
[[predict]]
name = "one"
kind = "number"
prompt = "How many?"
answer = "sqrt(16)"
tolerance = 0.1
reason = "Count."
[[predict.wrong]]
value = "16"
reason = "Take the root."
""",
    "sketch": """
chapter = "99"
[[predict]]
name = "one"
kind = "sketch"
prompt = "Draw."
x = { label = "x", from = 0, to = 4, at = [1, 2, 4] }
y = { label = "y", from = 0, to = 16 }
given = [2]
curve = "x ** 2"
reason = "A square."
[[predict.wrong]]
says = "A line"
curve = "4 * x"
reason = "It bends."
""",
}


# --- the files


def test_every_chapter_file_is_read_and_every_name_is_used_once():
    assert [c.number for c in CHAPTERS] == [p.name.split("_")[0] for p in FILES] != []
    names = [q.name for q in QUESTIONS]
    assert sorted(set(names)) == sorted(names)


def test_the_longest_choice_is_right_no_more_often_than_by_chance():
    longest, chance = [], 0
    for question in QUESTIONS:
        if question.kind == "choice":
            lengths = [len(choice.text) for choice in question.choices]
            right = [choice.right for choice in question.choices].index(True)
            alone = lengths[right] == max(lengths) and lengths.count(max(lengths)) == 1
            longest += [question.name] if alone else []
            chance += 1 / len(lengths)
    assert len(longest) <= chance, longest


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.number)
def test_a_quiz_has_five_questions_and_no_favourite_letter(chapter):
    rights = [[c.right for c in q.choices].index(True) for q in chapter.quiz]
    assert len(rights) >= size_of(chapter.number).questions  # the opening has fewer
    assert max(rights.count(letter) for letter in rights) <= len(rights) / 2


@pytest.mark.parametrize("kind", GOOD)
def test_a_correct_file_is_read(kind):
    question = model.read(GOOD[kind], "99.toml").predict[0]
    assert (question.name, question.kind) == ("one", kind)


@pytest.mark.parametrize(
    ("kind", "old", "new", "message"),
    [
        ("choice", 'chapter = "99"', "chapter = 99", "chapter must be a text.*got 99"),
        ("choice", 'kind = "choice"', 'kind = "chose"', "one of choice.*got 'chose'"),
        ("choice", "right = true", "right = false", r"exactly one.*got \[\]"),
        ("choice", "right = true", 'right = "yes"', "true or false, got 'yes'"),
        ("choice", '"It is not."', '" "', "reason must be a text.*got ' '"),
        ("choice", 'text = "that"', 'text = "this"', "choices must differ"),
        ("choice", "right = true", "rigth = true", "keys must be among.*got 'rigth'"),
        ("choice", 'prompt = "Which?"', "", "prompt must be a text.*got None"),
        ("number", '"sqrt(16)"', '"sqrt(-1)"', "formula must have a value.*sqrt"),
        ("number", '"sqrt(16)"', '"1e400"', "finite value, got '1e400'"),
        ("number", '"sqrt(16)"', '"open(1)"', "no function 'open'"),
        ("number", "tolerance = 0.1", "tolerance = 10", "between 0 and 1, got 10"),
        ("number", 'value = "16"', 'value = "4.1"', "outside the tolerance"),
        ("number", "tolerance = 0.1", "tolerance = 0.1\ndigits = 0", "digits.*got 0"),
        ("sketch", "at = [1, 2, 4]", "at = [1, 2]", "three places or more"),
        ("sketch", "at = [1, 2, 4]", "at = [1, 2, 5]", r"lie on the axis.*5"),
        ("sketch", "from = 0, to = 4", "from = 4, to = 4", "below x.to"),
        ("sketch", '"x ** 2"', '"z ** 2"', "'z' is not allowed"),
        ("sketch", '"4 * x"', '"x * x"', "wrong curve must differ, got 'A line'"),
    ],
)
def test_a_wrong_file_is_refused_with_the_rule_and_what_came(kind, old, new, message):
    assert old in GOOD[kind]
    with pytest.raises(ValueError, match=f"(?s)99.toml.*{message}"):
        model.read(GOOD[kind].replace(old, new), "99.toml")


def test_two_questions_of_one_name_and_broken_toml_are_refused():
    twice = GOOD["choice"] + GOOD["choice"].split("\n", 2)[2]
    with pytest.raises(ValueError, match="names must differ, got 'one'"):
        model.read(twice, "99.toml")
    with pytest.raises(ValueError, match="not TOML"):
        model.read("chapter = ", "99.toml")


def test_unknown_names_are_refused_with_what_came():
    with pytest.raises(ValueError, match="got 'nothing'"):
        predict("nothing")
    with pytest.raises(ValueError, match="got '99'"):
        quiz("99")


# --- formulas and truths


@pytest.mark.parametrize(
    ("text", "value"),
    [("2 + 3 * 4", 14), ("-sqrt(x)", -3), ("x ** 2 / 3", 27), ("ln(exp(2))", 2)],
)
def test_a_formula_is_worked_out(text, value):
    assert evaluate(text, x=9) == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "(1).real", "y", "1 / 0", "[1]", "sqrt", "(-1) ** 0.5", "'a'"],
)
def test_a_formula_holds_numbers_and_known_names_only(text):
    with pytest.raises(ValueError, match="a formula must have a value"):
        evaluate(text, x=1)


def test_effective_keys_are_few_when_raw_and_many_when_scaled():
    assert 1.3 < truths.median_effective_keys(512, 64, 1) < 1.95
    assert truths.median_effective_keys(512, 64, 8) == pytest.approx(201, rel=0.04)
    assert truths.median_effective_keys(8, 4, 1e9) == pytest.approx(8)
    # the five scores: frozen, as they are (a hand calculation), melted
    assert truths.runner_up(0) == 0
    assert truths.runner_up(0.03) < 1e-6
    by_hand = 1 / (math.exp(0.5) + 1 + 3 * math.exp(-2.5))
    assert truths.runner_up(1) == pytest.approx(by_hand)
    assert truths.runner_up(0.5) < truths.runner_up(1) > truths.runner_up(4)
    assert truths.runner_up(1e9) == pytest.approx(1 / 5)


def test_the_curve_of_the_sketch_is_the_root_that_an_experiment_shows():
    question = model.find("five-growth")
    rng = np.random.default_rng(1)
    for d, height in zip(question.x.at, question.heights, strict=True):
        q, k = rng.standard_normal((2, 20000, d))
        assert (q * k).sum(axis=-1).std() == pytest.approx(height, rel=0.05)


def test_of_what_the_first_quiz_question_offers_only_the_spread_is_tamed():
    # Widths 16 and 1024: which measures grow without the factor and stay with it?
    rng, n = np.random.default_rng(2), 200
    grows, stays = {}, {}
    sizes = {}
    for d in (16, 1024):
        Q, K = rng.standard_normal((2, n, d))
        for scale in (1, 1 / d**0.5):
            scores = Q @ K.T * scale
            sizes[d, scale == 1] = {
                "The sum of each row of weights": softmax(scores).sum(axis=1).mean(),
                "The mean of the scores": 10 + scores.mean() / scores.std(),
                "The spread of the scores": scores.std(),
                "The length of a query": np.linalg.norm(Q, axis=1).mean(),
            }
    for name in sizes[16, True]:
        grows[name] = sizes[1024, True][name] > 1.5 * sizes[16, True][name]
        stays[name] = sizes[1024, False][name] < 1.1 * sizes[16, False][name]
    (question,) = [q for q in QUESTIONS if q.name == "five-quiz-constant"]
    assert {c.text: c.right for c in question.choices} == {
        name: bool(grows[name] and stays[name]) for name in grows
    }


def test_half_of_all_raw_rows_use_fewer_than_the_printed_number_of_keys():
    question = model.find("five-effective")
    assert f"use {render.shown(question.answer, 2)} keys or fewer" in question.reason


def test_one_third_is_what_default_layers_give():
    from attnbook.exercises.master import master

    bare = master("05-init-deviation")
    measured = bare.solution(**{**bare.standard, "spread": 1})
    assert model.find("five-init").answer == pytest.approx(measured, rel=0.05)


# --- in a notebook


def all_shown():
    shown = [predict(q.name) for c in CHAPTERS for q in c.predict]
    return shown + [quiz(c.number) for c in CHAPTERS]


@pytest.mark.parametrize("shown", all_shown(), ids=repr)
def test_a_bundle_has_the_three_types_and_is_plain_json(shown):
    bundle = shown._repr_mimebundle_()
    assert list(bundle) == [render.MIME, "text/markdown", "text/plain"]
    assert json.loads(json.dumps(bundle)) == bundle
    assert re.fullmatch(r"<\w+ [\w-]+>", bundle["text/plain"])


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)
def test_markdown_shows_the_question_and_folds_every_reason(question):
    visible, *folds = render.as_markdown(question).split("<details>")
    assert len(folds) == 1
    assert question.prompt in visible
    reasons = [c.reason for c in question.choices + question.wrong]
    for reason in filter(None, [*reasons, question.reason]):
        assert reason in folds[0] and reason not in visible
    # Blank lines keep Markdown and mathematics in the fold alive.
    assert re.match(r"<summary>[^<]+</summary>\n\n", folds[0])
    assert folds[0].endswith("\n\n</details>")


def test_markdown_names_the_right_choice_and_the_answer():
    text = render.as_markdown(model.find("five-gradient"))
    assert "- **B.** many times" in text and "**B is right.** About 17" in text
    assert "**Answer: 0.333.**" in render.as_markdown(model.find("five-init"))
    growth = render.as_markdown(model.find("five-growth"))
    assert "| d | deviation of q·k |" in growth and "| 64 | 8 |" in growth


# --- words and twins


def test_every_word_is_used_and_every_word_used_is_there():
    python = [*SITE.glob("*.py"), *ROOT.glob("src/attnbook/questions/*.py")]
    python += ROOT.glob("src/attnbook/exercises/*.py")
    python += [ROOT / "src/booktools/content/readers.py"]
    text = "".join(p.read_text() for p in python)
    used = set(re.findall(r"WORDS\[['\"](\w+)['\"]\]", text))
    script = "".join(p.read_text() for p in SITE.glob("questions/*.js"))
    used |= set(re.findall(r'"(\w+)"', script)) & set(render.WORDS)
    used |= {key for key in render.WORDS if key.startswith("kind_")}
    asked = set(re.findall(r'word\("(\w+)"', script))
    assert used | asked == set(render.WORDS)


def test_the_drawing_has_the_same_box_in_python_and_javascript():
    script = (SITE / "questions/sketch.js").read_text()
    box = dict(re.findall(r"(\w+): (\d+)", re.search(r"BOX = \{.*?\}", script)[0]))
    names = {name: getattr(sketch, name.upper()) for name in box}
    assert {name: int(value) for name, value in box.items()} == names
    assert f"= {sketch.WIDTH} / box.width" in script


def node(script):
    program = Path(sys.executable).parent / "node"
    command = [str(program) if program.exists() else shutil.which("node")]
    command += ["--input-type=module", "--eval", script]
    done = subprocess.run(command, capture_output=True, cwd=SITE, timeout=60, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_numbers_are_read_as_readers_write_them():
    texts = ["0.5", " 1/2 ", "0,5", "50 %", "1e-3", "−2", "", "x", "1/0", "1/2/3"]
    texts += ["65,600", "−1,234,567.5", "0,125", "2,7", "1,000/3,000"]
    script = f"""
        import {{ parseNumber }} from "./questions/number.js";
        const read = (text) => parseNumber(text);
        console.log(JSON.stringify({json.dumps(texts)}.map(read)));"""
    plain = [0.5, 0.5, 0.5, 0.5, 0.001, -2, None, None, None, None]
    assert node(script) == [*plain, 65600, -1234567.5, 0.125, 2.7, 1 / 3]


READ = {  # what people write, and all that it may stand for
    "25,253": [25253, 25.253],
    "83,333": [83333, 83.333],
    "1,571": [1571, 1.571],
    "65.600": [65.6, 65600],
    "65 600": [65600],
    "65\u202f600": [65600],
    "65'600": [65600],
    "1.234,5": [1234.5],
    "1,234.5": [1234.5],
    "1.234.567": [1234567],
    "12,34": [12.34],
    "0,125": [0.125],
    ".5": [0.5],
    "83 1/3": [250 / 3],
    "-1 1/2": [-1.5],
    "2½": [2.5],
    "⅓": [1 / 3],
    "≈ 3": [3],
    "~3": [3],
    "about 3": [3],
    "1.6 keys": [1.6],
    "25×": [25],
    "25x": [25],
    "25 times": [25],
    "3 percent": [0.03],
    "3 per cent": [0.03],
    "50 %": [0.5],
    "2·10^3": [2000],
    "2*10^-3": [0.002],
    "1e-3": [0.001],
    "2^10": [1024],
    "10^4": [10000],
    "5k": [5000],
    "1.5 million": [1500000],
    "1 / 4": [0.25],
    "+3": [3],
    "–2": [-2],
}


def test_all_ways_to_write_a_number_are_read_and_both_ways_to_read_one():
    script = f"""
        import {{ readings }} from "./questions/reading.js";
        const told = {json.dumps([*READ])}.map((text) => readings(text));
        console.log(JSON.stringify(told));"""
    for text, found in zip(READ, node(script), strict=True):
        assert found == pytest.approx(READ[text]), text


UNCLEAR = {
    "": "number_first",
    "  ": "number_first",
    "3-4": "one_number",
    "3 or 4": "one_number",
    "1/2/3": "one_number",
    "3 4": "one_number",
    "three": "in_digits",
    "sqrt(2)": "in_digits",
    "ln 8": "in_digits",
    "1,23,4": "in_digits",
    "1/0": "no_value",
}


def test_what_is_not_read_is_answered_with_what_is_unclear():
    script = f"""
        import {{ read, readings }} from "./questions/reading.js";
        const texts = {json.dumps([*UNCLEAR])};
        const told = texts.map((text) => [read(text).unclear, readings(text).length]);
        console.log(JSON.stringify(told));"""
    for text, (unclear, found) in zip(UNCLEAR, node(script), strict=True):
        assert (unclear, found) == (UNCLEAR[text], 0), text
        assert unclear in render.WORDS


def test_of_two_readings_the_right_one_counts_then_a_typical_one_then_the_nearest():
    cases = [
        ([25253, 25.253], 25.25, [100], 25.253),
        ([25253, 25.253], 25250, [100], 25253),
        ([65.6, 65600], 65536, [65.5], 65600),
        ([1571, 1.571], 3, [1.6], 1.571),
        ([1571, 1.571], 3, [100], 1.571),
        ([1571, 1.571], 2000, [100], 1571),
        ([25253, 25.253], 3000, [25.2], 25.253),
        ([0.833, 83.3], 83.33, [50], 83.3),
    ]
    script = f"""
        import {{ choose }} from "./questions/number.js";
        const told = {json.dumps(cases)}.map(([values, goal, wrong]) =>
          choose(values, goal, 0.01, wrong));
        console.log(JSON.stringify(told));"""
    assert node(script) == [case[-1] for case in cases]


def test_nobody_is_off_by_a_factor_of_one():
    script = """
        import { distance } from "./questions/number.js";
        const told = [3.03, 2.97, 3.3, 30, 0.03, -3].map((value) => distance(value, 3));
        console.log(JSON.stringify(told));"""
    assert node(script) == [
        ["bit_large"],
        ["bit_small"],
        ["too_large", {"factor": "1.1"}],
        ["too_large", {"factor": "10"}],
        ["too_small", {"factor": "100"}],
        ["other_sign"],
    ]


def test_where_percent_are_asked_for_a_percent_sign_changes_nothing():
    script = """
        import { parseNumber } from "./questions/number.js";
        const told = ["2.7 %", "2.7", "2,7%"].map((text) => parseNumber(text, "%"));
        console.log(JSON.stringify(told));"""
    assert node(script) == [2.7, 2.7, 2.7]
    script = """
        import { readings } from "./questions/reading.js";
        const texts = ["0.833", "0.5 %", "5/6", "83 1/3", "3 percent"];
        console.log(JSON.stringify(texts.map((text) => readings(text, "%"))));"""
    shares = [[0.833, 83.3], [0.5], [5 / 6, 500 / 6], [250 / 3], [3]]
    for found, wanted in zip(node(script), shares, strict=True):
        assert found == pytest.approx(wanted)


def test_a_drawn_curve_is_told_by_its_nearest_kind():
    script = """
        import { nearest } from "./questions/sketch.js";
        const kinds = [[1, 2, 3], [1, 4, 9], [2, 2, 2]];
        const drawn = [[1, 2, 4], [0, 4, 8], [2, 2.2, 2.1], [0, 9, 9]];
        console.log(JSON.stringify(drawn.map((curve) => nearest(curve, kinds, 1))));"""
    assert node(script) == [0, 1, 2, -1]


def test_a_step_is_no_line_and_is_told_where_it_goes_astray():
    question = model.find("five-growth")
    kinds = [question.heights, *(one.heights for one in question.wrong)]
    step = [2 if x < 32 else 12 for x in question.x.at]
    room = (question.y.end - question.y.start) / 16
    script = f"""
        import {{ nearest, runs }} from "./questions/sketch.js";
        const [step, kinds, at] = {json.dumps([step, kinds, question.x.at])};
        const side = (way) => runs(step, kinds[0], at, {room}, way);
        const told = [nearest(step, kinds, {room}), side(1), side(-1)];
        console.log(JSON.stringify(told));"""
    assert node(script) == [-1, ["32 to 64"], ["24"]]


def test_a_run_ends_where_the_curve_comes_back():
    script = """
        import { runs } from "./questions/sketch.js";
        const found = runs([5, 5, 1, 5, 0], [1, 1, 1, 1, 1], [1, 2, 3, 4, 6], 0.5, 1);
        console.log(JSON.stringify(found));"""
    assert node(script) == ["1 to 2", "4"]


def test_a_number_is_typical_only_when_it_is_near():
    wrong = [one.value for one in model.find("five-init").wrong]
    says = [one.says for one in model.find("five-init").wrong]
    values = [0.5, 0.577, 0.6, 0.46, 0.42, 2.67, 0.8, -1]
    script = f"""
        import {{ typical }} from "./questions/number.js";
        const wrong = {json.dumps(wrong)};
        const told = {values}.map((value) => typical(value, wrong));
        console.log(JSON.stringify(told));"""
    found = [None if i < 0 else says[i] for i in node(script)]
    root, raw = "The root of 1/3", "The raw deviation at $d_k = 64$"
    assert found == ["One half", root, root, "One half", None, raw, None, None]


def test_the_plugin_leaves_other_types_alone():
    class Data:
        mime_type = "text/html"

    assert QuestionRenderer.handle_mime(None, Data, False) is None


# --- on the site, in a browser


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    names = [q.name for q in model.chapter("05").predict]
    imports = "from attnbook.questions import predict, quiz"
    cells = [imports, *(f'predict("{name}")' for name in names), 'quiz("05")']
    return build(tmp_path_factory.mktemp("mini"), cells) / "index.html"


@pytest.fixture
def context(chromium):
    opened = chromium.new_context(viewport={"width": 900, "height": 900})
    yield opened
    opened.close()


def open_page(context, page_file):
    """Open the page from its file address; collect what must not happen."""
    page = context.new_page()
    page.troubles = []
    page.on("console", lambda m: m.type == "error" and page.troubles.append(m.text))
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.goto(page_file.as_uri())
    page.wait_for_function("document.querySelectorAll('attn-question').length > 0")
    page.wait_for_function("!document.querySelector('attn-question:not([data-ready])')")
    return page


@pytest.fixture
def page(context, page_file):
    opened = open_page(context, page_file)
    yield opened
    assert opened.troubles == []


def focused(page):
    return page.evaluate(
        "document.activeElement.className || document.activeElement.id"
    )


@pytest.mark.browser
def test_a_choice_works_with_the_keyboard_alone(page):
    question = page.locator("#question-five-gradient")
    reasons = question.locator(".attn-q-reason")
    assert reasons.count() == 0  # nothing to read before the reader commits
    question.locator("input").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert "attn-q-verdict" in focused(page)
    assert question.locator(".attn-q-verdict").inner_text() == "C: Not this one."
    texts = reasons.all_inner_texts()
    assert [text[0] for text in texts] == ["C", "B", "A", "D"]  # own, right, others
    assert texts[1].startswith("B is right.")
    assert question.locator(".attn-q-is-wrong").inner_text().endswith("Your choice")
    assert question.locator("input").first.is_disabled()


@pytest.mark.browser
def test_the_tab_key_reaches_choice_button_and_forgetting(page):
    question = page.locator("#question-five-gradient")
    question.locator("input").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    assert focused(page) == "attn-q-commit"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # Forget this answer
    assert question.locator(".attn-q-result").count() == 0
    assert question.get_by_role("status").inner_text() == "Forgotten."
    assert focused(page) == "five-gradient-0"
    assert question.locator("input:checked").count() == 0


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("five-gradient", "Choose an answer first."),
        ("five-effective", "Write a number first, for instance 0.5 or 1/2."),
        ("five-growth", "Draw first: move at least one point."),
    ],
)
def test_committing_to_nothing_is_answered_and_announced(page, name, text):
    question = page.locator(f"#question-{name}")
    question.locator(".attn-q-commit").click()
    assert question.get_by_role("status").inner_text() == text
    assert question.locator(".attn-q-result").count() == 0
    inside = f"document.activeElement.closest('#question-{name}') !== null"
    assert page.evaluate(inside)


@pytest.mark.browser
def test_what_was_asked_for_goes_once_it_is_done(page):
    question = page.locator("#question-five-growth")
    question.locator(".attn-q-commit").click()
    assert question.get_by_role("status").inner_text()
    question.locator(".attn-q-handle").first.focus()
    page.keyboard.press("ArrowUp")
    assert question.locator(".attn-q-status").text_content() == ""


@pytest.mark.browser
def test_an_answer_survives_a_reload_and_nothing_moves(context, page, page_file):
    question = page.locator("#question-five-gradient")
    before = question.bounding_box()["height"]
    question.locator("label").nth(1).click()
    question.locator(".attn-q-commit").click()
    again = open_page(context, page_file)
    question = again.locator("#question-five-gradient")
    assert question.locator("input").nth(1).is_checked()
    assert abs(question.bounding_box()["height"] - before) < 1
    question.locator("summary").click()
    assert question.locator(".attn-q-verdict").inner_text() == "B: Right."
    kept = again.evaluate("Object.entries(localStorage)")
    assert kept == [["attnbook.answer.five-gradient", "1"]]


# Parts of questions that do not fit into their question.
TOO_WIDE = """
[...document.querySelectorAll("attn-question")].flatMap((question) => {
  question.removeAttribute("hidden"); // what a quiz hides is not laid out
  const edge = Math.min(question.getBoundingClientRect().right, innerWidth);
  const out = (part) => part.getBoundingClientRect().right > edge + 1;
  const parts = [...question.querySelectorAll("*:not(.katex-mathml *)")];
  return parts.filter(out).map((part) => part.outerHTML.slice(0, 120));
})
"""


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 900])
def test_upgrading_moves_nothing(chromium, page_file, width):
    heights = []
    for script in (False, True):
        options = {"viewport": {"width": width, "height": 900}}
        context = chromium.new_context(**options, java_script_enabled=script)
        page = context.new_page()
        page.goto(page_file.as_uri())
        if script:
            page.wait_for_selector("attn-question[data-ready]")
        # a quiz shows one question, the first: the others go
        parts = page.locator("attn-question:not([hidden])").all()
        if not script:
            inside = page.locator("attn-quiz attn-question").all()[1:]
            assert len(inside) >= 5
            parts = parts[: len(parts) - len(inside)]
        heights.append([round(part.bounding_box()["height"]) for part in parts])
        assert page.evaluate(TOO_WIDE) == []
        context.close()
    assert heights[0] == heights[1]


@pytest.mark.browser
def test_forgetting_all_clears_the_browser_and_every_question(page):
    for name in ("five-gradient", "five-offset"):
        question = page.locator(f"#question-{name}")
        question.locator("label").first.click()
        question.locator(".attn-q-commit").click()
    page.evaluate("localStorage.setItem('of-someone-else', '1')")
    question.get_by_role("button", name="Forget all my answers").click()
    assert page.locator(".attn-q-result").count() == 0
    assert page.evaluate("Object.keys(localStorage)") == ["of-someone-else"]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("typed", "verdict", "reason"),
    [
        ("1,5", "You said 1,5. Right.", "Answer: 1.6 keys."),
        ("205", "You said 205. Not this one.", "about 200:"),
        ("512", "You said 512. Not this one.", "512:"),
        ("16", "You said 16. Too large by a factor of", "Answer:"),
        ("1/8", "You said 1/8. Too small by a factor of", "Answer:"),
        ("-3", "You said -3. Not near the answer.", "Answer:"),
        ("1.6 keys", "You said 1.6 keys. Right.", "Answer: 1.6 keys."),
        ("1,602", "You said 1,602. Read as 1.602. Right.", "Answer: 1.6 keys."),
    ],
)
def test_a_number_earns_its_own_reason(page, typed, verdict, reason):
    question = page.locator("#question-five-effective")
    question.locator("input").fill(typed)
    page.keyboard.press("Enter")
    assert question.locator(".attn-q-verdict").inner_text().startswith(verdict)
    first = question.locator(".attn-q-reason").first.inner_text()
    assert first.startswith(reason)


@pytest.mark.browser
def test_a_sketch_is_drawn_with_the_keyboard_alone(page):
    question = page.locator("#question-five-growth")
    assert question.locator(".attn-q-curve").count() == 0
    sliders = question.get_by_role("slider")
    sliders.first.focus()
    for i in range(sliders.count()):
        height = model.find("five-growth").x.at[i] / 4  # a straight line
        steps = round((height - 4) / 0.5)
        for _ in range(abs(steps)):
            page.keyboard.press("ArrowUp" if steps > 0 else "ArrowDown")
        page.keyboard.press("ArrowRight")
    assert sliders.last.get_attribute("aria-valuenow") == "16"
    assert sliders.last.get_attribute("aria-label") == "Height at d = 64"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert question.locator(".attn-q-curve").count() == 1
    assert "A straight line" in question.locator(".attn-q-reason").first.inner_text()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowDown")  # committed is committed
    assert sliders.last.get_attribute("aria-valuenow") == "16"


@pytest.mark.browser
def test_a_sketch_is_drawn_with_the_mouse(page):
    question = page.locator("#question-five-growth")
    grid = question.locator("svg")
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    scale = box["width"] / sketch.WIDTH
    data = render.as_data(model.find("five-growth"))

    def at(x, y):
        left = sketch.place(data["x"], x, sketch.LEFT, sketch.RIGHT)
        top = sketch.place(data["y"], y, sketch.BOTTOM, sketch.TOP)
        return box["x"] + left * scale, box["y"] + top * scale

    page.mouse.move(*at(2, 1.4))
    page.mouse.down()
    for x in range(4, 65, 4):
        page.mouse.move(*at(x, x**0.5))
    page.mouse.up()
    last = question.get_by_role("slider").last
    assert float(last.get_attribute("aria-valuenow")) == pytest.approx(8, abs=0.3)
    question.locator(".attn-q-commit").click()
    verdict = question.locator(".attn-q-verdict").inner_text()
    assert verdict == "Close to the true curve."


@pytest.mark.browser
def test_a_quiz_counts_and_starts_again(page):
    quiz_box = page.locator("attn-quiz")
    total = len(model.chapter("05").quiz)
    status = quiz_box.get_by_role("status").first
    assert status.inner_text() == f"0 of {total} answered, 0 right"
    for i, letter in ((0, 2), (1, 1)):  # one right, one wrong
        question = quiz_box.locator("attn-question").nth(i)
        question.locator("label").nth(letter).click()
        question.locator(".attn-q-commit").click()
        quiz_box.get_by_role("button", name="Next").click()
    marks = quiz_box.locator(".attn-quiz-numbers a").evaluate_all(
        "all => all.slice(0, 3).map((b) => b.dataset.how)"
    )
    assert marks == ["right", "wrong", "open"]
    assert status.inner_text() == f"2 of {total} answered, 1 right"
    quiz_box.get_by_role("button", name="Try again").click()
    assert status.inner_text() == f"0 of {total} answered, 0 right"
    assert page.evaluate("localStorage.length") == 0


SEEN = (
    "all => all.map((q, i) => q.hasAttribute('hidden') ? -1 : i).filter((i) => i >= 0)"
)


@pytest.mark.browser
def test_a_quiz_shows_one_question_at_a_time(page):
    quiz_box = page.locator("attn-quiz")
    questions = quiz_box.locator("attn-question")
    after = quiz_box.get_by_role("button", name="Next")
    assert questions.evaluate_all(SEEN) == [0]
    assert not quiz_box.get_by_text("Back").is_visible()
    after.click()
    assert questions.evaluate_all(SEEN) == [1]
    assert page.evaluate("document.activeElement.textContent") == "Question 2"
    quiz_box.get_by_title("Question 4, open").click()
    assert questions.evaluate_all(SEEN) == [3]
    name = questions.nth(2).get_attribute("id")
    page.evaluate(f"location.hash = '{name}'")
    page.wait_for_function(f"!document.getElementById('{name}').hidden")
    assert questions.evaluate_all(SEEN) == [2]


@pytest.mark.browser
def test_a_quiz_opens_at_the_first_question_without_an_answer(context, page, page_file):
    question = page.locator("attn-quiz attn-question").first
    question.locator("label").nth(2).click()
    question.locator(".attn-q-commit").click()
    again = open_page(context, page_file).locator("attn-quiz attn-question")
    assert again.evaluate_all(SEEN) == [1]


@pytest.mark.browser
def test_on_paper_all_questions_of_a_quiz_are_there(page):
    page.emulate_media(media="print")
    heights = page.locator("attn-quiz attn-question").evaluate_all(
        "all => all.map((q) => q.getBoundingClientRect().height)"
    )
    assert len(heights) >= 5 and min(heights) > 100


@pytest.mark.browser
def test_a_quiz_counts_what_was_kept(context, page, page_file):
    question = page.locator("attn-quiz attn-question").first
    question.locator("label").nth(2).click()
    question.locator(".attn-q-commit").click()
    status = open_page(context, page_file).locator("attn-quiz").get_by_role("status")
    assert re.match(r"1 of \d+ answered, 1 right", status.first.inner_text())


@pytest.mark.browser
def test_a_kept_answer_that_no_longer_fits_is_ignored(context, page, page_file):
    key = "attnbook.answer."
    page.evaluate(f"localStorage.setItem('{key}five-gradient', '7')")
    page.evaluate(f"localStorage.setItem('{key}five-growth', '[1]')")
    page.evaluate(f"localStorage.setItem('{key}five-effective', 'broken')")
    again = open_page(context, page_file)
    assert again.locator(".attn-q-result").count() == 0
    assert again.troubles == []


@pytest.mark.browser
def test_without_script_there_is_an_honest_fold(chromium, page_file):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_file.as_uri())
    question = page.locator("#question-five-gradient")
    assert question.locator("button").count() == 0  # nothing that would do nothing
    reason = question.locator(".attn-q-reason").first
    assert not reason.is_visible()
    question.locator("label").nth(2).click()
    assert question.locator("input").nth(2).is_checked()
    question.locator("summary").click()
    assert reason.is_visible()
    assert reason.inner_text().startswith("B is right.")
    growth = page.locator("#question-five-growth")
    growth.locator("summary").click()
    assert growth.locator(".attn-q-curve").is_visible()
    context.close()


def test_mathematics_is_rendered_ahead_and_nothing_is_asked_of_the_network(page_file):
    text = page_file.read_text()
    assert text.count('class="katex"') > 40
    questions = text[text.index("<attn-question") : text.rindex("</attn-quiz>")]
    outside = re.sub(r"<annotation.*?</annotation>", "", questions, flags=re.S)
    assert "$" not in re.sub(r"<[^>]*>", "", outside)
    assert not re.search(r'(src|href)="https?:', questions)


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(chromium, page_file, theme):
    context = chromium.new_context(color_scheme=theme)
    page = open_page(context, page_file)
    page.locator("#question-five-gradient label").first.click()
    page.locator("#question-five-gradient .attn-q-commit").click()
    page.locator("#question-five-effective .attn-q-commit").click()
    page.evaluate((ROOT / "node_modules/axe-core/axe.min.js").read_text())
    found = page.evaluate("axe.run('attn-question, attn-quiz')")["violations"]
    told = [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found]
    assert told == []
    context.close()

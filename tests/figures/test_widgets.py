"""Live figures from Python's side, and their JavaScript run by node."""

import io
import itertools
import json
import operator
import re
import subprocess

import anywidget
import matplotlib
import numpy as np
import pytest
import traitlets
from PIL import Image

from attnbook import toydata
from attnbook.kernel import attention_weights
from attnbook.stats import entropy
from attnbook.widgets import (
    AttentionExplorer,
    LiveFigure,
    every_figure,
    modules,
    picture,
    words,
)
from attnbook.widgets.base import HOME, load_spec
from booktools import ROOT
from booktools.site.assets import node_program

JS = ROOT / "tests" / "js"
FIGURES = every_figure()
COMPARE = {
    "<": operator.lt,
    ">": operator.gt,
    "==": operator.eq,
    "<=": operator.le,
    ">=": operator.ge,
}


def ask(question, of=None):
    """Run the figures' JavaScript and return its answer."""
    request = json.dumps({"ask": question, "of": of})
    command = [node_program(), JS / "measure.mjs"]
    done = subprocess.run(
        command, input=request, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_javascript_passes_its_own_tests():
    command = [node_program(), "--test", *sorted(JS.glob("*.test.mjs"))]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "fail 0" in done.stdout
    assert int(re.search(r"tests (\d+)", done.stdout)[1]) >= 20


# --- JavaScript and Python agree ----------------------------------------------------

CORNERS = {
    "d_k": [1, 64, 100, 1024],
    "temperature": [0.05, 1, 20],
    "n_keys": [2, 16, 64],
    "scaling": [True, False],
    "row": [None, 0, 63],
}


def states():
    """Return a grid of states with all corners, and the sentence's."""
    defaults = AttentionExplorer().state
    grid = itertools.product(*CORNERS.values())
    made = [{**defaults, **dict(zip(CORNERS, values, strict=True))} for values in grid]
    made += [{**defaults, "d_k": 512, "seed": seed} for seed in (1, 9999)]
    sentence = {**defaults, "data": "example", "guide": "sentence", "d_k": 7}
    tempers = itertools.product(CORNERS["temperature"], (None, 4, 63), (True, False))
    names = ("temperature", "row", "scaling")
    made += [{**sentence, **dict(zip(names, t, strict=True))} for t in tempers]
    return made


@pytest.fixture(scope="module")
def answers():
    """Return (state, what JavaScript measured) for the whole grid."""
    made = states()
    found = []
    for start in range(0, len(made), 60):
        found += ask("measure", made[start : start + 60])
    return list(zip(made, found, strict=True))


def test_weights_and_numbers_agree_at_every_corner(answers):
    worst = 0.0
    for state, answer in answers:
        figure = AttentionExplorer(**state)
        gap = np.abs(figure.weights.ravel() - answer["weights"]).max()
        ours, theirs = figure.values(), answer["values"]
        assert set(ours) == set(theirs)
        for name, value in ours.items():
            if isinstance(value, float):
                gap = max(gap, abs(value - theirs[name]) / max(1, abs(value)))
            else:
                assert value == theirs[name], (name, state)
        assert gap < 1e-6, state
        worst = max(worst, gap)
    assert worst < 1e-9  # rounding alone: cold softmax stretches it the most


def test_entropy_curve_agrees_with_the_kernel(answers):
    for state, answer in answers[:: len(answers) // 40]:
        Q, K = AttentionExplorer(**state).queries_and_keys
        row = AttentionExplorer(**state).shown_row
        Q = Q if row is None else Q[[row]]
        curve = answer["curve"]
        for k in range(0, len(curve["entropy"]), 12):
            for kind, scale in (("scaled", None), ("unscaled", 1.0)):
                A = attention_weights(Q, K, scale=scale, temperature=curve[kind][k])
                assert entropy(A).mean() == pytest.approx(curve["entropy"][k], abs=1e-8)


def test_bars_are_the_row_or_the_sorted_mean(answers):
    for state, answer in answers[:: len(answers) // 40]:
        figure = AttentionExplorer(**state)
        A, row = figure.weights, figure.shown_row
        bars = np.sort(A, axis=1)[:, ::-1].mean(axis=0) if row is None else A[row]
        np.testing.assert_allclose(answer["bars"], bars, atol=1e-9)


def test_sentence_and_python_line_are_the_same_in_both(answers):
    for state, answer in answers:
        figure = AttentionExplorer(id="explorer", **state)
        assert figure.sentence() == answer["sentence"]
        assert repr(figure) == answer["line"]


def test_the_python_line_makes_the_figure_again():
    figure = AttentionExplorer(id="x", d_k=3, temperature=0.1, row=2, scaling=False)
    again = eval(repr(figure), {"AttentionExplorer": AttentionExplorer})
    assert (again.state, again.id) == (figure.state, "x")


def test_javascript_has_the_same_sentence():
    tokens, Q, K, V = toydata.running_example()
    theirs = ask("example")
    assert tuple(theirs["tokens"]) == tokens
    for name, X in zip("QKV", (Q, K, V), strict=True):
        np.testing.assert_array_equal(theirs[name], X.ravel())


def test_colours_are_matplotlibs():
    tables = ask("tables")
    for name, of in {"cividis": "cividis", "puor": "PuOr"}.items():
        rgb = matplotlib.colormaps[of](range(256), bytes=True)[:, :3]
        assert bytes.fromhex(tables[name]) == rgb.tobytes()
    values = np.concatenate([np.linspace(0, 1, 1001), np.arange(257) / 256])
    table = matplotlib.colormaps["cividis"](range(256), bytes=True)[:, :3]
    np.testing.assert_array_equal(
        table[ask("colours", values.tolist())], picture.colours(values)
    )


def test_numbers_in_cells_can_be_read_on_every_colour():
    rgb = matplotlib.colormaps["cividis"](range(256), bytes=True)[:, :3]
    for light, ink in zip(picture.luminance(rgb), ask("inks"), strict=True):
        ratio = (light + 0.05) / 0.05 if ink == "#000" else 1.05 / (light + 0.05)
        assert ratio >= 4.5


# --- traits -------------------------------------------------------------------------


def test_defaults_are_those_that_the_book_names():
    figure = AttentionExplorer(id="explorer")
    assert figure.state == {
        "data": "random",
        "d_k": 64,
        "n_keys": 16,
        "temperature": 1.0,
        "scaling": True,
        "seed": 0,
        "row": None,
        "color_scale": "fixed",
        "view": "maps",
        "guide": "scaling",
    }
    assert isinstance(figure, anywidget.AnyWidget)
    assert all(figure.trait_metadata(key, "sync") for key in [*figure.state, "id"])


@pytest.mark.parametrize(
    "bad",
    [
        {"d_k": 0},
        {"d_k": 1025},
        {"d_k": 2.5},
        {"n_keys": 1},
        {"n_keys": 65},
        {"temperature": 0.04},
        {"temperature": 21.0},
        {"seed": -1},
        {"row": 64},
        {"data": "other"},
        {"color_scale": None},
    ],
)
def test_python_refuses_what_no_state_is(bad):
    with pytest.raises(traitlets.TraitError):
        AttentionExplorer(**bad)
    (key, value), figure = next(iter(bad.items())), AttentionExplorer()
    with pytest.raises(traitlets.TraitError):
        setattr(figure, key, value)


def test_an_unknown_name_is_refused():
    with pytest.raises(TypeError, match="AttentionExplorer has no heads"):
        AttentionExplorer(heads=8)


def test_the_sentence_brings_its_guide():
    assert AttentionExplorer(data="example").guide == "sentence"
    assert AttentionExplorer(data="example", guide="scaling").guide == "scaling"


def test_weights_and_numbers_follow_the_traits():
    figure = AttentionExplorer(d_k=8, n_keys=5)
    Q, K = toydata.random_qk(0, 5, 5, 8)
    np.testing.assert_array_equal(figure.weights, attention_weights(Q, K))
    figure.scaling, figure.temperature = False, 2.0
    hot = attention_weights(Q, K, scale=1.0, temperature=2.0)
    np.testing.assert_array_equal(figure.weights, hot)
    assert figure.entropy == pytest.approx(entropy(hot).mean())
    assert figure.largest_weight == pytest.approx(hot.max(axis=1).mean())
    assert figure.effective_keys == pytest.approx((1 / (hot**2).sum(axis=1)).mean())
    figure.row = 3
    assert figure.entropy == pytest.approx(entropy(hot)[3])
    figure.row = 40
    assert figure.entropy == pytest.approx(entropy(hot)[-1])


# --- words, guides, presets ---------------------------------------------------------


def items(kind):
    """Return (class, guide, item) for all steps or presets of all figures."""
    found = []
    for cls in FIGURES:
        for guide, parts in load_spec(cls.figure).get("guides", {}).items():
            found += [
                pytest.param(
                    cls, guide, item, id=f"{cls.figure}-{guide}-{item['name']}"
                )
                for item in parts.get(kind, [])
            ]
    return found


def target(cls, guide, item):
    """Return the figure in the state of a step or preset."""
    own = {"guide": guide} if "guide" in load_spec(cls.figure)["state"] else {}
    return cls(**{**own, **item.get("state", {})})


@pytest.mark.parametrize(("cls", "guide", "item"), items("steps") + items("presets"))
def test_a_state_shows_what_its_caption_says(cls, guide, item):
    values = target(cls, guide, item).values()
    if "state" in item:
        assert item["shows"], "a captioned state needs a condition"
    for name, relation, bound in item.get("shows", []):
        assert COMPARE[relation](values[name], bound), (name, values[name])


@pytest.mark.parametrize(("cls", "guide", "item"), items("steps"))
def test_a_caption_finds_all_its_values(cls, guide, item):
    caption = words.template(f"{cls.figure}.guides.{guide}.{item['name']}")
    text = words.fill(caption, target(cls, guide, item).values())
    assert "{" not in text and "None" not in text and "nan" not in text


@pytest.mark.parametrize(("cls", "guide", "item"), items("presets"))
def test_a_preset_has_words_for_its_state(cls, guide, item):
    template = words.template(f"{cls.figure}.presets.{guide}.{item['name']}")
    text = words.fill(template, target(cls, guide, item).state)
    assert text and "{" not in text


@pytest.mark.parametrize("cls", FIGURES)
def test_guides_have_three_to_five_steps_and_no_words_are_left_over(cls):
    guides = load_spec(cls.figure).get("guides", {})
    table = words.table()[cls.figure]
    for kind, section in (("steps", "guides"), ("presets", "presets")):
        for guide, parts in guides.items():
            names = [item["name"] for item in parts.get(kind, [])]
            assert len(set(names)) == len(names)
            assert set(table[section][guide]) == set(names)
    assert all(3 <= len(parts["steps"]) <= 5 for parts in guides.values())


def texts(table, path=""):
    """Yield (path, text) for every text of the words table."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from texts(value, f"{path}{key}.")
        else:
            yield path + key, value


def test_no_measured_number_stands_in_the_words():
    for path, text in texts(words.table()):
        bare = re.sub(r"\{[^}]*\}|`[^`]*`", "", text)
        assert not re.search(r"\d[.,]\d|\d\s*(%|nats|keys)|=\s*\d", bare), path


def test_javascript_says_nothing_that_is_not_in_the_table():
    """Words are never written in a module: only keys of the table are."""
    called = re.compile(r"(ui\.t|ui\.kit|sayKit)\(\s*\"([\w.]+)\"")
    found = 0
    for path in HOME.rglob("*.js"):
        for call, key in called.findall(path.read_text(encoding="utf-8")):
            owner = path.parent.name if call == "ui.t" else "kit"
            if owner == "kit" and call == "ui.t":
                continue  # the kit asks the figure that it draws for
            assert words_at(f"{owner}.{key}"), (path, key)
            found += 1
    assert found > 50


def words_at(path):
    try:
        return words.template(path)
    except KeyError:
        return None


@pytest.mark.parametrize("cls", FIGURES)
def test_the_values_that_prose_may_show_are_those_that_are_measured(cls):
    shown = load_spec(cls.figure)["values"]
    assert len(set(shown)) == len(shown)
    assert set(shown) <= set(cls().values())
    assert set(cls().measure()) - set(shown) <= {"summary", "other_name"}


def test_unknown_words_are_named():
    with pytest.raises(KeyError, match=r"no words at kit\.nothing"):
        words.template("kit.nothing")
    with pytest.raises(KeyError, match="depth"):
        words.fill("{depth}", {})


def test_what_rounds_to_zero_has_no_sign():
    values = {"a": -0.001, "b": -0.06, "c": -0.001, "d": -0.0}
    assert words.fill("{a:.2f} {b:.1f} {c:.0%} {d}", values) == "0.00 −0.1 0% 0"


# --- what goes to a page and to a notebook ------------------------------------------


def test_a_page_gets_the_element_with_state_picture_and_sentence():
    figure = AttentionExplorer(id="explorer", d_k=512, scaling=False)
    made = figure._repr_mimebundle_()[0]
    html = made["text/html"]
    assert html.startswith(
        '<attn-figure id="explorer" data-figure="attention_explorer"'
    )
    state = re.search(r'data-state="([^"]*)"', html)[1].replace("&quot;", '"')
    assert json.loads(state) == figure.state
    assert html.count(figure.sentence()) == 2  # alternative text and paragraph
    assert 'role="img"' in html and "currentColor" in html
    assert "--attn-rail:2;--attn-stage:404;" in html
    assert (
        made["text/plain"] == 'AttentionExplorer(id="explorer", d_k=512, scaling=False)'
    )
    assert "application/vnd.jupyter.widget-view+json" in made


def test_a_notebook_keeps_a_still_picture_that_only_its_own_figure_hides(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, **_: shown.append(data))
    first, second = AttentionExplorer(), AttentionExplorer()
    first._ipython_display_()
    live, kept = shown
    assert live["text/html"] == "" and kept["application/vnd.attnbook.page"] == (
        first.html()
    )
    assert first.sentence() in kept["text/html"] and "run the cell" in kept["text/html"]
    assert f'class="{first.twin}"' in kept["text/html"]
    assert first.twin and first.twin != second.twin
    assert "application/vnd.jupyter.widget-view+json" in live


@pytest.mark.parametrize("n", [2, 16, 64])
def test_the_still_picture_is_small_and_the_same_each_time(n):
    first, second = (AttentionExplorer(id="a", n_keys=n).html() for _ in range(2))
    assert first == second
    assert len(first) < 16_000 * n / 64 + 3_000


def test_the_sentence_is_printed_in_the_still_picture():
    svg = AttentionExplorer(data="example", row=4).picture("it finds the dog")
    assert svg.count(">0.77<") == 1
    assert svg.count(">barked<") == 2
    assert 'aria-label="it finds the dog"' in svg


def test_text_from_outside_is_escaped():
    svg = picture.matrix_svg(np.eye(2), '<&"', names=["<b>", "x"])
    assert "<b>" not in svg and 'aria-label="&lt;&amp;&quot;"' in svg
    html = AttentionExplorer(id='"><script>').html()
    assert "<script>" not in html


def test_a_png_holds_its_pixels():
    pixels = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    with Image.open(io.BytesIO(picture.png(pixels))) as image:
        read = np.asarray(image)
    np.testing.assert_array_equal(read, pixels)


def test_the_notebook_gets_one_module_that_holds_all_others():
    entry = "figures/attention_explorer/figure.js"
    collected = modules.collect(entry, modules.HOST)
    assert list(collected)[-1] == modules.HOST
    needed = {entry, "kit/figure.js", "kit/en.json", "vendor/d3-format.js"}
    assert needed <= set(collected)
    seen = set()
    for name, text in collected.items():
        wanted = set(re.findall(r'"attn:([^"]+)"', text))
        assert wanted <= seen, f"{name} comes before what it imports"
        assert not re.search(r'(from|import)\s*"\.', text), name
        assert 'with { type: "json" }' not in text
        seen.add(name)
    assert AttentionExplorer._esm == modules.joined("attention_explorer")


def test_modules_that_import_each_other_are_refused(tmp_path, monkeypatch):
    (tmp_path / "a.js").write_text('import "./b.js";\n')
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\n')
    monkeypatch.setattr(modules, "HOME", tmp_path)
    with pytest.raises(ValueError, match="import each other"):
        modules.collect("a.js")


def test_a_figure_without_measure_or_picture_says_so():
    class Bare(LiveFigure, figure="attention_explorer"):
        pass

    with pytest.raises(NotImplementedError, match="Bare must measure"):
        Bare().measure()
    with pytest.raises(NotImplementedError, match="Bare must draw"):
        Bare().picture("")

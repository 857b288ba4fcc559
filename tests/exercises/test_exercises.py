"""Every exercise as its author promises it, and answers that try everything."""

import dataclasses
import os
import re
import signal
import subprocess
import sys
import warnings
from fractions import Fraction

import nbformat
import numpy as np
import pytest

from attnbook import exercises
from attnbook.exercises import check, checking, exercise, judge
from attnbook.exercises.master import TYPES, load
from attnbook.exercises.show import show
from attnbook.kernel import softmax
from booktools.content.skeleton import size_of
from booktools.gate import withheld
from mini_site import ROOT

NAMES = exercises.names()
MASTERS = [load(name) for name in NAMES]
# Chapters that do not claim to be finished, or are not there yet.
DRAFTS = {name[:2] for name in NAMES} - {
    path.name[:2]
    for path in (ROOT / "chapters").glob("[0-9]*.md")
    if "\n  draft: true\n" not in path.read_text("utf-8")
}
WRONG = [(master, wrong) for master in MASTERS for wrong in master.wrong]


@pytest.fixture
def shown(monkeypatch):
    monkeypatch.delenv("ATTNBOOK_SOLUTIONS", raising=False)


def given(master, answer):
    """The answer as the student has it: a function, or the value of one."""
    return answer if master.probes else answer()


# --- the masters


@pytest.mark.parametrize("master", MASTERS, ids=NAMES)
def test_a_master_is_whole(master):
    assert master.type in TYPES and master.difficulty in (1, 2, 3)
    assert 1 <= master.minutes <= 60
    assert all([master.title, master.statement, master.explanation, master.objective])
    assert "..." in master.stub or any(wrong.given for wrong in master.wrong)
    assert [line for line in master.stub_cell.split("\n") if len(line) > 88] == []
    hints = [wrong.hint for wrong in master.wrong]
    assert len(set(hints)) == len(hints)
    assert sum(not wrong.given for wrong in master.wrong) >= 3


def test_names_follow_modules_and_unknown_ones_are_refused():
    assert all(load(name).name == name for name in NAMES)
    with pytest.raises(ValueError, match="got '05-nothing'"):
        load("05-nothing")


@pytest.mark.parametrize("chapter", sorted({name[:2] for name in NAMES} - DRAFTS))
def test_a_chapter_has_five_exercises_of_all_kinds(chapter):
    types = [master.type for master in MASTERS if master.name.startswith(chapter)]
    least = size_of(chapter)  # the opening has fewer
    assert len(types) >= least.exercises and len(set(types)) >= least.kinds


@pytest.mark.parametrize("master", MASTERS, ids=NAMES)
def test_the_solution_passes(master):
    report = check(master.name, given(master, master.solution))
    assert (report.status, report.hint) == ("right", "")
    assert report and report.message


@pytest.mark.parametrize("master", MASTERS, ids=NAMES)
def test_the_solution_as_printed_runs_in_the_students_notebook(master):
    space = {"np": np, "check": check}
    exec(master.stub_cell, space)
    *code, call = master.solution_code.split("\n")
    exec("\n".join([*code, call if master.probes else ""]), space)
    answer = space[master.solution.__name__] if master.probes else eval(call, space)
    assert check(master.name, answer).status == "right"


@pytest.mark.parametrize("master", MASTERS, ids=NAMES)
def test_the_stub_reads_not_attempted(master):
    *stub, last = master.stub_cell.split("\n")
    space = {"np": np, "check": check}
    exec("\n".join(stub), space)
    report = eval(last, space)
    assert (report.status, report.hint) == ("not attempted", "")
    assert not report
    assert report.markdown.startswith("**Not attempted yet.**")


@pytest.mark.parametrize(
    ("master", "wrong"), WRONG, ids=[f"{m.name}-{w.name}" for m, w in WRONG]
)
def test_a_wrong_answer_is_rejected_with_its_own_hint(master, wrong):
    report = check(master.name, given(master, wrong.answer))
    assert (report.status, report.hint) == ("wrong", wrong.hint)
    assert report.message and wrong.hint in report.markdown


@pytest.mark.parametrize("master", MASTERS, ids=NAMES)
def test_inputs_are_tried_from_small_to_large_and_are_new_each_time(master):
    if not master.probes:
        return
    sizes = [sum(np.size(value) for value in inputs) for inputs in master.inputs()]
    assert sizes[0] == min(sizes) and len(sizes) >= 3
    for a, b in zip(master.inputs()[0], master.inputs()[0], strict=True):
        assert a is not b or np.isscalar(a)


def test_two_wrong_parts_each_find_their_reason():
    report = check("05-shifted-means", (5, 1))
    assert "variance" in report.hint
    report = check("05-shifted-means", (np.sqrt(5), np.sqrt(5)))
    assert "adds the same amount" in report.hint
    assert check("05-shifted-means", (2.25, 0.99)).status == "right"
    assert "raw scores" in check("05-shifted-means", (np.sqrt(5), 8)).hint
    assert check("05-shifted-means", (7, 8)).hint.startswith("(Of number 2.) These")
    assert check("05-shifted-means", (7, 9)).hint == ""
    assert check("05-shifted-means", (..., 1)).status == "not attempted"


def test_a_hint_is_for_those_who_made_the_whole_mistake():
    assert "grows by less" in check("12-doubled", (4, 2.5, 3)).hint
    assert check("12-doubled", (4, 2.5, 2.5)).hint == ""  # nothing is swapped
    assert check("04-ties", (np.log(5), np.log(5))).hint == ""

    def mended_in_part(n_q, n_k):
        return np.tril(np.ones((n_q, n_k), bool), k=1 if n_q == n_k else n_k - n_q)

    assert check("08-cached-mask", mended_in_part).hint == ""


@pytest.mark.parametrize(("kind", "right"), [(np.float32, True), (np.float64, False)])
def test_single_precision_may_be_as_coarse_as_it_is(kind, right):
    lead = load("04-lead").solution
    report = check("04-lead", lambda p, n: kind(lead(p, n) * (1 + 1e-5)))
    assert bool(report) is right


def test_other_right_answers_are_right_too():
    assert check("05-general-variance", lambda a, b: (a * b).sum())
    assert check("05-idle-bias", lambda K: K - K.mean(axis=0))
    assert check("05-idle-bias", lambda K: K + K[0])

    def in_single(Q, K):
        return Q.astype(np.float32) @ K.T.astype(np.float32) / np.sqrt(Q.shape[1])

    def fourth_roots(Q, K):
        root = np.float16(Q.shape[1] ** 0.25)
        return (Q / root) @ (K / root).T

    assert check("05-half-precision", in_single)
    assert check("05-half-precision", fourth_roots)


def as_lists(function):
    return lambda *inputs: function(*inputs).tolist()


def in_single(function):
    return lambda *inputs: function(*inputs).astype(np.float32)


WEIGHTS = "04-stable-softmax", "04-cooling-bug", "08-empty-rows"
MASKS = "08-cached-mask", "08-combined-mask"


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("dress", [as_lists, in_single])
def test_lists_and_single_precision_are_right_too(name, dress):
    assert check(name, dress(load(name).solution))


@pytest.mark.parametrize("name", MASKS)
def test_a_mask_may_be_a_list_of_truths_but_none_of_numbers(name):
    mask = load(name).solution
    assert check(name, as_lists(mask))
    for kind in (float, int, np.float32):
        report = check(name, lambda *inputs, kind=kind: mask(*inputs).astype(kind))
        assert report.status == "wrong", kind
        assert f"holds `{np.dtype(kind)}`: make it `bool`" in report.message


def test_other_algorithms_are_right_too():
    def by_pairs(scores, temperature, axis):
        rows = np.moveaxis(scores, axis, -1)
        gaps = (rows[..., None, :] - rows[..., :, None]) / temperature
        return np.moveaxis(1 / np.exp(gaps).sum(axis=-1), -1, axis)

    def by_logarithms(weights, temperature):
        scores = np.log(weights) / temperature
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    def turned_round(n_q, n_k):
        return np.triu(np.ones((n_q, n_k), bool))[::-1, ::-1]

    def row_by_row(scores, mask, axis):
        scores, mask = (np.moveaxis(x, axis, -1) for x in (scores, mask))
        weights = np.zeros_like(scores)
        for row in np.ndindex(mask.shape[:-1]):
            powers = np.exp(
                scores[row] - scores[row].max(where=mask[row], initial=-1e99)
            )
            seen = np.where(mask[row], powers, 0)
            weights[row] = seen / (seen.sum() or 1)
        return np.moveaxis(weights, -1, axis)

    assert check("04-stable-softmax", by_pairs)
    assert check("04-cooling-bug", by_logarithms)
    assert check("04-lead", lambda p, n: -np.log((1 / p - 1) / (n - 1)))
    assert check("04-ties", [1.1, 1.61])
    assert check("08-cached-mask", turned_round)
    assert check("08-empty-rows", row_by_row)
    assert check("08-fatal-lead", 312.0)
    assert check(
        "08-visible-pairs", lambda n, left: sum(n - d for d in range(left + 1) if d < n)
    )


CHANGED = {
    "03-nearest-bug": """
def best_aligned(Q, K):
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    return (Q @ K.T / np.sqrt(Q.shape[-1])).argmax(axis=-1)
""",
    "05-heads-bug": """
def head_weights(X, W_Q, W_K, n_heads):
    n, d_model = X.shape
    Q = (X @ W_Q).reshape(n, n_heads, -1).swapaxes(0, 1)
    K = (X @ W_K).reshape(n, n_heads, -1).swapaxes(0, 1)
    return softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(W_Q.shape[-1]))
""",
}


@pytest.mark.parametrize("name", CHANGED)
def test_changed_code_that_does_what_it_did_gets_the_hint_of_the_code_given(name):
    space = {"np": np, "softmax": softmax}
    exec(CHANGED[name], space)
    report = check(name, space[load(name).answer])
    given = next(wrong for wrong in load(name).wrong if wrong.given)
    assert (report.status, report.hint) == ("wrong", given.hint)


COSMETIC = {
    "as it is": lambda code: code,
    "a comment": lambda code: code.replace("return", "# so be it\n    return"),
    "another docstring": lambda code: code.replace("Let the last", "Let all"),
    "no docstring": lambda code: re.sub(r'    """.*"""\n', "", code),
    "brackets": lambda code: re.sub(r"return (.*)", r"return (\1)", code),
}


@pytest.mark.parametrize("change", COSMETIC)
def test_code_is_untouched_whatever_was_done_to_its_layout(change):
    space = {"np": np}
    exec(COSMETIC[change](load("08-cached-mask").stub), space)
    report = check("08-cached-mask", space["cached_mask"])
    assert report.status == "not attempted" and "as it was given" in report.message


def test_what_is_mended_in_part_is_not_as_it_was_given():
    def nearly(n_q, n_k):
        return np.tril(np.ones((n_q, n_k), dtype=bool), k=max(n_k - n_q, 0))

    report = check("08-cached-mask", nearly)
    assert report.status == "wrong" and "more *queries*" in report.hint


def test_a_loop_over_a_text_without_end_is_stopped_in_time():
    report = check(
        "08-visible-pairs", lambda n, left: sum(min(i, left) + 1 for i in range(n))
    )
    assert report.status == "wrong" and "a loop takes for ever" in report.hint
    assert "no end after 2 seconds" in report.message


@pytest.mark.parametrize("name", ["solution", "in_single", "divided_first", "roots"])
def test_what_half_precision_promises_holds_for_the_answers_it_accepts(name):
    # Finite, and within one part in a hundred, where all terms have one sign.
    def in_single(Q, K):
        return Q.astype(np.float32) @ K.T.astype(np.float32) / np.sqrt(Q.shape[1])

    def divided_first(Q, K):
        return (Q / np.float16(np.sqrt(Q.shape[1]))) @ K.T

    def roots(Q, K):
        root = np.float16(Q.shape[1] ** 0.25)
        return (Q / root) @ (K / root).T

    solution = load("05-half-precision").solution
    answer = locals()[name]
    assert check("05-half-precision", answer)
    rng = np.random.default_rng(0)
    for d in (1, 3, 64, 300):
        Q, K = np.exp(rng.uniform(-3, 5, (2, 40, d))).astype(np.float16)
        exact = Q.astype(float) @ K.astype(float).T / np.sqrt(d)
        fits = exact < 65000
        assert fits.any()
        with np.errstate(over="ignore"):
            got = answer(Q, K).astype(float)
        assert np.allclose(got[fits], exact[fits], rtol=0.01, atol=0)


def test_where_terms_cancel_the_model_answer_is_right_and_the_others_as_told():
    master = load("05-half-precision")
    Q, K = np.array([[2048, 2046]], np.float16), np.array([[1, -1]], np.float16)
    assert master.solution(Q, K)[0, 0] == pytest.approx(np.sqrt(2), rel=1e-3)
    assert ((Q / np.float16(np.sqrt(2))) @ K.T)[0, 0] == 1
    assert "terms cancel" in master.statement and "gives 1.0" in master.explanation
    for Q, K in master.inputs():
        terms = np.sign(Q)[:, None] * np.sign(K)[None]
        assert (terms == terms[..., :1]).all() and terms.all()


@pytest.mark.parametrize(
    ("name", "answer", "told"),
    [
        ("05-init-deviation", 1.125, "packed matrix"),
        ("05-shifted-means", (np.sqrt(5), 0), "Only the *mean* of the keys"),
        ("05-shifted-means", (2, 1), "The mean alone"),
    ],
)
def test_a_value_that_students_gave_finds_its_reason(name, answer, told):
    assert told in check(name, answer).hint


def test_the_width_itself_is_named_however_it_came_in():
    def by_width(Q, K):
        return (Q / Q.shape[-1]) @ K.T

    def twice(Q, K):
        root = np.float16(np.sqrt(Q.shape[-1]))
        return (Q / root) @ (K / root).T

    for answer in (by_width, twice):
        assert "the width itself" in check("05-half-precision", answer).hint


def test_an_infinite_score_that_is_clipped_gets_a_hint():
    def clip_scores(Q, K):
        scores = (Q @ K.T) / np.float16(np.sqrt(Q.shape[-1]))
        return np.clip(scores, -65504, 65504)

    def clip_product(Q, K):
        product = np.nan_to_num(Q @ K.T, posinf=65504, neginf=-65504)
        return product / np.float16(np.sqrt(Q.shape[-1]))

    hints = [check("05-half-precision", f).hint for f in (clip_scores, clip_product)]
    assert "every score that was lost" in hints[0]
    assert "becomes the same number" in hints[1]


# --- what a report says


@pytest.mark.parametrize(
    ("master", "wrong"), WRONG, ids=[f"{m.name}-{w.name}" for m, w in WRONG]
)
def test_answer_and_expected_are_never_printed_alike(master, wrong):
    message = check(master.name, given(master, wrong.answer)).message
    blocks = re.findall(r"```\n(.*?)\n```", message, re.S)
    if "expected" in message and len(blocks) > 2:
        assert blocks[-2] != blocks[-1]


def test_tiny_numbers_are_not_shown_as_zeros():
    tiny = np.array([[5e-10, -1.5e-9], [0.0, 0.0]])
    assert show(tiny) == "[[ 5.0e-10 -1.5e-09]\n [ 0.0e+00  0.0e+00]]"
    assert show(np.array([0.5, 1e-9])) == "[0.5 0. ]"  # a share of next to nothing


def test_more_digits_are_shown_where_four_look_alike():
    got, wanted = np.array([1.0, 1e-6]), np.array([1.0, 2e-6])
    message = checking._difference(got, wanted, 1e-6)
    assert "1.e-06" in message or "0.000001" in message
    assert "```\n[1. 0.]\n```" not in message
    message = checking._difference(got, 2 * wanted, 1e-6)
    assert "[2. 0.]" in message  # four are enough here


def test_a_report_shows_the_smallest_input_that_fails():
    def no_batches(Q, K):
        return Q @ K.T / np.sqrt(Q.shape[-1]) if Q.ndim == 2 else Q

    report = check("05-scaled-scores", no_batches)
    assert "shape (2, 3, 4), expected (2, 3, 5)" in report.message
    assert report.hint == ""

    report = check("05-scaled-scores", lambda Q, K: 2 * Q @ K.T)
    assert "Q = [[-1.]]\nK = [[2.]]" in report.message
    assert re.search(
        r"For\n\n```\nQ = .*\nK = .*\n```\n\nthe answer is", report.message
    )
    assert "expected" in report.message
    assert "**" not in repr(report) and "```" not in repr(report)


def test_of_several_numbers_the_wrong_one_is_named():
    right = load("04-ratios").solution()
    said = str(check("04-ratios", (right[0], 9.9)))
    assert said.endswith("Number 2 of 2 is 9.9, which is not right.")


def test_a_report_is_markdown_for_notebook_and_site():
    bundle = check("05-init-deviation", 7)._repr_mimebundle_()
    told = "The answer is 7, which is not right."
    assert bundle["text/markdown"] == f"**Not right yet.** {told}"
    assert bundle["text/plain"] == f"Not right yet. {told}"


@pytest.mark.parametrize("name", ["05-nothing", "", 5, None, [1]])
def test_an_unknown_exercise_is_answered_not_raised(name):
    report = check(name, 1)
    assert report.status == "wrong" and "could not be checked" in report.message


# --- answers that try everything


class Evil:
    """Raises whatever is asked of it."""

    def __getattribute__(self, name):
        raise RuntimeError("no " + name)

    def __repr__(self):
        raise RuntimeError

    __call__ = __array__ = __len__ = __iter__ = __eq__ = __bool__ = __repr__
    __hash__ = None


class EvilError(Exception):
    def __str__(self):
        raise RuntimeError


def raise_it(error):
    def answer(Q, K):
        raise error

    return answer


def recursion(Q, K):
    return recursion(Q, K)


def swallow_all(Q, K):
    while True:
        try:
            while True:
                pass
        except Exception:
            continue


def write_and_answer(Q, K):
    result = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    Q[...] = 0
    return result


def noisy(Q, K):
    print("noise")
    warnings.warn("noise", stacklevel=1)
    np.log(np.zeros(3))
    return Q


HOSTILE = {
    "raises": (raise_it(ValueError("no\nlines")), "`ValueError: no`"),
    "exits": (raise_it(SystemExit(0)), "stops with `SystemExit"),
    "interrupts": (raise_it(KeyboardInterrupt()), "stops with `Keyboard"),
    "error that cannot be printed": (raise_it(EvilError()), "`EvilError`"),
    "recursion": (recursion, "RecursionError"),
    "takes no arguments": (lambda: 1, "TypeError"),
    "loops": (swallow_all, "no end after"),
    "loops in C": (lambda Q, K: sum(range(10**15)), "no end after"),
    "ends the process": (lambda Q, K: os._exit(3), "ends the process in which it runs"),
    "nothing": (lambda Q, K: None, "returns nothing: is a `return` missing?"),
    "text": (lambda Q, K: "right", "`str` that cannot be read"),
    "ragged": (lambda Q, K: [[1], [1, 2]], "`list` that cannot be read"),
    "generator": (lambda Q, K: (x for x in Q), "`generator`"),
    "complex": (lambda Q, K: Q @ np.swapaxes(K, -1, -2) + 0j, "cannot be read"),
    "truth": (lambda Q, K: True, "`bool` that cannot be read"),
    "evil object": (lambda Q, K: Evil(), "`Evil` that cannot be read"),
    "NaN": (lambda Q, K: Q @ np.swapaxes(K, -1, -2) * np.nan, "holds NaN"),
    "shape": (lambda Q, K: np.zeros((1, 2, 3)), "shape (1, 2, 3), expected (1, 1)"),
    "huge": (lambda Q, K: np.zeros(10**7, np.int8), "cannot be read"),
    "changes": (write_and_answer, "changes its input"),
    "noisy": (noisy, "the answer is"),
    "a part is open": (lambda Q, K: ... if Q.size > 1 else Q * K, "returns `...`"),
    "no function": (np.ones((2, 2)), "A function is expected here, not a `ndarray`"),
    "word": ("x", "A function is expected here, not a `str`"),
    "evil": (Evil, "stops with `TypeError"),
    "evil instance": (Evil(), "cannot be sent"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_answer_gets_a_report(kind, monkeypatch, capfd):
    quick = dataclasses.replace(load("05-scaled-scores"), seconds=0.5)
    monkeypatch.setattr(checking, "load", lambda name, seed: quick)
    answer, told = HOSTILE[kind]
    handler, state = signal.getsignal(signal.SIGALRM), np.geterr()
    report = check("05-scaled-scores", answer)
    assert report.status == "wrong" and told in report.message
    repr(report)
    assert signal.getsignal(signal.SIGALRM) is handler
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert np.geterr() == state
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("answer", ["0.33", None, [1, 2], np.nan, 1j, {}, {1}, np])
def test_a_hostile_value_gets_a_report(answer):
    assert check("05-init-deviation", answer).status == "wrong"


def test_a_list_that_is_too_long_is_not_read_at_all(monkeypatch):
    monkeypatch.setattr(judge, "_without_torch", lambda value: pytest.fail("read"))
    outcome = judge.read([0] * (judge.LARGEST + 1))
    assert outcome.kind == "odd" and "more than a million" in outcome.text


def test_fractions_are_numbers_and_a_truth_among_them_is_none():
    assert check("03-tie", (Fraction(13, 5), np.exp(6.5)))
    assert check("12-counted-share", Fraction(16, 21))
    assert "cannot be read" in check("03-tie", (Fraction(13, 5), True)).message


def test_a_large_whole_number_is_shown_with_all_its_digits():
    message = check("03-parameters", (98_305, 98_368, 589_824)).message
    assert message == "Number 1 of 3 is 98,305, which is not right."


def test_a_query_of_zeros_has_no_direction_either():
    def keys_seen_to(Q, K):
        Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
        lengths = np.linalg.norm(K, axis=-1, keepdims=True)
        return Q @ np.swapaxes(K / np.where(lengths > 0, lengths, 1), -1, -2)

    assert "holds NaN" in check("03-cosine-scores", keys_seen_to).message


def test_an_object_that_raises_whatever_is_asked_gets_a_report():
    report = check("05-init-deviation", Evil())
    assert report.status == "wrong"


def test_replacing_the_functions_of_numpy_gains_nothing(monkeypatch):
    def always(*args, **kwargs):
        return True

    for name in ("allclose", "isclose", "array_equal", "array_equiv", "all"):
        monkeypatch.setattr(np, name, always)
    for name in ("assert_allclose", "assert_array_equal"):
        monkeypatch.setattr(np.testing, name, always)
    report = check("05-scaled-scores", lambda Q, K: Q @ np.swapaxes(K, -1, -2))
    assert (report.status, report.hint[:5]) == ("wrong", "These")


def test_an_array_that_equals_everything_is_wrong():
    class Yes(np.ndarray):
        def __eq__(self, other):
            return np.True_

        __hash__ = None

    report = check(
        "05-scaled-scores", lambda Q, K: (Q @ np.swapaxes(K, -1, -2)).view(Yes)
    )
    assert report.status == "wrong"


def test_checking_works_without_the_main_thread():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor() as pool:
        right = load("05-scaled-scores").solution
        report = pool.submit(check, "05-scaled-scores", right).result()
    assert report.status == "right"


def test_numpy_is_enough():
    code = (
        "import sys, attnbook.exercises as e; e.check('05-init-deviation', 1);"
        "other = {'torch', 'matplotlib', 'anywidget', 'IPython', 'scipy'};"
        "print(sorted(other & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert done.stdout.decode().strip() == "[]", done.stderr.decode()


# --- in chapters


def student_cells():
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            called = re.findall(r"^check\(\"([\w-]+)\"", cell.source, re.MULTILINE)
            if cell.cell_type == "code" and called:
                yield path, called, cell.source


def test_each_students_cell_is_the_stub_of_its_master():
    for path, called, source in student_cells():
        assert len(called) == 1, f"{path}: one exercise in a cell"
        assert source == exercises.stub_cell(called[0]), f"{path}: {called[0]}"


def test_each_exercise_stands_in_its_chapter_once():
    asked = [called[0] for _, called, _ in student_cells()]
    text = "".join(p.read_text() for p in (ROOT / "chapters").glob("*.md"))
    shown = re.findall(r"^exercise\(\"([\w-]+)\"\)", text, re.MULTILINE)
    finished = [m.name for m in MASTERS if not m.statement.startswith("TODO")]
    assert sorted(asked) == sorted(shown)
    assert set(finished) <= set(shown) and len(set(shown)) == len(shown)


# --- solutions, shown or withheld


@pytest.mark.parametrize("master", MASTERS, ids=NAMES)
def test_an_exercise_shows_facts_and_a_folded_solution(master, shown):
    bundle = exercise(master.name)._repr_mimebundle_()
    visible, folded = bundle["text/markdown"].split("<details>")
    assert f"difficulty {master.difficulty}/3" in visible
    assert f"about {master.minutes} minutes" in visible
    assert master.objective in visible and master.statement.strip() in visible
    assert master.solution_code in folded and master.solution_code not in visible
    assert folded.startswith("<summary>Solution</summary>\n\n```python\n")


@pytest.mark.parametrize("master", MASTERS, ids=NAMES)
def test_a_withheld_solution_is_in_no_part_of_the_bundle(master, monkeypatch):
    monkeypatch.setenv("ATTNBOOK_SOLUTIONS", "withheld")
    bundle = exercise(master.name)._repr_mimebundle_()
    text = withheld.letters(repr(bundle))
    marks = withheld.fingerprints(master)
    assert len(marks) >= 2
    assert [mark for mark in marks if mark in text] == []


def test_a_slip_in_the_switch_is_refused(monkeypatch):
    monkeypatch.setenv("ATTNBOOK_SOLUTIONS", "hidden")
    with pytest.raises(ValueError, match="'shown' or 'withheld', got 'hidden'"):
        exercise("05-scaled-scores")


def test_the_execution_cache_depends_on_the_switch(monkeypatch, tmp_path):
    from booktools.site.freshness import execution_key

    keys = set()
    for value in ("shown", "withheld"):
        monkeypatch.setenv("ATTNBOOK_SOLUTIONS", value)
        keys.add(execution_key(tmp_path))
    monkeypatch.delenv("ATTNBOOK_SOLUTIONS")
    assert len(keys) == 2 and execution_key(tmp_path) in keys

"""The questions of a chapter: what a TOML file may hold, and how it is checked."""

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from attnbook.questions.expressions import evaluate

KINDS = ("choice", "number", "sketch")
_KEYS = {
    "choice": {"choices"},
    "number": {"answer", "tolerance", "digits", "unit", "reason", "wrong"},
    "sketch": {"curve", "x", "y", "given", "reason", "wrong"},
}
SAMPLES = 65  # points of a drawn curve


@dataclass(frozen=True)
class Choice:
    """One choice: its text, whether it is right, and why or why not."""

    text: str
    reason: str
    right: bool = False


@dataclass(frozen=True)
class Wrong:
    """A typical wrong answer: a number, or the heights of a curve, and why not."""

    says: str
    reason: str
    value: float | None = None
    heights: tuple = ()


@dataclass(frozen=True)
class Axis:
    """One axis of a sketch. On the x axis, `at` lists where the reader draws."""

    label: str
    start: float
    end: float
    ticks: tuple = ()
    at: tuple = ()


@dataclass(frozen=True)
class Question:
    """One question, checked, with its true value or curve worked out."""

    name: str
    kind: str
    prompt: str
    reason: str = ""
    choices: tuple = ()
    wrong: tuple = ()
    answer: float | None = None
    tolerance: float = 0.0
    digits: int = 3
    unit: str = ""
    x: Axis | None = None
    y: Axis | None = None
    given: tuple = ()
    heights: tuple = ()
    curve: tuple = field(default=(), repr=False)


@dataclass(frozen=True)
class Chapter:
    """The questions of one chapter."""

    number: str
    predict: tuple
    quiz: tuple


def read(text, source):
    """Read and check the text of a question file.

    Parameters
    ----------
    text : str
        TOML; the page for instructors shows each kind.
    source : str
        Its name, for error messages.

    Returns
    -------
    Chapter

    Raises
    ------
    ValueError
        If the text breaks a rule; the message names the rule and what came.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as why:
        raise ValueError(f"{source}: not TOML: {why}") from why
    _only(table, {"chapter", "predict", "quiz"}, source)
    number = _text(table, "chapter", source)
    predictions = tuple(_question(q, source) for q in table.get("predict", []))
    quiz = tuple(
        _question({"kind": "choice", **q}, source) for q in table.get("quiz", [])
    )
    if any(q.kind != "choice" for q in quiz):
        raise ValueError(f"{source}: a quiz question must be of kind 'choice'")
    names = [q.name for q in predictions + quiz]
    for name in names:
        _need(names.count(name) == 1, source, "names must differ", name)
    return Chapter(number, predictions, quiz)


def _question(table, source):
    name = _text(table, "name", source)
    where = f"{source}, question {name!r}"
    kind = _text(table, "kind", where)
    _need(kind in KINDS, where, f"kind must be one of {', '.join(KINDS)}", kind)
    _only(table, {"name", "kind", "prompt"} | _KEYS[kind], where)
    known = dict(name=name, kind=kind, prompt=_text(table, "prompt", where))
    extra = {"choice": _choice, "number": _number, "sketch": _sketch}[kind]
    return Question(**known, **extra(table, where))


def _choice(table, where):
    choices = tuple(_one_choice(c, where) for c in table.get("choices", []))
    rights = [c.text for c in choices if c.right]
    _need(len(choices) >= 2, where, "a choice needs two choices or more", len(choices))
    _need(len(rights) == 1, where, "exactly one choice must be right", rights)
    texts = {c.text for c in choices}
    _need(len(texts) == len(choices), where, "choices must differ", sorted(texts))
    return {"choices": choices}


def _one_choice(table, where):
    _only(table, {"text", "reason", "right"}, where)
    right = table.get("right", False)
    _need(isinstance(right, bool), where, "right must be true or false", right)
    return Choice(_text(table, "text", where), _text(table, "reason", where), right)


def _number(table, where):
    answer = _formula(table, "answer", where)
    tolerance = table.get("tolerance")
    fits = isinstance(tolerance, int | float) and 0 < tolerance < 1
    _need(fits, where, "tolerance must be a share between 0 and 1", tolerance)
    digits = table.get("digits", 3)
    fits = type(digits) is int and 1 <= digits <= 6
    _need(fits, where, "digits must be a whole number from 1 to 6", digits)
    wrong = tuple(_wrong_number(w, where) for w in table.get("wrong", []))
    _need(wrong, where, "a number needs one typical wrong answer or more", wrong)
    for one in wrong:
        far = abs(one.value - answer) > tolerance * abs(answer)
        _need(far, where, "a wrong answer must lie outside the tolerance", one.says)
    return dict(
        answer=answer,
        tolerance=float(tolerance),
        digits=digits,
        unit=table.get("unit", ""),
        reason=_text(table, "reason", where),
        wrong=wrong,
    )


def _wrong_number(table, where):
    _only(table, {"value", "says", "reason"}, where)
    value = _formula(table, "value", where)
    says = table.get("says", f"{value:.4g}")
    return Wrong(says, _text(table, "reason", where), value=value)


def _sketch(table, where):
    x = _axis(table, "x", where)
    y = _axis(table, "y", where)
    _need(len(x.at) >= 3, where, "x.at must list three places or more", x.at)
    curve = _text(table, "curve", where)
    wrong = tuple(_wrong_curve(w, x, where) for w in table.get("wrong", []))
    _need(wrong, where, "a sketch needs one typical wrong curve or more", wrong)
    heights = _heights(curve, x.at, where)
    for one in wrong:
        _need(one.heights != heights, where, "a wrong curve must differ", one.says)
    step = (x.end - x.start) / (SAMPLES - 1)
    xs = [x.start + i * step for i in range(SAMPLES)]
    given = table.get("given", [])
    return dict(
        x=x,
        y=y,
        given=_points(curve, given, where),
        heights=heights,
        curve=_points(curve, xs, where),
        reason=_text(table, "reason", where),
        wrong=wrong,
    )


def _wrong_curve(table, x, where):
    _only(table, {"curve", "says", "reason"}, where)
    heights = _heights(_text(table, "curve", where), x.at, where)
    says = _text(table, "says", where)
    return Wrong(says, _text(table, "reason", where), heights=heights)


def _points(curve, xs, where):
    return tuple(zip(xs, _heights(curve, xs, where), strict=True))


def _heights(curve, xs, where):
    try:
        return tuple(evaluate(curve, x=x) for x in xs)
    except ValueError as why:
        raise ValueError(f"{where}: {why}") from why


def _axis(table, key, where):
    axis = table.get(key)
    _need(isinstance(axis, dict), where, f"{key} must be a table", axis)
    _only(axis, {"label", "from", "to", "ticks", "at"}, where)
    start, end = axis.get("from"), axis.get("to")
    numbers = all(isinstance(v, int | float) for v in (start, end))
    _need(numbers and start < end, where, f"{key}.from must be below {key}.to", axis)
    places = [*axis.get("ticks", []), *axis.get("at", [])]
    inside = all(isinstance(p, int | float) and start <= p <= end for p in places)
    _need(inside, where, f"{key}.ticks and {key}.at must lie on the axis", places)
    ticks, at = axis.get("ticks", (start, end)), axis.get("at", ())
    return Axis(_text(axis, "label", where), start, end, tuple(ticks), tuple(at))


def _formula(table, key, where):
    try:
        return evaluate(_text(table, key, where))
    except ValueError as why:
        raise ValueError(f"{where}: {why}") from why


def _text(table, key, where):
    value = table.get(key)
    filled = isinstance(value, str) and value.strip()
    _need(filled, where, f"{key} must be a text that is not empty", value)
    return value.strip()


def _only(table, allowed, where):
    _need(isinstance(table, dict), where, "an entry must be a table", table)
    unknown = sorted(set(table) - allowed)
    rule = f"keys must be among {', '.join(sorted(allowed))}"
    _need(not unknown, where, rule, ", ".join(unknown))


def _need(holds, where, rule, came):
    if not holds:
        raise ValueError(f"{where}: {rule}, got {came!r}")


def _paths():
    inside = files(__package__).joinpath("bank").iterdir()
    return sorted((p for p in inside if p.name.endswith(".toml")), key=lambda p: p.name)


def chapter_numbers():
    """Numbers of the chapters that have a question file.

    Returns
    -------
    list of str
    """
    return [path.name.split("_")[0] for path in _paths()]


@cache
def chapter(number):
    """Read the question file of one chapter.

    Parameters
    ----------
    number : str
        Two digits, such as ``"05"``: the start of the file's name.

    Returns
    -------
    Chapter

    Raises
    ------
    ValueError
        If there is no such file, or it breaks a rule.
    """
    known = dict(zip(chapter_numbers(), _paths(), strict=True))
    _need(number in known, "questions", f"chapter must be among {list(known)}", number)
    path = known[number]
    found = read(path.read_text(encoding="utf-8"), path.name)
    _need(found.number == number, path.name, "chapter must be as in the name", number)
    return found


def question(name):
    """Look up any question by its name, of a quiz or a prediction.

    Parameters
    ----------
    name : str
        As in the question file, for instance ``"five-quiz-width"``.

    Returns
    -------
    Question

    Raises
    ------
    ValueError
        If no question file holds it.
    """
    for number, path in zip(chapter_numbers(), _paths(), strict=True):
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        asked = [*raw.get("predict", []), *raw.get("quiz", [])]
        if name in [one.get("name") for one in asked]:
            found = chapter(number)
            both = found.predict + found.quiz
            return next(one for one in both if one.name == name)
    raise ValueError(f"answers needs the name of a question, got {name!r}")


def find(name):
    """Look up a prediction by its name.

    Parameters
    ----------
    name : str
        As in the question file, for instance ``"five-growth"``.

    Returns
    -------
    Question

    Raises
    ------
    ValueError
        If no question file holds a prediction of that name.
    """
    for number, path in zip(chapter_numbers(), _paths(), strict=True):
        # Only the file that holds the name is worked out: formulas can be slow.
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        if name in [q.get("name") for q in raw.get("predict", [])]:
            return next(q for q in chapter(number).predict if q.name == name)
    raise ValueError(f"predict needs the name of a prediction, got {name!r}")

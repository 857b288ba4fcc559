"""Questions as Markdown for notebooks, and as data for the site."""

import json
from dataclasses import asdict
from importlib.resources import files

MIME = "application/vnd.attnbook.question+json"
WORDS = json.loads(files(__package__).joinpath("en.json").read_text("utf-8"))
LETTERS = "ABCDEFGHIJ"


class Displayed:
    """What `predict`, `quiz` and `exercise` return: shown by notebook and site."""

    def __init__(self, markdown, data):
        self._markdown = markdown
        self._data = data

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {
            MIME: self._data,
            "text/markdown": self._markdown,
            "text/plain": repr(self),
        }

    def __repr__(self):
        """Name the question; its text is Markdown."""
        names = [self._data.get("name", self._data.get("chapter"))]
        return f"<{self._data['kind']} {names[0]}>"


def show_prediction(question):
    """Make a prediction displayable.

    Parameters
    ----------
    question : Question

    Returns
    -------
    Displayed
    """
    title = f"**{WORDS['predict']}.** "
    return Displayed(title + as_markdown(question), as_data(question))


def show_quiz(chapter):
    """Make the quiz of a chapter displayable.

    Parameters
    ----------
    chapter : Chapter

    Returns
    -------
    Displayed
    """
    parts = [
        f"**{number}.** " + as_markdown(question)
        for number, question in enumerate(chapter.quiz, 1)
    ]
    data = {
        "kind": "quiz",
        "chapter": chapter.number,
        "questions": [as_data(question) for question in chapter.quiz],
    }
    return Displayed("\n\n".join(parts), data)


def as_data(question):
    """All that the site needs, as plain JSON values.

    Parameters
    ----------
    question : Question

    Returns
    -------
    dict
    """
    return json.loads(json.dumps(asdict(question)))


def as_markdown(question):
    """Return the question, then its answer in a fold.

    Parameters
    ----------
    question : Question

    Returns
    -------
    str
    """
    visible, hidden = {"choice": _choice, "number": _number, "sketch": _sketch}[
        question.kind
    ](question)
    return "\n\n".join([question.prompt, *visible, fold(WORDS["fold"], hidden)])


def fold(summary, parts):
    """Return a closed ``<details>``; blank lines keep the Markdown in it alive.

    Parameters
    ----------
    summary : str
    parts : list of str

    Returns
    -------
    str
    """
    body = "\n\n".join(parts)
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>"


def _choice(question):
    lettered = list(zip(LETTERS, question.choices, strict=False))
    visible = "\n".join(f"- **{letter}.** {one.text}" for letter, one in lettered)
    lettered.sort(key=lambda pair: not pair[1].right)
    hidden = [
        f"**{letter}{' ' + WORDS['is_right'] if one.right else '.'}** {one.reason}"
        for letter, one in lettered
    ]
    return [visible], hidden


def _number(question):
    answer = f"{shown(question.answer, question.digits)} {question.unit}".strip()
    hidden = [f"**{WORDS['answer_is']} {answer}.** {question.reason}"]
    hidden += [f"**{one.says}:** {one.reason}" for one in question.wrong]
    return [], hidden


def _sketch(question):
    points = ", ".join(f"({x:g}, {y:g})" for x, y in question.given)
    visible = [WORDS["paper"]]
    if points:
        visible.append(WORDS["sketch_passes"].format(points=points))
    rows = [f"| {question.x.label} | {question.y.label} |", "|---:|---:|"]
    pairs = zip(question.x.at, question.heights, strict=True)
    rows += [f"| {x:g} | {shown(y)} |" for x, y in pairs]
    hidden = [question.reason, "\n".join(rows)]
    hidden += [f"**{one.says}:** {one.reason}" for one in question.wrong]
    return visible, hidden


def shown(value, digits=3):
    """Return a number as text.

    Parameters
    ----------
    value : float
    digits : int
        How many of them are significant.

    Returns
    -------
    str
    """
    return f"{float(f'{value:.{digits}g}'):g}"

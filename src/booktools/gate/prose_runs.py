"""See that a run refuses the answers that the static checks cannot compare.

A page is run once, and what its ``answers({...})`` compute is kept. Each changed
question is then compared with that, as the cell itself would do.
"""

import contextlib
import io

from attnbook import questions
from attnbook.questions import holding, model
from booktools.content.prose import read_page
from booktools.gate import prose_checks


def not_refused(results, texts):
    """List the changed answers that a run of their page would not refuse.

    Parameters
    ----------
    results : list of booktools.gate.prose_mutants.Tried
    texts : dict of pathlib.Path to str
        The files as they stand.

    Returns
    -------
    list of str
        The keys of the changes.
    """
    waiting = [one for one in results if one.outcome == "by a run"]
    if not waiting:
        return []
    given = _computed(prose_checks.all_pages())
    return [one.key for one in waiting if not refused(one.change, texts, given)]


def _computed(pages):
    found = {}
    for page in pages:
        found |= answers_of(page.read_text("utf-8"))
    return found


def answers_of(text):
    """Run a page and return what its claims cells say of the questions.

    Parameters
    ----------
    text : str
        The page. One that binds no answer is not run.

    Returns
    -------
    dict of str to object
        For each question what `attnbook.questions.answers` was given.
    """
    cells = [cell for cell in read_page(text)[1] if cell.kind == "code"]
    found, names = {}, {"__name__": "__main__"}
    if "answers({" not in text:
        return found
    with contextlib.redirect_stdout(io.StringIO()), _recorded(found):
        for cell in cells:
            exec(compile(cell.text, f"<line {cell.line}>", "exec"), names)
    return found


@contextlib.contextmanager
def _recorded(found):
    kept = questions.answers
    questions.answers = found.update
    try:
        yield
    finally:
        questions.answers = kept


def refused(change, texts, given):
    """Whether the cell that binds an answer would refuse a change of its question.

    Parameters
    ----------
    change : booktools.gate.prose_changes.Change
    texts : dict of pathlib.Path to str
        The files as they stand.
    given : dict of str to object
        From `answers_of`.

    Returns
    -------
    bool
    """
    text = texts[change.path]
    name = prose_checks.question_of(change, text)
    chapter = model.read(change.applied(text), change.path.name)
    asked = {one.name: one for one in chapter.predict + chapter.quiz}
    try:
        return bool(list(holding.differences(asked[name], given[name])))
    except (TypeError, ValueError):
        return True

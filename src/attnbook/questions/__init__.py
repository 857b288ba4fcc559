"""Predict-first questions and quizzes, shown by a notebook and by the site."""

from attnbook.questions import model, render
from attnbook.questions.holding import answers, judged

__all__ = ["answers", "judged", "predict", "quiz"]


def predict(name):
    """Show a question to decide before reading on; its answer is in a fold.

    Parameters
    ----------
    name : str
        A prediction of some question file, for instance ``"five-growth"``.

    Returns
    -------
    Displayed
        An object for the end of a cell.

    Raises
    ------
    ValueError
        If there is no such prediction.
    """
    return render.show_prediction(model.find(name))


def quiz(chapter):
    """Show the quiz of a chapter, with a reason for each choice.

    Parameters
    ----------
    chapter : str
        Two digits, such as ``"05"``.

    Returns
    -------
    Displayed
        An object for the end of a cell.

    Raises
    ------
    ValueError
        If that chapter has no quiz.
    """
    found = model.chapter(chapter)
    if not found.quiz:
        raise ValueError(f"quiz needs a chapter with a quiz, got {chapter!r}")
    return render.show_quiz(found)

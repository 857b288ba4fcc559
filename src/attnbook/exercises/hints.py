"""Find the hint that is true for an answer, among those that an author wrote.

A hint speaks about a mistake. It is given to whoever does on every input what that
mistake does, where it is right as well as where it is wrong: less would be a guess.
"""

import numpy as np

from attnbook.exercises import judge
from attnbook.exercises.judge import COARSE, Outcome


def recognise(exercise, trials):
    """Return the hint for an answer, or an empty text.

    Parameters
    ----------
    exercise : Exercise
    trials : list of Trial
        At least one of them failed.

    Returns
    -------
    str
    """
    if exercise.probes:
        return _of_function(exercise, trials)
    return _of_value(exercise, trials)


def _of_function(exercise, trials):
    found = {}
    for wrong in exercise.wrong:
        others = [judge.run(wrong.answer, trial.inputs) for trial in trials]
        pairs = [(t.outcome, o) for t, o in zip(trials, others, strict=True)]
        if all(_alike(*pair, exercise) for pair in pairs):
            # Infinity is infinity in any type: then the type tells two bugs apart.
            found[wrong.hint] = sum(one.dtype == other.dtype for one, other in pairs)
    return max(found, key=found.get, default="")


def _of_value(exercise, trials):
    """Return the hint that explains most of the wrong numbers, and say which."""
    failed = {place for place, trial in enumerate(trials) if trial.complaint}
    found = {}
    for wrong in exercise.wrong:
        places, whole = _explained(exercise, wrong, trials, failed)
        if places:
            found[wrong.hint] = len(places), whole, places
    hint = max(found, key=lambda text: found[text][:2], default="")
    if not hint or found[hint][-1] == failed:
        return hint
    told = " and ".join(str(place + 1) for place in sorted(found[hint][-1]))
    return f"(Of number {told}.) {hint}"


def _explained(exercise, wrong, trials, failed):
    outcome = judge.run(wrong.answer, ())
    if outcome.kind != "value" or outcome.value.size != len(trials):
        return set(), False
    parts = [Outcome("value", np.array(x)) for x in outcome.value.ravel()]
    pairs = list(zip(trials, parts, strict=True))
    here = {i for i, (t, o) in enumerate(pairs) if not _alike(o, t.right, exercise)}
    hit = {i for i in here & failed if _alike(trials[i].outcome, parts[i], exercise)}
    return (hit if hit == here or wrong.by_part else set()), hit == here


def _alike(a, b, exercise):
    if a.kind != b.kind:
        return False
    if a.kind != "value":
        return a.kind != "raised" or a.text == b.text  # two errors are two mistakes
    # Where any of many answers may be right, only the very same one is recognised.
    tolerance = 1e-12 if exercise.complaint else exercise.tolerance
    tolerance = max(tolerance, COARSE.get(a.dtype, 0))
    return judge.same(a.value, b.value, tolerance)

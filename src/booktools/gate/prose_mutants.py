"""Change what a reader sees, one thing at a time: each change must be refused.

``python -m booktools.gate.prose_mutants`` makes all changes (a digit, a factor, an
exponent, a sign, an entry of a link, an answer ...), asks the static checks about each
and prints a table. ``--sample N`` takes N of them, drawn by a hash of the texts;
``--run`` also runs the pages whose answers only a run can refuse; ``--list`` prints the
survivors as ``tests/mutants/prose_survivors.txt`` has them.

It fails if less than 95 % of the changes that would mislead are caught, or if one that
survives is not in that list with its reason; with ``--hold``, as in the gate, only if
less is caught than was before. ``tests/mutants/prose_rules.md`` says what is changed,
and when a change would mislead.
"""

import argparse
import hashlib
import random
import re
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from booktools import ROOT
from booktools.content.regions import files
from booktools.gate import prose_checks, prose_runs
from booktools.gate.prose_changes import Change, changes_of
from booktools.gate.prose_misleads import Verdict, verdict

SURVIVORS = ROOT / "tests" / "mutants" / "prose_survivors.txt"
GOAL = 0.95
HELD = 0.67  # what a sample of the gate must not fall below until the goal is reached
COLUMNS = ("made", "caught", "read", "by a run", "open", "misleading", "harmless")
AROUND = 30  # characters of a phrase, on each side


class Tried(NamedTuple):
    """A change, what the checks made of it, and what the rules say."""

    change: Change
    outcome: str  # caught, read, by a run, open or survived
    verdict: Verdict
    key: str  # file and phrase, as in the list of survivors

    @property
    def column(self):
        """Where it counts in the table."""
        if self.outcome != "survived":
            return self.outcome
        return "misleading" if self.verdict.misleads else "harmless"


def key_of(change, text):
    """Name a change by its file and the words around it, whatever its line.

    Parameters
    ----------
    change : Change
    text : str
        The file as it stands.

    Returns
    -------
    str
        Such as ``"chapters/12_cost.md: the products take [4 → 5]n^2d of"``.
    """
    before = text[max(0, change.start - AROUND) : change.start]
    after = text[change.end : change.end + AROUND]
    old = text[change.start : change.end]
    phrase = f"{before}[{old} → {change.new}]{after}"
    return f"{change.path}: {' '.join(phrase.replace('*', '').split())}"


def drawn(changes, size, texts):
    """Draw a sample that is the same as long as the texts are.

    Parameters
    ----------
    changes : list of Change
    size : int
        At least as many as there are means all.
    texts : dict of pathlib.Path to str

    Returns
    -------
    list of Change
        In the order in which they came.
    """
    if size >= len(changes):
        return changes
    seed = hashlib.sha256("\0".join(texts.values()).encode()).hexdigest()
    return sorted(random.Random(seed).sample(changes, size))


def tried(changes, texts):
    """Ask the checks and the rules about some changes.

    Parameters
    ----------
    changes : list of Change
    texts : dict of pathlib.Path to str

    Yields
    ------
    Tried
    """
    checks = prose_checks.Checks(prose_checks.all_pages())
    for change in changes:
        text = texts[change.path]
        outcome = prose_checks.outcome(checks, change, text)
        yield Tried(change, outcome, verdict(change, text), key_of(change, text))


def table(results):
    """Write the table: for each file and kind what was made, caught and what survived.

    Parameters
    ----------
    results : list of Tried

    Returns
    -------
    list of str
        Lines.
    """
    counts = {}
    for one in results:
        for row in ((str(one.change.path), one.change.kind), ("all", one.change.kind)):
            counts.setdefault(row, Counter()).update(["made", one.column])
        counts.setdefault(("all", "all"), Counter()).update(["made", one.column])
    width = max(len(path) for path, _ in counts)
    head = f"{'file':{width}} {'kind':8}" + "".join(f"{c:>11}" for c in COLUMNS)
    ordered = sorted(counts, key=lambda row: (row[0] == "all", row[0], row[1] == "all"))
    return [head, *(_row(row, counts[row], width) for row in ordered)]


def _row(row, counted, width):
    cells = "".join(f"{counted[column] or '.':>11}" for column in COLUMNS)
    return f"{row[0]:{width}} {row[1]:8}{cells}"


def share_caught(results):
    """Return the share of misleading changes that are caught, of those that count.

    Parameters
    ----------
    results : list of Tried

    Returns
    -------
    float
        What a page is not held to yet does not count; 1 where nothing does.
    """
    counted = [r for r in results if r.verdict.misleads and r.outcome != "open"]
    caught = sum(r.outcome != "survived" for r in counted)
    return caught / len(counted) if counted else 1.0


# --- the list of survivors


def listed(text):
    """Read the list of survivors.

    Parameters
    ----------
    text : str
        A line for each: its key, ``::`` and the reason. A ``*`` stands for anything;
        ``#`` starts a remark.

    Returns
    -------
    dict of str to str
        Key to reason.

    Raises
    ------
    ValueError
        If a line has no reason.
    """
    found = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        key, _, reason = line.partition(" :: ")
        if not reason.strip():
            raise ValueError(f"{SURVIVORS.name}: a survivor needs a reason: {line!r}")
        found[key.strip()] = reason.strip()
    return found


def unlisted(results, known):
    """List the misleading survivors that have no reason.

    Parameters
    ----------
    results : list of Tried
    known : dict of str to str
        From `listed`.

    Returns
    -------
    list of Tried
    """
    return [
        one
        for one in results
        if one.column == "misleading" and not _match(one.key, known)
    ]


def stale(results, known):
    """List the keys of the list that fit no survivor.

    Parameters
    ----------
    results : list of Tried
        Of all changes.
    known : dict of str to str

    Returns
    -------
    list of str
    """
    keys = [one.key for one in results if one.column == "misleading"]
    return [key for key in known if not any(_match(one, [key]) for one in keys)]


def _match(key, known):
    return any(re.fullmatch(_pattern(one), key) for one in known)


def _pattern(key):
    return ".*".join(map(re.escape, key.split("*")))


# --- command line


def main(arguments=None):
    """Try the changes; return 1 if too many survive, or one without a reason.

    Parameters
    ----------
    arguments : list of str, optional

    Returns
    -------
    int
    """
    options = _options(arguments)
    texts = {path: path.read_text("utf-8") for path in files()}
    changes = [one for path, text in texts.items() for one in changes_of(path, text)]
    if options.files:
        changes = [one for one in changes if one.path in options.files]
    changes = drawn(changes, options.sample or len(changes), texts)
    results = list(tried(changes, texts))
    lost = prose_runs.not_refused(results, texts) if options.run else []
    if options.list:
        _print_survivors(results)
    else:
        print("\n".join(table(results)))
    if options.hold:
        return _held(results)
    return _judged(results, lost, whole=not (options.sample or options.files))


def _options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sample", type=int, metavar="N", help="try N, not all")
    parser.add_argument("--run", action="store_true", help="run pages as well")
    parser.add_argument("--hold", action="store_true", help="fail below HELD alone")
    parser.add_argument("--list", action="store_true", help="print the survivors")
    parser.add_argument("files", nargs="*", type=Path, help="only these files")
    return parser.parse_args(arguments)


def _print_survivors(results):
    for one in results:
        if one.column in ("misleading", "harmless"):
            print(f"{one.column} {one.verdict.rule}: {one.key}")


def _held(results):
    share = share_caught(results)
    print(f"{share:.1%} of what would mislead is caught in this sample.")
    print(f"The goal is {GOAL:.0%} and not reached; what is held today is {HELD:.0%}.")
    return int(share < HELD)


def _judged(results, lost, whole):
    known = listed(SURVIVORS.read_text("utf-8")) if SURVIVORS.exists() else {}
    share, new = share_caught(results), unlisted(results, known)
    waiting = sum(r.verdict.misleads and r.outcome == "open" for r in results)
    print(f"{share:.1%} of what would mislead is caught; the goal is {GOAL:.0%}.")
    if waiting:
        print(f"{waiting} more are not bound yet and do not count: see OPEN.")
    for one in new:
        print(f"survived without a reason ({one.verdict.rule}): {one.key}")
    for key in stale(results, known) if whole else ():
        print(f"{SURVIVORS.name}: no survivor is left for {key!r}; drop the line")
    for said in lost:
        print(f"not refused by a run: {said}")
    return int(share < GOAL or bool(new) or bool(lost))


if __name__ == "__main__":
    sys.exit(main())

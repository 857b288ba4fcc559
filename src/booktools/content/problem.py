"""What the checks of the text report: a place and what is wrong there."""

from pathlib import Path
from typing import NamedTuple

# Pages that are being rewritten, and not held to all kinds of rules for a while.
# Take a page out once `python -m booktools.content.claims --all` has nothing.
OPEN = set()
# The kinds that hold for every page.
ALWAYS = {"number", "formula", "literal", "reference", "reviewed"}


class Problem(NamedTuple):
    """What is wrong, and where."""

    path: Path
    line: int
    text: str
    # or formula, question (a formula of one), word, result, literal, answer, link,
    # exercise, reference, reviewed
    kind: str = "number"

    def __str__(self):
        """Give one line that an editor can follow."""
        return f"{self.path}:{self.line}: {self.text}"


def is_open(name, kind):
    """Whether a page is not held to a kind of rule yet.

    Parameters
    ----------
    name : str
        A page's name without folder and ending, such as ``"05_why_divide"``.
    kind : str
        The kind of a problem.

    Returns
    -------
    bool
    """
    return kind not in ALWAYS and name in OPEN

"""Start a chapter, an exercise or a figure from the templates beside this.

``python -m booktools.content.drafts chapter 06_long_rows``, ``... exercise 06-lead`` or
``... figure long_rows`` writes a draft that has every part and passes the checks. What
is to be written is marked TODO. No list has to be edited: a folder or file of the right
name is found by itself.
"""

import re
import sys
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from booktools.content.notebooks import update
from booktools.content.skeleton import size_of

COMMAND = "python -m booktools.content.drafts"
EXERCISES = "src/attnbook/exercises/bank"
FIGURES = "src/attnbook/widgets/figures"
# What the book plans: the sections that a chapter mirrors, the question it answers.
PLAN = {
    "00": ("A1 C1 C4", "What does the formula do?"),
    "01": ("D1 D2", "Why not just compress?"),
    "02": ("B1 C1 D3", "Why three of everything?"),
    "03": ("A2 C2", "When is a score large?"),
    "04": ("A4 B2 D4 D8", "How do scores become weights?"),
    "05": ("A3 B2 C2 D4", "What goes wrong without it?"),
    "06": ("B4 D4", "Does the square root of the width settle it?"),
    "07": ("A1 A5 B1 B3 C2 C4 D6 D8", "Can you do every step?"),
    "08": ("B1 D5 D8", "Who may look where?"),
    "09": ("D5", "What does attention not know?"),
    "10": ("B4 C3 D6", "Why several?"),
    "11": ("D6", "What is kept, and how much?"),
    "12": ("B4 D6 D8", "Where do time and memory go?"),
    "13": ("D6", "Must the whole matrix exist?"),
    "14": ("D4 D6", "What does learning see?"),
    "15": ("D7", "What may you conclude from a heatmap?"),
    "16": ("A3 B2 C2 C3", "Does it matter in practice?"),
}


class Kind(NamedTuple):
    """What can be started: its names, its files, and what to do when they are there."""

    form: str  # of a name
    example: str
    taken: str  # a pattern of paths that a new one may not meet
    files: dict  # template -> path, both with {places} for words
    then: str


KINDS = {
    "chapter": Kind(
        r"\d\d_[a-z0-9]+(_[a-z0-9]+)*",
        "06_long_rows",
        "chapters/{number}_*.md",
        {
            "page.md": "chapters/{name}.md",
            "questions.toml": "src/attnbook/questions/bank/{name}.toml",
        },
        "make chapter NAME={name}",
    ),
    "exercise": Kind(
        r"\d\d-[a-z0-9]+(-[a-z0-9]+)*",
        "06-half-weight",
        f"{EXERCISES}/{{number}}/{{slug}}",
        {
            "exercise.py.txt": f"{EXERCISES}/{{number}}/{{slug}}/exercise.py",
            "en.md": f"{EXERCISES}/{{number}}/{{slug}}/en.md",
        },
        ".venv/bin/python -m pytest tests/exercises -k {name}",
    ),
    "figure": Kind(
        r"[a-z][a-z0-9]*(_[a-z0-9]+)*",
        "long_rows",
        f"{FIGURES}/{{name}}",
        {
            "spec.json": f"{FIGURES}/{{name}}/spec.json",
            "en.json": f"{FIGURES}/{{name}}/en.json",
            "figure.js": f"{FIGURES}/{{name}}/figure.js",
            "figure.py.txt": f"{FIGURES}/{{name}}/figure.py",
            "test.py.txt": "tests/figures/test_{name}.py",
        },
        ".venv/bin/python -m pytest tests/figures -k {name}",
    ),
}


def words_for(name):
    """Return what the templates ask for.

    Parameters
    ----------
    name : str
        Such as ``"06_long_rows"``, ``"06-lead"`` or ``"long_rows"``.

    Returns
    -------
    dict of str to str
    """
    number, _, rest = re.match(r"(\d\d)?([_-]?)(.*)", name).groups()
    mirrors, question = PLAN.get(number, ("D8", "TODO: which question?"))
    slug = rest.replace("-", "_")
    return {
        "name": name,
        "number": number or "",
        "slug": slug,
        "title": slug.replace("_", " ").capitalize(),
        "class": "".join(word.title() for word in slug.split("_")),
        "mirrors": ", ".join(mirrors.split()),
        "question": question,
        "minutes": str(min(20, size_of(number).minutes)),
    }


def drafts(kind, name):
    """Fill in the templates.

    Parameters
    ----------
    kind : {"chapter", "exercise", "figure"}
    name : str

    Returns
    -------
    dict of str to str
        The text of each file, by its path in the repository.
    """
    words = words_for(name)
    template = files(__package__).joinpath("template", kind)
    return {
        target.format_map(words): re.sub(
            r"@(\w+)@",
            lambda match: words[match[1]],
            template.joinpath(source).read_text(encoding="utf-8"),
        )
        for source, target in KINDS[kind].files.items()
    }


def create(kind, name, root):
    """Write the files of a draft.

    Parameters
    ----------
    kind : {"chapter", "exercise", "figure"}
    name : str
    root : pathlib.Path
        The repository.

    Returns
    -------
    list of str
        The files made.

    Raises
    ------
    ValueError
        If the kind is unknown, the name is not of its form, or it is taken.
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be among {', '.join(KINDS)}, got {kind!r}")
    known = KINDS[kind]
    if not re.fullmatch(known.form, name):
        raise ValueError(f"name the {kind} like {known.example}, got {name!r}")
    taken = sorted(root.glob(known.taken.format_map(words_for(name))))
    if taken:
        raise ValueError(f"{name} would meet {taken[0].name}, which is there already")
    made = drafts(kind, name)
    for target, text in made.items():
        (root / target).parent.mkdir(parents=True, exist_ok=True)
        (root / target).write_text(text, encoding="utf-8")
    if kind == "chapter":
        update(root / f"chapters/{name}.md", check=False)
        made[f"chapters/{name}.ipynb"] = ""
    return list(made)


def main(argv=None, root=Path()):
    """Run the command line.

    Parameters
    ----------
    argv : list of str, optional
        Arguments; those of the process by default.
    root : pathlib.Path
        The repository; the current folder by default.

    Returns
    -------
    int
        0 if the draft was made, 2 if its name cannot be used.
    """
    given = sys.argv[1:] if argv is None else argv
    if len(given) != 2:
        print(f"usage: {COMMAND} {'|'.join(KINDS)} NAME", file=sys.stderr)
        return 2
    kind, name = given
    try:
        made = create(kind, name, root)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print("made " + "\n     ".join(made))
    print(f"Write what is marked TODO; then: {KINDS[kind].then.format(name=name)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Start a chapter: ``python -m booktools.content.new_chapter 06_long_rows``.

It makes a draft that has every required part and passes the checks: the Markdown page,
its notebook, a file of questions, and its line in ``_toc.yml``. What is to be written
is marked TODO. The header's ``draft: true`` goes when all of that is done.
"""

import re
import sys
from importlib.resources import files
from pathlib import Path

from booktools.content.notebooks import update

COMMAND = "python -m booktools.content.new_chapter"
# What the book plans: the sections that a chapter mirrors, the question it answers.
PLAN = {
    "00": ("A1 C1 C4", "What does the formula do?"),
    "01": ("D1 D2", "Why not just compress?"),
    "02": ("B1 C1 D3", "Why three of everything?"),
    "03": ("A2 C2", "When is a score large?"),
    "04": ("A4 B2 D4", "How do scores become weights?"),
    "05": ("A3 B2 C2 D4", "What goes wrong without it?"),
    "06": ("B4 D4", "Does the square root of the width settle it?"),
    "07": ("A1 A5 B1 B3 C2 C4 D6 D8", "Can you do every step?"),
    "08": ("B1 D5", "Who may look where?"),
    "09": ("D5", "What does attention not know?"),
    "10": ("B4 C3 D6", "Why several?"),
    "11": ("D6", "What is kept, and how much?"),
    "12": ("B4 D6", "Where do time and memory go?"),
    "13": ("D6", "Must the whole matrix exist?"),
    "14": ("D4 D6", "What does learning see?"),
    "15": ("D7", "What may you conclude from a heatmap?"),
    "16": ("A3 B2 C2 C3", "Does it matter in practice?"),
}


def pages(name):
    """Fill in the templates of a chapter.

    Parameters
    ----------
    name : str
        Such as ``"06_long_rows"``.

    Returns
    -------
    dict of str to str
        The text of each file, by its path in the repository.
    """
    number, slug = name.split("_", 1)
    mirrors, question = PLAN.get(number, ("D8", "TODO: which question?"))
    words = {
        "number": number,
        "title": slug.replace("_", " ").capitalize(),
        "mirrors": ", ".join(mirrors.split()),
        "question": question,
    }
    template = files("booktools.content").joinpath("template")
    targets = {
        "chapter.md": f"chapters/{name}.md",
        "questions.toml": f"src/attnbook/questions/bank/{name}.toml",
    }
    return {
        target: re.sub(
            r"@(\w+)@",
            lambda match: words[match[1]],
            template.joinpath(source).read_text(encoding="utf-8"),
        )
        for source, target in targets.items()
    }


def with_entry(toc, name):
    """Put a chapter into the table of contents, by its number.

    Parameters
    ----------
    toc : str
        The text of ``_toc.yml``.
    name : str
        Such as ``"06_long_rows"``.

    Returns
    -------
    str
        The text with one more line, in the part of the chapter before it.

    Raises
    ------
    ValueError
        If no chapter stands there yet.
    """
    entry = r"^( *- file: chapters/)(\d\d)_\w+ *\n"
    entries = list(re.finditer(entry, toc, re.M))
    if not entries:
        raise ValueError("_toc.yml has no line '- file: chapters/NN_slug' to go beside")
    before = [match for match in entries if match[2] < name[:2]]
    place = before[-1].end() if before else entries[0].start()
    return f"{toc[:place]}{entries[0][1]}{name}\n{toc[place:]}"


def create(name, root):
    """Make the files of a new chapter.

    Parameters
    ----------
    name : str
        Such as ``"06_long_rows"``.
    root : pathlib.Path
        The repository.

    Returns
    -------
    list of str
        The files made or changed.

    Raises
    ------
    ValueError
        If the name is not of this form, or if the number is taken.
    """
    if not re.fullmatch(r"\d\d_[a-z0-9]+(_[a-z0-9]+)*", name):
        raise ValueError(f"a chapter is named like 06_long_rows, got {name!r}")
    taken = [path.name for path in sorted((root / "chapters").glob(f"{name[:2]}_*.md"))]
    if taken:
        raise ValueError(f"chapter {name[:2]} is there already: {taken[0]}")
    toc = root / "_toc.yml"
    contents = with_entry(toc.read_text(encoding="utf-8"), name)
    made = pages(name)
    for target, text in made.items():
        (root / target).parent.mkdir(parents=True, exist_ok=True)
        (root / target).write_text(text, encoding="utf-8")
    update(root / f"chapters/{name}.md", check=False)
    toc.write_text(contents, encoding="utf-8")
    return [*made, f"chapters/{name}.ipynb", "_toc.yml"]


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
        0 if the chapter was made, 2 if the name cannot be used.
    """
    given = sys.argv[1:] if argv is None else argv
    if len(given) != 1:
        print(f"usage: {COMMAND} NN_slug", file=sys.stderr)
        return 2
    try:
        made = create(given[0], root)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print("made " + "\n     ".join(made))
    print(f"Write what is marked TODO; then: make chapter NAME={given[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

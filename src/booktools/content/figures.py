"""Draw the diagrams: each ``figures/NN_name.py`` makes ``figures/NN_name.svg``.

A script defines ``ALT``, the alternative text, and ``draw()``, which returns a
matplotlib figure. The SVG is the same on every run. It stands on a light card, so that
it can be read on any page. A page that puts it in line can set ``--attn-figure-ink``
and ``--attn-figure-paper``, and it follows the theme.
"""

import argparse
import re
import runpy
import sys
from pathlib import Path

import matplotlib

from attnbook import style

COMMAND = "python -m booktools.content.figures"
INK = "var(--attn-figure-ink, #1a1a1a)"
PAPER = "var(--attn-figure-paper, #ffffff)"


class FigureError(ValueError):
    """A script that draws no figure; the text says what it lacks."""


def render(script):
    """Run a script and give the SVG that it draws.

    Parameters
    ----------
    script : pathlib.Path
        A file of ``figures``.

    Returns
    -------
    str
        One ``svg`` element and a newline, equal for equal scripts.

    Raises
    ------
    FigureError
        If the script has no ``draw`` or no ``ALT``.
    """
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        style.use()
        names = runpy.run_path(str(script))
        for name in ("draw", "ALT"):
            if name not in names:
                raise FigureError(f"{script} defines no {name}")
        alt = " ".join(names["ALT"].split())
        text = style.svg(names["draw"](), alt, ink=INK, font="sans-serif")
    return _on_paper(text) + "\n"


def _on_paper(text):
    head, rest = text.split(">", 1)
    x, y, width, height = re.search(r'viewBox="([^"]*)"', head)[1].split()
    card = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" '
    return f'{head}>{card}style="fill:{PAPER}"/>{rest}'


def problems(folder, *, check):
    """Draw all diagrams of a folder, or only compare them.

    Parameters
    ----------
    folder : pathlib.Path
        Usually ``figures``.
    check : bool
        True compares and writes nothing.

    Yields
    ------
    str
        What is wrong, a line each.
    """
    scripts = sorted(Path(folder).glob("*.py"))
    for picture in sorted(Path(folder).glob("*.svg")):
        if picture.with_suffix(".py") not in scripts:
            yield f"{picture} has no script; write {picture.stem}.py, or delete it"
    for script in scripts:
        try:
            said = _update(script, check)
        except FigureError as error:
            said = str(error)
        if said:
            yield said


def _update(script, check):
    target, wanted = script.with_suffix(".svg"), render(script).encode()
    if target.exists() and target.read_bytes() == wanted:
        return ""
    if check:
        state = "differs from its script" if target.exists() else "is missing"
        return f"{target} {state}; run: {COMMAND}"
    target.write_bytes(wanted)
    print(f"wrote {target}")
    return ""


def main(argv=None):
    """Run the command line.

    Parameters
    ----------
    argv : list of str, optional
        Arguments; those of the process by default.

    Returns
    -------
    int
        0 if all is well, 1 if a diagram is stale, alone or cannot be drawn.
    """
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("folder", nargs="?", default="figures", type=Path)
    options = parser.parse_args(argv)
    found = list(problems(options.folder, check=options.check))
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

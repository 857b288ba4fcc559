"""Make the API page, ``chapters/api.md``, from the docstrings.

``python -m booktools.content.api`` writes it; with ``--check`` it fails if the page is
not what the docstrings say now. The page is plain Markdown: nothing needs Sphinx.
"""

import argparse
import difflib
import importlib
import inspect
import re
import sys
import textwrap

from booktools import ROOT

PAGE = ROOT / "chapters" / "api.md"
COMMAND = "python -m booktools.content.api"
# The order of the page; a module that is not named here follows by itself.
FIRST = (
    *("kernel", "masks", "positions", "heads", "scores"),
    *("backward", "tiled", "stats", "cost"),
)
THEN = ("meter", "machine", "toydata", "vocabulary", "plots")
# What those who write chapters use.
AUTHORS = {"claims", "formulas", "spoken", "statements", "style", "trials"}
WIDTH = 80  # of a line of code on the page
ENTRIES = {"Parameters", "Returns", "Raises", "Attributes", "Yields"}
INTRODUCTION = f"""\
<!-- Made by {COMMAND}: do not edit. -->

# What is in the package

Made from the docstrings of `attnbook`, one section a module. Axes, symbols and masks
follow one convention: queries are rows, keys are columns, and True in a mask means that
a query may attend to a key. [What a mask means](mask_semantics.md) compares that with
other libraries."""


def page():
    """Return the text of the page.

    Returns
    -------
    str
        Markdown; the same on every run.
    """
    modules = [importlib.import_module(f"attnbook.{name}") for name in module_names()]
    known = {name for module in modules for name in public(module)}
    parts = [INTRODUCTION, contents(modules)]
    for module in modules:
        parts += section(module, known)
    return "\n\n".join(parts) + "\n"


def module_names(folder=ROOT / "src" / "attnbook"):
    """Return the modules of the page, those that lie in the package's own folder."""
    there = {path.stem for path in folder.glob("[a-z]*.py")} - AUTHORS
    order = [*FIRST, *THEN]
    rest = sorted(there - set(order))
    return [*(name for name in order if name in there), *rest, "widgets"]


def public(module):
    """Return the names that a module offers: its ``__all__``, or what it defines."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    return [
        name
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and (inspect.isfunction(thing) or inspect.isclass(thing))
        and thing.__module__ == module.__name__
    ]


def contents(modules):
    """Return a table: a line for each module, with links to its names."""
    rows = ["| module | names |", "|---|---|"]
    for module in modules:
        links = ", ".join(f"[`{name}`]({anchor(name)})" for name in public(module))
        rows.append(f"| `{module.__name__}` | {links} |")
    return "\n".join(rows)


def anchor(name):
    """Return the address of a heading on this page."""
    return f"#{name.lower()}"


def section(module, known):
    """Yield the parts of the page about a module."""
    yield f"## `{module.__name__}`"
    yield from body(inspect.getdoc(module), known)
    for name in public(module):
        yield from entry(name, getattr(module, name), known)


def entry(name, thing, known):
    """Yield the parts about a function or a class."""
    yield f"### `{name}`"
    yield code(signature(name, thing))
    yield from body(inspect.getdoc(thing), known)
    if inspect.isclass(thing):
        for method, function in methods(thing):
            shown = f"{name}.{method}".replace(".__call__", "()")
            yield f"#### `{shown}`"
            if inspect.isroutine(function):
                yield code(signature(method, function))
            yield from body(inspect.getdoc(function), known)


def methods(cls):
    """Yield what a class itself defines and documents for its users."""
    for name, thing in vars(cls).items():
        if name.startswith("_") and name not in ("__call__", "__len__"):
            continue
        if isinstance(thing, property) or inspect.isfunction(thing):
            yield name, thing


def signature(name, thing):
    """Return a call as it is written, on one line or one parameter a line."""
    parameters = list(inspect.signature(thing).parameters.values())
    if parameters and parameters[0].name == "self":
        parameters = parameters[1:]
    shown = str(inspect.Signature(parameters))
    shown = re.sub(r"<class '([\w.]+)'>", r"\1", shown)
    shown = re.sub(r"<function ([\w.]+) at 0x\w+>", r"\1", shown)
    if len(name + shown) <= WIDTH:
        return name + shown
    lines = textwrap.wrap(shown[1:-1], WIDTH - 4, break_long_words=False)
    return "\n".join([f"{name}(", *(f"    {line}" for line in lines), ")"])


def code(text):
    """Return a block of code."""
    return f"```python\n{text}\n```"


# From numpydoc to Markdown.


def body(doc, known):
    """Yield the parts of a docstring, its sections under bold titles."""
    title = None
    for name, text in split(doc or ""):
        if name != title and name is not None:
            yield f"**{name}**"
        title = name
        if name in ENTRIES:
            yield listing(text, known)
        elif name == "See Also":
            yield "\n".join(see_also(line, known) for line in text.splitlines())
        else:
            yield from paragraphs(text, known)


def split(doc):
    """Yield (title, text) for each section of a docstring; the first has no title."""
    pieces = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", doc, flags=re.M)
    yield None, pieces[0].strip("\n")
    for title, text in zip(pieces[1::2], pieces[2::2], strict=True):
        yield title, text.strip("\n")


def listing(text, known):
    """Return a list: an item for each parameter, result or error."""
    items = []
    for chunk in re.split(r"\n(?=\S)", text):
        head, _, rest = chunk.partition("\n")
        said = inline(" ".join(textwrap.dedent(rest).split()), known)
        items.append(f"- `{head.strip()}`" + (f": {said}" if said else ""))
    return "\n".join(items)


def see_also(line, known):
    """Return an item of a list: a name and what is said of it."""
    name, _, said = line.partition(":")
    return f"- {inline(f'`{name.strip()}`', known)}: {inline(said.strip(), known)}"


def paragraphs(text, known):
    """Yield the paragraphs, lists and blocks of code of a text."""
    literal = False
    for part in re.split(r"\n\s*\n", text):
        if part.startswith(">>>"):
            yield code(part)
        elif literal and part.startswith(" "):
            yield f"```text\n{textwrap.dedent(part)}\n```"
        elif part.strip():
            literal = part.rstrip().endswith("::")
            yield inline(re.sub(r"::$", ":", part.rstrip()), known)


def inline(text, known):
    """Turn the marks within a line: code, names that link, and signs to be kept."""
    pieces = re.split(r"(``.+?``|`[^`]+`)", text, flags=re.S)
    return "".join(
        mark(piece, known) if piece.startswith("`") else escape(piece)
        for piece in pieces
    )


def mark(piece, known):
    """Return code, as a link if it names something on this page."""
    name = piece.strip("`")
    last = name.rpartition(".")[2]
    if not piece.startswith("``") and last in known:
        return f"[`{name}`]({anchor(last)})"
    return f"`{name}`"


def escape(text):
    """Keep signs that Markdown would read as marks."""
    return re.sub(r"([*<$])", r"\\\1", text)


def main(arguments=None):
    """Write the page, or check it; return 1 where it is stale."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args(arguments)
    new = page()
    if not options.check:
        PAGE.write_text(new, encoding="utf-8")
        return 0
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if old == new:
        return 0
    lines = difflib.unified_diff(
        old.splitlines(),
        new.splitlines(),
        "the page",
        "the docstrings",
        lineterm="",
        n=1,
    )
    print("\n".join(list(lines)[:40]))
    print(f"{PAGE.name} is not what the docstrings say: {COMMAND}")
    return 1


if __name__ == "__main__":
    sys.exit(main())

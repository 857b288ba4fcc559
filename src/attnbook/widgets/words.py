"""The words of the figures for Python: tables and rules as in ``kit/words.js``."""

import json
import re
from functools import cache
from pathlib import Path

_FIELD = re.compile(r"\{(\w+)(?::([^}]+))?\}")


LANGUAGE = "en"
HOME = Path(__file__).parent


@cache
def table():
    """Return all words: those of the kit as ``kit``, the others by figure."""
    folders = [HOME / "kit", *sorted((HOME / "figures").iterdir())]
    files = [(path.name, path / f"{LANGUAGE}.json") for path in folders]
    return {
        name: json.loads(file.read_text(encoding="utf-8"))
        for name, file in files
        if file.exists()
    }


def template(path):
    """Return the words at a path such as ``"squeeze.title"``, with open fields.

    Raises
    ------
    KeyError
        If the table has no text there.

    """
    node = table()
    for key in path.split("."):
        node = node[key] if isinstance(node, dict) and key in node else None
    if not isinstance(node, str):
        raise KeyError(f"no words at {path} in {LANGUAGE}.json")
    return node


def fill(text, values):
    """Put values into a text: ``{entropy:.2f}``, or ``{d_k}`` for a plain value.

    Raises
    ------
    KeyError
        If the text names a value that is not there.

    """

    def value(match):
        name, spec = match.groups()
        given = values[name]
        is_number = isinstance(given, int | float) and not isinstance(given, bool)
        written = format(given, spec or "g") if is_number else str(given)
        if not is_number:
            return written
        # What rounds to 0 has no sign, as in JavaScript.
        is_zero = not written.strip("-0.%")
        return written.replace("-", "" if is_zero else "−")

    return _FIELD.sub(value, text)


def say(path, values):
    """Return the words at a path with values put in."""
    return fill(template(path), values)


def fields(text):
    """Return the names of the values that a text needs."""
    return {name for name, _ in _FIELD.findall(text)}

"""Keep the repository's name in one place: the `repository` setting of _config.yml.

``python -m booktools.setup.repository OWNER/NAME`` sets it there and in the links of
the README; without a name it brings the README in step; ``--check`` only compares.
"""

import argparse
import re
import sys

from booktools import ROOT

FOLLOWERS = ("README.md",)
NAME = r"[\w.-]+/[\w-]+(?:\.(?!git\b)[\w-]+)*"
SETTING = re.compile(rf"(?m)^(  url: https://github\.com/)({NAME})")
LINK = re.compile(
    r"(https://mybinder\.org/v2/gh/|https://colab\.research\.google\.com/github/"
    rf"|https://github\.com/)({NAME})"
)


def setting(text):
    """Return the OWNER/NAME that the text of _config.yml holds.

    Raises
    ------
    ValueError
        If the text has no such setting.
    """
    found = SETTING.search(text)
    if not found:
        raise ValueError(
            "_config.yml has no line '  url: https://github.com/OWNER/REPO'"
        )
    return found[2]


def renamed(text, name):
    """Return the text with every link to the repository under this name."""
    return LINK.sub(lambda match: match[1] + name, text)


def stale(root, name):
    """Return the files, with their new text, whose links differ from the setting."""
    texts = {root / file: (root / file).read_text("utf-8") for file in FOLLOWERS}
    fresh = {path: renamed(text, name) for path, text in texts.items()}
    return {path: new for path, new in fresh.items() if new != texts[path]}


def main(arguments=None, root=ROOT):
    """Set, spread or compare the name; return a status for the shell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", help="OWNER/NAME to set")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    config = root / "_config.yml"
    text = config.read_text("utf-8")
    if options.name:
        setting(text)
        text = SETTING.sub(lambda match: match[1] + options.name, text)
        config.write_text(text, "utf-8")
    changes = stale(root, setting(text))
    if options.check:
        for path in changes:
            print(f"{path.name}: its links differ from _config.yml.")
            print("Mend: python -m booktools.setup.repository")
        return int(bool(changes))
    for path, new in changes.items():
        path.write_text(new, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

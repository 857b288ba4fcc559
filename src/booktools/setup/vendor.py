"""Write the figures' third-party parts: ``python -m booktools.setup.vendor [--check]``.

Readers of a notebook have no bundler and no npm, so what the figures need from d3 is
kept as two small modules in ``src/attnbook/widgets/vendor``, bundled by esbuild from
the pinned npm packages. The colour tables in ``kit/colormaps.js`` are matplotlib's, to
the bit.
"""

import argparse
import json
import sys

import matplotlib

from booktools import ROOT
from booktools.site.assets import AssetError, esbuild, npm_file

WIDGETS = ROOT / "src" / "attnbook" / "widgets"
# Module in vendor/ -> npm package and the names that the figures use.
PARTS = {
    "d3-array.js": ("d3-array", ["ticks"]),
    "d3-format.js": ("d3-format", ["format"]),
}
MAKER = "booktools.setup.vendor"
COLORMAPS = {"cividis": "cividis", "puor": "PuOr"}


def bundle(package, names):
    """Return one ES module that exports ``names`` of an npm package, licence first."""
    licence = npm_file(f"{package}/LICENSE")
    version = json.loads((licence.parent / "package.json").read_text())["version"]
    # Bare module names are looked up from the working folder.
    entry = f'export {{ {", ".join(names)} }} from "{package}";\n'
    code = esbuild(["--format=esm"], input=entry)
    head = f"{package} {version}, only: {', '.join(names)}. Made by {MAKER}."
    return f"/*!\n{head}\n\n{licence.read_text().strip()}\n*/\n{code}"


def colormaps():
    """Return the module of colour tables: 256 colours each, as one hex string."""
    lines = [f"// matplotlib's colour tables, made by {MAKER}: 256 x rrggbb."]
    for name, of in COLORMAPS.items():
        colours = matplotlib.colormaps[of](range(256), bytes=True)[:, :3]
        lines.append(f'export const {name} = "{colours.tobytes().hex()}";')
    return "\n".join(lines) + "\n"


def contents():
    """Return {path: text} of every file that this module writes."""
    made = {WIDGETS / "vendor" / file: bundle(*part) for file, part in PARTS.items()}
    return {**made, WIDGETS / "kit" / "colormaps.js": colormaps()}


def stale(made):
    """Return the paths whose file on disk differs from what would be written."""
    return [p for p, text in made.items() if not p.exists() or p.read_text() != text]


def main(arguments=None):
    """Write the files, or with ``--check`` report those that differ; return 0 or 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    try:
        made = contents()
    except AssetError as error:
        print(error)
        return 1
    late = stale(made)
    for path in late:
        print(f"{'differs' if options.check else 'written'}: {path.relative_to(ROOT)}")
        if not options.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(made[path])
    return int(options.check and bool(late))


if __name__ == "__main__":
    sys.exit(main())

"""Write the figures' third-party parts: ``python -m booktools.vendor [--check]``.

Readers of a notebook have no bundler and no npm, so what the figures need from d3 is
kept as two small modules in ``src/attnbook/widgets/vendor``, bundled by esbuild from the
pinned npm packages (``npm ci --ignore-scripts`` first). The colour tables in
``kit/colormaps.js`` are matplotlib's, to the bit.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import matplotlib

ROOT = Path(__file__).parents[2]
WIDGETS = ROOT / "src" / "attnbook" / "widgets"
# Module in vendor/ -> npm package and the names that the figures use.
PARTS = {
    "d3-array.js": ("d3-array", ["ticks"]),
    "d3-format.js": ("d3-format", ["format"]),
}
COLORMAPS = {"cividis": "cividis", "puor": "PuOr"}


def bundle(package, names, modules):
    """Return one ES module that exports ``names`` of an npm package, licence first."""
    home = modules / package
    version = json.loads((home / "package.json").read_text())["version"]
    entry = f'export {{ {", ".join(names)} }} from "./{package}/src/index.js";\n'
    command = [
        modules / ".bin" / "esbuild",
        "--bundle",
        "--format=esm",
        "--charset=utf8",
    ]
    done = subprocess.run(
        command, input=entry, cwd=modules, capture_output=True, text=True, check=True
    )
    licence = (home / "LICENSE").read_text().strip()
    head = f"{package} {version}, only: {', '.join(names)}. Made by booktools.vendor."
    return f"/*!\n{head}\n\n{licence}\n*/\n{done.stdout}"


def colormaps():
    """Return the module of colour tables: 256 colours each, as one hex string."""
    lines = ["// matplotlib's colour tables, made by booktools.vendor: 256 x rrggbb."]
    for name, of in COLORMAPS.items():
        colours = matplotlib.colormaps[of](range(256), bytes=True)[:, :3]
        lines.append(f'export const {name} = "{colours.tobytes().hex()}";')
    return "\n".join(lines) + "\n"


def contents(modules):
    """Return {path: text} of every file that this module writes."""
    made = {WIDGETS / "vendor" / f: bundle(*part, modules) for f, part in PARTS.items()}
    return {**made, WIDGETS / "kit" / "colormaps.js": colormaps()}


def stale(made):
    """Return the paths whose file on disk differs from what would be written."""
    return [p for p, text in made.items() if not p.exists() or p.read_text() != text]


def main(arguments=None):
    """Write the files, or with ``--check`` report those that differ; return 0 or 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--modules", type=Path, default=ROOT / "node_modules")
    options = parser.parse_args(arguments)
    if not (options.modules / ".bin" / "esbuild").exists():
        print(f"no esbuild in {options.modules}: run `npm ci --ignore-scripts` first")
        return 1
    made = contents(options.modules.resolve())
    late = stale(made)
    for path in late:
        print(f"{'differs' if options.check else 'written'}: {path.relative_to(ROOT)}")
        if not options.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(made[path])
    return int(options.check and bool(late))


if __name__ == "__main__":
    sys.exit(main())

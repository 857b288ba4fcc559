"""Join the figures' ES modules into the one text that a notebook loads.

No bundler is needed: the text holds every module as a string. In the browser each
becomes a blob address, the leaves first, and each import is pointed at the address of
what it names.
"""

import json
import re
from functools import cache
from pathlib import Path

HOME = Path(__file__).parent
# from "./x.js", import "./x.js", and the JSON form with its attribute.
_IMPORT = re.compile(
    r'(?P<head>\b(?:from|import)\s*)"(?P<target>\.{1,2}/[^"]+)"'
    r'(?:\s*with\s*\{\s*type:\s*"json"\s*\})?'
)
_LOADER = """\
const sources = %s;
const urls = {};
for (const [name, source] of Object.entries(sources)) {
  const text = source.replace(/"attn:([^"]+)"/g, (_, path) => `"${urls[path]}"`);
  urls[name] = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}
const [figure, host] = await Promise.all([%s].map((name) => import(urls[name])));
for (const url of Object.values(urls)) URL.revokeObjectURL(url);
export default host.anywidget(figure.default);
"""
HOST = "kit/jupyter.js"


def _module_text(path):
    """Return a module's text; a JSON file becomes a module that exports its table."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return f"export default {json.dumps(json.loads(text), ensure_ascii=False)};\n"
    return text


def collect(*entries):
    """Return {name: text} of modules and all they import, each after its own imports.

    Parameters
    ----------
    *entries : str
        Names of modules, relative to this folder.

    Raises
    ------
    ValueError
        If modules import each other in a circle, which blob addresses cannot express.

    """
    found, open_modules = {}, []

    def visit(path):
        name = path.relative_to(HOME).as_posix()
        if name in found:
            return name
        if name in open_modules:
            raise ValueError(f"modules import each other: {[*open_modules, name]}")
        open_modules.append(name)

        def point(match):
            target = (path.parent / match["target"]).resolve()
            return f'{match["head"]}"attn:{visit(target)}"'

        text = _module_text(path)
        text = _IMPORT.sub(point, text) if path.suffix == ".js" else text
        found[name] = text
        open_modules.pop()
        return name

    for entry in entries:
        visit((HOME / entry).resolve())
    return found


@cache
def joined(figure):
    """Return the one ES module that a notebook loads for a figure."""
    entries = f"figures/{figure}/figure.js", HOST
    table = json.dumps(collect(*entries), ensure_ascii=False, separators=(",", ":"))
    return _LOADER % (table, ", ".join(json.dumps(name) for name in entries))

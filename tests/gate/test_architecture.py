"""The shape of the code: who imports whom, what is tested, what is documented."""

import ast
import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

import tree
from booktools import ROOT
from booktools.content.notebooks import notebook_sources
from booktools.content.prose import parse, read_page

SRC = ROOT / "src"
CHAPTERS = ROOT / "chapters"

# From the bottom up. A module imports from its own layer and from those below.
LAYERS = [
    ("masks", "kernel"),
    ("heads", "positions", "scores", "backward", "tiled", "stats", "cost"),
    ("meter", "machine", "toydata", "vocabulary"),
    ("spoken", "formulas", "statements", "trials", "claims"),
    ("style",),
    ("plots", "arcs", "widgets", "questions"),
    ("exercises",),
]
BOTTOM = {name for layer in LAYERS[:2] for name in layer}
CODE_LIMIT = 1065  # lines of code of the modules in BOTTOM together
# What a part needs beyond Python and NumPy; an optional import is guarded by try.
THIRD_PARTY = {
    "tiled": {"threadpoolctl"},
    "machine": {"threadpoolctl"},
    "style": {"matplotlib"},
    "plots": {"matplotlib"},
    "widgets": {"matplotlib", "anywidget", "traitlets", "IPython"},
}
ROOMS = ("content", "gate", "setup", "site")
TESTED_BY = {  # parts whose test has another name
    "booktools.site": ("test_build", "test_site"),
}
HOSTS = {  # what readers may follow; nothing of it is loaded by a page
    "www.w3.org",  # a name space, never fetched
    "127.0.0.1",
    "localhost",
    "github.com",
    "mybinder.org",
    "colab.research.google.com",
    "creativecommons.org",
    "opensource.org",
}


def modules(package):
    """Every module of a package: (its name, its file)."""
    for path in sorted((SRC / package).rglob("*.py")):
        yield ".".join(path.relative_to(SRC).with_suffix("").parts), path


def imported(tree):
    """The full names of all modules that some code imports, wherever it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.module != "attnbook":
                yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(
            node.func, ast.Name | ast.Attribute
        ):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            given = node.args[0] if node.args else None
            if name in ("import_module", "__import__") and isinstance(
                given, ast.Constant
            ):
                yield given.value


def part(name):
    """The part of attnbook that holds a module: attnbook.widgets.base -> widgets."""
    return name.split(".")[1] if "." in name else ""


ATTNBOOK = list(modules("attnbook"))
LEVEL = {name: i for i, layer in enumerate(LAYERS) for name in layer}


def test_every_part_has_its_place_in_the_layers():
    parts = {part(name) for name, _ in ATTNBOOK} - {"__init__"}
    assert parts == set(LEVEL)


@pytest.mark.parametrize(("name", "path"), ATTNBOOK, ids=[name for name, _ in ATTNBOOK])
def test_modules_import_from_their_layer_and_below(name, path):
    if part(name) == "__init__":
        return
    for other in imported(ast.parse(path.read_text("utf-8"))):
        if other.split(".")[0] == "attnbook":
            assert part(other) in LEVEL, f"{name} imports {other}: name its module"
            assert LEVEL[part(other)] <= LEVEL[part(name)], f"{name} imports {other}"


@pytest.mark.parametrize(("name", "path"), ATTNBOOK, ids=[name for name, _ in ATTNBOOK])
def test_modules_need_no_more_than_they_may(name, path):
    allowed = {"numpy", "attnbook", *sys.stdlib_module_names}
    allowed |= THIRD_PARTY.get(part(name), set())
    tops = {
        other.split(".")[0] for other in imported(ast.parse(path.read_text("utf-8")))
    }
    assert tops - allowed == set()
    assert "torch" not in tops
    assert "booktools" not in tops


def in_a_circle(needs):
    """The names that need themselves through others; `needs` maps a name to names."""
    for name in needs:
        reached, todo = set(), set(needs[name]) - {name}
        while todo:
            one = todo.pop()
            reached.add(one)
            todo |= needs.get(one, set()) - reached - {one}
        if name in reached:
            yield name


def test_the_parts_of_a_layer_import_each_other_in_no_circle():
    assert list(in_a_circle({"a": {"b"}, "b": {"c"}, "c": {"b"}})) == ["b", "c"]
    needs = {name: set() for name in LEVEL}
    for name, path in ATTNBOOK:
        for other in imported(ast.parse(path.read_text("utf-8"))):
            if other.split(".")[0] == "attnbook" and part(name) in LEVEL:
                needs[part(name)].add(part(other))
    assert list(in_a_circle(needs)) == []


LAYOUT = {
    *(tokenize.ENCODING, tokenize.ENDMARKER, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT),
}


def code_lines(text):
    """The numbers of the lines that hold code: no docstring, comment or blank line."""
    docs = set()
    for node in ast.walk(ast.parse(text)):
        first = getattr(node, "body", None)
        first = first[0] if isinstance(first, list) and first else None
        value = first.value if isinstance(first, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            docs.update(range(first.lineno, first.end_lineno + 1))
    spans = (
        range(token.start[0], token.end[0] + 1)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in LAYOUT
    )
    return {line for span in spans for line in span} - docs


def test_what_counts_as_a_line_of_code():
    text = (
        '"""Line 1."""\n\n# line 3\nx = 4  # and more\n\ndef f():\n'
        '    """Line 7.\n\n    Line 9.\n    """\n    return (  # line 11\n'
        "        x\n\n    )\n"
    )
    assert code_lines(text) == {4, 6, 11, 12, 14}


def test_the_kernel_stays_short_enough_to_read():
    paths = [SRC / "attnbook" / f"{name}.py" for name in sorted(BOTTOM)]
    lengths = {path.stem: len(code_lines(path.read_text("utf-8"))) for path in paths}
    assert len(lengths) == 9
    assert sum(lengths.values()) <= CODE_LIMIT, lengths


def test_the_kernel_loads_with_numpy_alone():
    loads = "import sys, attnbook; print('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", loads],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    tops = {name.split(".")[0] for name in done.stdout.split()}
    assert "numpy" in tops
    assert not tops & {"matplotlib", "anywidget", "torch", "IPython", "booktools"}


@pytest.mark.parametrize("page", notebook_sources(CHAPTERS), ids=lambda page: page.stem)
def test_chapters_import_what_readers_have(page):
    _, cells = read_page(page.read_text("utf-8"))
    tops = {
        other.split(".")[0]
        for cell in cells
        if cell.kind == "code"
        for other in imported(parse(cell.text))
    }
    known = {"numpy", "attnbook", "matplotlib", "torch", *sys.stdlib_module_names}
    assert tops - known == set()
    assert not tops & {"urllib", "http", "socket", "ftplib", "webbrowser"}


def homes_of_test(name):
    """The names that the test file of a module may have."""
    package, *_, own = name.split(".")
    return TESTED_BY.get(name, (f"test_{own}", f"test_{package}_{own}"))


def parts_to_test():
    """What has a test file of its own: parts of attnbook, tools in booktools' rooms."""
    for name, _ in [*ATTNBOOK, *modules("booktools")]:
        package, *rest = name.removesuffix(".__init__").split(".")
        if package == "booktools" and rest[:1] == ["site"]:
            yield "booktools.site"
        elif len(rest) == 2 and package == "booktools":
            yield name
        elif rest and package == "attnbook":
            yield f"{package}.{rest[0]}"


PARTS = sorted(set(parts_to_test()) - {f"booktools.{room}" for room in ROOMS})
TEST_FILES = {path.stem: path for path in (ROOT / "tests").rglob("test_*.py")}


def test_each_test_file_lies_in_a_room_and_has_a_name_of_its_own():
    found = sorted((ROOT / "tests").rglob("test_*.py"))
    assert len(found) == len(TEST_FILES) > 50
    assert all(path.parents[1].name == "tests" for path in found)


@pytest.mark.parametrize("name", PARTS)
def test_every_part_has_a_test_file_that_imports_it(name):
    files = [TEST_FILES[test] for test in homes_of_test(name) if test in TEST_FILES]
    trees = [ast.parse(path.read_text("utf-8")) for path in files]
    assert trees, f"{name} has no test file; write {homes_of_test(name)[0]}.py"
    names = {other for tree in trees for other in imported(tree)}
    # The kernel's public names may come from the package itself.
    home = "attnbook" if part(name) in BOTTOM else name
    assert any(f"{other}.".startswith(f"{home}.") for other in names)


def functions():
    """Every public function of the modules that readers import."""
    for name, path in ATTNBOOK:
        if name.count(".") > 1 and not name.endswith("__init__"):
            continue  # the machinery of a subpackage
        tree = ast.parse(path.read_text("utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield f"{name.removesuffix('.__init__')}.{node.name}", node


FUNCTIONS = list(functions())


def returns_something(node):
    """Tell whether a function gives a value back."""
    inner = {
        id(n)
        for f in ast.walk(node)
        if f is not node and isinstance(f, ast.FunctionDef | ast.Lambda)
        for n in ast.walk(f)
    }
    return any(
        isinstance(n, ast.Return) and n.value is not None and id(n) not in inner
        for n in ast.walk(node)
    )


@pytest.mark.parametrize(
    ("name", "node"), FUNCTIONS, ids=[name for name, _ in FUNCTIONS]
)
def test_public_functions_say_what_they_take_give_and_refuse(name, node):
    text = ast.get_docstring(node) or ""
    sections = re.findall(r"^(\w+)\n-{3,}$", text, re.M)
    arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
    assert text.split("\n")[0].endswith("."), "the first line is a sentence"
    if arguments:
        assert "Parameters" in sections
        listed = text[text.index("Parameters\n") :]
        for argument in arguments:
            assert re.search(rf"\b{argument.arg}\b", listed), argument.arg
    if returns_something(node):
        assert {"Returns", "Yields"} & set(sections)
    if any(isinstance(n, ast.Raise) for n in ast.walk(node)):
        assert "Raises" in sections


def tracked(*folders):
    """The committed text files of some folders: (name, text)."""
    for name in tree.committed():
        if not any(Path(name).is_relative_to(folder) for folder in folders):
            continue
        try:
            yield name, (ROOT / name).read_text("utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue


def test_the_files_are_found_with_git_and_without(monkeypatch):
    known = set(tree.committed())
    monkeypatch.setattr(tree, "git", lambda *_: "")
    alone = set(tree.committed())
    assert {"Makefile", "tests/gate/test_architecture.py", ".binder/postBuild"} <= alone
    assert known <= alone
    made = (".venv", "node_modules", "_build")
    assert not any(name.startswith(made) for name in alone)


# Only these start programs that they end themselves.
STARTERS = {"processes.py", "test_jupyterlab.py"}


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests").rglob("*.py")), ids=lambda path: path.name
)
def test_no_test_waits_for_ever_for_a_program(path):
    for call in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(call, ast.Call):
            continue
        name = ast.unparse(call.func)
        if name in ("subprocess.run", "subprocess.check_output"):
            assert "timeout" in {key.arg for key in call.keywords}, ast.unparse(call)
        assert name != "subprocess.Popen" or path.name in STARTERS


def test_no_file_names_a_place_on_somebodys_machine():
    private = re.compile(
        r"(?<![\w.])/(?:home|Users|root|work|tmp|mnt)/\w|\b[A-Z]:\\\\\w"
    )
    found = [
        f"{name}: {match[0]}"
        for name, text in tracked(".")
        if name not in ("tests/gate/test_architecture.py", "package-lock.json")
        for match in private.finditer(text)
    ]
    assert found == []


def test_what_readers_load_names_no_other_host():
    found = [
        f"{name}: {host}"
        for name, text in tracked("src/attnbook", "src/booktools/site", "figures")
        for host in re.findall(
            r"(?:https?:)?//([a-z0-9-]+(?:\.[a-z0-9-]+)+)", text, re.I
        )
        if host.lower() not in HOSTS
        and not name.endswith((".toml", ".txt"))
        and not host.endswith((".js", ".py", ".css"))
    ]
    assert found == []


def test_the_rules_here_see_what_they_are_for():
    code = (
        "def f():\n    import torch.nn\nfrom attnbook import plots\nimport_module('os')"
    )
    assert set(imported(ast.parse(code))) == {
        "torch.nn",
        "attnbook.plots",
        "os",
    }
    assert part("attnbook.widgets.base") == "widgets"
    outer = ast.parse("def f():\n    def g():\n        return 1\n").body[0]
    assert not returns_something(outer)
    assert returns_something(ast.parse("def f():\n    return 1\n").body[0])

"""Check the numbers of texts beside Python: exercises, and captions of diagrams.

An exercise binds the numbers of its statement, explanation, hints, title, objective and
stub by a field ``numbers=lambda: {"phrase": value}``, whose parameters may be numbers
of the variant; a script of ``figures`` binds those of ``ALT`` by a function ``numbers``
that returns such a table. The rules are those of the
chapters (`attnbook.claims`, `booktools.content.scope`, `booktools.content.literals`):
what is in scope must stand in a key; a setting may stand in the code of the file
instead.
"""

import ast
import inspect
import re
import runpy
from functools import partial
from pathlib import Path

from attnbook.claims import differences
from attnbook.exercises import master, texts
from booktools.content import formulas_in_prose
from booktools.content.claims import Section, Segment, section_problems
from booktools.content.problem import Problem
from booktools.content.prose import blanked, parse

FIGURES = Path("figures")
SEEDS = range(1, 6)  # of the variants that are drawn


def text_problems(exercise, source=None, false=None):
    """Find the numbers of an exercise's texts that are unbound, stale or false.

    A ``{place}`` is filled by code and needs no more.

    Parameters
    ----------
    exercise : attnbook.exercises.master.Exercise
    source : str, optional
        The texts; those of the file by default.
    false : list of str, optional
        From `false_numbers`, which is called by default.

    Returns
    -------
    list of Problem
    """
    false = false_numbers(exercise) if false is None else false
    return _problems(_files(exercise)[1], section_of(exercise, source), false)


def section_of(exercise, source=None):
    """Read the texts of an exercise, with the code and the keys that bind them.

    Parameters
    ----------
    exercise : attnbook.exercises.master.Exercise
    source : str, optional
        The texts; those of the file by default.

    Returns
    -------
    booktools.content.claims.Section
    """
    words, code = _files(exercise)
    source = blanked_places(
        words.read_text(encoding="utf-8") if source is None else source
    )
    said, stub = texts.parse(source, words), blanked_places(exercise.stub)
    parts = [said.title, said.objective, said.statement, said.explanation]
    segments = _segments(words, source, [*parts, *said.hints.values()])
    segments += _segments(code, blanked_places(code.read_text("utf-8")), _spoken(stub))
    return _section(code, segments, stub)


def false_numbers(exercise):
    """Compare what an exercise binds with its code, for the book and drawn variants.

    ``numbers`` is called with those numbers of a variant that it has parameters for.

    Parameters
    ----------
    exercise : attnbook.exercises.master.Exercise

    Returns
    -------
    list of str
        A sentence for each difference.
    """
    if exercise.numbers is None:
        return []
    variants = [exercise, *(master.load(exercise.name, seed) for seed in SEEDS)]
    said = (one for each in variants for one in _false(partial(_numbers, each)))
    return list(dict.fromkeys(said))


def _files(exercise):
    # (its words, its code), as paths that an editor can follow
    home, here = master.folder(exercise.name), Path.cwd()
    home = home.relative_to(here) if home.is_relative_to(here) else home
    return home / f"{texts.LANGUAGE}.md", home / "exercise.py"


def blanked_places(text):
    """Blank what code fills, a ``{place}``, character for character."""
    return texts.PLACE.sub(blanked, text)


def _numbers(exercise):
    names = inspect.signature(exercise.numbers).parameters
    return exercise.numbers(**{name: exercise.standard[name] for name in names})


def _spoken(stub):
    # what the code that a student starts from says in words
    yield from re.findall(r"#\s*(.+)", stub)
    for node in ast.walk(parse(stub)):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
            yield ast.get_docstring(node)


def caption_problems(script):
    """Find the numbers of a diagram's alternative text that are unbound or false.

    Parameters
    ----------
    script : pathlib.Path
        A file of ``figures``.

    Returns
    -------
    list of Problem
    """
    made = made_by(script)
    return alt_problems(script, made.get("ALT", ""), made.get("numbers"))


def made_by(script):
    """Return the names that a script of ``figures`` gives values to.

    Parameters
    ----------
    script : pathlib.Path

    Returns
    -------
    dict
    """
    return runpy.run_path(str(script))


def alt_problems(script, alt, numbers):
    """Find the numbers of an alternative text that are unbound or false.

    Parameters
    ----------
    script : pathlib.Path
        The file that holds it.
    alt : str
        The text.
    numbers : callable or None
        The script's function that binds the numbers.

    Returns
    -------
    list of Problem
    """
    segments = _segments(script, script.read_text("utf-8"), [alt])
    false = _false(numbers) if numbers else []
    return _problems(script, _section(script, segments), false)


def _section(path, segments, stub=""):
    tree = parse(path.read_text(encoding="utf-8"))
    table = table_of(tree)
    keys = {key.value: key.lineno for key in table.keys}
    values = dict(zip(keys, table.values, strict=True))
    functions = formulas_in_prose.functions_of([ast.unparse(tree)])
    formulas = formulas_in_prose.marks(table, functions)
    table.keys, table.values = [], []  # what is bound binds nothing else
    return Section.new([])._replace(
        segments=segments,
        code=[ast.unparse(tree), stub],
        keys=keys,
        formulas=formulas,
        values=values,
        line=1,
    )


def _problems(path, section, false):
    keys = section.keys
    found = [_told(problem) for problem in section_problems(path, section)]
    for said in false:
        line = next((keys[key] for key in keys if said.startswith(repr(key))), 1)
        found.append(Problem(path, line, said, "exercise"))
    return found


def _false(numbers):
    try:
        return differences(numbers())
    except Exception as why:  # an author's code may fail in any way
        return [f"numbers() fails with {type(why).__name__}: {why}"]


def table_of(tree):
    """Return the dictionary of `numbers`: of the field's lambda, or of the function."""
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg="numbers", value=ast.Lambda(body=ast.Dict() as table)):
                return table
            case ast.FunctionDef(name="numbers", body=[*_, last]) if isinstance(
                getattr(last, "value", None), ast.Dict
            ):
                return last.value
    return ast.Dict([], [])


def _segments(path, source, said):
    return [_segment(path, source, text.strip()) for text in said]


def _segment(path, source, text):
    at = source.find(text)
    if at < 0:  # joined or indented otherwise in the file
        at = source.find(text.split("\n")[0][:24])
    return Segment(path, source.count("\n", 0, max(at, 0)) + 1, text)


def _told(problem):
    # the advice of a chapter speaks of its claims cell
    said, _, phrase = problem.text.partition("; write claims({")
    if phrase:
        said += f"; write numbers=lambda: {{{phrase.partition('})')[0]}}}"
    kind = "literal" if problem.kind == "literal" else "exercise"
    return problem._replace(text=said, kind=kind)


def exercise_problems(chapter=""):
    """Check the exercises of a chapter, or all.

    Parameters
    ----------
    chapter : str
        Two digits, or nothing for all.

    Returns
    -------
    list of Problem
    """
    return [
        problem
        for name in master.names()
        if name.startswith(chapter)
        for problem in text_problems(master.load(name))
    ]


def all_captions(folder=FIGURES):
    """Check the captions of all diagrams.

    Parameters
    ----------
    folder : pathlib.Path
        Where the scripts are.

    Returns
    -------
    list of Problem
    """
    scripts = sorted(Path(folder).glob("*.py"))
    return [problem for script in scripts for problem in caption_problems(script)]

"""Check that every number of the prose is bound to code.

A page is read in *sections*. A section is the prose, the questions and the code up to
and including a cell with the tag ``claims``, which holds ``claims({phrase: value})``
(see `attnbook.claims`, which compares the values when the page runs). Each number in
scope (see `booktools.content.scope`) must stand within a phrase that is a key of its
section's claims. For a setting, such as ``d_k = 512``, it is enough that the section's
code holds the number, under that name where the code has the name. In a link that sets
a figure the number must be what the link sets. Each key must occur in its section, and
its value must be computed (`booktools.content.literals`). Formulas that state results
are bound as `booktools.content.formulas_in_prose` says. The same cell binds the answers
of the questions asked (`booktools.content.asked`) and what links to figures show
(`booktools.content.links`).

A page without code names in its header what vouches for a number, as
``attnbook: {numbers: {"a phrase": "tests/ROOM/FILE.py::test_NAME"}}``, or says whose
it is (``"quoted: whose"``, ``"defined: why"``). Words of live figures are bound beside
them (`booktools.content.figure_words`).
A page that a module of `booktools` makes is left to that module's own check.
"""

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter, defaultdict
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from attnbook.claims import find_numbers, key_numbers
from booktools.content import asked, citations, formulas_in_prose, links
from booktools.content.constants import Constants
from booktools.content.literals import Values
from booktools.content.notebooks import NotebookError
from booktools.content.problem import Problem, is_open
from booktools.content.prose import BLANK, parse, read_page, visible
from booktools.content.scope import Found, in_scope

COMMAND = "python -m booktools.content.claims"
QUESTIONS = Path("src/attnbook/questions/bank")
WIDGETS = Path("src/attnbook/widgets")
EXERCISES = Path("src/attnbook/exercises/bank")
_NO_PROSE = {"name", "kind", "curve", "answer", "value", "chapter", "unit"}
_MADE = re.compile(r"<!-- Made by python -m booktools\.([\w.]+): do not edit\. -->\n")
LINK = re.compile(r"\[(?P<text>[^\]]*)\]\(figure:[\w-]+\?(?P<state>[^)\s]*)\)")


class Segment(NamedTuple):
    """A stretch of prose: the file and the line on which it starts."""

    path: Path
    line: int
    text: str


class Section(NamedTuple):
    """Prose, code and claims up to and including a claims cell."""

    segments: list
    code: list  # sources of the code cells; the claims calls are taken out
    keys: dict  # phrase -> line of the page
    before: list  # code of the sections before
    line: int  # of the claims cell; 0 where the page ends without one
    formulas: dict  # those of the keys that bind formulas -> what binds them
    values: dict  # phrase -> what its number is bound to, as code
    answers: dict  # name of a question -> (line, what its answer is bound to)
    links: dict  # text of a link -> (line, condition)
    asked: dict  # name of a question -> (line, its table)

    @classmethod
    def new(cls, before):
        """Start a section after some code."""
        return cls([], [], {}, before, 0, {}, {}, {}, {}, {})


class Questions(dict):
    """The texts of all questions, by kind and name; ``tables`` has the rest of them."""

    def __init__(self):
        self.tables = defaultdict(dict)  # kind and name -> {question: its table}
        super().__init__()


# --- reading


def load_questions(folder=QUESTIONS):
    """Read the texts of all questions.

    Parameters
    ----------
    folder : pathlib.Path
        Where the TOML files are.

    Returns
    -------
    Questions
        The texts of ``("predict", name)`` and ``("quiz", chapter)``.
    """
    texts = Questions()
    for path in sorted(Path(folder).glob("*.toml")):
        read_questions(texts, path, path.read_text(encoding="utf-8"))
    return texts


def read_questions(texts, path, raw):
    """Add the questions of one file.

    Parameters
    ----------
    texts : Questions
        Where they go.
    path : pathlib.Path
        Named in messages; nothing is read from it.
    raw : str
        TOML.
    """
    content = tomllib.loads(raw)
    for kind in ("predict", "quiz"):
        for question in content.get(kind, []):
            name = question["name"] if kind == "predict" else content["chapter"]
            segments = texts.setdefault((kind, name), [])
            segments += _question_segments(path, raw, question)
            texts.tables[kind, name][question["name"]] = question


def _question_segments(path, raw, question):
    start = raw.find(f'name = "{question["name"]}"')
    for text in _strings(question):
        at = raw.find(text.strip().split("\n")[0], max(start, 0))
        line = raw.count("\n", 0, at if at >= 0 else max(start, 0)) + 1
        yield Segment(path, line, text)


def _strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name not in _NO_PROSE:
                yield from _strings(item)


def read_sections(path, text, questions):
    """Split a page into its sections.

    Parameters
    ----------
    path : pathlib.Path
        Named in messages; nothing is read from it.
    text : str
        The page.
    questions : dict
        From `load_questions`.

    Returns
    -------
    header : dict
        The page's YAML header.
    sections : list of Section
        In order; the last has ``line`` 0 where prose follows the last claims cell.
    problems : list of Problem
        Claims cells that hold no claims, claims outside of them, questions not found.
    """
    header, cells = _page(text)
    sections, problems, before = [], [], []
    current = Section.new([])
    for cell in cells:
        if cell.kind != "code":
            current.segments.append(Segment(path, cell.line, cell.text))
            continue
        problems += _read_claims(path, cell, current)
        problems += _questions_shown(path, cell, questions, current)
        if "claims" in cell.tags:
            sections.append(current._replace(line=cell.line))
            before = [*before, *current.code]
            current = Section.new(before)
    if current.segments or current.asked:
        sections.append(current)
    return header, sections, problems


_page = lru_cache(maxsize=4)(read_page)


def _called(node, *names):
    return isinstance(node, ast.Call) and (
        getattr(node.func, "id", getattr(node.func, "attr", None)) in names
    )


def _read_claims(path, cell, section):
    # puts what the cell binds, and its code without that, into the section
    tree = parse(cell.text)
    calls = [node for node in ast.walk(tree) if _called(node, *_READ)]
    said = _tag_problem(cell, calls)
    if said or not calls:
        section.code.append(cell.text)
        return [Problem(path, cell.line, said)] if said else []
    found = [one for call in calls for one in _READ[_name(call)](cell, call, section)]
    for call in calls:
        call.args, call.keywords = [], []
    section.code.append(ast.unparse(tree))
    return [Problem(path, line, text) for line, text in found]


def _tag_problem(cell, calls):
    if "claims" in cell.tags and not calls:
        return "this cell has the tag claims and no claims({...})"
    if calls and "claims" not in cell.tags:
        name = _name(calls[0])
        return f"{name}({{...}}) needs a cell with the tags [claims, hide-cell]"
    return None


def _name(call):
    return getattr(call.func, "id", getattr(call.func, "attr", None))


def _read_numbers(cell, call, section):
    known = [*section.before, *section.code, cell.text]
    functions = formulas_in_prose.functions_of(known)
    formulas = formulas_in_prose.marks(next(iter(call.args), None), functions)
    for key, value, at in _keys(call):
        line = cell.line + at - 1
        said = _key_problem(key, section.keys, formulas.get(key))
        if said:
            yield line, said
        else:
            section.keys[key], section.values[key] = line, value
            section.formulas.update({key: formulas[key]} if key in formulas else {})


def _read_answers(cell, call, section):
    read = asked.read(call, cell.line)
    section.answers.update(read or {})
    return [(cell.line, asked.FORM)] if read is None else []


def _read_links(cell, call, section):
    read = links.read(call, cell.line)
    section.links.update(read or {})
    return [(cell.line, links.FORM)] if read is None else []


_READ = {"claims": _read_numbers, "answers": _read_answers, "links": _read_links}


def _keys(call):
    if len(call.args) != 1 or not isinstance(call.args[0], ast.Dict):
        yield None, None, call.lineno
        return
    for key, value in zip(call.args[0].keys, call.args[0].values, strict=True):
        constant = isinstance(key, ast.Constant) and isinstance(key.value, str)
        at = getattr(key, "lineno", call.lineno)
        yield (key.value if constant else None), value, at


def _key_problem(key, known, formulas):
    if key is None:
        return 'write the claims out: claims({"a phrase of the text": value, ...})'
    if key in known:
        return f"the key {key!r} stands there twice; drop one"
    if formulas:
        return formulas_in_prose.key_problem(key, formulas)
    try:
        key_numbers(key)
    except ValueError as error:
        return str(error)
    return None


def _questions_shown(path, cell, questions, section):
    missing = []
    for node in ast.walk(parse(cell.text)):
        if _called(node, "predict", "quiz") and node.args:
            kind, name = _name(node), getattr(node.args[0], "value", None)
            section.segments.extend(questions.get((kind, name), []))
            tables = getattr(questions, "tables", {}).get((kind, name), {})
            section.asked.update({one: (cell.line, t) for one, t in tables.items()})
            if (kind, name) not in questions:
                text = f"{kind}({name!r}): no file in {QUESTIONS} has this question"
                missing.append(Problem(path, cell.line, text))
    return missing


# --- binding


def section_problems(path, section, *, runs=True, facts=(), figures=None):
    """Find what is unbound or stale in a section.

    Parameters
    ----------
    path : pathlib.Path
        The page.
    section : Section
        From `read_sections`.
    runs : bool
        False for a page without code, where no number may stand.
    facts : sequence of str
        Phrases such as ``"25 minutes"`` that the page's header vouches for.
    figures : dict, optional
        The figures of the page, from `booktools.content.links.figures_of`.

    Returns
    -------
    list of Problem
        In the order of the text; stale keys last.
    """
    problems, used = [], set()
    own = _constants(tuple(section.code))
    known = _constants((*section.before, *section.code))
    shown = []
    for segment in section.segments:
        shown += links.in_text(segment.text, segment.line)
        spans = {key: spans_of(key, segment.text, section) for key in section.keys}
        used |= {key for key, found in spans.items() if found}
        bound = [span for found in spans.values() for span in found]
        bound += formulas_in_prose.tried(segment.text)
        bound += [s for fact in facts for s in occurrences(fact, segment.text)]
        for found in _all_found(segment.text):
            if any(a <= found.start and found.end <= b for a, b in bound):
                continue
            if kind_of(found) == "word" and links.says(
                found, segment.text, section.links
            ):
                continue
            said = _unbound(found, segment.text, section, own, known, runs)
            if said:
                line = segment.line + segment.text.count("\n", 0, found.start)
                problems.append(Problem(segment.path, line, said, kind_of(found)))
        problems += _formula_problems(segment, section)
    texts = [segment.text for segment in section.segments]
    for key in section.keys.keys() - used:
        problems.append(Problem(path, section.keys[key], _stale(key, texts)))
    for key, said in formulas_in_prose.look_alikes(section.formulas, texts):
        problems.append(Problem(path, section.keys[key], said, "formula"))
    problems += links.problems(path, shown, section.links, figures or {})
    return problems + _value_problems(path, section)


def kind_of(found):
    """Return the kind of problem that an unbound number is: number, word or result."""
    if found.text[:1].isalpha():
        return "word"
    plain = found.text.lstrip("-−+") in ("0", "1")
    return "result" if plain and found.why in _RESULTS else "number"


_RESULTS = ("a result", "a cell of a table", "alone in a cell")


def _value_problems(path, section):
    # what is wrong with the values of the claims, and with the answers
    nodes = [*section.values.values(), *(node for _, node in section.answers.values())]
    bound = tuple(map(ast.unparse, nodes))
    code, before = tuple(section.code), tuple(section.before)
    values = _values(code, bound, before, _cited())
    problems = []
    for key, node in section.values.items():
        said = values.problem(node)
        if said:
            where = section.keys[key]
            problems.append(Problem(path, where, f"{key!r}: {said}", "literal"))
    return problems + asked.problems(path, section.asked, section.answers, values)


_values = lru_cache(maxsize=256)(Values)


@lru_cache(maxsize=1)
def _cited():
    # the keys of the bibliography, or None where there is none
    path = citations.BIBLIOGRAPHY
    if not path.is_file():
        return None
    return frozenset(entry.key for entry in citations.entries(path.read_text("utf-8")))


def spans_of(key, text, section):
    """List the places that a key binds: of a key for formulas, these alone."""
    if key in section.formulas:
        return formulas_in_prose.formula_places(key, text)
    return occurrences(key, text)


def _formula_problems(segment, section):
    found = formulas_in_prose.problems(segment.text, section.formulas, section.line)
    for start, said in found:
        line = segment.line + segment.text.count("\n", 0, start)
        kind = "question" if segment.path.suffix == ".toml" else "formula"
        yield Problem(segment.path, line, said, kind)


def _stale(key, texts):
    other = re.sub(r"\d+", r"\\d+", r"\s+".join(map(re.escape, key.split())))
    said = next(filter(None, (re.search(other, text) for text in texts)), None)
    if said and said[0] != key:
        return f"the text says {' '.join(said[0].split())!r}, its claim {key!r}"
    return (
        f"no text since the last claims cell says {key!r}; take the words of the text, "
        "or drop the key"
    )


_constants = lru_cache(maxsize=256)(Constants)


@lru_cache(maxsize=4096)
def occurrences(key, text):
    """List the places where a text has a key as whole words and whole numbers."""
    words = r"\s+(?:>\s*)*".join(map(re.escape, key.split()))
    left = r"(?<!\w)" if re.match(r"\w", key) else ""
    right = r"(?!\w)" if re.match(r"\w", key[-1]) else ""
    spans = [m.span() for m in re.finditer(f"{left}{words}{right}", text)]
    numbers = _numbers(text) if spans else []
    return [
        (a, b)
        for a, b in spans
        if all(
            a <= n.start and n.end <= b for n in numbers if n.start < b and n.end > a
        )
    ]


@lru_cache(maxsize=4096)
def _numbers(text):
    return find_numbers(visible(text))


@lru_cache(maxsize=4096)
def _all_found(text):
    # Numbers in scope, and those that stand in a link to a figure.
    found = {one.start: one for one in in_scope(text)}
    numbers = _numbers(text)
    for link in LINK.finditer(text):
        a, b = link.span("text")
        for number in numbers:
            if a <= number.start and number.end <= b and not number.kind:
                found[number.start] = _in_link(number, link["state"])
    return [found[start] for start in sorted(found)]


def _in_link(number, state):
    pairs = [part.partition("=")[::2] for part in state.split("&")]
    value = number.value / number.scale
    names = tuple(name for key, name in pairs if key == "drag")
    if names:
        return Found(*number[:3], value, "a number to drag", True, names)
    if any(key == "show" for key, _ in pairs):
        return Found(*number[:3], value, "a live value", False)
    sets = {_float(text) for _, text in pairs}
    why = "" if value in sets else "a number that its link does not set"
    return Found(*number[:3], value, why, True)


def _float(text):
    try:
        return float(text)
    except ValueError:
        return None


def _unbound(found, text, section, own, known, runs):
    # What to say of a number that no key covers, or None if all is well.
    if not found.why:
        return None
    if not runs:
        return (
            f"{found.text} ({found.why}): this page has no code to bind it to; leave "
            "the number out, or make the page a notebook with a claims cell"
        )
    if found.setting:
        named = {v for name in found.names for v in known.named.get(name, ())}
        if found.value in (named or own.loose):
            return None
        if named:
            has = ", ".join(f"{v:g}" for v in sorted(named))
            gives = f"but the code gives {found.names[0]} the values {has}"
            return f"{what(found)}, {gives}; {_advice(found, text, section)}"
    return f"{what(found)} is bound to no code; {_advice(found, text, section)}"


def what(found):
    """Name a number in scope with the reason why it is."""
    return f"{' '.join(found.text.split())} ({found.why})"


def _advice(found, text, section):
    key = f'claims({{"{_phrase(found, text)}": value}})'
    if section.line:
        return f"write {key} in the claims cell on line {section.line}"
    return f"add a cell with the tags [claims, hide-cell] below: {key}"


def _phrase(found, text):
    # The number with a word on each side, on one line, as a first idea for a key.
    before = re.search(
        r"(?:\w+ )?[^\s|]*$", text[max(0, found.start - 25) : found.start]
    )
    after = re.match(r"[^\s|.,;:)]*(?: \w+)?", text[found.end : found.end + 25])
    return (before[0] + found.text + after[0]).replace('"', "'").strip()


def page_problems(path, text, questions):
    """Find all that is wrong with the numbers of a page.

    Parameters
    ----------
    path : pathlib.Path
        Named in messages; nothing is read from it.
    text : str
        The page.
    questions : dict
        From `load_questions`.

    Returns
    -------
    list of Problem
        In the order of the page.
    """
    if _MADE.match(text):
        return []
    try:
        header, sections, problems = read_sections(path, text, questions)
    except NotebookError as error:
        return [Problem(path, 1, str(error))]
    facts, figures = _facts(header), links.figures_of(_page(text)[1])
    problems += vouched(path, header, sections)
    for i, section in enumerate(sections):
        problems += section_problems(
            path,
            section,
            runs="jupytext" in header,
            facts=facts if i == 0 else (),
            figures=figures,
        )
    return sorted(problems, key=lambda problem: (str(problem.path), problem.line))


def vouched(path, header, sections):
    """Add the formulas and numbers of a header to the keys; yield what is wrong."""
    formulas = formulas_in_prose.header_marks(header)
    numbers = (header.get("attnbook") or {}).get("numbers") or {}
    for section in sections:
        section.formulas.update(formulas)
        section.keys.update(dict.fromkeys([*formulas, *numbers], 1))
    said = [formulas_in_prose.key_problem(*item) for item in formulas.items()]
    said += [_header_problem(*item) for item in numbers.items()]
    yield from (Problem(path, 1, one) for one in said if one)


def _header_problem(key, by):
    # what vouches for a number: a test, or a word on whose number it is
    kind, _, why = str(by).partition(": ")
    if not formulas_in_prose.is_test(str(by)) and not (
        kind in ("quoted", "defined") and why.strip()
    ):
        return (
            f"{key!r}: {by!r} is no test; name one as tests/ROOM/FILE.py::test_NAME, "
            "or write 'quoted: whose number it is', 'defined: why we chose it'"
        )
    return _key_problem(key, {}, None)


def _facts(header):
    facts = header.get("attnbook") or {}
    given = [
        f"{facts['minutes']} minutes" if "minutes" in facts else "",
        f"{facts['seconds']} seconds" if "seconds" in facts else "",
        str(facts.get("memory", "")),
    ]
    return [fact for fact in given if fact]


# --- command line


def check(paths, questions, everything=False, exercises=True):
    """Check pages and tables of words.

    Parameters
    ----------
    paths : list of pathlib.Path
        ``.md`` pages, and tables of words.
    questions : dict
        From `load_questions`.
    everything : bool
        Also what is not asked of a page yet: see `booktools.content.problem.OPEN`.
    exercises : bool
        A chapter's exercises belong to it, unless this is False.

    Returns
    -------
    list of Problem
        File by file.
    """
    problems = []
    for path in paths:
        found = _file_problems(path, questions)
        found += exercise_problems(path) if exercises else []
        problems += [p for p in found if everything or not is_open(path.stem, p.kind)]
    return list(dict.fromkeys(problems))


def _file_problems(path, questions):
    # This knows the rules of this module, which must not need it to be read.
    from booktools.content import figure_words

    if path.suffix == ".json":
        return figure_words.read(path)
    return page_problems(path, path.read_text(encoding="utf-8"), questions)


def exercise_problems(path):
    """Check the exercises of a chapter.

    Parameters
    ----------
    path : pathlib.Path
        Its page; other files have no exercises.

    Returns
    -------
    list of Problem
    """
    from booktools.content import texts

    chapter = re.match(r"\d\d(?=_.*\.md)", path.name)
    return texts.exercise_problems(chapter[0]) if chapter else []


def other_problems():
    """Check what belongs to no page: captions of diagrams, references, names, terms.

    Returns
    -------
    list of Problem
    """
    from booktools.content import names, terms, texts

    exercises = EXERCISES.glob("*/*/en.md")
    linked = [*default_paths(), *QUESTIONS.glob("*.toml"), *exercises]
    pages = [path for path in default_paths() if path.suffix == ".md"]
    found = texts.all_captions() + citations.check(sorted(linked))
    chapters = [path for path in pages if path.stem[:2].isdigit()]
    return found + names.problems(pages) + terms.problems(chapters)


def reviewed_problems(paths=()):
    """Check the numbers that no code holds: see `booktools.content.reviewed`.

    Parameters
    ----------
    paths : iterable of pathlib.Path
        All files that a reader sees something of, by default; what is no file of the
        book, such as a copy, has no list.

    Returns
    -------
    list of Problem
    """
    from booktools.content import regions, reviewed

    own = regions.files()
    wanted = [path for path in own if path in paths] if paths else own
    return [one for path in wanted for one in reviewed.check(path)]


def default_paths():
    """List what is checked when no path is given.

    Returns
    -------
    list of pathlib.Path
        README, the pages of ``chapters``, the words of the live figures.
    """
    words = sorted(WIDGETS.rglob("en.json"))
    return [Path("README.md"), *sorted(Path("chapters").glob("*.md")), *words]


def _listed(path, questions):
    # One line for each number in scope, for authors who wonder what is.
    _, sections, _ = read_sections(path, path.read_text(encoding="utf-8"), questions)
    for section in sections:
        for segment in section.segments:
            for found in _all_found(segment.text):
                line = segment.line + segment.text.count("\n", 0, found.start)
                if found.why:
                    yield f"{segment.path}:{line}: {found.text} ({found.why})"


def formula_counts(sections):
    """Count the formulas that state results, by what binds them.

    Parameters
    ----------
    sections : iterable of Section
        Of pages and of exercises.

    Returns
    -------
    dict of pathlib.Path to collections.Counter
        For each file that holds texts.
    """
    counts = defaultdict(Counter)
    for section in sections:
        for segment in section.segments:
            found = formulas_in_prose.kinds(segment.text, section.formulas)
            counts[segment.path].update(
                kind for one, kind in found if BLANK not in one.tex
            )
    return {path: count for path, count in counts.items() if count}


def _all_sections(paths, questions, exercises):
    from attnbook.exercises import master
    from booktools.content import texts

    for path in paths:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".md" and not _MADE.match(text):
            header, sections, _ = read_sections(path, text, questions)
            list(vouched(path, header, sections))
            yield from sections
    for name in master.names() if exercises else ():
        yield texts.section_of(master.load(name))


def _table(counts):
    kinds = (*formulas_in_prose.KINDS, "false")
    rows = [("formulas that state results", *kinds)]
    rows += [(path, *(one[k] for k in kinds)) for path, one in sorted(counts.items())]
    total = sum(counts.values(), Counter())
    rows.append(("together", *(total[kind] for kind in kinds)))
    for name, *cells in rows:
        yield f"{name!s:62}" + "".join(f"{cell!s:>11}" for cell in cells)


def main(argv=None):
    """Run the command line.

    Parameters
    ----------
    argv : list of str, optional
        Arguments; those of the process by default.

    Returns
    -------
    int
        0 if all numbers are bound, 1 if not.
    """
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.split("\n")[0])
    parser.add_argument(
        "--check", action="store_true", help="report what is unbound, else list all"
    )
    parser.add_argument(
        "--all", action="store_true", help="check pages that are open as well"
    )
    parser.add_argument(
        "--formulas", action="store_true", help="count formulas by what binds them"
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    options = parser.parse_args(argv)
    paths, questions = options.paths or default_paths(), load_questions()
    if options.formulas:
        sections = _all_sections(paths, questions, not options.paths)
        print("\n".join(_table(formula_counts(sections))))
        return 0
    if not (options.check or options.all):
        for path in paths:
            if path.suffix == ".md":
                print("\n".join(_listed(path, questions)))
        return 0
    problems = check(paths, questions, options.all)
    problems += reviewed_problems(options.paths)
    if not options.paths:
        problems += other_problems()
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

"""Recognise code that was handed out and not changed since."""

import ast
import types


def is_untouched(answer, stub):
    """Whether an answer is the code of a stub, comments and layout aside.

    Parameters
    ----------
    answer : object
        A function as the student has it, or anything else.
    stub : str
        The code that was handed out.

    Returns
    -------
    bool
    """
    if type(answer) is not types.FunctionType:
        return False
    here = _deeds(answer.__code__, answer.__doc__)
    tree = ast.parse(stub)
    bare = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return any(here in _versions(node) for node in bare if node.name == answer.__name__)


def _versions(definition):
    """Compile the function as handed out, then without its docstring."""
    text = ast.get_docstring(definition, clean=False)
    yield _deeds(_compiled(definition), text)
    if text is not None and len(definition.body) > 1:
        definition.body = definition.body[1:]
        yield _deeds(_compiled(definition), None)


def _compiled(definition):
    module = ast.Module(body=[definition], type_ignores=[])
    consts = compile(module, "stub", "exec").co_consts
    return next(part for part in consts if isinstance(part, types.CodeType))


def _deeds(code, text):
    """Keep what code does: no names of files, no lines, no docstring."""
    consts = [
        _deeds(part, None) if isinstance(part, types.CodeType) else repr(part)
        for part in code.co_consts
        if part is not None and part != text
    ]
    return code.co_code, consts, code.co_names, code.co_varnames

"""Pack a function with all that it needs, so that another process can call it.

What is installed is sent by name. What a student wrote is sent whole: a function as its
code, with the variables, imports and helpers that it uses, whether it stands in a
notebook, a test or a plain prompt. Nothing has to be imported again, so no cell and no
``__main__`` runs twice. Both sides must be the same Python.
"""

import functools
import importlib
import io
import marshal
import pickle
import sys
import types

import numpy as np

ENDS_OF_A_CLASS = {"__dict__", "__weakref__", "__dataclass_fields__"}
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...))


def pack(thing):
    """Turn a function or an object into bytes.

    Parameters
    ----------
    thing : object

    Returns
    -------
    data : bytes
    missing : dict
        What could not be sent: the type of the value, by the name that the code uses.

    Raises
    ------
    Exception
        If the thing itself cannot be sent.
    """
    packer = _Packer(_Parcel())
    packer.dump(thing)
    return packer.file.getvalue(), packer.parcel.missing


def unpack(data):
    """Turn what `pack` made into the function or object again.

    Parameters
    ----------
    data : bytes
        From a process that is trusted: it is a pickle.

    Returns
    -------
    object
    """
    return pickle.loads(data)


class _Space:
    """Stands for one module's variables; functions of one module share them."""


class _Parcel:
    """What all packers of one thing have in common."""

    def __init__(self):
        self.spaces, self.fit, self.missing = {}, {}, {}

    def space_of(self, function):
        return self.spaces.setdefault(id(function.__globals__), _Space())

    def fits(self, name, value):
        """Try to pack a value; note its name if that fails."""
        if type(value) in PLAIN:
            return True
        if id(value) not in self.fit:
            self.fit[id(value)] = True  # until shown: it may refer to itself
            self.fit[id(value)] = _can_be_packed(value, self)
        if not self.fit[id(value)]:
            self.missing[name] = type(value).__name__
        return self.fit[id(value)]


def _can_be_packed(value, parcel):
    if isinstance(value, np.ndarray) and value.dtype.kind != "O":
        return True
    try:
        _Packer(parcel).dump(value)
    except Exception:  # pickling is the value's own code: it may raise anything
        return False
    return True


class _Packer(pickle.Pickler):
    def __init__(self, parcel):
        self.file, self.parcel = io.BytesIO(), parcel
        super().__init__(self.file, protocol=5)

    def reducer_override(self, thing):
        kind = type(thing)
        if kind is _Space:
            return dict, ()
        if kind is types.ModuleType:
            return importlib.import_module, (thing.__name__,)
        if kind is types.FunctionType and not _is_installed(thing):
            return self._function(thing)
        if kind is type and not _is_installed(thing):
            return _class(thing)
        if kind is types.CellType:
            return _cell(thing)
        if kind in (staticmethod, classmethod):
            return kind, (thing.__func__,)
        if kind is property:
            return property, (thing.fget, thing.fset, thing.fdel)
        if kind is functools._lru_cache_wrapper and not _is_installed(thing):
            return _cached, (thing.__wrapped__, thing.cache_parameters()["maxsize"])
        return NotImplemented

    def _function(self, function):
        code = function.__code__
        cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        sent = tuple(
            cell if _is_empty(cell) or self._fits(name, cell) else types.CellType()
            for name, cell in cells.items()
        )
        start = marshal.dumps(code), self.parcel.space_of(function), sent
        used = _names_used(code) & function.__globals__.keys()
        values = {name: function.__globals__[name] for name in sorted(used)}
        values = {n: v for n, v in values.items() if self.parcel.fits(n, v)}
        defaults = function.__defaults__, function.__kwdefaults__
        state = values, defaults, function.__dict__
        return _new_function, start, state, None, None, _complete_function

    def _fits(self, name, cell):
        return self.parcel.fits(name, cell.cell_contents)


def _is_installed(thing):
    """Whether the other side can import a thing by its name."""
    module, path = getattr(thing, "__module__", ""), getattr(thing, "__qualname__", "")
    found = sys.modules.get(module or "")
    file = getattr(found, "__file__", None) or ""
    top = (module or "").split(".")[0]
    if top == "__main__" or not (
        top in sys.stdlib_module_names or top == "attnbook" or "-packages" in file
    ):
        return False
    for part in path.split("."):
        found = getattr(found, part, None)
    return found is thing


def _names_used(code):
    """Return the global names in a function and in the functions within it."""
    inner = (part for part in code.co_consts if isinstance(part, types.CodeType))
    return set(code.co_names).union(*map(_names_used, inner))


def _new_function(code, space, cells):
    space.setdefault("__builtins__", __builtins__)
    space.setdefault("__name__", "__main__")
    code = marshal.loads(code)
    return types.FunctionType(code, space, closure=cells or None)


def _complete_function(function, state):
    values, defaults, attributes = state
    function.__globals__.update(values)
    function.__defaults__, function.__kwdefaults__ = defaults
    function.__dict__.update(attributes)


def _is_empty(cell):
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return True
    return False


def _cell(cell):
    if _is_empty(cell):
        return _new_cell, ()
    content = (cell.cell_contents,)
    return _new_cell, (), content, None, None, _fill_cell


def _new_cell():
    return types.CellType()


def _fill_cell(cell, content):
    (cell.cell_contents,) = content


def _class(thing):
    top = thing.__module__.split(".")[0]
    if top in sys.stdlib_module_names - {"__main__"} or "__slots__" in vars(thing):
        raise pickle.PicklingError(f"{thing.__name__} is no plain class")
    parts = {k: v for k, v in vars(thing).items() if k not in ENDS_OF_A_CLASS}
    start = type, (thing.__name__, thing.__bases__, {})
    return *start, parts, None, None, _complete_class


def _complete_class(thing, parts):
    for name, value in parts.items():
        setattr(thing, name, value)


def _cached(function, maxsize):
    return functools.lru_cache(maxsize)(function)

"""What a figure's JavaScript computes, and where it differs from its Python class."""

import json
import subprocess

import numpy as np

from booktools import ROOT
from booktools.site.assets import node_program

SCRIPT = ROOT / "tests" / "js" / "compute.mjs"


def javascript(figure, states):
    """Return what the JavaScript of a figure computes in each state.

    Each answer holds the arrays of the result, `values`, the `sentence` that screen
    readers hear and the Python `line`.
    """
    request = json.dumps({"figure": figure, "states": states})
    command = [node_program(), SCRIPT]
    options = {"capture_output": True, "text": True, "check": False}
    done = subprocess.run(command, input=request, timeout=120, **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def differences(cls, state, answer, arrays, tolerance=1e-9):
    """Return in what the two languages differ, a text for each difference.

    `arrays` names entries of the JavaScript result that are properties in Python.
    """
    figure = cls(id="explorer", **state)
    ours, theirs = figure.values(), answer["values"]
    found = [f"only one has {name}" for name in set(ours) ^ set(theirs)]
    for name in set(ours) & set(theirs):
        if gap(ours[name], theirs[name]) > tolerance:
            found.append(f"{name}: {ours[name]} in Python, {theirs[name]}")
    for name in arrays:
        if gap(np.ravel(getattr(figure, name)), answer[name]) > tolerance:
            found.append(f"array {name}")
    told = {"sentence": figure.sentence(), "line": repr(figure)}
    found += [f"{k}: {told[k]} | {answer[k]}" for k in told if told[k] != answer[k]]
    return [f"{text} at {state}" for text in found]


def gap(ours, theirs):
    """Return how far two values or arrays are apart, relative where they are large."""
    if isinstance(ours, (str, bool)) or ours is None:
        return 0.0 if ours == theirs else np.inf
    a, b = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    if a.shape != b.shape or np.isnan(b).any():
        return np.inf
    return float(np.max(np.abs(a - b) / np.maximum(1, np.abs(a)), initial=0))

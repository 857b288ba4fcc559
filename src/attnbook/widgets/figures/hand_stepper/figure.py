"""HandStepper: attention from the inputs to the output, every cell by hand."""

import json
import re
from functools import cache
from pathlib import Path

import numpy as np

from attnbook.kernel import softmax
from attnbook.masks import causal_mask
from attnbook.widgets.base import LiveFigure
from attnbook.widgets.picture import matrix_svg

ROWS, COLUMNS = 3, 4  # of the largest matrix
_EDIT = re.compile(r"([A-Z]+)(\d)(\d):(-?[\d.]+)")
_RESULTS = {
    "queries": "Q",
    "keys": "K",
    "values": "V",
    "raw": "raw",
    "scaled": "scaled",
    "masked": "masked",
    "powers": "powers",
    "weights": "weights",
    "output": "output",
}


@cache
def examples():
    """Return the given matrices of each example, as lists."""
    file = Path(__file__).with_name("examples.json")
    return json.loads(file.read_text(encoding="utf-8"))


class HandStepper(LiveFigure, figure="hand_stepper"):
    """Attention step by step: two matrices, what is made of them, each cell's sum.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    guide : {"hand", "still"}
        Which steps and numbers stand beside the picture.
    example : {"sentence", "four", "square", "three", "scores"}
        What is given: three words of the running sentence with their projections;
        queries, keys and values of width four; 2 x 2; 3 x 2; scores alone.
    step : str
        What is made: "queries", "keys", "values", "raw" scores, "scaled" scores,
        "masked" scores, "powers" of e, "weights" or "output".
    causal : bool
        Hide the keys after the query.
    temperature : float
        0.05 to 20, no unit: scores are divided by it before softmax.
    row, column : int
        The cell whose sum is written out, counted from 1.
    typing : bool
        Cover the numbers of the step, to be typed.
    edits : str
        Given cells that were changed: ``"V21:4,K12:-1"`` puts 4 into row 2, column 1
        of V. The projections are WQ, WK and WV.

    """

    @property
    def inputs(self):
        """The given matrices by name, with the edits."""
        given = examples()[self.example]["inputs"]
        made = {name: np.array(rows, dtype=float) for name, rows in given.items()}
        for name, i, j, value in _EDIT.findall(self.edits):
            matrix, at = made.get(name), (int(i) - 1, int(j) - 1)
            inside = matrix is not None and np.less(at, matrix.shape).all()
            if inside and min(at) >= 0:
                matrix[at] = float(value)
        return made

    def _projected(self, letter):
        given = self.inputs
        if letter in given or "X" not in given:
            return given.get(letter)
        return given["X"] @ given[f"W{letter}"]

    @property
    def Q(self):
        """The queries, or None where scores alone are given."""
        return self._projected("Q")

    @property
    def K(self):
        """The keys, or None where scores alone are given."""
        return self._projected("K")

    @property
    def V(self):
        """The values."""
        return self._projected("V")

    @property
    def d_k(self):
        """The width of a query."""
        return examples()[self.example]["d_k"]

    @property
    def raw(self):
        """The products of queries and keys, shape (n_q, n_k)."""
        given = self.inputs
        return given["S"] if "S" in given else self.Q @ self.K.T

    @property
    def scaled(self):
        """The products over the root of the width."""
        return self.raw / np.sqrt(self.d_k)

    @property
    def mask(self):
        """Who may attend, bool (n_q, n_k)."""
        shape = self.raw.shape
        return causal_mask(*shape) if self.causal else np.ones(shape, dtype=bool)

    @property
    def masked(self):
        """The scaled scores, minus infinity where hidden."""
        return np.where(self.mask, self.scaled, -np.inf)

    @property
    def powers(self):
        """The power of e for each score, over that of the largest in its row."""
        tops = self.masked.max(axis=1, keepdims=True)
        return np.exp((self.masked - tops) / self.temperature)

    @property
    def weights(self):
        """The weights, shape (n_q, n_k)."""
        return softmax(self.scaled / self.temperature, mask=self.mask)

    @property
    def output(self):
        """The output, shape (n_q, d_v)."""
        return self.weights @ self.V

    @property
    def drift(self):
        """How far each row of the output lies from where it is at temperature 1."""
        still = softmax(self.scaled, mask=self.mask) @ self.V
        return np.abs(self.output - still).max(axis=1)

    def measure(self):
        """Return the measured numbers, a flat dictionary."""
        tables = {"s": self.raw, "z": self.scaled, "w": self.weights, "o": self.output}
        result = getattr(self, _RESULTS[self.step])
        if result is None:  # scores alone are given
            result = self.raw
        i, j = min(self.row, len(result)) - 1, min(self.column, len(result[0])) - 1
        drift = dict(enumerate(self.drift.tolist(), 1))
        return {
            **_entries(tables),
            **{f"drift_{k}": drift.get(k) for k in range(1, ROWS + 1)},
            "n_q": len(self.raw),
            "n_k": len(self.V),
            "d_k": self.d_k,
            "root": float(np.sqrt(self.d_k)),
            "d_v": self.V.shape[1],
            "cell": shown(result[i, j]),
            "cell_row": i + 1,
            "cell_column": j + 1,
            "last_weights": ", ".join(map(shown, self.weights[-1])),
            "last_output": ", ".join(map(shown, self.output[-1])),
            "summary": "typing" if self.typing else "default",
        }

    def picture(self, alt):
        """Return the weights as a still SVG."""
        names = examples()[self.example].get("names")
        axes = {"names": names} if names else {"rows": "query", "columns": "key"}
        return matrix_svg(self.weights, alt, **axes)


def _entries(tables):
    """Name each entry of some matrices; None where a matrix has none."""
    named = {}
    for letter, matrix in tables.items():
        columns = COLUMNS if letter == "o" else ROWS
        for i, j in np.ndindex(ROWS, columns):
            there = i < matrix.shape[0] and j < matrix.shape[1]
            value = float(matrix[i, j]) if there else None
            named[f"{letter}_{i + 1}{j + 1}"] = value
    return named


def shown(value):
    """Write a number as it stands in a cell: whole ones in full, others to 3 digits."""
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    whole = abs(value - round(value)) < 1e-9
    text = f"{round(value)}" if whole else f"{value:.3f}"
    return "0.000" if text == "-0.000" else text.replace("-", "−")

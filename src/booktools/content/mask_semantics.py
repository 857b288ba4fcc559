"""Ask the installed libraries what their masks mean, and keep the answers.

``python -m booktools.content.mask_semantics`` runs every library on small inputs and
writes the answers to ``chapters/mask_semantics.md``; with ``--check`` it compares them
with the page and prints each cell that changed, with its old and its new value.

Queries are all zero, so that every visible key weighs the same, and key j has the value
``2 ** j``. The output then tells which keys were attended to: nothing is assumed about
how a library masks.
"""

import argparse
import itertools
import re
import sys
import warnings
from contextlib import nullcontext
from typing import NamedTuple

import numpy as np

from booktools import ROOT

PAGE = ROOT / "chapters" / "mask_semantics.md"
COMMAND = "python -m booktools.content.mask_semantics"
WIDTH = 4  # of each head
NAN = float("nan")


class Case(NamedTuple):
    """What to run: a mask, and where NaN is put."""

    n_q: int
    n_k: int
    mask: np.ndarray | None = None
    causal: bool = False
    padding: np.ndarray | None = None  # nn.MultiheadAttention's key_padding_mask
    nan_keys: tuple = ()
    nan_values: tuple = ()
    shared: bool = False  # self-attention: queries, keys and values are one array
    live: tuple | None = None  # rows of the output that the gradients are of


class Refused(Exception):
    """The library does not take such a call."""


# The libraries. Each has a name and `run`, which returns the first column of the
# output, and the gradients of queries, keys and values if the case asks for them.


class Book:
    """The kernel of the book."""

    name = "`attnbook.attention`"

    def run(self, case):
        """Run a case."""
        from attnbook.backward import attention_backward
        from attnbook.kernel import attention

        if case.padding is not None:
            raise Refused("-")
        Q, K, V = arrays(case, 1)
        options = {"causal": case.causal}
        kind = None if case.mask is None else case.mask.dtype.kind
        options["bias" if kind == "f" else "mask"] = case.mask
        try:
            output = attention(Q, K, V, **options)
        except TypeError as error:
            raise Refused("refused: TypeError") from error
        if case.live is None:
            return output[:, 0], None
        dO = np.zeros_like(output)
        dO[list(case.live)] = 1
        return output[:, 0], attention_backward(Q, K, V, dO=dO, **options)[:3]


class Sdpa:
    """PyTorch's function, as it comes or held to its plain implementation."""

    def __init__(self, plain):
        self.plain = plain
        self.name = "`scaled_dot_product_attention`" + ", math" * plain

    def run(self, case):
        """Run a case."""
        import torch

        if case.padding is not None:
            raise Refused("-")
        Q, K, V = (leaf(x[None, None], case) for x in arrays(case, 1))
        mask = None if case.mask is None else torch.from_numpy(case.mask)
        options = {"attn_mask": mask, "is_causal": case.causal}
        with self.backend():
            attend = torch.nn.functional.scaled_dot_product_attention
            output = refusing(attend, Q, K, V, **options)
            return result(output[0, 0], (Q, K, V), case)

    def backend(self):
        """Return a context in which only the wanted implementation runs."""
        from torch.nn.attention import SDPBackend, sdpa_kernel

        return sdpa_kernel(SDPBackend.MATH) if self.plain else nullcontext()


class Module:
    """PyTorch's nn.MultiheadAttention, whose projections are made to do nothing."""

    def __init__(self, training, weights, heads):
        self.training, self.weights, self.heads = training, weights, heads
        self.name = "`MultiheadAttention`, " + ", ".join(
            (
                "train" if training else "eval",
                "weights" if weights else "no weights",
                f"{'odd' if heads % 2 else 'even'} heads",
            )
        )

    def run(self, case):
        """Run a case; evaluation without gradients may take PyTorch's fast path."""
        import torch

        module = self.module(case)
        inputs = [leaf(x[None], case) for x in arrays(case, self.heads)]
        if case.shared:
            inputs = [inputs[2]] * 3
        options = {"need_weights": self.weights, "is_causal": case.causal}
        if case.mask is not None:
            options["attn_mask"] = torch.from_numpy(case.mask)
        if case.padding is not None:
            options["key_padding_mask"] = torch.from_numpy(case.padding)[None]
        with torch.set_grad_enabled(self.training or case.live is not None):
            output = refusing(module, *inputs, **options)[0]
        return result(output[0], inputs, case)

    def module(self, case):
        """Build the module: values and keys pass unchanged, queries become 0."""
        import torch

        width = self.heads * WIDTH
        module = torch.nn.MultiheadAttention(width, self.heads, batch_first=True)
        identity = torch.eye(width)
        queries = identity if not case.shared else 0 * identity
        with torch.no_grad():
            module.in_proj_weight.copy_(torch.cat([queries, identity, identity]))
            module.in_proj_bias.zero_()
            module.out_proj.weight.copy_(identity)
            module.out_proj.bias.zero_()
        return module.train(self.training)


LIBRARIES = (
    Book(),
    Sdpa(plain=False),
    Sdpa(plain=True),
    *(
        Module(training, weights, heads)
        for training, weights, heads in itertools.product(
            (True, False), (True, False), (2, 3)
        )
    ),
)


def arrays(case, heads):
    """Return queries, keys and values of a case, float32."""
    width = heads * WIDTH
    Q, K = np.zeros((case.n_q, width)), np.ones((case.n_k, width))
    V = np.repeat(2.0 ** np.arange(case.n_k), width).reshape(case.n_k, width)
    K[list(case.nan_keys)] = NAN
    V[list(case.nan_values)] = NAN
    return [x.astype(np.float32) for x in (Q, K, V)]


def leaf(array, case):
    """Return a tensor whose gradient is kept if the case asks for it."""
    import torch

    return torch.from_numpy(array.copy()).requires_grad_(case.live is not None)


def refusing(function, *inputs, **options):
    """Call PyTorch; what it raises becomes an answer."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*inputs, **options)
    except (RuntimeError, TypeError, ValueError, AssertionError) as error:
        raise Refused(f"refused: {type(error).__name__}") from error


def result(output, inputs, case):
    """Return the first column, and the gradients of the sum of the live rows."""
    gradients = None
    if case.live is not None:
        output[list(case.live)].sum().backward()
        gradients = [x.grad.numpy() for x in inputs]
    return output[:, 0].detach().numpy(), gradients


# The questions. Each takes a library and returns a short answer.


def seen(value, n_k):
    """Return the keys whose equal average is this value, as text."""
    if np.isnan(value):
        return "NaN"
    if value == 0:
        return "no key"
    for size in range(1, n_k + 1):
        for keys in itertools.combinations(range(n_k), size):
            if np.isclose(value, np.mean(2.0 ** np.array(keys)), rtol=1e-5):
                return f"key {keys[0]}" if size == 1 else f"keys {listed(keys)}"
    return "unequal weights"


def listed(keys):
    """Return numbers as text: 0, 1 and 2."""
    *most, last = map(str, keys)
    return f"{', '.join(most)} and {last}"


def true_means(library):
    """Ask what True means in a boolean mask."""
    output, _ = library.run(Case(1, 2, mask=np.array([[True, False]])))
    return {"key 0": "may attend", "key 1": "hidden"}.get(seen(output[0], 2), "?")


def padding_true_means(library):
    """Ask what True means in a mask of padding."""
    output, _ = library.run(Case(1, 2, padding=np.array([True, False])))
    return {"key 0": "may attend", "key 1": "hidden"}.get(seen(output[0], 2), "?")


def numbers_mean(dtype):
    """Return a question: what a mask of 0 and 1 means in this dtype."""

    def ask(library):
        output, _ = library.run(Case(1, 2, mask=np.array([[1, 0]], dtype)))
        added = (np.e * 1 + 2) / (np.e + 1)
        if np.isclose(output[0], added, rtol=1e-5):
            return "added to the scores"
        keys = seen(output[0], 2)
        return {"key 0": "1 = may attend", "key 1": "1 = hidden"}.get(keys, keys)

    return ask


def infinity_means(library):
    """Ask what -inf in a mask of floats does."""
    mask = np.array([[0, -np.inf]], np.float32)
    output, _ = library.run(Case(1, 2, mask=mask))
    return {"key 0": "hides"}.get(seen(output[0], 2), "does not hide")


def dead_mask(library, kind):
    """Return a mask that hides all keys from query 0 and none from query 1."""
    seen = np.array([[False, False], [True, True]])
    if kind == "float":
        return np.where(seen, 0, -np.inf).astype(np.float32)
    return ~seen if true_means(library) == "hidden" else seen


def dead_values(kind):
    """Return a question: the output of a query with no key."""

    def ask(library):
        case = Case(2, 2, mask=dead_mask(library, kind), shared=True)
        output, _ = library.run(case)
        answers = {"no key": "zeros", "keys 0 and 1": "average of all"}
        dead, other = (seen(value, 2) for value in output)
        spoilt = "" if other == "keys 0 and 1" else "; spoils the other row"
        return answers.get(dead, dead) + spoilt

    return ask


def dead_gradients(kind):
    """Return a question: gradients of the other row, where one query has no key."""

    def ask(library):
        case = Case(2, 2, mask=dead_mask(library, kind), live=(1,))
        _, gradients = library.run(case)
        bad = [
            name
            for name, x in zip("QKV", gradients, strict=True)
            if not np.isfinite(x).all()
        ]
        return f"NaN for {', '.join(bad)}" if bad else "finite"

    return ask


def causal_sees(n_q, n_k):
    """Return a question: what query 0 sees under the causal flag alone."""

    def ask(library):
        output, _ = library.run(Case(n_q, n_k, causal=True))
        return seen(output[0], n_k)

    return ask


def causal_and_mask(library):
    """Ask which counts, the causal flag or a mask that says something else."""
    mask = np.ones((3, 3), bool)
    mask[:, 0] = False
    if true_means(library) == "hidden":
        mask = ~mask
    output, _ = library.run(Case(3, 3, mask=mask, causal=True, shared=True))
    answers = {
        ("no key", "keys 1 and 2"): "both",
        ("NaN", "keys 1 and 2"): "both",
        ("keys 1 and 2", "keys 1 and 2"): "the mask alone",
        ("key 0", "keys 0, 1 and 2"): "the flag alone",
    }
    return answers.get((seen(output[0], 3), seen(output[2], 3)), "?")


def hidden_nan(**where):
    """Return a question: what becomes of NaN at a hidden key."""

    def ask(library):
        mask = np.array([[True, True, False]] * 3)
        if true_means(library) == "hidden":
            mask = ~mask
        output, _ = library.run(Case(3, 3, mask=mask, **where))
        clean = [seen(value, 3) == "keys 0 and 1" for value in output[:2]]
        return "no influence" if all(clean) else "NaN in the output"

    return ask


class Table(NamedTuple):
    """A table of the page."""

    title: str
    text: str
    questions: dict


TABLES = (
    Table(
        "Polarity",
        "What an entry of a mask means. `MultiheadAttention` reads booleans the other "
        "way round than the rest.",
        {
            "True in a boolean mask": true_means,
            "True in `key_padding_mask`": padding_true_means,
            "0/1 integers": numbers_mean(np.int64),
            "0/1 floats": numbers_mean(np.float32),
            "-inf in floats": infinity_means,
        },
    ),
    Table(
        "A query with no key",
        "Query 0 may attend to nothing, query 1 to everything. The gradients are those "
        "of query 1's output alone.",
        {
            "output, boolean mask": dead_values("bool"),
            "output, float mask": dead_values("float"),
            "gradients, boolean mask": dead_gradients("bool"),
            "gradients, float mask": dead_gradients("float"),
        },
    ),
    Table(
        "Causal masks",
        "What query 0 sees where the causal flag is set and no mask is passed, and "
        "which of the two counts where a mask says something else.",
        {
            "`n_q = 2, n_k = 4`": causal_sees(2, 4),
            "`n_q = 4, n_k = 2`": causal_sees(4, 2),
            "flag beside a mask": causal_and_mask,
        },
    ),
    Table(
        "NaN behind a boolean mask",
        "What becomes of NaN in a key, in a value, or in a token of self-attention "
        "that no query may attend to.",
        {
            "hidden key": hidden_nan(nan_keys=(2,)),
            "hidden value": hidden_nan(nan_values=(2,)),
            "hidden token": hidden_nan(nan_values=(2,), nan_keys=(2,), shared=True),
        },
    ),
)


def answer(question, library):
    """Ask one library one question."""
    try:
        return question(library)
    except Refused as refusal:
        return str(refusal)


def cells():
    """Run everything: return {(table, library, question): answer}."""
    return {
        (table.title, library.name, name): answer(question, library)
        for table in TABLES
        for library in LIBRARIES
        for name, question in table.questions.items()
    }


def page(answers):
    """Return the text of the page."""
    import torch

    parts = [INTRODUCTION.format(torch=torch.__version__.partition("+")[0])]
    for table in TABLES:
        rows = [["library", *table.questions]]
        rows.append(["---"] * len(rows[0]))
        for library in LIBRARIES:
            keys = [(table.title, library.name, name) for name in table.questions]
            rows.append([library.name, *(answers[key] for key in keys)])
        lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
        parts.append(f"## {table.title}\n\n{table.text}\n\n{lines}")
    return "\n\n".join(parts) + "\n"


INTRODUCTION = """\
<!-- Made by python -m booktools.content.mask_semantics: do not edit. -->

# What a mask means, library by library

Each cell below was filled in by running the library (PyTorch {torch}, on a CPU), not by
reading its documentation: every visible key gets the same weight and a value of its
own, so the output tells which keys were attended to. `make check` asks again and fails
where an answer has changed. A dash stands for an option that the function has not got.

`scaled_dot_product_attention` picks an implementation by itself; "math" holds it to its
plain one. For `MultiheadAttention`, "weights" stands for `need_weights=True`. Where the
number of heads is even, self-attention in evaluation, with no gradients recorded, may
take another path through PyTorch's code. This is why these rows are kept apart."""


def parse(text):
    """Read the cells of a page back."""
    found, title, questions = {}, None, None
    for line in text.splitlines():
        if line.startswith("## "):
            title, questions = line[3:], None
        elif line.startswith("|"):
            first, *rest = (cell.strip() for cell in line.strip("|").split("|"))
            if questions is None:
                questions = rest
            elif not re.fullmatch("-+", first):
                for name, cell in zip(questions, rest, strict=True):
                    found[title, first, name] = cell
    return found


def changes(old, new):
    """Return a line for each cell that differs."""
    lines = []
    for key in dict.fromkeys([*old, *new]):
        before, after = old.get(key, "(no cell)"), new.get(key, "(no cell)")
        if before != after:
            lines.append(f"{' / '.join(key)}: was {before!r}, is {after!r}")
    return lines


def main(arguments=None):
    """Write the page, or check it; return 1 where a cell changed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args(arguments)
    answers = cells()
    if not options.check:
        PAGE.write_text(page(answers), encoding="utf-8")
        return 0
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    lines = changes(parse(text), answers)
    if not lines and text != page(answers):
        lines = ["the text around the tables is not what it would be now"]
    for line in lines:
        print(line)
    if lines:
        print(f"If that is right: {COMMAND}")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())

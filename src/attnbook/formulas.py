r"""Read a formula from its TeX, and work it out.

::

    evaluate(r"\frac{n}{n + 6d}", n=1024, d=768)  # 0.1818...

The grammar is small. It has numbers; letters, Greek letters and ``\text{words}``, with
subscripts; ``+ - \cdot \times /``, products without a sign, fractions, powers, roots;
``\ln \exp \cos \tanh \max ...``; ``e``, ``\pi``, ``\infty``, ``\text{NaN}``; lists in
brackets; ``\lvert x\rvert`` and ``\lVert x\rVert``; sums over one index. A subscript
``i`` or ``j``, or one that a sum runs over, counts the entries of a vector from 0; any
other subscript belongs to the name: ``d_{\text{model}}`` is the name ``d_model``.

``\mathrm{Var}[z]`` and ``\mathbb{E}[z]`` are quantities with the names ``Var_z`` and
``E_z``, which only a caller can work out. A symbol whose value is a function is applied
to the brackets that follow. What may be read in two ways, as ``1/2n``, is an error, and
so is all else: derivatives, transposes, primes, dots.
"""

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np

GREEK = frozenset(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi rho"
    " sigma tau phi varphi chi psi omega ell"
    " Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega".split()
)
FUNCTIONS = {
    "ln": np.log,
    "log": np.log,
    "exp": np.exp,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "max": np.max,
    "min": np.min,
}
CONSTANTS = {"pi": np.pi, "infty": np.inf}
_WORDS = {"NaN": np.nan}
RELATIONS = frozenset(
    r"= < > \equiv \approx \simeq \lt \gt \le \leq \ge \geq \ne \neq \in \sim \propto"
    r" \to".split()
)
_PLAIN = str.maketrans({"−": "-", "·": "\\cdot ", "×": "\\times ", "±": "\\pm "})
_PLAIN |= str.maketrans({"≤": "\\le ", "≥": "\\ge ", "≈": "\\approx ", "≠": "\\ne "})
_TOKEN = re.compile(
    r"(?P<skip>\s+|~|\\[,;:!> ]"
    r"|\\(?:q?quad|left|right|[bB]igg?[lrm]?|displaystyle)(?![A-Za-z]))"
    r"|(?P<number>(?:\d{1,3}(?:(?:\{,\}|,)\d{3})+(?!\d)|\d+)(?:\.\d+)?)"
    r"|(?P<word>\\(?:text|mathrm|mathit|mathbb|operatorname)\s*\{[^{}]*\})"
    r"|(?P<command>\\[A-Za-z]+|\\[{}|])"
    r"|(?P<letter>[A-Za-z])"
    r"|(?P<sign>[^\s\\])"
)
_OPEN = {"(": ")", "[": "]", "\\{": "\\}", "{": "}"}
_ENDS = {*RELATIONS, *"\\cdot \\times \\pm \\mp \\} \\rvert \\rVert".split()}
_DERIVATIVE = re.compile(
    r"\\[dt]?frac\s*\{d\s*[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\s*\{d\s*\\?[A-Za-z]+\}"
)


class FormulaError(ValueError):
    """A formula is outside of the grammar, or a symbol of it has no value."""


class Token(NamedTuple):
    """One sign of a formula: what it is, its text, where it starts."""

    kind: str  # number, word, command, letter or sign
    text: str
    start: int


class Node(NamedTuple):
    """A part of a formula: what is done, and to what."""

    kind: str
    parts: tuple


# --- reading


def plain(tex):
    """Write signs such as ``−`` and ``·`` as TeX has them.

    Parameters
    ----------
    tex : str
        A formula.

    Returns
    -------
    str
    """
    return tex.translate(_PLAIN)


def tokens(tex):
    """Cut a formula into its signs.

    Parameters
    ----------
    tex : str
        A formula, `plain`.

    Returns
    -------
    list of Token
        Without spaces and the sizes of brackets.
    """
    found = (Token(m.lastgroup, m[0], m.start()) for m in _TOKEN.finditer(tex))
    return [token for token in found if token.kind != "skip"]


def code_name(tex):
    r"""Give the name that code has for a symbol.

    Parameters
    ----------
    tex : str
        Such as ``d_{\text{model}}``, ``\mu_q`` or ``\lambda``.

    Returns
    -------
    str
        Such as ``d_model``, ``mu_q`` or ``lambda_``.
    """
    name = re.sub(r"\\(?:text|mathrm|mathit|mathbb|operatorname)\b|[\s{}\\]", "", tex)
    return "lambda_" if name == "lambda" else name


class _Reader:
    # one formula, read from left to right
    def __init__(self, tex):
        self.tex, self.tokens, self.at = tex, tokens(plain(tex)), 0
        self.indices = ["i", "j"]
        if _DERIVATIVE.search(tex):
            raise self.error("a derivative")

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else Token("", "", 0)

    def take(self):
        token = self.peek()
        self.at += 1
        return token

    def accept(self, *texts):
        return self.take().text if self.peek().text in texts else None

    def expect(self, text):
        if not self.accept(text):
            raise self.error(f"{self.peek().text or 'the end'!r} in place of {text!r}")

    def error(self, what):
        return FormulaError(
            f"outside of the grammar of formulas: {what} in {self.tex!r}"
        )

    def whole(self):
        node = self.expression()
        if self.peek().text:
            raise self.error(repr(self.peek().text))
        return node

    def expression(self):
        sign = self.accept("-", "+", "\\pm", "\\mp")
        node = self.term()
        node = Node("minus", (node,)) if sign == "-" else node
        while sign := self.accept("+", "-"):
            kind = "plus" if sign == "+" else "less"
            node = Node(kind, (node, self.term()))
        return node

    def term(self):
        node = self.run()
        while sign := self.accept("\\cdot", "\\times", "*", "/"):
            kind = "over" if sign == "/" else "times"
            node = Node(kind, (node, self.run(single=sign == "/")))
        return node

    def run(self, *, single=False, argument=False):
        # factors side by side, as in 2n^2d; a function's argument ends at the next one
        factors = [self.factor()]
        while self.begins(argument):
            if single:
                raise self.error("a product after '/', which may be read in two ways,")
            if self.peek().kind == "number":
                raise self.error("a number after a factor")
            factors.append(self.factor())
        return Node("run", tuple(factors)) if len(factors) > 1 else factors[0]

    def begins(self, argument):
        kind, text, _ = self.peek()
        if kind == "command" and (text[1:] in FUNCTIONS or text == "\\sum"):
            return not argument
        starts = kind in ("number", "word", "letter", "command")
        return (starts and text not in _ENDS) or text in ("(", "[", "{")

    def factor(self):
        node = self.atom()
        while self.accept("^"):
            node = Node("power", (node, self.script()))
        if self.peek().text == "'":
            raise self.error("a prime")
        return node

    def script(self):
        # what stands in an exponent, in \frac or under \sqrt: a group, or one sign
        if self.peek().text == "{":
            return self.group()
        kind, text, start = self.peek()
        if kind == "number" and len(text) > 1:  # TeX takes the first digit
            self.tokens[self.at : self.at + 1] = [
                Token("number", text[0], start),
                Token("number", text[1:], start + 1),
            ]
        return self.atom()

    def group(self):
        closing = _OPEN[self.take().text]
        items = [self.expression()]
        while self.accept(","):
            items.append(self.expression())
        self.expect(closing)
        return items[0] if len(items) == 1 else Node("list", tuple(items))

    def atom(self):
        kind, text, _ = self.peek()
        if text in _OPEN:
            return self.group()
        self.take()
        if kind == "number":
            return Node("number", (float(re.sub(r"[{},]", "", text)),))
        if kind == "command":
            return self.command(text[1:])
        if kind == "word":
            return self.word(text)
        if kind == "letter":
            return self.symbol(text)
        raise self.error(repr(text or "an end too early"))

    def command(self, name):
        if name in FUNCTIONS:
            return self.function(name)
        if name in CONSTANTS:
            return Node("number", (CONSTANTS[name],))
        if name in GREEK:
            return self.symbol(name)
        reader = getattr(self, f"read_{name}", None)
        if reader is None:
            raise self.error(f"\\{name}")
        return reader()

    def function(self, name):
        if self.peek().text in ("^", "_"):
            raise self.error(f"{self.peek().text!r} after \\{name}")
        bracketed = self.peek().text in ("(", "[", "\\{")
        inner = self.group() if bracketed else self.run(argument=True)
        return Node("call", (name, inner))

    def read_frac(self):
        return Node("over", (self.script(), self.script()))

    read_tfrac = read_dfrac = read_frac

    def read_sqrt(self):
        degree = self.group() if self.peek().text == "[" else Node("number", (2.0,))
        return Node("root", (self.script(), degree))

    def read_lvert(self):
        return self.between("size", "\\rvert")

    def read_lVert(self):
        return self.between("length", "\\rVert")

    def between(self, kind, closing):
        inner = self.expression()
        self.expect(closing)
        return Node(kind, (inner,))

    def read_sum(self):
        index, left_out = "i", None
        if self.accept("_"):
            index, left_out = self.bounds()
        if self.peek().text == "^":
            raise self.error("an upper end of a sum")
        self.indices.append(index)
        body = self.term()
        self.indices.pop()
        if not _counts_with(body, index):
            raise self.error(f"a sum over {index} of what has no entry {index}")
        return Node("sum", (index, left_out, body))

    def bounds(self):
        # \sum_i, \sum_{j} and \sum_{j\ne i}
        if not self.accept("{"):
            return self.take().text, None
        index = self.take().text
        left_out = self.take().text if self.accept("\\ne", "\\neq") else None
        self.expect("}")
        return index, left_out

    def word(self, text):
        name = code_name(text)
        if self.peek().text in ("(", "["):
            return self.quantity(name)
        if name in _WORDS:
            return Node("number", (_WORDS[name],))
        return self.symbol(name)

    def quantity(self, name):
        # E[z] or Var(q . k): a name made of all that stands in the brackets
        depth, inner = 0, []
        while depth or not inner:
            token = self.take()
            if not token.text:
                raise self.error("a bracket that never closes")
            depth += (token.text in "([") - (token.text in ")]")
            inner.append(token.text)
        names = re.findall(r"[A-Za-z0-9]+", " ".join(inner).replace("\\cdot", " "))
        return Node("quantity", ("_".join([name, *names]),))

    def symbol(self, name):
        script = self.subscript() if self.accept("_") else ""
        if name == "e" and not script:
            return Node("number", (np.e,))
        if name == "delta" and len(script) == 2 and set(script) <= set(self.indices):
            return Node("same", tuple(script))
        if script in self.indices:
            return Node("entry", (name, script))
        return Node("symbol", (code_name(f"{name}_{script}" if script else name),))

    def subscript(self):
        token = self.take()
        if token.text != "{":
            return code_name(token.text)
        inner = []
        while (token := self.take()).text != "}":
            if token.kind not in ("number", "letter", "word", "command"):
                raise self.error(f"the subscript {token.text!r}")
            inner.append(code_name(token.text))
        return "".join(inner)


@lru_cache(maxsize=4096)
def parse(tex):
    """Read one expression, without ``=`` and the like.

    Parameters
    ----------
    tex : str
        Without dollar signs.

    Returns
    -------
    Node

    Raises
    ------
    FormulaError
        If it is outside of the grammar; the message names what is.
    """
    return _Reader(tex.strip().strip("$").rstrip(".,; \n")).whole()


def _counts_with(node, index):
    if node.kind == "entry" and node.parts[1] == index:
        return True
    return any(_counts_with(p, index) for p in node.parts if isinstance(p, Node))


# --- what is in it


def symbols(tex):
    """List the symbols of an expression.

    Parameters
    ----------
    tex : str
        One expression.

    Returns
    -------
    dict of str to str
        For the name of each symbol, in the order of their first use, what it is:
        ``"number"``, ``"vector"``, ``"index"`` or ``"quantity"``.

    Raises
    ------
    FormulaError
        If the formula is outside of the grammar.
    """
    found = {}
    for name, kind in _symbols(parse(tex), ()):
        if found.get(name, "number") == "number":
            found[name] = kind
    return found


def _symbols(node, bound):
    kind, parts = node
    if kind in ("symbol", "quantity"):
        named = "quantity" if kind == "quantity" else "number"
        yield parts[0], "index" if parts[0] in ("i", "j") else named
    elif kind == "entry":
        yield parts[0], "vector"
        yield from ((name, "index") for name in parts[1:] if name not in bound)
    elif kind == "same":
        yield from ((name, "index") for name in parts if name not in bound)
    elif kind == "sum":
        index, left_out, body = parts
        yield from [(left_out, "index")] if left_out else []
        yield from _symbols(body, (*bound, index))
    else:
        yield from _symbols_of_parts(node, bound)


def _symbols_of_parts(node, bound):
    kind, parts = node
    arrows = kind == "length" or (kind == "times" and all(map(_is_arrow, parts)))
    for part in parts:
        if isinstance(part, Node):
            for name, what in _symbols(part, bound):
                yield name, "vector" if arrows and what == "number" else what


def _is_arrow(node):
    # q and k in q \cdot k are vectors, n and d would be counts
    return node.kind == "symbol" and re.fullmatch(r"[a-ce-gkp-z](_\w+)?", node.parts[0])


# --- working it out


def evaluate(tex, **values):
    """Work out an expression.

    Parameters
    ----------
    tex : str
        One expression.
    **values : float, array or callable
        The value of each symbol, by its `code_name`. A function is applied to the
        brackets that follow its symbol.

    Returns
    -------
    float or ndarray
        NaN or infinity where there is no finite value.

    Raises
    ------
    FormulaError
        If the formula is outside of the grammar, or a symbol has no value.
    """
    missing = [name for name in symbols(tex) if name not in values]
    if missing:
        raise FormulaError(f"{tex!r} needs a value for {', '.join(missing)}")
    with np.errstate(all="ignore"):
        return _value(parse(tex), values)


def _value(node, values):
    kind, parts = node
    if kind == "number":
        return parts[0]
    if kind in _NAMED:
        return _NAMED[kind](parts, values)
    worked = [_value(part, values) for part in parts if isinstance(part, Node)]
    if kind == "call":
        return FUNCTIONS[parts[0]](worked[0])
    return _OPERATIONS[kind](*worked)


def _known(parts, values):
    value = values[parts[0]]
    return value if callable(value) else np.asarray(value, dtype=float)[()]


def _entry(parts, values):
    vector, index = parts
    return np.asarray(values[vector], dtype=float)[int(values[index])]


def _sum(parts, values):
    index, left_out, body = parts
    skipped = values.get(left_out, -1)
    return sum(
        _value(body, values | {index: at})
        for at in range(_extent(body, index, values))
        if at != skipped
    )


def _extent(node, index, values):
    # how far an index runs: over the first vector that has it
    if node.kind == "entry" and node.parts[1] == index:
        return len(values[node.parts[0]])
    inner = (part for part in node.parts if isinstance(part, Node))
    return max((_extent(part, index, values) for part in inner), default=0)


def _run(*factors):
    # a function takes the factor after it
    value, *rest = factors
    while rest:
        value, rest = (
            (value(rest[0]), rest[1:])
            if callable(value)
            else (_times(value, rest[0]), rest[1:])
            if not callable(rest[0])
            else (_times(value, rest[0](rest[1])), rest[2:])
        )
    return value


def _times(a, b):
    return a @ b if np.ndim(a) == np.ndim(b) == 1 else a * b


def _power(base, exponent):
    return np.power(np.asarray(base, dtype=float), exponent)


def _root(inner, degree):
    return np.sqrt(inner) if degree == 2 else _power(inner, 1 / degree)


_NAMED = {
    "symbol": _known,
    "quantity": _known,
    "entry": _entry,
    "sum": _sum,
    "same": lambda parts, values: float(values[parts[0]] == values[parts[1]]),
}
_OPERATIONS = {
    "plus": np.add,
    "less": np.subtract,
    "minus": np.negative,
    "times": _times,
    "run": _run,
    "over": np.divide,
    "power": _power,
    "root": _root,
    "size": np.abs,
    "length": np.linalg.norm,
    "list": lambda *items: np.array(items, dtype=float),
}

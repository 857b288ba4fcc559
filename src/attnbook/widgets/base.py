"""The base of all live figures: state in traits, one JavaScript source, two hosts."""

import json
import re
import uuid
from functools import cache
from html import escape
from pathlib import Path

import anywidget
import traitlets

from attnbook.widgets import modules, words

HOME = Path(__file__).parent
FIGURES = HOME / "figures"
PAGE = "application/vnd.attnbook.page"  # of a notebook's output: what a page shows


@cache
def load_spec(name):
    """Return a figure's spec.json: its state, guides and room on the page."""
    return json.loads((FIGURES / name / "spec.json").read_text(encoding="utf-8"))


class _Text(traitlets.Unicode):
    """A text of a form that the figure's spec gives as a regular expression."""

    def __init__(self, pattern, default):
        super().__init__(default)
        self.pattern = pattern

    def validate(self, obj, value):
        value = super().validate(obj, value)
        if not re.fullmatch(self.pattern, value):
            raise traitlets.TraitError(f"{self.name} cannot be {value!r}")
        return value


def _trait(field):
    """Return the trait for one entry of a figure's state."""
    default, nullable = field["default"], field.get("nullable", False)
    if field["type"] == "boolean":
        trait = traitlets.Bool(default)
    elif field["type"] == "choice":
        trait = traitlets.Enum(field["options"], default_value=default)
    elif field["type"] == "text":
        trait = _Text(field["pattern"], default)
    else:
        kind = traitlets.Int if field["type"] == "integer" else traitlets.Float
        limits = {"min": field["min"], "max": field["max"]}
        trait = kind(default, allow_none=nullable, **limits)
    return trait.tag(sync=True)


class LiveFigure(anywidget.AnyWidget):
    """A figure that is alive in a notebook and on a static page.

    A subclass names its folder: ``class MyFigure(LiveFigure, figure="my_figure")``. The
    traits come from the "state" part of the folder's ``spec.json``, the drawing from
    ``figure.js``, the words from ``en.json``. The subclass computes: `measure` returns
    the numbers that captions and tests need, `picture` the still SVG.

    Parameters
    ----------
    id : str
        Name of the figure on its page: in its address and in links of the prose.
    **state
        Entries of the figure's state; all others keep their defaults.

    Raises
    ------
    traitlets.TraitError
        If a value is not allowed.
    TypeError
        If an entry is unknown.

    """

    figure = None
    id = traitlets.Unicode("figure").tag(sync=True)
    twin = traitlets.Unicode().tag(sync=True)  # names the picture kept beside it

    def __init_subclass__(cls, figure=None, **kwargs):
        """Make the traits and the two texts that a notebook loads."""
        if figure:
            cls.figure = figure
            for key, field in load_spec(figure)["state"].items():
                trait = _trait(field)
                setattr(cls, key, trait)
                trait.class_init(cls, key)
            cls._esm = modules.joined(figure)
            cls._css = (HOME / "kit" / "figures.css").read_text(encoding="utf-8")
        super().__init_subclass__(**kwargs)

    def __init__(self, **state):
        unknown = set(state) - {"id", *load_spec(self.figure)["state"]}
        if unknown:
            raise TypeError(
                f"{type(self).__name__} has no {', '.join(sorted(unknown))}"
            )
        twin = f"attn-{uuid.uuid4().hex}"
        super().__init__(**{"id": self._default_id(), **state}, twin=twin)

    def _default_id(self):
        return self.figure.split("_")[-1]

    @property
    def state(self):
        """The figure's state as a dictionary."""
        return {key: getattr(self, key) for key in load_spec(self.figure)["state"]}

    def measure(self):
        """Return the measured numbers and names, a flat dictionary."""
        raise NotImplementedError(f"{type(self).__name__} must measure its state")

    def picture(self, alt):
        """Return the still picture as an SVG text with this alternative text."""
        raise NotImplementedError(f"{type(self).__name__} must draw a still picture")

    def values(self):
        """Return state and measured numbers in one table, as captions use them."""
        return {**self.state, **self.measure()}

    def sentence(self):
        """Return one sentence that says what the figure shows."""
        values = self.values()
        name = values.get("summary", "default")
        return words.say(f"{self.figure}.summary.{name}", values)

    def __repr__(self):
        """Return the Python line that makes this figure."""
        spec = load_spec(self.figure)["state"]
        changed = {k: v for k, v in self.state.items() if v != spec[k]["default"]}
        parts = [f"{key}={_python(value)}" for key, value in changed.items()]
        return f"{type(self).__name__}({', '.join([f'id={_python(self.id)}', *parts])})"

    def _frame(self):
        """Return the measures of the frame that differ from figure to figure."""
        spec = load_spec(self.figure)
        guide = spec.get("guides", {}).get(self.state.get("guide"), {})
        return guide.get("frame") or spec.get("frame", {})

    def html(self):
        """Return the figure for a page: picture and sentence, to be brought alive."""
        sentence = self.sentence()
        style = "".join(f"--attn-{k}:{v};" for k, v in self._frame().items())
        words_ = f"<p>{escape(sentence)}</p>"
        still = f'<div class="attn-still">{self.picture(sentence)}{words_}</div>'
        state = escape(json.dumps(self.state))
        return (
            f'<attn-figure id="{escape(self.id)}" data-figure="{self.figure}" '
            f'data-state="{state}" style="{style}">{still}</attn-figure>'
        )

    def still(self):
        """Return the picture that stays when a notebook is opened again or exported.

        The live figure hides it (see ``kit/jupyter.js``).
        """
        sentence = self.sentence()
        note = f"<em>{escape(words.say('kit.still', {}))}</em>"
        return (
            f'<div class="{self.twin}" style="max-width:46rem">'
            f"{self.picture(sentence)}<p>{escape(sentence)} {note}</p></div>"
        )

    def _ipython_display_(self, **kwargs):
        # Two outputs: a notebook that is opened again can show one only as an error.
        from IPython.display import display

        data, metadata = self._repr_mimebundle_(**kwargs)
        kept = {PAGE: data.pop("text/html"), "text/plain": data.pop("text/plain")}
        live = {**data, "text/html": "", PAGE: ""}  # exports show nothing of it
        display(live, metadata=metadata, raw=True)
        display({**kept, "text/html": self.still()}, raw=True)

    def _repr_mimebundle_(self, **kwargs):
        made = super()._repr_mimebundle_(**kwargs)
        data, metadata = made if isinstance(made, tuple) else (made or {}, {})
        return {**data, "text/plain": repr(self), "text/html": self.html()}, metadata


def _python(value):
    """Write a value of the state as Python, the way JavaScript does it too."""
    if isinstance(value, str):
        return f'"{value}"'
    return f"{value:g}" if isinstance(value, float) else repr(value)

"""Questions and exercises on the site: from a cell's output to static HTML.

Without JavaScript the HTML is an honest fold. `questions/questions.js` upgrades it in
place. Markdown and mathematics are parsed by MyST, like the rest of the page.
"""

import json
from html import escape

from docutils import nodes

from attnbook.questions.render import LETTERS, MIME, WORDS, shown
from booktools.site.sketch import sketch_svg

VOID = {"input"}


class html_element(nodes.General, nodes.Element):
    """An element of the page; builders other than HTML see its children only."""


def visit_html(translator, node):
    """Open the element."""
    pairs = [f' {name}="{escape(value)}"' for name, value in node["pairs"]]
    translator.body.append(f"<{node['tag']}{''.join(pairs)}>")


def depart_html(translator, node):
    """Close the element."""
    if node["tag"] not in VOID:
        translator.body.append(f"</{node['tag']}>")


def _ignore(translator, node):
    pass


def setup(app):
    """Register the node; Sphinx calls this."""
    other = dict.fromkeys(("latex", "text", "man", "texinfo"), (_ignore, _ignore))
    app.add_node(html_element, html=(visit_html, depart_html), **other)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class QuestionRenderer:
    """The plugin for `myst_nb.mime_renderers`."""

    mime_priority_overrides = (
        ("html", MIME, 1),
        ("dirhtml", MIME, 1),
        ("singlehtml", MIME, 1),
    )

    @staticmethod
    def handle_mime(renderer, data, inline):
        """Turn a question's data into nodes, or return None for other types."""
        if inline or data.mime_type != MIME:
            return None
        page = Page(renderer, data.line or 0)
        return [page.element(data.content)]


def h(tag, attributes=None, *children):
    """Make an element node; strings become text.

    Parameters
    ----------
    tag : str
    attributes : dict, optional
    *children : docutils node or str

    Returns
    -------
    html_element
    """
    node = html_element(tag=tag, pairs=list((attributes or {}).items()))
    node.extend(nodes.Text(c) if isinstance(c, str) else c for c in children)
    return node


class Page:
    """Makes the elements of questions with the page's own Markdown parser."""

    def __init__(self, renderer, line):
        self._renderer = renderer.renderer
        self._line = line

    def parse(self, text, inline=False):
        """Parse Markdown to nodes."""
        holder = nodes.Element()
        with self._renderer.current_node_context(holder):
            self._renderer.nested_render_text(text, self._line, inline=inline)
        return holder.children

    def element(self, data):
        """Make the element for any kind of data."""
        if data["kind"] == "quiz":
            return self.quiz(data)
        if data["kind"] == "exercise":
            return self.exercise(data)
        return self.question(data, WORDS["predict"])

    def quiz(self, data):
        """Make a quiz: a line on progress, a link to each question, the questions."""
        questions = data["questions"]
        line = WORDS["quiz_static"].format(total=len(questions))
        progress = h("p", {"class": "attn-quiz-progress"}, line)
        parts = [
            self.question(q, WORDS["question"].format(number=i))
            for i, q in enumerate(questions, 1)
        ]
        attributes = {"class": "attn-quiz", "data-chapter": data["chapter"]}
        numbers = [
            h("a", {"href": f"#question-{q['name']}"}, str(i))
            for i, q in enumerate(questions, 1)
        ]
        label = {"class": "attn-quiz-numbers", "aria-label": WORDS["quiz_numbers"]}
        return h("attn-quiz", attributes, progress, h("nav", label, *numbers), *parts)

    def question(self, data, title):
        """Make one question with its answer in a fold."""
        name = data["name"]
        make = {"choice": self._choice, "number": self._number, "sketch": self._sketch}
        visible, hidden = make[data["kind"]](data)
        attributes = {
            "class": "attn-q",
            "id": f"question-{name}",
            "data-name": name,
            "data-kind": data["kind"],
            "role": "group",
            "aria-labelledby": f"{name}-title {name}-prompt",
        }
        title = h("p", {"class": "attn-q-title", "id": f"{name}-title"}, title)
        prompt = {"class": "attn-q-prompt", "id": f"{name}-prompt"}
        prompt = h("div", prompt, *self.parse(data["prompt"]))
        return h("attn-question", attributes, title, prompt, *visible, _fold(hidden))

    def _choice(self, data):
        rows, reasons = [], []
        for i, choice in enumerate(data["choices"]):
            rows.append(self._row(data["name"], i, choice["text"]))
            lead = LETTERS[i] + (f" {WORDS['is_right']}" if choice["right"] else ".")
            marks = {"data-value": str(i), "data-letter": LETTERS[i]}
            marks |= {"data-right": ""} if choice["right"] else {}
            reasons.append(self._reason(lead, choice["reason"], marks))
        reasons.sort(key=lambda r: "data-right" not in dict(r["pairs"]))
        label = {"role": "radiogroup", "aria-labelledby": f"{data['name']}-prompt"}
        return [h("div", {"class": "attn-q-choices", **label}, *rows)], reasons

    def _row(self, name, i, text):
        ident = f"{name}-{i}"
        radio = {
            "type": "radio",
            "name": f"{name}-choice",
            "value": str(i),
            "id": ident,
        }
        letter = h("span", {"class": "attn-q-letter"}, LETTERS[i])
        words = h("span", {"class": "attn-q-text"}, *self.parse(text, inline=True))
        label = h("label", {"for": ident}, letter, words)
        return h("div", {"class": "attn-q-choice"}, h("input", radio), label)

    def _number(self, data):
        ident = f"{data['name']}-number"
        field = {
            "type": "text",
            "id": ident,
            "inputmode": "text",
            "autocomplete": "off",
            "spellcheck": "false",
            "aria-describedby": f"{ident}-hint",
        }
        entry = h(
            "div",
            {"class": "attn-q-entry"},
            h("label", {"for": ident}, WORDS["your_number"]),
            h("input", field),
            h("span", {"class": "attn-q-unit"}, data["unit"]),
            h(
                "span",
                {"class": "attn-q-hint", "id": f"{ident}-hint"},
                WORDS["number_hint"],
            ),
        )
        answer = shown(data["answer"], data["digits"])
        lead = f"{WORDS['answer_is']} {answer} {data['unit']}".rstrip()
        marks = {"data-right": "", "data-value": repr(data["answer"])}
        marks["data-tolerance"] = repr(data["tolerance"])
        reasons = [self._reason(f"{lead}.", data["reason"], marks)]
        for wrong in data["wrong"]:
            marks = {"data-value": repr(wrong["value"])}
            reasons.append(self._reason(f"{wrong['says']}:", wrong["reason"], marks))
        return [entry], reasons

    def _sketch(self, data):
        drawing = {key: data[key] for key in ("x", "y", "given", "heights", "curve")}
        attributes = {"class": "attn-q-sketch", "data-sketch": json.dumps(drawing)}
        grid = h("div", attributes, _raw(sketch_svg(data)))
        hint = h("p", {"class": "attn-q-hint"}, WORDS["paper"])
        answer = h("div", {"class": "attn-q-true"}, _raw(sketch_svg(data, answer=True)))
        marks = {"data-right": "", "data-heights": json.dumps(data["heights"])}
        reasons = [answer, self._reason("", data["reason"], marks)]
        for wrong in data["wrong"]:
            marks = {"data-heights": json.dumps(wrong["heights"])}
            reasons.append(self._reason(f"{wrong['says']}:", wrong["reason"], marks))
        return [grid, hint], reasons

    def _reason(self, lead, text, marks):
        parts = self.parse(text)
        if lead and parts and isinstance(parts[0], nodes.paragraph):
            parts[0].insert(0, nodes.Text(" "))
            lead = self.parse(lead, inline=True)
            parts[0].insert(0, h("strong", {"class": "attn-q-lead"}, *lead))
        return h("div", {"class": "attn-q-reason", **marks}, *parts)

    def exercise(self, data):
        """Make an exercise: facts, statement, and its solution if it is there."""
        dots = "●" * data["difficulty"] + "○" * (3 - data["difficulty"])
        spoken = f"{WORDS['difficulty']} {data['difficulty']}/3"
        facts = h(
            "p",
            {"class": "attn-ex-facts"},
            h("span", {}, WORDS[f"kind_{data['type']}"]),
            h("span", {"role": "img", "aria-label": spoken, "title": spoken}, dots),
            h("span", {}, WORDS["minutes"].format(minutes=data["minutes"])),
            h("code", {}, data["name"]),
        )
        ident = f"exercise-{data['name']}"
        kind = h("span", {"class": "attn-ex-word"}, f"{WORDS['exercise']}: ")
        title = {"class": "attn-ex-title", "id": f"{ident}-title"}
        title = h("p", title, kind, data["title"])
        parts = [title, facts, *self.parse(data["statement"])]
        if "solution" in data:
            body = self.parse(data["solution"])
            parts.append(_details(WORDS["solution"], "attn-ex-solution", body))
        attributes = {
            "class": "attn-ex",
            "id": ident,
            "aria-labelledby": f"{ident}-title",
        }
        return h("section", attributes, *parts)


def _fold(hidden):
    return _details(WORDS["fold"], "attn-q-fold", hidden)


def _details(summary, css_class, children):
    return h("details", {"class": css_class}, h("summary", {}, summary), *children)


def _raw(markup):
    return nodes.raw("", markup, format="html")

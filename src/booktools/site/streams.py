"""What a cell printed, on the page as it was printed.

A kernel sends its output in pieces, cut wherever its clock ticks. myst-nb ends a line
after each piece and drops empty lines, so that a page would change from build to build.
Here the pieces of a stream are joined as they are. Of a live figure the page takes the
element that its script brings alive, which the figure's second output holds.
"""

from myst_nb.core import render

from attnbook.widgets.base import PAGE


def for_page(outputs):
    """Yield outputs as the page shows them: of a live figure its own element.

    Parameters
    ----------
    outputs : list of nbformat.NotebookNode
    """
    for output in outputs:
        data = output.get("data", {})
        if PAGE in data:
            plain = data.get("text/plain", "")
            data = {"text/html": data[PAGE], "text/plain": plain}
            output = type(output)({**output, "data": data})
        if data.get("text/html") != "":
            yield output


def joined(outputs):
    """Return outputs with the pieces of each stream as one, where its first was.

    Parameters
    ----------
    outputs : list of nbformat.NotebookNode
    """
    kept, streams = [], {}
    for output in for_page(outputs):
        name = output["name"] if output["output_type"] == "stream" else None
        if name in streams:
            streams[name]["text"] += output["text"]
            continue
        if name:
            streams[name] = output = type(output)(output)
        kept.append(output)
    return kept


def setup(app):
    """Put it in the place of myst-nb's own way (config: nb_merge_streams)."""
    render.coalesce_streams = joined

"""What a cell printed, on the page as it was printed.

A kernel sends its output in pieces, cut wherever its clock ticks. myst-nb ends a line
after each piece and drops empty lines, so that a page would change from build to build.
Here the pieces of a stream are joined as they are.
"""

from myst_nb.core import render


def joined(outputs):
    """Return outputs with the pieces of each stream as one, where its first was.

    Parameters
    ----------
    outputs : list of nbformat.NotebookNode
    """
    kept, streams = [], {}
    for output in outputs:
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

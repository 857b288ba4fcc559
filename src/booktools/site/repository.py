"""Where the book's repository is, and the links that open a page elsewhere."""

import os
import re
import subprocess
from urllib.parse import quote

PLACEHOLDER = "OWNER/REPO"
GITHUB = re.compile(r"github\.com[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?$")


def _origin(root):
    command = ["git", "-C", str(root), "remote", "get-url", "origin"]
    # An archive that is unpacked inside somebody's repository is no part of it.
    env = os.environ | {"GIT_CEILING_DIRECTORIES": str(root.resolve().parent)}
    options = {"capture_output": True, "text": True, "env": env}
    try:
        done = subprocess.run(command, timeout=10, **options)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def name_of(url, root, environ=os.environ, origin=_origin):
    """Return ``owner/repo`` on GitHub, or None where it is not known.

    The setting in _config.yml counts first. While it is the placeholder OWNER/REPO,
    the name comes from GitHub's own workflow variable, then from git's origin.
    """
    found = GITHUB.search(url or "")
    if found and found[1] != PLACEHOLDER:
        return found[1]
    if name := environ.get("GITHUB_REPOSITORY"):
        return name
    found = GITHUB.search(origin(root))
    return found[1] if found else None


def launch_links(name, branch, path, services):
    """Return (label, address, whether it is a download) for Colab and Binder.

    Parameters
    ----------
    name : str or None
        ``owner/repo``; no link without one.
    branch : str
        The branch that the site is built from.
    path : str
        The notebook's path in the repository.
    services : dict
        ``colab_url`` and ``binderhub_url``, as Jupyter Book's launch_buttons.
    """
    links = []
    if name and (colab := services.get("colab_url")):
        url = f"{colab.rstrip('/')}/github/{name}/blob/{branch}/{path}"
        links.append(("Open in Colab", url, False))
    if name and (binder := services.get("binderhub_url")):
        tree = quote(f"lab/tree/{path}", safe="")
        url = f"{binder.rstrip('/')}/v2/gh/{name}/{branch}?urlpath={tree}"
        links.append(("Open in Binder", url, False))
    return links

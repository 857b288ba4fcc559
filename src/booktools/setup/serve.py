"""Serve the built site on this machine: quiet, threaded, nothing cached.

``python -m booktools.setup.serve --host 127.0.0.1 --port 8000 [--probe]``; ``--probe``
only tells whether the port is free, so that nobody waits for a build in vain.
"""

import argparse
import contextlib
import errno
import functools
import http.server
import signal
import socket
import sys
import threading
import urllib.parse
from pathlib import Path

from booktools import ROOT

SITE = ROOT / "_build" / "html"

# The machine's own table (a registry, /etc/mime.types) may be wrong or empty.
TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".ipynb": "application/json",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}
TEXT = {"text/css", "text/html", "text/javascript", "text/plain", "application/json"}


class PortBusy(Exception):
    """The wanted port is taken; the message says by whom and what to do."""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Static files below an optional base path such as ``/repo/``."""

    protocol_version = "HTTP/1.1"  # keeps the connection, as a real host does
    base = "/"

    def send_head(self):
        """Answer with the file, or 404 for what lies outside the base path."""
        path = urllib.parse.urlsplit(self.path).path
        if not path.startswith(self.base):
            self.send_error(404)
            return None
        return super().send_head()

    def translate_path(self, path):
        """Map an address below the base path to a file."""
        return super().translate_path("/" + path[len(self.base) :])

    def guess_type(self, path):
        """Return the type by suffix, from the table here alone."""
        kind = TYPES.get(Path(path).suffix.lower(), "application/octet-stream")
        return f"{kind}; charset=utf-8" if kind in TEXT else kind

    def end_headers(self):
        """Tell the browser to ask again each time: no page is ever stale."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def list_directory(self, path):
        """Refuse: a published site lists no folder either."""
        self.send_error(404)

    def log_message(self, *_):
        """Say nothing: a page makes dozens of requests."""


class Server(http.server.ThreadingHTTPServer):
    """A server that a closing browser tab does not make noisy."""

    daemon_threads = True
    # On Linux this lets a restart take the port at once; a listening one stays busy.
    allow_reuse_address = True

    def handle_error(self, request, client_address):
        """Drop broken connections in silence, show anything else."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def owner(port):
    """Return "name, process 12" for the program listening on `port`, or None."""
    with contextlib.suppress(Exception):  # not everybody may look, nor everywhere
        import psutil

        for link in psutil.net_connections("tcp"):
            if link.status == psutil.CONN_LISTEN and link.laddr.port == port:
                return f"{psutil.Process(link.pid).name()}, process {link.pid}"
    return None


def make_server(folder, host="127.0.0.1", port=0, base="/"):
    """Return a server for `folder`; port 0 takes a free one.

    Raises
    ------
    PortBusy
        If the port is taken or this user may not open it.
    """
    handler = type("BasedHandler", (Handler,), {"base": base})
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    kind = type("FamilyServer", (Server,), {"address_family": family})
    files = functools.partial(handler, directory=str(folder))
    try:
        return kind((host, port), files)
    except (OSError, OverflowError) as error:
        raise PortBusy(why_not(error, host, port)) from error


def why_not(error, host, port):
    """Return the sentences that say why no server came up and what to do."""
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        by = owner(port)
        who = f"by {by}" if by else "by another program"
        return (
            f"Port {port} on {host} is in use {who}.\n"
            f"Stop it, or choose another port: make serve PORT={port + 1}"
        )
    if number == errno.EACCES:
        return f"Port {port} needs special rights. Choose one above 1023: PORT=8000"
    return f"Cannot listen on {host}, port {port}: {error}"


@contextlib.contextmanager
def running(folder, base="/"):
    """Serve `folder` on a free loopback port; yield the address of its root."""
    server = make_server(folder, base=base)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{base}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def until_stopped():
    """Let SIGINT and SIGTERM end the block, and nothing else but the block.

    Both are asked for by name: a shell starts what runs in the background with SIGINT
    ignored, and Python then leaves it so.
    """
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        for number in numbers:
            signal.signal(number, signal.default_int_handler)
        yield
    except KeyboardInterrupt:
        pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def serve(folder, host, port):
    """Serve until Ctrl-C or SIGTERM; print the address first."""
    with until_stopped(), make_server(folder, host, port) as server:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{server.server_address[1]}/"
        print(f"The book is at {address}  (Ctrl-C stops)", flush=True)
        server.serve_forever()
    print()


def main(arguments=None):
    """Serve the built site or probe the port; return a status for the shell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--folder", type=Path, default=SITE)
    parser.add_argument("--probe", action="store_true", help="only try the port")
    options = parser.parse_args(arguments)
    try:
        if options.probe:
            make_server(options.folder, options.host, options.port).server_close()
            return 0
        if not (options.folder / "index.html").exists():
            print("There is no built site yet: make build", file=sys.stderr)
            return 1
        serve(options.folder, options.host, options.port)
    except PortBusy as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

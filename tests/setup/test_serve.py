"""The local server: right types, base path, busy port, a quiet end."""

import os
import signal
import socket
import sys
import urllib.error
import urllib.request

import pytest

import processes
from booktools.setup import serve


@pytest.fixture
def site(tmp_path):
    (tmp_path / "index.html").write_text("<p>home</p>")
    (tmp_path / "app.js").write_text("1;")
    (tmp_path / "font.woff2").write_bytes(b"wOF2")
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "one.html").write_text("<p>one</p>")
    return tmp_path


def get(address):
    # Straight to loopback: a proxy of the machine has no say here.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(address, timeout=60) as answer:
        return answer.read(), answer.headers


def status(address):
    with pytest.raises(urllib.error.HTTPError) as caught:
        get(address)
    with caught.value as error:
        return error.code


def test_pages_have_the_right_types_and_are_never_cached(site):
    with serve.running(site) as root:
        body, headers = get(root)
        assert body == b"<p>home</p>"
        assert headers["Content-Type"] == "text/html; charset=utf-8"
        assert headers["Cache-Control"] == "no-cache"
        kinds = {"app.js": "text/javascript; charset=utf-8", "font.woff2": "font/woff2"}
        for name, kind in kinds.items():
            assert get(root + name)[1]["Content-Type"] == kind


def test_a_base_path_is_the_only_way_in(site):
    with serve.running(site, base="/repo/") as root:
        assert root.endswith("/repo/")
        assert get(root + "chapters/one.html")[0] == b"<p>one</p>"
        assert status(root.replace("/repo/", "/chapters/one.html")) == 404


def test_nothing_outside_the_folder_and_no_listing(site):
    (site.parent / "secret.txt").write_text("secret")
    with serve.running(site) as root:
        assert status(root + "%2e%2e/secret.txt") == 404
        assert status(root + "chapters/") == 404


def test_a_busy_port_is_named_with_its_owner_and_the_remedy():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(serve.PortBusy) as caught:
            serve.make_server(".", port=port)
    message = str(caught.value)
    assert f"Port {port} on 127.0.0.1 is in use" in message
    assert f"process {os.getpid()}" in message
    assert f"make serve PORT={port + 1}" in message


def test_an_impossible_port_is_a_sentence(capsys):
    assert serve.main(["--probe", "--port", "70000"]) == 1
    assert "Cannot listen on 127.0.0.1, port 70000" in capsys.readouterr().err


def test_without_a_built_site_the_remedy_is_named(tmp_path, capsys):
    assert serve.main(["--folder", str(tmp_path), "--port", "0"]) == 1
    assert "make build" in capsys.readouterr().err


@pytest.mark.parametrize("behind", [False, True], ids=["before", "behind"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_quietly_however_it_was_started(site, number, behind):
    command = [sys.executable, "-m", "booktools.setup.serve", "--port", "0"]
    command += ["--folder", site]
    with processes.started(command, behind=behind) as process:
        first = process.stdout.readline()
        process.send_signal(number)
        code, rest, errors = processes.ended(process)
    assert first.startswith("The book is at http://127.0.0.1:")
    assert (code, rest.strip(), errors) == (0, "", "")


def test_what_signals_did_before_they_do_again():
    def at_work(*_):
        pass

    before = signal.signal(signal.SIGTERM, at_work)
    try:
        with serve.until_stopped():
            os.kill(os.getpid(), signal.SIGTERM)
            signal.pause()
        assert signal.getsignal(signal.SIGTERM) is at_work
    finally:
        signal.signal(signal.SIGTERM, before)

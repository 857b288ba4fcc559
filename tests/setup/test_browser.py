"""Which browser the tests take, in which order, and what is said without one."""

import sys

import pytest

from booktools.setup import browser


@pytest.fixture
def bare(monkeypatch):
    """Return a machine with no browser at all; record what is tried."""
    tried = []
    monkeypatch.delenv("ATTNBOOK_BROWSER", raising=False)
    monkeypatch.setattr(browser, "installed", lambda: None)
    monkeypatch.setattr(browser, "playwrights_own", lambda: None)
    monkeypatch.setattr(browser, "install_package", lambda: tried.append("package"))
    monkeypatch.setattr(browser, "download", lambda: tried.append("download"))
    return tried


def program(folder, name, code):
    path = folder / name
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(0o755)
    return path


def test_an_installed_browser_is_taken_and_nothing_is_installed(bare, monkeypatch):
    monkeypatch.setattr(browser, "installed", lambda: "/opt/chromium")
    assert browser.ensure() == "/opt/chromium"
    assert bare == []


def test_the_systems_package_comes_before_a_download(bare, monkeypatch):
    answers = iter([None, "/usr/bin/chromium"])
    monkeypatch.setattr(browser, "installed", lambda: next(answers))
    assert browser.ensure() == "/usr/bin/chromium"
    assert bare == ["package"]


def test_without_any_the_remedies_are_named(bare, capsys):
    assert browser.main() == 1
    assert bare == ["package", "download"]
    assert "sudo apt-get install chromium" in capsys.readouterr().err


def test_a_program_that_does_not_start_is_passed_over(tmp_path, monkeypatch):
    program(tmp_path, "chromium", 1)  # as Ubuntu's placeholder without snap
    good = program(tmp_path, "google-chrome", 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser, "MAC_APPS", ())
    assert browser.installed() == str(good)


def test_the_readers_choice_wins_and_must_start(tmp_path, monkeypatch):
    good, bad = program(tmp_path, "good", 0), program(tmp_path, "bad", 1)
    monkeypatch.setenv("ATTNBOOK_BROWSER", str(good))
    assert browser.ensure() == str(good)
    monkeypatch.setenv("ATTNBOOK_BROWSER", str(bad))
    with pytest.raises(browser.NoBrowser, match="bad, which does not start"):
        browser.ensure()


def test_only_root_uses_apt(monkeypatch):
    calls = []
    monkeypatch.setattr(browser.progress, "run", lambda *a, **k: calls.append(a))
    monkeypatch.setattr(browser.platform, "system", lambda: "Linux")
    monkeypatch.setattr(browser.shutil, "which", lambda name: "/usr/bin/apt-get")
    monkeypatch.setattr(browser.os, "geteuid", lambda: 1000)
    browser.install_package()
    assert calls == []
    monkeypatch.setattr(browser.os, "geteuid", lambda: 0)
    browser.install_package()
    assert [call[1][1] for call in calls] == ["update", "install"]


def test_the_browser_is_shut_off_from_the_net():
    options = browser.launch_options("/x")
    assert any("MAP * ~NOTFOUND" in argument for argument in options["args"])


@pytest.mark.browser
@pytest.mark.skipif(sys.platform != "linux", reason="fontconfig chooses on Linux only")
def test_the_browser_knows_no_font_of_the_machine(chromium):
    page = chromium.new_page()
    families = ["Arial", "Noto Sans", "no-such-font", "sans-serif", "system-ui"]
    assert {font_of(page, name) for name in families} == {"DejaVu Sans"}
    assert font_of(page, "serif") == "DejaVu Serif"
    assert font_of(page, "monospace") == "DejaVu Sans Mono"
    page.close()


def font_of(page, family):
    """Return the font in which the browser draws a text of this family."""
    page.set_content(f"<p style='font-family: {family}'>wide fjord</p>")
    tools = page.context.new_cdp_session(page)
    tools.send("DOM.enable")
    tools.send("CSS.enable")
    root = tools.send("DOM.getDocument")["root"]["nodeId"]
    node = tools.send("DOM.querySelector", {"nodeId": root, "selector": "p"})
    return tools.send("CSS.getPlatformFontsForNode", node)["fonts"][0]["familyName"]

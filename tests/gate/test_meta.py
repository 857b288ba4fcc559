"""The files around the book agree with each other."""

import json
import re
import tomllib

import pytest

from booktools import ROOT

PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)", re.MULTILINE)


def pins(text):
    return {name.lower(): version for name, version in PIN.findall(text)}


def read(name):
    return (ROOT / name).read_text("utf-8")


@pytest.fixture(scope="module")
def project():
    return tomllib.loads(read("pyproject.toml"))["project"]


def test_pins_agree_in_all_places(project):
    constraints = pins(read("constraints.txt"))
    extras = "\n".join("\n".join(x) for x in project["optional-dependencies"].values())
    direct = {**pins(read("requirements.txt")), **pins(extras)}
    # torch is left out of the constraints: its CPU build carries a local version
    torch = direct.pop("torch")
    assert direct.items() <= constraints.items()
    binder = pins(read(".binder/requirements.txt"))
    assert binder.pop("torch") == torch + "+cpu"
    assert binder.items() <= constraints.items()


def test_every_test_tool_is_pinned(project):
    dev = project["optional-dependencies"]["dev"]
    assert all(PIN.match(line) for line in dev)


def test_requirements_end_with_the_package_itself():
    assert read("requirements.txt").rstrip().splitlines()[-1] == "-e ."


def test_versions_and_names_agree(project):
    assert f"version: {project['version']}\n" in read("CITATION.cff")
    assert f"## {project['version']} " in read("CHANGELOG.md")
    title = re.search(r"(?m)^title: (.*)$", read("_config.yml"))[1]
    assert read("README.md").startswith(f"# {title}\n")
    assert f'title: "{title}"' in read("CITATION.cff")


def test_the_licence_of_the_text_is_whole():
    text = read("LICENSE-TEXT")
    sections = re.findall(r"(?m)^Section (\d) -- ", text)
    assert sections == list("12345678")
    assert text.rstrip().endswith(
        "Creative Commons may be contacted at creativecommons.org."
    )


def test_workflows_and_ci_only_call_make():
    runs = []
    for path in (ROOT / ".github/workflows").glob("*.yml"):
        runs += re.findall(r"(?m)^\s*- run: (.*)$", path.read_text())
        assert "run: |" not in path.read_text()
    assert runs and all(line.startswith("make ") for line in runs)
    published = (ROOT / ".github/workflows/publish.yml").read_text()
    assert re.findall(r"- run: (.*)", published) == ["make check-all", "make build"]
    assert "make check" in read(".ci/run")


def test_the_pictures_and_files_that_the_readme_names_exist():
    readme = read("README.md")
    names = re.findall(r'(?:src|srcset)="([^"]+)"|\]\(([^):]+)\)', readme)
    missing = [a or b for a, b in names if not (ROOT / (a or b)).exists()]
    assert missing == []


def test_the_notebooks_that_the_readme_opens_exist():
    names = re.findall(r"chapters/\d\d_[\w]+\.ipynb", read("README.md"))
    assert names and all((ROOT / name).exists() for name in names)


def test_the_node_lock_names_no_registry_and_pins_every_package():
    lock = json.loads(read("package-lock.json"))
    parts = [part for name, part in lock["packages"].items() if name]
    assert all("integrity" in part and "resolved" not in part for part in parts)

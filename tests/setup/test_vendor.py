"""The vendored parts: what is on disk is what the pinned packages give."""

import matplotlib
import numpy as np

from booktools.setup import vendor


def test_the_committed_parts_are_those_of_the_pinned_packages():
    assert vendor.stale(vendor.contents()) == []


def test_a_changed_or_missing_part_is_stale(tmp_path):
    same, changed = tmp_path / "same.js", tmp_path / "changed.js"
    same.write_text("a")
    changed.write_text("b")
    missing = tmp_path / "missing.js"
    made = {same: "a", changed: "a", missing: "a"}
    assert vendor.stale(made) == [changed, missing]


def test_check_reports_and_writes_nothing(tmp_path, monkeypatch, capsys):
    path = tmp_path / "vendor" / "part.js"
    monkeypatch.setattr(vendor, "ROOT", tmp_path)
    monkeypatch.setattr(vendor, "contents", lambda: {path: "text"})
    assert vendor.main(["--check"]) == 1
    assert "differs: vendor/part.js" in capsys.readouterr().out
    assert not path.exists()
    assert vendor.main([]) == 0
    assert path.read_text() == "text"
    assert vendor.main(["--check"]) == 0


def test_a_part_carries_its_licence_and_version():
    text = vendor.bundle("d3-array", ["ticks"])
    assert text.startswith("/*!\nd3-array 3.2.")
    assert "Permission to use, copy, modify" in text
    assert "export {" in text


def test_the_parts_are_the_same_behind_a_link(tmp_path, monkeypatch):
    link = tmp_path / "link"
    link.symlink_to(vendor.ROOT)
    monkeypatch.setenv("PWD", str(link))  # what a shell says that stands there
    assert vendor.stale(vendor.contents()) == []


def test_a_name_that_the_package_lacks_is_an_error():
    try:
        vendor.bundle("d3-array", ["no_such_name"])
    except vendor.AssetError as error:
        assert "no_such_name" in str(error)
    else:
        raise AssertionError("esbuild took a name that d3-array does not export")


def test_colour_tables_are_matplotlibs():
    module = vendor.colormaps()
    for name, of in vendor.COLORMAPS.items():
        line = next(
            x for x in module.split("\n") if x.startswith(f"export const {name} ")
        )
        table = np.frombuffer(bytes.fromhex(line.split('"')[1]), np.uint8).reshape(
            256, 3
        )
        expected = np.array([matplotlib.colormaps[of](i)[:3] for i in range(256)])
        assert np.abs(table / 255 - expected).max() < 1 / 255

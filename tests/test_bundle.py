"""What the browser runs: small, whole, the same each time, and never with a module missing."""

import hashlib
import io
import json
import shutil
import zipfile
from pathlib import Path

import pytest
import shipped

from generator import bundle

RULES = {"texts": {}, "games": {}}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    bundle.build(RULES, folder, shipped.CACHE)
    return folder


def test_the_same_input_gives_the_same_bytes(tmp_path: Path, out: Path) -> None:
    again = tmp_path / "again"
    bundle.build(RULES, again, tmp_path / "empty-cache")

    assert contents(again) == contents(out)


def test_the_manifest_tells_every_file(out: Path) -> None:
    current = json.loads((out / "current.json").read_text("utf-8"))
    folder = out / current["folder"]
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "manifest.json"}
    told = {name: (file["size"], file["sha256"]) for name, file in current["files"].items()}

    assert json.loads((folder / "manifest.json").read_text("utf-8")) == current
    assert told == {name: (len(content), hashlib.sha256(content).hexdigest()) for name, content in files.items()}


def test_the_runtime_is_the_npm_package_untouched(out: Path) -> None:
    (folder,) = (path for path in out.iterdir() if path.is_dir())

    for name in bundle.PACKAGE_FILES:
        assert (folder / name).read_bytes() == (bundle.PYODIDE / name).read_bytes()


def test_the_archive_holds_bytecode_of_the_runtime_and_no_path_of_ours(out: Path) -> None:
    (file,) = out.glob("*/app.zip")
    archive = zipfile.ZipFile(file)
    names = archive.namelist()
    magics = {archive.read(name)[:4] for name in names}

    assert {Path(name).suffix for name in names} == {".pyc"}
    assert len(magics) == 1
    assert {entry.date_time for entry in archive.infolist()} == {bundle.ZIP_DATE}
    assert not [name for name in names if str(shipped.PROJECT).encode() in archive.read(name)]
    assert "calculators/browser.pyc" in names


def test_what_changed_replaces_the_folder_and_what_did_not_is_not_rewritten(tmp_path: Path) -> None:
    first = bundle.build(RULES, tmp_path, shipped.CACHE)
    script = tmp_path / "rule-calculator.js"
    written = script.stat().st_mtime_ns
    second = bundle.build(RULES | {"texts": {"a": "b"}}, tmp_path, shipped.CACHE)

    assert first.folder != second.folder
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == [second.folder]
    assert script.stat().st_mtime_ns == written


def test_the_kept_modules_are_those_that_answering_loads(out: Path) -> None:
    requests = [request for _, request in shipped.requests()]
    needed = bundle.measure(shipped.rules(), requests, shipped.CACHE)

    assert bundle.kept_modules() == needed, "generator/runtime/stdlib-keep.txt is not what is loaded"


def test_a_module_that_is_not_kept_fails_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [name for name in bundle.kept_modules() if name != "fractions.py"]
    monkeypatch.setattr(bundle, "kept_modules", lambda: kept)

    with pytest.raises(bundle.BundleError) as error:
        bundle.build(RULES, tmp_path / "out", tmp_path / "cache")

    assert error.value.code == "node-failed"
    assert "No module named 'fractions'" in error.value.facts["output"]
    assert not (tmp_path / "out").exists()


def test_a_kept_module_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(bundle.BundleError) as error:
        bundle.app_zip(tmp_path, bundle.CALCULATORS, keep=["fraction.py"])

    assert (error.value.code, error.value.facts["modules"]) == ("module-unknown", "fraction.py")


def test_rules_that_make_the_heap_grow_still_start_from_the_snapshot(tmp_path: Path) -> None:
    # Twelve million characters outside Latin-1: as text, as JSON and as values they outgrow any start.
    heavy = {"texts": {str(number): "…" * 12_000 for number in range(1000)}, "games": {}}
    folder = tmp_path / bundle.build(heavy, tmp_path, tmp_path / "cache").folder

    (answer,) = shipped.ask(folder, "snapshot", [json.dumps({"op": "roll", "dice": "1d6", "seed": shipped.SEED})])
    assert json.loads(answer)["dice"][0]["sides"] == 6


def test_a_snapshot_that_cannot_be_loaded_fails_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: Path) -> None:
    scripts = tmp_path / "runtime"
    shutil.copytree(bundle.RUNTIME, scripts)
    (scripts / "snapshot.mjs").write_text("console.error('heap grew from 1 bytes'); process.exit(3);", "utf-8")
    monkeypatch.setattr(bundle, "RUNTIME", scripts)

    with pytest.raises(bundle.BundleError) as error:
        bundle.build(RULES, tmp_path / "out", shipped.CACHE)

    assert (error.value.code, error.value.facts) == ("heap-grew", {"output": "heap grew from 1 bytes"})
    assert not (tmp_path / "out").exists()


def test_without_node_the_build_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(bundle.BundleError) as error:
        bundle.build(RULES, tmp_path / "out", tmp_path / "cache")

    assert error.value.code == "node-missing"


def test_without_the_npm_package_the_build_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "PYODIDE", tmp_path)

    with pytest.raises(bundle.BundleError) as error:
        bundle.build(RULES, tmp_path / "out", tmp_path / "cache")

    assert (error.value.code, error.value.facts) == ("package-missing", {"file": "pyodide.mjs"})


def test_each_failure_has_its_french_sentence() -> None:
    sentences = shipped.texts.read()["browser"]["build"]
    facts = {"file": "a", "modules": "b", "version": "c", "output": "d", "script": "e"}

    for code in ("node-missing", "package-missing", "pyodide-build-missing", "module-unknown", "heap-grew", "node-failed"):
        assert sentences[code].format(**facts)


def test_a_zip_depends_on_its_files_only() -> None:
    one = bundle._zip({"b": b"2", "a": b"1"})

    assert one == bundle._zip({"a": b"1", "b": b"2"})
    assert zipfile.ZipFile(io.BytesIO(one)).namelist() == ["a", "b"]


def contents(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.rglob("*")) if path.is_file()}

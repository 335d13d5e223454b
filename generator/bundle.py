"""Bundle: what the reader's browser runs, in a folder named after its own content.

    out/current.json              which folder is the current one, and its manifest
    out/*.js, out/*.css           the element and what it imports, from calculators/web
    out/<pyodide>-<hash>/         everything that must match: runtime, rules code, rules, worker
        pyodide.mjs  pyodide.asm.js  pyodide.asm.wasm    the npm package's files, untouched
        app.zip                   the standard library we use and `calculators`, as bytecode
        rules.json                every game's rules
        snapshot.bin              gzip of Python's memory once all that is loaded
        rules-worker.js           the worker
        manifest.json             size and sha256 of each

The same input gives the same bytes. Slow steps are kept in the cache folder under the hash of what
they read, so that a build without changes only compares files.
"""

import hashlib
import importlib.metadata
import importlib.util
import io
import json
import os
import shutil
import subprocess
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
RUNTIME = Path(__file__).resolve().parent / "runtime"
CALCULATORS = PROJECT / "calculators"
PYODIDE = PROJECT / "node_modules" / "pyodide"

WORKER = "rules-worker.js"
PACKAGE_FILES = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm")
# The start of what a zip can date: the bytes must not depend on when they were made.
ZIP_DATE = (1980, 1, 1, 0, 0, 0)
GZIP = 31  # wbits for a gzip header without a date
HEAP_GREW = 3  # exit code of runtime/snapshot.mjs: the heap grew, and the snapshot cannot be loaded
CACHE_ENTRIES = 12


class BundleError(Exception):
    """The machine cannot make the bundle: `code` is a key of texts.yaml `browser.build`, `facts` fill it."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(f"{code}: {facts}")
        self.code = code
        self.facts = facts


class File(NamedTuple):
    size: int  # bytes, uncompressed by the transport
    sha256: str  # hexadecimal


class Manifest(NamedTuple):
    folder: str  # name of the folder under `out`
    pyodide: str  # version
    lock: dict[str, str]  # `info` of Pyodide's lock file: its loader checks the ABI version
    files: dict[str, File]

    def to_json(self) -> str:
        record = self._asdict() | {"files": {name: file._asdict() for name, file in self.files.items()}}
        return json.dumps(record, indent=1, sort_keys=True) + "\n"


def build(rules: dict, out: Path, cache: Path, *, calculators: Path = CALCULATORS) -> Manifest:
    """Write the bundle of *rules* (see compendium.rules) and the *calculators* package under *out*.

    Folders of earlier bundles under *out* are removed, last. Raises BundleError when Node or the npm
    package is missing, when the code does not start inside Pyodide, or when its snapshot cannot be loaded.
    """
    files = {name: _package_file(name) for name in PACKAGE_FILES}
    files["app.zip"] = app_zip(cache, calculators, keep=kept_modules())
    files["rules.json"] = rules_text(rules)
    files[WORKER] = (CALCULATORS / "web" / WORKER).read_bytes()
    files["snapshot.bin"] = _snapshot(files, cache)

    manifest = _manifest(files)
    files["manifest.json"] = manifest.to_json().encode()
    for name, content in files.items():
        _write(out / manifest.folder / name, content)
    for path in sorted((CALCULATORS / "web").iterdir()):
        if path.name != WORKER and path.suffix in {".js", ".css"}:
            _write(out / path.name, path.read_bytes())
    _write(out / "current.json", files["manifest.json"])
    for path in out.iterdir():
        if path.is_dir() and path.name != manifest.folder and (path / "manifest.json").exists():
            shutil.rmtree(path)
    return manifest


def rules_text(rules: dict) -> bytes:
    """The rules as the worker reads them."""
    return json.dumps(rules, ensure_ascii=False, separators=(",", ":")).encode()


def kept_modules() -> list[str]:
    """Files of the standard library that app.zip holds, measured: see `measure`."""
    lines = (RUNTIME / "stdlib-keep.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def measure(rules: dict, requests: Iterable[str], cache: Path, *, calculators: Path = CALCULATORS) -> list[str]:
    """Files of the standard library that Pyodide opens to answer *requests* (JSON texts for the worker)."""
    files = {name: _package_file(name) for name in PACKAGE_FILES}
    files["app.zip"] = app_zip(cache, calculators, keep=None)
    files["rules.json"] = rules_text(rules)
    with tempfile.TemporaryDirectory() as folder:
        _stage(Path(folder), files)
        return _node("modules.mjs", folder, text="".join(f"{line}\n" for line in requests)).splitlines()


def app_zip(cache: Path, calculators: Path, keep: list[str] | None) -> bytes:
    """One zip for Python to import from: the standard library (the files in *keep*, or all) and *calculators*."""
    library = (PYODIDE / "python_stdlib.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(library)) as archive:
        names = [name for name in archive.namelist() if name.endswith(".py")]
        if missing := set(keep or ()) - set(names):
            raise BundleError("module-unknown", modules=", ".join(sorted(missing)), version=pyodide_version())
        sources = {name: archive.read(name) for name in (names if keep is None else keep)}
    ours = {path.relative_to(calculators.parent).as_posix(): path.read_bytes() for path in sorted(calculators.rglob("*.py"))}
    # Two compilations, because the library's stays the same when our code changes.
    return _zip(_compiled("stdlib", sources, cache) | _compiled("calculators", ours, cache))


def pyodide_version() -> str:
    return json.loads(_package_file("package.json"))["version"]


def _compiled(name: str, sources: dict[str, bytes], cache: Path) -> dict[str, bytes]:
    """The bytecode of *sources* ({"re/_parser.py": source}) as {"re/_parser.pyc": bytecode}."""

    def make() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder) / f"{name}.zip"
            archive.write_bytes(_zip(sources, level=0))
            _node("compile.mjs", folder, str(_site_packages()))
            return archive.read_bytes()

    tool = importlib.metadata.version("pyodide-build")
    content = _cached(cache, name, [_script("compile.mjs"), tool, pyodide_version(), _zip(sources, level=0)], make)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {entry: archive.read(entry) for entry in archive.namelist() if entry.endswith(".pyc")}


def _snapshot(files: dict[str, bytes], cache: Path) -> bytes:
    """Python's memory after a start from *files*, gzipped."""

    def make() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            _stage(Path(folder), files)
            memory = Path(folder) / "memory"
            _node("snapshot.mjs", folder, str(memory))
            # Not gzip.compress, whose header differs from one version of Python to the next.
            return zlib.compress(memory.read_bytes(), level=9, wbits=GZIP)

    parts = [_script("snapshot.mjs"), _script("boot.mjs"), *(files[name] for name in sorted(files) if name != WORKER)]
    return _cached(cache, "snapshot", parts, make)


def _stage(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "manifest.json").write_text(_manifest(files).to_json(), "utf-8")


def _manifest(files: dict[str, bytes]) -> Manifest:
    entries = {name: File(len(content), hashlib.sha256(content).hexdigest()) for name, content in sorted(files.items())}
    whole = hashlib.sha256("".join(f"{name} {file.sha256}\n" for name, file in entries.items()).encode())
    lock = json.loads(_package_file("pyodide-lock.json"))["info"]
    version = pyodide_version()
    return Manifest(f"{version}-{whole.hexdigest()[:12]}", version, lock, entries)


def _zip(files: dict[str, bytes], level: int = 9) -> bytes:
    """A zip whose bytes depend on *files* only."""
    buffer = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if level else zipfile.ZIP_STORED
    with zipfile.ZipFile(buffer, "w", method, compresslevel=level or None) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, ZIP_DATE)
            entry.compress_type = method
            archive.writestr(entry, files[name])
    return buffer.getvalue()


def _package_file(name: str) -> bytes:
    try:
        return (PYODIDE / name).read_bytes()
    except FileNotFoundError:
        raise BundleError("package-missing", file=name) from None


def _script(name: str) -> bytes:
    return (RUNTIME / name).read_bytes()


def _site_packages() -> Path:
    """Where pyodide-build and what it imports are installed: pure Python, so Pyodide can run it."""
    spec = importlib.util.find_spec("pyodide_build")
    if spec is None or spec.origin is None:
        raise BundleError("pyodide-build-missing")
    return Path(spec.origin).parent.parent


def _node(script: str, *arguments: str, text: str = "") -> str:
    """Run a script of `runtime/` and return what it printed."""
    node = shutil.which("node")
    if node is None:
        raise BundleError("node-missing")
    done = subprocess.run([node, str(RUNTIME / script), *arguments], input=text, capture_output=True, encoding="utf-8", check=False)
    if done.returncode == HEAP_GREW and script == "snapshot.mjs":
        raise BundleError("heap-grew", output=done.stderr.strip())
    if done.returncode:
        raise BundleError("node-failed", script=script, output=(done.stderr or done.stdout).strip()[-2000:])
    return done.stdout


def _cached(cache: Path, name: str, parts: Iterable[bytes | str], make: Callable[[], bytes]) -> bytes:
    """What *make* gives, kept in *cache* under the hash of *parts*, all that it depends on."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(f"{len(data)}:".encode() + data)
    path = cache / f"{name}-{digest.hexdigest()[:24]}"
    if path.exists():
        os.utime(path)
        return path.read_bytes()
    content = make()
    _write(path, content)
    newest_first = sorted(cache.glob(f"{name}-*"), key=lambda entry: entry.stat().st_mtime, reverse=True)
    for stale in newest_first[CACHE_ENTRIES:]:
        stale.unlink(missing_ok=True)
    return content


def _write(path: Path, content: bytes) -> None:
    """Write *content* whole or not at all, and not when it is there already."""
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)
    os.replace(file.name, path)

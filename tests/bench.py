"""Speed, each as a ratio of medians measured in one run on the same machine: ``make bench``. Nothing here is asserted."""

import multiprocessing
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import dyce
import icepool
from playwright.sync_api import sync_playwright

from calculators import browser as entry
from calculators import dice
from calculators.numbers import dumps
from generator import bundle, checks, compendium, site, texts
from tests.browser import chromium
from tests.browser.server import Server

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
SHEET = "poisons/poison-sheet"
ANSWERS = 1000
PATIENCE = 10
POOLS = (("10d10", 10, 10, 10), ("40d6", 40, 6, 40), ("20d20 keep 10", 20, 20, 10))
KINDS = {
    "game": "*/game.yaml",
    "interpretations": "*/interpretations*.yaml",
    "questions": "*/questions/*.yaml",
    "calculators": "*/calculators*.yaml",
    "entries": "*/entries*.yaml",
    "handouts": "*/handouts*.yaml",
}


def median(run: Callable[[], object], times: int = 5) -> float:
    """Return the median seconds of *times* runs."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def ends_within(seconds: int, run: Callable[[], object]) -> bool:
    """Say whether *run* ends within *seconds*, in a process of its own so that nothing it remembers stays here."""
    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join(seconds)
    alive = process.is_alive()
    process.kill()
    return not alive


def tell(name: str, ours: float, theirs: float, unit: str = "s") -> None:
    print(f"{name:58} {ours:9.4f} {unit} / {theirs:9.4f} {unit} = {ours / theirs:6.2f}")


def build_over_mkdocs() -> None:
    """Our whole build (read, check, render, bundle from its cache, MkDocs, swap) over MkDocs alone on the same pages."""

    def ours() -> None:
        project = compendium.open_project(ROOT)
        checks.run(project, texts.read())
        site.build(ROOT)

    ours()
    with tempfile.TemporaryDirectory() as folder:
        command = [BIN / "mkdocs", "build", "--quiet", "--config-file", ROOT / "build" / "mkdocs.yml", "--site-dir", folder]
        tell("build / mkdocs build of the same pages", median(ours, 3), median(lambda: subprocess.run(command, check=True, capture_output=True), 3))


def check_over_check_jsonschema() -> None:
    """`rolotheque check` over check-jsonschema with the same schemas on the same files, one process for each kind of file."""
    data = ROOT / "data"
    files = {kind: sorted(data.glob(pattern)) for kind, pattern in KINDS.items()}
    known = {path for paths in files.values() for path in paths}
    files["table"] = sorted(set(data.rglob("*.yaml")) - known)

    def theirs() -> None:
        for kind, paths in files.items():
            subprocess.run([BIN / "check-jsonschema", "--schemafile", ROOT / "schemas" / f"{kind}.schema.json", *paths], check=True, capture_output=True)

    def ours() -> None:
        subprocess.run([BIN / "rolotheque", "check", "--project", ROOT], check=True, capture_output=True)

    tell("check / check-jsonschema on the same files", median(ours, 3), median(theirs, 3))


def dice_beside_others() -> None:
    """Exact odds of three pools beside two libraries in this interpreter.

    Three times: the first call of each; the steady state, where each remembers what it can; and ours made to work each
    time over the others' steady state.
    """
    for name, count, sides, kept in POOLS:
        whole = kept == count
        runs = {
            "ours": lambda c=count, s=sides, k=kept, w=whole: dice.pool(c, s) if w else dice.keep_highest(c, s, k),
            "icepool": lambda c=count, s=sides, k=kept: icepool.d(s).highest(c, k),
            "dyce": lambda c=count, s=sides, k=kept, w=whole: c @ dyce.H(s) if w else (c @ dyce.P(s)).at(slice(-k, None)),
        }
        worked = partial(dice.pool.__wrapped__, count, sides) if whole else partial(dice.keep_highest.__wrapped__, count, sides, kept)
        for library in ("icepool", "dyce"):
            if not ends_within(PATIENCE, runs[library]):
                print(f"{name} / {library}: no answer from {library} in {PATIENCE} s")
                runs.pop(library)
        first = {library: median(run, 1) * 1000 for library, run in runs.items()}
        steady = {library: median(run, 15) * 1000 for library, run in runs.items()}
        anew = median(worked, 15) * 1000
        for library in runs.keys() - {"ours"}:
            tell(f"{name}, first call / {library}", first["ours"], first[library], "ms")
            tell(f"{name}, steady / {library}", steady["ours"], steady[library], "ms")
            tell(f"{name}, worked out anew / {library}'s steady", anew, steady[library], "ms")


def answers_in_cpython(rules: dict, request: dict) -> float:
    """Return how many answers of the poison sheet a second CPython gives to the worker's own request, explanation included."""
    entry.load(bundle.rules_text(rules).decode())
    text = dumps(request)
    start = time.perf_counter()
    for _ in range(ANSWERS):
        entry.handle(text)
    return ANSWERS / (time.perf_counter() - start)


PAGE = """<!doctype html><html lang="fr"><head><meta charset="utf-8"></head><body></body></html>"""
BARE = """async (folder) => {
  const start = performance.now();
  const { loadPyodide } = await import(folder + 'pyodide.mjs');
  await loadPyodide({ indexURL: folder, packageBaseUrl: folder });
  return performance.now() - start;
}"""
WORKER = """async ([folder, request, times]) => {
  const start = performance.now();
  const { engine } = await import(folder + 'rules-engine.js');
  await engine.ask(request);
  const first = performance.now() - start;
  const begin = performance.now();
  for (let i = 0; i < times; i += 1) await engine.ask(request);
  return [first, (times * 1000) / (performance.now() - begin)];
}"""


def browser(rules: dict, request: dict) -> None:
    """Worker's start to first answer over the bare loadPyodide of the same runtime; answers a second in both."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "index.html").write_text(PAGE, encoding="utf-8")
        bundle.build(rules, folder / "calc", ROOT / "build" / "cache")
        shutil.copytree(ROOT / "node_modules" / "pyodide", folder / "bare")
        server = Server(folder)
        with sync_playwright() as playwright:
            launched = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)

            def fresh(script: str, argument: object) -> object:
                context = launched.new_context()
                page = context.new_page()
                page.goto(server.url + "index.html")
                value = page.evaluate(script, argument)
                context.close()
                return value

            bare = statistics.median(fresh(BARE, server.url + "bare/") for _ in range(3))
            runs = [fresh(WORKER, [server.url + "calc/", request, ANSWERS]) for _ in range(3)]
            launched.close()
        server.stop()
    tell("worker start to first answer / bare loadPyodide", statistics.median(run[0] for run in runs), bare, "ms")
    pyodide = statistics.median(run[1] for run in runs)
    tell("explained answers of the poison sheet: CPython / Pyodide", answers_in_cpython(rules, request), pyodide, "/s")


IMPORT = """
import sys, time
start = time.perf_counter()
import calculators.browser
imported = time.perf_counter()
calculators.browser.load(open(sys.argv[1], encoding="utf-8").read())
print((imported - start) * 1000, (time.perf_counter() - imported) * 1000)
"""


def import_in_pyodide(rules: dict) -> None:
    """Time to import the rules code and to load the rules: Pyodide under Node, from the archive, over CPython."""

    def milliseconds(*command: str | Path) -> list[float]:
        runs = [subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout.split() for _ in range(3)]
        return [statistics.median(map(float, column)) for column in zip(*runs, strict=True)]

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / bundle.build(rules, Path(name), ROOT / "build" / "cache").folder
        pyodide = milliseconds("node", ROOT / "tests" / "node" / "import-time.mjs", folder)
        cpython = milliseconds(sys.executable, "-c", IMPORT, folder / "rules.json")
    for what, ours, theirs in zip(("import of the rules code", "loading of the rules"), pyodide, cpython, strict=True):
        tell(f"{what}: Pyodide / CPython", ours, theirs, "ms")


def main() -> None:
    project = compendium.open_project(ROOT)
    rules = compendium.rules(project, texts.read())
    inputs = project.games["poisons"].questions["poison-sheet"]["examples"][0]["inputs"]
    dice_beside_others()
    check_over_check_jsonschema()
    build_over_mkdocs()
    import_in_pyodide(rules)
    browser(rules, {"op": "ask", "question": SHEET, "inputs": inputs})


if __name__ == "__main__":
    main()

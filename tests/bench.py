"""Speed, each as a ratio of medians measured in one run on the same machine: ``make bench``. Nothing here is asserted."""

import multiprocessing
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import dyce
import icepool
from playwright.sync_api import sync_playwright

from calculators import dice
from calculators.rulebook import Rulebook
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
    """Exact odds of three pools beside two libraries in this interpreter: the first call of each, then the steady state.

    Ours is timed without its memory of the last pools, which would only measure a look-up.
    """
    for name, count, sides, kept in POOLS:
        runs = {
            "ours": lambda c=count, s=sides, k=kept: dice.keep_highest.__wrapped__(c, s, k) if k < c else dice.pool.__wrapped__(c, s),
            "icepool": lambda c=count, s=sides, k=kept: icepool.d(s).highest(c, k),
            "dyce": lambda c=count, s=sides, k=kept: (c @ dyce.P(s)).at(slice(-k, None)) if k < c else c @ dyce.H(s),
        }
        for library in ("icepool", "dyce"):
            if not ends_within(PATIENCE, runs[library]):
                print(f"{name} / {library}: no answer from {library} in {PATIENCE} s")
                runs.pop(library)
        first = {library: median(run, 1) for library, run in runs.items()}
        steady = {library: median(run, 15) for library, run in runs.items()}
        for library in runs.keys() - {"ours"}:
            tell(f"{name}, first call / {library}", first["ours"] * 1000, first[library] * 1000, "ms")
            tell(f"{name}, steady / {library}", steady["ours"] * 1000, steady[library] * 1000, "ms")


def answers_in_cpython(rulebook: Rulebook, inputs: dict) -> float:
    """Return how many answers of the poison sheet a second CPython gives."""
    question = rulebook.question(SHEET)
    start = time.perf_counter()
    for _ in range(ANSWERS):
        question.answer(inputs)
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


def browser(rules: dict, inputs: dict, cpython: float) -> None:
    """Worker's start to first answer over the bare loadPyodide of the same runtime; answers a second in both."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "index.html").write_text(PAGE, encoding="utf-8")
        bundle.build(rules, folder / "calc", ROOT / "build" / "cache")
        shutil.copytree(ROOT / "node_modules" / "pyodide", folder / "bare")
        server = Server(folder)
        request = {"op": "ask", "question": SHEET, "inputs": inputs}
        with sync_playwright() as playwright:
            launched = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)

            def fresh(script: str, argument: object) -> object:
                context = launched.new_context()
                page = context.new_page()
                page.goto(server.origin + "/index.html")
                value = page.evaluate(script, argument)
                context.close()
                return value

            bare = statistics.median(fresh(BARE, server.origin + "/bare/") for _ in range(3))
            runs = [fresh(WORKER, [server.origin + "/calc/", request, ANSWERS]) for _ in range(3)]
            launched.close()
        server.stop()
    tell("worker start to first answer / bare loadPyodide", statistics.median(run[0] for run in runs), bare, "ms")
    pyodide = statistics.median(run[1] for run in runs)
    print(f"{'answers of the poison sheet a second: CPython, Pyodide':58} {cpython:9.0f}   / {pyodide:9.0f}   = {cpython / pyodide:6.2f}")


def import_in_pyodide(rules: dict) -> None:
    """Time of `import calculators.browser` and of loading the rules inside Pyodide under Node."""
    cache = ROOT / "build" / "cache"
    code = "import time; t = time.perf_counter(); import calculators.browser; print(time.perf_counter() - t)"
    with tempfile.TemporaryDirectory() as name:
        bundle.build(rules, Path(name), cache)
        script = ROOT / "tests" / "node" / "import-time.mjs"
        if script.is_file():
            done = subprocess.run(["node", script, name, code], check=True, capture_output=True, text=True)
            print(f"{'import of the rules code in Pyodide':58} {float(done.stdout.split()[-1]) * 1000:9.1f} ms")


def main() -> None:
    project = compendium.open_project(ROOT)
    rules = compendium.rules(project, texts.read())
    rulebook = Rulebook(rules)
    inputs = project.games["poisons"].questions["poison-sheet"]["examples"][0]["inputs"]
    dice_beside_others()
    check_over_check_jsonschema()
    build_over_mkdocs()
    import_in_pyodide(rules)
    browser(rules, inputs, answers_in_cpython(rulebook, inputs))


if __name__ == "__main__":
    main()

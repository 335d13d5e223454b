"""The bundle of the real project as the site ships it, and everything its worked examples ask of it."""

import json
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from generator import bundle, compendium, texts

PROJECT = Path(__file__).resolve().parent.parent
CACHE = PROJECT / "build" / "cache"
SEED = 7


@cache
def rules() -> dict:
    project = compendium.open_project(PROJECT)
    assert project.problems == []
    return compendium.rules(project, texts.read())


def build(out: Path) -> Path:
    """Make the bundle under *out* and return its folder."""
    return out / bundle.build(rules(), out, CACHE).folder


def requests() -> Iterator[tuple[str, str]]:
    """Every worked example, every calculator as printed and rolled, and what is badly asked: (game, request)."""
    for game, held in rules()["games"].items():
        for name, question in held["questions"].items():
            for example in question.get("examples", []):
                yield game, _text(op="ask", question=f"{game}/{name}", inputs=example.get("inputs", {}))
        for name, calculator in held["calculators"].items():
            asked = {"calculator": f"{game}/{name}", "inputs": calculator.get("start", {})}
            yield game, _text(op="answer", **asked)
            yield game, _text(op="roll-inputs", **asked, seed=SEED)
    for dice in ("2d6+1", "d100", "many", ""):
        yield "", _text(op="roll", dice=dice, seed=SEED)
    yield "", _text(op="ask", question="nobody/knows", inputs={})
    yield "", _text(op="dance")
    yield "", "{"


def ask(folder: Path, way: str, lines: list[str]) -> list[str]:
    """Ask the Python of *folder* under Node, started from its "archive" or its "snapshot"."""
    command = ["node", str(PROJECT / "tests" / "node" / "ask.mjs"), str(folder), way]
    text = "".join(f"{line}\n" for line in lines)
    return subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=True).stdout.splitlines()


def _text(**request: object) -> str:
    return json.dumps(request, ensure_ascii=False)

"""The same rules code gives the same bytes in CPython and in the Python that the site ships."""

import json
from collections import Counter
from pathlib import Path

import pytest
import shipped

from calculators import browser

WAYS = ("archive", "snapshot")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shipped.build(tmp_path_factory.mktemp("shipped"))


@pytest.mark.parametrize("way", WAYS)
def test_every_example_is_answered_alike(way: str, folder: Path, capsys: pytest.CaptureFixture) -> None:
    games, lines = zip(*shipped.requests(), strict=True)
    browser.load(json.dumps(shipped.rules(), ensure_ascii=False))
    expected = [browser.handle(line) for line in lines]
    found = shipped.ask(folder, way, list(lines))
    different = [trio for trio in zip(lines, expected, found, strict=True) if trio[1] != trio[2]]
    with capsys.disabled():
        counts = ", ".join(f"{game or '-'} {count}" for game, count in Counter(games).items())
        print(f"\nPyodide from its {way} answers as CPython does, {len(lines) - len(different)}/{len(lines)}: {counts}")

    assert different[:3] == []


@pytest.mark.parametrize("way", WAYS)
def test_every_start_rolls_its_own_dice(way: str, folder: Path) -> None:
    request = json.dumps({"op": "roll", "dice": "20d1000", "seed": None})
    rolls = {shipped.ask(folder, way, [request])[0] for _ in range(2)}

    assert len(rolls) == 2

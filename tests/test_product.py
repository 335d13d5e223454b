"""The whole product: a changed figure is followed everywhere, a sixth game is YAML alone, builds are safe and repeat."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from calculators import browser
from generator import cli, compendium, site, texts

ROOT = Path(__file__).parent.parent
SIXTH = ROOT / "tests" / "fixtures" / "sixth"

pytestmark = pytest.mark.slow


def copy_of(root, games=None):
    """Copy the project's data and sources to *root*, all its games or only the ones named."""
    for folder in ("data", "site_src"):
        shutil.copytree(ROOT / folder, root / folder)
    shutil.copy(ROOT / "mkdocs.yml", root)
    for folder in (root / "data").iterdir():
        if games is not None and folder.name not in games:
            shutil.rmtree(folder)
            shutil.rmtree(root / "site_src" / folder.name)
    return root


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert len(re.findall(old, text)) == 1, (old, path)
    path.write_text(re.sub(old, new, text), encoding="utf-8")


def ask(root, question, inputs):
    """Ask through the command line, as JSON; the data's own worked examples may be wrong now, `ask` does not prove them."""
    arguments = ["ask", question, "--project", str(root), "--json", json.dumps(inputs), "--format", "json"]
    return json.loads(CliRunner().invoke(cli.main, arguments).output)


def ask_in_browser_code(root, question, inputs):
    """Ask through what the browser loads: rules.json and the worker's one function."""
    browser.load(json.dumps(compendium.rules(compendium.open_project(root), texts.read())))
    return json.loads(browser.handle(json.dumps({"op": "ask", "question": question, "inputs": inputs})))


def page_row(root, page, row):
    """Return the text of a table's row in a built page."""
    html = (root / "site" / page / "index.html").read_text(encoding="utf-8")
    found = re.search(rf'<tr[^>]*\bid="{row}".*?</tr>', html, re.S)
    assert found, (page, row)
    return re.sub(r"<[^>]+>", " ", found[0])


def published(root, path):
    return json.loads((root / "site" / "api" / "v1" / path).read_text(encoding="utf-8"))


def test_a_tier_bound_changed_in_yaml_is_followed_everywhere(tmp_path):
    root = copy_of(tmp_path, {"ile-au-tresor"})
    inputs = {"dice": [5, 4], "trait": 2}
    assert ask(root, "ile-au-tresor/roll-result", inputs)["outputs"]["tier"] == "succes-complet"

    tiers = root / "data" / "ile-au-tresor" / "tiers.yaml"
    edit(tiers, r"max: 10\b", "max: 11")
    edit(tiers, r"min: 11\b", "min: 12")
    site.build(root, runtime=False)

    assert ask(root, "ile-au-tresor/roll-result", inputs)["outputs"]["tier"] == "succes-partiel"
    assert ask_in_browser_code(root, "ile-au-tresor/roll-result", inputs)["outputs"]["tier"] == "succes-partiel"
    assert "12" in page_row(root, "ile-au-tresor/resolution", "tiers-succes-complet")
    assert published(root, "ile-au-tresor/tiers/succes-complet.json")["min"] == 12


def test_a_capacity_cap_changed_in_yaml_is_followed_everywhere(tmp_path):
    root = copy_of(tmp_path, {"poisons"})
    inputs = {"fd": 2, "degrees": 6, "capacities": {"virulence": 3}}
    assert "outputs" in ask(root, "poisons/poison-sheet", inputs)

    edit(root / "data" / "poisons" / "capacities.yaml", r"(?m)^(  virulence: .*? takes: )3,", r"\g<1>2,")
    site.build(root, runtime=False)

    for answer in (ask(root, "poisons/poison-sheet", inputs), ask_in_browser_code(root, "poisons/poison-sheet", inputs)):
        assert answer["error"]["code"] == "cap-exceeded"
        assert answer["error"]["facts"]["max"] == 2
    assert published(root, "poisons/capacities/virulence.json")["takes"] == 2
    page = (root / "site" / "poisons" / "capacities" / "virulence" / "index.html").read_text(encoding="utf-8")
    assert re.search(r"<dt>Prises au plus</dt>\s*<dd>2</dd>", page)


def test_a_sixth_game_is_yaml_alone(tmp_path):
    root = copy_of(tmp_path, set())
    shutil.copytree(SIXTH, root, dirs_exist_ok=True)

    proved = CliRunner().invoke(cli.main, ["check", "--project", str(root)])
    assert proved.exit_code == 0, proved.output
    site.build(root, runtime=False)

    page = (root / "site" / "ferme" / "champ" / "index.html").read_text(encoding="utf-8")
    assert page.count("<rule-calculator") == 2
    assert "Grelot" in page_row(root, "ferme/champ", "parts-grelot")
    assert "La Ferme des dés" in (root / "site" / "index.html").read_text(encoding="utf-8")
    assert "Dresser l’épouvantail" in (root / "site" / "calculateurs" / "index.html").read_text(encoding="utf-8")
    assert published(root, "ferme/harvests/index.json")["count"] == 3
    assert ask(root, "ferme/scarecrow", {"coins": 5, "parts": {"grelot": 2}})["outputs"] == {"fear": 6, "left": 1}


def digest(folder):
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def test_building_twice_gives_the_same_bytes(tmp_path):
    first, second = copy_of(tmp_path / "one", {"equipement"}), copy_of(tmp_path / "two", {"equipement"})
    site.build(first, runtime=False)
    time.sleep(1.1)  # the clock of a zip or of a file must not show
    site.build(second, runtime=False)

    assert digest(first / "site") == digest(second / "site")


@pytest.mark.parametrize("seconds", [1.0, 2.5, 4.0])
def test_a_build_killed_half_way_leaves_the_last_good_site(tmp_path, seconds):
    root = copy_of(tmp_path, {"equipement"})
    site.build(root, runtime=False)
    before = digest(root / "site")
    chapter = root / "site_src" / "equipement" / "index.md"
    chapter.write_text(chapter.read_text(encoding="utf-8") + "\nUne phrase de plus.\n", encoding="utf-8")

    code = "import sys; from pathlib import Path; from generator import site; site.build(Path(sys.argv[1]), runtime=False)"
    process = subprocess.Popen([sys.executable, "-c", code, str(root)], cwd=ROOT, start_new_session=True)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    left = digest(root / "site")
    site.build(root, runtime=False)

    # The old site whole, or the new one whole: nothing between.
    assert left in (before, digest(root / "site"))
    assert "Une phrase de plus." in (root / "site" / "equipement" / "index.html").read_text(encoding="utf-8")

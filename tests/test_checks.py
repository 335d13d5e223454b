"""Checks: each mistake an author can make is found, at its place, in a sentence that says what to do."""

import errno
import re
import shutil
import time
from pathlib import Path

import pytest
from conftest import FIXTURES, ROOT

from calculators.rulebook import Fault
from generator import answers, checks, compendium, load, texts
from generator.records import Game

FILES = sorted((FIXTURES / "checks").glob("*.yaml"))
CASES = {f"{file.stem}/{name}": case for file in FILES for name, case in load.read(file, FIXTURES).value.items()}
CODES = {code for code in texts.read()["problems"] if not code.startswith(("word-", "hint-"))}

# Codes no data can bring about today, each with its reason; one that is met must leave the list.
UNMET = {
    "step-work": "the schema says it first",
    "unknown-mechanism": "the schema says it first",
    "mechanism-parameters": "the schema says it first",
    "unknown-parameter": "the schema says it first",
    "missing-parameter": "the schema says it first",
    "question-shape": "the schema says it first",
    "formula-too-long": "the schema says it first",
    "formula-too-deep": "tests of the formula language bring it about",
    "formula-fault": "for a fault the texts do not know: test_a_fault_without_a_sentence_is_still_told",
    "yaml-syntax": "for what the parser may say one day",
}


def code_of(line):
    return re.search(r"\[([a-z0-9-]+)\]$", line)[1]


def spoil(small, case):
    for edit in case["edits"]:
        if "old" in edit:
            small.edit(edit["file"], edit["old"], edit["new"])
        else:
            small.write(edit["file"], edit["new"])


def test_the_small_project_has_no_problem(small):
    assert small.problems() == []


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_mistake_is_told(small, case):
    spoil(small, case)

    assert small.problems() == case["expected"]


@pytest.mark.parametrize("check", checks.CHECKS, ids=lambda check: check.name)
def test_each_check_can_fail(small, check):
    case = next(iter(load.read(FIXTURES / "checks" / f"{check.name}.yaml", FIXTURES).value.values()))
    spoil(small, case)

    found = [str(problem) for problem in check.check(small.open(), texts.read())]

    assert found
    assert set(found) <= set(case["expected"])


def test_each_sentence_is_met_by_a_case():
    met = {code_of(line) for case in CASES.values() for line in case["expected"]}
    met |= {code_of(line) for case in load.read(FIXTURES / "load.yaml", FIXTURES).value.values() for line in case["expected"]}
    tests = "".join((ROOT / "tests" / f"test_{name}.py").read_text(encoding="utf-8") for name in ("load", "checks"))
    met |= {code for code in CODES if f'"{code}"' in tests.replace(f'"{code}": "', "") or f"[{code}]" in tests}

    assert CODES - met == UNMET.keys()


def test_one_run_tells_a_mistake_of_each_kind(small):
    small.edit("data/auberge/game.yaml", "short: Auberge", "shrt: Auberge")
    small.edit("data/auberge/tiers.yaml", "min: 7, max: 9", "min: 6, max: 8")
    small.edit("data/auberge/wheel.yaml", "62.5", "60")
    small.edit("data/auberge/wheel.yaml", "tier: reussi", "tier: parfait")
    small.edit("data/auberge/constants.yaml", "value: 2}", "value: deux}")
    small.write("data/auberge/foods.yaml", "title: Les plats\nkind list\n")
    small.write("data/auberge/interpretations-2.yaml", "AUB-A02: {kind: missing}\nAUB-A02: {kind: missing}\n")
    small.write(
        "data/auberge/questions/salle.yaml",
        """\
roll-result:
  title: Encore
  summary: Un identifiant déjà pris.
  chapter: jets
  inputs: {}
  outputs: {}
double:
  title: Le double
  summary: Deux fois le nombre.
  chapter: salle
  inputs: {number: {label: Nombre, kind: integer}}
  steps: {twice: {label: Double, formula: number * 2}}
  outputs: {twice: {label: Double, kind: integer}}
  examples: [{inputs: {number: 2}, expected: {twice: 5}}]
half:
  title: La moitié
  summary: Le nombre coupé en deux.
  chapter: salle
  inputs: {number: {label: Nombre, kind: integer}}
  steps: {half: {label: Moitié, formula: (number / 2}}
  outputs: {half: {label: Moitié, kind: number}}
  examples: [{inputs: {number: 2}, expected: {half: 1}}]
""",
    )
    small.edit("data/auberge/calculators.yaml", "[roll-result]", "[roll-result, double, half]")

    assert [(line.split(": ")[0], code_of(line)) for line in small.problems()] == [
        ("data/auberge/constants.yaml:8:34", "wrong-type"),
        ("data/auberge/foods.yaml:2:1", "yaml-missing-colon"),
        ("data/auberge/game.yaml:3:1", "unknown-key"),
        ("data/auberge/interpretations-2.yaml:1:1", "missing-keys"),
        ("data/auberge/interpretations-2.yaml:2:1", "duplicate-key"),
        ("data/auberge/questions/salle.yaml:1:1", "duplicate-id"),
        ("data/auberge/questions/salle.yaml:14:54", "wrong-example"),
        ("data/auberge/questions/salle.yaml:20:42", "formula-syntax"),
        ("data/auberge/tiers.yaml:12:39", "bands-overlap"),
        ("data/auberge/tiers.yaml:13:31", "bands-hole"),
        ("data/auberge/wheel.yaml:8:1", "percent-missing"),
        ("data/auberge/wheel.yaml:10:53", "unknown-record"),
    ]


def test_a_crash_of_a_check_does_not_hide_the_others(small, monkeypatch):
    monkeypatch.setattr(checks.ranges, "check", lambda project, texts: 1 / 0)
    small.edit("data/auberge/wheel.yaml", "62.5", "62")

    missing, crash = small.problems()

    assert code_of(missing) == "percent-missing"
    assert code_of(crash) == "check-crash"
    assert crash.startswith("generator/checks/ranges.py:1:1: ")
    assert "(ZeroDivisionError: division by zero)" in crash


def test_an_example_that_breaks_the_rules_code_is_told(small, monkeypatch):
    book = answers.rulebook(project := small.open())
    monkeypatch.setattr(book, "ask", lambda *_, **__: {}["outputs"])

    found = [code_of(str(problem)) for problem in checks.run(project, texts.read())]

    assert found == ["example-crash", "example-crash"]


def test_a_fault_without_a_sentence_is_still_told(small, monkeypatch):
    book = answers.rulebook(project := small.open())

    monkeypatch.setattr(book, "faults", lambda _: [Fault(("steps", "total"), "too-strange", {"found": "x"})])

    assert [str(problem) for problem in checks.run(project, texts.read())] == [
        "data/auberge/questions/jets.yaml:10:12: Cette question ne peut pas être calculée (too-strange ; found = x). Corrigez ce passage. [too-strange]"
    ]


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({}, "no-data"),
        ({"data/vide/brouillon.txt": "x"}, "unknown-file"),
    ],
)
def test_folders_without_a_game(tmp_path, files, code):
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(text)

    assert code in {problem.code for problem in compendium.open_project(tmp_path).problems}


def test_a_folder_that_cannot_be_read_is_one_problem(small):
    folder = small.root / "site_src" / "auberge"
    shutil.rmtree(folder)
    folder.write_text("x")

    assert small.problems() == [
        "site_src/auberge:1:1: «\u202fauberge\u202f» ne peut pas être lu (ce n’est pas un dossier). Vérifiez ses droits d’accès. [unreadable]"
    ]


@pytest.mark.parametrize("folder", ["data", "data/auberge", "data/auberge/questions", "site_src/auberge"])
def test_a_folder_that_is_forbidden_is_one_problem(small, monkeypatch, folder):
    listed = Path.iterdir

    def refused(path):
        if path == small.root / folder:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", refused)

    (line,) = small.problems()

    assert line.startswith(f"{folder}:1:1: ") and "(accès refusé)" in line and code_of(line) == "unreadable"


@pytest.mark.parametrize("line_end", [b"\r\n", b"\r"])
def test_line_ends_of_another_system(small, line_end):
    for path in [*small.root.rglob("*.yaml"), *small.root.rglob("*.md")]:
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", line_end))

    assert small.problems() == []


def test_a_game_without_its_presentation(small):
    (small.root / "site_src" / "auberge" / "index.md").unlink()

    (line,) = small.problems()

    assert line.startswith("data/auberge/game.yaml:1:1: ") and code_of(line) == "no-index-file"


def test_links_are_never_followed(small, tmp_path):
    outside = tmp_path / "ailleurs"
    outside.mkdir()
    (outside / "x.yaml").write_text("title: secret\n")
    (outside / "game.yaml").write_text("id: secret\n")
    data, site = small.root / "data", small.root / "site_src"
    (data / "lien").symlink_to(outside)
    (data / "auberge" / "foods.yaml").symlink_to(outside / "x.yaml")
    (data / "auberge" / "questions" / "x.yaml").symlink_to(outside / "x.yaml")
    (data / "auberge" / "autres").symlink_to(outside)
    (site / "auberge" / "salle.md").unlink()
    (site / "auberge" / "salle.md").symlink_to(outside / "x.yaml")
    (site / "assets" / "emblems" / "auberge.svg").unlink()
    (site / "assets" / "emblems" / "auberge.svg").symlink_to(outside / "x.yaml")

    project = small.open()

    assert [(problem.path, problem.code) for problem in project.problems] == [
        ("data/auberge/autres", "symlink"),
        ("data/auberge/foods.yaml", "symlink"),
        ("data/auberge/questions/x.yaml", "symlink"),
        ("data/lien", "symlink"),
        ("site_src/auberge/salle.md", "symlink"),
    ]
    assert project.emblems == frozenset()
    assert "secret" not in str(compendium.rules(project, {}))


def test_invisible_characters_of_a_chapter(small):
    small.edit("site_src/auberge/salle.md", "La roue tourne", "La roue\x07 tourne")

    assert small.problems() == [
        "site_src/auberge/salle.md:9:20: Un caractère invisible (U+0007) se trouve ici. Effacez-le et retapez le texte autour. [control-character]"
    ]


def test_a_linked_data_folder_is_no_data(tmp_path):
    (tmp_path / "data").symlink_to(FIXTURES / "project" / "data")

    assert [problem.code for problem in compendium.open_project(tmp_path).problems] == ["no-data"]


def test_desktop_files_are_left_alone_and_hidden_data_is_not(small):
    small.write("data/.DS_Store", "x")
    small.write("data/auberge/.gitkeep", "")
    small.write("data/auberge/.tiers.yaml", "a: 1\n")

    assert [(problem.path, problem.code) for problem in small.open().problems] == [("data/auberge/.tiers.yaml", "unknown-file")]


def test_what_is_broken_is_not_also_missing(small):
    """A table that cannot be read is one problem, not one more for each thing that names it."""
    small.edit("data/auberge/tiers.yaml", "title: Les trois paliers", "title: [x")

    assert {problem.split(":")[0] for problem in small.problems()} == {"data/auberge/tiers.yaml"}


def test_rules_are_plain_json_values(small):
    project = small.open()

    rules = compendium.rules(project, {"problems": {"a": "b"}, "notation": {"and": "et"}})

    assert rules["texts"] == {"notation": {"and": "et"}}
    game = rules["games"]["auberge"]
    assert list(game) == ["title", "tables", "questions", "calculators", "interpretations"]
    assert game["tables"]["loads"]["records"] == {
        "legere": {"name": "Légère", "max": "5/2", "mood": "gaie"},
        "lourde": {"name": "Lourde", "max": None, "mood": "sombre"},
    }
    assert game["tables"]["wheel"]["records"]["tournee"] == {"name": "Une tournée", "percent": "75/2", "tier": "reussi"}
    assert {key: value for key, value in game["tables"]["tiers"].items() if key not in ("columns", "records")} == {
        "title": "Les trois paliers",
        "kind": "bands",
        "continuous": False,
        "name_label": "Palier",
        "chapter": "jets#paliers",
    }
    assert game["interpretations"]["AUB-A01"] == {
        "title": "Le prix du tout juste",
        "open": "Le carnet ne dit pas qui choisit le prix.",
        "readings": {"a": "Le meneur choisit.", "b": "Le joueur choisit."},
        "adopted": "a",
    }


def test_places_of_the_data(small):
    game = small.open().games["auberge"]

    assert isinstance(game, Game)
    assert game.where("tiers", "reussi", "min") == ("data/auberge/tiers.yaml", 13, 31)
    assert game.where("tiers") == ("data/auberge/tiers.yaml", 1, 1)
    assert game.where("game", "colour") == ("data/auberge/game.yaml", 6, 9)
    assert game.where("questions", "roll-result", "steps", "total") == ("data/auberge/questions/jets.yaml", 10, 12)


def test_a_fact_of_a_message_is_never_interpreted(small):
    small.edit("data/auberge/tiers.yaml", "answer: Non}", 'answer: Non, "{0.__class__}": 1}')

    (line,) = small.problems()

    assert "La clé «\u202f{0.__class__}\u202f» n’est pas prévue ici." in line


def test_two_games_with_one_title(small):
    for folder in ("data", "site_src"):
        for path in sorted((small.root / folder / "auberge").rglob("*.*")):
            text = path.read_text(encoding="utf-8").replace("id: auberge", "id: taverne").replace("short: Auberge", "short: Taverne")
            small.write(str(path.relative_to(small.root)).replace("auberge", "taverne"), text)

    (line,) = small.problems()

    assert line.startswith("data/taverne/game.yaml:2:8: ")
    assert code_of(line) == "same-title"


def test_an_input_fed_by_another_answer_may_be_of_another_kind(small):
    case = CASES["signatures/kinds-differ"]
    for edit in case["edits"]:
        small.edit(edit["file"], edit["old"], edit["new"])
    small.edit("data/auberge/calculators.yaml", "start:", "feeds: {roll-again.trait: roll-result.tier}\n  start:")

    assert small.problems() == []


def test_a_text_too_long(small):
    small.edit("data/auberge/tiers.yaml", "answer: Non}", f"answer: N{'o' * 1000}n}}")

    assert small.problems() == ["data/auberge/tiers.yaml:11:49: Il en faut au plus 1000, et on en compte 1002. Raccourcissez. [too-full]"]


def test_a_chapter_with_a_line_without_end(small):
    small.edit("site_src/auberge/salle.md", "## La roue", "x" + " " * 200_000 + "## La roue")

    assert small.problems() == ["site_src/auberge/salle.md:7:1: Cette ligne dépasse 5000 caractères. Coupez-la en plusieurs paragraphes. [long-line]"]


def test_very_many_mistakes_are_told_in_part_and_quickly(small):
    records = "".join(f"  r{place}: {{name: N{place}, tier: t{place}}}\n" for place in range(3000))
    small.write(
        "data/auberge/foods.yaml",
        "title: Les plats\nkind: list\nsource: {document: carnet, section: Page 3}\nchapter: salle\n"
        f"columns:\n  tier: {{label: Palier, kind: reference, table: foods}}\nrecords:\n{records}",
    )
    start = time.process_time()
    found = small.problems()

    assert time.process_time() - start < 10
    assert (len(found), code_of(found[-1])) == (501, "unknown-record")
    assert sum(code_of(line) == "too-many" for line in found) == 1


def test_names_in_every_record_are_told_once(small):
    """A column misspelt, in its declaration or everywhere else, is one problem and not one for each record."""
    small.edit("data/auberge/tiers.yaml", "  answer: {label", "  anwser: {label")

    (line,) = small.problems()

    assert code_of(line) == "column-misspelt"


def test_a_formula_that_fails_in_every_example_is_told_once(small):
    small.edit("data/auberge/questions/jets.yaml", "bands: {table: tiers, value: total}", 'formula: "dice[9]"')
    small.edit(
        "data/auberge/questions/jets.yaml",
        "- {id: fier, inputs: {dice: [3, 4], trait: 5}",
        "- {inputs: {dice: [1, 4]}, expected: {total: 5}}\n    - {id: fier, inputs: {dice: [3, 4], trait: 5}",
    )

    (line,) = small.problems()

    assert "échoue, car la liste a moins d’éléments." in line and "Autres exemples dans ce cas\u00a0: 1." in line
    assert code_of(line) == "example-cannot"


def test_all_that_is_wrong_in_one_question_is_told_at_once(small):
    small.edit("data/auberge/questions/jets.yaml", "interpretations: [AUB-A01]", "interpretations: [AUB-A09]")
    small.edit("data/auberge/questions/jets.yaml", "default: 0}", "defalt: 0}")
    small.edit("data/auberge/questions/jets.yaml", "{label: Palier, bands", "{lable: Palier, bands")
    small.edit("data/auberge/questions/jets.yaml", "sum(dice) + trait", "sum(dice) + * trait")
    small.edit("data/auberge/questions/jets.yaml", "when: trait > 4", "when: trai > 4")
    small.edit("data/auberge/questions/jets.yaml", "kind: choice, table: tiers", "kind: chioce, table: tier")
    small.edit("data/auberge/questions/jets.yaml", "facts: {trait: trait}", "facts: [trait]")

    assert [(line.split(": ")[0].rpartition("jets.yaml:")[2], code_of(line)) for line in small.problems()] == [
        ("5:21", "unknown-interpretation"),
        ("8:59", "unknown-key"),
        ("10:48", "formula-syntax"),
        ("11:12", "unknown-key"),
        ("13:48", "wrong-type"),
        ("16:33", "not-a-choice"),
        ("16:48", "unknown-table"),
    ]

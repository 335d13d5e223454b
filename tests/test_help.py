"""The help for authors: what it shows works as it is written, and it leaves out nothing an author needs."""

import re

import pytest
from conftest import ROOT, SmallProject

from calculators.functions import FUNCTIONS
from calculators.inputs import KINDS
from calculators.mechanisms import MECHANISMS
from generator import schema

HELP = (ROOT / "site_src" / "aide" / "contribuer.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```yaml\n(.*?)```", HELP, re.DOTALL)
# Each file of the game shown, and how its block starts; a question and its refusals are two blocks.
FILES = {
    "data/mon-jeu/game.yaml": ["id: mon-jeu", "terms:"],
    "data/mon-jeu/weapons.yaml": ["title: Les armes"],
    "data/mon-jeu/tiers.yaml": ["title: Les paliers"],
    "data/mon-jeu/glossary.yaml": ["title: Les mots"],
    "data/mon-jeu/handouts.yaml": ["ecran:"],
    "data/mon-jeu/questions/combat.yaml": ["attack:", "  refusals:", "share:", "attack-odds:"],
    "data/mon-jeu/calculators.yaml": ["attaque:"],
    "data/mon-jeu/interpretations.yaml": ["MON-A01:"],
    "data/mon-jeu/entries.yaml": ["mon-attaque:"],
}
CHAPTER = """\
# Le combat

## Les armes {: #armes }

::: table weapons

La [dague](ref:weapons/dague) est courte.

## Attaquer {: #attaque }

[#mon-attaque] On touche quand on atteint l’armure[?MON-A01] ; voyez [ce jet](calc:attaque?bonus=2) et [les armes](page:combat#armes).

::: calculator attaque

## Le butin {: #butin }

## Les mots {: #mots }

::: table glossary
"""
# The help places one question; the others are asked here.
OTHERS = """\
autres:
  title: Les autres questions
  summary: Celles que l’aide ne place pas.
  chapter: combat#butin
  does: [plan]
  questions: [share, attack-odds, training]
"""


def block(start):
    (found,) = [text for text in BLOCKS if text.startswith(start)]
    return found


@pytest.fixture
def shown(tmp_path):
    """The game that the help shows, as an author would copy it."""
    project = SmallProject(tmp_path)
    for path, starts in FILES.items():
        project.write(path, "".join(map(block, starts)))
    calculators = project.root / "data/mon-jeu/calculators.yaml"
    project.write("data/mon-jeu/calculators.yaml", calculators.read_text(encoding="utf-8") + OTHERS)
    project.write("site_src/mon-jeu/index.md", "# Mon jeu\n")
    project.write("site_src/mon-jeu/combat.md", CHAPTER)
    project.write("site_src/assets/emblems/mon-jeu.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 7L7 1"/></svg>')
    return project


def test_the_game_of_the_help_has_no_problem(shown):
    assert shown.problems() == []


def test_a_record_of_the_help_fits_its_table(shown):
    shown.edit("data/mon-jeu/weapons.yaml", "range: 3}", "range: 3, formerly: [couteau]}")

    assert "formerly: [couteau]" in HELP
    assert shown.problems() == []


def test_the_mistakes_of_the_help_are_told_as_it_says(shown):
    shown.edit("data/mon-jeu/weapons.yaml", "range: 3}", "range: trois}")
    shown.edit("data/mon-jeu/questions/combat.yaml", "total >= armour", "total ≥ armour")
    (told,) = re.findall(r"```\n(data/.*?)```", HELP, re.DOTALL)

    assert [problem.replace("\u202f", " ").replace("\u00a0", " ") for problem in shown.problems()] == told.splitlines()


USES = schema.read("calculators")["additionalProperties"]["properties"]["does"]["items"]["enum"]
SHOWN = schema.read("questions")["$defs"]["output"]["properties"]["kind"]["enum"]


@pytest.mark.parametrize("name", [*FUNCTIONS, *KINDS, *USES, *SHOWN, *MECHANISMS, *schema.read("table")["$defs"]["column"]["properties"]["kind"]["enum"]])
def test_the_help_names_every_function_and_nature(name):
    assert re.search(rf"`{name}[`(]", HELP)

"""Terms: the words of a game explain themselves at their first use in a section, and ordinary words are left alone."""

import re
import time
from dataclasses import replace

import pytest
from test_pages import Page, render

from generator.terms import Lexicon

SLOW = 5  # seconds: a hundred times what these take, and a tenth of what reading a text over and over would

WORDS = """\
title: Les mots
kind: list
source: {document: carnet, section: Page 1}
chapter: salle
columns:
  long: {label: En clair, kind: text, optional: true, hint: true}
  definition: {label: Sens, kind: prose, optional: true, hint: true}
records:
  pv: {name: PV, long: points de vie, definition: Ce qui reste de santé.}
  aura: {name: Aura, definition: Un charme posé sur une arme.}
  effet-d-arme: {name: Effet d’arme, definition: Ce que fait une arme., aliases: [effets classiques]}
  force: {name: Force, definition: La vigueur.}
  temps: {name: Temps, definition: Un effet qui suspend., aliases: [suspension]}
  a: {name: A, definition: Une action.}
  d6: {name: D6, definition: Un dé.}
  maximum: {name: PV max, definition: Le plus qu’on ait.}
  boss: {name: Boss, definition: Le dernier ennemi.}
  prix: {name: Prix, definition: Ce qu’on paie.}
  famille: {name: "Famille de…", definition: Un groupe.}
"""
TERMS = "terms:\n  tables: [words]\n  ordinary: [temps, Temps, force, forces]\n"


@pytest.fixture
def worded(small):
    small.write("data/auberge/words.yaml", WORDS)
    small.edit("data/auberge/game.yaml", "id: auberge", TERMS + "id: auberge")
    assert small.problems() == []
    return small


def told(worded, prose):
    """Return the words that *prose*, a chapter under its title, explains, as the page shows them."""
    worded.write("site_src/auberge/jets.md", f"# Les jets\n\n{prose}\n")
    page = Page(render(worded.open())["auberge/jets.md"])
    return [(slug(link["href"]), link["title"]) for link in page.all("a", class_="rl-term")]


def slug(href):
    return re.split("[/#]", href.removesuffix(".md").removesuffix("/"))[-1]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Il perd 2 PV.", ["PV"]),
        ("Une aura, des auras, l’aura.", ["aura", "auras", "aura"]),
        ("Aura de feu", ["Aura"]),
        ("Des effets d’armes et un effet\u00a0d'arme", ["effets d’armes", "effet\u00a0d'arme"]),
        ("les effets classiques", ["effets classiques"]),
        ("la Force de Hugo", ["Force"]),
        ("à force de temps, les forces du Temps", []),
        ("la suspension", ["suspension"]),
        ("un pv, des PVs, un PV-1, restaura, auras-tu", []),
        ("A, D6, Famille de loups", []),
        ("`PV` reste du code", ["PV"]),  # code is cut out before words are looked for
        ("les PV max et le PV", ["PV max", "PV"]),  # the longer name, whichever is in capitals
        ("un boss, deux boss, mais bo et bos", ["boss", "boss"]),  # "ss" is no plural
        ("le prix pris", ["prix"]),
        ("une \u017fuspension", []),  # a long s is an s to who ignores capitals, and in no name
        ("[PV](https://exemple.test/PV) <span title='PV'> {: .PV } https://exemple.test/PV &PV;", []),
    ],
)
def test_the_words_of_a_game_are_found_in_text(worded, text, found):
    lexicon = Lexicon(worded.open().games["auberge"])

    assert [part.text for part in lexicon.split(text) if not isinstance(part, str)] == found
    assert "".join(part if isinstance(part, str) else part.text for part in lexicon.split(text)) == text


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        ("Deux PV, trois PV.\n\nEt des PV.", ["pv"]),
        ("Deux PV.\n\n## La suite {: #suite }\n\nTrois PV, quatre PV.", ["pv", "pv"]),
        ("## Les PV {: #titre }\n\nOn les compte.", []),
        ("`2 PV` et [les PV](ref:words/pv), puis des PV.", []),
        ("Des PV, puis [les PV](ref:words/pv).", ["pv"]),
        ("```\nPV\n```", []),
        ('!!! note "PV"\n\n    Une aura.', ["aura"]),
        ("Une **aura** et des PV[?AUB-A01] : [#paliers] une aura.", ["aura", "pv"]),
    ],
)
def test_a_word_is_explained_once_in_a_section_of_a_chapter(worded, prose, found):
    assert [name for name, _ in told(worded, prose)] == found


def test_what_is_said_of_a_word(worded):
    assert told(worded, "Des PV et une aura.") == [("pv", "points de vie — Ce qui reste de santé."), ("aura", "Un charme posé sur une arme.")]


def test_a_page_does_not_explain_the_words_it_tells(worded):
    worded.write("site_src/auberge/salle.md", "# La salle\n\nDes PV, une aura.\n\n::: table words\n")

    assert Page(render(worded.open())["auberge/salle.md"]).all("a", class_="rl-term") == []


def test_the_cells_of_a_table_are_text_too(worded):
    worded.edit("data/auberge/tiers.yaml", 'answer: "Oui, mais"', "answer: 'Oui pour 1 PV, <b>PV</b>'")
    page = Page(render(worded.open())["auberge/jets.md"])

    (link,) = page.all("a", class_="rl-term")
    assert slug(link["href"]) == "pv"
    assert "1 PV, <b>PV</b>" in re.sub("[\u00a0\u202f]", " ", page.text)


def test_without_terms_nothing_is_explained(small):
    assert list(Lexicon(small.open().games["auberge"]).split("PV et une aura")) == ["PV et une aura"]


@pytest.mark.parametrize("piece", ["a", "<", "[", "{", "[a](", "[a](((", "&a", "PV ", "-"])
def test_a_text_of_any_length_is_read_once(worded, piece):
    lexicon = Lexicon(worded.open().games["auberge"])
    start = time.perf_counter()
    for _ in lexicon.split(piece * (100_000 // len(piece))):
        pass

    assert time.perf_counter() - start < SLOW


def test_ten_thousand_words_are_looked_for_as_fast_as_ten(small):
    letters = "abcdefghij"
    names = ["".join(letters[int(digit)] for digit in f"{number:04}") for number in range(10_000)]
    game = small.open().games["auberge"]
    table = replace(game.tables["tiers"], records={name: {"name": name} for name in names})
    many = replace(game, info={**game.info, "terms": {"tables": ["tiers"]}}, tables={"tiers": table})
    start = time.perf_counter()
    found = [part.text for part in Lexicon(many).split("klm nop qrs " * 8_000 + "jjjj") if not isinstance(part, str)]

    assert found == ["jjjj"]
    assert time.perf_counter() - start < SLOW


REVIEWED = {
    "legends-and-bonk": "temps Temps force forces vitesse fou aide avantage poison sort catégories",
    "ile-au-tresor": "mental physique social",
}


@pytest.mark.parametrize("game", REVIEWED)
def test_ordinary_words_of_the_real_games_are_never_explained(project, game):
    lexicon = Lexicon(project.games[game])

    for word in REVIEWED[game].split():
        assert list(lexicon.split(word)) == [word], word
    assert any(not isinstance(part, str) for part in lexicon.split("PV Mental"))

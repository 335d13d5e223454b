"""Handouts: sheets to print come from the tables, keep what was asked of them, and are reached from where one looks."""

import re

import pytest
from test_pages import HOSTILE, Page, render

from generator import compendium, navigation, schema, texts

FILE = "data/auberge/handouts.yaml"
CHARTER = """\
charte:
  title: La charte
  kind: parchment
  summary: Ce que l’on jure en entrant.
  chapter: jets#paliers
  opening: Nous jurons ceci.
  list: {table: tiers, number: min, text: answer}
  closing: Ainsi soit-il.
  signatures: {table: loads, detail: mood, flourishes: {legere: cross}}
"""
SCREEN = """\
ecran:
  title: L’écran
  kind: screen
  summary: Ce que l’on garde devant soi.
  chapter: salle
  size: 8.5
  pages:
    - - {table: tiers, columns: [answer, min]}
      - {title: Rappel, text: "Lancez bas.\\n\\nPerdez peu."}
    - - {table: tiers, title: Réussir, columns: [min], only: [reussi]}
      - {table: wheel, gathered: true, columns: [percent, tier]}
      - {title: À dire, points: [Un, Deux]}
"""


@pytest.fixture
def printed(small):
    """The small project with a charter and a screen."""
    small.write(FILE, CHARTER + SCREEN)
    return small


def sheet(page):
    return page[page.index('<div class="rl-sheet ') :]


def rows(html):
    """Read the tables of a sheet: the text of each cell of each line."""
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line, re.S) for line in re.findall(r"<tr>(.*?)</tr>", html, re.S)]
    return [[cell.strip() for cell in line] for line in cells]


def test_sheets_are_without_problem(printed):
    assert printed.problems() == []


def test_a_parchment_lists_a_table_and_is_signed(printed):
    page = sheet(render(printed.open())["auberge/charte.md"])

    assert re.findall(r'rl-parchment__number">(.*?)</span> <span>(.*?)<', page) == [("", "Non"), ("7", "Oui, mais"), ("10", "Oui")]
    assert re.findall(r'rl-parchment__name">(.*?)<', page) == ["Légère", "Lourde"]
    assert re.findall(r'rl-parchment__detail">(.*?)<', page) == ["Gaie", "Sombre"]
    assert page.index("Nous jurons ceci.") < page.index("Oui, mais") < page.index("Ainsi soit-il.") < page.index("Légère")


def test_a_screen_keeps_the_columns_and_rows_asked_for_in_their_order(printed):
    page = sheet(render(printed.open())["auberge/ecran.md"])
    first, second = re.split(r'(?=<section class="rl-sheet__page">)', page)[1:]

    assert rows(first) == [
        ["Palier", "Réponse", "De – à"],
        ["Raté", "Non", "6 ou moins"],
        ["Tout juste", "Oui, mais", "7 à 9"],
        ["Réussi", "Oui", "10 ou plus"],
    ]
    assert rows(second) == [["Palier", "De – à"], ["Réussi", "10 ou plus"]]
    assert "<caption>Les trois paliers</caption>" in first and "<caption>Réussir</caption>" in second
    assert "<p>Lancez bas.</p>" in first and "<p>Perdez peu.</p>" in first
    assert "<li>Un</li><li>Deux</li>" in second
    assert 'style="--rl-points: 8.5"' in page


def test_a_gathered_table_says_only_what_there_is(printed):
    page = sheet(render(printed.open())["auberge/ecran.md"])
    told = {name: " ".join(re.sub(r"<[^>]+>", "", text).split()) for name, text in re.findall(r"<dt>(.*?)</dt> <dd>(.*?)</dd>", page, re.S)}

    assert told == {"Rien": "Chances 62,5 %", "Une tournée": "Chances 37,5 % · Palier offert Réussi"}


def test_a_changed_figure_changes_the_sheets(printed):
    before = render(printed.open())
    printed.edit("data/auberge/tiers.yaml", "name: Tout juste, min: 7, max: 9", "name: Tout juste, min: 7, max: 10")
    printed.edit("data/auberge/tiers.yaml", "min: 10, max: null", "min: 11, max: null")
    after = render(printed.open())

    for path in ("auberge/charte.md", "auberge/ecran.md"):
        assert ">11" in after[path] and ">11" not in before[path]


def test_sheets_are_listed_where_one_looks_for_them(printed):
    made = render(printed.open())

    def links(path):
        page = Page(made[path])
        assert ("imprimer" in page.ids) == ("À imprimer" in page.text)
        return [link["href"] for link in page.all("a") if re.fullmatch(r"(\.\./)?(charte|ecran)/", link["href"])]

    assert links("auberge/index.md") == ["charte/", "ecran/"]
    assert links("auberge/jets.md") == ["../charte/"]
    assert links("auberge/salle.md") == ["../ecran/"]
    assert "../jets/#paliers" in [link["href"] for link in Page(made["auberge/charte.md"]).all("a")]
    menu = navigation.menu(printed.open().games, texts.read()["site"]["nav"], [])
    assert menu[-1]["Auberge"][-1] == {"À imprimer": [{"La charte": "auberge/charte.md"}, {"L’écran": "auberge/ecran.md"}]}


def test_prose_links_to_a_sheet(printed):
    printed.edit("site_src/auberge/salle.md", "une fois par soirée", "une fois par [soirée](page:charte)")

    assert printed.problems() == []
    assert "[soirée](charte.md)" in render(printed.open())["auberge/salle.md"]


def test_a_game_without_sheets_says_nothing_of_them(small):
    made = render(small.open())

    assert not any("À imprimer" in text for text in made.values())


def test_text_of_a_sheet_never_becomes_markup(printed):
    quoted = "'" + HOSTILE.replace("'", "''") + "'"
    for old in ("La charte", "Ce que l’on jure en entrant.", "Nous jurons ceci.", "Ainsi soit-il.", "Réussir", "[Un, Deux]"):
        printed.edit(FILE, old, f"[{quoted}]" if old[0] == "[" else quoted)
    printed.edit("data/auberge/tiers.yaml", "answer: Oui}", f"answer: {quoted}}}")
    printed.edit("data/auberge/loads.yaml", "gaie: Gaie", f"gaie: {quoted}")
    made = render(printed.open())

    for path in ("auberge/charte.md", "auberge/ecran.md", "auberge/index.md"):
        page = Page(made[path])
        assert not page.all("b") and not page.all("script"), path
        assert "i" not in page.ids and "49" not in page.text, path
        assert HOSTILE in re.sub("[\u00a0\u202f]", " ", page.text), path


def test_each_flourish_is_a_drawing_of_its_own(small):
    names = schema.read("handouts")["additionalProperties"]["properties"]["signatures"]["properties"]["flourishes"]["additionalProperties"]["enum"]
    drawn = set()
    for name in names:
        small.write(FILE, CHARTER.replace("cross", name))
        drawn.add(re.search(r'<svg class="rl-flourish".*?</svg>', render(small.open())["auberge/charte.md"], re.S)[0])

    assert len(drawn) == len(names)


def test_sheets_are_not_sent_to_the_browser(printed):
    assert "handouts" not in compendium.rules(printed.open(), {})["games"]["auberge"]


def test_every_game_has_a_screen_of_two_pages_and_one_hands_out_a_signed_list(project):
    sheets = [(game, handout) for game in project.games.values() for handout in game.handouts.values()]

    for game in project.games.values():
        assert [len(handout["pages"]) for owner, handout in sheets if owner is game and handout["kind"] == "screen"] == [2], game.id
    (game, code) = next((game, handout) for game, handout in sheets if handout["kind"] == "parchment")
    signatories = game.tables[code["signatures"]["table"]].records
    assert len(signatories) == 5
    assert signatories.keys() == code["signatures"]["flourishes"].keys()

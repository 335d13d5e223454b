"""Pages: every record has its address, tables are whole and escaped, links lead somewhere, and YAML never becomes markup."""

import re
from html.parser import HTMLParser

import markdown
import pytest

from generator import addresses, citations, pages, texts
from generator.addresses import Spot
from generator.cells import Cell, Piece
from generator.chapters import PlaceError

EXTENSIONS = ["admonition", "attr_list", "def_list", "footnotes", "sane_lists", "tables", "toc"]
HOME = {"index.md": "# Accueil\n\n::: games\n\n::: calculators short\n", "calculateurs.md": "# Tous\n\n::: calculators\n"}


def render(project, prose=HOME):
    return pages.render(project.games, texts.read()["site"], lambda name: f'<rule-calculator id="x" data-calculator="{name}"></rule-calculator>', prose)


def html(text):
    """Turn a page into HTML as the site's builder does, without its front matter."""
    return markdown.markdown(re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S), extensions=EXTENSIONS)


class Page(HTMLParser):
    """The ids, links and text of a page, and every start tag with its attributes."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(html(text))

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.words.append(data)

    def all(self, tag, **wanted):
        names = {name.rstrip("_").replace("_", "-"): value for name, value in wanted.items()}
        return [found for name, found in self.tags if name == tag and names.items() <= found.items()]

    @property
    def ids(self):
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]

    @property
    def text(self):
        return " ".join("".join(self.words).split())


def test_the_pages_of_a_game(small):
    made = render(small.open())

    assert sorted(path for path in made if path.count("/") == 1) == [
        "auberge/index.md",
        "auberge/interpretations.md",
        "auberge/jets.md",
        "auberge/salle.md",
        "auberge/tables.md",
    ]
    # Tiers hold words: a page each. Figures alone, and moods, keep to their table.
    assert sorted(path for path in made if path.startswith(("auberge/tiers/", "auberge/loads/"))) == [
        "auberge/loads/legere/index.html",
        "auberge/loads/lourde/index.html",
        "auberge/tiers/rate.md",
        "auberge/tiers/reussi.md",
        "auberge/tiers/tout-juste.md",
    ]


def test_one_open_point_is_counted_in_the_singular(small):
    assert "Un point que le texte laisse ouvert," in render(small.open())["auberge/index.md"]


def test_a_table_of_intervals(small):
    page = Page(render(small.open())["auberge/jets.md"])
    caption = page.all("figure", id="table-tiers")
    row = page.all("tr", id="tiers-rate")

    assert caption and row
    assert page.all("th", scope="row") and page.all("th", scope="col")
    assert {"6 ou moins", "7 à 9", "10 ou plus"} <= {word.strip() for word in page.words}
    assert [cell["data-sort"] for cell in page.all("td", data_label="De – à")] == ["6", "7", "10"]
    assert page.all("td", data_label="Réponse")


def test_a_table_of_chances_tells_the_dice_only_when_they_fall_on_whole_numbers(small):
    assert not Page(render(small.open())["auberge/salle.md"]).all("td", data_label="D100")
    small.edit("data/auberge/wheel.yaml", "percent: 62.5", "percent: 62")
    small.edit("data/auberge/wheel.yaml", "percent: 37.5", "percent: 38")

    page = Page(render(small.open())["auberge/salle.md"])

    assert len(page.all("td", data_label="D100")) == 2
    assert {"1 à 62", "63 à 100"} <= set(page.words)


def test_figures_are_french_and_open_ends_are_said(small):
    text = Page(render(small.open())["auberge/salle.md"]).text

    assert "2,5" in text
    assert "au-delà" in text
    assert "62,5 %" in text
    assert "Jusqu’à (kg)" in text


def test_decimals_of_a_list_are_not_parted_by_commas():
    decimals, names = (Cell("list", tuple(map(Piece, words)), listed=True) for words in (("0,5", "1"), ("Arme", "Outil")))

    assert decimals.text == "0,5\u202f; 1"
    assert names.text == "Arme, Outil"


def test_grouped_columns_make_two_lines_of_headers(small):
    small.write(
        "data/auberge/prices.yaml",
        "title: Les prix\nkind: list\nsource: {document: carnet, section: Page 2}\nchapter: salle\n"
        "columns:\n  place: {label: Où, kind: text}\n  small: {label: Chope, group: Bière, kind: integer}\n"
        "  big: {label: Cruche, group: Bière, kind: integer}\n"
        "records:\n  ici: {name: Ici, place: En salle, small: 1, big: 3}\n",
    )
    page = Page(render(small.open())["auberge/salle.md"])

    group = page.all("th", scope="colgroup")
    assert [cell["colspan"] for cell in group] == ["2"]
    assert [cell["rowspan"] for cell in page.all("th", rowspan="2")] == ["2", "2"]
    assert [cell["data-label"] for cell in page.all("td") if "Bière" in cell.get("data-label", "")] == ["Bière · Chope", "Bière · Cruche"]


def test_what_the_prose_forgets_is_told_at_the_end_of_its_chapter(small):
    page = Page(render(small.open())["auberge/jets.md"])

    assert "complements" in page.ids
    assert "constants-des" in page.ids


def test_a_chapter_without_prose_is_still_a_page(small):
    (small.root / "site_src/auberge/jets.md").unlink()
    page = Page(render(small.open())["auberge/jets.md"])

    assert "Deux dés et trois paliers." in page.text
    assert {"tiers-reussi", "outil-lancer", "constants-des"} <= set(page.ids)


def test_a_mark_opens_its_panel(small):
    page = Page(render(small.open())["auberge/jets.md"])
    buttons = page.all("button", popovertarget="lecture-aub-a01")
    panel = page.all("div", id="lecture-aub-a01")

    assert {button["aria-label"] for button in buttons if "aria-label" in button} == {"À interpréter\u00a0: Le prix du tout juste"}
    assert len(panel) == 1 and "popover" in panel[0]
    assert "Le meneur choisit. (lecture retenue)" in page.text


def test_links_of_the_prose_become_paths_the_builder_can_check(small):
    text = render(small.open())["auberge/jets.md"]

    assert '[palier](tiers/reussi.md "Oui")' in text
    assert "[Essayez](jets.md?c=auberge/lancer&trait=2&dice=%5B5,4%5D#outil-lancer)" in text
    assert "[les paliers](jets.md#paliers)" in render(small.open())["auberge/salle.md"]


def test_the_page_of_a_record(small):
    text = render(small.open())["auberge/tiers/tout-juste.md"]
    page = Page(text)

    assert 'title: "Tout juste"' in text
    assert "Oui, mais" in page.text
    assert "Le carnet ne dit pas qui choisit le prix." in page.text
    assert "auberge/tiers/tout-juste" in page.text
    assert [link["href"] for link in page.all("a", rel="prev")] == ["../rate/"]
    assert [link["href"] for link in page.all("a", rel="next")] == ["../reussi/"]


def test_a_record_says_who_cites_it(small):
    game = small.open().games
    found = citations.citations(game, addresses.plan(game))

    assert [(c.kind, c.title) for c in found["auberge", "tiers", "reussi"]] == [
        ("chapter", "Les jets"),
        ("record", "Une tournée (La roue du comptoir)"),
        ("calculator", "Lancer et lire"),
    ]
    page = Page(render(small.open())["auberge/tiers/reussi.md"])
    assert "Chapitres Les jets" in page.text
    assert "../../salle/#wheel-tournee" in [link["href"] for link in page.all("a")]


def test_a_record_that_changed_its_name_keeps_its_old_address(small):
    small.edit(
        "data/auberge/tiers.yaml", "reussi: {name: Réussi, min: 10, max: null, answer: Oui}", "reussi: {name: Réussi, min: 10, answer: Oui, formerly: [gagne]}"
    )
    small.edit("data/auberge/loads.yaml", "mood: gaie}\n  lourde", "mood: gaie, formerly: [plume]}\n  lourde")
    made = render(small.open())

    assert 'content="0; url=../reussi/"' in made["auberge/tiers/gagne/index.html"]
    assert 'content="0; url=../../salle/#loads-legere"' in made["auberge/loads/plume/index.html"]
    assert "tiers-gagne" in Page(made["auberge/jets.md"]).ids


def test_the_page_of_interpretations(small):
    page = Page(render(small.open())["auberge/interpretations.md"])

    assert "aub-a01" in page.ids
    assert "AUB-A01 Ambiguïté" in page.text
    links = [link["href"] for link in page.all("a")]
    assert links == ["../jets/", "../tiers/tout-juste/", "../jets/#outil-lancer"]


def test_the_home_page_and_the_list_of_calculators(small):
    made = render(small.open())
    home, tools = Page(made["index.md"]), Page(made["calculateurs.md"])

    assert [link["href"] for link in home.all("a")] == ["auberge/", "auberge/jets/#outil-lancer"]
    assert [item["data-does"] for item in tools.all("li")] == ["roll odds"]
    assert "lancer chances" in tools.text


HOSTILE = "<b>*gras*</b> [x](y) `c` {{ 7*7 }} {: #i } &amp; | <script>alert(1)</script> \\ ::: table tiers [?AUB-A01]"


def test_text_of_the_data_never_becomes_markup(small):
    quoted = "'" + HOSTILE.replace("'", "''") + "'"
    for path, old in [
        ("tiers.yaml", "Les trois paliers"),
        ("tiers.yaml", "Réponse"),
        ("tiers.yaml", "Raté"),
        ("interpretations.yaml", "Le prix du tout juste"),
        ("interpretations.yaml", "Le meneur choisit."),
        ("calculators.yaml", "Lancer et lire"),
        ("calculators.yaml", "Le total, et le palier atteint."),
        ("game.yaml", "Une soirée de jeu dans une auberge, pour essayer le générateur."),
        ("game.yaml", "Deux dés et trois paliers."),
    ]:
        small.edit(f"data/auberge/{path}", old, quoted)
    (small.root / "site_src/auberge/jets.md").unlink()
    small.write("site_src/auberge/salle.md", "# La salle\n\nDoute[?AUB-A01].\n\n::: table wheel\n")
    project = small.open()
    assert not project.problems
    made = render(project)

    for path, text in made.items():
        if path.endswith(".md"):
            page = Page(text)
            assert not page.all("b") and not page.all("script"), path
            assert "i" not in page.ids and "49" not in page.text, path
    for path in ("auberge/jets.md", "auberge/tiers/rate.md", "auberge/interpretations.md", "index.md"):
        assert HOSTILE in re.sub("[\u00a0\u202f]", " ", Page(made[path]).text), path


def test_a_link_to_a_record_tells_what_it_is_before_one_follows_it(small):
    small.edit("data/auberge/tiers.yaml", "answer: Oui}", "answer: '" + HOSTILE.replace("'", "''") + ' "fin"\'}')
    made = render(small.open())
    hints = [link["title"] for path in ("auberge/jets.md", "auberge/salle.md") for link in Page(made[path]).all("a") if "title" in link]

    assert {re.sub("[\u00a0\u202f]", " ", hint) for hint in hints} == {HOSTILE + ' "fin"'}
    assert len(hints) == 2


@pytest.mark.parametrize(
    ("place", "code", "line"),
    [("::: table nothing", "place-target", 3), ("[x](ref:tiers/nobody)", "place-target", 3), ("[?NO-A1]", "place-target", 3), ("::: games", "place-kind", 3)],
)
def test_a_place_that_names_nothing_stops_the_build(small, place, code, line):
    small.write("site_src/auberge/jets.md", f"# Les jets\n\n{place}\n")

    with pytest.raises(PlaceError) as raised:
        render(small.open())

    assert (raised.value.code, raised.value.path, raised.value.place.line) == (code, "site_src/auberge/jets.md", line)


def test_two_pages_cannot_want_one_address(small):
    with pytest.raises(pages.PageError) as raised:
        render(small.open(), {"auberge/tables.md": "# Autres"})

    assert (raised.value.code, raised.value.facts) == ("twice", {"path": "auberge/tables.md"})


def test_the_style_sheet_takes_colours_and_drawings_only(small):
    made = render(small.open())
    assert "--rl-accent-own: #7a3b2e" in made["assets/css/games.css"]
    assert 'url("../emblems/auberge.svg")' in made["assets/css/games.css"]
    game = small.open().games["auberge"]
    game.info["colour"] = "red; } body { display: none"

    with pytest.raises(pages.PageError) as raised:
        pages.render({"auberge": game}, texts.read()["site"], lambda name: "", {})
    assert raised.value.code == "colour"


def test_rendering_twice_gives_the_same_text(small):
    assert render(small.open()) == render(small.open())


def test_a_changed_figure_changes_the_page(small):
    before = render(small.open())
    small.edit("data/auberge/loads.yaml", "max: 2.5", "max: 3.5")
    after = render(small.open())

    assert {path for path in after if after[path] != before[path]} == {"auberge/salle.md"}
    assert "3,5" in Page(after["auberge/salle.md"]).text


def test_markdown_of_the_data_keeps_its_no_break_spaces():
    assert str(pages.as_markdown("Un  choix :\nfait !")) == "Un choix\u00a0&#58; fait\u202f\\!"


LINKS = [
    ("pangee/repos", Spot("pangee/repos", "lieux"), "#lieux", "#lieux"),
    ("pangee/repos", Spot("pangee/repos"), "./", "repos.md"),
    ("pangee/repos", Spot("index"), "../../", "../index.md"),
    ("index", Spot("pangee/index"), "pangee/", "pangee/index.md"),
    ("pangee/a/b", Spot("autre/c", "d"), "../../../autre/c/#d", "../../autre/c.md#d"),
]


@pytest.mark.parametrize(("start", "spot", "web", "source"), LINKS)
def test_the_way_from_a_page_to_another(start, spot, web, source):
    assert addresses.web_link(start, spot) == web
    assert addresses.source_link(start, spot) == source


def test_the_examples_of_the_help_page_make_a_sound_game(small, root):
    """What the page for authors tells them to write is what `check` accepts."""
    help_page = (root / "site_src/aide/contribuer.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```yaml\n(.*?)```", help_page, re.S)
    for path, start in [
        ("game.yaml", "id: mon-jeu"),
        ("weapons.yaml", "title: Les armes"),
        ("questions/combat.yaml", "attack:"),
        ("calculators.yaml", "attaque:"),
        ("interpretations.yaml", "MON-A01:"),
    ]:
        small.write(f"data/mon-jeu/{path}", next(block for block in blocks if block.startswith(start)))
    small.write("site_src/assets/emblems/mon-jeu.svg", "<svg/>")
    small.write("site_src/mon-jeu/index.md", "# Mon jeu\n\nPour essayer.\n")
    small.write(
        "site_src/mon-jeu/combat.md", "# Le combat\n\n## Les armes {: #armes }\n\n::: table weapons\n\n## Attaquer {: #attaque }\n\nUn doute[?MON-A01].\n"
    )

    assert small.problems() == []
    assert "outil-attaque" in Page(render(small.open())["mon-jeu/combat.md"]).ids

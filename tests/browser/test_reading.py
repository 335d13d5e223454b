"""Reading the built site: search without accents, sorting, filtering, interpretation marks with and without scripts, paper."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from generator import site as builder

from .calculator_page import tab_to
from .conftest import PROJECT
from .server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# The pages bring their own policy; the server adds none that matters to them.
POLICY = "frame-ancestors 'self'"


@pytest.fixture(scope="module")
def inn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The invented game of the tests, built and dressed like the real site."""
    root = tmp_path_factory.mktemp("inn")
    for source in (PROJECT / "tests" / "fixtures" / "project", PROJECT):
        shutil.copytree(source / "site_src", root / "site_src", dirs_exist_ok=True, ignore=_other_games)
    shutil.copytree(PROJECT / "tests" / "fixtures" / "project" / "data", root / "data")
    shutil.copy(PROJECT / "mkdocs.yml", root)
    builder.build(root, runtime=False)
    server = Server(root / "site", POLICY)
    yield server
    server.stop()


def _other_games(folder: str, names: list[str]) -> set[str]:
    games = {path.name for path in (PROJECT / "data").iterdir()}
    return games & set(names) if Path(folder) == PROJECT / "site_src" else set()


@pytest.fixture
def page(browser: Browser, inn: Server) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="fr-FR")
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()

    assert said == []


FOUND = [
    ("reussi", "Réussi", "auberge/tiers/reussi/"),
    ("palier", "Les jets", "auberge/jets/"),
    ("REUSSIS", "Réussi", "auberge/tiers/reussi/"),
    ("l'auberge", "L’auberge du Bout du Monde", "auberge/"),
    ("pinte", "La salle", "auberge/salle/"),
    ("prix du tout juste", "Interprétations", "auberge/interpretations/"),
]


@pytest.mark.parametrize(("typed", "title", "address"), FOUND)
def test_the_search_minds_neither_accents_nor_plurals_nor_elisions(page: Page, inn: Server, typed: str, title: str, address: str):
    page.goto(inn.url)
    page.locator(".md-search__input").click()
    page.keyboard.type(typed)
    result = page.locator(".md-search-result__item", has=page.locator("h1", has_text=title)).first

    expect(result).to_be_visible(timeout=30_000)
    assert address in (result.locator("a").first.get_attribute("href") or "")


def test_a_table_is_sorted_by_value_and_empty_cells_stay_last(page: Page, inn: Server):
    page.goto(inn.url + "auberge/tables/")
    button = page.locator(".rl-sort", has_text="Lignes")
    numbers = page.locator(".rl-index tbody td:last-child")
    button.click()

    assert numbers.all_inner_texts() == sorted(numbers.all_inner_texts(), key=int)
    button.click()
    assert numbers.all_inner_texts() == sorted(numbers.all_inner_texts(), key=int, reverse=True)
    assert page.locator("[aria-sort]").get_attribute("aria-sort") == "descending"


def test_a_table_is_filtered_without_accents(page: Page, inn: Server):
    page.goto(inn.url + "auberge/tables/")
    rows = page.locator(".rl-index tbody tr:visible")
    everything = rows.count()
    page.locator(".rl-filter input").fill("ROUE comptoir")

    assert rows.count() == 1
    expect(page.locator(".rl-filter [role=status]")).to_have_text(f"1 sur {everything}")
    page.locator(".rl-filter button").click()
    assert rows.count() == everything


def test_calculators_are_filtered_by_what_they_do(page: Page, inn: Server):
    page.goto(inn.url + "calculateurs/")
    tools = page.locator(".rl-list--tools > li:visible")
    assert tools.count() == 1
    page.locator("#filter-tools input").fill("rien de tel")

    assert tools.count() == 0
    expect(page.locator(".rl-tools__group")).to_be_hidden()


WORD = 'a[data-rl-told]:text-is("palier")'
TOLD = ".rl-told:popover-open"


def clear_of(page: Page) -> bool:
    """Say whether the bubble leaves the sentence of the word to be read."""
    return page.evaluate(
        """([bubble, word]) => {
            const told = document.querySelector(bubble).getBoundingClientRect();
            const link = [...document.querySelectorAll('a[data-rl-told]')].find((one) => one.textContent === word);
            const text = link.closest('p').getBoundingClientRect();
            return told.bottom <= text.top || told.top >= text.bottom;
        }""",
        [TOLD, "palier"],
    )


def test_a_word_explains_itself_under_the_mouse_without_covering_its_sentence(page: Page, inn: Server):
    page.goto(inn.url + "auberge/jets/")
    word = page.locator(WORD)
    word.hover()

    expect(page.locator(TOLD)).to_have_text("palier Oui")
    assert word.get_attribute("aria-description") == "Oui" and word.get_attribute("title") is None
    assert clear_of(page)
    page.locator(TOLD).hover()
    page.wait_for_timeout(800)
    expect(page.locator(TOLD)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(TOLD)).to_have_count(0)


def test_a_word_explains_itself_to_the_keyboard(page: Page, inn: Server):
    page.goto(inn.url + "auberge/jets/")
    page.locator("#jeter .headerlink").focus()
    for _ in range(5):
        page.keyboard.press("Tab")
        if page.locator(TOLD).count():
            break

    expect(page.locator(TOLD)).to_have_text("palier Oui")
    page.keyboard.press("Tab")
    expect(page.locator(TOLD)).to_have_count(0)


def test_a_word_that_the_keyboard_brings_into_view_explains_itself_there(page: Page, inn: Server):
    page.goto(inn.url + "auberge/jets/")
    word = page.locator(WORD)
    word.evaluate("word => { word.closest('p').style.margin = '3000px 0' }")
    page.keyboard.press("Tab")
    word.focus()
    page.wait_for_timeout(600)

    expect(page.locator(TOLD)).to_be_visible()
    expect(page.locator(TOLD)).to_be_in_viewport(ratio=1)
    assert clear_of(page)
    page.mouse.wheel(0, 2000)
    expect(page.locator(TOLD)).not_to_be_visible()


def test_a_tap_is_told_from_a_click_by_browsers_that_do_not_say_which(page: Page, inn: Server):
    page.goto(inn.url + "auberge/jets/")
    tap = """(word, [pointer, detail]) => {
        word.dispatchEvent(new PointerEvent('pointerdown', {pointerType: pointer, bubbles: true}));
        const click = new MouseEvent('click', {detail, bubbles: true, cancelable: true});
        document.body.addEventListener('click', event => event.preventDefault(), {once: true});
        let followed = false;
        word.addEventListener('click', () => (followed = true), {once: true});
        word.dispatchEvent(click);
        return followed;
    }"""
    word = page.locator(WORD)

    assert [word.evaluate(tap, press) for press in (["touch", 1], ["touch", 1], ["touch", 0], ["mouse", 1])] == [False, True, True, True]


UNNAMED = "[...document.querySelectorAll('.md-sidebar button')].filter((one) => !one.textContent.trim() && !one.ariaLabel).map((one) => one.outerHTML)"


def test_a_closed_menu_takes_no_focus_and_the_keyboard_opens_it(page: Page, inn: Server):
    page.set_viewport_size({"width": 640, "height": 800})
    page.goto(inn.url + "auberge/jets/")
    page.wait_for_function("document.querySelector('button[for=__drawer]')")
    opener = page.locator('.md-header [for="__drawer"]')
    inside = "Boolean(document.activeElement.closest('{}'))"
    for _ in range(12):
        page.keyboard.press("Tab")
        assert not page.evaluate(inside.format(".md-sidebar, .md-search__scrollwrap"))
        if page.evaluate(inside.format(".md-content")):
            break
    assert page.evaluate(inside.format(".md-content"))

    for key in ("Enter", " "):
        opener.focus()
        page.keyboard.press(key)
        expect(opener).to_have_attribute("aria-expanded", "true")
        tab_to(page, ".md-sidebar")
        expect(page.locator(":focus")).to_be_in_viewport()
        assert page.evaluate(UNNAMED) == []
        page.keyboard.press("Escape")
        expect(opener).to_have_attribute("aria-expanded", "false")
        expect(opener).to_be_focused()


def test_the_first_tap_explains_a_word_and_the_second_goes_there(browser: Browser, inn: Server):
    context = browser.new_context(viewport={"width": 360, "height": 700}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(inn.url + "auberge/jets/")
    page.locator(WORD).tap()
    expect(page.locator(TOLD)).to_have_text("palier Oui Voir l’entrée")
    assert clear_of(page) and page.url.endswith("auberge/jets/")
    page.locator("h1").tap()
    expect(page.locator(TOLD)).to_have_count(0)
    page.locator(WORD).tap()
    # A reader reads before the second tap; two at once may be one gesture.
    expect(page.locator(TOLD)).to_be_visible()
    page.locator(WORD).tap()
    page.wait_for_url("**/auberge/tiers/reussi/")
    context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_mark_opens_with_the_keyboard_and_closes(browser: Browser, inn: Server, scripts: bool):
    context = browser.new_context(java_script_enabled=scripts)
    page = context.new_page()
    page.goto(inn.url + "auberge/jets/")
    panel = page.locator("#lecture-aub-a01")
    expect(panel).to_be_hidden()
    page.locator(".rl-mark").first.focus()
    page.keyboard.press("Enter")

    expect(panel).to_be_visible()
    expect(panel).to_contain_text("Le carnet ne dit pas qui choisit le prix.")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    context.close()


def test_paper_shows_the_text_alone_with_its_notes(page: Page, inn: Server):
    page.goto(inn.url + "auberge/jets/")
    page.emulate_media(media="print", color_scheme="dark")

    for name in (".md-header", ".md-tabs", ".md-sidebar--primary", ".md-footer", ".rl-filter", ".rc-actions"):
        for hidden in page.locator(name).all():
            expect(hidden).to_be_hidden()
    expect(page.locator("#lecture-aub-a01")).to_be_visible()
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("path", ["", "calculateurs/", "auberge/", "auberge/jets/", "auberge/tables/", "auberge/tiers/reussi/", "aide/contribuer/"])
def test_nothing_sticks_out_of_a_small_screen(page: Page, inn: Server, path: str):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(inn.url + path)

    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0

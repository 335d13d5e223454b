"""Paper: sheets fill the pages they promise and no more; other pages lose their navigation and open what is folded."""

import re
import shutil
import threading

import pytest

from generator import compendium, site
from generator.server import Server

from .conftest import PROJECT

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHEETS = {f"{game.id}/{name}": handout for game in compendium.open_project(PROJECT).games.values() for name, handout in game.handouts.items()}
PARCHMENTS = [page for page, handout in SHEETS.items() if handout["kind"] == "parchment"]
CHAPTERS = ["ile-au-tresor/code-des-freres", "legends-and-bonk/effets", "legends-and-bonk/animaux"]
NAVIGATION = ".md-header, .md-tabs, .md-sidebar, .md-footer, .md-path, .md-top, .headerlink, .rl-filter, .rl-neighbours, .rc-actions, .rl-panel__close"
A4 = (595, 842)
PIXELS_PER_POINT = 96 / 72
LEAST_POINTS = 7.5


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of the real site, built aside and without the runtime."""
    root = tmp_path_factory.mktemp("print")
    for folder in ("data", "site_src"):
        shutil.copytree(PROJECT / folder, root / folder)
    shutil.copy(PROJECT / "mkdocs.yml", root)
    server = Server(site.build(root, runtime=False).site, 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.address
    server.shutdown()
    server.server_close()


@pytest.fixture
def reader(browser):
    """A page without memory, at a desk."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, service_workers="block")
    yield context.new_page()
    context.close()


def printed(reader):
    """Print the page as its own style sheet asks, and give the size in points of each sheet of paper."""
    pdf = reader.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/Type\s*/Page\b[^s].*?/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", pdf, re.S)
    assert len(boxes) == len(re.findall(rb"/Type\s*/Page\b[^s]", pdf))
    return [(round(float(width)), round(float(height))) for width, height in boxes]


@pytest.mark.parametrize("path", SHEETS)
def test_a_sheet_fills_its_pages_and_no_more(reader, address, path):
    reader.goto(f"{address}{path}/")

    expected = [A4] if path in PARCHMENTS else [A4[::-1]] * len(SHEETS[path]["pages"])
    assert printed(reader) == expected


@pytest.mark.parametrize("path", SHEETS)
def test_a_sheet_is_legible_and_whole(reader, address, path):
    reader.goto(f"{address}{path}/")
    reader.emulate_media(media="print")
    found = reader.evaluate(
        """() => {
          const pages = [...document.querySelectorAll('.rl-sheet__page')];
          const texts = document.createTreeWalker(document.querySelector('.rl-sheet'), NodeFilter.SHOW_TEXT);
          let least = Infinity;
          while (texts.nextNode()) {
            if (texts.currentNode.data.trim()) least = Math.min(least, parseFloat(getComputedStyle(texts.currentNode.parentElement).fontSize));
          }
          return {
            least,
            wide: pages.filter(page => page.scrollWidth > page.clientWidth).length,
            pale: pages.filter(page => getComputedStyle(page).printColorAdjust !== 'exact').length,
            cut: [...document.querySelectorAll('.rl-plain, .rl-parchment__articles li')].filter(box => box.getClientRects().length > 1).length,
            shown: [...document.querySelectorAll('.md-content *')].filter(box => box.checkVisibility() && !box.closest('.rl-sheet')
              && !box.querySelector('.rl-sheet') && box.textContent.trim()).map(box => box.outerHTML),
          };
        }"""
    )

    assert found.pop("least") >= LEAST_POINTS * PIXELS_PER_POINT - 0.01
    assert found == {"wide": 0, "pale": 0, "cut": 0, "shown": []}


@pytest.mark.parametrize("path", SHEETS)
def test_a_sheet_is_shown_as_it_prints(reader, address, path):
    reader.goto(f"{address}{path}/")
    width, height = A4 if path in PARCHMENTS else A4[::-1]

    for page in reader.locator(".rl-sheet__page").all():
        box = page.bounding_box()
        assert box["width"] / box["height"] == pytest.approx(width / height, rel=0.01)


def test_the_button_prints(reader, address):
    reader.add_init_script("window.print = () => { window.printed = true; }")
    reader.goto(f"{address}{PARCHMENTS[0]}/")
    reader.locator("[data-rl-print]").click()

    assert reader.evaluate("window.printed")


def test_without_scripts_the_sheet_is_there_and_the_button_is_not(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}{PARCHMENTS[0]}/")

    assert page.locator(".rl-parchment__name").count() == 5
    assert not page.locator("[data-rl-print]").is_visible()
    context.close()


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_chapter_prints_without_navigation_and_opened(reader, address, path):
    reader.goto(f"{address}{path}/")
    reader.emulate_media(media="print")
    found = reader.evaluate(
        """navigation => {
          const style = (selector, name) => [...document.querySelectorAll(selector)].map(box => getComputedStyle(box)[name]);
          const closed = [...document.querySelectorAll('.md-content details:not([open])')].filter(box => box.checkVisibility());
          const readings = [...document.querySelectorAll('.rl-panels .rl-reading .rl-code')].filter(box => box.checkVisibility());
          return {
            navigation: [...document.querySelectorAll(navigation)].filter(box => box.checkVisibility()).length,
            folded: closed.filter(box => [...box.children].some(part => part.tagName !== 'SUMMARY' && part.textContent.trim()
              && !part.matches('.rc-rule') && !part.getBoundingClientRect().height)).length,
            heads: [...new Set(style('.rl-table thead', 'display'))],
            rows: [...new Set(style('.rl-table tbody tr', 'breakInside'))],
            scrolled: style('.rl-scroll', 'overflowX').filter(value => value !== 'visible').length,
            wide: document.documentElement.scrollWidth > innerWidth,
            twice: readings.length - new Set(readings.map(box => box.textContent)).size,
          };
        }""",
        NAVIGATION,
    )

    assert found == {"navigation": 0, "folded": 0, "heads": ["table-header-group"], "rows": ["avoid"], "scrolled": 0, "wide": False, "twice": 0}


def test_addresses_that_leave_the_site_are_written(reader, address):
    reader.goto(f"{address}{CHAPTERS[0]}/")
    reader.evaluate(
        """() => {
          document.querySelector('.md-content article').insertAdjacentHTML('beforeend', '<p><a id="out" href="https://example.org/x">Ailleurs</a></p>');
          window.document$.next(document);
        }"""
    )
    reader.emulate_media(media="print")
    written = "selector => getComputedStyle(document.querySelector(selector), '::after').content"

    assert "https://example.org/x" in reader.evaluate(written, "#out")
    assert reader.evaluate(written, ".md-content article p a:not(#out, .headerlink)") in ("none", "normal")
    assert reader.locator(".rl-printed").is_visible()

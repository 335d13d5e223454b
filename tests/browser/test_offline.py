"""The site as an app: one visit is enough, what is kept is said first, and versions are never mixed."""

import gzip
import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from generator import offline
from generator import site as sites

from .calculator_page import CalculatorPage, until
from .conftest import PROJECT, visitor
from .server import PREFIX, Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# A page of each game, one of its calculators, an input and a value.
CALCULATORS = [
    ("equipement/charge/", "outil-charge", "force", "18"),
    ("pangee/magie-mourante/", "outil-prix", "level", "3"),
    ("poisons/victime/", "outil-degats", "dice", "5"),
]
GAMES = {path.partition("/")[0]: path for path, *_ in CALCULATORS}
TITLES = {game: game.title() for game in GAMES}
RUNTIME = ".calculators"
NOWHERE = f"http://127.0.0.1:1{PREFIX}"
WAIT_MS = 60_000
LITTLE = 420_000  # bytes of a first visit, compressed as most hosts do

ASK = """order => navigator.serviceWorker.ready.then(({active}) => new Promise((resolve, reject) => {
  setTimeout(() => reject(Error(`${order.op}: no answer of the service worker`)), 60000);
  const {port1, port2} = new MessageChannel();
  port1.onmessage = ({data}) => 'loaded' in data || resolve(data);
  active.postMessage(order, [port2]);
}))"""
UPDATE = "navigator.serviceWorker.ready.then(registration => registration.update()).catch(() => {})"
ALL_OPEN = """async addresses => {
  const failed = [];
  for (const address of addresses) {
    const response = await fetch(address).catch(error => error);
    if (!response.ok || response.redirected || !(await response.text()).includes('</html>')) failed.push(address);
  }
  return failed;
}"""
METERED = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of three games of the project."""
    root = tmp_path_factory.mktemp("project")
    for folder in ("data", "site_src"):
        shutil.copytree(PROJECT / folder, root / folder)
    shutil.copy(PROJECT / "mkdocs.yml", root)
    for folder in (root / "data").iterdir():
        if folder.name not in GAMES:
            shutil.rmtree(folder)
            shutil.rmtree(root / "site_src" / folder.name)
    cache = PROJECT / "build" / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    (root / "build").mkdir()
    (root / "build" / "cache").symlink_to(cache)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SITE_URL", NOWHERE)
        return sites.build(root).site


@pytest.fixture
def server(built: Path) -> Iterator[Server]:
    server = Server(built, policy="")
    yield server
    server.stop()


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    with visitor(browser, server) as context:
        yield context


@pytest.fixture
def at_home(server: Server, built: Path, tmp_path: Path) -> Server:
    """The server of the site built for its address: elsewhere, the theme's instant navigation does nothing."""
    server.folder = tmp_path / "first"
    shutil.copytree(built, server.folder)
    settle(server)
    return server


def settle(server: Server) -> None:
    """Make the site of the server's folder one that was built for its address."""
    sitemap = server.folder / "sitemap.xml"
    sitemap.write_text(sitemap.read_text("utf-8").replace(NOWHERE, server.url), "utf-8")
    offline.write(server.folder, TITLES)


def settled(page: Page) -> None:
    """Wait until the worker answers for the page."""
    until(page, "no service worker answers for the page", "navigator.serviceWorker.controller !== null")


def state(page: Page) -> dict:
    return page.evaluate(ASK, {"op": "state"})["done"]


def kept(page: Page, *parts: str) -> None:
    """Wait until these parts are on the device."""
    for _ in range(WAIT_MS // 100):
        found = {part["id"] for part in state(page)["parts"] if part["kept"] == part["size"]}
        if found >= set(parts):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"{parts} are not kept: {state(page)['parts']}")


def cut(context: BrowserContext, server: Server) -> None:
    context.set_offline(True)
    server.stop()


def answers(page: Page, name: str, field: str, value: str) -> None:
    calculator = CalculatorPage(page, name)
    before = calculator.answers.inner_text()
    calculator.fill(field, value)
    expect(calculator.answers).not_to_have_text(before, timeout=WAIT_MS)


def slow(content: bytes) -> bytes:
    """A download that takes long enough to be met on its way."""
    time.sleep(1)
    return content


def follow(page: Page, end: str) -> None:
    """Click a link of the page, even of a menu that is folded at this width."""
    page.evaluate("end => [...document.links].find(({href}) => href.endsWith(end)).click()", end)


def asked(server: Server, end: str) -> int:
    return sum(path.endswith(end) for path in server.asked)


# --- one visit


def test_one_visit_is_enough_for_three_games_and_their_calculators(context, server) -> None:
    page = context.new_page()
    for game, path in GAMES.items():
        page.goto(server.url + path)
        kept(page, game)
    kept(page, RUNTIME)
    page.close()
    cut(context, server)

    page = context.new_page()
    page.goto(server.url)
    expect(page.locator(".md-search")).to_be_attached()
    for path, *calculator in CALCULATORS:
        page.goto(server.url + path)
        answers(page, *calculator)
    page.goto(server.url + "pangee/repos/")  # not visited: the game it belongs to was
    expect(page.locator("rule-calculator")).to_have_count(1)


def test_a_reader_who_never_touched_a_calculator_has_them_without_a_network(context, server) -> None:
    page = context.new_page()
    path, *calculator = CALCULATORS[0]
    page.goto(server.url + path)
    kept(page, "equipement", RUNTIME)
    cut(context, server)
    page.reload()
    answers(page, *calculator)

    assert asked(server, "snapshot.bin") == 0
    assert Counter(server.asked)[f"{PREFIX}{path}"] <= 2


def test_the_first_visit_fetches_little_at_once(context, server, built: Path) -> None:
    page = context.new_page()
    page.goto(server.url)
    settled(page)
    files = {path.removeprefix(PREFIX) for path in server.asked}
    sizes = [len(gzip.compress((built / name / "index.html" if (built / name).is_dir() else built / name).read_bytes())) for name in files]

    assert sum(sizes) < LITTLE
    assert not [name for name in files if name.split("/")[0] in GAMES or name.endswith((".pack", ".wasm", ".zip", ".bin"))]


def test_instant_navigation_reads_what_is_kept(context, at_home, server) -> None:
    page = context.new_page()
    page.goto(server.url + GAMES["poisons"])
    kept(page, "poisons")
    page.evaluate("window.same = true")
    cut(context, server)
    follow(page, "/poisons/soigner/")
    expect(page.locator("h1")).to_contain_text("Soigner")

    assert page.evaluate("window.same") is True


def test_search_works_without_a_network(context, server) -> None:
    page = context.new_page()
    page.goto(server.url + GAMES["poisons"])
    kept(page, "poisons")
    cut(context, server)
    page.reload()
    page.locator(".md-search__input").click()
    page.locator(".md-search__input").press_sequentially("virulence")
    expect(page.locator(".md-search-result__link").first).to_be_visible(timeout=WAIT_MS)


def test_a_calculator_touched_while_its_files_arrive_downloads_none_twice(context, server) -> None:
    page = context.new_page()
    path, *calculator = CALCULATORS[0]
    page.goto(server.url + path)
    settled(page)
    server.faults["app.zip"] = slow
    page.evaluate(f"void ({ASK})({{op: 'read', url: location.href, metered: false}})")
    answers(page, *calculator)
    kept(page, RUNTIME)

    for name in ("app.zip", "pyodide.asm.wasm", "pyodide.asm.js", "rules.json"):
        assert asked(server, name) == 1, name


def test_a_dear_connection_keeps_only_what_is_read(context, server) -> None:
    context.add_init_script(METERED)
    page = context.new_page()
    page.goto(server.url)
    settled(page)
    page.goto(server.url + GAMES["pangee"])
    page.wait_for_timeout(5000)
    assert not [path for path in server.asked if path.endswith((".pack", ".wasm", ".zip"))]
    cut(context, server)

    page.goto(server.url + GAMES["pangee"])
    expect(page.locator("h1")).to_contain_text("magie")
    page.goto(server.url + "pangee/repos/#ordre")
    expect(page.get_by_role("alert")).to_contain_text(f"La page {PREFIX}pangee/repos/ n’est pas gardée")
    expect(page.locator(".rl-offline p a")).to_have_attribute("href", server.url + GAMES["pangee"])
    assert page.locator(".rl-missing a").get_attribute("href") == server.url + "pangee/repos/#ordre"


def test_a_link_to_a_page_that_is_not_kept_leads_to_what_is(context, at_home, server) -> None:
    page = context.new_page()
    page.goto(server.url)
    settled(page)
    cut(context, server)
    link = page.locator(".md-content a[href*='poisons/']").first
    link.evaluate("link => link.href += '#ancre'")  # an address the browser would take for the page it is on
    link.click()

    expect(page.get_by_role("alert")).to_contain_text("n’est pas gardée")
    expect(page.locator(".rl-offline li")).to_have_count(len(GAMES) + 1)


def test_an_address_from_outside_leads_nowhere_else(context, server) -> None:
    page = context.new_page()
    for address in ("https://example.org/", "javascript:alert(1)", "//example.org", "http://["):
        page.goto(f"{server.url}aide/hors-ligne/?page={address}")
        expect(page.locator(".rl-offline li").first).to_be_visible()
        assert page.locator(".rl-missing").count() == 0


# --- keep everything


def test_everything_is_kept_when_asked_with_its_size_said_first(context, server, built: Path) -> None:
    context.add_init_script(METERED)
    page = context.new_page()
    page.goto(server.url)
    panel = page.locator(".rl-offline")
    total = sum(part["size"] for part in state(page)["parts"])
    megabytes = f"{total / 1e6:.1f}".replace(".", ",")
    expect(panel.get_by_role("button")).to_have_text(f"Garder tout hors ligne ({megabytes}\u00a0Mo)")
    page.evaluate(
        """() => {
          window.said = [];
          const status = document.querySelector('.rl-offline [role=status]');
          new MutationObserver(() => said.push(status.textContent)).observe(status, {childList: true});
        }"""
    )
    server.faults["app.zip"] = slow
    panel.get_by_role("button").press("Enter")
    expect(panel.get_by_role("progressbar")).to_be_visible()
    expect(panel.get_by_role("button")).to_be_focused()
    expect(panel.get_by_role("button")).to_have_text("Arrêter")
    expect(panel.get_by_role("status")).to_contain_text("C’est gardé", timeout=WAIT_MS)
    assert len(page.evaluate("said")) == len(GAMES) + 2, "each part once, and the end"
    expect(panel.locator(".rl-offline__do")).to_contain_text("Tout est gardé")
    cut(context, server)

    assert page.evaluate(ALL_OPEN, [server.url + path for path in pages_of(built)]) == []
    path, *calculator = CALCULATORS[1]
    page.goto(server.url + path)
    answers(page, *calculator)


def pages_of(built: Path) -> list[str]:
    return [path.relative_to(built).as_posix().removesuffix("index.html") for path in sorted(built.rglob("index.html"))]


def test_what_a_pack_gives_is_the_page_of_the_server(context, server, built: Path) -> None:
    page = context.new_page()
    page.goto(server.url + GAMES["poisons"])
    kept(page, "poisons")
    for path in sorted(built.glob("poisons/*/index.html")):
        address = f"{path.parent.relative_to(built).as_posix()}/"
        text = page.evaluate("address => fetch(address).then(response => response.text())", server.url + address)
        assert text == path.read_bytes().decode(), address
    assert asked(server, "/poisons/effets-contingents/") == 0


def test_keeping_can_be_stopped_and_taken_up_again(context, server) -> None:
    context.add_init_script(METERED)
    page = context.new_page()
    page.goto(server.url + "aide/hors-ligne/")
    panel = page.locator(".rl-offline")
    server.faults["pyodide.asm.wasm"] = "hang"
    panel.get_by_role("button", name="Garder tout").click()
    expect(panel.locator("li[data-kept=true]")).to_have_count(len(GAMES))
    panel.get_by_role("button", name="Arrêter").click()
    expect(panel.get_by_role("status")).to_contain_text("Arrêté")
    first = asked(server, ".pack")
    server.faults.clear()
    panel.get_by_role("button", name="Garder tout").click()
    expect(panel.get_by_role("status")).to_contain_text("C’est gardé", timeout=WAIT_MS)

    assert asked(server, ".pack") == first == len(GAMES)
    assert asked(server, "app.zip") == 1, "what was there is not fetched again"


def test_one_game_is_kept_and_everything_removed(context, server) -> None:
    context.add_init_script(METERED)
    page = context.new_page()
    page.goto(server.url + "aide/hors-ligne/")
    panel = page.locator(".rl-offline")
    panel.locator("li", has=page.locator("a[href$='/pangee/']")).get_by_role("button").click()
    expect(panel.locator("li[data-kept=true]")).to_have_count(1)
    panel.get_by_role("button", name="Tout retirer").click()
    expect(panel.get_by_role("status")).to_contain_text("Tout est retiré")
    expect(panel.locator("li[data-kept=true]")).to_have_count(0)

    # Nothing comes back by itself, not even without a dear connection.
    asked_before = asked(server, ".pack")
    other = context.new_page()
    other.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: false}})")
    other.goto(server.url + GAMES["pangee"])
    other.wait_for_timeout(4500)
    assert asked(server, ".pack") == asked_before
    assert state(other)["pages"] == []
    cut(context, server)
    other.goto(server.url + GAMES["pangee"])
    expect(other.get_by_role("alert")).to_be_visible()


def test_a_missing_network_and_a_full_device_are_told(context, server) -> None:
    page = context.new_page()
    page.goto(server.url + "aide/hors-ligne/")
    panel = page.locator(".rl-offline")
    expect(panel.locator("li")).to_have_count(len(GAMES) + 1)
    context.set_offline(True)
    panel.get_by_role("button", name="Garder tout").click()
    expect(panel.get_by_role("status")).to_contain_text("Le réseau a manqué")
    context.set_offline(False)
    context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", {"origin": server.origin, "quotaSize": 1})
    panel.get_by_role("button", name="Garder tout").click()
    expect(panel.get_by_role("status")).to_contain_text("plus assez de place")


# --- versions


@pytest.fixture
def two(at_home: Server, tmp_path: Path) -> Callable[[], Path]:
    """Put a second build at the address of the first: other words, another colour, other rules."""

    def publish() -> Path:
        second = tmp_path / "second"
        shutil.copytree(at_home.folder, second)
        for path in second.rglob("*.html"):
            path.write_text(path.read_text("utf-8").replace("<h1", '<h1 data-build="two"'), "utf-8")
        style = second / "assets" / "css" / "site.css"
        style.write_text(style.read_text("utf-8") + "\n:root { --build: two; }\n", "utf-8")
        current = second / "assets" / "calculators" / "current.json"
        manifest = json.loads(current.read_text("utf-8"))
        folder = second / "assets" / "calculators" / manifest["folder"]
        folder.rename(folder.with_name("two"))
        current.write_text(json.dumps(manifest | {"folder": "two"}), "utf-8")
        offline.write(second, TITLES)
        at_home.folder = second
        return second

    return publish


def build_of(page: Page) -> tuple[str, str]:
    """Which build the page is of, and which one its styles."""
    return (
        page.locator("h1").first.get_attribute("data-build") or "one",
        page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--build').trim() || 'one'"),
    )


def test_a_new_version_is_announced_when_it_is_whole_and_taken_when_wanted(context, server, two) -> None:
    page = context.new_page()
    page.goto(server.url + GAMES["poisons"])
    kept(page, "poisons", RUNTIME)
    two()
    page.evaluate(UPDATE)
    bar = page.locator(".rl-version")
    expect(bar).to_contain_text("Une nouvelle version est prête")
    expect(bar).to_have_attribute("role", "status")
    # It is announced, not applied: what is read and what is opened stay what they were.
    assert build_of(page) == ("one", "one")
    follow(page, "/poisons/soigner/")
    expect(page.locator("h1")).to_contain_text("Soigner")
    assert build_of(page) == ("one", "one")
    wasm = asked(server, "pyodide.asm.wasm")
    bar.get_by_role("button", name="Passer à la nouvelle version").click()
    expect(page.locator("h1[data-build=two]")).to_be_visible()

    assert build_of(page) == ("two", "two")
    cut(context, server)
    for path in ("", GAMES["poisons"], "poisons/atelier/"):
        page.goto(server.url + path)
        assert build_of(page) == ("two", "two")
    page.goto(server.url + CALCULATORS[2][0])
    answers(page, *CALCULATORS[2][1:])
    names = page.evaluate("caches.keys()")
    assert len(names) == 2, "nothing of the old version is left"
    assert asked(server, "pyodide.asm.wasm") == wasm, "what did not change is not downloaded again"


@pytest.mark.parametrize("file", [".pack", "current.json"])
def test_a_version_that_does_not_come_whole_is_not_announced(file: str, context, server, two) -> None:
    page = context.new_page()
    page.goto(server.url + GAMES["poisons"])
    kept(page, "poisons", RUNTIME)
    two()
    server.faults[file] = lambda content: content[: len(content) // 2]
    page.evaluate(UPDATE)
    page.wait_for_timeout(3000)
    expect(page.locator(".rl-version")).to_be_empty()
    for path in ("", GAMES["poisons"]):
        page.goto(server.url + path)
        assert build_of(page) == ("one", "one")

    page.wait_for_timeout(1000)
    server.faults.clear()
    page.evaluate(UPDATE)
    expect(page.locator(".rl-version")).to_contain_text("Une nouvelle version est prête")


def test_a_page_that_only_the_new_version_has_comes_with_its_own_styles(context, server, two) -> None:
    context.add_init_script(METERED)
    page = context.new_page()
    page.goto(server.url)
    settled(page)
    page.goto(server.url + GAMES["pangee"])
    second = two()
    server.faults["current.json"] = "missing"  # the new version cannot be whole yet

    page.goto(server.url + GAMES["poisons"])
    assert build_of(page) == ("two", "two")
    follow(page, "/poisons/soigner/")
    expect(page.locator("h1")).to_contain_text("Soigner")
    assert build_of(page) == ("two", "two")

    # What is kept is still whole, in its own version.
    other = context.new_page()
    other.goto(server.url + GAMES["pangee"])
    assert build_of(other) == ("one", "one")
    # From there, by instant navigation: the other version comes whole.
    follow(other, "/poisons/")
    expect(other.locator("h1[data-build=two]")).to_be_visible()
    assert build_of(other) == ("two", "two")
    assert second.is_dir()


def test_a_version_that_waits_is_taken_when_the_site_is_opened_again(context, server, two) -> None:
    page = context.new_page()
    page.goto(server.url)
    settled(page)
    two()
    page.evaluate(UPDATE)
    expect(page.locator(".rl-version")).to_contain_text("prête")
    page.get_by_role("button", name="Plus tard").click()
    expect(page.locator(".rl-version")).to_be_empty()
    page.reload()
    expect(page.locator("h1[data-build=two]")).to_be_visible()

    assert build_of(page) == ("two", "two")


def test_what_is_kept_while_a_version_waits_is_kept_of_it_too(context, server, two) -> None:
    context.add_init_script(METERED)
    page = context.new_page()
    page.goto(server.url + "aide/hors-ligne/")
    first = server.folder
    two()
    page.evaluate(UPDATE)
    expect(page.locator(".rl-version")).to_contain_text("prête")
    second, server.folder = server.folder, first
    page.get_by_role("button", name="Garder hors ligne : Pangee").click()
    expect(page.locator("li[data-kept=true]")).to_have_count(1)
    server.folder = second
    page.locator(".rl-version button").first.click()
    expect(page.locator("h1[data-build=two]")).to_be_visible()
    expect(page.locator("li[data-kept=true]")).to_have_count(1)


def test_keeping_from_a_site_that_has_changed_says_so(context, server, two) -> None:
    context.add_init_script(METERED)
    page = context.new_page()
    page.goto(server.url)
    expect(page.locator(".rl-offline").get_by_role("button")).to_be_visible()
    two()
    page.locator(".rl-offline").get_by_role("button").click()
    expect(page.locator(".rl-offline").get_by_role("status")).to_contain_text("Le site vient de changer")
    expect(page.locator(".rl-version")).to_contain_text("Une nouvelle version est prête")


def test_other_tabs_follow_when_they_are_seen(context, server, two) -> None:
    one, other = context.new_page(), context.new_page()
    one.goto(server.url)
    settled(one)
    other.goto(server.url + "credits/")
    two()
    one.evaluate(UPDATE)
    one.locator(".rl-version button").first.click()
    for page in (one, other):
        expect(page.locator("h1[data-build=two]")).to_be_visible()
        assert build_of(page) == ("two", "two")


def test_the_app_can_be_installed(context, server) -> None:
    page = context.new_page()
    page.goto(server.url)
    settled(page)
    session = context.new_cdp_session(page)

    errors = {error["errorId"] for error in session.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert errors <= {"in-incognito"}, "a browser without memory installs nothing"
    assert session.send("Page.getAppManifest")["errors"] == []

"""How Python starts in a reader's browser, and what the reader is told when it does not."""

import gzip
import hashlib
import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from . import chromium
from .calculator_page import CalculatorPage, engine, kept
from .conftest import write_page
from .server import Server

pytestmark = pytest.mark.browser

# Where a snapshot says of which build of Pyodide it is.
BUILD_ID = slice(16, 48)
RUNTIME = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "app.zip", "snapshot.bin", "rules.json")


def runtime_requests(server: Server) -> list[str]:
    return [path for path in server.asked if path.endswith(RUNTIME)]


def test_nothing_is_loaded_until_a_form_is_touched(page, server) -> None:
    page.goto(server.url)
    calculator = CalculatorPage(page)
    expect(calculator.output("Total")).to_have_text("10")
    calculator.button("share").click()
    page.wait_for_timeout(500)

    assert runtime_requests(server) == []
    assert page.workers == []


def test_an_address_without_this_calculator_starts_nothing(page, server) -> None:
    page.goto(server.url + "?c=nobody/knows&x=1")
    page.wait_for_timeout(500)

    assert page.workers == []


def test_the_first_touch_shows_and_says_the_progress(page, server) -> None:
    page.goto(server.url)
    page.evaluate(
        """() => {
          window.said = [];
          const status = document.querySelector('#lancer .rc-status');
          new MutationObserver(() => said.push(status.textContent)).observe(status, {childList: true});
        }"""
    )
    calculator = CalculatorPage(page)
    calculator.control("trait").click()
    expect(calculator.element.locator("progress")).to_be_visible()
    calculator.wait_for("done")
    said = page.evaluate("said")

    assert "Mo" in said[1] and said[-2].startswith("Le calcul démarre") and said[-1].startswith("Le calcul est prêt")
    assert len(said) <= 8, "a screen reader is told the steps, not every kilobyte"
    assert calculator.element.locator("progress").count() == 0
    assert engine(page, "engine.way") == "archive"
    assert not any(path.endswith("snapshot.bin") for path in server.asked)


def test_an_answer_replaces_the_printed_one(page, server) -> None:
    page.goto(server.url)
    calculator = CalculatorPage(page)
    calculator.fill("trait", "3")

    expect(calculator.output("Total")).to_have_text("12")
    expect(calculator.status).to_have_text("Palier\u00a0: Succès")
    assert calculator.answers.locator(".rc-answer").count() == 1


def test_two_calculators_share_one_worker(page, server) -> None:
    page.goto(server.url)
    CalculatorPage(page).fill("trait", "3")
    other = CalculatorPage(page, "doubler")
    other.fill("n", "21")

    expect(other.output("Double")).to_have_text("42")
    assert len(page.workers) == 1


def test_the_second_visit_starts_from_the_snapshot_without_downloading(context, server) -> None:
    first_visit(context, server)
    asked = len(server.asked)
    page = context.new_page()
    page.goto(server.url)
    calculator = CalculatorPage(page)
    calculator.fill("trait", "3")

    expect(calculator.output("Total")).to_have_text("12")
    assert engine(page, "engine.way") == "snapshot"
    assert [path for path in server.asked[asked:] if path.endswith((".wasm", ".zip", ".bin"))] == []


def test_once_kept_python_starts_by_itself_and_says_nothing(context, server) -> None:
    first_visit(context, server)
    page = context.new_page()
    page.goto(server.url)
    page.wait_for_event("worker")
    page.wait_for_timeout(3000)

    assert engine(page, "engine.state") == "ready"
    expect(CalculatorPage(page).status).to_be_empty()


def test_a_new_build_is_not_downloaded_before_a_touch(context, server) -> None:
    first_visit(context, server)
    server.faults["current.json"] = lambda current: current.replace(b'"folder": "', b'"folder": "new-')
    page = context.new_page()
    page.goto(server.url)
    page.wait_for_timeout(2000)

    assert page.workers == []


@pytest.mark.parametrize("harm", ["truncated", "absent"])
def test_a_harmed_snapshot_is_done_without(harm: str, context, server) -> None:
    first_visit(context, server).evaluate(
        """async harm => {
          for (const name of await caches.keys()) {
            const store = await caches.open(name);
            for (const request of await store.keys()) {
              if (!request.url.endsWith('/snapshot.bin')) continue;
              const bytes = await (await store.match(request)).arrayBuffer();
              if (harm === 'absent') await store.delete(request);
              else await store.put(request, new Response(bytes.slice(0, bytes.byteLength / 2)));
            }
          }
        }""",
        harm,
    )
    server.faults["snapshot.bin"] = "missing"
    assert way_of_a_new_page(context, server) == "archive"


@pytest.mark.parametrize("other", ["another build", "no snapshot"])
def test_a_snapshot_that_pyodide_refuses_is_done_without(other: str, context, server, site: Path, rules: dict) -> None:
    # Its digest is right. Of another build it is refused; too small a memory makes Pyodide wait for ever.
    write_page(site / "hasty.html", rules, silence=12_000)
    (file,) = site.glob("calc/*/snapshot.bin")
    memory = bytearray(gzip.decompress(file.read_bytes()))
    memory[BUILD_ID] = bytes(len(memory[BUILD_ID]))
    harmed = gzip.compress(memory if other == "another build" else bytes(1 << 20), compresslevel=1)

    def told(current: bytes) -> bytes:
        manifest = json.loads(current)
        manifest["files"]["snapshot.bin"] = {"size": len(harmed), "sha256": hashlib.sha256(harmed).hexdigest()}
        return json.dumps(manifest).encode()

    server.faults = {"current.json": told, "snapshot.bin": lambda _: harmed}
    first_visit(context, server)
    assert way_of_a_new_page(context, server, "hasty.html") == "archive"


def test_two_starts_from_the_snapshot_roll_differently(context, server) -> None:
    first_visit(context, server)
    rolls = []
    for _ in range(2):
        page = context.new_page()
        page.goto(server.url)
        rolls.append(engine(page, "engine.ask({op: 'roll', dice: '20d1000', seed: null}).then(({text}) => text)"))
        assert engine(page, "engine.way") == "snapshot"
        page.close()

    assert rolls[0] != rolls[1]


@pytest.mark.parametrize("file", ["app.zip", "pyodide.asm.wasm", "rules.json"])
def test_a_damaged_download_is_refused_and_told(file: str, page, server) -> None:
    server.faults[file] = lambda content: content[:-1] + bytes([content[-1] ^ 1])
    page.goto(server.url)
    calculator = CalculatorPage(page)
    calculator.control("trait").click()
    calculator.wait_for("error")

    expect(calculator.status).to_contain_text("se lisent sans lui")
    expect(calculator.output("Total")).to_have_text("10")
    page.errors.clear()  # Pyodide may have had the time to say what it lacks


@pytest.mark.parametrize("file", ["current.json", "rules-worker.js", "pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm"])
def test_a_missing_file_is_told_and_a_new_start_is_offered(file: str, page, server) -> None:
    server.faults[file] = "missing"
    page.goto(server.url)
    calculator = CalculatorPage(page)
    calculator.fill("trait", "3")
    calculator.wait_for("error")
    page.errors.clear()
    server.faults.clear()
    calculator.button("restart").click()

    expect(calculator.output("Total")).to_have_text("12", timeout=60_000)
    assert calculator.element.locator("[data-restart]").count() == 0


@pytest.mark.parametrize("fault", ["missing", lambda content: content[:-9]])
def test_a_network_that_fails_on_the_way_is_not_the_fault_of_the_browser(fault, page, server) -> None:
    server.faults["app.zip"] = fault
    page.goto(server.url)
    calculator = CalculatorPage(page)
    calculator.control("trait").click()
    calculator.wait_for("error")

    expect(calculator.status).to_contain_text("n’a pas pu être téléchargé")
    page.errors.clear()  # the missing file, and what Pyodide lacks


@pytest.mark.parametrize(
    ("file", "hung"),
    [("app.zip", ""), ("current.json", ""), ("app.zip", "CacheStorage.prototype.delete = () => new Promise(() => {})")],
    ids=["archive", "manifest", "archive and store"],
)
def test_a_start_that_hangs_is_ended(file: str, hung: str, page, server, site: Path, rules: dict) -> None:
    write_page(site / "hasty.html", rules, silence=1500)
    page.add_init_script(hung)
    server.faults[file] = "hang"
    page.goto(server.url + "hasty.html")
    calculator = CalculatorPage(page)
    calculator.control("trait").click()
    calculator.wait_for("error")

    expect(calculator.status).to_contain_text("n’a pas démarré" if file == "app.zip" else "n’a pas pu être téléchargé")
    expect(calculator.button("restart")).to_be_visible()
    assert page.workers == []


# A reader's browser may refuse what the calculators need: the page, then the worker.
REFUSED = {
    "no worker": ("delete window.Worker", ""),
    "a worker refused": ("window.Worker = class { constructor() { throw new DOMException('refused', 'SecurityError') } }", ""),
    "no WebAssembly": ("", "delete self.WebAssembly;"),
    "no memory": ("", "WebAssembly.Memory = class { constructor() { throw new RangeError('out of memory') } };"),
}
REFUSE = "const refuse = () => Promise.reject(new DOMException('refused', 'SecurityError'));"
STORAGE = REFUSE + "for (const name of ['keys', 'open', 'match', 'delete', 'has']) CacheStorage.prototype[name] = refuse;"
FULL = "Cache.prototype.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));"


@pytest.mark.parametrize("what", REFUSED)
def test_what_the_browser_refuses_is_told_and_can_be_tried_again(what: str, page, server, site: Path, rules: dict) -> None:
    in_page, in_worker = REFUSED[what]
    write_page(site / "hasty.html", rules, silence=3000)
    page.add_init_script(in_page)
    server.faults["rules-worker.js"] = lambda content: in_worker.encode() + content
    page.goto(server.url + "hasty.html")
    calculator = CalculatorPage(page)
    calculator.control("trait").fill("3")
    calculator.wait_for("error")
    calculator.button("restart").click()
    calculator.wait_for("error")

    expect(calculator.button("restart")).to_be_visible()
    expect(calculator.answers).not_to_have_attribute("aria-busy", "true")
    expect(calculator.output("Total")).to_have_text("10")
    page.errors.clear()  # Pyodide may say what it lacks


@pytest.mark.parametrize("refused", [STORAGE, FULL])
def test_a_browser_that_stores_nothing_still_answers(refused: str, page, server) -> None:
    page.add_init_script(refused)
    server.faults["rules-worker.js"] = lambda content: refused.encode() + content
    page.goto(server.url)
    calculator = CalculatorPage(page)
    calculator.fill("trait", "3")

    expect(calculator.output("Total")).to_have_text("12", timeout=60_000)
    page.wait_for_timeout(3000)  # it tries to keep what it read once there is a pause
    calculator.fill("trait", "2")
    expect(calculator.output("Total")).to_have_text("11")


def test_an_answer_that_takes_too_long_is_ended(page, server, site: Path, rules: dict) -> None:
    write_page(site / "hasty.html", rules, answer=4000)
    server.faults["rules-worker.js"] = lambda _: b"onmessage = () => postMessage({state: 'ready', way: 'nothing'})"
    page.goto(server.url + "hasty.html")
    calculator = CalculatorPage(page)
    calculator.control("trait").fill("3")
    calculator.wait_for("error")

    expect(calculator.status).to_contain_text("n’a pas répondu à temps")
    expect(calculator.answers).not_to_have_attribute("aria-busy", "true")
    assert page.workers == []

    server.faults.clear()
    calculator.button("restart").click()
    expect(calculator.output("Total")).to_have_text("12", timeout=60_000)


def test_once_kept_it_works_without_a_network(context, server, site: Path) -> None:
    # The site's own service worker answers pages and scripts from the browser's stores, as this one does.
    (site / "offline.js").write_text(
        """addEventListener('activate', event => event.waitUntil(clients.claim()));
        addEventListener('fetch', event => event.respondWith((async () => {
          const stored = await caches.match(event.request, {ignoreSearch: true});
          if (stored) return stored;
          const got = await fetch(event.request);
          if (got.ok) (await caches.open('pages')).put(event.request, got.clone());
          return got;
        })()));""",
        "utf-8",
    )
    page = context.new_page()
    page.goto(server.url)
    page.evaluate("navigator.serviceWorker.register('offline.js').then(() => navigator.serviceWorker.ready)")
    page.reload()
    CalculatorPage(page).control("trait").click()
    kept(page)
    page.close()
    server.stop()

    page = context.new_page()
    page.goto(server.url)
    calculator = CalculatorPage(page)
    calculator.fill("trait", "3")

    expect(calculator.output("Total")).to_have_text("12")


def test_without_a_secure_context_it_still_answers(browser, executable: str, server) -> None:
    # A game master serves the site from a laptop to phones: no store, no digest, so no snapshot either.
    host = server.origin.replace("127.0.0.1", "table.test")
    arguments = [*chromium.ARGUMENTS, "--host-resolver-rules=MAP table.test 127.0.0.1"]
    with_name = browser.browser_type.launch(executable_path=executable, args=arguments)
    page = with_name.new_page()
    page.goto(host + "/docs/")
    calculator = CalculatorPage(page)

    assert page.evaluate("isSecureContext") is False
    calculator.fill("trait", "3")
    expect(calculator.output("Total")).to_have_text("12")
    with_name.close()


def first_visit(context, server):
    """A page that has started Python and kept what it needs."""
    page = context.new_page()
    page.goto(server.url)
    CalculatorPage(page).control("trait").click()
    kept(page)
    return page


def way_of_a_new_page(context, server, name: str = "") -> object:
    page = context.new_page()
    page.goto(server.url + name)
    calculator = CalculatorPage(page)
    calculator.fill("trait", "3")
    expect(calculator.output("Total")).to_have_text("12")
    return engine(page, "engine.way")

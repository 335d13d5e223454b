"""The real site, built once, served at its root, and a Chromium that must speak to nobody else."""

import threading
from pathlib import Path

import pytest
from filelock import FileLock

from generator import site
from generator.server import Server

ROOT = Path(__file__).parent.parent.parent
PHONE, DESK = 360, 1280


class StillServer(Server):
    """Serves a site that does not change while it is read: asking again for every style and script would take half the time."""

    caching = "max-age=3600"


@pytest.fixture(scope="session")
def built(tmp_path_factory, testrun_uid):
    """The folder of the whole site, with the runtime: the first process of a run builds it, the others wait for it.

    What an earlier run left is used again where nothing changed.
    """
    done = tmp_path_factory.getbasetemp().parent / f"built-{testrun_uid}"
    with FileLock(f"{done}.lock"):
        if not done.exists():
            site.build(ROOT)
            done.touch()
    return ROOT / "site"


@pytest.fixture(scope="session")
def address(built):
    server = StillServer(built, 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.address
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def chrome(browser):
    return browser


class Visit:
    """One page of the browser: what it logged as an error, and whom it asked outside the site."""

    def __init__(self, context, address):
        self.address, self.errors, self.strangers = address, [], []
        self.page = context.new_page()
        self.page.on("console", lambda message: self.errors.append(f"{self.page.url}: {message.text}") if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(f"{self.page.url}: {error}"))
        context.on("request", self._asked)

    def _asked(self, request):
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.strangers.append(request.url)

    def open(self, path):
        self.page.goto(self.address + path, wait_until="load")
        return self.page


@pytest.fixture
def visit(chrome, address):
    """A fresh reader at a desk; the test fails if anything was logged or asked of another host."""
    context = chrome.new_context(viewport={"width": DESK, "height": 900}, locale="fr-FR", service_workers="block")
    visited = Visit(context, address)
    yield visited
    context.close()

    assert visited.errors == []
    assert visited.strangers == []


def address_of(path, built):
    """Return the address of a page from the site's root: "" is the home page."""
    folder = path.parent.relative_to(built).as_posix()
    return "" if folder == "." else folder + "/"


@pytest.fixture(scope="session")
def pages(built):
    """Every page of the site, by its address; those that only lead to a row of a table elsewhere are left out."""
    found = {address_of(path, built): path.read_text(encoding="utf-8") for path in built.rglob("index.html")}
    return sorted(address for address, html in found.items() if 'http-equiv="refresh"' not in html)


@pytest.fixture(scope="session")
def told_pages(pages):
    """The pages one reads from the menu, and one page of a record of each game: all the prose, and one page of each template."""
    told, games = [], set()
    for page in pages:
        parts = page.strip("/").split("/")
        if len(parts) < 3:
            told.append(page)
        elif parts[0] not in games:
            games.add(parts[0])
            told.append(page)
    return told

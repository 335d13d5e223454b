"""A real Chromium, and a page with two small calculators of a game that exists only here."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from calculators import render
from calculators.rulebook import Rulebook
from generator import bundle, load, texts

from .calculator_page import CalculatorPage, kept
from .server import Server

PROJECT = Path(__file__).resolve().parents[2]
GAME = PROJECT / "tests" / "fixtures" / "browser" / "essai.yaml"

PAGE = """<!doctype html>
<html lang="fr"><head><meta charset="utf-8"><title>Essai</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="calc/rule-calculator.css">
<script type="application/json" id="rc-words">{words}</script>
<script type="application/json" id="rc-config">{config}</script>
<script type="module" src="calc/rule-calculator.js"></script>
<script type="module" src="calc/dice-text.js"></script>
</head><body><main><article>
<h1 id="titre">Le jet de 2D6</h1>
<p id="prose">Lancez 2D6 + 3, ou D4. <code>2D6</code> <a href="#titre">1D8</a></p>
{calculators}
<p><a id="link" href="?c=essai/lancer&amp;trait=3&amp;dice=[6,6]">Un exemple</a></p>
</article></main></body></html>
"""


@pytest.fixture(scope="session")
def rules() -> dict:
    document = load.read(GAME, PROJECT)
    assert not document.faults
    return {"texts": texts.read(), "games": {"essai": document.value}}


@pytest.fixture(scope="session")
def site(rules: dict, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site of one page, index.html, with its bundle in calc/."""
    folder = tmp_path_factory.mktemp("site")
    bundle.build(rules, folder / "calc", PROJECT / "build" / "cache")
    write_page(folder / "index.html", rules)
    return folder


def write_page(path: Path, rules: dict, **config: object) -> None:
    """Write a page of every calculator; *config* adds to what it tells the scripts."""
    rulebook = Rulebook(rules)
    names = rules["games"]["essai"]["calculators"]
    html = PAGE.format(
        words=block(rules["texts"]["browser"]),
        config=block({"runtime": "calc/", **config}),
        calculators="\n".join(render.calculator(rulebook, f"essai/{name}") for name in names),
    )
    path.write_text(html, "utf-8")


def block(value: object) -> str:
    """Write *value* as the inside of a script element."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


@contextmanager
def visitor(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """A browser without memory that, whatever its pages do, must speak to *server* only."""
    context = browser.new_context(viewport={"width": 1000, "height": 900}, locale="fr-FR")
    context.set_default_timeout(60_000)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.origin)
    strangers: list[str] = []
    ours = (server.origin, "data:", "blob:")
    context.on("request", lambda request: None if request.url.startswith(ours) else strangers.append(request.url))
    yield context
    context.close()

    assert strangers == []


@pytest.fixture
def server(site: Path) -> Iterator[Server]:
    """An address that no browser has seen."""
    server = Server(site)
    yield server
    server.stop()


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    with visitor(browser, server) as context:
        yield context


@pytest.fixture(scope="session")
def known_server(site: Path) -> Iterator[Server]:
    """An address that `regular` has visited before."""
    server = Server(site)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def regular(browser: Browser, known_server: Server) -> Iterator[BrowserContext]:
    """A browser that keeps the runtime of `known_server`: its pages answer sooner."""
    with visitor(browser, known_server) as context:
        page = context.new_page()
        page.goto(known_server.url)
        CalculatorPage(page).control("trait").click()
        kept(page)
        page.close()
        yield context


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that must log no error, unless the test clears `page.errors`."""
    page = context.new_page()
    page.errors = []
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    yield page
    page.close()

    assert page.errors == []

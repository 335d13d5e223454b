"""Under the theme's instant navigation the page changes and Python stays."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from calculators import render
from calculators.rulebook import Rulebook

from .calculator_page import CalculatorPage
from .conftest import block, visitor
from .server import Server

pytestmark = pytest.mark.browser

# What the theme needs of its own beside ours: its scripts and styles stand in the page.
POLICY = "default-src 'self' data:; script-src 'self' 'wasm-unsafe-eval' 'unsafe-inline'; style-src 'self' 'unsafe-inline'"

SCRIPTS = """{{% extends "base.html" %}}
{{% block scripts %}}{{{{ super() }}}}
<script type="application/json" id="rc-words">{words}</script>
<script type="module" src="{{{{ 'calc/rule-calculator.js' | url }}}}"></script>
<script type="module" src="{{{{ 'calc/dice-text.js' | url }}}}"></script>
{{% endblock %}}"""


@pytest.fixture
def instant(site: Path, rules: dict, tmp_path: Path):
    """A site of the theme in two pages, one calculator on each, at the address it was built for."""
    server = Server(tmp_path / "site", POLICY)
    rulebook = Rulebook(rules)
    docs, theme = tmp_path / "docs", tmp_path / "theme"
    docs.mkdir()
    theme.mkdir()
    (docs / "calc").symlink_to(site / "calc")
    for name, other in (("lancer", "doubler"), ("doubler", "lancer")):
        html = render.calculator(rulebook, f"essai/{name}")
        links = f"[Ailleurs]({other}.md) [Ici]({name}.md?c=essai/{name}&trait=4&n=9)"
        (docs / f"{name}.md").write_text(f"# Page {name}\n\nLancez 2D6.\n\n<div>{html}</div>\n\n{links}\n", "utf-8")
    (docs / "index.md").write_text("# Accueil\n", "utf-8")
    (theme / "main.html").write_text(SCRIPTS.format(words=block(rules["texts"]["browser"])), "utf-8")
    settings = {
        "site_name": "Essai",
        "site_url": server.url,
        "theme": {"name": "material", "custom_dir": str(theme), "font": False, "features": ["navigation.instant"]},
        "extra_css": ["calc/rule-calculator.css"],
        "plugins": [],
    }
    (tmp_path / "mkdocs.yml").write_text(json.dumps(settings), "utf-8")
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", str(tmp_path / "mkdocs.yml")]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    yield server
    server.stop()


def test_one_python_for_all_pages(browser, instant: Server) -> None:
    with visitor(browser, instant) as context:
        page = context.new_page()
        page.goto(instant.url + "lancer/")
        page.evaluate("window.stayed = true")
        CalculatorPage(page).fill("trait", "3")
        page.get_by_role("link", name="Ailleurs").click()
        calculator = CalculatorPage(page, "doubler")
        calculator.fill("n", "21")

        expect(calculator.output("Double")).to_have_text("42")
        expect(page.locator("button.dice-text")).to_have_text(["2D6"])
        assert page.evaluate("window.stayed") is True
        assert len(page.workers) == 1
        assert page.evaluate("import('/docs/calc/rules-engine.js').then(({engine}) => engine.state)") == "ready"


def test_a_link_with_inputs_to_the_same_page_is_followed(browser, instant: Server) -> None:
    with visitor(browser, instant) as context:
        page = context.new_page()
        page.goto(instant.url + "lancer/")
        page.evaluate("window.stayed = true")
        page.get_by_role("link", name="Ici").click()
        calculator = CalculatorPage(page)

        expect(calculator.control("trait")).to_have_value("4")
        expect(calculator.output("Total")).to_have_text("13", timeout=60_000)
        assert page.evaluate("window.stayed") is True


def test_a_link_with_inputs_to_another_page_is_followed(browser, instant: Server) -> None:
    with visitor(browser, instant) as context:
        page = context.new_page()
        page.goto(instant.url + "lancer/")
        page.get_by_role("link", name="Ailleurs").evaluate("link => { link.href += '?c=essai/doubler&n=9' }")
        page.evaluate("window.stayed = true")
        page.get_by_role("link", name="Ailleurs").click()
        calculator = CalculatorPage(page, "doubler")

        expect(calculator.control("n")).to_have_value("9")
        expect(calculator.output("Double")).to_have_text("18", timeout=60_000)
        assert page.evaluate("window.stayed") is True

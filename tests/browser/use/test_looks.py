"""What the eye and the finger need."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from ..calculator_page import CalculatorPage

pytestmark = pytest.mark.browser

AXE = Path(__file__).resolve().parents[3] / "node_modules" / "axe-core" / "axe.min.js"
# The smallest target of a finger, in CSS pixels.
TOUCH = 44


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_nothing_sticks_out(width: int, page, server) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(server.url)
    calculator = CalculatorPage(page)
    calculator.button("roll").click()
    expect(calculator.history).to_have_count(1, timeout=60_000)
    calculator.fill("trait", "9")

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for element in page.locator("rule-calculator").all():
        inner = element.evaluate("one => one.scrollWidth - one.clientWidth")
        assert inner <= 0


def test_what_is_touched_is_large_enough(page, server) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(server.url)
    small = page.locator("rule-calculator :is(button, select, summary, input:not([type=checkbox]), .rc-field[data-kind=boolean])").evaluate_all(
        f"""all => all.filter(one => one.checkVisibility())
        .filter(one => one.getBoundingClientRect().height < {TOUCH}).map(one => one.outerHTML)"""
    )

    assert small == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_accessibility_violation(scheme: str, page, server, site: Path) -> None:
    page.goto(server.url)
    calculator = CalculatorPage(page)
    calculator.button("roll").click()
    expect(calculator.history).to_have_count(1, timeout=60_000)
    calculator.fill("trait", "9")
    page.evaluate(
        """scheme => {
          const root = document.documentElement.style;
          const [ink, soft, faint, paper, accent] = scheme === 'dark'
            ? ['#e2e4e9', '#a9adb8', '#2e303e', '#1e2029', '#d9a066']
            : ['#222222', '#5f5f5f', '#dddddd', '#ffffff', '#8a5a2b'];
          const set = (name, value) => root.setProperty(`--md-${name}`, value);
          set('default-fg-color', ink);
          set('default-fg-color--light', soft);
          set('default-fg-color--lightest', faint);
          set('default-bg-color', paper);
          set('accent-fg-color', accent);
          document.body.style.background = paper;
          document.body.style.color = ink;
          document.querySelectorAll('a').forEach(link => (link.style.color = ink));
        }""",
        scheme,
    )
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run('article')")

    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]] == []


def test_motion_is_reduced_when_asked(page, server) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(server.url)
    calculator = CalculatorPage(page)
    calculator.button("roll").click()
    expect(calculator.history).to_have_count(1, timeout=60_000)

    assert page.locator(".rc-die").first.evaluate("one => getComputedStyle(one).animationName") == "none"
    assert calculator.answers.evaluate("one => getComputedStyle(one).transitionDuration") == "0s"


def test_without_scripts_the_page_reads_and_shows_no_dead_button(browser, server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.url)

    expect(page.locator("#lancer .rc-output", has_text="Total")).to_contain_text("10")
    expect(page.locator("#prose")).to_contain_text("2D6 + 3")
    assert page.locator("rule-calculator button:visible").count() == 0
    context.close()

"""What the tests do with a calculator of the page, in the words of a reader."""

import pytest
from playwright.sync_api import Locator, Page, expect

BOOT_MS = 60_000


class CalculatorPage:
    """One <rule-calculator> of *page*, by its id."""

    def __init__(self, page: Page, name: str = "lancer") -> None:
        self.page, self.name = page, name
        self.element = page.locator(f"rule-calculator#{name}")
        self.status = self.element.locator(".rc-status")
        self.answers = self.element.locator(".rc-answers")
        self.history = self.element.locator(".rc-history li")

    def control(self, name: str) -> Locator:
        return self.element.locator(f'.rc-field[data-name="{name}"] [data-control]').first

    def field(self, name: str) -> Locator:
        return self.element.locator(f'.rc-field[data-name="{name}"]')

    def button(self, name: str) -> Locator:
        return self.element.locator(f"button[data-{name}]").first

    def output(self, label: str) -> Locator:
        return self.answers.locator(".rc-output", has_text=label).locator("dd")

    def wait_for(self, state: str) -> None:
        """Wait until the status is "progress", "done", "said" or "error"."""
        expect(self.status).to_have_attribute("data-state", state, timeout=BOOT_MS)

    def fill(self, name: str, value: str) -> None:
        """Change an input and wait for its answer."""
        self.control(name).fill(value)
        self.answered()

    def answered(self) -> None:
        expect(self.answers).not_to_have_attribute("aria-busy", "true", timeout=BOOT_MS)


def engine(page: Page, expression: str) -> object:
    """Evaluate *expression* of the page's `engine`."""
    return page.evaluate(f"import(new URL('calc/rules-engine.js', location.href)).then(({{engine}}) => {expression})")


def until(page: Page, what: str, holds: str) -> None:
    """Wait until the JavaScript *holds*, an expression or a function, gives true: nothing in a page may be waited for without an end."""
    for _ in range(BOOT_MS // 100):
        if page.evaluate(holds):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"{what} after {BOOT_MS} ms")


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is on an element of *selector*, or inside one."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.closest(selector) !== null", selector):
            return
    pytest.fail(f"the keyboard does not reach {selector}")


def kept(page: Page) -> None:
    """Wait until the runtime is in the browser's store."""
    until(
        page,
        "no snapshot is in the browser's store",
        """async () => {
          for (const name of await caches.keys()) {
            const store = await caches.open(name);
            if ((await store.keys()).some(({url}) => url.endsWith('/snapshot.bin'))) return true;
          }
        }""",
    )

"""The inputs live in the address."""

import json
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

from calculators.inputs import LONGEST_LIST

from ..calculator_page import CalculatorPage

pytestmark = pytest.mark.browser


def pairs(url: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(url).query, keep_blank_values=True)


def test_a_shared_address_fills_the_form_and_is_answered(page, server) -> None:
    page.goto(server.url + '?c=essai/lancer&trait=3&dice=[6,6,1]&mode=double&options={"ruse":2}&hidden=true#lancer')
    calculator = CalculatorPage(page)
    expect(calculator.control("trait")).to_have_value("3")
    expect(calculator.field("dice").locator(".rc-item")).to_have_count(3)
    expect(calculator.control("hidden")).to_be_checked()
    calculator.wait_for("said")
    expect(calculator.field("dice").locator("> .rc-error")).to_be_visible()

    calculator.field("dice").locator("[data-remove]").last.click()
    expect(calculator.output("Total")).to_have_text("30")


def test_a_change_is_written_without_adding_to_the_history(page, server) -> None:
    page.goto(server.url + "?h=mot#titre")
    length = page.evaluate("history.length")
    CalculatorPage(page).fill("trait", "3")
    CalculatorPage(page, "doubler").fill("n", "21")
    expect(CalculatorPage(page, "doubler").output("Double")).to_have_text("42")

    assert pairs(page.url) == [("h", "mot"), ("c", "essai/lancer"), ("trait", "3"), ("c", "essai/doubler"), ("n", "21")]
    assert urlsplit(page.url).fragment == "titre"
    assert page.evaluate("history.length") == length

    page.reload()
    expect(CalculatorPage(page).control("trait")).to_have_value("3")
    expect(CalculatorPage(page, "doubler").control("n")).to_have_value("21")
    expect(CalculatorPage(page, "doubler").output("Double")).to_have_text("42", timeout=60_000)


def test_back_to_the_printed_inputs_is_a_clean_address(page, server) -> None:
    page.goto(server.url)
    calculator = CalculatorPage(page)
    calculator.fill("trait", "3")
    assert "trait=3" in page.url
    calculator.fill("trait", "1")

    assert urlsplit(page.url).query == ""


def test_the_shared_link_names_every_input(page, server) -> None:
    page.goto(server.url)
    calculator = CalculatorPage(page)
    calculator.button("share").click()
    expect(calculator.status).to_contain_text("lien est copié")
    link = page.evaluate("navigator.clipboard.readText()")
    told = dict(pairs(link))

    assert urlsplit(link).fragment == "lancer"
    assert told.pop("c") == "essai/lancer"
    assert json.loads(told["dice"]) == [4, 5]
    assert set(told) == {"dice", "trait", "mode", "hidden", "weight", "options", "person", "extras", "reading"}


def test_a_mangled_address_does_no_harm(page, server) -> None:
    page.goto(server.url + "?c=essai/lancer&dice=[6,&trait=&nothing=1&options=3&c=nobody/knows&x=1")
    calculator = CalculatorPage(page)

    expect(calculator.field("dice").locator(".rc-item")).to_have_count(2)
    expect(calculator.control("trait")).to_have_value("")


STRANGE = [
    ("dice", '[{"toString":1},2]', ["", "2"]),
    ("dice", "[[1],null]", ["", ""]),
    ("dice", f"[{'[' * 5000}{']' * 5000}]", [""]),
    ("dice", "{}", []),
    ("person", "[7]", ["", ""]),
    ("person", '{"name":{},"level":["x"]}', ["", ""]),
]


@pytest.mark.parametrize(("name", "text", "shown"), STRANGE)
def test_a_value_of_the_wrong_kind_is_no_value(name: str, text: str, shown: list[str], page, server) -> None:
    page.goto(f"{server.url}?c=essai/lancer&{name}={text}")
    calculator = CalculatorPage(page)
    calculator.wait_for("said")

    assert calculator.field(name).locator("[data-control]").evaluate_all("all => all.map(one => one.value)") == shown


def test_a_list_of_thousands_leaves_the_page_quick(page, server) -> None:
    page.goto(f"{server.url}?c=essai/lancer&dice=[{','.join('1' * 9000)}]", timeout=10_000)
    calculator = CalculatorPage(page)
    calculator.wait_for("said")

    assert calculator.field("dice").locator(".rc-item").count() == LONGEST_LIST + 1
    expect(calculator.field("dice").locator("> .rc-error")).to_be_visible()
    expect(calculator.field("dice").locator("[data-add]")).to_be_disabled()


def test_markup_in_an_address_stays_text(page, server) -> None:
    page.goto(server.url + '?c=essai/lancer&weight=<img src=x onerror=alert(1)>&person={"name":"<b>x</b>"}')
    calculator = CalculatorPage(page)
    calculator.wait_for("said")

    expect(calculator.field("weight").locator(".rc-error")).to_contain_text("<img")
    assert page.locator("rule-calculator img, rule-calculator b").count() == 0


def test_a_change_of_the_query_without_a_reload_is_followed(page, server) -> None:
    # As instant navigation does for a link to the page it is on.
    page.goto(server.url)
    calculator = CalculatorPage(page)
    calculator.control("weight").fill("9")
    page.evaluate(
        """document.querySelector('#link').addEventListener('click', event => {
          event.preventDefault();
          history.pushState(null, '', event.currentTarget.href);
        })"""
    )
    page.locator("#link").click()
    expect(calculator.control("trait")).to_have_value("3")
    expect(calculator.control("weight")).to_have_value("1")
    expect(calculator.output("Total")).to_have_text("15", timeout=60_000)

    page.go_back()
    expect(calculator.control("trait")).to_have_value("1")
    expect(calculator.output("Total")).to_have_text("10")

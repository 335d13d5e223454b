"""The form: what it asks, what it says of refusals, lists, dice, and the keyboard."""

import pytest
from playwright.sync_api import expect

from ..calculator_page import CalculatorPage, tab_to

pytestmark = pytest.mark.browser


@pytest.fixture
def calculator(page, server) -> CalculatorPage:
    page.goto(server.url)
    return CalculatorPage(page)


def inputs(page) -> dict:
    """What the form of the first calculator holds, as it would be asked."""
    return page.evaluate(
        """import(new URL('calc/form-values.js', location.href))
        .then(({readForm}) => readForm(document.querySelector('#lancer form')))"""
    )


def test_each_kind_of_input_is_read_as_its_value(calculator, page) -> None:
    assert inputs(page) == {
        "dice": [4, 5], "trait": 1, "mode": "normal", "hidden": False, "weight": 1, "options": {},
        "person": {"level": 1}, "extras": [], "reading": "a",
    }  # fmt: skip

    calculator.control("mode").select_option("double")
    calculator.control("hidden").check()
    calculator.control("weight").fill("12,5")
    calculator.field("options").locator('[data-key="force"] input').fill("2")
    calculator.field("person").locator('[data-name="name"] input').fill("Anne")
    calculator.control("trait").fill("")

    assert inputs(page) == {
        "dice": [4, 5], "mode": "double", "hidden": True, "weight": "12,5", "options": {"force": 2},
        "person": {"name": "Anne", "level": 1}, "extras": [], "reading": "a",
    }  # fmt: skip


def test_a_number_too_long_for_javascript_stays_text(calculator, page) -> None:
    calculator.control("trait").fill("12345678901234567890")

    assert inputs(page)["trait"] == "12345678901234567890"


def test_a_refusal_stands_beside_its_field(calculator) -> None:
    calculator.fill("trait", "9")
    control, error = calculator.control("trait"), calculator.field("trait").locator(".rc-error")

    expect(error).to_be_visible()
    expect(error).to_contain_text("9")
    expect(control).to_have_attribute("aria-invalid", "true")
    expect(control).to_have_attribute("aria-describedby", "lancer-trait-error")
    expect(calculator.status).to_have_text(error.inner_text())

    calculator.fill("trait", "2")
    expect(error).to_be_hidden()
    expect(control).not_to_have_attribute("aria-invalid", "true")
    assert control.get_attribute("aria-describedby") is None


def test_a_help_text_stays_described_beside_a_refusal(calculator) -> None:
    calculator.fill("weight", "-1")
    control = calculator.control("weight")
    expect(control).to_have_attribute("aria-describedby", "lancer-weight-help lancer-weight-error")

    calculator.fill("weight", "1")
    expect(control).to_have_attribute("aria-describedby", "lancer-weight-help")


def test_a_refusal_of_a_group_describes_the_group(calculator) -> None:
    for key in ("ruse", "force"):
        calculator.field("options").locator(f'[data-key="{key}"] input').fill("3")
    calculator.answered()

    expect(calculator.field("options")).to_have_attribute("aria-describedby", "lancer-options-error")
    expect(calculator.field("options").locator("> .rc-error")).to_contain_text("quatre au plus")


def test_letters_in_a_number_box_are_refused_and_not_taken_for_nothing(calculator) -> None:
    calculator.control("trait").fill("")
    calculator.control("trait").press_sequentially("e")
    calculator.answered()

    expect(calculator.field("trait").locator(".rc-error")).to_be_visible()


def test_items_are_added_to_a_list_and_removed_from_it(calculator, page) -> None:
    items = calculator.field("extras").locator(".rc-item")
    add = calculator.field("extras").locator("[data-add]")
    expect(add).to_have_accessible_name("Ajouter\u00a0: Supplément")
    calculator.field("extras").evaluate("list => { list.dataset.max = 3 }")
    for value in "123":
        add.click()
        page.keyboard.type(value)

    expect(items).to_have_count(3)
    expect(items.nth(2).locator("input")).to_be_focused()
    expect(add).to_be_disabled()
    assert len(set(page.locator("rule-calculator [id]").evaluate_all("all => all.map(one => one.id)"))) == (page.locator("rule-calculator [id]").count())
    identifier = items.nth(2).locator("input").get_attribute("id")
    assert items.nth(2).locator("label").get_attribute("for") == identifier

    items.nth(0).locator("[data-remove]").click()
    expect(items).to_have_count(2)
    expect(items.nth(0).locator("[data-remove]")).to_be_focused()
    assert inputs(page)["extras"] == [2, 3]

    items.nth(0).locator("[data-remove]").click()
    items.nth(0).locator("[data-remove]").click()
    expect(add).to_be_focused()


def test_a_list_of_a_settled_length_shows_its_buttons_only_while_it_has_another(calculator, page) -> None:
    dice = calculator.field("dice")
    add, remove = dice.locator("[data-add]"), dice.locator("[data-remove]").first
    expect(add).to_be_hidden()
    expect(remove).to_be_hidden()

    calculator.control("mode").select_option("triple")
    expect(add).to_be_enabled(timeout=60_000)
    expect(dice.locator("> .rc-error")).to_be_visible()
    add.click()
    page.keyboard.type("2")
    expect(add).to_be_hidden()
    calculator.answered()

    calculator.control("mode").select_option("normal")
    expect(remove).to_be_visible()
    remove.click()
    expect(remove).to_be_hidden()
    expect(dice.locator("[data-control]").first).to_be_focused()
    assert inputs(page)["dice"] == [5, 2]

    calculator.control("mode").select_option("triple")
    expect(add).to_be_visible()
    calculator.button("reset").click()
    expect(add).to_be_hidden()
    assert inputs(page)["dice"] == [4, 5]


def test_an_address_may_hold_more_than_there_is_room_for(page, server) -> None:
    page.goto(f"{server.url}?c=essai/lancer&mode=triple&dice=[4,5,1]")
    calculator = CalculatorPage(page)

    expect(calculator.answers.locator(".rc-die")).to_have_count(3, timeout=60_000)
    expect(calculator.answers.locator("s.rc-die")).to_have_text("1")
    assert inputs(page)["dice"] == [4, 5, 1]


def test_a_phone_is_told_the_answer_while_it_is_below_the_window(calculator, page) -> None:
    page.set_viewport_size({"width": 360, "height": 500})
    calculator.control("trait").scroll_into_view_if_needed()
    calculator.fill("trait", "3")

    expect(calculator.status).to_have_css("position", "fixed")
    expect(calculator.status).to_have_text("Palier\u00a0: Succès")

    control = calculator.control("trait")
    box = control.bounding_box()
    page.set_viewport_size({"width": 360, "height": int(box["y"] + box["height"])})
    control.evaluate("one => { one.value = '-3'; one.dispatchEvent(new Event('input', {bubbles: true})); }")
    expect(calculator.status).to_have_text("Palier\u00a0: Échec")
    field, told = control.bounding_box(), calculator.status.bounding_box()
    assert field["y"] + field["height"] <= told["y"], "what is told covers the field one is in"

    calculator.answers.scroll_into_view_if_needed()
    expect(calculator.status).to_have_css("height", "1px")


def test_reset_brings_back_what_was_printed(calculator, page) -> None:
    printed = calculator.answers.inner_html()
    before = inputs(page)
    calculator.field("extras").locator("[data-add]").click()
    calculator.control("hidden").check()
    calculator.control("mode").select_option("double")
    calculator.fill("trait", "9")
    calculator.button("reset").click()

    assert inputs(page) == before
    assert calculator.answers.inner_html() == printed
    assert calculator.element.locator(".rc-error:visible").count() == 0
    assert "?" not in page.url
    expect(calculator.status).to_contain_text("valeurs de départ")


def test_an_answer_that_comes_after_a_reset_is_not_shown(calculator) -> None:
    printed = calculator.answers.inner_html()
    calculator.control("trait").fill("3")
    calculator.page.wait_for_timeout(400)  # asked, and Python is only starting
    calculator.button("reset").click()
    calculator.page.wait_for_timeout(3000)

    assert calculator.answers.inner_html() == printed


def test_a_roll_fills_the_dice_answers_and_is_remembered(calculator, page) -> None:
    calculator.button("roll").click()
    expect(calculator.history).to_have_count(1, timeout=60_000)
    calculator.button("roll").click()
    expect(calculator.history).to_have_count(2)
    dice = inputs(page)["dice"]

    expect(calculator.output("Total")).to_have_text(str(sum(dice) + 1))
    faces = calculator.answers.locator(".rc-die").evaluate_all("all => all.map(one => Number(one.dataset.value))")
    assert faces == dice
    expect(calculator.history.first).to_contain_text(f"{dice[0]}, {dice[1]}")

    calculator.history.first.locator("button").click()
    expect(calculator.status).to_contain_text("copié")
    assert page.evaluate("navigator.clipboard.readText()") == calculator.history.first.locator("span").inner_text()


def test_the_history_is_short(calculator) -> None:
    for _ in range(12):
        calculator.button("roll").click()
        calculator.answered()

    expect(calculator.history).to_have_count(10)


def test_a_roll_asked_during_the_start_is_not_lost(calculator) -> None:
    calculator.control("trait").fill("3")
    calculator.button("roll").click()

    expect(calculator.history).to_have_count(1, timeout=60_000)


def test_the_answer_is_copied_as_text(calculator, page) -> None:
    calculator.fill("trait", "3")
    calculator.button("copy").click()
    expect(calculator.status).to_contain_text("copié")

    assert page.evaluate("navigator.clipboard.readText()").startswith("Lire un jet — Total\u00a0: 12\u202f; Palier\u00a0: Succès")


def test_without_a_clipboard_the_text_is_shown_to_copy(calculator, page) -> None:
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')) }")
    calculator.button("copy").click()
    box = calculator.element.locator(".rc-by-hand")

    expect(box).to_be_focused()
    assert "Total" in box.input_value()


def test_what_was_opened_stays_open(calculator) -> None:
    steps = calculator.answers.locator("details").first
    steps.locator("summary").click()
    calculator.fill("trait", "3")

    expect(steps).to_have_attribute("open", "")


def test_the_keyboard_is_enough(calculator, page) -> None:
    tab_to(page, "#lancer-trait")
    page.keyboard.press("ArrowUp")
    calculator.answered()
    expect(calculator.output("Total")).to_have_text("11")

    page.keyboard.press("Enter")
    calculator.answered()
    expect(calculator.control("trait")).to_be_focused()

    tab_to(page, "[data-roll]")
    page.keyboard.press("Space")
    expect(calculator.history).to_have_count(1)

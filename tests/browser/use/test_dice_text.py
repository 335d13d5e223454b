"""Dice written in the prose are rolled where they stand."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_dice_of_the_prose_are_buttons_and_others_are_not(page, server) -> None:
    page.goto(server.url)
    buttons = page.locator("button.dice-text")

    expect(buttons).to_have_text(["2D6 + 3", "D4"])
    expect(buttons.first).to_have_accessible_name("Lancer 2D6 + 3")
    expect(page.locator("#prose")).to_have_text("Lancez 2D6 + 3, ou D4. 2D6 1D8")
    assert page.locator("h1 button, code button, a button, rule-calculator .dice-text").count() == 0
    assert page.locator("h1").get_attribute("id") == "titre"


def test_a_roll_is_shown_and_announced(page, server) -> None:
    page.goto(server.url)
    page.locator("button.dice-text").first.click()
    box, voice = page.locator(".dice-result"), page.locator(".rc-voice")
    expect(voice).to_have_text(re.compile(r"2D6.\+.3 = \d+ \(\d, \d\)"), timeout=60_000)
    faces = box.locator(".rc-die").evaluate_all("all => all.map(one => Number(one.dataset.value))")

    assert len(faces) == 2
    expect(box.locator(".rc-total")).to_have_text(str(sum(faces) + 3))
    expect(voice).to_have_attribute("role", "status")

    page.keyboard.press("Escape")
    expect(box).to_be_hidden()


def test_a_click_elsewhere_closes_it(page, server) -> None:
    page.goto(server.url)
    page.locator("button.dice-text").last.click()
    expect(page.locator(".dice-result .rc-die")).to_have_count(1, timeout=60_000)
    page.locator("h1").click()

    expect(page.locator(".dice-result")).to_be_hidden()


def test_the_keyboard_rolls_too(page, server) -> None:
    page.goto(server.url)
    page.keyboard.press("Tab")
    expect(page.locator("button.dice-text").first).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator(".dice-result .rc-die")).to_have_count(2, timeout=60_000)


def test_a_failure_is_told_and_the_next_click_starts_anew(page, server) -> None:
    server.faults["current.json"] = "missing"
    page.goto(server.url)
    dice, box = page.locator("button.dice-text").first, page.locator(".dice-result")
    dice.click()
    expect(box).to_contain_text("téléchargé")
    page.errors.clear()
    server.faults.clear()
    dice.click()

    expect(box.locator(".rc-die")).to_have_count(2, timeout=60_000)


def test_the_box_stays_inside_a_narrow_window(page, server) -> None:
    page.set_viewport_size({"width": 320, "height": 500})
    page.goto(server.url)
    page.locator("button.dice-text").last.click()
    box = page.locator(".dice-result")
    expect(box.locator(".rc-die")).to_have_count(1, timeout=60_000)
    place = box.bounding_box()

    assert place["x"] >= 0 and place["x"] + place["width"] <= 320
    assert page.evaluate("document.documentElement.scrollWidth") <= 320

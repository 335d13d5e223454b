"""The whole site in a real Chromium: no error, nobody else asked, nothing wider than a phone, no barrier, right answers."""

from pathlib import Path

import pytest

from calculators import render
from calculators.calculator import Calculator
from calculators.numbers import encode

from .conftest import DESK, PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AXE = Path(__file__).parent.parent.parent / "node_modules" / "axe-core" / "axe.min.js"
# What the theme itself does, not our pages: listed, so that anything else fails.
THEME_RULES: set[str] = set()
SLICES = 4


@pytest.mark.parametrize("slice_", range(SLICES))
def test_every_page_opens_without_an_error(visit, pages, slice_):
    read = pages[slice_::SLICES]
    for path in read:
        visit.open(path)
    visit.page.wait_for_timeout(300)

    assert len(read) > len(pages) // SLICES - 1
    assert visit.errors == []


@pytest.mark.parametrize("slice_", range(SLICES))
@pytest.mark.parametrize(("scheme", "width"), [("light", DESK), ("dark", PHONE)])
def test_no_barrier_on_any_page_and_none_wider_than_the_screen(chrome, address, told_pages, scheme, width, slice_):
    context = chrome.new_context(viewport={"width": width, "height": 900}, locale="fr-FR", color_scheme=scheme, service_workers="block", bypass_csp=True)
    page, found, wide = context.new_page(), {}, []
    for path in told_pages[slice_::SLICES]:
        page.goto(address + path)
        taken = page.evaluate("document.documentElement.scrollWidth")
        if taken > width:
            wide.append((path, taken))
        page.add_script_tag(path=AXE)
        violations = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations)")
        for violation in violations:
            if violation["id"] not in THEME_RULES:
                found.setdefault(violation["id"], []).append((path, violation["nodes"][0]["html"][:160]))
    context.close()

    assert wide == []
    assert {rule: (len(places), places[:3]) for rule, places in found.items()} == {}


def test_the_axe_check_can_fail(chrome, address):
    context = chrome.new_context(bypass_csp=True, service_workers="block")
    page = context.new_page()
    page.goto(address)
    page.evaluate("document.querySelector('article').insertAdjacentHTML('beforeend', '<img src=\"x.png\"><button></button>')")
    page.add_script_tag(path=AXE)
    rules = {violation["id"] for violation in page.evaluate("axe.run().then((found) => found.violations)")}
    context.close()

    assert {"image-alt", "button-name"} <= rules


ASK = """async (requests) => {
  const script = document.querySelector('script[src*="rule-calculator.js"]').src;
  const {engine} = await import(new URL('rules-engine.js', script));
  const answers = [];
  for (const request of requests) answers.push(await engine.ask(request));
  return answers;
}"""


def test_a_sample_of_every_question_is_answered_as_in_cpython(visit, rulebook):
    """Two worked examples of each question, the first answered and the first refused, through the page's own worker."""
    requests = []
    for name in rulebook.questions():
        examples = rulebook.question(name).spec["examples"]
        kept = [next((one for one in examples if ("error" in one["expected"]) is refused), None) for refused in (False, True)]
        requests += [{"op": "ask", "question": name, "inputs": one["inputs"]} for one in kept if one is not None]
    page = visit.open("ile-au-tresor/resolution/")
    told = page.evaluate(ASK, encode(requests))

    for request, answer in zip(requests, told, strict=True):
        assert answer == encode(rulebook.ask(request["question"], request["inputs"])), request


def test_each_printed_answer_is_what_the_worker_says(visit, rulebook):
    """Every calculator: what the worker answers for the first inputs of its form is what the build printed."""
    page = visit.open("ile-au-tresor/resolution/")
    names = [f"{game}/{name}" for game, held in rulebook.games().items() for name in held["calculators"]]
    requests = [{"op": "answer", "calculator": name, "inputs": Calculator(rulebook, name).start()} for name in names]
    told = page.evaluate(ASK, encode(requests))
    printed = {name: render.calculator(rulebook, name) for name in names}

    for name, reply in zip(names, told, strict=True):
        assert all(answer["html"] in printed[name] for answer in reply["answers"]), name

"""Answers and forms as HTML: the main result first, the dice as they are, numbers a reader can use, refusals in their place."""

import html
import json
import re

import pytest

from calculators import browser, render
from calculators.calculator import Calculator
from calculators.numbers import dumps
from calculators.rulebook import Rulebook
from generator import texts

FORMULAS = {"tirage": "[5, 2, 5]", "trois": "3", "moitie": "1 / 2", "tiers": "7 / 3", "long": "949003 / 160007", "un": "1", "zero": "0"}
DICE = {"label": "Dés", "kind": "list", "items": {"label": "Dé", "kind": "integer", "min": 1, "max": "faces"}, "count": "many", "default": [5, 2, 5]}
ROLL = {"count": "many", "sides": "faces", "kept": "descending(dice)[:2]"}
OPTIONS = {"label": "Options", "kind": "map", "keys": {"choices": {"ruse": "Ruse", "force": "Force"}}, "values": {"kind": "integer", "max": 3}, "default": {}}
PERSON = {
    "label": "Personne",
    "kind": "record",
    "fields": {"ages": {"label": "Âges", "kind": "list", "items": {"kind": "integer", "min": 1}}},
    "optional": True,
}
INPUTS = {
    "many": {"label": "Nombre", "kind": "integer", "default": 3},
    "faces": {"label": "Faces", "kind": "integer", "default": 8},
    "dice": {**DICE, "roll": ROLL},
    "options": OPTIONS,
    "person": PERSON,
}


def book(outputs, inputs=None, then=None):
    """A rulebook of one calculator: *outputs* {name: spec} of its first question, whose steps are FORMULAS; *then* is a second question."""
    steps = {name: {"label": name, "formula": formula} for name, formula in FORMULAS.items()}
    first = {"title": "Première", "inputs": inputs or {}, "steps": steps, "outputs": outputs, "examples": []}
    questions = {"une": first, **({"deux": then} if then else {})}
    tool = {"title": "Outil", "questions": list(questions), "feeds": {"deux.n": "une.un"} if then else {}}
    return Rulebook({"texts": texts.read(), "games": {"jeu": {"tables": {}, "questions": questions, "calculators": {"outil": tool}}}})


def shown(rulebook, **inputs):
    """Return the text of the HTML of each answer, its tags left out."""
    tool = Calculator(rulebook, "jeu/outil")
    return [plain(inside) for inside in render.answers(rulebook, tool.answer(inputs))]


def plain(markup):
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).replace("\u202f", " ").replace("\u00a0", " ").split())


NUMBERS = [
    ("moitie", {"unit": "tours"}, "0,5 tour"),
    ("un", {"unit": "cases"}, "1 case"),
    ("zero", {"unit": "cases"}, "0 case"),
    ("trois", {"unit": "cases"}, "3 cases"),
    ("trois", {"unit": "%"}, "3 %"),
    ("trois", {"unit": "PV"}, "3 PV"),
    ("tiers", {"unit": "tours"}, "environ 2,33 tours 7/3"),
    ("long", {}, "environ 5,93"),
    ("moitie", {"kind": "probability"}, "50 % 1/2"),
]


@pytest.mark.parametrize(("name", "spec", "words"), NUMBERS, ids=[words for _, _, words in NUMBERS])
def test_a_number(name, spec, words):
    (answer,) = shown(book({name: {"label": "Rien", "kind": "number", **spec}}))

    assert answer.partition("Comment")[0] == f"Première Rien {words} "


def test_what_is_marked_stands_first_then_the_rest_then_groups():
    specs = {"un": {"group": "À part"}, "zero": {}, "trois": {"main": True}}
    markup = render.answers(*_pairs(book({name: {"label": name, "kind": "integer", **spec} for name, spec in specs.items()})))[0]

    assert re.findall(r"<dt>(\w+)</dt>", markup) == ["trois", "zero", "un"]
    assert re.findall(r'data-kind="integer"( data-main)?', markup) == [" data-main", "", ""]
    assert '<p class="rc-group">À part</p><dl' in markup


def test_without_a_mark_the_first_output_is_the_main_one():
    markup = render.answers(*_pairs(book({"un": {"label": "Un", "kind": "integer"}, "zero": {"label": "Zéro", "kind": "integer"}})))[0]

    assert re.findall(r'data-kind="integer"( data-main)?', markup) == [" data-main", ""]


def _pairs(rulebook, **inputs):
    return rulebook, Calculator(rulebook, "jeu/outil").answer(inputs)


def test_dice_have_their_faces_and_those_left_out_are_struck():
    markup = render.answers(*_pairs(book({"un": {"label": "Un", "kind": "integer"}}, INPUTS)))[0]

    assert re.findall(r'<(\w+) class="rc-die" data-sides="8" data-value="(\d)">', markup) == [("span", "5"), ("s", "2"), ("span", "5")]


def test_a_list_of_a_settled_length_has_no_room_for_more():
    markup = render.calculator(book({"un": {"label": "Un", "kind": "integer"}}, INPUTS), "jeu/outil")

    assert re.findall(r'data-name="dice" data-kind="list"[^>]* data-max="3" data-count="3"', markup)
    assert re.findall(r'data-name="ages" data-kind="list" data-most="100" data-max="100"', markup)


def asked(rulebook, **inputs):
    browser.load(json.dumps(rulebook.data, ensure_ascii=False))
    return json.loads(browser.handle(dumps({"op": "answer", "calculator": "jeu/outil", "inputs": inputs})))


PLACES = [
    ({"dice": [1, 2, 9]}, "dice.2"),
    ({"dice": [1]}, "dice"),
    ({"options": {"ruse": 1, "force": 4}}, "options.force"),
    ({"person": {"ages": [3, 0]}}, "person.ages.1"),
]


@pytest.mark.parametrize(("inputs", "place"), PLACES, ids=[place for _, place in PLACES])
def test_a_refusal_knows_the_very_part_at_fault(inputs, place):
    reply = asked(book({"un": {"label": "Un", "kind": "integer"}}, INPUTS), **inputs)

    assert reply["answers"][0]["error"]["place"] == place
    assert reply["answers"][0]["error"]["field"] == place.partition(".")[0]


def test_the_page_is_told_how_many_items_lists_must_hold():
    assert asked(book({"un": {"label": "Un", "kind": "integer"}}, INPUTS), many=5)["counts"] == {"dice": 5}


def test_a_question_that_misses_the_answer_of_another_waits_for_it():
    then = {"title": "Seconde", "inputs": {"n": {"label": "N", "kind": "integer"}}, "outputs": {"n": {"label": "N", "kind": "integer"}}, "examples": []}
    rulebook = book({"un": {"label": "Un", "kind": "integer"}}, INPUTS, then)

    assert shown(rulebook)[1].startswith("Seconde N 1")
    assert shown(rulebook, dice=[1])[1] == "Seconde Attend la réponse de « Première »."


def test_the_same_refusal_is_told_once_aloud():
    rulebook = book({"un": {"label": "Un", "kind": "integer"}}, INPUTS)
    (question, result), *_ = Calculator(rulebook, "jeu/outil").answer({"dice": [1]})
    first, second = render.answers(rulebook, [(question, result), (question, result)])

    assert 'class="rc-refusal"' in first and 'class="rc-waits"' in second


def test_a_roll_without_a_count_rolls_what_the_list_holds():
    inputs = {**INPUTS, "dice": {**DICE, "roll": {"sides": "faces"}}}
    del inputs["dice"]["count"]
    tool = Calculator(book({"un": {"label": "Un", "kind": "integer"}}, inputs), "jeu/outil")

    assert [len(tool.rolled({"dice": dice}, 1)["dice"]) for dice in ([], [1], [1, 1, 1])] == [0, 1, 3]


def test_the_main_outputs_are_among_those_given():
    hidden = {"label": "Un", "kind": "integer", "when": "zero > 0", "main": True}
    rulebook = book({"un": hidden, "trois": {"label": "Trois", "kind": "integer"}})

    assert render.spoken(*_pairs(rulebook)) == "Trois\u00a0: 3"


ODD_ROLLS = [{"sides": "1 // (faces - 8)"}, {"sides": "'\"><script>'"}, {"sides": "null"}, {"sides": "dice(2, 6)"}, {"sides": "faces", "kept": "['<b>', 5]"}]


@pytest.mark.parametrize("roll", ODD_ROLLS, ids=json.dumps)
def test_dice_that_cannot_be_drawn_break_nothing(roll):
    rulebook = book({"un": {"label": "Un", "kind": "integer"}}, {**INPUTS, "dice": {**DICE, "max": 9, "items": {"kind": "integer"}, "roll": roll}})
    markup = render.calculator(rulebook, "jeu/outil")
    browser.load(json.dumps(rulebook.data, ensure_ascii=False))
    rolled = browser.handle(dumps({"op": "roll-inputs", "calculator": "jeu/outil", "inputs": {}, "seed": 1}))

    assert "<script" not in markup and "<b>" not in markup
    assert re.findall(r'data-value="(\d)"', markup) == ["5", "2", "5"]
    assert json.loads(rolled).keys() & {"inputs", "error"}

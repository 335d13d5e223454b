"""Effort: no formula holds its reader for long or fills the memory, and the real rules are far from the limits."""

import time

import pytest

from calculators import effort, examples, render
from calculators.numbers import dumps, encode
from calculators.rulebook import Rulebook
from generator import texts

SECONDS = 5
TENS = "[" + ", ".join(["a{0}"] * 10) + "]"
BANDS = {"kind": "bands", "records": {f"r{place}": {"min": 20 * place, "max": 20 * place + 19} for place in range(1000)}}


def chain(first, following, length, last="a{0}"):
    """Write the steps a0, a1…, each from the one before it, the last first."""
    steps = {f"a{place}": following.format(place - 1) for place in range(length, 0, -1)}
    return {"out": last.format(length), **steps, "a0": first}


def sequence(first, following):
    return {"out": {"sequence": {"each": "range(5000)", "as": "i", "from": {"t": first}, "next": {"t": following}}}}


HOSTILE = {
    "loops-in-loops": {"out": "len([[[z for z in range(5000)] for y in range(5000)] for x in range(5000)])"},
    "lists-of-lists": {"out": "len([range(5000) + range(5000) for x in range(5000)])"},
    "long-bodies": {"out": "len([[" + "x, " * 280 + "x] for x in range(5000)])"},
    "sums": {"out": "sum([sum(range(5000)) for x in range(5000)])"},
    "sorting": {"out": "len([sorted(range(5000)) for x in range(5000)])"},
    "searching": {"out": "len([i in range(5000) for i in range(5000)])"},
    "counting": {"out": "len([count(many, 9999) for i in range(5000)])", "many": "range(5000)"},
    "text-doubled": sequence("'ab'", "t + t"),
    "list-doubled": sequence("[1]", "t + t"),
    "list-nested": sequence("[1]", "[t, t]"),
    "number-squared": sequence("2", "t * t"),
    "fractions-added": sequence("0", "t + 1 / (i + 1)"),
    "list-bomb": chain("range(10)", TENS, 11),
    "list-bomb-compared": chain("range(10)", TENS, 6, "a{0} == a{0}"),
    "product": {"out": "product([power(9, 1000) for i in range(5000)])"},
    "power-of-powers": {"out": "power(power(9, 900), 1000)"},
    "harmonic": {"out": "sum([1 / (i + 1) for i in range(5000)])"},
    "many-pools": {"out": "sum([mean(dice(i % 150 + 1, 100)) for i in range(5000)])"},
    "many-kept": {"out": "[highest(keep_highest(i % 60 + 1, 20, i % 30 + 1)) for i in range(5000)]"},
    "large-pool": {"out": "mean(dice(200, 100))"},
    "large-kept": {"out": "mean(keep_highest(200, 100, 100))"},
    "pools-added": chain("dice(100, 20)", "a{0} + a{0}", 9),
    "binomial": {"out": "mean(binomial(1000, power(1 / 3, 800)))"},
    "steps-in-a-row": chain("1", "a{0} + 1", 3000),
    "chain": {"out": {"chain": {"start": "0", "rounds": "500", "as": "i", "moves": "{i * 2 + 1: 1 / 2, i * 2 + 2: 1 / 2}"}}},
    "race": {"out": {"race": {"chance": "power(1 / 7, 300)", "successes": "60", "failures": "60"}}},
    "mix": {"out": {"cheapest-mix": {"items": "range(300)", "most": "99", "as": "m", "extras": {"x": "[]"}, "cost": "1", "worth": "1", "goal": "2"}}},
    "mix-of-nothing": {"out": {"cheapest-mix": {"items": "[1]", "most": "1000000000", "as": "m", "cost": "sum(m)", "worth": "1", "goal": "2"}}},
    "packs": {"out": {"cheapest-packs": {"amount": "10000", "sizes": "range(1, 299)", "prices": "[1 / (i + 7) for i in range(1, 299)]"}}},
    "expectation": {"out": {"expectation": {"of": "dice(100, 10)", "as": "i", "value": "sum(range(5000))"}}},
    "ranking": {"out": {"ranking": {"items": "range(5000)", "as": "i", "by": ["sum(range(5000))"]}}},
    "odds": {"out": {"odds": {"of": "dice(200, 20)", "table": "bands"}}},
    "matching": {"out": {"matching": {"dice": "12", "sides": "power(9, 1000)"}}},
}
# What is heavy and still answered.
ANSWERED = {
    "forty-dice": ({"out": "mean(dice(40, 6))"}, 140),
    "ten-best-of-twenty": ({"out": "highest(keep_highest(20, 20, 10))"}, 200),
    "a-thousand-tries": ({"out": "mean(binomial(1000, 1 / 6))"}, "500/3"),
    "long-sum": ({"out": "sum([i * i for i in range(5000)])"}, 41654167500),
    "sixty-steps": (chain("1", "a{0} + 1", 50), 51),
    "several-lines": ({"out": "1 +\n  2"}, 3),
}


def asked(steps):
    described = {name: {"label": name, **(step if isinstance(step, dict) else {"formula": step})} for name, step in steps.items()}
    spec = {"title": "t", "inputs": {}, "steps": described, "outputs": {"out": {"label": "x"}}}
    told = {section: text for section, text in texts.read().items() if section not in ("problems", "cli", "site")}
    book = Rulebook({"texts": told, "games": {"g": {"title": "g", "tables": {"bands": BANDS}, "questions": {"q": spec}, "calculators": {}}}})
    assert book.faults("g/q") == []
    question = book.question("g/q")
    render.answer(book, question, question.answer({}), {})
    return book.ask("g/q", {})


@pytest.mark.parametrize("steps", HOSTILE.values(), ids=HOSTILE)
def test_hostile_formulas_cost_little(steps):
    start = time.process_time()
    answer = asked(steps)

    assert time.process_time() - start < SECONDS
    assert answer["error"]["code"] == "cannot-answer"
    assert len(dumps(answer)) < 10_000


@pytest.mark.parametrize(("steps", "expected"), ANSWERED.values(), ids=ANSWERED)
def test_heavy_formulas_are_answered(steps, expected):
    assert encode(asked(steps)["outputs"]["out"]) == expected


def test_the_real_rules_are_far_from_the_limits(rulebook, monkeypatch):
    monkeypatch.setattr(effort, "MOST", effort.MOST // 5)
    wrong = [
        (identifier, example.get("id"))
        for identifier in rulebook.questions()
        for example in rulebook.question(identifier).spec["examples"]
        if examples.check(rulebook, identifier, example) is not None
    ]

    assert wrong == []

"""Every question of every game: its worked examples, its explanation, and that odd inputs are refused, never a crash."""

import json
from collections import Counter

import pytest
from conftest import ROOT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calculators import examples
from calculators.numbers import encode

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 40),
    st.integers(),
    st.fractions(-3, 50, max_denominator=6),
    st.sampled_from(["", "1/2", "2d6", "0d6", "999d9999", "normal", "x" * 300, "__class__", "{given}", "<b>"]),
)
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4), max_leaves=12)


@pytest.fixture(scope="session")
def known(rulebook):
    return {name: rulebook.question(name) for name in rulebook.questions()}


def test_worked_examples(rulebook, project):
    counts, wrong = Counter(), []
    for game in project.games.values():
        for name, question in game.questions.items():
            for example in question["examples"]:
                counts[game.id] += 1
                found = examples.check(rulebook, f"{game.id}/{name}", example)
                if found is not None:
                    wrong.append((game.id, name, example.get("id"), found))
    print(dict(counts))

    assert wrong == []
    assert sum(counts.values()) > 300


def test_a_wrong_example_is_found(rulebook, known):
    name, question = next((name, question) for name, question in known.items() if "error" not in question.spec["examples"][0]["expected"])
    example = question.spec["examples"][0]
    key = next(iter(example["expected"]))

    found = examples.check(rulebook, name, {**example, "expected": {**example["expected"], key: "no such value"}})

    assert found["key"] == key and found["expected"] == "no such value"


def test_every_step_is_told_in_words(rulebook, known):
    for name, question in known.items():
        for example in question.spec["examples"]:
            answer = rulebook.ask(name, example["inputs"])
            json.dumps(encode(answer))
            for step in answer.get("steps", []):
                assert step["label"] and step["formula"] and step["shown"], (name, step)
                assert not any(mark in step["text"] for mark in ("<calculators", "Fraction(", "None", "True", "False", "{0}", "{1}")), (name, step["text"])


def test_every_refusal_has_a_sentence(rulebook, known):
    for name, question in known.items():
        for example in question.spec["examples"]:
            error = rulebook.ask(name, example["inputs"]).get("error")
            if error is not None:
                assert len(error["message"]) > 10 and "{" not in error["message"], (name, error)


def test_every_refusal_code_of_the_data_has_an_example(known):
    unproved = []
    for name, question in known.items():
        codes = {rule["code"] for rule in question.spec.get("refusals", [])}
        proved = {example["expected"].get("error") for example in question.spec["examples"]}
        unproved += [(name, code) for code in codes - proved]

    assert unproved == []


def test_every_question_of_the_list_is_asked(rulebook):
    listed = (ROOT / "tests" / "questions.txt").read_text(encoding="utf-8").split()

    assert set(listed) <= set(rulebook.questions())
    assert len(listed) == 140


def check_refusal(rulebook, name, inputs):
    answer = rulebook.ask(name, inputs)
    json.dumps(encode(answer))
    if "error" in answer:
        assert answer["error"]["code"] != "cannot-answer", (name, inputs, answer["error"])
        assert answer["error"]["message"]


@settings(max_examples=400, suppress_health_check=list(HealthCheck), deadline=None)
@given(data=st.data())
def test_any_json_is_answered_or_refused(rulebook, known, data):
    name = data.draw(st.sampled_from(list(known)))
    inputs = data.draw(st.one_of(JSON, st.fixed_dictionaries({key: JSON for key in known[name].inputs})))
    check_refusal(rulebook, name, inputs)


@settings(max_examples=1500, suppress_health_check=list(HealthCheck), deadline=None)
@given(data=st.data())
def test_an_example_with_odd_values_is_answered_or_refused(rulebook, known, data):
    name = data.draw(st.sampled_from(list(known)))
    example = data.draw(st.sampled_from(known[name].spec["examples"]))
    changed = data.draw(st.dictionaries(st.sampled_from(list(known[name].inputs)), JSON, max_size=2))
    check_refusal(rulebook, name, {**example["inputs"], **changed})

"""The explanation of an answer: every output told, in words of the data, the same to every reader."""

import html
import json
import re
from fractions import Fraction

import pytest
from click.testing import CliRunner
from conftest import ROOT

from calculators import browser, render
from calculators.numbers import dumps
from calculators.rulebook import Rulebook
from generator import cli, compendium, texts

WORD = re.compile(r"[^\W\d_]+(?:[-_][^\W\d_]+)*")
# Where the French of the data stands; anything else in it is for the machine.
FRENCH = ("label", "told", "note", "unit", "title", "group", "name_label", "name", "plural")
MARKS = re.compile(r"\b(None|True|False|null)\b|[{}]|Fraction|<\w")


@pytest.fixture(scope="module")
def answers(rulebook):
    """Every worked example that is answered: (question, inputs, result, answer)."""
    found = []
    for name in rulebook.questions():
        question = rulebook.question(name)
        for example in question.spec["examples"]:
            result = question.answer(example["inputs"])
            if result.refusal is None:
                found.append((question, example["inputs"], result, rulebook.tell(question, result)))
    return found


def test_no_answer_goes_without_explanation(answers):
    """Where nothing applies, a note alone says so."""
    bare = [(question.id, inputs, result.outputs, answer) for question, inputs, result, answer in answers if not answer["steps"]]

    assert [(name, inputs) for name, inputs, outputs, _ in bare if outputs] == []
    assert [(name, inputs) for name, inputs, _, answer in bare if not answer.get("notes")] == []


def test_every_output_is_told(answers):
    untold = set()
    for question, _, result, answer in answers:
        told = {step["name"] for step in answer["steps"]}
        for name, output in question.outputs.items():
            given = name in result.outputs or (output.kind == "spread" and output.of.names[0] in result.work.values)
            if given and name not in told and told.isdisjoint(output.of.names):
                untold.add((question.id, name))

    assert untold == set()


def test_no_output_is_a_hidden_step(answers):
    hidden = [
        (question.id, name)
        for question, _, _, _ in answers
        for output in question.outputs.values()
        for name in output.of.names
        if name in question.steps and question.steps[name].hidden
    ]

    assert hidden == []


def french(value):
    """Yield the French of a piece of data."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key in FRENCH and isinstance(part, str):
                yield part
            elif key == "choices" and isinstance(part, dict):
                yield from part.values()
            else:
                yield from french(part)
    elif isinstance(value, list):
        for part in value:
            yield from french(part)


def written(table):
    """Yield the French of a table: its heads, the names of its records, and its cells of text."""
    yield table["title"]
    yield from french(table["columns"])
    for record in table["records"].values():
        yield from french(record)
        yield from (record[column] for column, spec in table["columns"].items() if spec["kind"] in ("text", "prose") and isinstance(record.get(column), str))


def free_texts(question, inputs):
    """Yield what a reader typed: it is told back as it is."""
    for name, part in question.inputs.items():
        if part.kind == "text" or (part.items is not None and part.items.kind in ("text", "record")):
            yield from re.findall(r'"([^"]*)"', json.dumps(inputs.get(name), ensure_ascii=False, default=str))


def words(phrases):
    return {word for phrase in phrases for word in WORD.findall(phrase)}


def test_every_word_told_is_a_word_of_the_data(rulebook, answers):
    """A slug, a key or a name of the machine would be a word that no label, no table and no text holds."""
    common = words(
        phrase for part in rulebook.texts["notation"].values() for phrase in ([part] if isinstance(part, str) else part.values()) if isinstance(phrase, str)
    )
    known = {game: common | words(phrase for table in held["tables"].values() for phrase in written(table)) for game, held in rulebook.games().items()}
    strange = set()
    for question, inputs, result, answer in answers:
        allowed = known[question.id.partition("/")[0]] | words(french(question.spec)) | words(free_texts(question, inputs))
        # What a step writes for its reader is its own French.
        allowed |= words(
            value
            for name, value in result.work.values.items()
            if isinstance(value, str) and question.outputs.get(name, None) and question.outputs[name].kind == "text"
        )
        strange |= {(question.id, step["name"], word) for step in answer["steps"] for word in WORD.findall(step["text"]) if word not in allowed}

    assert strange == set()


def test_nothing_of_the_machine_is_told(answers):
    for question, _, _, answer in answers:
        for step in answer["steps"]:
            text = step["text"]
            assert not MARKS.search(text), (question.id, text)
            assert text.count("(") == text.count(")") and "  " not in text and " ," not in text, (question.id, text)
            assert text.startswith(f"{step['label']}\u00a0: ") and step["rule"], (question.id, step)
            assert len(text) < 1000, (question.id, text)


def test_what_a_step_needs_is_told_before_it(answers):
    for question, _, _, answer in answers:
        place = {step["name"]: rank for rank, step in enumerate(answer["steps"])}
        for name in place.keys() & question.steps.keys():
            later = [other for other in question.steps[name].names if other in question.steps and place.get(other, -1) > place[name]]
            assert later == [], (question.id, name, later)


def lines(markup):
    """Return the text of each step of an answer's HTML."""
    items = re.findall(r"<li>(.*?)</li>", markup.partition('<details class="rc-steps">')[2], re.S)
    return [html.unescape(re.sub(r"<[^>]+>", "", item)) for item in items]


def test_every_reader_reads_the_same(rulebook, answers, project):
    browser.load(json.dumps(compendium.rules(project, texts.read()), ensure_ascii=False))
    for question, inputs, result, answer in answers:
        told = [step["text"] for step in answer["steps"]]
        asked = json.loads(browser.handle(dumps({"op": "ask", "question": question.id, "inputs": inputs})))

        assert lines(render.answer(rulebook, question, result)) == told, question.id
        assert [step["text"] for step in asked["steps"]] == told, question.id


@pytest.mark.parametrize("place", [0, -1])
def test_the_command_line_tells_the_same(answers, place):
    question, inputs, _, answer = answers[place]
    printed = CliRunner().invoke(cli.main, ["ask", question.id, "--project", str(ROOT), "--json", dumps(inputs)]).output

    assert all(f"{rank}. {step['text']}\n" in printed for rank, step in enumerate(answer["steps"], 1))


TABLES = {
    "constants": {"title": "Nombres", "columns": {"value": {"label": "Valeur", "kind": "integer"}}, "records": {"faces": {"name": "Faces du dé", "value": 6}}},
    "tiers": {
        "title": "Les paliers",
        "kind": "bands",
        "columns": {"min": {"label": "De"}, "max": {"label": "À"}, "gain": {"label": "Gain", "kind": "integer"}},
        "records": {
            "low": {"name": "Bas", "min": None, "max": 6, "gain": 0},
            "mid": {"name": "Moyen", "min": 7, "max": 7, "gain": 2},
            "high": {"name": "Haut", "min": 8, "max": None, "gain": 5},
        },
    },
    "loads": {
        "title": "Les charges",
        "kind": "bands",
        "continuous": True,
        "records": {"a": {"name": "Légère", "max": 3}, "b": {"name": "Lourde", "max": None}},
    },
    "wheel": {
        "title": "La roue",
        "kind": "chances",
        "columns": {"percent": {"kind": "percent"}},
        "records": {"won": {"name": "Gagné", "percent": 30}, "lost": {"name": "Perdu", "percent": 70}},
    },
    "options": {
        "title": "Les options",
        "records": {"strong": {"name": "Fort", "cost": 2, "effects": {"power": {"add": 3}}}, "wide": {"name": "Large", "effects": {"power": {"add": -1}}}},
    },
}
NUMBER = {"kind": "integer", "label": "Nombre"}


def told(steps, outputs=None, **inputs):
    """Return {name: line} of the explanation of a question made of *steps*; its inputs are numbers."""
    outputs = {name: {"label": name} for name in outputs or steps}
    declared = {name: value[0] if isinstance(value, tuple) else {**NUMBER, "label": name.capitalize()} for name, value in inputs.items()}
    spec = {"title": "Essai", "chapter": "essai#regle", "inputs": declared, "steps": steps, "outputs": outputs, "examples": []}
    rulebook = Rulebook({"texts": texts.read(), "games": {"jeu": {"tables": TABLES, "questions": {"essai": spec}}}})
    given = {name: value[1] if isinstance(value, tuple) else value for name, value in inputs.items()}
    return {step["name"]: step["text"].replace("\u202f", " ").replace("\u00a0", " ") for step in rulebook.ask("jeu/essai", given)["steps"]}


LINES = [
    ({"formula": "count * 2", "unit": "kg"}, "Pas : Count × 2 = 4 × 2 = 8 kg"),
    ({"formula": "count", "unit": "kg"}, "Pas : Count = 4 kg"),
    ({"formula": "count if count > 3 else 0"}, "Pas : Count si Count > 3, sinon 0 = 4, car 4 > 3"),
    ({"formula": "1 if count > 9 else 2 if count > 3 else 0"}, "Pas : 2 (car Count > 3, soit 4 > 3)"),
    ({"formula": "count > 3 and count < 3"}, "Pas : Count > 3 et Count < 3 ; ici 4 ≥ 3, donc non"),
    ({"formula": "count / 3"}, "Pas : Count ÷ 3 = 4 ÷ 3 = 4/3"),
    ({"formula": "count / 97", "unit": "kg"}, "Pas : Count ÷ 97 = 4 ÷ 97 = 4/97 (environ 0,04 kg)"),
    ({"formula": "1 / count", "kind": "probability"}, "Pas : 1 ÷ Count = 1 ÷ 4 = 25 % (1/4)"),
    (
        {"formula": "chance(dice(2, 6) + count >= 9)", "kind": "probability"},
        "Pas : chance que 2D6 + Count ≥ 9 = 2D6 + 4 ≥ 9 : 30 jets favorables sur 36 = 83,33 % (5/6)",
    ),
    ({"formula": "outcomes(dice(1, 2))"}, "Pas : jets qui donnent chaque résultat de (1D2) = 1 : 1 sur 2 (50 %) ; 2 : 1 sur 2 (50 %)"),
    ({"formula": "cell('tiers', 'high', 'gain')"}, "Pas : Gain (« Les paliers », ligne « Haut ») = 5"),
    ({"label": "Gain", "formula": "cell('tiers', 'high', 'gain')"}, "Gain : « Les paliers », ligne « Haut » = 5"),
    ({"label": "Faces du dé", "formula": "constant('faces')"}, "Faces du dé : « Nombres » = 6"),
    ({"formula": "'high' if count > 3 else 'low'", "table": "tiers"}, "Pas : Haut si Count > 3, sinon Bas = Haut, car 4 > 3"),
    ({"formula": "count * 2", "told": "le double"}, "Pas : le double = 4 × 2 = 8"),
    ({"formula": "count * 2", "told": "deux fois {count}"}, "Pas : deux fois 4 = 8"),
    ({"formula": "count * 2", "told": "{count} doublé donne {step}"}, "Pas : 4 doublé donne 8"),
    ({"formula": "count + 1", "note": "Un de plus, toujours."}, "Pas : Count + 1 = 4 + 1 = 5. Un de plus, toujours."),
    ({"formula": "[[count]]", "kind": "grid", "told": "la même case"}, "Pas : la même case = plan de 1 × 1 cases"),
    ({"bands": {"table": "tiers", "value": "count + 3"}}, "Pas : Count + 3, à lire dans « Les paliers » = 4 + 3 (tranche : 7) = Moyen"),
    ({"bands": {"table": "loads", "value": "count"}}, "Pas : Count, à lire dans « Les charges » = 4 (tranche : plus de 3) = Lourde"),
    ({"bands": {"table": "wheel", "value": "count * 10"}}, "Pas : Count × 10, à lire dans « La roue » = 4 × 10 (tranche : 31 à 100) = Perdu"),
    (
        {"odds": {"table": "tiers", "of": "dice(2, 6) + count"}, "table": "tiers"},
        "Pas : 2D6 + Count, chaque résultat lu dans « Les paliers » = 2D6 + 4 : 36 jets possibles = "
        "Bas (6 ou moins) : 1 sur 36 (2,78 %) ; Moyen (7) : 2 sur 36 (5,56 %) ; Haut (8 ou plus) : 33 sur 36 (91,67 %)",
    ),
    (
        {"matching": {"dice": "2", "sides": "count"}},
        "Pas : plus grand groupe de faces égales (dés : 2 ; faces : Count) = plus grand groupe de faces égales (dés : 2 ; faces : 4) = "
        "1 : 12 sur 16 (75 %) ; 2 : 4 sur 16 (25 %)",
    ),
    (
        {"race": {"chance": "1 / count", "successes": "1", "failures": "2"}},
        "Pas : réussites (1) avant les échecs (2), chaque essai à 1 ÷ Count = 0,25 × (1 + 1 × 0,75) = "
        "43,75 % de réussir d’abord, 56,25 % d’échouer d’abord ; fin : 25 % en 1 essai, 75 % en 2 essais ; nombre moyen d’essais : 1,75",
    ),
]


@pytest.mark.parametrize(("step", "line"), LINES, ids=[line for _, line in LINES])
def test_a_line(step, line):
    assert told({"step": {"label": "Pas", **step}}, count=4)["step"] == line


def test_steps_are_told_after_what_they_need():
    steps = {"total": {"label": "Total", "formula": "half + 1"}, "half": {"label": "Moitié", "formula": "count / 2"}}

    assert list(told(steps, ["total"], count=4)) == ["half", "total"]


def test_a_hidden_step_is_told_where_it_is_used():
    steps = {"die": {"label": "Dé", "hidden": True, "formula": "dice(1, constant('faces'))"}, "won": {"label": "Gagne", "formula": "chance(die >= count)"}}

    assert told(steps, ["won"], count=4) == {"won": "Gagne : chance que 1D6 ≥ Count = 1D6 ≥ 4 : 3 jets favorables sur 6 = 0,5"}


def test_a_step_that_only_hands_on_another_of_its_name_is_told_once():
    steps = {"exact": {"label": "Seuil", "formula": "count / 2"}, "threshold": {"label": "Seuil", "formula": "exact"}}

    assert told(steps, ["threshold"], count=4) == {"threshold": "Seuil : Count ÷ 2 = 4 ÷ 2 = 2"}


def test_an_output_with_a_formula_of_its_own_is_told():
    spec = {"title": "Essai", "inputs": {"count": NUMBER}, "outputs": {"twice": {"label": "Double", "of": "count * 2", "unit": "m"}}}
    rulebook = Rulebook({"texts": texts.read(), "games": {"jeu": {"tables": {}, "questions": {"essai": spec}}}})

    assert [step["text"] for step in rulebook.ask("jeu/essai", {"count": 3})["steps"]] == ["Double\u00a0: Nombre\u00a0×\u00a02 = 3\u00a0×\u00a02 = 6\u00a0m"]


def test_what_was_bought_is_told_by_its_takes():
    steps = {
        "sheet": {"label": "Achats", "point-buy": {"options": "options", "takes": "bought", "budget": "count"}},
        "power": {"label": "Force", "formula": "sheet['totals']['power'] + 1", "told": "Fort et Large, plus 1"},
    }
    bought = ({"kind": "map", "label": "Options", "keys": {"table": "options"}}, {"strong": 2, "wide": 1})

    assert told(steps, ["power"], count=9, bought=bought) == {
        "sheet": "Achats : achats dans « Les options », avec Count = Fort : 2 × 2, Large : 1 × 1 = 5 dépensés sur 9, reste 4",
        "power": "Force : Fort et Large, plus 1 = 2 × 3 + 1 × (−1) + 1 = 6",
    }


def test_what_a_reader_types_is_never_a_template():
    name = ({"kind": "text", "label": "Nom"}, "{0} {count} <b>")
    line = told({"step": {"label": "Pas", "formula": "name", "told": "« {name} » tel quel"}}, count=4, name=name)["step"]

    assert line == "Pas : « {0} {count} <b> » tel quel = {0} {count} <b>"


def test_numbers_stay_exact_in_the_answer():
    rulebook = Rulebook(
        {
            "texts": texts.read(),
            "games": {
                "jeu": {
                    "tables": {},
                    "questions": {"essai": {"inputs": {}, "steps": {"third": {"label": "Tiers", "formula": "1 / 3"}}, "outputs": {"third": {}}}},
                }
            },
        }
    )

    assert rulebook.ask("jeu/essai", {})["steps"][0]["result"] == Fraction(1, 3)

"""Schemas: each is itself valid, refuses an empty file, is closed, and explains every property in French."""

import json
from fractions import Fraction

import pytest
from conftest import ROOT
from jsonschema import Draft202012Validator

from calculators.mechanisms import MECHANISMS
from calculators.step import DETAILS
from generator import compendium, schema

# What the data may say; the schema of the published files has its own tests.
FILES = [ROOT / "schemas" / f"{name}.schema.json" for name in ("common", *schema.KINDS)]


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_there_is_a_schema_for_each_kind_of_file():
    assert all(path.is_file() for path in FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_schema_is_itself_valid(path):
    Draft202012Validator.check_schema(read(path))


@pytest.mark.parametrize("kind", [*schema.KINDS, "common"])
@pytest.mark.parametrize("empty", [{}, [], None, "", 0])
def test_a_schema_refuses_an_empty_file(kind, empty):
    assert not schema._compile(schema.read(kind)).is_valid(empty)


def parts(value, path=()):
    """Yield every subschema with its path."""
    if isinstance(value, dict):
        yield path, value
        for key, part in value.items():
            yield from parts(part, (*path, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from parts(part, (*path, index))


def followed(part, document):
    """Follow a reference, inside the file or into the shared definitions."""
    while "title" not in part and "$ref" in part:
        file, _, name = part["$ref"].partition("#/$defs/")
        part = (read(ROOT / "schemas" / file) if file else document)["$defs"][name]
    return part


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_property_has_a_label_and_a_sentence(path):
    document = read(path)
    for place, part in parts(document):
        if len(place) >= 2 and place[-2] == "properties" and "if" not in place:
            described = followed(part, document)
            assert described.get("title"), place
            assert described.get("description", "").endswith("."), place


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_objects_are_closed(path):
    for place, part in parts(read(path)):
        if part.get("type") == "object" and "properties" in part and place != ("$defs", "record"):
            assert part.get("additionalProperties") is False, place


def test_mechanisms_are_those_of_the_rules_code():
    definitions = schema.read("questions")["$defs"]
    named = set(definitions["step"]["properties"]) - set(DETAILS) - {"formula"}

    assert named == set(MECHANISMS)
    assert set(DETAILS) <= set(definitions["step"]["properties"])
    for name, mechanism in MECHANISMS.items():
        described = definitions[name]
        assert set(described["properties"]) == set(mechanism.parameters), name
        required = {key for key, parameter in mechanism.parameters.items() if not parameter.optional}
        assert set(described["required"]) == required, name


COLUMNS = {
    "integer": ([0, -3], ["1", Fraction(1, 2), True, None]),
    "number": ([0, Fraction(1, 3)], ["1", True]),
    "percent": ([Fraction(75, 2), -50], ["50 %"]),
    "fraction": (["1/4", "-3/2", 1, Fraction(1, 2)], ["1/0", "un quart", "1 / 4"]),
    "boolean": ([True, False], ["oui", 0, 1]),
    "text": (["Oui"], ["", " ", "deux\nlignes", 12]),
    "prose": (["Deux\n\nparagraphes"], ["", "\n"]),
    "dice": (["1d6", "2d4+1", "1d20-2"], ["d6", "2D6", "1d", 6]),
    "reference": (["brule"], ["Brûlé", "effects/brule"]),
    "mapping": ([{}, {"a": [1]}], ["x", []]),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_cells_by_kind_of_column(kind):
    columns = {"cell": {"label": "Case", "kind": kind, "table": "effects"}}
    validator = schema._compile(schema.record_schema(columns))
    good, bad = COLUMNS[kind]

    assert [value for value in good if not validator.is_valid({"name": "Nom", "cell": value})] == []
    assert [value for value in bad if validator.is_valid({"name": "Nom", "cell": value})] == []
    assert not validator.is_valid({"name": "Nom", "cell": None})
    assert not validator.is_valid({"name": "Nom"})


@pytest.mark.parametrize("kind", [*COLUMNS, "choice", "list"])
def test_optional_cells_may_be_null_or_absent(kind):
    column = {"label": "Case", "kind": kind, "table": "effects", "choices": {"a": "A"}, "items": {"kind": "integer"}, "optional": True}
    validator = schema._compile(schema.record_schema({"cell": column}))

    assert validator.is_valid({"name": "Nom", "cell": None})
    assert validator.is_valid({"name": "Nom"})
    assert not validator.is_valid({"name": "Nom", "other": None})


def test_choices_lists_and_mappings_of_things():
    columns = {
        "one": {"label": "Un", "kind": "choice", "choices": {"a": "A", "b": "B"}},
        "many": {"label": "Plusieurs", "kind": "list", "items": {"kind": "list", "items": {"kind": "integer"}}},
        "each": {"label": "Chacun", "kind": "mapping", "items": {"kind": "boolean"}},
    }
    validator = schema._compile(schema.record_schema(columns))
    record = {"name": "Nom", "one": "a", "many": [[1], []], "each": {"x": True}}

    assert validator.is_valid(record)
    assert not validator.is_valid(record | {"one": "c"})
    assert not validator.is_valid(record | {"many": [1]})
    assert not validator.is_valid(record | {"each": {"x": 1}})
    assert not validator.is_valid(record | {"other": 1})


def test_the_small_project_fits_its_schemas_in_other_tools_too(small):
    """The published files are enough by themselves: nothing is known only to our own reader."""
    from generator import load

    for file, kind in (("tiers", "table"), ("game", "game"), ("entries", "entries"), ("questions/jets", "questions")):
        document = load.read(small.root / "data" / "auberge" / f"{file}.yaml", small.root)
        validator = Draft202012Validator(schema.read(kind), registry=schema._registry())
        assert list(validator.iter_errors(document.value)) == []


def test_labels_come_from_the_columns(small):
    table = small.open().games["auberge"].tables["tiers"]

    assert schema.record_schema(table.columns)["properties"]["answer"]["title"] == "Réponse"
    assert compendium.SHARED.fullmatch("interpretations-odds")

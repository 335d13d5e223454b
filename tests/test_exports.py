"""Exports: every published file is valid against the published schema it names, and every address exists."""

import json
from pathlib import PurePosixPath

import pytest
from jsonschema import Draft202012Validator

from generator.exports import json_api


@pytest.fixture(scope="module")
def published(project):
    return {path: json.loads(text) for path, text in json_api.files(project).items()}


def resolved(path, address):
    parts = []
    for part in (PurePosixPath(path).parent / address).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def test_every_file_is_valid_against_the_schema_it_names(published):
    validators = {}
    for path, value in published.items():
        if "/schemas/" in path:
            Draft202012Validator.check_schema(value)
            continue
        address = resolved(path, value["$schema"])
        validator = validators.setdefault(address, Draft202012Validator(published[address]))

        errors = [f"{path}: {error.json_path} {error.message}" for error in validator.iter_errors(value)]

        assert errors == []


def test_a_record_without_its_name_is_invalid(published):
    path, value = next((path, value) for path, value in published.items() if path.endswith("/tiers/echec.json"))
    broken = {key: item for key, item in value.items() if key != "name"}

    assert not Draft202012Validator(published[resolved(path, value["$schema"])]).is_valid(broken)


def test_every_address_of_every_index_exists(published):
    def addresses(value):
        if isinstance(value, dict):
            for key, item in value.items():
                if key in ("url", "record_schema"):
                    yield item
                else:
                    yield from addresses(item)
        elif isinstance(value, list):
            for item in value:
                yield from addresses(item)

    missing = [
        (path, address)
        for path, value in published.items()
        if "/schemas/" not in path
        for address in addresses(value)
        if resolved(path, address) not in published
    ]

    assert missing == []


def test_every_record_of_the_data_is_published(project, published):
    for game in project.games.values():
        for table in game.tables.values():
            assert published[f"{json_api.ROOT}/{game.id}/{table.name}/index.json"]["count"] == len(table.records)
            for slug in table.records:
                assert published[f"{json_api.ROOT}/{game.id}/{table.name}/{slug}.json"]["id"] == f"{game.id}/{table.name}/{slug}"

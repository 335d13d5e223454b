"""Static JSON: an index, one file a collection, one a record, and the schema of each at a stable address."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from calculators.numbers import encode
from generator import schema
from generator.records import Game, Project, Table

ROOT = "api/v1"
# How the exported form of each kind of column is described; exact numbers that are not whole are the text "a/b".
_EXACT = {"type": ["integer", "string"], "pattern": "^-?[0-9]+(/[1-9][0-9]*)?$"}
_KINDS: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer"},
    "number": _EXACT,
    "percent": _EXACT,
    "fraction": _EXACT,
    "boolean": {"type": "boolean"},
    "list": {"type": "array"},
    "mapping": {"type": "object"},
}


def files(project: Project) -> dict[str, str]:
    """Return {path under the export's folder: JSON text} for the whole project."""
    written = {f"{ROOT}/index.json": _index(project)}
    for name, described in _envelopes().items():
        written[f"{ROOT}/schemas/{name}.schema.json"] = described
    for game in project.games.values():
        written[f"{ROOT}/{game.id}/index.json"] = _game(game)
        for table in game.tables.values():
            written |= _collection(game, table)
        for name, question in game.questions.items():
            written[f"{ROOT}/{game.id}/questions/{name}.json"] = _question(game, name, question)
    return {path: json.dumps(encode(value), ensure_ascii=False, indent=1, sort_keys=False) + "\n" for path, value in written.items()}


def _index(project: Project) -> dict[str, Any]:
    games = [{"id": game.id, "title": game.info["title"], "summary": game.info["summary"], "url": f"{game.id}/index.json"} for game in project.games.values()]
    return {"$schema": "schemas/index.schema.json", "version": 1, "count": len(games), "games": games}


def _game(game: Game) -> dict[str, Any]:
    return {
        "$schema": "../schemas/game.schema.json",
        "id": game.id,
        "title": game.info["title"],
        "summary": game.info["summary"],
        "documents": game.info["documents"],
        "collections": [
            {"id": f"{game.id}/{table.name}", "title": table.title, "count": len(table.records), "url": f"{table.name}/index.json"}
            for table in game.tables.values()
        ],
        "questions": [{"id": f"{game.id}/{name}", "title": question["title"], "url": f"questions/{name}.json"} for name, question in game.questions.items()],
        "interpretations": [{"id": label, **entry} for label, entry in game.interpretations.items()],
    }


def _question(game: Game, name: str, question: dict[str, Any]) -> dict[str, Any]:
    described = {key: question[key] for key in ("title", "summary", "chapter", "inputs", "outputs", "examples") if key in question}
    return {"$schema": "../../schemas/question.schema.json", "id": f"{game.id}/{name}", **described}


def _collection(game: Game, table: Table) -> dict[str, Any]:
    folder = f"{ROOT}/{game.id}/{table.name}"
    records = dict(_records(game, table))
    address = f"schemas/{game.id}/{table.name}.schema.json"
    index = {
        "$schema": "../../schemas/collection.schema.json",
        "id": f"{game.id}/{table.name}",
        "title": table.title,
        "kind": table.kind,
        "record_schema": f"../../{address}",
        "source": table.source,
        "columns": table.columns,
        "count": len(records),
        "records": [{**record, "url": f"{slug}.json"} for slug, record in records.items()],
    }
    written: dict[str, Any] = {f"{folder}/index.json": index, f"{ROOT}/{address}": _record_schema(game, table)}
    for slug, record in records.items():
        written[f"{folder}/{slug}.json"] = {"$schema": f"../../{address}", **record}
    return written


def _records(game: Game, table: Table) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (slug, record) with the full id and the source that the record or its table names."""
    for slug, record in table.records.items():
        fields = {key: value for key, value in record.items() if key != "source"}
        yield slug, {"id": f"{game.id}/{table.name}/{slug}", **fields, "source": record.get("source", table.source)}


def _record_schema(game: Game, table: Table) -> dict[str, Any]:
    """Return the schema of the records of *table*: what every record has, and its columns."""
    envelope = _envelopes()["record"]
    columns = {name: _column(column) for name, column in table.columns.items()}
    required = [name for name, column in table.columns.items() if not column.get("optional")]
    return {
        **envelope,
        "$id": f"{table.name}.schema.json",
        "title": table.title,
        "required": [*envelope["required"], *required],
        "properties": {**envelope["properties"], **columns},
    }


def _column(column: dict[str, Any]) -> dict[str, Any]:
    described = dict(_KINDS.get(column["kind"], {"type": "string"}))
    if "items" in column and column["kind"] == "list":
        described["items"] = _column(column["items"])
    if column.get("optional"):
        types = described["type"]
        described["type"] = [*([types] if isinstance(types, str) else types), "null"]
    if "label" in column:
        described["title"] = column["label"]
    return described


@cache
def _envelopes() -> dict[str, dict[str, Any]]:
    """Return the schemas of export.schema.json by name, each complete in itself."""
    published = schema.read("export")
    return {name: {"$schema": published["$schema"], "$id": f"{name}.schema.json", **described} for name, described in published["$defs"].items()}

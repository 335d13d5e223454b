"""Citations: what speaks of a record, so that its page can say who uses it."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from generator.addresses import Plan, Spot


class Citation(NamedTuple):
    """Something that speaks of a record: its kind (record, chapter, interpretation, calculator), its title, its place."""

    kind: str
    title: str
    spot: Spot


def citations(games: Mapping[str, Any], plan: Plan) -> dict[tuple[str, str, str], list[Citation]]:
    """List, for each record (game, table, slug), what speaks of it: chapters first, each thing once."""
    found: dict[tuple[str, str, str], list[Citation]] = {}
    for game_id, game in games.items():
        for key, citation in _all(game_id, game, plan):
            known = found.setdefault(key, [])
            if citation not in known and citation.spot != plan.records.get(key):
                known.append(citation)
    return found


def _all(game_id: str, game: Any, plan: Plan) -> Iterator[tuple[tuple[str, str, str], Citation]]:
    for chapter in plan.chapters[game_id]:
        spot = Spot(f"{game_id}/{chapter.id}")
        for place in chapter.places:
            if place.kind == "ref":
                yield _key(game_id, place.target), Citation("chapter", chapter.info["title"], spot)
    for name, table in game.tables.items():
        for slug, record in table.records.items():
            spot = plan.records[game_id, name, slug]
            for target in _references(table.columns, record):
                yield (game_id, *target), Citation("record", f"{record['name']} ({table.title})", spot)
    for label, entry in game.interpretations.items():
        for target in entry.get("records") or ():
            spot = plan.interpretations[game_id, label]
            yield _key(game_id, target), Citation("interpretation", entry["title"], spot)
    for name, calculator in game.calculators.items():
        for table in sorted(_tables_read(game, calculator)):
            for slug in game.tables[table].records if table in game.tables else ():
                spot = plan.calculators[game_id, name]
                yield (game_id, table, slug), Citation("calculator", calculator["title"], spot)


def _key(game_id: str, target: str) -> tuple[str, str, str]:
    parts = target.split("/")
    return tuple(parts) if len(parts) == 3 else (game_id, parts[0], parts[-1])


def _references(columns: Mapping[str, Any], record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Follow the references a record makes: (table, slug)."""
    for key, column in columns.items():
        spec = column.get("items", {}) if column["kind"] in ("list", "mapping") else column
        value = record.get(key)
        if spec.get("kind") != "reference" or value is None:
            continue
        for slug in value if isinstance(value, (list, Mapping)) else (value,):
            yield spec["table"], slug


def _tables_read(game: Any, calculator: Mapping[str, Any]) -> set[str]:
    """Name the tables the questions of a calculator read."""
    return {name for question in calculator["questions"] for name in _tables_in(game.questions.get(question))}


def _tables_in(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key == "table" and isinstance(item, str):
                yield item
            else:
                yield from _tables_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from _tables_in(item)

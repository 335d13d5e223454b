"""Identifiers: what a reader or a link could take for something else."""

from collections.abc import Iterator
from typing import Any

from generator import problems
from generator.addresses import GAME_PAGES
from generator.compendium import DATA, INDEX, SITE
from generator.problems import Problem
from generator.records import Game, Project, Table

name = "identifiers"

# Folders that the site has for itself.
TAKEN = frozenset({"api", "assets", "overrides", "search"})


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield two records of a table with one name, an alias or a former identifier already taken, two games with one title,
    chapters and games whose address is taken."""
    for game in project.games.values():
        for table in game.tables.values():
            yield from _names(table)
            yield from _former(table)
    for game in project.games.values():
        yield from _addresses(project, game)
    seen: dict[str, str] = {}
    for game in project.games.values():
        for key in ("title", "short"):
            title = str(game.info.get(key, game.id)).casefold()
            if seen.setdefault(title, game.id) != game.id:
                yield problems.make(game.documents["game.yaml"], (key,), "same-title", title=game.info[key], other=seen[title])


def _addresses(project: Project, game: Game) -> Iterator[Problem]:
    """Yield the chapters, the records and the game whose page something else has already."""
    if game.id in TAKEN or (project.root / SITE / f"{game.id}.md").exists():
        yield problems.at(f"{DATA}/{game.id}", 1, 1, "game-address", id=game.id)
    for table in game.tables.values():
        if INDEX in table.records | table.partial:
            yield problems.make(table.document, ("records", INDEX), "record-address", key=True, id=INDEX)
    if ("game", "chapters") in game.broken:
        return
    seen = set()
    for place, chapter in enumerate(game.info["chapters"]):
        code = "chapter-address" if chapter["id"] in GAME_PAGES else "chapter-twice" if chapter["id"] in seen else None
        if code:
            yield problems.make(game.documents["game.yaml"], ("chapters", place, "id"), code, id=chapter["id"])
        seen.add(chapter["id"])


def _names(table: Table) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for slug, record in table.records.items():
        other = seen.setdefault(record["name"].casefold(), slug)
        if other != slug:
            yield problems.make(table.document, ("records", slug, "name"), "same-name", name=record["name"], other=other)
    for slug, record in table.records.items():
        for place, alias in enumerate(record.get("aliases", ())):
            other = seen.setdefault(alias.casefold(), slug)
            if other != slug:
                yield problems.make(table.document, ("records", slug, "aliases", place), "same-name", name=alias, other=other)


def _former(table: Table) -> Iterator[Problem]:
    seen = {slug: slug for slug in table.records}
    for slug, record in table.records.items():
        for place, former in enumerate(record.get("formerly", ())):
            if former in seen:
                path = ("records", slug, "formerly", place)
                yield problems.make(table.document, path, "former-id-taken", id=former, other=seen[former])
            seen.setdefault(former, slug)

"""Handouts: the tables, columns and rows that a sheet to print shows exist, and its address is its own."""

from collections.abc import Iterable, Iterator
from typing import Any

from generator import problems
from generator.addresses import GAME_PAGES
from generator.problems import Problem
from generator.records import Game, Project, Table

name = "handouts"

type Place = tuple[str | int, ...]


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield every table, column or record that a sheet names and that is not shown by the game; an address already taken."""
    for game in project.games.values():
        taken = [*GAME_PAGES, *(() if ("game", "chapters") in game.broken else (chapter["id"] for chapter in game.info["chapters"]))]
        for handout, described in game.handouts.items():
            if handout in taken:
                document, path = game.home("handouts", handout)
                yield problems.make(document, path, "handout-address", key=True, id=handout)
            for place, shown in _shown(described, ("handouts", handout)):
                yield from _table(game, place, shown)


def _shown(handout: dict[str, Any], here: Place) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield each block of *handout* that shows a table, with its place."""
    for part in ("list", "signatures"):
        if part in handout:
            yield (*here, part), handout[part]
    for page, blocks in enumerate(handout.get("pages", ())):
        for index, block in enumerate(blocks):
            if "table" in block:
                yield (*here, "pages", page, index), block


def _table(game: Game, here: Place, shown: dict[str, Any]) -> Iterator[Problem]:
    found = shown["table"]
    if found not in game.tables:
        if (found, None) not in game.broken:
            yield _problem(game, (*here, "table"), "unknown-table", game.tables, found=found)
        return
    table = game.tables[found]
    columns = [(part,) for part in ("number", "text", "detail") if part in shown]
    for place in (*columns, *(("columns", index) for index in range(len(shown.get("columns", ()))))):
        column = shown[place[0]][place[1]] if len(place) > 1 else shown[place[0]]
        if column not in _visible(table):
            yield _problem(game, (*here, *place), "unknown-column", _visible(table), found=column, table=found)
    rows = [(("only", index), slug) for index, slug in enumerate(shown.get("only", ()))]
    rows += [(("flourishes", slug), slug) for slug in shown.get("flourishes", ())]
    for place, slug in rows:
        if not game.knows(found, slug):
            yield _problem(game, (*here, *place), "unknown-record", table.records, found=slug, table=found)


def _visible(table: Table) -> list[str]:
    return [column for column, described in table.columns.items() if not described.get("hidden")]


def _problem(game: Game, place: Place, code: str, known: Iterable[str], **facts: Any) -> Problem:
    document, path = game.home(*place)
    return problems.make(document, path, code, hint=problems.suggestion(facts["found"], known), **facts)

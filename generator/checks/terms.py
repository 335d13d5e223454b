"""Terms: the tables whose names explain themselves exist, and each ordinary word is one of these names."""

from collections.abc import Iterator
from typing import Any

from generator import problems, terms
from generator.problems import Problem
from generator.records import Game, Project

name = "terms"

HERE = ("terms",)


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield every table that a game's terms name and that it does not have, and every ordinary word that names nothing."""
    for game in project.games.values():
        yield from _tables(game)
        # A row that is wrong, or a table, may hold the name.
        if not {table for table, _ in game.broken} & set(_named(game)):
            yield from _words(game)


def _named(game: Game) -> list[str]:
    return (game.info.get("terms") or {}).get("tables", [])


def _tables(game: Game) -> Iterator[Problem]:
    for place, found in enumerate(_named(game)):
        if found not in game.tables and (found, None) not in game.broken:
            yield _problem(game, ("tables", place), "unknown-table", found=found, hint=problems.suggestion(found, game.tables))


def _words(game: Game) -> Iterator[Problem]:
    known = {terms.stem(form): form for form, _ in terms.names(game)}
    for place, word in enumerate((game.info.get("terms") or {}).get("ordinary", ())):
        if terms.stem(word) not in known:
            yield _problem(game, ("ordinary", place), "ordinary-word", word=word, hint=problems.suggestion(word, known.values()))


def _problem(game: Game, place: tuple[str | int, ...], code: str, **facts: Any) -> Problem:
    return problems.make(game.documents["game.yaml"], (*HERE, *place), code, **facts)

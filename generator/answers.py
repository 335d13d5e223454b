"""Answers: the rulebook of a project, made once for all the checks that ask it something."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

from generator import compendium, texts
from generator.records import COLLECTIONS, Game, Project

WORD = re.compile(r"[\w-]+")


@lru_cache(maxsize=1)
def rulebook(project: Project) -> Any:
    """Return the Rulebook of *project*."""
    return _rulebook(project)


def _rulebook(project: Project) -> Any:
    # Imported here, because reading data does not need the rules code.
    from calculators.rulebook import Rulebook

    return Rulebook(compendium.rules(project, texts.read()))


@lru_cache(maxsize=1)
def faults(project: Project) -> dict[str, list[Any]]:
    """Return what the rules code finds wrong in each question, "game/question", what remains of the broken ones included."""
    book = rulebook(project)
    found = {identifier: book.faults(identifier) for identifier in book.questions()}
    remains = {name: replace(game, questions=game.partial["questions"]) for name, game in project.games.items() if game.partial.get("questions")}
    if remains:
        partial = _rulebook(replace(project, games=remains))
        found |= {identifier: partial.faults(identifier) for identifier in partial.questions()}
    return found


def touched(game: Game, value: Any) -> bool:
    """Say whether *value* (a question) names a table that could not be read in full: its answers mean nothing yet."""
    from calculators.tables import CONSTANTS

    names = {collection for collection, _ in game.broken} - {"game", "chapters", *COLLECTIONS}
    if not names:
        return False
    words = _words(value)
    return not names.isdisjoint(words | {CONSTANTS} if "constant" in words else words)


def _words(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {word for item in value.values() for word in _words(item)}
    if isinstance(value, list):
        return {word for item in value for word in _words(item)}
    return set(WORD.findall(value)) if isinstance(value, str) else set()

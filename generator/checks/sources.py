"""Sources: every document that a table or a record cites is declared by its game."""

from collections.abc import Iterator
from typing import Any

from generator import problems
from generator.load import Document
from generator.problems import Problem
from generator.records import Project

name = "sources"


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield the documents cited and never declared, and those declared and never cited."""
    for game in project.games.values():
        if ("game", "documents") in game.broken:
            continue
        declared, cited = game.info["documents"], set()
        for table in game.tables.values():
            places: list[tuple[dict[str, Any], tuple[str, ...]]] = [(table.source, ("source",))]
            places += [(record["source"], ("records", slug, "source")) for slug, record in (table.records | table.partial).items() if "source" in record]
            for source, path in places:
                cited.add(source["document"])
                yield from _declared(table.document, (*path, "document"), source["document"], declared)
        if game.tables and not game.broken:
            for document in declared.keys() - cited:
                yield problems.make(game.documents["game.yaml"], ("documents", document), "unused-document", key=True, document=document)


def _declared(document: Document, path: tuple[str, ...], found: str, declared: dict[str, Any]) -> Iterator[Problem]:
    if found not in declared:
        yield problems.make(document, path, "unknown-document", found=found, hint=problems.suggestion(found, declared))

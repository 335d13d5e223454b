"""Percentages: the chances of a table sum to exactly one hundred."""

from collections.abc import Iterator
from typing import Any

from generator import problems
from generator.problems import Problem
from generator.records import Project

name = "percentages"

WHOLE = 100


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield the tables of chances whose percentages do not sum to one hundred."""
    for game in project.games.values():
        for table in game.tables.values():
            if table.kind != "chances" or any(collection == table.name for collection, _ in game.broken):
                continue
            column = table.columns.get("percent", {})
            if column.get("kind") != "percent" or column.get("optional"):
                yield problems.make(table.document, ("columns",), "no-percent-column", key=True)
                continue
            for slug, record in table.records.items():
                if not 0 <= record["percent"] <= WHOLE:
                    path = ("records", slug, "percent")
                    yield problems.make(table.document, path, "percent-beyond", found=problems.shown(record["percent"]))
            total = sum(record["percent"] for record in table.records.values())
            if total != WHOLE:
                code = "percent-missing" if total < WHOLE else "percent-over"
                gap = problems.shown(abs(WHOLE - total))
                yield problems.make(table.document, ("records",), code, key=True, total=problems.shown(total), gap=gap)

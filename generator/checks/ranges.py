"""Ranges: the bands of a table cover every possible value once, without hole or overlap."""

from collections.abc import Iterator
from typing import Any

from generator import problems
from generator.problems import Problem
from generator.records import Project, Table

name = "ranges"


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield every value that two bands cover or that none does."""
    for game in project.games.values():
        for table in game.tables.values():
            # With a record left out, every hole would be a false one.
            if table.kind == "bands" and not any(collection == table.name for collection, _ in game.broken):
                yield from _continuous(table) if table.continuous else _bands(table)


def _problem(table: Table, path: tuple[str | int, ...], code: str, **facts: Any) -> Problem:
    return problems.make(table.document, path, code, **{key: problems.shown(fact) for key, fact in facts.items()})


def _bands(table: Table) -> Iterator[Problem]:
    missing = [bound for bound in ("min", "max") if table.columns.get(bound, {}).get("kind") != "integer"]
    for bound in missing:
        yield problems.make(table.document, ("columns",), "no-bound-column", key=True, bound=bound)
    if missing:
        return
    rows = []
    for slug, record in table.records.items():
        low, high = record.get("min"), record.get("max")
        if low is not None and high is not None and low > high:
            yield _problem(table, ("records", slug, "max"), "bounds-reversed", low=low, high=high)
        else:
            rows.append((slug, low, high))
    rows.sort(key=lambda row: (row[1] is not None, row[1] or 0))
    if len(rows) < len(table.records):
        return
    yield from _first(table, *rows[0][:2])
    last_slug, last = rows[0][0], rows[0][2]
    for slug, low, high in rows[1:]:
        record = ("records", slug, "min")
        if last is None:
            yield _problem(table, ("records", last_slug, "max"), "open-band-inside", name=_name(table, last_slug))
        elif low is None:
            yield _problem(table, record, "open-band-below", name=_name(table, slug))
        elif low <= last:
            yield _problem(table, record, "bands-overlap", name=_name(table, slug), low=low, other=_name(table, last_slug), high=last)
        elif low > last + 1:
            hole = problems.shown(last + 1) if low == last + 2 else problems.sentence("word-range", low=last + 1, high=low - 1)
            other = problems.shown(_name(table, last_slug))
            yield problems.make(table.document, record, "bands-hole", hole=hole, name=problems.shown(_name(table, slug)), other=other)
        if last is not None and (high is None or high > last):
            last_slug, last = slug, high
    yield from _last(table, last_slug, last)


def _continuous(table: Table) -> Iterator[Problem]:
    if table.columns.get("max", {}).get("kind") not in ("integer", "number", "percent"):
        yield problems.make(table.document, ("columns",), "no-bound-column", key=True, bound="max")
        return
    last, last_slug = None, ""
    for place, (slug, record) in enumerate(table.records.items(), 1):
        high = record.get("max")
        if high is None and place < len(table.records):
            yield _problem(table, ("records", slug, "max"), "open-band-inside", name=_name(table, slug))
        elif high is not None and last is not None and high <= last:
            other = _name(table, last_slug)
            yield _problem(table, ("records", slug, "max"), "bands-not-ascending", name=_name(table, slug), high=high, last=last, other=other)
        last, last_slug = high if high is not None else last, slug
        if place == len(table.records):
            yield from _last(table, slug, high)


def _first(table: Table, slug: str, low: Any) -> Iterator[Problem]:
    expected = table.domain.get("min")
    if low != expected:
        code = "first-band-open" if low is None else "first-band-closed" if expected is None else "first-band"
        yield _problem(table, ("records", slug, "min"), code, name=_name(table, slug), found=low, expected=expected)


def _last(table: Table, slug: str, high: Any) -> Iterator[Problem]:
    expected = table.domain.get("max")
    if high != expected:
        code = "last-band-open" if high is None else "last-band-closed" if expected is None else "last-band"
        yield _problem(table, ("records", slug, "max"), code, name=_name(table, slug), found=high, expected=expected)


def _name(table: Table, slug: str) -> str:
    return table.records[slug]["name"]

"""Addresses: the page and anchor of everything a reader can be sent to, and the way from one page to another.

A page is named by its path in the site without extension: ``index``, ``jeu/repos``, ``jeu/glossary/blessure``.
"""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from generator.chapters import Place, places
from generator.records import Game

# A record that holds words is what a reader searches for by name; one that holds only figures is a line of its table.
WORDED = ("prose", "text", "list")
# The pages that every game has besides its chapters and its sheets to print.
GAME_PAGES = ("index", "tables", "interpretations")


class Spot(NamedTuple):
    """Where something is: a page, and an anchor in it or none."""

    page: str
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class ChapterPlan:
    """One page of a game: what game.yaml says of it, its prose, the places in it, and what it must add at its end."""

    id: str
    info: Mapping[str, Any]
    path: str
    prose: str | None
    places: tuple[Place, ...]
    left_tables: tuple[str, ...] = ()
    left_calculators: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Where everything of a project is told: chapters by game, and a Spot for each table, record, calculator, handout, reading."""

    chapters: dict[str, list[ChapterPlan]] = field(default_factory=dict)
    tables: dict[tuple[str, str], Spot] = field(default_factory=dict)
    records: dict[tuple[str, str, str], Spot] = field(default_factory=dict)
    rows: dict[tuple[str, str, str], Spot] = field(default_factory=dict)
    paged: frozenset[tuple[str, str]] = frozenset()
    calculators: dict[tuple[str, str], Spot] = field(default_factory=dict)
    handouts: dict[tuple[str, str], Spot] = field(default_factory=dict)
    interpretations: dict[tuple[str, str], Spot] = field(default_factory=dict)

    def record(self, game: str, target: str) -> Spot | None:
        """Find the record ``table/slug`` of *game*, or ``game/table/slug``; None when there is no such record."""
        parts = target.split("/")
        key = tuple(parts) if len(parts) == 3 else (game, *parts)
        return self.records.get(key)


def plan(games: Mapping[str, Game]) -> Plan:
    """Decide where everything of *games* is told."""
    result = Plan(paged=frozenset(_paged(games)))
    for game_id, game in games.items():
        result.chapters[game_id] = chapters = _chapters(game)
        for chapter in chapters:
            page = f"{game_id}/{chapter.id}"
            told = [(p.kind, p.target) for p in chapter.places]
            told += [("table", name) for name in chapter.left_tables]
            told += [("calculator", name) for name in chapter.left_calculators]
            for kind, target in told:
                if kind in ("table", "records") and target in game.tables:
                    result.tables.setdefault((game_id, target), Spot(page, table_id(target)))
                elif kind == "calculator" and target in game.calculators:
                    result.calculators.setdefault((game_id, target), Spot(page, tool_id(target)))
        for name, table in game.tables.items():
            home = result.tables.setdefault((game_id, name), Spot(f"{game_id}/tables", table_id(name)))
            for slug in table.records:
                key = (game_id, name, slug)
                result.rows[key] = Spot(home.page, row_id(name, slug))
                paged = (game_id, name) in result.paged
                result.records[key] = Spot("/".join(key)) if paged else result.rows[key]
        for name in game.calculators:
            result.calculators.setdefault((game_id, name), Spot(f"{game_id}/tables", tool_id(name)))
        for name in game.handouts:
            result.handouts[game_id, name] = Spot(f"{game_id}/{name}")
        for label in game.interpretations:
            result.interpretations[game_id, label] = Spot(f"{game_id}/interpretations", label.lower())
    return result


def table_id(name: str) -> str:
    """Give the anchor of a table."""
    return f"table-{name}"


def row_id(table: str, slug: str) -> str:
    """Give the permanent anchor of a record among the others of its table."""
    return f"{table}-{slug}"


def tool_id(name: str) -> str:
    """Give the anchor of a calculator; its name alone may be a heading of the page."""
    return f"outil-{name}"


def url(page: str) -> str:
    """Give the address of a page from the root of the site: a folder, or nothing for the home page.

    >>> url("index"), url("jeu/index"), url("jeu/repos")
    ('', 'jeu/', 'jeu/repos/')
    """
    if page == "index":
        return ""
    return (page[: -len("index")] if page.endswith("/index") else page + "/").replace("//", "/")


def web_link(start: str, spot: Spot, query: str = "") -> str:
    """Write the relative address a browser follows from page *start*.

    >>> web_link("jeu/repos", Spot("jeu/glossary/blessure")), web_link("jeu/repos", Spot("jeu/repos", "lieux"))
    ('../glossary/blessure/', '#lieux')
    """
    tail = (f"?{query}" if query else "") + (f"#{spot.anchor}" if spot.anchor else "")
    if start == spot.page and spot.anchor and not query:
        return tail
    path = posixpath.relpath("/" + url(spot.page), "/" + url(start))
    return path + "/" + tail


def source_link(start: str, spot: Spot, query: str = "") -> str:
    """Write the relative path to the Markdown file, which the site builder turns into an address and checks.

    >>> source_link("jeu/repos", Spot("jeu/glossary/blessure"))
    'glossary/blessure.md'
    """
    tail = (f"?{query}" if query else "") + (f"#{spot.anchor}" if spot.anchor else "")
    if start == spot.page and spot.anchor and not query:
        return tail
    return posixpath.relpath(spot.page, posixpath.dirname(start) or ".") + ".md" + tail


def _chapters(game: Game) -> list[ChapterPlan]:
    infos = {info["id"]: info for info in game.info["chapters"]}
    found = {name: tuple(places(game.chapters[name].text)) if name in game.chapters else () for name in infos}
    told = {(p.kind, p.target) for many in found.values() for p in many}
    told |= {("table", target) for kind, target in told if kind == "records"}
    chapters = []
    for name, info in infos.items():
        prose = game.chapters.get(name)
        tables = tuple(n for n, t in game.tables.items() if _chapter_of(t.chapter) == name and ("table", n) not in told)
        tools = tuple(n for n, c in game.calculators.items() if _chapter_of(c.get("chapter")) == name and ("calculator", n) not in told)
        chapters.append(ChapterPlan(name, info, prose.path if prose else "", prose and prose.text, found[name], tables, tools))
    return chapters


def _chapter_of(address: str | None) -> str:
    return (address or "").partition("#")[0]


def _paged(games: Mapping[str, Game]) -> Iterator[tuple[str, str]]:
    """Choose the tables whose records have a page each: those with words, and those a chapter tells one by one."""
    for game_id, game in games.items():
        told = {p.target for chapter in game.chapters.values() for p in places(chapter.text) if p.kind == "records"}
        for name, table in game.tables.items():
            worded = any(c["kind"] in WORDED and not c.get("hidden") for c in table.columns.values())
            if name in told or worded:
                yield game_id, name

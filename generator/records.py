"""Records: the frozen values of the project, from a table to the whole."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.load import Document
from generator.problems import Problem


@dataclass(frozen=True, slots=True)
class Table:
    """A collection of records: *records* maps a slug to {"name", columns…, "note", "source"…} in reading order.

    *partial* is what remains of the records that have something wrong in them.
    """

    name: str
    title: str
    kind: str
    columns: dict[str, Any]
    records: dict[str, dict[str, Any]]
    source: dict[str, str]
    chapter: str
    document: Document = field(repr=False)
    continuous: bool = False
    domain: dict[str, Any] = field(default_factory=dict)
    note: str | None = None
    name_label: str | None = None
    interpretations: list[str] = field(default_factory=list)
    partial: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chapter:
    """The Markdown of a chapter: its *path* from the project's folder and its *text*."""

    path: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """Everything a folder of data says about one game.

    *documents* maps a file name ("tiers.yaml", "questions/combat.yaml") to what was read.
    *broken* holds (collection, id) of what was left out because it is wrong, (collection, None) for a whole collection:
    a check does not complain that these are missing. *partial* is what remains of them, by collection, when it still has
    the form of its kind.
    """

    id: str
    info: dict[str, Any]
    tables: dict[str, Table] = field(default_factory=dict)
    interpretations: dict[str, dict[str, Any]] = field(default_factory=dict)
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    questions: dict[str, dict[str, Any]] = field(default_factory=dict)
    calculators: dict[str, dict[str, Any]] = field(default_factory=dict)
    handouts: dict[str, dict[str, Any]] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict, repr=False)
    chapters: dict[str, Chapter] = field(default_factory=dict)
    homes: dict[tuple[str, str], Document] = field(default_factory=dict, repr=False)
    broken: frozenset[tuple[str, str | None]] = frozenset()
    partial: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)

    def home(self, collection: str, *path: str | int) -> tuple[Document, tuple[str | int, ...]]:
        """Give the document that holds *path* of *collection*, and the path of that value inside it."""
        if collection in self.tables:
            return self.tables[collection].document, ("records", *path) if path else ()
        if collection == "game":
            return self.documents["game.yaml"], path
        return self.homes[collection, str(path[0])], path

    def where(self, collection: str, *path: str | int) -> tuple[str, int, int]:
        """Give the file, line and column of a value: where("tiers", "echec", "max"), where("questions", "attack", "steps")."""
        document, inside = self.home(collection, *path)
        return document.path, *document.at(*inside)

    def knows(self, collection: str, name: str) -> bool:
        """Say whether *collection* has (or would have, were it right) something called *name*."""
        if (collection, name) in self.broken or (collection, None) in self.broken:
            return True
        if collection in self.tables:
            return name in self.tables[collection].records
        return collection in COLLECTIONS and name in getattr(self, collection)


COLLECTIONS = ("interpretations", "entries", "questions", "calculators", "handouts")


@dataclass(frozen=True, slots=True, eq=False)
class Project:
    """All the games read from *root*, and every problem met on the way; *emblems* are the drawings at hand.

    A project is itself and no other: it is never compared, so that work on it can be remembered.
    """

    root: Path
    games: dict[str, Game]
    problems: list[Problem]
    emblems: frozenset[str] = frozenset()

"""Handouts: what a sheet to print says, in words only, from the tables of its game; the templates draw it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generator import typography
from generator.cells import Reader
from generator.records import Table
from generator.views import TableView, extract

PLAIN_FLOURISH = "paraph"


@dataclass(frozen=True, slots=True)
class Signature:
    """A name, what is written under it, and the drawing that goes with it."""

    name: str
    detail: str
    flourish: str

    @property
    def initials(self) -> str:
        """Give the capitals that begin the words of the name."""
        return "".join(word[0] for word in self.name.split() if word[0].isupper())


@dataclass(frozen=True, slots=True)
class Parchment:
    """A text with numbered articles and signatures: *articles* are (number, text)."""

    opening: str
    articles: tuple[tuple[str, str], ...]
    closing: str
    signatures: tuple[Signature, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a screen: a table, a sentence or a few points, under a title."""

    title: str
    view: TableView | None = None
    text: str = ""
    points: tuple[str, ...] = ()
    gathered: bool = False
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Screen:
    """What the game master keeps in sight: the blocks of each page."""

    pages: tuple[tuple[Block, ...], ...]


def sheet(reader: Reader, views: Mapping[str, TableView], handout: Mapping[str, Any]) -> Parchment | Screen:
    """Read the tables that *handout* shows; *views* are the tables of the reader's game, laid out."""
    if handout["kind"] == "parchment":
        return _parchment(reader, handout)
    return Screen(tuple(tuple(_block(reader, views, block) for block in page) for page in handout["pages"]))


def _parchment(reader: Reader, handout: Mapping[str, Any]) -> Parchment:
    listed, signed = handout["list"], handout["signatures"]
    flourishes = signed.get("flourishes", {})
    return Parchment(
        opening=typography.french(handout["opening"]),
        articles=tuple((number, text) for _, number, text in _rows(reader, listed["table"], listed["number"], listed["text"])),
        closing=typography.french(handout["closing"]),
        signatures=tuple(
            Signature(typography.french(str(reader.game.tables[signed["table"]].records[slug]["name"])), detail, flourishes.get(slug, PLAIN_FLOURISH))
            for slug, detail in _rows(reader, signed["table"], signed["detail"])
        ),
    )


def _rows(reader: Reader, name: str, *columns: str) -> Iterator[tuple[str, ...]]:
    """Yield (slug, words of each column) for each record of a table."""
    table: Table = reader.game.tables[name]
    for slug, record in table.records.items():
        yield slug, *(reader.cell(table.columns[column], record.get(column)).text for column in columns)


def _block(reader: Reader, views: Mapping[str, TableView], block: Mapping[str, Any]) -> Block:
    title = typography.french(block.get("title", ""))
    if "table" not in block:
        points = tuple(typography.french(point) for point in block.get("points", ()))
        return Block(title, text=typography.french(block.get("text", "")), points=points)
    table = reader.game.tables[block["table"]]
    view = extract(reader, table, views[table.name], block["columns"], block.get("only"))
    return Block(title or view.title, view=view, gathered=block.get("gathered", False), wide=block.get("wide", False))

"""Cells: what a page shows of a record's value, by the kind of its column. No HTML here, only words and where they lead."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from textwrap import shorten
from typing import Any, NamedTuple

from generator import typography
from generator.addresses import Plan, Spot

HINT_LENGTH = 180  # what a tooltip holds without becoming a page
HINT_JOIN = " — "
NUMERIC = ("integer", "number", "percent", "fraction")


class Piece(NamedTuple):
    """Some words, where they lead (or nowhere), and what is found there in a few words."""

    text: str
    spot: Spot | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A shown value: *pieces* are listed items; *sort* is the number it sorts by, or none to sort by its words."""

    kind: str
    pieces: tuple[Piece, ...] = ()
    sort: str | None = None
    listed: bool = False

    @property
    def text(self) -> str:
        """Give the words alone."""
        return self.separator.join(piece.text for piece in self.pieces)

    @property
    def separator(self) -> str:
        """Give what parts the items: no comma where one of them has its own."""
        return f"{typography.NARROW}; " if any("," in piece.text for piece in self.pieces) else ", "


@dataclass(frozen=True, slots=True)
class Reader:
    """What is needed to read a value: the game's tables, where things are told, and the machine's own words."""

    game: Any
    plan: Plan
    words: Mapping[str, Any]

    def cell(self, column: Mapping[str, Any], value: Any) -> Cell:
        """Show *value* of *column*; nothing to show gives a cell without pieces."""
        kind = column["kind"]
        if value is None or value == [] or value == {}:
            return Cell(kind)
        if kind in ("list", "mapping"):
            return Cell(kind, tuple(self._items(column, value)), listed=True)
        return Cell(kind, (self._piece(column, value),), self._sort(kind, value))

    def span(self, low: Any, high: Any) -> Cell:
        """Show an interval of whole numbers, either end of which may be open."""
        words = self.words["span"]
        if low is None and high is None:
            text = words["any"]
        elif low is None or high is None:
            text = words["low" if low is None else "high"].format(value=typography.number(high if low is None else low))
        elif low == high:
            text = typography.number(low)
        else:
            text = words["both"].format(low=typography.number(low), high=typography.number(high))
        anchor = low if low is not None else high
        return Cell("integer", (Piece(text),), None if anchor is None else str(anchor))

    def beyond(self) -> Cell:
        """Show the open end of a table read by its upper bounds."""
        return Cell("text", (Piece(self.words["span"]["beyond"]),))

    def _items(self, column: Mapping[str, Any], value: Any):
        items = column.get("items", {"kind": "text"})
        if isinstance(value, Mapping):
            for key, item in value.items():
                yield Piece(self.words["pair"].format(key=key, value=self._plain(items, item)))
        else:
            for item in value:
                yield self._piece(items, item)

    def _plain(self, column: Mapping[str, Any], value: Any) -> str:
        if isinstance(value, (list, Mapping)):
            return ", ".join(piece.text for piece in self._items(column, value))
        return self._piece(column, value).text

    def _piece(self, column: Mapping[str, Any], value: Any) -> Piece:
        kind = column["kind"]
        if kind == "reference":
            return self._reference(column["table"], value)
        if kind == "choice":
            return Piece(typography.french(str(column.get("choices", {}).get(value, value))))
        if isinstance(value, bool):
            return Piece(self.words["yes" if value else "no"])
        if isinstance(value, (int, Fraction)):
            text = typography.number(value)
            return Piece(self.words["percent"].format(value=text) if kind == "percent" else text)
        if kind == "dice":
            return Piece(str(value).upper())
        if isinstance(value, (list, Mapping)):
            return Piece(self._plain({"kind": "text"}, value))
        return Piece(typography.french(str(value)))

    def _reference(self, table: str, slug: str) -> Piece:
        records = self.game.tables[table].records if table in self.game.tables else {}
        name = records[slug]["name"] if slug in records else slug
        return Piece(typography.french(str(name)), self.plan.record(self.game.id, f"{table}/{slug}"), hint(self.game, table, slug))

    def _sort(self, kind: str, value: Any) -> str | None:
        if isinstance(value, bool):
            return str(int(value))
        try:
            if kind in NUMERIC:
                return _decimal(Fraction(value))
            if kind == "dice":
                return _decimal(_average(str(value)))
        except ValueError:
            pass
        return None


def hint(game: Any, table: str, slug: str) -> str:
    """Say in a few words what a record is: its columns marked for that, or else the beginning of its prose, or of its first text."""
    held = game.tables.get(table)
    if held is None or slug not in held.records:
        return ""
    told = {key: column for key, column in held.columns.items() if held.records[slug].get(key) and not column.get("hidden")}
    keys = [key for key, column in told.items() if column.get("hint")]
    keys = keys or [key for kind in ("prose", "text") for key, column in told.items() if column["kind"] == kind][:1]
    text = HINT_JOIN.join(str(held.records[slug][key]) for key in keys)
    return typography.french(shorten(text, HINT_LENGTH, placeholder="…"))


def _decimal(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.6f}"


def _average(dice: str) -> Fraction:
    """Average the plain dice ``2d6+1`` for sorting; raises ValueError for anything else.

    >>> _average("2d6+1")
    Fraction(8, 1)
    """
    total = Fraction(0)
    for term in dice.replace(" ", "").replace("-", "+-").split("+"):
        sign = -1 if term.startswith("-") else 1
        count, is_die, sides = term.lstrip("-").partition("d")
        total += sign * (Fraction(int(count or 1) * (int(sides) + 1), 2) if is_die else Fraction(int(term.lstrip("-"))))
    return total

"""Views: tables and records as a page lays them out, in words only; the templates make the HTML."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from generator import typography
from generator.addresses import Spot, row_id, table_id
from generator.cells import NUMERIC, Cell, Reader

# Layout figures: from how many rows a control earns its place, and how wide a table stays a table on a phone.
SORTABLE = 3
FILTERABLE = 10
CHOOSABLE = range(2, 13)
LONG_WORDS = 60


@dataclass(frozen=True, slots=True)
class Column:
    """A shown column: *keys* are the fields it reads (two for an interval), *label* is complete with its unit."""

    keys: tuple[str, ...]
    label: str
    kind: str
    group: str = ""
    spec: Mapping[str, Any] | None = None
    unit: str = ""

    @property
    def numeric(self) -> bool:
        """Say whether it is set like figures: to the right, and sorted by value."""
        return self.kind in NUMERIC or self.kind == "dice"


@dataclass(frozen=True, slots=True)
class Head:
    """A header cell."""

    text: str
    kind: str = ""
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """A record: where it stands, its name, its cells in the order of the columns, and the readings that touch it."""

    slug: str
    id: str
    old_ids: tuple[str, ...]
    name: str
    spot: Spot | None
    cells: tuple[tuple[Column, Cell], ...]
    labels: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    note: str = ""
    source: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class TableView:
    """A table ready to lay out; *cards* when its rows read better stacked on a narrow screen."""

    game: str
    name: str
    id: str
    title: str
    name_label: str
    columns: tuple[Column, ...]
    heads: tuple[tuple[Head, ...], ...]
    rows: tuple[Row, ...]
    note: str
    source: Mapping[str, Any] | None
    cards: bool
    sortable: bool
    filterable: bool
    choices: tuple[tuple[int, str, tuple[str, ...]], ...]
    labels: tuple[str, ...] = ()


def table_view(reader: Reader, table: Any) -> TableView:
    """Lay out *table* of the reader's game: hidden and empty columns go, intervals become one column."""
    columns = list(_columns(reader, table))
    rows = tuple(row_view(reader, table, slug, columns) for slug in table.records)
    if table.kind == "chances":
        columns, rows = _with_ranges(reader, columns, rows, table)
    kept = [i for i in range(len(columns)) if any(row.cells[i][1].pieces for row in rows)]
    columns = [columns[i] for i in kept]
    rows = tuple(_with_cells(row, tuple(row.cells[i] for i in kept)) for row in rows)
    longest = max((len(cell.text) for row in rows for _, cell in row.cells), default=0)
    return TableView(
        game=reader.game.id,
        name=table.name,
        id=table_id(table.name),
        title=typography.french(table.title),
        name_label=typography.french(table.name_label or reader.words["name"]),
        columns=tuple(columns),
        heads=tuple(tuple(line) for line in _heads(table, columns, reader)),
        rows=rows,
        note=typography.french(table.note or ""),
        source=table.source,
        cards=longest >= LONG_WORDS,
        sortable=len(rows) >= SORTABLE,
        filterable=len(rows) >= FILTERABLE,
        choices=tuple(_choices(columns, rows)) if len(rows) >= FILTERABLE else (),
        labels=tuple(label for label in table.interpretations if label in reader.game.interpretations),
    )


def extract(reader: Reader, table: Any, view: TableView, keys: Iterable[str], slugs: Collection[str] | None = None) -> TableView:
    """Keep of the *view* of *table* the columns that *keys* name, in their order, and its rows or only *slugs*."""
    places = list(dict.fromkeys(i for key in keys for i, column in enumerate(view.columns) if key in column.keys))
    columns = [view.columns[i] for i in places]
    rows = tuple(_with_cells(row, tuple(row.cells[i] for i in places)) for row in view.rows if slugs is None or row.slug in slugs)
    return replace(view, columns=tuple(columns), heads=tuple(tuple(line) for line in _heads(table, columns, reader)), rows=rows)


def row_view(reader: Reader, table: Any, slug: str, columns: list[Column] | None = None) -> Row:
    """Lay out one record of *table*."""
    record = table.records[slug]
    columns = list(_columns(reader, table)) if columns is None else columns
    key = (reader.game.id, table.name, slug)
    own_page = key[:2] in reader.plan.paged
    return Row(
        slug=slug,
        id=row_id(table.name, slug),
        old_ids=tuple(row_id(table.name, old) for old in record.get("formerly") or ()),
        name=typography.french(str(record["name"])),
        spot=reader.plan.records[key] if own_page else None,
        cells=tuple((column, _cell(reader, column, record)) for column in columns),
        labels=tuple(labels_of(reader.game, table.name, slug)),
        aliases=tuple(typography.french(str(alias)) for alias in record.get("aliases") or ()),
        note=typography.french(record.get("note") or ""),
        source=record.get("source"),
    )


def labels_of(game: Any, table: str, slug: str) -> list[str]:
    """List the interpretations that touch a record, whichever of the two names the other."""
    labels = list(game.tables[table].records[slug].get("interpretations") or ())
    for label, entry in game.interpretations.items():
        if f"{table}/{slug}" in (entry.get("records") or ()) and label not in labels:
            labels.append(label)
    return [label for label in labels if label in game.interpretations]


def _columns(reader: Reader, table: Any) -> Iterator[Column]:
    shown = {key: spec for key, spec in table.columns.items() if not spec.get("hidden")}
    low, high = shown.get("min"), shown.get("max")
    merged = table.kind == "bands" and low and high and not low.get("group") and not high.get("group")
    for key, spec in shown.items():
        if merged and key == "max":
            continue
        if merged and key == "min":
            label = reader.words["span"]["label"].format(low=low["label"], high=_lowered(high["label"]))
            yield Column(("min", "max"), _label(reader, label, spec), "integer", "", spec, spec.get("unit") or "")
        else:
            label = _label(reader, spec["label"], spec)
            group = typography.french(spec.get("group") or "")
            yield Column((key,), label, spec["kind"], group, spec, spec.get("unit") or "")


def _cell(reader: Reader, column: Column, record: Mapping[str, Any]) -> Cell:
    if len(column.keys) == 2:
        return reader.span(*(record.get(key) for key in column.keys))
    key = column.keys[0]
    if key == "max" and key in record and record[key] is None:
        return reader.beyond()
    return reader.cell(column.spec or {"kind": column.kind}, record.get(key))


def _label(reader: Reader, label: str, spec: Mapping[str, Any]) -> str:
    unit = spec.get("unit")
    return typography.french(reader.words["unit"].format(label=label, unit=unit) if unit else label)


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def _heads(table: Any, columns: list[Column], reader: Reader) -> Iterator[list[Head]]:
    """Make one line of headers, or two when columns are grouped."""
    name = typography.french(table.name_label or reader.words["name"])
    grouped = any(column.group for column in columns)
    first, second = [Head(name, "name", rows=2 if grouped else 1)], []
    previous = ""
    for column in columns:
        if not column.group:
            first.append(Head(column.label, column.kind, rows=2 if grouped else 1))
        else:
            if column.group == previous:
                first[-1] = Head(column.group, "group", columns=first[-1].columns + 1)
            else:
                first.append(Head(column.group, "group"))
            second.append(Head(column.label, column.kind))
        previous = column.group
    yield first
    if grouped:
        yield second


def _with_ranges(reader: Reader, columns: list[Column], rows: tuple[Row, ...], table: Any):
    """Add the results of a hundred-sided die to a table of chances, when they fall on whole numbers."""
    shares = [Fraction(record["percent"]) for record in table.records.values()]
    if any(share.denominator != 1 or share < 1 for share in shares):
        return columns, rows
    column = Column(("percent",), reader.words["d100"], "integer")
    total, filled = 0, []
    for row, share in zip(rows, shares, strict=True):
        filled.append(_with_cells(row, ((column, reader.span(total + 1, total + int(share))), *row.cells)))
        total += int(share)
    return [column, *columns], tuple(filled)


def _with_cells(row: Row, cells: tuple[tuple[Column, Cell], ...]) -> Row:
    return Row(row.slug, row.id, row.old_ids, row.name, row.spot, cells, row.labels, row.aliases, row.note, row.source)


def _choices(columns: list[Column], rows: tuple[Row, ...]) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Find the columns a reader may filter by value: (place in the row, label, values)."""
    for index, column in enumerate(columns):
        items = (column.spec or {}).get("items", {})
        if column.kind in ("choice", "reference", "boolean") or items.get("kind") in ("choice", "reference"):
            values = {piece.text for row in rows for piece in row.cells[index][1].pieces}
            if len(values) in CHOOSABLE:
                yield index + 1, column.label, tuple(sorted(values, key=typography.fold))

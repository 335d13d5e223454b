"""Tables of a game as the rules read them: a cell, a row found by its columns, the band a number falls in."""

from .numbers import exact

# The table of loose figures: each record has one `value`.
CONSTANTS = "constants"

# The kinds of table in which a number falls.
BANDED = ("bands", "chances")
_EXACT_KINDS = ("number", "percent", "fraction", "integer")


class TableError(ValueError):
    """No such table, record or column, or no row for a value."""


class Table:
    """One table: *kind*, *records* {slug: {column: value}} in reading order, exact numbers already read."""

    __slots__ = ("columns", "continuous", "kind", "labels", "name", "name_label", "records", "title")

    def __init__(self, name, described):
        self.name, self.title = name, described.get("title", name)
        self.kind, self.continuous = described.get("kind", "list"), bool(described.get("continuous"))
        self.columns, self.name_label = described.get("columns", {}), described.get("name_label", "")
        self.labels = {column: spec.get("label", column) for column, spec in self.columns.items()}
        kinds = {column: spec.get("kind") for column, spec in self.columns.items()}
        self.records = {
            slug: {"id": slug, **{column: _read(value, kinds.get(column)) for column, value in record.items()}} for slug, record in described["records"].items()
        }

    @property
    def is_banded(self):
        """Say whether a number falls in one of the records, by bounds or by percentages."""
        return self.kind in BANDED


def _read(value, kind):
    return exact(value) if kind in _EXACT_KINDS and isinstance(value, str) else value


def _table(tables, name):
    try:
        return tables[name]
    except (KeyError, TypeError):
        raise TableError(f"table {name}") from None


def length(tables, name, *_):
    """Return how many records table *name* holds."""
    return len(_table(tables, name).records)


def rows(tables, name):
    """Return the records of table *name*, in order, each a mapping with its ``id``."""
    return list(_table(tables, name).records.values())


def identifiers(tables, name):
    """Return the slugs of table *name*, in order."""
    return list(_table(tables, name).records)


def cell(tables, name, slug, column):
    """Return one figure: column *column* of record *slug*; None when the record leaves it out."""
    record = _table(tables, name).records.get(slug)
    if record is None:
        raise TableError(f"{name}/{slug}")
    return record.get(column)


def constant(tables, slug):
    """Return the value of a loose figure of the game."""
    return cell(tables, CONSTANTS, slug, "value")


def find(tables, name, column, **wanted):
    """Return *column* of the first record whose columns equal *wanted*; raises TableError when there is none."""
    for record in _table(tables, name).records.values():
        if all(record.get(key) == value for key, value in wanted.items()):
            return record.get(column)
    raise TableError(f"{name} {wanted}")


def read_band(tables, name, value):
    """Return the slug of the record in which *value* falls: by bounds, or by cumulated percentages."""
    table = _table(tables, name)
    reached = 0
    for slug, record in table.records.items():
        if table.kind == "chances":
            reached += record["percent"]
            inside = value <= reached
        else:
            low, high = record.get("min"), record.get("max")
            inside = (low is None or value >= low) and (high is None or value <= high)
        if inside:
            return slug
    raise TableError(f"{name} {value}")

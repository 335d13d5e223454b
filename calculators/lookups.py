"""What a formula reads in the tables, in French: the column, the table, the row; with figures, what stands there."""

import ast

from .expression import ExpressionError
from .strengths import ATOM
from .tables import CONSTANTS


def lookup(writer, node):
    """Return (text, strength) of a call that reads a table."""
    name = node.func.id
    if writer.figures:
        known, value = writer.known(node)
        if known:
            return _read(writer, name, node, value)
    table = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
    if name == "constant":
        return writer.word("cell", writer.names.record(CONSTANTS, table), _place(writer, CONSTANTS, None)), ATOM
    if table is None:
        return writer.words["element"], ATOM
    if name in ("rows", "ids"):
        return writer.word("rows", writer.names.title(table)), ATOM
    if name == "band":
        return writer.word("band", writer.names.title(table), writer.part(node.args[1])[0]), ATOM
    return writer.word("cell", writer.names.column(table, _column(writer, node)), place(writer, node)), ATOM


def origin(writer, node):
    """Return where a figure that is written without its label comes from, or None when it is not read in a table."""
    if not isinstance(node, ast.Call) or node.func.id not in ("cell", "constant"):
        return None
    if node.func.id == "cell":
        return place(writer, node)
    return writer.words["separator"].join((writer.names.record(CONSTANTS, node.args[0].value), _place(writer, CONSTANTS, None)))


def place(writer, node):
    """Return where a cell or a found figure stands: its table and its row."""
    table = node.args[0].value
    known, slug = writer.known(node.args[1]) if node.func.id == "cell" else _found(writer, table, node)
    if known and slug is not None:
        return _place(writer, table, writer.word("row", writer.names.record(table, slug)))
    wanted = [keyword.value for keyword in node.keywords] if node.func.id == "find" else [node.args[1]]
    if isinstance(wanted[0], ast.Name) and wanted[0].id in writer.bound:
        return _place(writer, table, None)
    if isinstance(wanted[0], ast.Call) and wanted[0].func.id == "band":
        return _place(writer, table, writer.word("row_where", writer.part(wanted[0].args[1])[0]))
    return _place(writer, table, writer.word("row_of", writer.words["separator"].join(writer.part(part)[0] for part in wanted)))


def under(writer, node, label):
    """Return where a figure stands when its column, or the group of its column, is called *label*; else None."""
    if node.func.id == "constant":
        return _place(writer, CONSTANTS, None) if writer.names.record(CONSTANTS, node.args[0].value) == label else None
    table, column = node.args[0].value, _column(writer, node)
    group, head = writer.names.grouped(table, column)
    if label not in (writer.names.column(table, column), group):
        return None
    where = place(writer, node)
    return writer.word("grouped", where, head) if group == label else where


def _place(writer, table, row):
    """Return the table and the row, said shortly when they were just named."""
    before, writer.place = writer.place, (table, row)
    if before == (table, row):
        return writer.words["same_row" if row is not None else "same_table"]
    if row is None:
        return writer.word("table", writer.names.title(table))
    if before is not None and before[0] == table:
        return writer.word("same_table_row", row)
    return writer.word("table_row", writer.names.title(table), row)


def _column(writer, node):
    known, name = writer.known(node.args[2] if node.func.id == "cell" else node.args[1])
    part = node.args[2] if node.func.id == "cell" else node.args[1]
    return name if known else part.value if isinstance(part, ast.Constant) else ""


def _found(writer, table, node):
    """Return (is known, slug) of the first record that find() stops at."""
    try:
        wanted = {keyword.arg: writer.value(keyword.value) for keyword in node.keywords}
        records = writer.scope.tables[table].records
    except (ExpressionError, KeyError):
        return False, None
    return True, next((slug for slug, record in records.items() if all(record.get(key) == value for key, value in wanted.items())), None)


def _read(writer, name, node, value):
    """Return what a look-up gave, worded by its column."""
    table = node.args[0].value if isinstance(node.args[0], ast.Constant) else ""
    if name in ("cell", "find"):
        return writer.shown(value, writer.names.cell(table, _column(writer, node), value))
    if name == "band":
        return writer.word("named", writer.names.record(table, value)), ATOM
    if name in ("ids", "rows"):
        return writer.word("rows", writer.names.title(table)), ATOM
    return writer.shown(value)

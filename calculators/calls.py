"""Calls of a formula in French: each function by its template, and those that are better told otherwise.

Each teller takes the writer and the call, and returns (text, strength).
"""

import ast

from .dice import Event
from .functions import FUNCTIONS
from .lookups import lookup, origin
from .numbers import french, is_number
from .phrases import MOST_ROLLS, NBSP, renamed
from .strengths import ATOM, CONDITION, PRODUCT, SUM

_POOLS = ("dice", "keep_highest", "keep_lowest")
# A longer sum is not written term by term.
MOST_TERMS = 12


def call(writer, node):
    """Write a call: a look-up by its place, dice as 2D6, any other by the words of its function."""
    name = node.func.id
    if FUNCTIONS[name].tables:
        return lookup(writer, node)
    if name in _POOLS:
        return _pool(writer, name, node.args)
    told = _TOLD.get(name)
    if told is not None:
        return told(writer, node)
    parts = [writer.part(argument)[0] for argument in node.args]
    if name in ("min", "max") and len(parts) > 1:
        parts = [f"{NBSP}; ".join(parts)]
    return writer.word(name, *parts), ATOM


def _first(writer, node):
    return writer.part(node.args[0])


def _number(writer, node):
    known, value = writer.figured(node)
    return writer.shown(value) if known else writer.part(node.args[0])


def _get(writer, node):
    held, key = node.args[:2]
    names = writer.choices_of(held)
    known, value = writer.figured(node)
    if known:
        return writer.shown(renamed(value, names))
    wanted = names.get(key.value, str(key.value)) if isinstance(key, ast.Constant) else writer.part(key)[0]
    return writer.word("get", wanted, writer.part(held)[0]), ATOM


def _worked_out(writer, node):
    """Write what a call comes to when figures are put in: working it out needs no telling."""
    known, value = writer.figured(node)
    if known:
        return writer.shown(renamed(value, writer.choices_of(node.args[0])))
    return writer.word(node.func.id, writer.part(node.args[0])[0]), ATOM


def _of_name(writer, node):
    """Write a rounding or a length, but not that of a whole number or of a list that has a line of its own."""
    known, value = writer.figured(node.args[0]) if isinstance(node.args[0], ast.Name) else (False, None)
    if known and isinstance(value, (int, list, dict)):
        return writer.shown(len(value) if node.func.id == "len" else value)
    return writer.word(node.func.id, writer.part(node.args[0])[0]), ATOM


def _count(writer, node):
    known, value = writer.figured(node)
    if known:
        return writer.shown(value)
    wanted, names = node.args[1], {**writer.own, **writer.choices_of(node.args[0])}
    text = names.get(wanted.value, writer.shown(wanted.value)[0]) if isinstance(wanted, ast.Constant) else writer.part(wanted)[0]
    return writer.word("count", writer.part(node.args[0])[0], text), ATOM


def _power(writer, node):
    return writer.word("power", *(writer.held(part, PRODUCT + 1) for part in node.args)), PRODUCT


def _clamp(writer, node):
    return writer.word("clamp", *(writer.held(part, CONDITION) for part in node.args)), CONDITION


def _sum(writer, node):
    return _chained(writer, node, "+", SUM, "0")


def _product(writer, node):
    return _chained(writer, node, "×", PRODUCT, "1")


def _chained(writer, node, sign, strength, empty):
    """Write a sum or a product term by term when figures are put in."""
    terms = _terms(writer, node.args) if writer.figures else None
    if terms is None:
        return writer.word(node.func.id, f"{NBSP}; ".join(writer.part(argument)[0] for argument in node.args)), ATOM
    texts = [text if own >= strength else f"({text})" for text, own in terms]
    return f"{NBSP}{sign}{NBSP}".join(texts) or empty, strength if len(texts) > 1 else terms[0][1] if terms else ATOM


def _terms(writer, arguments):
    if len(arguments) > 1:
        return [writer.part(argument) for argument in arguments]
    only = arguments[0]
    terms = writer.terms(only) if isinstance(only, (ast.ListComp, ast.GeneratorExp)) else None
    if terms is not None:
        return terms
    known, values = writer.known(only)
    if not known or not isinstance(values, (list, dict)) or len(values) > MOST_TERMS:
        return None
    return [writer.shown(value) for value in (values.values() if isinstance(values, dict) else values)]


def _chance(writer, node):
    """Write a chance as what is hoped for; with figures, how many rolls give it."""
    event = writer.part(node.args[0])[0]
    known, value = writer.figured(node.args[0])
    if not known:
        return writer.word("chance", event), CONDITION
    if not isinstance(value, Event) or value.total > MOST_ROLLS:
        return event, CONDITION
    counted = writer.word("roll" if value.weight < 2 else "rolls", french(value.weight), french(value.total))
    return f"{event}{NBSP}: {counted}", CONDITION


def _range(writer, node):
    """Write whole numbers that follow each other; Python leaves the last one out, a reader does not expect it."""
    first, last = node.args[0] if len(node.args) > 1 else ast.Constant(0), node.args[-1]
    if isinstance(last, ast.BinOp) and isinstance(last.op, ast.Add) and isinstance(last.right, ast.Constant) and last.right.value == 1:
        return writer.word("range", writer.part(first)[0], writer.part(last.left)[0]), ATOM
    return writer.word("range_before", writer.part(first)[0], writer.part(last)[0]), ATOM


def _dice_text(writer, node):
    known, value = writer.figured(node)
    if known:
        return value.french(), ATOM
    text, strength = _pool(writer, "dice", node.args[:2], many=True)
    if len(node.args) > 2:
        return f"{text}{NBSP}+{NBSP}{writer.held(node.args[2], SUM)}", SUM
    return text, strength


def _pool(writer, name, arguments, many=False):
    """Write dice: 2D6 when they are known, else words that do not run labels together; *many* keeps the label of their number."""
    found = [writer.known(argument) for argument in arguments]
    parts = [french(value) if known and is_number(value) else writer.part(argument)[0] for argument, (known, value) in zip(arguments, found, strict=True)]
    counted = found[0][0] and (writer.figures or _is_read(writer, arguments[0], many))
    if name == "dice" and found[1][0] and not counted:
        return writer.word("dice_many", writer.part(arguments[0])[0], _from(writer, writer.word("die", parts[1]), arguments)), CONDITION
    if not all(known for known, _ in found):
        return writer.word(f"{name}_named", *parts), CONDITION
    if name == "dice" or found[0][1] == found[-1][1]:
        return _from(writer, writer.word("dice", *parts[:2]), arguments), ATOM
    return writer.word(f"{name}_one" if found[-1][1] == 1 else name, *parts), CONDITION


def _from(writer, text, arguments):
    """Add where the faces of several dice are read; everyone knows the die that is rolled alone."""
    place = None if writer.figures or isinstance(arguments[0], ast.Constant) else origin(writer, arguments[1])
    return text if place is None else writer.word("cell", text, place)


def _is_read(writer, node, many):
    """Say whether a number needs no label: written in the formula, or read in a table by a line of its own."""
    tree = writer.names.tree(node.id) if isinstance(node, ast.Name) and not many else node
    return isinstance(tree, ast.Constant) or (isinstance(tree, ast.Call) and FUNCTIONS[tree.func.id].tables)


_TOLD = {
    **dict.fromkeys(("keys", "values", "text"), _first),
    **dict.fromkeys(("abs", "expand", "sorted", "descending", "distinct"), _worked_out),
    **dict.fromkeys(("floor", "ceil", "round", "len"), _of_name),
    "chance": _chance,
    "clamp": _clamp,
    "count": _count,
    "dice_text": _dice_text,
    "get": _get,
    "number": _number,
    "power": _power,
    "product": _product,
    "range": _range,
    "sum": _sum,
}

"""Conditions of a formula in French: what is asked, which branch it leads to, and why."""

import ast
from functools import lru_cache

from .expression import CONSTANT_NAMES, ExpressionError, truth
from .phrases import NBSP, renamed
from .strengths import SIGNED

_SIGNS = {ast.Eq: "=", ast.NotEq: "≠", ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥"}
_CONTRARY = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.In: ast.NotIn, ast.NotIn: ast.In}
_EQUALITIES = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
# A longer conditional is told by the branch it takes.
LONGEST = 160
SHAPES = 1024


def branch(writer, node):
    """Return (the branch that a conditional takes, [(test, whether it holds)] that led there), or None when it is unknown."""
    tests = []
    while isinstance(node, ast.IfExp):
        try:
            holds = truth(writer.value(node.test))
        except (ExpressionError, TypeError):
            return None
        # Among alternatives, those that were left aside matter only when none held.
        tests = [*(pair for pair in tests if pair[1]), (node.test, True)] if holds else [*tests, (node.test, False)]
        node = node.body if holds else node.orelse
    return node, tests


def is_plain(writer, node):
    """Say whether a conditional is told whole: one condition, short, that does not choose between readings of a rule."""
    short, asked = _shape(node)
    return short and not any(map(writer.names.is_reading, asked))


@lru_cache(maxsize=SHAPES)
def _shape(node):
    """Return (whether a conditional is short and holds no other, the names its condition asks)."""
    nested = any(isinstance(part, ast.IfExp) for inner in (node.test, node.body, node.orelse) for part in ast.walk(inner))
    names = tuple(part.id for part in ast.walk(node.test) if isinstance(part, ast.Name))
    return node.end_col_offset - node.col_offset <= LONGEST and not nested, names


def because(writer, node, holds=True):
    """Return why the condition *node* holds, or why it does not: the list of the facts that decide, and no other."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return because(writer, node.operand, not holds)
    if isinstance(node, ast.BoolOp):
        if isinstance(node.op, ast.And) == holds:
            return [reason for part in node.values for reason in because(writer, part, holds)]
        return because(writer, next(part for part in node.values if _holds(writer, part) == holds), holds)
    if isinstance(node, ast.Compare):
        return [_comparison(writer, node, holds, said=True)]
    if isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id in CONSTANT_NAMES):
        return [writer.words["yes" if holds else "no"]]
    return [_said(writer, node, writer.words["yes" if holds else "no"])]


def condition(writer, node):
    """Return the condition *node* as it is asked; with figures, the facts that decide it."""
    if writer.figures:
        known, value = writer.known(node)
        if known and isinstance(value, bool):
            return writer.names.joined(because(writer, node, value))
    return _comparison(writer, node, True)


def _holds(writer, node):
    try:
        return truth(writer.value(node))
    except (ExpressionError, TypeError):
        return None


def _comparison(writer, node, holds, said=False):
    """Write a comparison, or its contrary when it does not hold; *said*, a choice is told by what it is."""
    left, op, right = node.left, node.ops[0], node.comparators[0]
    if len(node.ops) == 1:
        kind = type(op) if holds else _CONTRARY[type(op)]
        if said and _tells_what(writer, left, op, right):
            known, value = writer.known(left)
            if known and not isinstance(value, dict):
                return _said(writer, left, writer.shown(renamed(value, writer.choices_of(left)))[0])
        return NBSP.join((_side(writer, left, right), _sign(writer, kind), _side(writer, right, left)))
    pieces = [_side(writer, left, right)]
    for op, following in zip(node.ops, node.comparators, strict=True):
        pieces += [_sign(writer, type(op)), _side(writer, following, left)]
    return NBSP.join(pieces)


def _said(writer, node, words):
    """Tell what something is; a label stands between quotation marks, what is read in a table names its place."""
    return writer.word("said" if isinstance(node, ast.Name) else "said_of", writer.labelled().part(node)[0], words)


def _tells_what(writer, left, op, right):
    """Say whether what *left* is tells the condition better than a sign: it is compared with what a rule says, not with another value."""
    if isinstance(op, (ast.Eq, ast.NotEq)) and (isinstance(right, ast.BinOp) or (isinstance(right, ast.Name) and right.id not in CONSTANT_NAMES)):
        return False
    return isinstance(op, _EQUALITIES) and (isinstance(left, (ast.Call, ast.Name)) or (isinstance(left, ast.Subscript) and bool(writer.choices_of(left))))


def _sign(writer, kind):
    return _SIGNS.get(kind) or writer.words[kind.__name__.lower()]


def _side(writer, node, other):
    """Write one side; texts are worded by what the *other* side may be."""
    names = writer.choices_of(other)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return names.get(node.value, node.value)
    if isinstance(node, ast.List):
        return writer.words["separator"].join(_side(writer, part, other) for part in node.elts)
    return writer.held(node, SIGNED)

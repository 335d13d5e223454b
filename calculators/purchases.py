"""What was bought, inside a formula: the takes of each option and what one of them adds to an attribute."""

import ast

from .expression import ExpressionError
from .mechanisms.point_buy import value_of
from .phrases import NBSP
from .strengths import PRODUCT, SIGNED, SUM


def bought(writer, node):
    """Return (text, strength) of a total of a point buy, each option that adds to it by its takes, or None for any other value."""
    attribute = node.slice.value if isinstance(node.slice, ast.Constant) else None
    step = _purchase(writer.names, node.value)
    if step is None or not isinstance(attribute, str):
        return None
    terms = []
    for record, takes in _takes(writer, step):
        effect = record.get("effects", {}).get(attribute)
        if effect is None:
            continue
        if "add" not in effect:
            return None
        try:
            amount = writer.shown(value_of(effect["add"], writer.scope))
        except (ExpressionError, TypeError):
            return None
        terms.append(f"{writer.shown(takes)[0]}{NBSP}×{NBSP}{amount[0] if amount[1] > SIGNED else f'({amount[0]})'}")
    return (f"{NBSP}+{NBSP}".join(terms), SUM if len(terms) > 1 else PRODUCT) if terms else None


def _purchase(names, node):
    """Return the step of the point buy whose totals *node* names, through the step that takes them from it."""
    tree = names.tree(node.id) if isinstance(node, ast.Name) else node
    if not (isinstance(tree, ast.Subscript) and isinstance(tree.slice, ast.Constant) and tree.slice.value == "totals" and isinstance(tree.value, ast.Name)):
        return None
    step = names.question.steps.get(tree.value.id)
    return step if step is not None and step.mechanism_name == "point-buy" else None


def _takes(writer, step):
    tables = writer.names.question.tables
    for slug, takes in writer.scope.get(step.name)["takes"].items():
        for key in ("options", "drawbacks"):
            table = tables.get(step.arguments.get(key, ""))
            if table is not None and slug in table.records:
                yield table.records[slug], takes

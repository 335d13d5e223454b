"""Formulas as a reader with the book follows them: French notation, with labels or with the figures put in.

Every word comes from *words* (the `notation` texts): one template a function, ``{0}`` its first argument.
"""

import ast

from .dice import Dice, Distribution, Event
from .expression import CONSTANT_NAMES, ExpressionError, evaluate_node, truth
from .functions import FUNCTIONS
from .numbers import exact, french, is_number
from .refusal import readable

_SIGNS = {ast.Add: "+", ast.Sub: "−", ast.Mult: "×", ast.Div: "÷", ast.FloorDiv: "÷", ast.Mod: "mod"}
_COMPARISONS = {ast.Eq: "=", ast.NotEq: "≠", ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥"}
_STRENGTH = {ast.Add: 4, ast.Sub: 4, ast.Mult: 5, ast.Div: 5, ast.FloorDiv: 5, ast.Mod: 5}
_ATOM = 9
_POOLS = ("dice", "keep_highest", "keep_lowest", "dice_text")
NBSP = "\u00a0"
# A list longer than this is shown by its beginning.
MOST_SHOWN = 12


class Writer:
    """Writes one formula. *label* gives a name's French label, *show* a value's words; with *scope*, figures replace names."""

    def __init__(self, words, label, show, scope=None):
        self.words, self.label, self.show, self.scope = words, label, show, scope

    def write(self, tree):
        return self._part(tree)[0]

    def _word(self, key, *parts):
        text = self.words.get(key, key + "({0})")
        for place, part in enumerate(parts):
            text = text.replace("{" + str(place) + "}", part)
        return text

    def _value(self, node):
        """Return the evaluated *node*, or raise ExpressionError when it cannot be worked out here."""
        if self.scope is None:
            raise ExpressionError("unknown-name")
        try:
            return evaluate_node(node, self.scope)
        except (TypeError, ValueError, KeyError, IndexError, ZeroDivisionError, OverflowError):
            raise ExpressionError("failed") from None

    def _part(self, node):
        """Return (text, strength) of *node*; a weaker part is put in brackets by what holds it."""
        write = getattr(self, "_" + type(node).__name__, None)
        return write(node) if write is not None else (ast.unparse(node), _ATOM)

    def _held(self, node, strength):
        text, own = self._part(node)
        return text if own >= strength else f"({text})"

    def _Constant(self, node):
        value = node.value
        if isinstance(value, float):
            value = exact(repr(value))
        return self.show(None, value), _ATOM

    def _Name(self, node):
        if node.id in CONSTANT_NAMES:
            return self.show(None, CONSTANT_NAMES[node.id]), _ATOM
        if self.scope is None:
            return self.label(node.id), _ATOM
        try:
            value = self.scope.get(node.id)
        except ExpressionError:
            return self.label(node.id), _ATOM
        return self.show(node.id, value), 3 if is_number(value) and value < 0 else _ATOM

    def _BinOp(self, node):
        strength = _STRENGTH[type(node.op)]
        right = strength + (0 if isinstance(node.op, (ast.Add, ast.Mult)) else 1)
        text = f"{self._held(node.left, strength)}{NBSP}{_SIGNS[type(node.op)]}{NBSP}{self._held(node.right, right)}"
        if isinstance(node.op, ast.FloorDiv):
            return self._word("floor", text), _ATOM
        return text, strength

    def _UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            return self._word("not", self._held(node.operand, 3)), 2
        return f"−{self._held(node.operand, 6)}", 3

    def _BoolOp(self, node):
        word = self.words.get("and" if isinstance(node.op, ast.And) else "or", "…")
        return f" {word} ".join(self._held(part, 2) for part in node.values), 1

    def _Compare(self, node):
        pieces, left = [self._held(node.left, 4)], node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            if type(op) in _COMPARISONS:
                sign = _COMPARISONS[type(op)]
            else:
                sign = self.words.get(type(op).__name__.lower(), "=")
            pieces += [sign, self._compared(left, right)]
            left = right
        return NBSP.join(pieces), 3

    def _compared(self, left, right):
        """A text constant compared with a name is shown by the words of that name's values."""
        if isinstance(right, ast.Constant) and isinstance(right.value, str) and isinstance(left, ast.Name):
            return self.show(left.id, right.value)
        if isinstance(right, ast.List) and isinstance(left, ast.Name):
            return ", ".join(self.show(left.id, part.value) if isinstance(part, ast.Constant) else self._part(part)[0] for part in right.elts)
        return self._held(right, 4)

    def _IfExp(self, node):
        if self.scope is not None:
            try:
                chosen = node.body if truth(self._value(node.test)) else node.orelse
            except (ExpressionError, TypeError):
                chosen = None
            if chosen is not None:
                return self._part(chosen)
        test, then, other = self._held(node.test, 1), self._held(node.body, 1), self._part(node.orelse)[0]
        return self._word("if", then, test, other), 0

    def _List(self, node):
        return "; ".join(self._part(part)[0] for part in node.elts) or self.words.get("nothing", "∅"), 1

    def _Dict(self, node):
        return self.words.get("mapping", "…"), _ATOM

    def _Subscript(self, node):
        if self.scope is not None:
            try:
                return self.show(None, self._value(node)), _ATOM
            except ExpressionError:
                pass
        if isinstance(node.slice, ast.Slice):
            lower = self._part(node.slice.lower)[0] if node.slice.lower else None
            upper = self._part(node.slice.upper)[0] if node.slice.upper else None
            held = self._part(node.value)[0]
            if lower is None and upper is not None:
                return self._word("first", held, upper), _ATOM
            return self._word("rest", held, lower or "0", upper or "…"), _ATOM
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return self._word("field", self.label(node.slice.value), self._part(node.value)[0]), _ATOM
        return self._word("item", self._part(node.value)[0], self._part(node.slice)[0]), _ATOM

    def _ListComp(self, node):
        if self.scope is not None:
            try:
                return self.show(None, self._value(node)), 1
            except ExpressionError:
                pass
        loop = node.generators[0]
        element = self._part(node.elt)[0]
        items = self._part(loop.iter)[0]
        if isinstance(node.elt, ast.Name) and node.elt.id == loop.target.id:
            text = items
        else:
            text = self._word("each", element, self.label(loop.target.id), items)
        for test in loop.ifs:
            text = self._word("such", text, self._part(test)[0])
        return text, 1

    _GeneratorExp = _ListComp

    def _Call(self, node):
        name = node.func.id
        if FUNCTIONS[name].tables:
            return self._table_call(name, node)
        parts = [self._part(argument)[0] for argument in node.args]
        if name in _POOLS:
            # 2D6 when both are figures; words when they are labels, which a D would run together.
            return self._word(name if all(part.isdigit() for part in parts[:2]) else f"{name}_named", *parts), _ATOM
        if name == "chance" and self.scope is not None:
            return self._word(name, *parts) + self._favourable(node.args[0]), 1
        if name == "range" and len(parts) == 1:
            return self._word("range_one", *parts), _ATOM
        if name in ("min", "max", "sum") and len(parts) > 1:
            parts = [f"{NBSP}; ".join(parts)]
        return self._word(name, *parts), _ATOM

    def _favourable(self, node):
        """Return how many rolls count, out of how many, when *node* is an event."""
        try:
            event = self._value(node)
        except ExpressionError:
            return ""
        if not isinstance(event, Event):
            return ""
        return f"{NBSP}: {self._word('rolls', french(event.weight), french(event.total))}"

    def _row(self, table, node):
        """Return the name of the record that *node* designates in so many words, else *node* written out."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.label(f"@{table}/{node.value}")
        return self._part(node)[0]

    def _table_call(self, name, node):
        if self.scope is not None:
            try:
                return self.show(None, self._value(node)), _ATOM
            except ExpressionError:
                pass
        first = node.args[0].value if isinstance(node.args[0], ast.Constant) else "…"
        title = self.label("@" + str(first))
        if name == "constant":
            return self.label("@constants/" + str(first)), _ATOM
        if name in ("rows", "ids"):
            return title, _ATOM
        if name == "cell":
            column = node.args[2].value if isinstance(node.args[2], ast.Constant) else "…"
            return self._word("cell", self.label(f"@{first}.{column}"), self._row(first, node.args[1]), title), _ATOM
        if name == "find":
            column = node.args[1].value if isinstance(node.args[1], ast.Constant) else "…"
            wanted = ", ".join(self._part(keyword.value)[0] for keyword in node.keywords)
            return self._word("cell", self.label(f"@{first}.{column}"), wanted, title), _ATOM
        return self._word("band", title, self._part(node.args[1])[0]), _ATOM


def shown(value, words):
    """Return *value* as words: what readable() says, and distributions by their bounds, long lists by their beginning."""
    separator = words.get("separator", ", ")
    if isinstance(value, Distribution):
        return words["distribution"].replace("{0}", french(value.lowest())).replace("{1}", french(value.highest()))
    if isinstance(value, Event):
        return f"{french(value.weight)}/{french(value.total)}"
    if isinstance(value, Dice):
        return value.french()
    if isinstance(value, list):
        items = [f"({shown(item, words)})" if isinstance(item, (list, dict)) else shown(item, words) for item in value[:MOST_SHOWN]]
        return (separator.join(items) or words["nothing"]) + ("…" if len(value) > MOST_SHOWN else "")
    if isinstance(value, dict):
        pairs = list(value.items())
        told = separator.join(f"{key}{NBSP}: {shown(item, words)}" for key, item in pairs[:MOST_SHOWN])
        return (told or words["nothing"]) + ("…" if len(pairs) > MOST_SHOWN else "")
    return readable(value, words)

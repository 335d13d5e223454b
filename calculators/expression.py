"""The formula language: a small, safe part of Python's expression grammar, read once and evaluated exactly.

Numbers (decimals are exact), names, text, ``+ - * / // %``, comparisons, ``and or not``, ``in``,
``a if condition else b``, lists, mappings, ``value[key]``, one-name comprehensions, and the calls of
functions.py. No attribute, no other call, no power operator; length, depth and repetition are bounded.
"""

import ast
import keyword
import re
from fractions import Fraction

from .dice import DiceError, Distribution, Event
from .functions import FUNCTIONS
from .numbers import exact, is_number, whole

LONGEST = 1200
DEEPEST = 40
# How many items all the comprehensions of one answer may go through.
MOST_ITEMS = 60_000
LARGEST_BITS = 4096
# The reserved words that the language itself uses.
_OWN_WORDS = {"and", "or", "not", "in", "is", "if", "else", "for", "None", "True", "False"}
STYLED_A = 0x1D5BA  # mathematical sans-serif small a


class ExpressionError(Exception):
    """A formula that cannot be read or worked out: *code*, *facts*, and *offset* (characters) in its text."""

    def __init__(self, code, offset=None, **facts):
        super().__init__(code, facts)
        self.code, self.offset, self.facts = code, offset, facts


class Scope:
    """The names a formula may use: *values* first, then those of *parent*.

    Tables are reached by ``tables``; one budget of items, and one memory for what mechanisms work out again
    and again, are shared by all scopes of an answer.
    """

    __slots__ = ("budget", "memory", "parent", "tables", "values")

    def __init__(self, values, parent=None, tables=None):
        self.values, self.parent = values, parent
        self.tables = parent.tables if parent is not None else tables
        self.budget = parent.budget if parent is not None else [MOST_ITEMS]
        self.memory = parent.memory if parent is not None else {}

    def get(self, name):
        if name in self.values:
            return self.values[name]
        if self.parent is None:
            raise ExpressionError("unknown-name", name=name)
        return self.parent.get(name)

    def spend(self, items):
        self.budget[0] -= items
        if self.budget[0] < 0:
            raise ExpressionError("too-long")


class Expression:
    """A formula read once: its *source*, its tree, the free *names* it needs, the *calls* it makes."""

    __slots__ = ("_run", "calls", "names", "source", "tree")

    def __init__(self, source):
        self.source = str(source)
        self.tree = _read(source)
        reader = _Reader()
        try:
            self._run = reader.compile(self.tree, frozenset())
        except ExpressionError as error:
            # The tree counts bytes, an author characters.
            error.offset = error.offset and len(self.source.encode()[: error.offset].decode(errors="ignore"))
            raise
        self.names, self.calls = reader.names, reader.calls

    def evaluate(self, scope):
        """Return the exact value in *scope*; raises ExpressionError, never another exception."""
        try:
            return self._run(scope)
        except DiceError as error:
            raise ExpressionError("impossible-dice", found=str(error)) from None
        except (TypeError, ValueError, KeyError, IndexError, ZeroDivisionError, OverflowError, AttributeError) as error:
            raise ExpressionError("failed", found=f"{type(error).__name__}: {error}", formula=self.source) from None


def evaluate_node(node, scope):
    """Return the value of one *node* of an expression's tree, for the explanation of its parts."""
    return _Reader().compile(node, frozenset())(scope)


# Text between quotes, or a word that Python reserves and a game may use as a name.
_RESERVED = re.compile(r"""'[^']*'|"[^"]*"|\b(?:""" + "|".join(sorted(set(keyword.kwlist) - _OWN_WORDS)) + r")\b")


def _unreserved(found):
    """Spell a reserved word so that it is read as a name: its first letter in another style, which Python folds back."""
    word = found[0]
    return word if word[0] in "'\"" else chr(STYLED_A + ord(word[0]) - ord("a")) + word[1:]


def _read(source):
    source = str(source)
    if len(source) > LONGEST:
        raise ExpressionError("formula-too-long", most=LONGEST)
    try:
        tree = ast.parse(_RESERVED.sub(_unreserved, source.strip()), mode="eval").body
    except SyntaxError as error:
        raise ExpressionError("formula-syntax", max(0, (error.offset or 1) - 1), formula=source) from None
    except (RecursionError, MemoryError, ValueError):
        raise ExpressionError("formula-too-deep", most=DEEPEST) from None
    return tree


def _add(left, right):
    if type(left) is type(right) is int:
        return left + right
    if is_number(left) and is_number(right):
        return whole(left + right)
    if isinstance(left, Distribution) or isinstance(right, Distribution):
        if isinstance(left, Distribution) and isinstance(right, Distribution):
            return left.plus(right)
        pool, amount = (left, right) if isinstance(left, Distribution) else (right, left)
        return pool.shifted(_integer(amount))
    if isinstance(left, bool) or isinstance(right, bool):
        return int(left) + int(right)
    if isinstance(left, (str, list)) and type(left) is type(right) and len(left) + len(right) < MOST_ITEMS:
        return left + right
    raise TypeError("+")


def _subtract(left, right):
    if type(left) is type(right) is int:
        return left - right
    if isinstance(right, Distribution):
        return _add(right.negated(), left)
    if isinstance(left, Distribution):
        return left.shifted(-_integer(right))
    return whole(_number(left) - _number(right))


def _multiply(left, right):
    product = _number(left) * _number(right)
    if product.numerator.bit_length() + product.denominator.bit_length() > LARGEST_BITS:
        raise OverflowError("*")
    return whole(product)


def _divide(left, right):
    return whole(Fraction(_number(left)) / _number(right))


def _floor_divide(left, right):
    return whole(_number(left) // _number(right))


def _modulo(left, right):
    return whole(_number(left) % _number(right))


def _number(value):
    if type(value) is int:
        return value
    if isinstance(value, bool):
        return int(value)
    if not is_number(value):
        raise TypeError(type(value).__name__)
    return value


def _integer(value):
    value = whole(_number(value))
    if not isinstance(value, int):
        raise TypeError("integer")
    return value


def _plain_compare(test):
    def compare(left, right):
        if type(left) is type(right) is int:
            return test(left, right)
        if isinstance(left, Distribution) or isinstance(right, Distribution):
            if isinstance(right, Distribution):
                difference = _subtract(left, right)
                return Event(difference.weight_where(lambda outcome: test(outcome, 0)), difference.total)
            return Event(left.weight_where(lambda outcome: test(outcome, right)), left.total)
        return test(left, right)

    return compare


def _ordered(test):
    def compare(left, right):
        return test(_number(left), _number(right))

    return _plain_compare(compare)


_BINARY = {ast.Add: _add, ast.Sub: _subtract, ast.Mult: _multiply, ast.Div: _divide, ast.FloorDiv: _floor_divide, ast.Mod: _modulo}
_COMPARE = {
    ast.Eq: _plain_compare(lambda left, right: left == right),
    ast.NotEq: _plain_compare(lambda left, right: left != right),
    ast.Lt: _ordered(lambda left, right: left < right),
    ast.LtE: _ordered(lambda left, right: left <= right),
    ast.Gt: _ordered(lambda left, right: left > right),
    ast.GtE: _ordered(lambda left, right: left >= right),
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
    ast.Is: lambda left, right: left is right or (right is None and left is None),
    ast.IsNot: lambda left, right: left is not right,
}
CONSTANT_NAMES = {"true": True, "false": False, "null": None}


def truth(value):
    """Return *value* as a boolean; what dice may give is not one: ask its chance() instead."""
    if isinstance(value, (Event, Distribution)):
        raise TypeError("chance")
    return bool(value)


class _Reader:
    """Turns tree nodes into closures taking a scope; notes free names and calls on the way."""

    def __init__(self):
        self.names, self.calls, self._depth = [], [], 0

    def compile(self, node, bound):
        self._depth += 1
        if self._depth > DEEPEST:
            raise ExpressionError("formula-too-deep", getattr(node, "col_offset", None), most=DEEPEST)
        handler = getattr(self, "_" + type(node).__name__, None)
        if handler is None:
            raise ExpressionError("formula-not-allowed", getattr(node, "col_offset", None), found=ast.unparse(node))
        run = handler(node, bound)
        self._depth -= 1
        return run

    def _Constant(self, node, bound):
        value = node.value
        if isinstance(value, float):
            # The literal is read again as text so that 0.47 is 47/100.
            text = repr(value)
            if not text.replace(".", "").isdigit():
                raise ExpressionError("formula-not-allowed", node.col_offset, found=text)
            value = exact(text)
        if value is not None and not isinstance(value, (int, Fraction, str, bool)):
            raise ExpressionError("formula-not-allowed", node.col_offset, found=repr(node.value))
        if isinstance(value, int) and value.bit_length() > LARGEST_BITS // 32:
            raise ExpressionError("formula-not-allowed", node.col_offset, found="…")
        return lambda scope: value

    def _Name(self, node, bound):
        name = node.id
        if name in CONSTANT_NAMES:
            value = CONSTANT_NAMES[name]
            return lambda scope: value
        if name not in bound and name not in self.names:
            self.names.append(name)
        return lambda scope: scope.get(name)

    def _BinOp(self, node, bound):
        operate = _BINARY.get(type(node.op))
        if operate is None:
            raise ExpressionError("formula-not-allowed", node.col_offset, found=ast.unparse(node))
        left, right = self.compile(node.left, bound), self.compile(node.right, bound)
        return lambda scope: operate(left(scope), right(scope))

    def _UnaryOp(self, node, bound):
        operand = self.compile(node.operand, bound)
        if isinstance(node.op, ast.Not):
            return lambda scope: not truth(operand(scope))
        if isinstance(node.op, ast.USub):
            return lambda scope: _negate(operand(scope))
        raise ExpressionError("formula-not-allowed", node.col_offset, found=ast.unparse(node))

    def _BoolOp(self, node, bound):
        parts = [self.compile(part, bound) for part in node.values]
        if isinstance(node.op, ast.And):
            return lambda scope: all(truth(part(scope)) for part in parts)
        return lambda scope: any(truth(part(scope)) for part in parts)

    def _Compare(self, node, bound):
        left = self.compile(node.left, bound)
        links = []
        for op, right in zip(node.ops, node.comparators, strict=True):
            links.append((_COMPARE[type(op)], self.compile(right, bound)))
        if len(links) == 1:
            compare, right = links[0]
            return lambda scope: compare(left(scope), right(scope))

        def chained(scope):
            value = left(scope)
            for compare, right in links:
                following = right(scope)
                if not truth(compare(value, following)):
                    return False
                value = following
            return True

        return chained

    def _IfExp(self, node, bound):
        test, then, other = (self.compile(part, bound) for part in (node.test, node.body, node.orelse))
        return lambda scope: then(scope) if truth(test(scope)) else other(scope)

    def _List(self, node, bound):
        parts = [self.compile(part, bound) for part in node.elts]
        return lambda scope: [part(scope) for part in parts]

    def _Dict(self, node, bound):
        if None in node.keys:
            raise ExpressionError("formula-not-allowed", node.col_offset, found=ast.unparse(node))
        pairs = [(self.compile(key, bound), self.compile(value, bound)) for key, value in zip(node.keys, node.values, strict=True)]
        return lambda scope: {key(scope): value(scope) for key, value in pairs}

    def _Subscript(self, node, bound):
        held = self.compile(node.value, bound)
        if isinstance(node.slice, ast.Slice):
            if node.slice.step is not None:
                raise ExpressionError("formula-not-allowed", node.col_offset, found=ast.unparse(node))
            ends = [self.compile(end, bound) if end is not None else None for end in (node.slice.lower, node.slice.upper)]
            return lambda scope: held(scope)[slice(*[end(scope) if end else None for end in ends])]
        key = self.compile(node.slice, bound)
        return lambda scope: held(scope)[key(scope)]

    def _ListComp(self, node, bound):
        if len(node.generators) != 1 or not isinstance(node.generators[0].target, ast.Name):
            raise ExpressionError("formula-not-allowed", node.col_offset, found=ast.unparse(node))
        loop = node.generators[0]
        name = loop.target.id
        items = self.compile(loop.iter, bound)
        inner = bound | {name}
        tests = [self.compile(test, inner) for test in loop.ifs]
        element = self.compile(node.elt, inner)

        def run(scope):
            found = items(scope)
            if not isinstance(found, (list, dict)):
                raise TypeError(type(found).__name__)
            scope.spend(len(found))
            results = []
            for item in found:
                inner_scope = Scope({name: item}, scope)
                if all(truth(test(inner_scope)) for test in tests):
                    results.append(element(inner_scope))
            return results

        return run

    _GeneratorExp = _ListComp

    def _Call(self, node, bound):
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name not in FUNCTIONS or any(keyword.arg is None for keyword in node.keywords):
            raise ExpressionError("unknown-function", node.col_offset, found=ast.unparse(node.func), known=sorted(FUNCTIONS))
        function = FUNCTIONS[name]
        if not function.least <= len(node.args) <= function.most or (node.keywords and not function.keywords):
            raise ExpressionError("wrong-arguments", node.col_offset, function=name, least=function.least, most=function.most)
        self.calls.append(node)
        arguments = [self.compile(argument, bound) for argument in node.args]
        keywords = {keyword.arg: self.compile(keyword.value, bound) for keyword in node.keywords}
        run = function.run
        if function.tables:
            return lambda scope: run(scope.tables, *[argument(scope) for argument in arguments], **{key: value(scope) for key, value in keywords.items()})
        if len(arguments) == 1:
            only = arguments[0]
            return lambda scope: run(only(scope))
        return lambda scope: run(*[argument(scope) for argument in arguments])


def _negate(value):
    return value.negated() if isinstance(value, Distribution) else -_number(value)

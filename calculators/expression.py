"""The formula language: a small, safe part of Python's expression grammar, read once and evaluated exactly.

Numbers (decimals are exact), names, text, ``+ - * / // %``, comparisons, ``and or not``, ``in``,
``a if condition else b``, lists, mappings, ``value[key]``, one-name comprehensions, and the calls of
functions.py. No attribute, no other call, no power operator; length, depth and effort are bounded.
"""

import ast
import keyword
import re
from fractions import Fraction
from functools import lru_cache

from . import effort
from .dice import DiceError, Distribution, Event
from .effort import SMALL
from .functions import FUNCTIONS
from .numbers import exact, is_number, whole
from .refusal import shortened

LONGEST = 1200
DEEPEST = 40
# How many parts of formulas stay compiled for the explanations.
NODES = 4096
# How much of a formula an error cites.
LONGEST_FOUND = 60
# What one turn of a comprehension costs besides its nodes.
TURN = 4
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

    Tables are reached by ``tables``; one budget of effort, and one memory for what mechanisms work out again
    and again, are shared by all scopes of an answer.
    """

    __slots__ = ("budget", "memory", "parent", "tables", "values")

    def __init__(self, values, parent=None, tables=None):
        self.values, self.parent = values, parent
        self.tables = parent.tables if parent is not None else tables
        self.budget = parent.budget if parent is not None else [effort.MOST]
        self.memory = parent.memory if parent is not None else {}

    def get(self, name):
        if name in self.values:
            return self.values[name]
        if self.parent is None:
            raise ExpressionError("unknown-name", name=name)
        return self.parent.get(name)

    def spend(self, units):
        self.budget[0] -= units
        if self.budget[0] < 0:
            raise ExpressionError("too-long")

    def weighed(self, value):
        """Return *value* once its weight is paid for."""
        self.spend(effort.weight(value))
        return value


class Expression:
    """A formula read once: its *source*, its tree, the free *names* it needs, the *calls* it makes."""

    __slots__ = ("_columns", "_nodes", "_run", "_text", "calls", "names", "source", "tree")

    def __init__(self, source):
        self.source = str(source)
        self.tree, self._text = _read(self.source)
        reader = _Reader(self._text)
        try:
            self._run = reader.compile(self.tree, frozenset())
        except ExpressionError as error:
            error.offset = error.offset and self.place(error.offset)
            raise
        self.names, self.calls, self._nodes, self._columns = list(reader.names), reader.calls, reader.nodes, reader.names

    def place(self, column):
        """Return which character of the source stands at *column* of the tree, or where a free name, *column*, is first used.

        The tree counts bytes of what was read, an author characters of what is written.
        """
        column = self._columns[column] if isinstance(column, str) else column
        return len(self._text.encode()[:column].decode(errors="ignore")) + len(self.source) - len(self.source.lstrip())

    def evaluate(self, scope):
        """Return the exact value in *scope*; raises ExpressionError, never another exception."""
        scope.budget[0] -= self._nodes
        if scope.budget[0] < 0:
            raise ExpressionError("too-long")
        try:
            return self._run(scope)
        except DiceError as error:
            raise ExpressionError("impossible-dice", found=str(error)) from None
        except (TypeError, ValueError, KeyError, IndexError, ZeroDivisionError, OverflowError, AttributeError) as error:
            raise ExpressionError("failed", found=f"{type(error).__name__}: {error}", formula=self.source) from None


class StepError(Exception):
    """A part of a question that cannot be read: *path* inside its data, *code*, *facts*, and *offset* in a formula."""

    def __init__(self, path, code, offset=None, **facts):
        super().__init__(path, code, facts)
        self.path, self.code, self.offset, self.facts = path, code, offset, facts


def compiled(source, path, faults=None):
    """Return the Expression of *source*, which stands at *path*.

    What cannot be read raises StepError; with a list of *faults* it is added there, and null stands in its place,
    so that all that is wrong in a question is found at once.
    """
    try:
        return Expression(source)
    except ExpressionError as error:
        wrong = StepError(path, error.code, error.offset, **error.facts)
    if faults is None:
        raise wrong
    faults.append(wrong)
    return Expression("null")


def evaluate_node(node, scope):
    """Return the value of one *node* of an expression's tree, for the explanation of its parts."""
    return _node(node)(scope)


@lru_cache(maxsize=NODES)
def _node(node):
    return _Reader().compile(node, frozenset())


# Text between quotes, or a word that Python reserves and a game may use as a name.
_RESERVED = re.compile(r"""'[^']*'|"[^"]*"|\b(?:""" + "|".join(sorted(set(keyword.kwlist) - _OWN_WORDS)) + r")\b")


def _unreserved(found):
    """Spell a reserved word so that it is read as a name: its first letter in another style, which Python folds back."""
    word = found[0]
    return word if word[0] in "'\"" else chr(STYLED_A + ord(word[0]) - ord("a")) + word[1:]


def _read(source):
    if len(source) > LONGEST:
        raise ExpressionError("formula-too-long", most=LONGEST)
    # A formula may stand on several lines.
    text = _RESERVED.sub(_unreserved, source.strip().replace("\n", " "))
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise ExpressionError("formula-syntax", max(0, (error.offset or 1) - 1), formula=source) from None
    except (RecursionError, MemoryError, ValueError):
        raise ExpressionError("formula-too-deep", most=DEEPEST) from None
    return tree, text


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
    if isinstance(left, str) and isinstance(right, str):
        return effort.checked(left + right)
    if isinstance(left, list) and isinstance(right, list):
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
    return whole(_number(left) * _number(right))


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
    """Turns the nodes of the tree of *text* into closures taking a scope; notes free names and calls on the way."""

    def __init__(self, text=""):
        self.text = text.encode()
        # The free names, each with its column.
        self.names, self.calls, self.nodes, self._depth = {}, [], 0, 0

    def compile(self, node, bound):
        self.nodes += 1
        self._depth += 1
        if self._depth > DEEPEST:
            raise ExpressionError("formula-too-deep", getattr(node, "col_offset", None), most=DEEPEST)
        handler = getattr(self, "_" + type(node).__name__, None)
        if handler is None:
            raise self._refused(node)
        run = handler(node, bound)
        self._depth -= 1
        return run

    def _written(self, node):
        """Return what the author wrote for *node*; a node without a place is told by its kind."""
        if not hasattr(node, "col_offset"):
            return type(node).__name__
        return shortened(self.text[node.col_offset : node.end_col_offset].decode(errors="ignore"), LONGEST_FOUND)

    def _refused(self, node):
        return ExpressionError("formula-not-allowed", getattr(node, "col_offset", None), found=self._written(node))

    def _Constant(self, node, bound):
        value = node.value
        if type(value) in (int, float) and self.text:
            # A number is read again as it is written: 0.47 is 47/100, and 1e3 or 0x1F is no number here.
            try:
                value = node.value = exact(self._written(node))
            except ValueError:
                raise self._refused(node) from None
        if value is not None and not isinstance(value, (int, Fraction, str)):
            raise self._refused(node)
        return lambda scope: value

    def _Name(self, node, bound):
        name = node.id
        if name in CONSTANT_NAMES:
            value = CONSTANT_NAMES[name]
            return lambda scope: value
        if name not in bound:
            self.names.setdefault(name, node.col_offset)
        return lambda scope: scope.get(name)

    def _BinOp(self, node, bound):
        operate = _BINARY.get(type(node.op))
        if operate is None:
            raise self._refused(node)
        left, right = self.compile(node.left, bound), self.compile(node.right, bound)

        def run(scope):
            value = operate(left(scope), right(scope))
            kind = type(value)
            return value if kind is str or (kind is int and -SMALL < value < SMALL) else scope.weighed(value)

        return run

    def _UnaryOp(self, node, bound):
        operand = self.compile(node.operand, bound)
        if isinstance(node.op, ast.Not):
            return lambda scope: not truth(operand(scope))
        if isinstance(node.op, ast.USub):
            return lambda scope: _negate(operand(scope))
        raise self._refused(node)

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

            def run(scope):
                first, second = left(scope), right(scope)
                if type(first) in _LONG:
                    scope.weighed(first)
                if type(second) in _LONG:
                    scope.weighed(second)
                return compare(first, second)

            return run

        def chained(scope):
            value = left(scope)
            for compare, right in links:
                following = right(scope)
                scope.spend(effort.weight(value) + effort.weight(following))
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
        if all(isinstance(part, ast.Constant) for part in node.elts):
            value = [part.value for part in node.elts]
            return lambda scope: value
        return lambda scope: scope.weighed([part(scope) for part in parts])

    def _Dict(self, node, bound):
        if None in node.keys:
            raise self._refused(node)
        pairs = [(self.compile(key, bound), self.compile(value, bound)) for key, value in zip(node.keys, node.values, strict=True)]
        return lambda scope: scope.weighed({key(scope): value(scope) for key, value in pairs})

    def _Subscript(self, node, bound):
        held = self.compile(node.value, bound)
        if isinstance(node.slice, ast.Slice):
            if node.slice.step is not None:
                raise self._refused(node)
            ends = [self.compile(end, bound) if end is not None else None for end in (node.slice.lower, node.slice.upper)]
            return lambda scope: scope.weighed(held(scope)[slice(*[end(scope) if end else None for end in ends])])
        key = self.compile(node.slice, bound)
        return lambda scope: held(scope)[key(scope)]

    def _ListComp(self, node, bound):
        if len(node.generators) != 1 or not isinstance(node.generators[0].target, ast.Name):
            raise self._refused(node)
        loop = node.generators[0]
        name = loop.target.id
        items = self.compile(loop.iter, bound)
        inner, before = bound | {name}, self.nodes
        tests = [self.compile(test, inner) for test in loop.ifs]
        element = self.compile(node.elt, inner)
        # What stands inside is paid for at each turn.
        turn, self.nodes = self.nodes - before + TURN, before

        def run(scope):
            found = items(scope)
            if not isinstance(found, (list, dict)):
                raise TypeError(type(found).__name__)
            scope.spend(len(found) * turn)
            results = []
            for item in found:
                inner_scope = Scope({name: item}, scope)
                if all(truth(test(inner_scope)) for test in tests):
                    results.append(element(inner_scope))
            return scope.weighed(results)

        return run

    _GeneratorExp = _ListComp

    def _Call(self, node, bound):
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name not in FUNCTIONS or any(keyword.arg is None for keyword in node.keywords):
            raise ExpressionError("unknown-function", node.col_offset, found=self._written(node.func), known=sorted(FUNCTIONS))
        function = FUNCTIONS[name]
        if not function.least <= len(node.args) <= function.most or (node.keywords and not function.keywords):
            raise ExpressionError("wrong-arguments", node.col_offset, function=name, least=function.least, most=function.most)
        self.calls.append(node)
        arguments = [self.compile(argument, bound) for argument in node.args]
        keywords = {keyword.arg: self.compile(keyword.value, bound) for keyword in node.keywords}
        return _called(function, arguments, keywords)


# Values that what is done with them goes through from end to end.
_LONG = frozenset({list, dict, Distribution})


def _called(function, arguments, keywords):
    """Return the call of *function*: what it is given is weighed when long, what it gives when it made it."""
    run, cost = function.run, function.effort

    def from_tables(scope):
        given = [scope.tables, *[argument(scope) for argument in arguments]]
        if cost is not None:
            scope.spend(cost(*given))
        return run(*given, **{key: value(scope) for key, value in keywords.items()}) if keywords else run(*given)

    def of_one(scope):
        given = arguments[0](scope)
        if type(given) in _LONG:
            scope.weighed(given)
        value = run(scope.spend, given) if function.folds else run(given)
        kind = type(value)
        return value if kind is bool or (kind is int and -SMALL < value < SMALL) else scope.weighed(value)

    def of_several(scope):
        given = [argument(scope) for argument in arguments]
        for value in given:
            if type(value) in _LONG:
                scope.weighed(value)
        if cost is not None:
            scope.spend(cost(*given))
        return scope.weighed(run(scope.spend, *given) if function.folds else run(*given))

    return from_tables if function.tables else of_one if len(arguments) == 1 else of_several


def _negate(value):
    return value.negated() if isinstance(value, Distribution) else -_number(value)

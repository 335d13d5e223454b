"""Formulas as a reader with the book follows them: French notation, with labels or with the figures put in.

Every word comes from the `notation` texts: one template a function, ``{0}`` its first argument.
"""

import ast

from .calls import call
from .conditions import branch, condition, is_plain
from .dice import Distribution
from .expression import CONSTANT_NAMES, ExpressionError, Scope, evaluate_node, truth
from .numbers import french, is_number
from .phrases import NBSP, figure, listed, renamed, word
from .purchases import bought
from .refusal import Refusal
from .strengths import ATOM, CONDITION, NEGATED, PRODUCT, SENTENCE, SIGNED, SUM

_SIGNS = {ast.Add: "+", ast.Sub: "−", ast.Mult: "×", ast.Div: "÷"}
_STRENGTH = {ast.Add: SUM, ast.Sub: SUM, ast.Mult: PRODUCT, ast.Div: PRODUCT}
# A longer list is not written term by term.
MOST_TERMS = 12
LONGEST_TERMS = 300


class Writer:
    """Writes formulas of one question, whose words are *names*.

    Without *scope* everything is written with labels. With it, tables' rows are named and the branch taken is known;
    with *figures*, the values it holds replace the labels. *own* gives the words of texts a formula comes to,
    *bound* {name: choices} those of the names that a comprehension binds, *records* {name: table} those bound to a row.
    """

    def __init__(self, names, scope=None, figures=False, own=None, bound=None, records=None):
        self.names, self.words = names, names.words
        self.scope, self.figures = scope, figures and scope is not None
        self.own, self.bound, self.records = own or {}, bound or {}, records or {}
        self.place = None

    def write(self, tree):
        return self.part(tree)[0]

    def word(self, key, *parts):
        return word(self.words, key, *parts)

    def value(self, node):
        """Return the evaluated *node*, or raise ExpressionError when it cannot be worked out here."""
        if self.scope is None:
            raise ExpressionError("unknown-name")
        try:
            return self.scope.get(node.id) if isinstance(node, ast.Name) and node.id not in CONSTANT_NAMES else evaluate_node(node, self.scope)
        except (Refusal, TypeError, ValueError, KeyError, IndexError, ZeroDivisionError, OverflowError, AttributeError):
            raise ExpressionError("failed") from None

    def known(self, node):
        """Return (is known, value)."""
        try:
            return True, self.value(node)
        except ExpressionError:
            return False, None

    def figured(self, node):
        """Return (is known, value) when figures are put in."""
        return self.known(node) if self.figures else (False, None)

    def part(self, node):
        """Return (text, strength) of *node*; a weaker part is put in brackets by what holds it."""
        return getattr(self, "_" + type(node).__name__)(node)

    def held(self, node, strength):
        text, own = self.part(node)
        return text if own >= strength else f"({text})"

    def labelled(self):
        """Return a writer of the same formula with labels."""
        return self if not self.figures else Writer(self.names, self.scope, own=self.own, bound=self.bound, records=self.records)

    def shown(self, value, text=None):
        """Return (text, strength) of a *value*, written *text*."""
        text = figure(renamed(value, self.own), self.words) if text is None else text
        if is_number(value):
            return text, SIGNED if value < 0 else PRODUCT if "/" in text else ATOM
        return text, CONDITION if isinstance(value, list) and len(value) > 1 else ATOM

    def choices_of(self, node):
        """Return {slug: French name} of the values *node* may have."""
        if isinstance(node, ast.Name):
            return self.bound.get(node.id) or self.names.choices(node.id)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return self.names.choices(node.slice.value) if isinstance(node.slice.value, str) else {}
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            return self.choices_of(node.value)
        if isinstance(node, ast.Call):
            name, first = node.func.id, node.args[0]
            if name in ("ids", "band"):
                return self.names.table_choices(first.value) if isinstance(first, ast.Constant) else {}
            if name in ("keys", "sorted", "distinct"):
                return self.choices_of(first)
            return self.names.read_choices(node)
        return {}

    def _Constant(self, node):
        return self.shown(node.value)

    def _Name(self, node):
        name = node.id
        if name in CONSTANT_NAMES:
            return self.shown(CONSTANT_NAMES[name])
        if self.figures:
            known, value = self.known(node)
            tree = self.names.tree(name) if isinstance(value, Distribution) else None
            if tree is not None:
                return self.part(tree)
            if known:
                return self.shown(value, figure(renamed(value, self.bound[name]), self.words) if name in self.bound else self.names.figure(name, value))
        elif self.names.is_hidden(name):
            return self.part(self.names.tree(name))
        return self.words["element"] if name in self.bound else self.names.label(name), ATOM

    def _BinOp(self, node):
        if isinstance(node.op, ast.FloorDiv):
            return self.word("floor", self._quotient(node)), ATOM
        if isinstance(node.op, ast.Mod):
            return self.word("remainder", self._quotient(node)), ATOM
        if isinstance(node.op, ast.Add):
            known, value = self.figured(node)
            if known and isinstance(value, (str, list)):
                return self.shown(value)
        strength = _STRENGTH[type(node.op)]
        left, own = self.part(node.left)
        if own < strength and own != SIGNED:
            left = f"({left})"
        right = self.held(node.right, strength + (0 if isinstance(node.op, (ast.Add, ast.Mult)) else 1))
        return f"{left}{NBSP}{_SIGNS[type(node.op)]}{NBSP}{right}", strength

    def _quotient(self, node):
        left, own = self.part(node.left)
        left = left if own >= PRODUCT or own == SIGNED else f"({left})"
        return f"{left}{NBSP}÷{NBSP}{self.held(node.right, PRODUCT + 1)}"

    def _UnaryOp(self, node):
        if not isinstance(node.op, ast.Not):
            return f"−{self.held(node.operand, PRODUCT + 1)}", SIGNED
        if self.figures:
            return condition(self, node), CONDITION
        return self.word("not_named" if isinstance(node.operand, ast.Name) else "not", self.held(node.operand, SIGNED)), NEGATED

    def _BoolOp(self, node):
        if self.figures:
            return condition(self, node), CONDITION
        word = self.words["and" if isinstance(node.op, ast.And) else "or"]
        return f" {word} ".join(self.held(part, NEGATED) for part in node.values), CONDITION

    def _Compare(self, node):
        return condition(self, node), SIGNED

    def _IfExp(self, node):
        taken = branch(self, node)
        if taken is None or (not self.figures and is_plain(self, node)):
            then, test, other = (self.held(part, CONDITION) for part in (node.body, node.test, node.orelse))
            return self.word("if", then, test, other), SENTENCE
        return self.part(taken[0])

    def _List(self, node):
        return self.words["record-separator"].join(self.held(part, NEGATED) for part in node.elts) or self.words["nothing"], CONDITION

    def _Dict(self, node):
        pairs = []
        for key, value in zip(node.keys, node.values, strict=True):
            pairs.append(f"{self.part(key)[0]}{NBSP}: {self.held(value, CONDITION)}")
        return self.words["record-separator"].join(pairs) or self.words["nothing"], CONDITION

    def _Subscript(self, node):
        index = node.slice
        if isinstance(index, ast.Slice):
            return self._slice(node.value, index)
        known, value = self.figured(node)
        if known:
            return bought(self, node) or self.shown(renamed(value, self.choices_of(node)))
        if isinstance(index, ast.Constant) and isinstance(index.value, str):
            label = self.names.choices(node.value.id).get(index.value) if isinstance(node.value, ast.Name) else None
            label = label or (index.value if index.value.isdigit() else self.names.label(index.value))
            if isinstance(node.value, ast.Name) and node.value.id in self.bound:
                table = self.records.get(node.value.id)
                return label if table is None else self.names.column(table, index.value), ATOM
            if label == self.words["element"]:
                return self.part(node.value)
            return self.word("field", label, self.part(node.value)[0]), ATOM
        known, place = self.known(index)
        if known and isinstance(place, int) and place >= 0:
            return self.word("item", self.part(node.value)[0], french(place + 1)), ATOM
        return self.part(node.value)[0], ATOM

    def _slice(self, held, index):
        """Write the first items of a list, or what is left after them."""
        end = index.upper if index.lower is None else index.lower
        key = "first" if index.lower is None else "rest"
        if isinstance(held, ast.Call) and held.func.id in ("sorted", "descending") and index.lower is None:
            key, held = {"sorted": "lowest_of", "descending": "highest_of"}[held.func.id], held.args[0]
        known, count = self.known(end)
        if known and count == 0 and key == "rest":
            return self.part(held)
        if known and (self.figures or isinstance(end, ast.Constant)):
            return self.word(key if count != 1 else f"{key}_one", self.part(held)[0], french(count)), ATOM
        return self.word(f"{key}_named", self.part(held)[0], self.part(end)[0]), ATOM

    def _ListComp(self, node):
        if self.figures:
            terms = self.terms(node)
            if terms is not None:
                texts = [text for text, _ in terms]
                plain = all(strength == ATOM for _, strength in terms)
                text = listed(texts, self.words) if plain else self.words["record-separator"].join(texts)
                if len(text) <= LONGEST_TERMS:
                    return text or self.words["nothing"], CONDITION
            known, value = self.known(node)
            if known:
                return self.shown(value)
        loop = node.generators[0]
        inner = self.inside(loop, self.scope)
        items, element = self.part(loop.iter)[0], inner.part(node.elt)[0]
        if isinstance(node.elt, ast.Name) and node.elt.id == loop.target.id:
            text = items
        else:
            text = self.word("each_field" if self._is_field(node.elt, loop.target.id) else "each", element, items)
        for test in loop.ifs:
            text = self._such(inner, text, loop.target.id, test)
        return text, CONDITION

    def _is_field(self, node, name):
        return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == name

    def _such(self, inner, text, name, test):
        """Write the condition of a list; what is left out of it is told as such."""
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotIn) and isinstance(test.left, ast.Name) and test.left.id == name:
            return self.word("except", text, inner.part(test.comparators[0])[0])
        return self.word("such", text, inner.part(test)[0])

    _GeneratorExp = _ListComp

    def inside(self, loop, scope):
        records = dict(self.records)
        if isinstance(loop.iter, ast.Call) and loop.iter.func.id == "rows":
            records[loop.target.id] = loop.iter.args[0].value
        return Writer(self.names, scope, self.figures, self.own, {**self.bound, loop.target.id: self.choices_of(loop.iter)}, records)

    def terms(self, node):
        """Return [(text, strength)] of the elements a comprehension makes, figures put in, or None when they are many or unknown."""
        loop = node.generators[0]
        known, items = self.known(loop.iter)
        if not known or len(items) > MOST_TERMS:
            return None
        terms = []
        for item in items:
            inner = self.inside(loop, Scope({loop.target.id: item}, self.scope))
            try:
                if all(truth(inner.value(test)) for test in loop.ifs):
                    terms.append(inner.part(node.elt))
            except (ExpressionError, TypeError):
                return None
        return terms

    def _Call(self, node):
        return call(self, node)

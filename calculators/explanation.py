"""The explanation of an answer: each step with its formula in French, the figures put in, the result."""

import ast

from .conditions import because, branch, is_plain
from .dice import Distribution, Event
from .expression import ExpressionError, Scope
from .functions import FUNCTIONS
from .lookups import under
from .mechanism_words import mechanism
from .names import Names
from .notation import Writer
from .numbers import PLAIN, is_number
from .phrases import NBSP, counted
from .question import Work
from .refusal import Refusal, fill

_ASKED = (ast.Compare, ast.BoolOp, ast.UnaryOp)
# Functions whose result is how many rolls give each outcome.
_COUNTS = ("outcomes", "at_least")


class Teller(Names):
    """Tells the steps of one question: what each works out, with which figures, and what it comes to."""

    def steps(self, result):
        """Return what was worked out, each step after those it needs, then the outputs that come from no step.

        A step is a mapping of texts and an exact result; `text` is the whole line, as every reader sees it.
        """
        work = dict(result.work.values)
        # What a sentence alone needs is worked out aside: an answer told twice is told alike.
        self.work, self.handed = Work(self.question, result.work.given), {}
        self.work.values.update(work)
        scope = Scope(work, tables=self.question.tables)
        told = [self._step(name, scope) for name in self._order(work)] + self._outputs(result, scope)
        return [{**line, "name": self._last(line["name"])} for line in told if line is not None]

    def _last(self, name):
        """Return the name under which a value is handed on at last."""
        while name in self.handed:
            name = self.handed[name]
        return name

    def _order(self, work):
        """Return the names of the steps that were worked out, what a step needs before it."""
        ordered = {}

        def visit(name):
            if name in work and name in self.question.steps and name not in ordered:
                ordered[name] = None
                for needed in self.question.steps[name].names:
                    visit(needed)
                del ordered[name]
                ordered[name] = None

        for name in self.question.steps:
            visit(name)
        return list(ordered)

    def _step(self, name, scope):
        step, value = self.question.steps[name], scope.values[name]
        if step.hidden:
            return None
        told = step.spec.get("told")
        # A sentence with places holds its figures already.
        if told is not None and (step.expression is None or "{" in told):
            shown = mechanism(self, step, scope, value)[-1] if step.expression is None else ""
            return self._line(name, step, value, self._sentence(told), shown=shown)
        if step.expression is None:
            return self._line(name, step, value, *mechanism(self, step, scope, value))
        return self._formula(name, step, value, step.expression.tree, scope, told)

    def _outputs(self, result, scope):
        """Return the lines of the outputs that no step tells."""
        told = []
        for name, output in result.outputs.items():
            output = self.question.outputs.get(name)
            if output is None or output.kind == "spread":
                continue
            tree = output.of.tree
            if not (isinstance(tree, ast.Name) and tree.id in self.question.steps):
                told.append(self._formula(name, output, result.outputs[name], tree, scope))
        return told

    def _sentence(self, told):
        """Return the sentence *told* of a step with the words of the names it holds."""
        names = [name for name in (*self.question.inputs, *self.question.steps) if "{" + name + "}" in told]
        return fill(told, {name: self._words(name) for name in names}, self.words)

    def _words(self, name):
        """Return the words of the value of *name*, worked out for the sentence when no output needed it."""
        try:
            return self.show(name, self.work.get(name))
        except (ExpressionError, Refusal):
            return self.label(name)

    def _formula(self, name, part, value, tree, scope, told=None):
        """Return the line of a formula, *told* in words when it has some, or None when it only hands on a step of the same name."""
        if told is not None and isinstance(value, (bool, str)):
            return self._line(name, part, value, told)
        own = self.choices(name)
        labels, figures = Writer(self, scope, own=own), Writer(self, scope, figures=True, own=own)
        leaf, tests = branch(labels, tree) or (tree, [])
        if isinstance(leaf, ast.Name) and leaf.id in self.question.steps and self.label(leaf.id) == part.label and not self.is_hidden(leaf.id):
            self.handed[leaf.id] = name
            return None
        whole = not tests or is_plain(labels, tree)
        formula = told or self._told_formula(labels, tree if whole else leaf, leaf, part.label)
        reason = "" if told is not None else self._reason(labels, figures, tests, whole)
        # Lists of lists and durations are told by their result alone.
        nested = (isinstance(value, list) and any(isinstance(item, list) for item in value)) or (isinstance(value, dict) and self.kind(name) == "duration")
        read = isinstance(leaf, ast.Call) and FUNCTIONS[leaf.func.id].tables
        values = formula if nested or read else figures.part(leaf)[0]
        shown = self._counts(leaf, figures, name, value) or self._result(name, part, value)
        asked = isinstance(value, bool) and isinstance(leaf, _ASKED)
        if reason and not whole:
            return self._line(name, part, value, formula, values, shown, asked=asked, chosen=reason)
        return self._line(name, part, value, formula, values, shown, reason, asked)

    def _reason(self, labels, figures, tests, whole):
        """Return why a branch was taken: its figures when the condition is told with the formula, else both."""
        asked, found = ([reason for test, holds in tests for reason in because(writer, test, holds)] for writer in (labels, figures))
        figured = [reason for reason in found if reason not in asked]
        asked, found, figured = map(self.joined, (asked, found, figured))
        return found if whole else self.word("because_both", asked, figured) if figured else asked

    def _told_formula(self, labels, tree, leaf, label):
        """Write a formula with labels; a figure read in a table under its own name is told by its place alone."""
        if isinstance(leaf, ast.Call) and leaf.func.id in ("cell", "find", "constant") and isinstance(leaf.args[0], ast.Constant):
            where = under(labels, leaf, label)
            labels.place = None
            return where or labels.write(tree)
        return labels.write(tree)

    def _counts(self, leaf, figures, name, value):
        """Return how many rolls give each outcome, for a formula that asks them all."""
        if isinstance(leaf, ast.Call) and leaf.func.id in _COUNTS:
            known, rolled = figures.known(leaf.args[0])
            if known and isinstance(rolled, Distribution):
                return counted(value, rolled.total, self.choices(name), self.words)
        return None

    def _result(self, name, part, value):
        """Return the words of a result, or None when it holds what only other steps can word."""
        if part.spec.get("kind") == "grid":
            return self.word("grid", str(len(value)), str(len(value[0]))) if value else None
        output = self.question.outputs.get(name)
        if isinstance(value, dict) and output is not None and output.kind == "map":
            return self.output(output, value)
        if isinstance(value, dict) and self.kind(name) not in ("duration", "spread") and not (self.choices(name) or all(key.isdigit() for key in value)):
            return None
        if isinstance(value, list) and any(
            isinstance(item, dict) or (isinstance(item, list) and any(isinstance(part, str) for part in item)) for item in value
        ):
            return None
        return self.result(name, value)

    def _line(self, name, part, value, formula, values=None, shown="", reason="", asked=False, chosen=""):
        """Return a step as texts: its line is the formula, the figures where they say more, the result, and why.

        *reason* is why the figures are these, *chosen* why the formula is this one.
        """
        if shown == "":
            shown = self._result(name, part, value)
        values = formula if values is None else values
        bare = self.figure(name, value) if is_number(value) else shown
        pieces = [formula, *([values] if values != formula else []), *([shown] if shown is not None else [])]
        if "{" + name + "}" in part.spec.get("told", ""):
            pieces = [formula]
        # A figure is written once, with its unit.
        pieces = [piece for piece in pieces[:-1] if piece not in (bare, shown)] + pieces[-1:]
        if chosen:
            pieces[0] = self.word("because_formula", pieces[0], chosen)
        line = self._filled("verdict", formula=pieces[0], values=values, shown=shown) if asked else " = ".join(pieces)
        if reason:
            line = self._filled("because", line=line, reason=reason)
        text = f"{part.label}{NBSP}: {line}"
        if part.spec.get("note"):
            text = f"{text}. {part.spec['note']}"
        told = {"name": name, "label": part.label, "formula": formula, "values": values, "result": plain(value), "shown": shown or values, "text": text}
        rule = part.spec.get("rule") or self.question.spec.get("chapter")
        return {**told, **({"rule": rule} if rule else {}), **({"note": part.spec["note"]} if "note" in part.spec else {})}

    def _filled(self, key, **facts):
        return fill(self.words[key], facts, self.words)


def plain(value):
    """Return *value* as JSON can carry it: a distribution becomes {outcome: weight}, dice their text."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, Distribution):
        return {str(outcome): weight for outcome, weight in value.items()}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Event):
        return value.chance()
    return value if hasattr(value, "denominator") else str(value)

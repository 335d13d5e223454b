"""A question: check the inputs, work out the steps its outputs need, refuse or answer with the explanation."""

from . import effort
from .dice import Dice, DiceError, Distribution, parse
from .expression import ExpressionError, Scope, compiled, truth
from .inputs import Input
from .numbers import dumps, is_number
from .refusal import PLACE, Refusal, shortened
from .step import Step

# Steps that wait for one another: a longer chain would exhaust the stack.
MOST_WAITING = 60
# How much of what was given a refusal cites.
LONGEST_CITED = 80


def _is_dice(value):
    try:
        return isinstance(value, Dice) or parse(value) is not None
    except DiceError:
        return False


def _is_duration(value):
    return isinstance(value, dict) and "unit" in value and (value.get("amount") is None or is_number(value["amount"]))


def _is_grid(value):
    return isinstance(value, list) and all(isinstance(row, list) for row in value)


def _is_spread(value):
    return isinstance(value, dict) and all(map(is_number, value.values()))


# What a value of each kind is; null is of every kind, and only a spread must be there.
FITS = {
    "integer": lambda value: type(value) is int,
    **dict.fromkeys(("number", "probability", "percent", "fraction"), is_number),
    "boolean": lambda value: isinstance(value, bool),
    **dict.fromkeys(("choice", "text"), lambda value: isinstance(value, str)),
    "dice": _is_dice,
    "duration": _is_duration,
    "list": lambda value: isinstance(value, list),
    **dict.fromkeys(("record", "map"), lambda value: isinstance(value, (dict, Distribution))),
    "grid": _is_grid,
    "spread": _is_spread,
}


def fitting(name, kind, value):
    """Return *value*, which the data says is of this *kind*, or raise an ExpressionError."""
    if kind is None or (value is None and kind != "spread") or FITS[kind](value):
        return value
    raise ExpressionError("wrong-kind", name=name, kind=kind, found=type(value).__name__)


class Output:
    """One declared output: where its value comes from and when it is given."""

    def __init__(self, name, spec, faults=None):
        self.name, self.spec = name, spec
        self.kind = spec.get("kind", "text")
        self.label = spec.get("label", name)
        self.of = compiled(spec.get("of", name), ("outputs", name, "of"), faults)
        self.when = compiled(spec["when"], ("outputs", name, "when"), faults) if "when" in spec else None


class RefusalRule:
    """One refusal of the data: *when* it applies (for *each* item if it says so), its code, facts and sentence."""

    def __init__(self, place, spec, faults=None):
        path = ("refusals", place)
        self.code, self.message, self.field = spec["code"], spec.get("message"), spec.get("field")
        self.each = compiled(spec["each"], (*path, "each"), faults) if "each" in spec else None
        self.name = spec.get("as", "item")
        self.when = compiled(spec["when"], (*path, "when"), faults)
        self.facts = {key: compiled(formula, (*path, "facts", key), faults) for key, formula in spec.get("facts", {}).items()}

    def check(self, scope):
        if self.each is None:
            self._check(scope)
            return
        items = self.each.evaluate(scope) or []
        scope.spend(len(items))
        for item in items:
            self._check(Scope({self.name: item}, scope))

    def _check(self, scope):
        if truth(self.when.evaluate(scope)):
            facts = {key: scope.weighed(formula.evaluate(scope)) for key, formula in self.facts.items()}
            raise Refusal(self.code, facts, self.field, self.message)


class Work(Scope):
    """The names of one answer: inputs checked and steps worked out when first needed, each once."""

    __slots__ = ("_busy", "given", "question")

    def __init__(self, question, given):
        super().__init__({}, tables=question.tables)
        self.question, self.given, self._busy = question, given, set()

    def get(self, name):
        if name in self.values:
            return self.values[name]
        part, step = self.question.inputs.get(name), self.question.steps.get(name)
        if name in self._busy or part is step is None:
            raise ExpressionError("cycle" if name in self._busy else "unknown-name", name=name)
        if len(self._busy) - len(self.values) > MOST_WAITING:
            raise ExpressionError("too-deep", name=name)
        self._busy.add(name)
        self.values[name] = part.check(self.given.get(name), self) if part is not None else fitting(name, step.kind, step.run(self))
        return self.values[name]


class Result:
    """What came of an answer before it is told: the *work* with every value, and the *outputs* or the *refusal*.

    *spreads* holds, for each output that gives one value a key, what it gave.
    """

    __slots__ = ("inputs", "notes", "outputs", "refusal", "spreads", "work")

    def __init__(self, inputs, work, outputs=None, spreads=None, notes=(), refusal=None):
        self.inputs, self.work, self.outputs, self.spreads, self.notes, self.refusal = inputs, work, outputs, spreads or {}, list(notes), refusal


class Question:
    """A question of a game, compiled from its data; a wrong formula or mechanism raises StepError, or is added to *faults*."""

    def __init__(self, identifier, spec, tables, faults=None):
        self.id, self.spec, self.tables = identifier, spec, tables
        self.title = spec.get("title", identifier)
        self.inputs = {name: Input(name, part, tables, None, ("inputs", name), faults) for name, part in spec.get("inputs", {}).items()}
        self.steps = {name: Step(name, step, ("steps", name), faults) for name, step in spec.get("steps", {}).items()}
        self.refusals = [RefusalRule(place, rule, faults) for place, rule in enumerate(spec.get("refusals", []))]
        self.outputs = {name: Output(name, output, faults) for name, output in spec.get("outputs", {}).items()}
        # The words of what each name may be are looked for once (see Names.choices).
        self.choices = {}
        self.notes = [
            (compiled(note["when"], ("notes", place, "when"), faults) if "when" in note else None, note) for place, note in enumerate(spec.get("notes", []))
        ]

    def answer(self, given):
        """Return the Result for the mapping *given*: input name → value as JSON gives it. Never raises."""
        work = Work(self, given)
        try:
            self._check_inputs(given, work)
            for rule in self.refusals:
                rule.check(work)
            outputs, spreads = self._outputs(work)
            notes = self._notes(work)
        except Refusal as refusal:
            return Result(given, work, refusal=refusal)
        except ExpressionError as error:
            facts = {"reason": error.code, **{key: str(fact) for key, fact in error.facts.items() if key != "known"}}
            return Result(given, work, refusal=Refusal("cannot-answer", facts, None, "@cannot-answer"))
        except (TypeError, ValueError, OverflowError, AttributeError, RecursionError, MemoryError) as error:
            return Result(given, work, refusal=Refusal("cannot-answer", {"reason": type(error).__name__}, None, "@cannot-answer"))
        # What is told of an answer is worked out with a budget of its own.
        work.budget[0] = effort.MOST
        return Result(given, work, outputs, spreads, notes)

    def _check_inputs(self, given, work):
        if not isinstance(given, dict):
            raise Refusal("wrong-kind", {"field": "inputs", "given": shortened(dumps(given), LONGEST_CITED)}, None, "@inputs", {"label": self.title})
        for name in given:
            if name not in self.inputs:
                raise Refusal(
                    "unknown-input", {"field": shortened(str(name), LONGEST_CITED), "known": list(self.inputs)}, None, "@unknown", {"label": self.title}
                )
        for name in self.inputs:
            work.get(name)

    def _outputs(self, work):
        values, spreads = {}, {}
        for name, output in self.outputs.items():
            if output.when is not None and not truth(output.when.evaluate(work)):
                continue
            value = work.weighed(fitting(name, output.spec.get("kind"), output.of.evaluate(work)))
            if output.kind == "spread":
                spreads[name] = value
                values.update({str(key): item for key, item in value.items()})
            else:
                values[name] = value
        return values, spreads

    def _notes(self, work):
        notes = [note for when, note in self.notes if when is None or truth(when.evaluate(work))]
        for note in notes:
            # The steps a note cites may not have been needed before.
            for name in PLACE.findall(note["text"]):
                if name in self.steps:
                    work.get(name)
        return notes

    def main_outputs(self, result):
        """Return the names of the outputs of *result* a reader looks for first: those marked so, else the first."""
        given = [name for name in self.outputs if name in (result.outputs or {}) or name in result.spreads]
        return [name for name in given if self.outputs[name].spec.get("main")] or given[:1]

    def expressions(self):
        """Yield (path in the question's data, Expression, names bound around it) for every formula."""
        for part in self.inputs.values():
            yield from ((path, formula, frozenset()) for path, formula in part.expressions())
        for step in self.steps.values():
            yield from step.expressions
        for place, rule in enumerate(self.refusals):
            bound = frozenset([rule.name]) if rule.each is not None else frozenset()
            for key, expression in (("each", rule.each), ("when", rule.when)):
                if expression is not None:
                    yield ("refusals", place, key), expression, bound
            for key, expression in rule.facts.items():
                yield ("refusals", place, "facts", key), expression, bound
        for name, output in self.outputs.items():
            yield ("outputs", name, "of"), output.of, frozenset()
            if output.when is not None:
                yield ("outputs", name, "when"), output.when, frozenset()
        for place, (when, _) in enumerate(self.notes):
            if when is not None:
                yield ("notes", place, "when"), when, frozenset()

"""A question: check the inputs, work out the steps its outputs need, refuse or answer with the explanation."""

from .expression import ExpressionError, Scope, truth
from .inputs import Input
from .refusal import Refusal
from .step import Step, StepError, compiled


class Output:
    """One declared output: where its value comes from and when it is given."""

    def __init__(self, name, spec):
        self.name, self.spec = name, spec
        self.kind = spec.get("kind", "text")
        self.label = spec.get("label", name)
        self.of = compiled(spec.get("of", name), ("outputs", name, "of"))
        self.when = compiled(spec["when"], ("outputs", name, "when")) if "when" in spec else None


class RefusalRule:
    """One refusal of the data: *when* it applies (for *each* item if it says so), its code, facts and sentence."""

    def __init__(self, place, spec):
        path = ("refusals", place)
        self.code, self.message, self.field = spec["code"], spec.get("message"), spec.get("field")
        self.each = compiled(spec["each"], (*path, "each")) if "each" in spec else None
        self.name = spec.get("as", "item")
        self.when = compiled(spec["when"], (*path, "when"))
        self.facts = {key: compiled(formula, (*path, "facts", key)) for key, formula in spec.get("facts", {}).items()}

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
            facts = {key: formula.evaluate(scope) for key, formula in self.facts.items()}
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
        self._busy.add(name)
        self.values[name] = part.check(self.given.get(name), self) if part is not None else step.run(self)
        return self.values[name]


class Result:
    """What came of an answer before it is told: the *work* with every value, and the *outputs* or the *refusal*."""

    __slots__ = ("inputs", "notes", "outputs", "refusal", "work")

    def __init__(self, inputs, work, outputs=None, notes=(), refusal=None):
        self.inputs, self.work, self.outputs, self.notes, self.refusal = inputs, work, outputs, list(notes), refusal


class Question:
    """A question of a game, compiled from its data; raises StepError when a formula or mechanism is wrong."""

    def __init__(self, identifier, spec, tables):
        self.id, self.spec, self.tables = identifier, spec, tables
        self.title = spec.get("title", identifier)
        self.inputs = {}
        for name, part in spec.get("inputs", {}).items():
            try:
                self.inputs[name] = Input(name, part, tables)
            except ExpressionError as error:
                raise StepError(("inputs", name), error.code, error.offset, **error.facts) from None
        self.steps = {}
        for name, step in spec.get("steps", {}).items():
            try:
                self.steps[name] = Step(name, step)
            except StepError as error:
                raise StepError(("steps", name, *error.path), error.code, error.offset, **error.facts) from None
        self.refusals = [RefusalRule(place, rule) for place, rule in enumerate(spec.get("refusals", []))]
        self.outputs = {name: Output(name, output) for name, output in spec.get("outputs", {}).items()}
        self.notes = [(compiled(note["when"], ("notes", place, "when")) if "when" in note else None, note) for place, note in enumerate(spec.get("notes", []))]

    def answer(self, given):
        """Return the Result for the mapping *given*: input name → value as JSON gives it. Never raises."""
        work = Work(self, given)
        try:
            self._check_inputs(given, work)
            for rule in self.refusals:
                rule.check(work)
            outputs = self._outputs(work)
            notes = [note for when, note in self.notes if when is None or truth(when.evaluate(work))]
        except Refusal as refusal:
            return Result(given, work, refusal=refusal)
        except ExpressionError as error:
            facts = {"reason": error.code, **{key: str(fact) for key, fact in error.facts.items() if key != "known"}}
            return Result(given, work, refusal=Refusal("cannot-answer", facts, None, "@cannot-answer"))
        except TypeError as error:
            return Result(given, work, refusal=Refusal("cannot-answer", {"reason": str(error)}, None, "@cannot-answer"))
        return Result(given, work, outputs, notes)

    def _check_inputs(self, given, work):
        if not isinstance(given, dict):
            raise Refusal("wrong-kind", {"field": "inputs", "given": str(given)[:80]}, None, "@inputs", {"label": self.title})
        for name in given:
            if name not in self.inputs:
                raise Refusal("unknown-input", {"field": str(name)[:80], "known": list(self.inputs)}, None, "@unknown", {"label": self.title})
        for name in self.inputs:
            work.get(name)

    def _outputs(self, work):
        values = {}
        for name, output in self.outputs.items():
            if output.when is not None and not truth(output.when.evaluate(work)):
                continue
            value = output.of.evaluate(work)
            if output.kind == "spread":
                values.update({str(key): item for key, item in value.items()})
            else:
                values[name] = value
        return values

    def expressions(self):
        """Yield (path in the question's data, Expression, names bound around it) for every formula."""
        for name, part in self.inputs.items():
            for key, formula in part.formulas.items():
                yield ("inputs", name, key), formula, frozenset()
        for name, step in self.steps.items():
            for path, expression, bound in step.expressions:
                yield ("steps", name, *path), expression, bound
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

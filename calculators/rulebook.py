"""The rulebook: every question of every game, compiled when first asked, answered as plain JSON values."""

import ast

from .explanation import Teller, plain
from .expression import StepError, compiled
from .functions import FUNCTIONS
from .question import Question
from .refusal import fill
from .tables import CONSTANTS, Table


class Fault:
    """One thing wrong in a question's data: *path* inside it, *code*, *facts*, and *offset* in a formula or None.

    With a *table*, the path starts at one of its records: a formula that the question reads there is wrong.
    """

    __slots__ = ("code", "facts", "offset", "path", "table")

    def __init__(self, path, code, facts, offset=None, table=None):
        self.path, self.code, self.facts, self.offset, self.table = path, code, facts, offset, table

    def __repr__(self):
        return f"Fault({self.path}, {self.code}, {self.facts}, {self.offset})"


class UnknownQuestion(KeyError):
    """No such question."""


class Rulebook:
    """Answers questions from *data*, the mapping that ``rules.json`` holds."""

    def __init__(self, data):
        self.data, self.texts = data, data.get("texts", {})
        self._tables, self._questions = {}, {}

    def games(self):
        return self.data["games"]

    def questions(self):
        """Return the ids of all questions, ``game/question``."""
        return [f"{game}/{name}" for game, held in self.data["games"].items() for name in held["questions"]]

    def tables(self, game):
        if game not in self._tables:
            described = self.data["games"][game]["tables"]
            self._tables[game] = {name: Table(name, table) for name, table in described.items()}
        return self._tables[game]

    def question(self, identifier):
        """Return the compiled Question; raises UnknownQuestion, or StepError when its data is wrong."""
        if identifier not in self._questions:
            game, _, name = identifier.partition("/")
            spec = self.data["games"].get(game, {}).get("questions", {}).get(name)
            if spec is None:
                raise UnknownQuestion(identifier)
            self._questions[identifier] = Question(identifier, spec, self.tables(game))
        return self._questions[identifier]

    def ask(self, identifier, inputs, explain=True):
        """Return the answer as plain JSON values: outputs, steps, notes and readings, or an error; see encode() for numbers."""
        question = self.question(identifier)
        result = question.answer(inputs)
        return self.tell(question, result, explain)

    def tell(self, question, result, explain=True):
        """Return what ask() returns for a Result already worked out."""
        if result.refusal is not None:
            return {"question": question.id, "error": self.error(question, result.refusal)}
        # An output that does not apply here is null: a reader of the JSON finds the same names each time.
        absent = {name: None for name, output in question.outputs.items() if output.kind != "spread" and name not in result.outputs}
        answer = {"question": question.id, "outputs": {**{name: plain(value) for name, value in result.outputs.items()}, **absent}}
        if explain:
            teller = Teller(question, self.texts)
            # A note may need a step of its own, which is then told too.
            notes = [self._note(note, result, teller) for note in result.notes]
            answer["steps"] = teller.steps(result)
            if notes:
                answer["notes"] = notes
            readings = self._readings(question, result)
            if readings:
                answer["readings"] = readings
        return answer

    def error(self, question, refusal):
        """Return a refusal as {"code", "facts", "message", "field"?}."""
        template = question.spec.get("messages", {}).get(refusal.code, refusal.template)
        if template is None or template.startswith("@"):
            template = self.texts.get("refusals", {}).get((template or "@cannot-answer")[1:], refusal.code)
        words = self.texts.get("notation", {})
        readable = {"label": question.title, **self._shown(question, refusal), **refusal.shown}
        told = {"code": refusal.code, "facts": plain(refusal.facts), "message": fill(template, {**refusal.facts, **readable}, words)}
        if refusal.field is not None:
            told["field"] = refusal.field
        return told

    def _shown(self, question, refusal):
        """Return French names for the facts that are slugs of the field's choices."""
        part = question.inputs.get(refusal.field)
        names = (part.choices() if part is not None else None) or {}
        return {key: names[fact] for key, fact in refusal.facts.items() if isinstance(fact, str) and fact in names}

    def _note(self, note, result, teller):
        facts = {}
        for name in (*teller.question.inputs, *teller.question.steps):
            if "{" + name + "}" in note["text"]:
                facts[name] = teller.show(name, result.work.get(name))
        return fill(note["text"], facts, self.texts.get("notation", {}))

    def _readings(self, question, result):
        """Return which reading of an ambiguous rule was used, for each input that offers some."""
        used = []
        for name, part in question.inputs.items():
            if "reading" in part.spec:
                value = result.work.values[name]
                used.append({"id": part.spec["reading"], "input": name, "reading": value, "label": (part.choices() or {}).get(value, value)})
        return used

    def faults(self, identifier):
        """Return all that is wrong in a question's data, found without asking it."""
        game, _, name = identifier.partition("/")
        unread = []
        try:
            question = Question(identifier, self.data["games"][game]["questions"][name], self.tables(game), unread)
        except StepError as error:
            return [Fault(error.path, error.code, error.facts, error.offset)]
        except (AttributeError, TypeError, KeyError) as error:
            return [Fault((), "question-shape", {"found": str(error)})]
        faults = [Fault(error.path, error.code, error.facts, error.offset) for error in unread]
        if not faults:
            self._questions.setdefault(identifier, question)
        known = {*question.inputs, *question.steps}
        ordered = sorted(known)
        for path, expression, bound in question.expressions():
            faults += _formula_faults(expression, path, sorted(known | bound) if bound else ordered, question.tables)
            faults += _result_faults(expression, path, {name: step for name, step in question.steps.items() if name not in bound})
        for step in question.steps.values():
            for path, table, banded in step.tables():
                if table not in question.tables:
                    faults.append(Fault(path, "unknown-table", {"found": table, "known": sorted(question.tables)}))
                elif banded:
                    faults += _band_faults(path, table, question.tables)
            faults += _written_faults(step, ordered, question.tables)
            faults += _malformed_faults(step, question.tables)
        faults += _cycles(question)
        return faults


def _formula_faults(expression, path, known, tables):
    """Check the names, among those that are *known*, and the calls of a formula."""
    for name in expression.names:
        if name not in known:
            yield Fault(path, "unknown-name", {"name": name, "known": known}, expression.place(name))
    for call in expression.calls:
        yield from _call_faults(call, path, expression, tables)


def _result_faults(expression, path, steps):
    """Check the results that a formula takes, in so many words, of a mechanism."""
    for node in ast.walk(expression.tree):
        if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Constant)):
            continue
        step = steps.get(node.value.id) if node.value.id in expression.names else None
        gives = getattr(step.mechanism, "gives", ()) if step is not None else ()
        if gives and node.slice.value not in gives:
            facts = {"found": node.slice.value, "step": node.value.id, "mechanism": step.mechanism_name, "known": list(gives)}
            yield Fault(path, "unknown-result", facts, expression.place(node.slice.col_offset))


def _written_faults(step, known, tables):
    """Check the formulas that the mechanism of *step* reads in its tables."""
    if not hasattr(step.mechanism, "written"):
        return
    for table, path, formula in step.mechanism.written(step.arguments, tables):
        unread = []
        expression = compiled(formula, path, unread)
        found = [Fault(error.path, error.code, error.facts, error.offset) for error in unread]
        for fault in found or _formula_faults(expression, path, known, tables):
            # The formula stands after the mark that tells it from a text.
            yield Fault(path, fault.code, fault.facts, None if fault.offset is None else fault.offset + 1, table)


def _malformed_faults(step, tables):
    """Check what the mechanism of *step* would make nothing of."""
    if hasattr(step.mechanism, "malformed"):
        for table, path, code, facts in step.mechanism.malformed(step.arguments, tables):
            yield Fault(path if table else (*step.path, step.mechanism_name, *path), code, facts, None, table)


def _call_faults(call, path, expression, tables):
    """Check the table, record and column that a call names in so many words."""
    if not FUNCTIONS[call.func.id].tables:
        return
    words = [argument.value if isinstance(argument, ast.Constant) else None for argument in call.args]
    places = [expression.place(argument.col_offset) for argument in call.args]
    is_constant, is_cell = call.func.id == "constant", call.func.id == "cell"
    table = CONSTANTS if is_constant else words[0]
    if table is None:
        return
    if table not in tables:
        yield Fault(path, "unknown-table", {"found": table, "known": sorted(tables)}, expression.place(call.col_offset) if is_constant else places[0])
        return
    if call.func.id == "band":
        yield from _band_faults(path, table, tables, places[0])
    record = words[0] if is_constant else words[1] if is_cell else None
    if record is not None and record not in tables[table].records:
        yield Fault(path, "unknown-record", {"found": record, "table": table, "known": list(tables[table].records)}, places[0 if is_constant else 1])
    named = 2 if is_cell else 1 if call.func.id == "find" else None
    columns = {key for record in tables[table].records.values() for key in record} | set(tables[table].labels)
    written = [(words[named], places[named])] if named is not None and words[named] is not None else []
    for key, place in written + [(keyword.arg, expression.place(keyword.col_offset)) for keyword in call.keywords]:
        if key not in columns:
            yield Fault(path, "unknown-column", {"found": key, "table": table, "known": sorted(columns)}, place)


def _band_faults(path, table, tables, place=None):
    """Check that a number can fall in *table*."""
    if not tables[table].is_banded:
        known = sorted(name for name, other in tables.items() if other.is_banded)
        yield Fault(path, "not-bands", {"found": table, "known": known}, place)


def _cycles(question):
    """Find inputs and steps that need themselves."""
    parts = {**question.inputs, **question.steps}
    needs = {name: [other for other in part.names if other in parts] for name, part in parts.items()}
    faults, done = [], set()
    for start in needs:
        # A path through what is needed, each with what is left to follow: chains are longer than Python's stack.
        trail = {} if start in done else {start: iter(needs[start])}
        while trail:
            name = next(reversed(trail))
            other = next(trail[name], None)
            if other is None:
                done.add(name)
                del trail[name]
            elif other in trail:
                names = list(trail)
                faults.append(Fault(("steps" if other in question.steps else "inputs", other), "cycle", {"trail": [*names[names.index(other) :], other]}))
            elif other not in done:
                trail[other] = iter(needs[other])
    return faults

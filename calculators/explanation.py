"""The explanation of an answer: each step with its formula in French, the figures put in, the result."""

from .dice import Distribution
from .expression import ExpressionError
from .notation import NBSP, Writer, shown
from .numbers import french, is_number, percent

CHANCE_KINDS = ("probability", "chance")


class Teller:
    """Tells the steps of one question: labels of names, words of values, with the texts of the machine."""

    def __init__(self, question, texts):
        self.question, self.texts = question, texts
        self.words = texts.get("notation", {})

    def label(self, name):
        """Return the French label of a name, of ``@table`` , ``@table.column`` or ``@table/record``."""
        if name.startswith("@"):
            return self._table_label(name[1:])
        for parts in (self.question.inputs, self.question.steps):
            if name in parts:
                return parts[name].label
        for part in self.question.inputs.values():
            for inner in (part, part.items):
                if inner is not None and name in inner.fields:
                    return inner.fields[name].label
        return self.words.get("names", {}).get(name, name)

    def _table_label(self, address):
        table, _, rest = address.partition("/")
        if rest:
            known = self.question.tables.get(table)
            record = known.records.get(rest, {}) if known is not None else {}
            return record.get("name", rest)
        table, _, column = address.partition(".")
        known = self.question.tables.get(table)
        if known is None:
            return column or table
        return known.labels.get(column, column) if column else known.title

    def choices(self, name):
        """Return {slug: French name} of the values the name *name* may take, or None."""
        part = self.question.inputs.get(name)
        if part is not None:
            return (part.items if part.kind == "list" else part).choices()
        for spec in self._specs(name):
            if spec.get("choices"):
                return spec["choices"]
            table = self.question.tables.get(spec.get("table") or spec.get("bands", {}).get("table", ""))
            if table is not None:
                return {slug: record.get("name", slug) for slug, record in table.records.items()}
        return None

    def _specs(self, name):
        if name in self.question.steps:
            yield self.question.steps[name].spec
        if name in self.question.outputs:
            yield self.question.outputs[name].spec

    def kind(self, name):
        for spec in self._specs(name):
            if "kind" in spec:
                return spec["kind"]
        return None

    def unit(self, name):
        part = self.question.inputs.get(name)
        for spec in ([part.spec] if part is not None else []) + list(self._specs(name)):
            if "unit" in spec:
                return NBSP + spec["unit"]
        return ""

    def show(self, name, value):
        """Return the words of *value*, with the names of the choices of *name* when it has some."""
        if name is not None and isinstance(value, dict) and self.kind(name) == "duration":
            return self._duration(name, value)
        if isinstance(value, str) and name is not None:
            return (self.choices(name) or {}).get(value, value)
        if isinstance(value, (list, dict)) and name is not None and self.choices(name):
            value = self._named(value, self.choices(name))
        if name is not None and self.kind(name) in CHANCE_KINDS and not isinstance(value, (dict, list, str)) and value is not None:
            return f"{french(value)} ({percent(value)})"
        return shown(value, self.words)

    def _duration(self, name, value):
        spec = next((spec for spec in self._specs(name) if "table" in spec), {})
        return duration(value, self._names(spec, "plural"), self._names(spec), self.words)

    def _named(self, value, names):
        if isinstance(value, list):
            return [self._named(item, names) for item in value]
        if isinstance(value, dict):
            return {names.get(key, key): item for key, item in value.items()}
        return names.get(value, value) if isinstance(value, str) else value

    def output(self, output, value):
        """Return the words of the value of an Output, unit included: slugs by their names, records field by field."""
        if output.kind in CHANCE_KINDS:
            return self.chance(value)
        if output.kind in ("list", "record", "map"):
            return self._composed(value, output.spec)
        return self.show(output.name, value) + (self.unit(output.name) if value is not None else "")

    def chance(self, value):
        """Return a chance as its percentage and the exact fraction; what is no number in words."""
        if not is_number(value):
            return shown(value, self.words)
        return f"{percent(value)} ({value.numerator}/{value.denominator})"

    def _composed(self, value, spec):
        """Return a list, record or map in words, each part as its own *spec* says."""
        if isinstance(value, list):
            parts = [self._composed(item, spec.get("items", {})) for item in value]
            separator = self.words["record-separator" if spec.get("items", {}).get("kind") == "record" else "separator"]
            return separator.join(parts) or self.words["nothing"]
        if isinstance(value, dict) and "fields" in spec:
            return self._fields(value, spec["fields"])
        if isinstance(value, dict) and spec.get("kind") == "duration":
            return duration(value, self._names(spec, "plural"), self._names(spec), self.words)
        if isinstance(value, dict):
            names = self._names(spec.get("keys", spec))
            told = [f"{names.get(key, key)}{NBSP}: {self._composed(item, spec.get('values', {}))}" for key, item in value.items()]
            return self.words["separator"].join(told) or self.words["nothing"]
        return shown(self._named(value, self._names(spec)), self.words)

    def _fields(self, record, fields):
        told = []
        for key, value in record.items():
            spec = fields.get(key, {})
            words = self._composed(value, spec)
            label = spec.get("label", key)
            told.append(f"{label}{NBSP}: {words}" if label else words)
        return self.words["separator"].join(told)

    def _names(self, spec, column="name"):
        """Return {slug: words} of what *spec* says its values are, from its table's *column* or its own choices."""
        table = self.question.tables.get(spec.get("table", ""))
        if table is not None:
            return {slug: record.get(column) or record.get("name", slug) for slug, record in table.records.items()}
        return spec.get("choices", {})

    def steps(self, result):
        """Return the steps that were needed, in the order of the data, each as a mapping of texts and an exact result."""
        told = []
        for name, step in self.question.steps.items():
            if name in result.work.values and not step.hidden:
                told.append(self._step(name, step, result))
        return told

    def _step(self, name, step, result):
        value = result.work.values[name]
        if step.expression is not None:
            formula = Writer(self.words, self.label, self.show).write(step.expression.tree)
            values = Writer(self.words, self.label, self.show, result.work).write(step.expression.tree)
        else:
            formula = self._mechanism(step, None)
            values = self._mechanism(step, result.work)
        words = self.show(name, value) + (self.unit(name) if not isinstance(value, (dict, list, Distribution)) else "")
        text = f"{step.label}{NBSP}: {formula}" + (f" = {values}" if values != formula else "") + (f" = {words}" if words != values else "")
        told = {"name": name, "label": step.label, "formula": formula, "values": values, "result": plain(value), "shown": words, "text": text}
        if step.spec.get("rule"):
            told["rule"] = step.spec["rule"]
        return told

    def _mechanism(self, step, scope):
        """Return the sentence of a mechanism: its template with the formulas of its parameters written out."""
        template = self.words.get("mechanisms", {}).get(step.mechanism_name, step.mechanism_name)
        writer = Writer(self.words, self.label, self.show, scope)
        for key, argument in step.arguments.items():
            if hasattr(argument, "tree"):
                try:
                    written = writer.write(argument.tree)
                except ExpressionError:
                    written = argument.source
            elif isinstance(argument, str):
                written = self.label("@" + argument) if argument in self.question.tables else argument
            else:
                continue
            template = template.replace("{" + key + "}", written)
        return template


def duration(value, plurals, names, words):
    """Return {"amount", "unit"} in words; an amount of nothing is at once, no amount leaves the unit alone."""
    amount, unit = value.get("amount"), value.get("unit")
    if amount == 0:
        return words["at-once"]
    if amount is None:
        return names.get(unit, unit)
    return f"{french(amount)}{NBSP}{(plurals if amount >= 2 else names).get(unit, unit)}"


def plain(value):
    """Return *value* as JSON can carry it: a distribution becomes {outcome: weight}, dice their text."""
    if isinstance(value, Distribution):
        return {str(outcome): weight for outcome, weight in value.items()}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, str)) or hasattr(value, "denominator"):
        return value
    return str(value)

"""What a question calls its names, its values and its tables, in French words."""

import ast

from .dice import parse
from .numbers import NARROW_SPACE, fixed, french, is_number, percent
from .phrases import LONGEST_FRACTION, NBSP, duration, figure, fraction, renamed, shown, word
from .refusal import fill

CHANCE_KINDS = ("probability", "chance")
# A fraction with a greater denominator is told by its decimals too.
PLAIN_DENOMINATOR = 36
# Two of a thing are several; less than two are one.
PLURAL_FROM = 2
PERCENT = "%"


class Names:
    """The words of one *question*: labels of its names, words of their values; *texts* are those of the machine."""

    def __init__(self, question, texts):
        self.question, self.texts = question, texts
        self.words = texts.get("notation", {})
        self._choices = question.choices

    def label(self, name):
        """Return the French label of a name or of a field of a record; any other name is an element of a list."""
        step = self.question.steps.get(name)
        if step is not None:
            return step.spec["told"] if step.hidden and "told" in step.spec else step.label
        if name in self.question.inputs:
            return self.question.inputs[name].label
        inner = self._field(name)
        return inner.label if inner is not None else self.words.get("names", {}).get(name, self.words.get("element", name))

    def _field(self, name):
        for part in self.question.inputs.values():
            for inner in (part, part.items):
                if inner is not None and name in inner.fields:
                    return inner.fields[name]
        return None

    def word(self, key, *parts):
        return word(self.words, key, *parts)

    def joined(self, texts):
        """Join *texts*, each said once."""
        return self.words["separator"].join(dict.fromkeys(texts))

    def tree(self, name):
        """Return the tree of the formula of the step *name*, or None."""
        step = self.question.steps.get(name)
        return step.expression.tree if step is not None and step.expression is not None else None

    def is_hidden(self, name):
        """Say whether a step has no line of its own: its formula is written where it is used."""
        step = self.question.steps.get(name)
        return step is not None and step.hidden and step.expression is not None and "told" not in step.spec

    def is_reading(self, name):
        part = self.question.inputs.get(name)
        return part is not None and "reading" in part.spec

    def choices(self, name):
        """Return {slug: French name} of the values *name* may take, {} when they are no choices."""
        if name not in self._choices:
            self._choices[name] = self._find_choices(name) or {}
        return self._choices[name]

    def _find_choices(self, name):
        part = self.question.inputs.get(name) or self._field(name)
        while part is not None and part.kind == "list":
            part = part.items
        if part is not None:
            return part.choices()
        for spec in self._specs(name):
            found = self._named_by(spec) or self._named_by(spec.get("items", {})) or self._named_by(spec.get("bands", {}))
            if found:
                return found
        tree = self.tree(name)
        return self.read_choices(tree) if isinstance(tree, ast.Call) else None

    def read_choices(self, call):
        """Return the choices of the column that a call reads, when it names it."""
        place = {"cell": 2, "find": 1}.get(call.func.id)
        parts = [call.args[0], call.args[place]] if place is not None else []
        return self.column_choices(*(part.value for part in parts)) if parts and all(isinstance(part, ast.Constant) for part in parts) else {}

    def _named_by(self, spec, column="name"):
        """Return {slug: words} of what *spec* says its values are: its own choices, or a *column* of its table; else None."""
        if spec.get("choices"):
            return spec["choices"]
        table = self.question.tables.get(spec.get("table", ""))
        return {slug: record.get(column) or record.get("name", slug) for slug, record in table.records.items()} if table is not None else None

    def _specs(self, name):
        if name in self.question.steps:
            yield self.question.steps[name].spec
        if name in self.question.outputs:
            yield self.question.outputs[name].spec

    def kind(self, name):
        return next((spec["kind"] for spec in self._specs(name) if "kind" in spec), None)

    def unit(self, name, value=None):
        """Return the unit of *name* as it follows the number *value*: in the singular where French says so."""
        part = self.question.inputs.get(name)
        specs = ([part.spec] if part is not None else []) + list(self._specs(name))
        unit = next((spec["unit"] for spec in specs if "unit" in spec), "")
        if is_number(value) and abs(value) < PLURAL_FROM:
            unit = self.words.get("singular", {}).get(unit, unit)
        return (NARROW_SPACE if unit == PERCENT else NBSP) + unit if unit else ""

    # What stands in tables.

    def title(self, table):
        known = self.question.tables.get(table)
        return known.title if known is not None else table

    def record(self, table, slug):
        """Return the French name of a record."""
        known = self.question.tables.get(table)
        return known.records.get(slug, {}).get("name", slug) if known is not None else slug

    def column(self, table, column):
        """Return the head of a column, with its group when it has one."""
        known = self.question.tables.get(table)
        spec = known.columns.get(column, {}) if known is not None else {}
        if column == "name" and known is not None:
            return known.name_label
        label = spec.get("label", column)
        return self.word("grouped", spec["group"], label) if "group" in spec else label

    def grouped(self, table, column):
        """Return (group, head) of a column under a common head, else (None, None)."""
        known = self.question.tables.get(table)
        spec = known.columns.get(column, {}) if known is not None else {}
        return spec.get("group"), spec.get("label")

    def table_choices(self, table):
        return self._named_by({"table": table}) or {}

    def column_choices(self, table, column):
        known = self.question.tables.get(table)
        spec = known.columns.get(column, {}) if known is not None else {}
        return self._named_by(spec) or self._named_by(spec.get("items", {})) or {}

    def cell(self, table, column, value):
        """Return the words of what stands in a cell."""
        known = self.question.tables.get(table)
        if isinstance(value, str) and known is not None and known.columns.get(column, {}).get("kind") == "dice":
            return parse(value).french()
        return figure(renamed(value, self.column_choices(table, column)), self.words)

    # Values.

    def figure(self, name, value):
        """Return the words of the value of *name* inside a formula."""
        if isinstance(value, dict) and self.kind(name) == "duration":
            return self._duration(name, value)
        if isinstance(value, str) and self.kind(name) == "dice":
            return parse(value).french()
        return figure(renamed(value, self.choices(name)), self.words)

    def show(self, name, value):
        """Return the words of the value of *name* standing alone."""
        return self.chance(value) if self.kind(name) in CHANCE_KINDS and is_number(value) else self.figure(name, value)

    def result(self, name, value):
        """Return the words of what the step *name* comes to, its unit included."""
        if isinstance(value, dict) and self.kind(name) == "spread":
            told = [f"{key}{NBSP}: {self.chance(chance)}" for key, chance in renamed(value, self.choices(name)).items()]
            return self.words["record-separator"].join(told)
        if isinstance(value, list) and any(spec.get("items", {}).get("kind") in CHANCE_KINDS for spec in self._specs(name)):
            return self.words["record-separator"].join(map(self.chance, value))
        if not is_number(value):
            return self.show(name, value) + (self.unit(name) if isinstance(value, str) else "")
        written, unit = french(value), self.unit(name, value)
        long = "/" in written and len(written) > LONGEST_FRACTION
        if self.kind(name) in CHANCE_KINDS:
            return percent(value) if long else self.chance(value)
        if "/" not in written or value.denominator <= PLAIN_DENOMINATOR:
            return written + unit
        about = self.word("about", fixed(value, 2) + unit)
        return about if long else f"{written} ({about})"

    def chance(self, value):
        """Return a chance as its percentage and the exact fraction, when it is one; what is no number in words."""
        if not is_number(value):
            return shown(value, self.words)
        exact = fraction(value)
        return f"{percent(value)} ({exact})" if exact else percent(value)

    def output(self, output, value):
        """Return the words of the value of an Output, unit included: slugs by their names, records field by field."""
        if output.kind in CHANCE_KINDS:
            return self.chance(value)
        if output.kind == "dice" and isinstance(value, str):
            return parse(value).french()
        if output.kind in ("list", "record", "map"):
            return self._composed(value, output.spec)
        if isinstance(value, dict) and self.kind(output.name) == "duration":
            return self._duration(output.name, value)
        if is_number(value):
            told, exact = self.number(output.name, value)
            return f"{told} ({exact})" if exact else told
        return shown(renamed(value, self.choices(output.name)), self.words) + (self.unit(output.name) if value is not None else "")

    def number(self, name, value):
        """Return (words, exact fraction or nothing) of a number: what no few decimals write is told by the nearest ones."""
        written, unit = french(value), self.unit(name, value)
        return (self.word("about", fixed(value, 2) + unit), fraction(value)) if "/" in written else (written + unit, "")

    def _duration(self, name, value):
        spec = next((spec for spec in self._specs(name) if "table" in spec), {})
        return duration(value, self._named_by(spec, "plural") or {}, self._named_by(spec) or {}, self.words)

    def _composed(self, value, spec):
        """Return a list, record or map in words, each part as its own *spec* says."""
        if isinstance(value, list):
            parts = [self._composed(item, spec.get("items", {})) for item in value]
            separator = self.words["record-separator" if spec.get("items", {}).get("kind") == "record" else "separator"]
            return separator.join(parts) or self.words["nothing"]
        if isinstance(value, dict) and "fields" in spec:
            return self._fields(value, spec["fields"])
        if isinstance(value, dict) and spec.get("kind") == "duration":
            return duration(value, self._named_by(spec, "plural") or {}, self._named_by(spec) or {}, self.words)
        if isinstance(value, dict):
            keys = spec.get("keys", spec)
            names, label = self._named_by(keys) or {}, keys.get("label", "{key}") if keys is not spec else "{key}"
            told = [f"{fill(label, {'key': names.get(key, key)}, {})}{NBSP}: {self._composed(item, spec.get('values', {}))}" for key, item in value.items()]
            return self.words["separator"].join(told) or self.words["nothing"]
        return shown(renamed(value, self._named_by(spec) or {}), self.words)

    def _fields(self, record, fields):
        told = []
        for key, value in record.items():
            spec = fields.get(key, {})
            words = self._composed(value, spec)
            label = spec.get("label", key)
            told.append(f"{label}{NBSP}: {words}" if label else words)
        # Parts that are lists keep apart.
        separator = self.words["separator"]
        return self.words["record-separator" if any(separator in words for words in told) else "separator"].join(told)

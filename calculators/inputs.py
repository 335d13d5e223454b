"""Inputs of a question: what each may be, and the first thing wrong with what was given."""

import re

from .dice import DiceError, parse
from .expression import compiled
from .numbers import dumps, exact, is_number, loads, whole
from .refusal import Refusal, shortened

_DECIMAL_COMMA = re.compile(r"-?\d+,\d+")
# Larger numbers than these are not inputs of a game; they would only make an answer slow.
LARGEST = 10**9
LONGEST_LIST = 100
LONGEST_TEXT = 200

# What goes wrong -> the code of the refusal when the input gives none of its own.
CODES = {
    "missing": "missing-input",
    "kind": "wrong-kind",
    "whole": "not-an-integer",
    "min": "out-of-range",
    "max": "out-of-range",
    "choice": "unknown-choice",
    "key": "unknown-choice",
    "count": "wrong-count",
    "dice": "bad-dice",
}
KINDS = ("integer", "number", "boolean", "choice", "text", "dice", "list", "record", "map")


class Input:
    """One declared input: *name*, its *spec*, and those of its parts (items, fields, keys and values).

    A part without a label bears that of the input it is *part_of*. *path* is where the input stands in the question's
    data; what cannot be read there raises StepError, or is added to the list of *faults*.
    """

    def __init__(self, name, spec, tables, part_of=None, path=(), faults=None):
        self.name, self.spec, self.tables, self.path = name, spec, tables, path
        self.kind = spec.get("kind", "text")
        self.field = part_of.field if part_of is not None else name
        self.label = spec.get("label", part_of.label if part_of is not None else name)
        self.faults = faults

        def part(key, inner, *where):
            return Input(key, inner, tables, self, (*path, *where), faults)

        self.items = part(name, spec["items"], "items") if self.kind == "list" else None
        self.keys = part(name, spec["keys"], "keys") if self.kind == "map" and "keys" in spec else None
        self.values = part(name, spec.get("values", {"kind": "integer", "min": 0}), "values") if self.kind == "map" else None
        self.fields = {key: part(key, inner, "fields", key) for key, inner in spec.get("fields", {}).items()}
        self.formulas = {key: compiled(spec[key], (*path, key), faults) for key in ("min", "max", "count") if spec.get(key) is not None}
        self.roll = {key: compiled(formula, (*path, "roll", key), faults) for key, formula in spec.get("roll", {}).items()}
        # Which dice are kept is known after the answer, and the input does not wait for it.
        self.kept = self.roll.pop("kept", None)

    def expressions(self):
        """Yield (path in the question's data, Expression) for every formula of the input and of its parts."""
        yield from self._needed()
        if self.kept is not None:
            yield (*self.path, "roll", "kept"), self.kept
        for part in self._parts():
            yield from part.expressions()

    def _needed(self):
        """Yield (path, Expression) for the formulas the input itself waits for."""
        yield from (((*self.path, key), formula) for key, formula in self.formulas.items())
        yield from (((*self.path, "roll", key), formula) for key, formula in self.roll.items())

    def _parts(self):
        return [part for part in (self.items, self.keys, self.values, *self.fields.values()) if part is not None]

    @property
    def names(self):
        """Return the free names that the formulas of the input and of its parts wait for."""
        return [name for _, formula in self._needed() for name in formula.names] + [name for part in self._parts() for name in part.names]

    def choices(self):
        """Return {slug: French name} of the allowed values (or keys), or None when any will do."""
        spec = self.spec.get("keys", {}) if self.kind == "map" else self.spec
        chosen = spec.get("choices")
        if chosen is None and spec.get("table") in self.tables:
            chosen = {slug: record.get("name", slug) for slug, record in self.tables[spec["table"]].records.items()}
            if spec.get("only") is not None:
                chosen = {slug: name for slug, name in chosen.items() if slug in spec["only"]}
        return chosen

    def default(self):
        """Return (has one, value)."""
        if "default" in self.spec:
            value = self.spec["default"]
            return True, exact(value) if self.kind == "number" and isinstance(value, str) else value
        return bool(self.spec.get("optional")), None

    def refuse(self, fault, given, **facts):
        """Raise the Refusal of *fault*; for a key of a map, the codes and the fact's name stand under ``keys``."""
        spec = self.spec.get("keys", {}) if fault == "key" else self.spec
        code = spec.get("codes", {}).get(fault) or CODES[fault]
        shown = {}
        choices = self.choices()
        if choices is not None and fault in ("choice", "key"):
            # What is to be written is the slug; the name says what it is.
            shown["choices"] = [slug if slug == name else f"{slug} ({name})" for slug, name in choices.items()]
            facts["choices"] = list(choices)
        if spec.get("as"):
            facts[spec["as"]] = _cited(given)
        facts = {"field": self.name, "given": _cited(given), **facts}
        if fault == "kind":
            shown["names"], shown["key"] = list(self.fields), next(iter(choices or {}), "1")
        template = f"@kind-{self.kind}" if fault == "kind" else f"@{fault}"
        raise Refusal(code, facts, self.field, template, {"label": self.label, **shown})

    def bound(self, key, scope):
        """Return the value of ``min``, ``max`` or ``count`` in *scope*, or None when the input has none."""
        return whole(self.formulas[key].evaluate(scope)) if key in self.formulas else None

    def check(self, given, scope):
        """Return the value of *given*, or raise the Refusal that says what is wrong; *scope* holds the inputs already checked."""
        if given is None:
            found, value = self.default()
            if not found:
                self.refuse("missing", given)
            return value
        return getattr(self, "_" + self.kind)(given, scope)

    def _bounded(self, value, given, scope):
        low, high = self.bound("min", scope), self.bound("max", scope)
        if low is not None and value < low:
            self.refuse("min", given, min=low, max=high)
        if high is not None and value > high:
            self.refuse("max", given, min=low, max=high)
        if abs(value) > LARGEST:
            self.refuse("max", given, min=-LARGEST if low is None else low, max=LARGEST if high is None else high)
        return value

    def _integer(self, given, scope):
        if isinstance(given, bool) and self.spec.get("accepts") == "boolean":
            return int(given)
        value = whole(given) if is_number(given) else None
        if not isinstance(value, int):
            self.refuse("whole", given, min=self.bound("min", scope), max=self.bound("max", scope))
        return self._bounded(value, given, scope)

    def _number(self, given, scope):
        try:
            value = exact(given)
        except ValueError:
            self.refuse("kind", given)
        return self._bounded(value, given, scope)

    def _boolean(self, given, scope):
        if not isinstance(given, bool):
            self.refuse("kind", given)
        return given

    def _choice(self, given, scope):
        choices = self.choices()
        if not isinstance(given, str) or choices is None or given not in choices:
            self.refuse("choice", given)
        return given

    def _text(self, given, scope):
        if not isinstance(given, str) or len(given) > LONGEST_TEXT:
            self.refuse("kind", given)
        if not given.strip():
            self.refuse("missing", given)
        return given

    def _dice(self, given, scope):
        try:
            dice = parse(given)
        except DiceError:
            self.refuse("dice", given)
        return dice

    def _list(self, given, scope):
        if not isinstance(given, list):
            self.refuse("kind", given)
        if len(given) > LONGEST_LIST:
            self.refuse("count", given, found=len(given), expected=LONGEST_LIST)
        expected = self.bound("count", scope)
        if expected is not None and len(given) != expected:
            self.refuse("count", given, found=len(given), expected=expected)
        return [_checked(self.items, place, item, scope) for place, item in enumerate(given)]

    def _record(self, given, scope):
        if not isinstance(given, dict):
            self.refuse("kind", given)
        for key in given:
            if key not in self.fields:
                raise Refusal("unknown-input", {"field": str(key), "known": list(self.fields)}, self.field, "@unknown", {"label": self.label})
        return {key: _checked(part, key, given.get(key), scope) for key, part in self.fields.items()}

    def _map(self, given, scope):
        if not isinstance(given, dict):
            self.refuse("kind", given)
        if len(given) > LONGEST_LIST:
            self.refuse("count", given, found=len(given), expected=LONGEST_LIST)
        choices = self.choices()
        values = {}
        for key, item in given.items():
            if choices is not None and key not in choices:
                self.refuse("key", key)
            if self.spec.get("keys", {}).get("kind") == "integer":
                self._check_integer_key(key, scope)
            values[str(key)] = _checked(self.values, key, item, scope)
        return values

    def _check_integer_key(self, key, scope):
        try:
            number = exact(key)
        except ValueError:
            self.keys.refuse("whole", key)
        self.keys.check(number, scope)


def _checked(part, place, given, scope):
    """Check *given* as the *part* of a group; a refusal is told where it stands there."""
    try:
        return part.check(given, scope)
    except Refusal as refusal:
        refusal.place.insert(0, str(place))
        raise


def _cited(given):
    """Return *given* as a refusal cites it: what is long by its beginning."""
    text = given if isinstance(given, str) else dumps(given) if isinstance(given, (dict, list)) else ""
    return shortened(text, LONGEST_TEXT) if len(text) > LONGEST_TEXT else given


def from_text(part, text):
    """Return the value that the command-line *text* stands for, for input *part*; what cannot be read stays text."""
    if part is not None and part.kind in ("text", "choice", "dice"):
        return text
    if part is not None and part.kind == "number" and _DECIMAL_COMMA.fullmatch(text.strip()):
        # Answers are told with a decimal comma: it is understood too.
        text = text.replace(",", ".")
    try:
        value = loads(text)
        # One value is a list of one.
        return [value] if part is not None and part.kind == "list" and not isinstance(value, list) else value
    except ValueError:
        if part is not None and part.kind == "list":
            return [from_text(part.items, item.strip()) for item in text.split(",")] if text.strip() else []
        words = part.spec.get("words", {}) if part is not None else {}
        return words.get(text, text)

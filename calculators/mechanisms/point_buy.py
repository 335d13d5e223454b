"""Point buy: options bought with a budget, drawbacks that enlarge it, and what they do to a sheet.

An option is a record of a table with, all optional: `cost` of one take (1), `max_takes`, `requires` (an
option to take first), `exclusive` (a group of which one option at most), and `effects`
{attribute: {add: per take} or {ladder: [value after each take]} or {set: value}}. A drawback has `bonus`
instead of a cost. Text that starts with ``=`` is a formula over the question's names.
"""

from functools import lru_cache

from ..expression import Expression, Scope
from ..refusal import Refusal
from .parameter import DATA, FORMULA, FORMULA_TABLE, TABLE, Parameter

parameters = {
    "options": Parameter(TABLE),
    "takes": Parameter(FORMULA),
    "variants": Parameter(FORMULA_TABLE, optional=True, inside=("item",)),
    "budget": Parameter(FORMULA),
    "drawbacks": Parameter(TABLE, optional=True),
    "drawback_takes": Parameter(FORMULA, optional=True),
    "drawbacks_allowed": Parameter(FORMULA, optional=True),
    "codes": Parameter(DATA, optional=True),
    "names": Parameter(DATA, optional=True),
    "fields": Parameter(DATA, optional=True),
}
gives = ("spent", "budget", "left", "drawbacks", "takes", "totals", "variants")

CODES = {
    "allowed": "drawbacks-exceeded",
    "requires": "prerequisite-missing",
    "exclusive": "options-exclusive",
    "cap": "cap-exceeded",
    "budget": "over-budget",
}

# What an effect does: one of these.
EFFECTS = ("add", "ladder", "set")
# What a text that is a formula starts with.
MARK = "="

_expression = lru_cache(maxsize=None)(Expression)


def written(arguments, tables):
    """Yield (table, path inside its records, formula) for every formula that the records of the mechanism hold."""
    for parameter in ("options", "drawbacks"):
        table = arguments.get(parameter)
        for slug, record in tables[table].records.items() if table in tables else ():
            for key in ("max_takes", "effects"):
                for path, formula in _written(record.get(key), (slug, key)):
                    yield table, path, formula


def _written(value, path):
    if isinstance(value, str) and value.startswith(MARK):
        yield path, value.removeprefix(MARK)
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from _written(item, (*path, key))


def malformed(arguments, tables):
    """Yield (table, path inside its records, code, facts) of every effect that does nothing the mechanism knows."""
    for parameter in ("options", "drawbacks"):
        table = arguments.get(parameter)
        for slug, record in tables[table].records.items() if table in tables else ():
            effects = record.get("effects") or {}
            for attribute, effect in effects.items() if isinstance(effects, dict) else ():
                keys = list(effect) if isinstance(effect, dict) else [str(effect)]
                if not set(keys) & set(EFFECTS) or (isinstance(effect, dict) and not isinstance(effect.get("ladder", []), list)):
                    yield table, (slug, "effects", attribute), "effect-shape", {"found": ", ".join(keys), "known": list(EFFECTS)}


class _Purchase:
    """Takes of one option: *variant* is None, or what tells apart purchases of the same option."""

    __slots__ = ("group", "record", "slug", "takes", "variant")

    def __init__(self, group, slug, record, takes, variant=None):
        self.group, self.slug, self.record, self.takes, self.variant = group, slug, record, takes, variant


def run(arguments, scope):
    """Return {"spent", "budget", "left", "drawbacks", "takes", "totals", "variants"}.

    *totals* is {attribute: value}: the sum of what is added, else the rung reached or the value set, None where nothing
    touches it. *variants* is {option: [{"key", "takes", "item", "totals"}]}. Refuses, in this order: too many drawbacks,
    a missing prerequisite, two exclusive options, a cap, the budget.
    """
    bought = _purchases(arguments, scope, "option", "options", "takes")
    drawbacks = _purchases(arguments, scope, "drawback", "drawbacks", "drawback_takes") if "drawbacks" in arguments else []
    variants = _variants(arguments, scope)
    everything = bought + drawbacks + variants
    _check(arguments, scope, bought, drawbacks, variants)
    spent = sum(purchase.takes * purchase.record.get("cost", 1) for purchase in bought + variants)
    budget = arguments["budget"].evaluate(scope) + sum(purchase.takes * purchase.record.get("bonus", 0) for purchase in drawbacks)
    if spent > budget:
        _refuse(arguments, "budget", {"spent": spent, "budget": budget}, "option")
    totals = dict.fromkeys(_attributes(arguments, scope))
    for purchase in everything:
        if purchase.variant is None:
            _apply(purchase, totals, scope)
    return {
        "spent": spent,
        "budget": budget,
        "left": budget - spent,
        "drawbacks": sum(purchase.takes for purchase in drawbacks),
        "takes": {purchase.slug: purchase.takes for purchase in bought + drawbacks},
        "totals": totals,
        "variants": _described(arguments, variants, scope),
    }


def _purchases(arguments, scope, group, table, takes):
    records = scope.tables[arguments[table]].records
    chosen = arguments[takes].evaluate(scope) or {}
    return [_Purchase(group, slug, records[slug], chosen[slug]) for slug in records if chosen.get(slug)]


def _variants(arguments, scope):
    records = scope.tables[arguments["options"]].records
    purchases = []
    for slug, formulas in arguments.get("variants", {}).items():
        for item in formulas["list"].evaluate(scope) or []:
            inner = Scope({"item": item}, scope)
            takes = formulas["takes"].evaluate(inner)
            purchases.append(_Purchase("option", slug, records[slug], takes, (formulas["key"].evaluate(inner), item)))
    return purchases


def _check(arguments, scope, bought, drawbacks, variants):
    if "drawbacks_allowed" in arguments:
        taken, most = sum(purchase.takes for purchase in drawbacks), arguments["drawbacks_allowed"].evaluate(scope)
        if taken > most:
            _refuse(arguments, "allowed", {"taken": taken, "max": most}, "drawback")
    have = {purchase.slug for purchase in bought + drawbacks}
    for purchase in bought + variants:
        needed = purchase.record.get("requires")
        if needed is not None and needed not in have:
            _refuse(arguments, "requires", {"required": needed}, "option", purchase)
    groups = {}
    for purchase in bought:
        group = purchase.record.get("exclusive")
        if group is not None and groups.setdefault(group, purchase) is not purchase:
            _refuse(arguments, "exclusive", {"with": groups[group].slug}, "option", purchase)
    for purchase in bought + variants + drawbacks:
        most = _most_takes(purchase.record, scope)
        if most is not None and purchase.takes > most:
            _refuse(arguments, "cap", {"max": most, "taken": purchase.takes}, purchase.group, purchase)


def _most_takes(record, scope):
    caps = [len(effect["ladder"]) for effect in record.get("effects", {}).values() if "ladder" in effect]
    stated = value_of(record.get("max_takes"), scope)
    if stated is not None:
        caps.append(stated)
    return min(caps, default=None)


def _refuse(arguments, fault, facts, group, purchase=None):
    shown = {}
    if purchase is not None:
        key = arguments.get("names", {}).get(group, group)
        facts = {key: purchase.slug, **facts}
        shown = dict.fromkeys((key, "name"), purchase.record.get("name", purchase.slug))
    code = arguments.get("codes", {}).get(fault, CODES[fault])
    refusal = Refusal(code, facts, arguments.get("fields", {}).get(group), f"@{CODES[fault]}", shown)
    if purchase is not None and purchase.variant is None:
        refusal.place.append(purchase.slug)
    raise refusal


def _attributes(arguments, scope):
    for table in ("options", "drawbacks"):
        if table in arguments:
            for record in scope.tables[arguments[table]].records.values():
                yield from record.get("effects", {})


def _apply(purchase, totals, scope):
    for attribute, effect in purchase.record.get("effects", {}).items():
        if "add" in effect:
            totals[attribute] = (totals[attribute] or 0) + purchase.takes * value_of(effect["add"], scope)
        elif "ladder" in effect:
            totals[attribute] = value_of(effect["ladder"][purchase.takes - 1], scope)
        else:
            totals[attribute] = value_of(effect["set"], scope)


def _described(arguments, variants, scope):
    described = {slug: [] for slug in arguments.get("variants", {})}
    for purchase in variants:
        totals = dict.fromkeys(purchase.record.get("effects", {}))
        _apply(purchase, totals, scope)
        key, item = purchase.variant
        described[purchase.slug].append({"key": key, "takes": purchase.takes, "item": item, "totals": totals})
    return described


def value_of(value, scope):
    """Return a value written in data: text starting with ``=`` is a formula, lists and mappings are read inside."""
    if isinstance(value, str) and value.startswith(MARK):
        return _expression(value.removeprefix(MARK)).evaluate(scope)
    if isinstance(value, dict):
        return {key: value_of(item, scope) for key, item in value.items()}
    if isinstance(value, list):
        return [value_of(item, scope) for item in value]
    return value

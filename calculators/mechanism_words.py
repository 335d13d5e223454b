"""What a mechanism did, in French: its sentence with labels, with figures, and what it came to."""

from math import comb

from .expression import ExpressionError
from .notation import MOST_TERMS, Writer
from .numbers import french, percent
from .phrases import MOST_ROLLS, NBSP, counted, figure, key_words
from .refusal import fill


def mechanism(names, step, scope, value):
    """Return (sentence with labels, with figures, words of the result or "" for the usual ones)."""
    labels, figures = _sentence(names, step, scope, False), _sentence(names, step, scope, True)
    worded = _RESULTS.get(step.mechanism_name)
    if worded is None:
        return labels, figures, ""
    detail, shown = worded(names, step, scope, value)
    return labels, figures if detail is None else detail, shown


def _sentence(names, step, scope, figures):
    """Return the template of a mechanism with the formulas of its parameters written out."""
    template = names.words["mechanisms"].get(step.mechanism_name, step.mechanism_name)
    writer, parts = Writer(names, scope, figures, own=names.choices(step.name)), {}
    for key, argument in step.arguments.items():
        if "{" + key + "}" in template:
            parts[key] = writer.write(argument.tree) if hasattr(argument, "tree") else names.title(argument)
    return fill(template, parts, names.words)


def _evaluated(argument, scope):
    try:
        return argument.evaluate(scope)
    except ExpressionError:
        return None


def _bands(names, step, scope, value):
    """Tell in which span of the table the value falls."""
    table = names.question.tables[step.arguments["table"]]
    written = Writer(names, scope, figures=True).write(step.arguments["value"].tree)
    span = spans(table, names.words).get(value)
    return (written if span is None else names.word("in_span", written, span)), ""


def _odds(names, step, scope, value):
    """Tell how many rolls fall in each record, and its span."""
    rolled = _evaluated(step.arguments["of"], scope)
    table = names.question.tables[step.arguments["table"]]
    found = spans(table, names.words)
    labels = {slug: names.word("spanned", record.get("name", slug), found[slug]) for slug, record in table.records.items()}
    written = Writer(names, scope, figures=True).write(step.arguments["of"].tree)
    if rolled is None or rolled.total > MOST_ROLLS:
        return written, "" if rolled is None else counted(value, rolled.total, labels, names.words)
    return names.word("possible", written, french(rolled.total)), counted(value, rolled.total, labels, names.words)


def _matching(names, step, scope, value):
    dice, sides = (_evaluated(step.arguments[key], scope) for key in ("dice", "sides"))
    return None, counted(value, sides**dice, names.choices(step.name), names.words)


def _chain(names, step, scope, value):
    named = names.choices(step.name)
    return None, names.words["separator"].join(f"{key_words(state, named)}{NBSP}: {percent(chance)}" for state, chance in value.items())


def _race(names, step, scope, value):
    """Tell the race by the sum that gives its chance: the last try succeeds, failures come anywhere before."""
    chance, wins, losses = (_evaluated(step.arguments[key], scope) for key in ("chance", "successes", "failures"))
    detail = None
    if wins and losses and losses <= MOST_TERMS:
        yes, no = figure(chance, names.words), figure(1 - chance, names.words)
        terms = ["1", *(f"{comb(wins - 1 + failed, failed)}{NBSP}×{NBSP}{_power(names, no, failed)}" for failed in range(1, losses))]
        summed = f"{NBSP}+{NBSP}".join(terms)
        detail = f"{_power(names, yes, wins)}{NBSP}×{NBSP}({summed})" if len(terms) > 1 else _power(names, yes, wins)
    win, lose = percent(value["win"]), percent(value["lose"])
    tries = _ends(chance, wins, losses).items()
    ends = names.words["separator"].join(names.word("ended" if many > 1 else "ended_once", french(many), percent(part)) for many, part in tries)
    return detail, names.word("raced", win, lose, names.result("", value["rounds"]), ends or names.words["nothing"])


def _ends(chance, wins, losses):
    """Return {number of tries: chance that a race ends there}."""
    ends = {}
    for wanted, other, likely in ((wins, losses, chance), (losses, wins, 1 - chance)):
        for missed in range(other if wins and losses else 0):
            tries = wanted + missed
            ends[tries] = ends.get(tries, 0) + comb(tries - 1, missed) * likely**wanted * (1 - likely) ** missed
    return dict(sorted(ends.items()))


def _power(names, base, exponent):
    base = f"({base})" if "/" in base else base
    return base if exponent == 1 else names.word("power", base, str(exponent))


def _sequence(names, step, scope, value):
    """Tell the kept values that have a name."""
    named = names.words.get("names", {})
    told = [f"{names.label(key)}{NBSP}: {names.figure(key, kept)}" for key, kept in value.items() if key in names.question.steps or key in named]
    return None, names.words["separator"].join(told) or None


def _point_buy(names, step, scope, value):
    """Tell what was bought, each with its takes and what one costs or brings back."""
    bought, table = [], names.question.tables[step.arguments["options"]]
    back = names.question.tables.get(step.arguments.get("drawbacks", ""))
    for slug, takes in value["takes"].items():
        record = table.records.get(slug)
        if record is not None:
            bought.append(names.word("bought", record.get("name", slug), french(takes), french(record.get("cost", 1))))
        else:
            record = back.records[slug]
            bought.append(names.word("brought", record.get("name", slug), french(takes), french(record.get("bonus", 0))))
    for slug, variants in value["variants"].items():
        record = table.records[slug]
        bought += [names.word("bought", record.get("name", slug), french(item["takes"]), french(record.get("cost", 1))) for item in variants]
    detail = names.words["separator"].join(bought) or names.words["nothing"]
    return detail, names.word("spent", *(french(value[key]) for key in ("spent", "budget", "left")))


_RESULTS = {
    "bands": _bands,
    "odds": _odds,
    "matching": _matching,
    "chain": _chain,
    "race": _race,
    "sequence": _sequence,
    "point-buy": _point_buy,
}


def spans(table, words):
    """Return {slug: the values of the record in words} of a table read by a number."""
    found, before = {}, 0 if table.kind == "chances" else None
    for slug, record in table.records.items():
        low, high = record.get("min"), record.get("max")
        if table.kind == "chances":
            low, high = before + 1, before + record["percent"]
            before = high
        key = "any" if low is None and high is None else "upto" if low is None else "from" if high is None else "one" if low == high else "both"
        if table.continuous and before is not None:
            key, low = "above" if high is None else "within", before
        if table.continuous:
            before = high
        template = words["span"][key]
        for place, value in (("{low}", low), ("{high}", high)):
            template = template.replace(place, french(value) if value is not None else "")
        found[slug] = template
    return found

"""A calculator: questions that share one set of inputs, answered together, one feeding the next."""

from .dice import roll, roller
from .explanation import Teller, plain
from .expression import ExpressionError
from .question import Work
from .refusal import Refusal

MOST_NESTED_ROLLS = 40


class Calculator:
    """The questions of one tool of a page: *fields* are their inputs by name, each as the first question declares it."""

    def __init__(self, rulebook, identifier):
        self.rulebook, self.id = rulebook, identifier
        self.game, _, self.name = identifier.partition("/")
        self.spec = rulebook.games()[self.game]["calculators"][self.name]
        self.title = self.spec.get("title", self.name)
        self.questions = [rulebook.question(f"{self.game}/{name}") for name in self.spec["questions"]]
        self.feeds = self._feeds()
        self.fields = {}
        for question in self.questions:
            for name, part in question.inputs.items():
                if f"{question.id}.{name}" not in self.feeds:
                    self.fields.setdefault(name, part)

    def _feeds(self):
        """Return {question id.input: (source question id, name of its output or step)}."""
        feeds = {}
        for target, source in self.spec.get("feeds", {}).items():
            question, _, name = source.partition(".")
            feeds[f"{self.game}/{target}"] = (f"{self.game}/{question}", name)
        return feeds

    def start(self):
        """Return the inputs the form shows first: those the data chooses, else defaults, else the first good example's."""
        inputs = {}
        for question in self.questions:
            examples = question.spec.get("examples", [])
            example = next((example["inputs"] for example in examples if "error" not in example["expected"]), {})
            for name, part in question.inputs.items():
                if name in self.fields and name not in inputs:
                    has_default, value = part.default()
                    inputs[name] = value if has_default else example.get(name)
        inputs.update(self.spec.get("start", {}))
        return {name: value for name, value in inputs.items() if value is not None}

    def answer(self, inputs):
        """Return [(question, Result)] for the mapping *inputs*; names no question knows are refused by the first."""
        results, known = [], {}
        for place, question in enumerate(self.questions):
            given = {name: inputs[name] for name in question.inputs if name in inputs}
            if place == 0:
                given.update({name: value for name, value in inputs.items() if name not in self.fields})
            for name in question.inputs:
                source = self.feeds.get(f"{question.id}.{name}")
                if source is not None and source[0] in known:
                    given[name] = _fed(known[source[0]], source[1])
            result = question.answer(given)
            known[question.id] = result
            results.append((question, result))
        return results

    def rolled(self, inputs, seed=None):
        """Return *inputs* with every die the data says to roll filled in."""
        source, filled = roller(seed), dict(inputs)
        for question in self.questions:
            work = Work(question, filled)
            for name, part in question.inputs.items():
                if name in self.fields and self.fields[name] is part:
                    value = _rolled(part, filled.get(name), work, source)
                    if value is not None:
                        filled[name] = value
        return filled

    def can_roll(self):
        return any(_has_roll(part) for part in self.fields.values())


def _fed(result, name):
    if result.refusal is not None:
        return None
    if name in result.outputs:
        return plain(result.outputs[name])
    try:
        return plain(result.work.get(name))
    except (ExpressionError, Refusal):
        return None


def _parts(part):
    return [part.items] if part.items is not None else list(part.fields.values())


def _has_roll(part):
    return "roll" in part.spec or any(_has_roll(inner) for inner in _parts(part))


def _rolled(part, value, work, source):
    if part.roll:
        try:
            sides = part.roll["sides"].evaluate(work)
            count = part.roll["count"].evaluate(work) if "count" in part.roll else 1
        except (ExpressionError, Refusal):
            return value
        faces = roll(source, count, sides)
        return faces if part.kind == "list" else faces[0]
    if part.kind == "list" and isinstance(value, list) and _has_roll(part.items):
        return [_rolled(part.items, item, work, source) for item in value[:MOST_NESTED_ROLLS]]
    if part.kind == "record" and isinstance(value, dict):
        return {**value, **{key: _rolled(inner, value.get(key), work, source) for key, inner in part.fields.items() if _has_roll(inner)}}
    return value


def summary(rulebook, question, result):
    """Return one line of an answer for a screen reader or a chat: the title, then each output or the refusal."""
    if result.refusal is not None:
        return rulebook.error(question, result.refusal)["message"]
    told = [f"{label} {words}" for label, words in output_words(rulebook, question, result)]
    return f"{question.title}\u00a0: {', '.join(told)}"


def output_words(rulebook, question, result):
    """Return [(label, words)] of every output that can be said in a line; a spread output gives one pair a key."""
    teller = Teller(question, rulebook.texts)
    told = []
    for name, output in question.outputs.items():
        if name in result.spreads:
            told += [(label, teller.chance(value)) for label, value in spread_words(question, output, result.spreads[name])]
        elif name in result.outputs and output.kind != "grid":
            told.append((output.label, teller.output(output, result.outputs[name])))
    return told


def spread_words(question, output, spread):
    """Return [(French name of the key, value)] of what a spread output gave."""
    names = question.tables.get(output.spec.get("table", "")) if output.spec.get("table") else None
    choices = output.spec.get("choices", {})
    pairs = []
    for key, value in spread.items():
        record = names.records.get(str(key)) if names is not None else None
        pairs.append((record.get("name", key) if record else choices.get(str(key), str(key)), value))
    return pairs
